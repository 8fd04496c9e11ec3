//! The interface of processors that run functions of the probe.

use anyhow::Result;

/// A concrete argument.
pub(crate) enum Concrete {
    Value(u64),
    /// A pointer to these bytes, which the function may change.
    Memory(Vec<u8>),
}

/// A processor that runs functions of the probe.
pub(crate) trait Cpu {
    /// Whether it has the instructions of a backend.
    fn has(&self, backend: &str) -> bool;
    /// Runs a function and returns its result.
    fn run(&mut self, symbol: &str, arguments: &mut [Concrete]) -> Result<u64>;
}
