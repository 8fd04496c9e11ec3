//! Instructions, reduced to the properties through which a secret can become observable.

/// The flags that conditional branches test.
pub(crate) mod flag {
    pub(crate) const ZERO: u8 = 1;
    pub(crate) const NEGATIVE: u8 = 2;
    pub(crate) const CARRY: u8 = 4;
    pub(crate) const OVERFLOW: u8 = 8;
    pub(crate) const PARITY: u8 = 16;
    /// The flags that depend only on the result.
    pub(crate) const OF_RESULT: u8 = ZERO | NEGATIVE | PARITY;
    /// The number of flags.
    pub(crate) const COUNT: usize = 5;
}

/// The number of a general register in the instruction set.
pub(crate) type Register = u8;

/// A number that an instruction uses.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Constant(u64),
    Register(Register),
    /// The given number of bytes in memory at an address.
    Memory(Box<Value>, u8),
    /// The given number of low bits of a value.
    Low(u8, Box<Value>),
    Add(Box<Value>, Box<Value>),
    Subtract(Box<Value>, Box<Value>),
    And(Box<Value>, Box<Value>),
    Xor(Box<Value>, Box<Value>),
    ShiftLeft(Box<Value>, Box<Value>),
    ShiftRight(Box<Value>, Box<Value>),
    /// A hash of several values.
    All(Vec<Value>),
    /// The flags of the machine.
    Flags,
    /// The value if a condition of AArch64 holds, and otherwise a constant, because the instruction then
    /// ignores the value.
    If(Condition, Box<Value>),
    /// An unknown value, which differs at each evaluation.
    Unknown,
}

/// A condition of AArch64: a comparison of flags, and whether it is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    /// The three bits that choose the comparison.
    pub(crate) comparison: u8,
    pub(crate) opposite: bool,
}

impl Condition {
    /// Returns whether the condition holds for the flags N, Z, C and V in bits 31 to 28.
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

/// Access to registers and memory.
pub(crate) trait Cpu {
    fn register(&mut self, register: Register) -> u64;
    fn memory(&mut self, at: u64, bytes: usize) -> u64;
    fn flags(&mut self) -> u64;
    /// Returns argument `number` of the function whose first instruction comes next.
    fn argument(&mut self, number: usize) -> u64;
    fn read(&mut self, at: u64, bytes: &mut [u8]);
    fn write(&mut self, at: u64, bytes: &[u8]);
}

impl Value {
    pub(crate) fn boxed(self) -> Box<Self> {
        Box::new(self)
    }

    /// Whether a test holds for this value or for one that it is made from.
    fn any(&self, test: fn(&Self) -> bool) -> bool {
        let parts = match self {
            Self::Constant(_) | Self::Register(_) | Self::Flags | Self::Unknown => false,
            Self::Memory(value, _) | Self::Low(_, value) | Self::If(_, value) => value.any(test),
            Self::Add(a, b)
            | Self::Subtract(a, b)
            | Self::And(a, b)
            | Self::Xor(a, b)
            | Self::ShiftLeft(a, b)
            | Self::ShiftRight(a, b) => a.any(test) || b.any(test),
            Self::All(values) => values.iter().any(|value| value.any(test)),
        };
        parts || test(self)
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

/// Extends a hash by a number.
pub(crate) fn mix(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The control flow after an instruction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Flow {
    Next,
    /// A conditional branch, and its target if the instruction contains it.
    Branch(Decision, Option<u64>),
    Jump(u64),
    Call(Option<u64>),
    /// A jump or a call to an address in a value.
    Indirect {
        to: Value,
        call: bool,
    },
    /// A return, or the end of the program.
    Leave,
}

/// The condition of a branch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Decision {
    /// A mask of flags.
    Flags(u8),
    Value(Value),
}

/// The flags that an instruction sets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sets {
    /// A mask of flags.
    pub(crate) flags: u8,
    /// The value on which [`flag::OF_RESULT`] depend.
    pub(crate) result: Value,
    /// Whether `result` and `rest` exist only after the instruction.
    pub(crate) after: bool,
    /// The value on which the other flags depend.
    pub(crate) rest: Value,
    /// The flags that are inputs of the instruction.
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
    /// Whether the instruction loads or stores.
    pub(crate) accesses: bool,
    /// The addresses of loads and stores, if they can be decoded from the text.
    pub(crate) addresses: Vec<Value>,
    pub(crate) sets: Option<Sets>,
    /// The flags that decide whether the instruction is executed.
    pub(crate) predicate: u8,
    pub(crate) text: Box<str>,
}

impl Instruction {
    /// Returns an instruction without observable effects.
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

    /// Whether an observer can notice that the instruction is executed.
    fn is_observable(&self) -> bool {
        self.accesses || self.divides.is_some() || self.flow != Flow::Next
    }

    /// Whether a test holds for a part of a value that the instruction reveals.
    pub(crate) fn any_value(&self, test: fn(&Value) -> bool) -> bool {
        let sets = self.sets.iter().flat_map(|sets| [&sets.result, &sets.rest]);
        let of_flow = match &self.flow {
            Flow::Branch(Decision::Value(value), _) | Flow::Indirect { to: value, .. } => {
                Some(value)
            }
            _ => None,
        };
        let values = self.addresses.iter().chain(&self.divides);
        values
            .chain(sets)
            .chain(of_flow)
            .any(|value| value.any(test))
    }

    /// Whether the tracer must record the instruction for reasons other than its flags.
    pub(crate) fn is_site(&self) -> bool {
        self.is_branch()
            || self.accesses
            || self.divides.is_some()
            || matches!(self.flow, Flow::Indirect { .. })
    }
}

/// Removes the settings of flags that no branch tests.
///
/// Flags do not live across calls and returns, so the code of the function suffices.
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
