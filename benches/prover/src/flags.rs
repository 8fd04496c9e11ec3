//! Flags, which are computed only where an instruction reads them.

use anyhow::{Result, bail};

use crate::terms::{Term, constant};

/// The instruction that set the flags, by what it computed.
#[derive(Clone, Copy)]
pub(crate) enum Flags {
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
    /// Returns whether a sum carries, or a difference borrows.
    pub(crate) fn carry(self) -> Result<Term> {
        Ok(match self {
            Self::Difference(a, b) => a.below(b),
            // A sum that wraps is less than each summand.
            Self::Sum(a, b) => a.plus(b).below(a),
            Self::Bitwise(_) => constant(1, 0),
            Self::Other(_, Some(carry)) => carry,
            _ => bail!("the model does not have the carry flag here"),
        })
    }

    fn result(self) -> Result<Term> {
        Ok(match self {
            Self::Difference(a, b) => a.minus(b),
            Self::Sum(a, b) => a.plus(b),
            Self::Bitwise(result) | Self::Other(result, _) => result,
            Self::Unknown => bail!("the model does not have the flags here"),
        })
    }

    pub(crate) fn zero(self) -> Result<Term> {
        match self {
            Self::Difference(a, b) => Ok(a.equals(b)),
            _ => {
                let result = self.result()?;
                Ok(result.equals(constant(result.width(), 0)))
            }
        }
    }

    pub(crate) fn sign(self) -> Result<Term> {
        Ok(self.result()?.sign())
    }

    /// Returns whether the flags of sign and overflow differ.
    pub(crate) fn less(self) -> Result<Term> {
        Ok(match self {
            Self::Difference(a, b) => a.less(b),
            Self::Bitwise(result) => result.sign(),
            _ => bail!("the model does not have the overflow flag here"),
        })
    }
}
