//! The processor of an instruction set: the interface between its model and the execution of functions.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};

use crate::image::Image;
use crate::memory::{Memory, STACK};
use crate::terms::{Term, constant};

/// The address to which the function returns.
pub(crate) const END: u64 = 0xdead_0000;

/// What an execution touched.
#[derive(Clone, Default)]
pub(crate) struct Trace {
    pub(crate) steps: u64,
    /// The addresses of the instructions.
    pub(crate) code: BTreeSet<u64>,
    /// The addresses of the constants.
    pub(crate) constants: BTreeSet<u64>,
    /// The instructions by name, and how many of each were executed.
    pub(crate) names: BTreeMap<String, u64>,
    /// The functions of the program that were executed in place of those of the probe.
    pub(crate) replaced: BTreeSet<u64>,
    /// The most copies that the program has of one of them.
    pub(crate) copies: usize,
}

impl Trace {
    pub(crate) fn add(&mut self, other: &Self) {
        self.steps += other.steps;
        self.code.extend(&other.code);
        self.constants.extend(&other.constants);
        self.replaced.extend(&other.replaced);
        self.copies = self.copies.max(other.copies);
        for (name, count) in &other.names {
            *self.names.entry(name.clone()).or_default() += count;
        }
    }
}

/// The processor of an instruction set.
pub(crate) trait Processor<'a>: Sized {
    /// Returns the processor at the start of a function, whose arguments are in registers.
    fn start(image: &'a Image, memory: Memory<'a>, arguments: &[Term]) -> Result<Self>;
    /// Executes the instruction at an address and returns the next address.
    fn step(&mut self, at: u64, trace: &mut Trace) -> Result<u64>;
    /// Treats a function of the C library as if it had been called, and returns the next address.
    fn external(&mut self, name: &str) -> Result<u64>;
    /// Checks what a function must leave as it was, and returns the result with the memory.
    fn finish(self) -> Result<(Memory<'a>, Term)>;
    /// Returns the text of the instruction at an address.
    fn text(image: &Image, at: u64) -> String;
    /// Returns the length of the instruction at an address.
    fn length(image: &Image, at: u64) -> Result<u64>;
}

/// The functions of the C library that compilers call, for both instruction sets.
pub(crate) fn c_library(name: &str, memory: &mut Memory<'_>, arguments: [Term; 3]) -> Result<()> {
    let known = |term: Term| {
        term.value()
            .context("an argument of it depends on an input")
    };
    let (to, count) = (known(arguments[0])?, known(arguments[2])?);
    match name {
        "memset" => {
            let byte = arguments[1].slice(0, 8);
            (0..count).try_for_each(|i| memory.store(to + i, byte))
        }
        "memcpy" | "memmove" => {
            let from = known(arguments[1])?;
            let bytes: Result<Vec<_>> = (0..count).map(|i| memory.load(from + i, 8)).collect();
            let mut bytes = (to..).zip(bytes?);
            bytes.try_for_each(|(at, byte)| memory.store(at, byte))
        }
        _ => anyhow::bail!("there is no model of the function {name}"),
    }
}

/// The initial stack pointer, of which a called function restores the value.
pub(crate) fn stack() -> Term {
    constant(64, STACK)
}
