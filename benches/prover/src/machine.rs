//! The execution of a function with symbolic arguments, for every instruction set.
//!
//! The control flow and all addresses must be concrete: a branch or an address that depends on an input is
//! an error, and so is every instruction that the model does not know. If a theorem says that the inputs are
//! public, each case is executed: see [`crate::cases`].

#[cfg(test)]
pub(crate) mod trial;

use anyhow::{Context, Result, ensure};

use crate::aarch64::Aarch64;
use crate::armv7::Armv7;
use crate::cases::Cases;
use crate::image::{Architecture, Image};
use crate::memory::Memory;
use crate::processor::{END, Processor, Trace};
use crate::random::Random;
use crate::terms::{self, Term, constant};
use crate::x86::X86;

/// A call of a function.
pub(crate) struct Call {
    pub(crate) symbol: String,
    pub(crate) arguments: Vec<Argument>,
    /// The width of the integer that it returns, or 0.
    pub(crate) result: u32,
}

impl Call {
    /// Returns a call of a function that returns nothing.
    pub(crate) fn new(symbol: impl Into<String>, arguments: Vec<Argument>) -> Self {
        let symbol = symbol.into();
        let result = 0;
        Self {
            symbol,
            arguments,
            result,
        }
    }

    /// Returns a call of a function that returns an integer of 32 bits.
    pub(crate) fn with_result(symbol: impl Into<String>, arguments: Vec<Argument>) -> Self {
        let result = 32;
        Self {
            result,
            ..Self::new(symbol, arguments)
        }
    }
}

/// An argument of a function.
pub(crate) enum Argument {
    /// An integer of 64 bits, of which processors of 32 bits take the lower half.
    Value(Term),
    /// A pointer to memory that has this content.
    Input { content: Vec<Term>, writable: bool },
    /// A pointer to memory for values of some width, without content.
    Output { count: u32, width: u32 },
}

impl Argument {
    pub(crate) fn number(value: u64) -> Self {
        Self::Value(constant(64, value))
    }

    pub(crate) fn read_only(content: Vec<Term>) -> Self {
        let writable = false;
        Self::Input { content, writable }
    }

    pub(crate) fn in_place(content: Vec<Term>) -> Self {
        let writable = true;
        Self::Input { content, writable }
    }

    /// Returns the size in memory.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Value(_) => 0,
            Self::Input { content, .. } => {
                content.iter().map(|term| u64::from(term.width() / 8)).sum()
            }
            Self::Output { count, width } => u64::from(count * width / 8),
        }
    }
}

/// What a proof may cost at most.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) steps: u64,
    pub(crate) terms: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 3_000_000,
            terms: 20_000_000,
        }
    }
}

/// The state after a call.
pub(crate) struct Outcome<'a> {
    memory: Memory<'a>,
    /// The register with the result.
    pub(crate) result: Term,
    /// The values of terms that this outcome is for; of all inputs if there are none.
    pub(crate) assumed: Vec<(Term, u64)>,
}

impl Outcome<'_> {
    /// Returns the values in the memory of an argument.
    pub(crate) fn values(&mut self, call: &Call, argument: usize) -> Result<Vec<Term>> {
        let widths = match &call.arguments[argument] {
            Argument::Value(_) => Vec::new(),
            Argument::Input { content, .. } => content.iter().map(|term| term.width()).collect(),
            Argument::Output { count, width } => vec![*width; *count as usize],
        };
        let mut at = address(self.memory.architecture(), argument);
        let mut load = |width: u32| {
            let value = self.memory.load(at, width);
            at += u64::from(width / 8);
            value
        };
        widths.into_iter().map(&mut load).collect()
    }
}

/// Returns the address of an argument in memory: a multiple of 64 below 2⁴⁶, or from 2³⁰ to 2³¹ for processors of
/// 32 bits. It has arbitrary bits, so that code that does anything to addresses but add offsets leaves the
/// argument.
pub(crate) fn address(architecture: Architecture, argument: usize) -> u64 {
    let bits = Random::new(argument as u64).next();
    match architecture {
        Architecture::X86_64 | Architecture::Aarch64 => bits >> 18 & !63,
        Architecture::Armv7m => 1 << 30 | bits >> 34 & !63,
    }
}

