//! The places of registers in a state, whose first ones are r0 to r12.

pub(crate) const SP: usize = 13;
pub(crate) const LR: usize = 14;
pub(crate) const PC: usize = 15;
pub(crate) const FLAGS: usize = 16;
