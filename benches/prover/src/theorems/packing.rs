//! Packing and unpacking are Algorithms 16 to 19 of FIPS 204, in every bit.
//!
//! The bits of the standard's algorithms are terms here. BitPack and BitUnpack are about the integers `upper`
//! minus the coefficients.

use anyhow::{Result, ensure};

use super::claim::{Claim, inputs};
use crate::machine::{Argument, Call, Executor};
use crate::specification::{N, packing};
use crate::terms::{Term, constant, join};

/// The widths, and what the coefficients are subtracted from, of all encodings: FIPS 204, sections 7.1 and
/// 7.2, table 1; 24 bits are those of zkDilithium.
const WIDTHS: [(u32, Option<u64>); 8] = [
    (3, Some(2)),
    (4, Some(4)),
    (6, None),
    (10, None),
    (13, Some(1 << 12)),
    (18, Some(1 << 17)),
    (20, Some(1 << 19)),
    (24, None),
];
/// The widths of w₁, whose coefficients are bytes.
const BYTES: [u32; 2] = [4, 6];

/// Returns the bits of terms, the lowest first.
fn bits_of(terms: &[Term]) -> Vec<Vec<Term>> {
    terms.iter().map(|term| term.split(1).collect()).collect()
}

/// Calls a function with a width, `upper` if it has one, the input, and an output of `count` values of
/// `width` bits, which it returns.
fn call(
    executor: &mut Executor<'_>,
    function: String,
    (bits, upper): (u32, Option<u64>),
    input: Vec<Term>,
    (count, width): (u32, u32),
) -> Result<Vec<Term>> {
    let mut arguments = vec![Argument::number(bits.into())];
    arguments.extend(upper.map(Argument::number));
    arguments.push(Argument::read_only(input));
    let output = arguments.len();
    arguments.push(Argument::Output { count, width });
    let call = Call::new(function, arguments);
    executor.call(&call)?.values(&call, output)
}

/// Pack writes each code of the coefficients.
pub(super) struct Pack {
    pub(super) backend: &'static str,
    /// What is added to `upper` in the claim: 0, but for a wrong claim.
    pub(super) offset: u64,
}

impl Pack {
    pub(super) fn new(backend: &'static str) -> Self {
        let offset = 0;
        Self { backend, offset }
    }

    fn check(
        &self,
        executor: &mut Executor<'_>,
        bits: u32,
        upper: Option<u64>,
        width: u32,
    ) -> Result<()> {
        crate::terms::forget();
        let codes: Vec<_> = inputs("code", N as u32, bits);
        let coefficient = |code: &Term| {
            let code = code.zero_extend(width);
            match upper {
                Some(upper) => constant(width, upper + self.offset).minus(code),
                None => code,
            }
        };
        let coefficients = codes.iter().map(coefficient).collect();
        let name = match (upper, width) {
            (Some(_), _) => "bit_pack",
            (None, 8) => "simple_bit_pack_bytes",
            _ => "simple_bit_pack",
        };
        let function = format!("{}_{name}", self.backend);
        let bytes = call(
            executor,
            function,
            (bits, upper),
            coefficients,
            (32 * bits, 8),
        )?;
        let expected = packing::simple_bit_pack(&bits_of(&codes));
        ensure!(bytes.len() == expected.len(), "{} bytes", bytes.len());
        for (at, (byte, expected)) in bytes.iter().zip(expected).enumerate() {
            ensure!(
                *byte == join(&expected),
                "{name} of {bits} bits: byte {at} is {byte}"
            );
        }
        Ok(())
    }
}

impl Claim for Pack {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let mut forms = 0;
        for (bits, upper) in WIDTHS {
            self.check(executor, bits, None, 32)?;
            forms += 1;
            if upper.is_some() {
                self.check(executor, bits, upper, 32)?;
                forms += 1;
            }
        }
        for bits in BYTES {
            self.check(executor, bits, None, 8)?;
            forms += 1;
        }
        Ok(format!("{forms} forms, every bit of every byte"))
    }
}

/// Unpack returns the coefficient of each code.
pub(super) struct Unpack {
    pub(super) backend: &'static str,
    /// What is added to `upper` in the claim: 0, but for a wrong claim.
    pub(super) offset: u64,
}

impl Unpack {
    pub(super) fn new(backend: &'static str) -> Self {
        let offset = 0;
        Self { backend, offset }
    }

    fn check(&self, executor: &mut Executor<'_>, bits: u32, upper: Option<u64>) -> Result<()> {
        crate::terms::forget();
        let bytes = inputs("byte", 32 * bits, 8);
        let name = if upper.is_some() {
            "bit_unpack"
        } else {
            "simple_bit_unpack"
        };
        let function = format!("{}_{name}", self.backend);
        let outputs = call(
            executor,
            function,
            (bits, upper),
            bytes.clone(),
            (N as u32, 32),
        )?;
        let codes = packing::simple_bit_unpack(&bits_of(&bytes), bits as usize);
        ensure!(outputs.len() == codes.len(), "{} outputs", outputs.len());
        for (j, (output, code)) in outputs.iter().zip(codes).enumerate() {
            let code = join(&code).zero_extend(32);
            let expected = match upper {
                Some(upper) => constant(32, upper + self.offset).minus(code),
                None => code,
            };
            ensure!(
                *output == expected,
                "{name} of {bits} bits: coefficient {j} is {output}"
            );
        }
        Ok(())
    }
}

impl Claim for Unpack {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let mut forms = 0;
        for (bits, upper) in WIDTHS {
            self.check(executor, bits, None)?;
            forms += 1;
            if upper.is_some() {
                self.check(executor, bits, upper)?;
                forms += 1;
            }
        }
        Ok(format!("{forms} forms, every bit of every coefficient"))
    }
}
