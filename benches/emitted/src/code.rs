//! Instructions, as far as a secret can show in them.

/// The flags that conditional branches decide on.
pub(crate) mod flag {
    pub(crate) const ZERO: u8 = 1;
    pub(crate) const NEGATIVE: u8 = 2;
    pub(crate) const CARRY: u8 = 4;
    pub(crate) const OVERFLOW: u8 = 8;
    pub(crate) const PARITY: u8 = 16;
    /// What a result alone decides.
    pub(crate) const OF_RESULT: u8 = ZERO | NEGATIVE | PARITY;
    /// How many there are.
    pub(crate) const COUNT: usize = 5;
}

/// A general register, by its number in the instruction set.
pub(crate) type Register = u8;

/// A number that an instruction works on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Constant(u64),
    Register(Register),
    /// What is in memory at an address, so many bytes.
    Memory(Box<Value>, u8),
    /// The lowest so many bits.
    Low(u8, Box<Value>),
    Add(Box<Value>, Box<Value>),
    Subtract(Box<Value>, Box<Value>),
    And(Box<Value>, Box<Value>),
    Xor(Box<Value>, Box<Value>),
    ShiftLeft(Box<Value>, Box<Value>),
    ShiftRight(Box<Value>, Box<Value>),
    /// All of them, as one number.
    All(Vec<Value>),
    /// The machine's own flags.
    Flags,
    /// The value if a condition of AArch64 holds, and otherwise a constant: then the instruction does
    /// not look at it.
    If(Condition, Box<Value>),
    /// Not known, and so never the same.
    Unknown,
}

/// A condition of AArch64: flags that are compared, and whether it is their opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    /// The three bits that choose the comparison.
    pub(crate) comparison: u8,
    pub(crate) opposite: bool,
}

impl Condition {
    /// Whether it holds. In: the flags N, Z, C and V in bits 31 to 28.
    pub(crate) fn holds(self, flags: u64) -> bool {
        let [n, z, c, v] = [31, 30, 29, 28].map(|bit| flags >> bit & 1 == 1);
        let compared = match self.comparison {
            0 => z,
            1 => c,
            2 => n,
            3 => v,
            4 => c && !z,
            5 => n == v,
            6 => n == v && !z,
            _ => return true,
        };
        compared != self.opposite
    }
}

/// What gives the values of registers and memory.
pub(crate) trait Cpu {
    fn register(&mut self, register: Register) -> u64;
    fn memory(&mut self, at: u64, bytes: usize) -> u64;
    fn flags(&mut self) -> u64;
    /// Argument `number` of the function that is about to begin.
    fn argument(&mut self, number: usize) -> u64;
    fn read(&mut self, at: u64, bytes: &mut [u8]);
    fn write(&mut self, at: u64, bytes: &[u8]);
}

impl Value {
    pub(crate) fn boxed(self) -> Box<Self> {
        Box::new(self)
    }

    pub(crate) fn of(&self, cpu: &mut impl Cpu) -> u64 {
        match self {
            Self::Constant(value) => *value,
            Self::Register(register) => cpu.register(*register),
            Self::Memory(at, bytes) => {
                let at = at.of(cpu);
                cpu.memory(at, usize::from(*bytes))
            }
            Self::Low(bits, value) => value.of(cpu) & low(*bits),
            Self::Add(a, b) => a.of(cpu).wrapping_add(b.of(cpu)),
            Self::Subtract(a, b) => a.of(cpu).wrapping_sub(b.of(cpu)),
            Self::And(a, b) => a.of(cpu) & b.of(cpu),
            Self::Xor(a, b) => a.of(cpu) ^ b.of(cpu),
            Self::ShiftLeft(a, b) => a.of(cpu).wrapping_shl(b.of(cpu) as u32),
            Self::ShiftRight(a, b) => a.of(cpu).wrapping_shr(b.of(cpu) as u32),
            Self::All(values) => values.iter().fold(0, |all, value| mix(all, value.of(cpu))),
            Self::Flags => cpu.flags(),
            Self::If(condition, value) => {
                if condition.holds(cpu.flags()) {
                    value.of(cpu)
                } else {
                    0
                }
            }
            Self::Unknown => {
                cpu.register(0) ^ std::time::Instant::now().elapsed().as_nanos() as u64
            }
        }
    }
}

const fn low(bits: u8) -> u64 {
    if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    }
}

