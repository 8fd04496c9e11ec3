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
    /// Runs the function at an address of the image and returns its result.
    fn run(&mut self, function: u64, arguments: &mut [Concrete]) -> Result<u64>;
}
