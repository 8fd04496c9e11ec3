//! Flags, which are computed only where an instruction reads them.

use anyhow::{Result, bail};

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
}

impl Flags {
    fn result(&self) -> Result<Term> {
        Ok(match *self {
            Self::Difference(a, b) => a.minus(b),
            Self::Sum(a, b) => a.plus(b),
            Self::Bitwise(result) => result,
            Self::Unknown => bail!("the model does not have the flags here"),
        })
    }

    fn zero(&self) -> Result<Term> {
        match *self {
            Self::Difference(a, b) => Ok(a.equals(b)),
            _ => {
                let result = self.result()?;
                Ok(result.equals(constant(result.width(), 0)))
            }
        }
    }

    /// Returns the carry, which a difference sets if it does not borrow.
    fn carry(&self) -> Result<Term> {
        Ok(match *self {
            Self::Difference(a, b) => a.below(b).not(),
            // A sum that wraps is less than each summand.
            Self::Sum(a, b) => a.plus(b).below(a),
            Self::Bitwise(_) => constant(1, 0),
            Self::Unknown => bail!("the model does not have the carry flag here"),
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

    /// Returns a condition. The lowest bit of its number complements it.
    pub(super) fn condition(&self, number: u8) -> Result<Term> {
        let holds = match number >> 1 {
            0 => self.zero()?,
            1 => self.carry()?,
            2 => self.result()?.sign(),
            4 => self.carry()?.and(self.zero()?.not()),
            5 => self.less()?.not(),
            6 => self.less()?.or(self.zero()?).not(),
            _ => bail!("there is no model of this condition"),
        };
        Ok(if number & 1 == 0 { holds } else { holds.not() })
    }
}