/// A hash of a hash and another number.
pub(crate) fn mix(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Where control goes after an instruction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Flow {
    Next,
    /// A conditional branch, and where to, as far as the instruction says.
    Branch(Decision, Option<u64>),
    Jump(u64),
    Call(Option<u64>),
    /// A jump or a call to where a value says.
    Indirect {
        to: Value,
        call: bool,
    },
    /// A return, or the end of the program.
    Leave,
}

/// What a branch decides on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Decision {
    /// A mask of flags.
    Flags(u8),
    Value(Value),
}

/// How an instruction sets flags.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sets {
    /// A mask of flags.
    pub(crate) flags: u8,
    /// What [`flag::OF_RESULT`] depend on.
    pub(crate) result: Value,
    /// Whether `result` and `rest` are there after the instruction only.
    pub(crate) after: bool,
    /// What the others depend on.
    pub(crate) rest: Value,
    /// Flags that it takes into the calculation.
    pub(crate) chained: u8,
}

/// One instruction.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub(crate) at: u64,
    pub(crate) length: u8,
    pub(crate) flow: Flow,
    /// The operands of a division.
    pub(crate) divides: Option<Value>,
    /// Whether it loads or stores.
    pub(crate) accesses: bool,
    /// Where, if the instruction set says so easily.
    pub(crate) addresses: Vec<Value>,
    pub(crate) sets: Option<Sets>,
    /// Flags on which it depends whether the instruction does anything.
    pub(crate) predicate: u8,
    pub(crate) text: Box<str>,
}

impl Instruction {
    /// One that does nothing of interest.
    pub(crate) fn plain(at: u64, length: usize, text: impl Into<Box<str>>) -> Self {
        Self {
            at,
            length: length as u8,
            flow: Flow::Next,
            divides: None,
            accesses: false,
            addresses: Vec::new(),
            sets: None,
            predicate: 0,
            text: text.into(),
        }
    }

    pub(crate) fn end(&self) -> u64 {
        self.at + u64::from(self.length)
    }

    pub(crate) fn is_branch(&self) -> bool {
        matches!(self.flow, Flow::Branch(..)) || (self.predicate != 0 && self.is_observable())
    }

    /// Whether doing it or not makes a difference to who watches.
    fn is_observable(&self) -> bool {
        self.accesses || self.divides.is_some() || self.flow != Flow::Next
    }

    /// Whether the tracer has to look at it. Flags apart.
    pub(crate) fn is_site(&self) -> bool {
        self.is_branch()
            || self.accesses
            || self.divides.is_some()
            || matches!(self.flow, Flow::Indirect { .. })
    }
}

/// Removes the settings of flags that no branch can see.
///
/// Flags do not live across calls and returns, so that a function is enough to know.
pub(crate) fn forget_dead_flags(instructions: &mut [Instruction]) {
    let index: std::collections::HashMap<u64, usize> = instructions
        .iter()
        .enumerate()
        .map(|(index, instruction)| (instruction.at, index))
        .collect();
    let mut live = vec![0_u8; instructions.len() + 1];
    loop {
        let mut changed = false;
        for (i, instruction) in instructions.iter().enumerate().rev() {
            let target = |at: &u64| index.get(at).map_or(0, |target| live[*target]);
            let next = match instructions.get(i + 1) {
                Some(next) if next.at == instruction.end() => live[i + 1],
                _ => 0,
            };
            let mut now = match &instruction.flow {
                Flow::Next => next,
                Flow::Branch(_, to) => next | to.as_ref().map_or(0, target),
                Flow::Jump(to) => target(to),
                Flow::Call(_) | Flow::Indirect { .. } | Flow::Leave => 0,
            };
            if let Some(sets) = &instruction.sets {
                let chained = if sets.flags & now == 0 {
                    0
                } else {
                    sets.chained
                };
                if instruction.predicate == 0 {
                    now &= !sets.flags;
                }
                now |= chained;
            }
            if let Flow::Branch(Decision::Flags(flags), _) = instruction.flow {
                now |= flags;
            }
            if instruction.is_branch() || instruction.sets.is_some() {
                now |= instruction.predicate;
            }
            changed |= live[i] != now;
            live[i] = now;
        }
        if !changed {
            break;
        }
    }
    for i in 0..instructions.len() {
        let following = instructions.get(i + 1).map(|next| next.at);
        let out = match &instructions[i].flow {
            Flow::Next if following == Some(instructions[i].end()) => live[i + 1],
            _ => 0,
        };
        if instructions[i]
            .sets
            .as_ref()
            .is_some_and(|sets| sets.flags & out == 0)
        {
            instructions[i].sets = None;
        }
    }
}
