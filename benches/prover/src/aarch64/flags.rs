//! The conditions of AArch64.

use anyhow::{Result, bail};

use crate::flags::Flags;
use crate::terms::Term;

/// Returns the carry flag, which a difference sets if it does not borrow.
fn carry(flags: Flags) -> Result<Term> {
    match flags {
        Flags::Difference(..) => Ok(flags.carry()?.not()),
        _ => flags.carry(),
    }
}

/// Returns whether a condition holds. The lowest bit of its number complements it.
pub(super) fn condition(flags: Flags, number: u8) -> Result<Term> {
    let holds = match number >> 1 {
        0 => flags.zero()?,
        1 => carry(flags)?,
        2 => flags.sign()?,
        4 => carry(flags)?.and(flags.zero()?.not()),
        5 => flags.less()?.not(),
        6 => flags.less()?.or(flags.zero()?).not(),
        _ => bail!("there is no model of this condition"),
    };
    Ok(if number & 1 == 0 { holds } else { holds.not() })
}
