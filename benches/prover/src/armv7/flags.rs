//! The flags of ARMv7-M, of which an instruction can change some and leave the others.

use anyhow::{Result, bail};

use crate::flags::Flags as Operation;
use crate::terms::Term;

/// The operations that set the flags last.
#[derive(Clone, Copy)]
pub(super) struct Flags {
    /// Of N and Z.
    result: Operation,
    /// Of C.
    carry: Operation,
    /// Of N and V together.
    order: Operation,
}

impl Flags {
    pub(super) const UNKNOWN: Self = Self {
        result: Operation::Unknown,
        carry: Operation::Unknown,
        order: Operation::Unknown,
    };

    /// Returns the flags after a sum or a difference.
    pub(super) fn of(operation: Operation) -> Self {
        Self {
            result: operation,
            carry: operation,
            order: operation,
        }
    }

    /// Returns the flags after the upper word of a sum or a difference of 64 bits. N, C and V are those of the
    /// 64 bits, and Z is that of the word.
    pub(super) fn of_upper(operation: Operation, word: Term) -> Self {
        Self {
            result: Operation::Other(word, None),
            ..Self::of(operation)
        }
    }

    /// Returns the flags after an operation that sets N and Z by its result. It leaves C or sets it to a carry
    /// that the model may not know; it leaves V.
    pub(super) fn with_result(self, result: Term, carry: Carry) -> Self {
        Self {
            result: Operation::Other(result, None),
            carry: match carry {
                Carry::Kept => self.carry,
                Carry::Unknown => Operation::Unknown,
                Carry::Bit(bit) => Operation::Other(result, Some(bit)),
            },
            order: Operation::Unknown,
        }
    }

    /// Returns the operation of the carry flag.
    pub(super) fn operation(self) -> Operation {
        self.carry
    }

    /// Returns the carry flag, which a difference sets if it does not borrow.
    pub(super) fn carry(self) -> Result<Term> {
        match self.carry {
            Operation::Difference(..) => Ok(self.carry.carry()?.not()),
            _ => self.carry.carry(),
        }
    }

    /// Returns whether a condition holds. The lowest bit of its number complements it.
    pub(super) fn condition(self, number: u8) -> Result<Term> {
        let holds = match number >> 1 {
            0 => self.result.zero()?,
            1 => self.carry()?,
            2 => self.result.sign()?,
            4 => self.carry()?.and(self.result.zero()?.not()),
            5 => self.order.less()?.not(),
            6 => self.order.less()?.or(self.result.zero()?).not(),
            _ => bail!("there is no model of this condition"),
        };
        Ok(if number & 1 == 0 { holds } else { holds.not() })
    }
}

/// What an operation on bits or a shift does to the carry flag.
#[derive(Clone, Copy)]
pub(super) enum Carry {
    Kept,
    Unknown,
    Bit(Term),
}
