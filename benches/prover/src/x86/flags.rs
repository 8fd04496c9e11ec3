//! The conditions of x86-64.

use anyhow::{Result, bail};
use iced_x86::ConditionCode;

use crate::flags::Flags;
use crate::terms::Term;

/// Returns whether a condition holds.
pub(super) fn condition(flags: Flags, code: ConditionCode) -> Result<Term> {
    use ConditionCode as C;
    Ok(match code {
        C::b => flags.carry()?,
        C::ae => flags.carry()?.not(),
        C::e => flags.zero()?,
        C::ne => flags.zero()?.not(),
        C::be => flags.carry()?.or(flags.zero()?),
        C::a => flags.carry()?.or(flags.zero()?).not(),
        C::s => flags.sign()?,
        C::ns => flags.sign()?.not(),
        C::l => flags.less()?,
        C::ge => flags.less()?.not(),
        C::le => flags.less()?.or(flags.zero()?),
        C::g => flags.less()?.or(flags.zero()?).not(),
        _ => bail!("there is no model of this condition"),
    })
}
