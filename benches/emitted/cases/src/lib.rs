//! What `benches/emitted` and `benches/trace` have in common: the targets of the probe, its compilation, the
//! functions in it, the choice of what is executed, and the planted leaks.

pub mod cells;
pub mod functions;
pub mod planted;
pub mod probe;
pub mod targets;
