//! Flags, which are computed only where an instruction reads them.

use anyhow::{Result, bail};
use iced_x86::ConditionCode;

use crate::terms::{Term, constant};

/// The instruction that set the flags, by what it computed.
#[derive(Clone, Copy)]
pub(super) enum Flags {
    /// Nothing that the model keeps.
    Unknown,
    /// a − b.
    Difference(Term, Term),
    /// a + b.
    Sum(Term, Term),
    /// A bitwise operation with this result: neither carry nor overflow.
    Bitwise(Term),
    /// Another operation with this result, and a carry if the model has it; no overflow flag.
    Other(Term, Option<Term>),
}

impl Flags {
    pub(super) fn carry(&self) -> Result<Term> {
        Ok(match *self {
            Self::Difference(a, b) => a.below(b),
            // A sum that wraps is less than each summand.
            Self::Sum(a, b) => a.plus(b).below(a),
            Self::Bitwise(_) => constant(1, 0),
            Self::Other(_, Some(carry)) => carry,
            _ => bail!("the model does not have the carry flag here"),
        })
    }

    fn zero(&self) -> Result<Term> {
        Ok(match *self {
            Self::Difference(a, b) => a.equals(b),
            Self::Sum(a, b) => a.plus(b).equals(constant(a.width(), 0)),
            Self::Bitwise(result) | Self::Other(result, _) => {
                result.equals(constant(result.width(), 0))
            }
            Self::Unknown => bail!("the model does not have the zero flag here"),
        })
    }

    fn sign(&self) -> Result<Term> {
        Ok(match *self {
            Self::Difference(a, b) => a.minus(b).sign(),
            Self::Sum(a, b) => a.plus(b).sign(),
            Self::Bitwise(result) | Self::Other(result, _) => result.sign(),
            Self::Unknown => bail!("the model does not have the sign flag here"),
        })
    }

    /// Returns whether the flags of sign and overflow differ.
    fn less(&self) -> Result<Term> {
        Ok(match *self {
            Self::Difference(a, b) => a.less(b),
            Self::Bitwise(result) => result.sign(),
            _ => bail!("the model does not have the overflow flag here"),
        })
    }

    pub(super) fn condition(&self, code: ConditionCode) -> Result<Term> {
        use ConditionCode as C;
        Ok(match code {
            C::b => self.carry()?,
            C::ae => self.carry()?.not(),
            C::e => self.zero()?,
            C::ne => self.zero()?.not(),
            C::be => self.carry()?.or(self.zero()?),
            C::a => self.carry()?.or(self.zero()?).not(),
            C::s => self.sign()?,
            C::ns => self.sign()?.not(),
            C::l => self.less()?,
            C::ge => self.less()?.not(),
            C::le => self.less()?.or(self.zero()?),
            C::g => self.less()?.or(self.zero()?).not(),
            _ => bail!("there is no model of this condition"),
        })
    }
}