/// Something that looks at each call and its outcome.
pub(crate) trait Observer {
    fn called(&mut self, call: &Call, outcome: &mut Outcome<'_>) -> Result<()>;
}

/// Executes calls and remembers what they touched.
pub(crate) struct Executor<'a> {
    pub(crate) image: &'a Image,
    pub(crate) limits: Limits,
    pub(crate) trace: Trace,
    pub(crate) observer: Option<&'a mut dyn Observer>,
    /// The case to be executed, if the inputs are public.
    cases: Option<Cases>,
    /// Which copy of a function of the program is executed, if there are several.
    pub(crate) copy: usize,
}

impl<'a> Executor<'a> {
    pub(crate) fn new(image: &'a Image, limits: Limits) -> Self {
        let trace = Trace::default();
        Self {
            image,
            limits,
            trace,
            observer: None,
            cases: None,
            copy: 0,
        }
    }

    /// Calls a function whose inputs are public, and calls `check` with the outcome of each case. Returns the
    /// number of cases.
    pub(crate) fn each_case(
        &mut self,
        call: &Call,
        mut check: impl FnMut(&mut Outcome<'a>) -> Result<()>,
    ) -> Result<u64> {
        let mut cases = Cases::default();
        let mut count = 0;
        loop {
            self.cases = Some(cases);
            let outcome = self.call(call);
            cases = self.cases.take().unwrap_or_default();
            check(&mut outcome?)?;
            count += 1;
            if !cases.next() {
                return Ok(count);
            }
        }
    }

    pub(crate) fn call(&mut self, call: &Call) -> Result<Outcome<'a>> {
        let mut outcome = match self.image.architecture {
            Architecture::X86_64 => self.run::<X86<'a>>(call),
            Architecture::Aarch64 => self.run::<Aarch64<'a>>(call),
            Architecture::Armv7m => self.run::<Armv7<'a>>(call),
        }?;
        if let Some(observer) = &mut self.observer {
            observer.called(call, &mut outcome)?;
        }
        Ok(outcome)
    }

    fn run<P: Processor<'a>>(&mut self, call: &Call) -> Result<Outcome<'a>> {
        let mut memory = Memory::new(self.image);
        memory.cases = self.cases.take();
        let mut registers = Vec::new();
        for (number, argument) in call.arguments.iter().enumerate() {
            let at = address(self.image.architecture, number);
            registers.push(match argument {
                Argument::Value(term) => *term,
                _ => constant(64, at),
            });
            match argument {
                Argument::Value(_) => {}
                Argument::Input { content, writable } => {
                    memory.allow(at..at + argument.bytes(), *writable);
                    let mut at = at;
                    for term in content {
                        memory.set(at, *term);
                        at += u64::from(term.width() / 8);
                    }
                }
                Argument::Output { .. } => memory.allow(at..at + argument.bytes(), true),
            }
        }
        let mut at = self.image.symbol(&call.symbol)?;
        let mut processor = P::start(self.image, memory, &registers)?;
        while at != END {
            let copies = self.image.replacements(at);
            if let Some(copy) = copies.get(self.copy).or(copies.last()) {
                at = *copy;
                self.trace.replaced.insert(at);
                self.trace.copies = self.trace.copies.max(copies.len());
            }
            at = if let Some(name) = self.image.external(at) {
                processor.external(name)?
            } else {
                self.trace.code.insert(at);
                let context = || format!("at {at:#x}, {}", P::text(self.image, at));
                processor.step(at, &mut self.trace).with_context(context)?
            };
            self.trace.steps += 1;
            ensure!(
                self.trace.steps < self.limits.steps,
                "it takes too many steps"
            );
            ensure!(
                terms::count() < self.limits.terms,
                "it takes too many terms"
            );
        }
        let (mut memory, result) = processor.finish()?;
        self.trace.constants.extend(&memory.constants);
        self.cases = memory.cases.take();
        let assumed = self.cases.as_ref().map(Cases::assumed);
        Ok(Outcome {
            memory,
            result,
            assumed: assumed.unwrap_or_default(),
        })
    }

    /// Returns the text of the instruction at an address.
    pub(crate) fn text(image: &Image, at: u64) -> String {
        match image.architecture {
            Architecture::X86_64 => X86::text(image, at),
            Architecture::Aarch64 => Aarch64::text(image, at),
            Architecture::Armv7m => Armv7::text(image, at),
        }
    }

    /// Returns the length of the instruction at an address.
    pub(crate) fn length(image: &Image, at: u64) -> Result<u64> {
        match image.architecture {
            Architecture::X86_64 => X86::length(image, at),
            Architecture::Aarch64 => Aarch64::length(image, at),
            Architecture::Armv7m => Armv7::length(image, at),
        }
    }
}
