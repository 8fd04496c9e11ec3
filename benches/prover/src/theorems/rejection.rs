//! One step of the rejection loops: FIPS 204, Algorithms 30 (RejNTTPoly) and 31 (RejBoundedPoly).
//!
//! The block is one register of candidates, all of which are inputs. The number of coefficients that are there
//! already is each number from 0 to 256. The candidates are public, as far as they decide about branches and
//! addresses: in Algorithm 31, only which of them are rejected is public.

use anyhow::{Result, ensure};

use super::claim::{Claim, inputs};
use super::selection::Selection;
use crate::machine::{Argument, Call, Executor};
use crate::specification::N;
use crate::specification::sampling::{coeff_from_half_byte, coeff_from_three_bytes};
use crate::terms::{Term, constant, join};

/// For each content of the block and each number of coefficients: those that are there stay, the accepted
/// candidates follow in their order as far as there is room, and the number of all of them is returned.
pub(super) struct Rejection {
    pub(super) symbol: String,
    /// The number of candidates, and their bits.
    pub(super) candidates: u32,
    pub(super) bits: u32,
    /// Whether the upper half of each byte comes first: only in a wrong claim.
    pub(super) upper_first: bool,
    /// The coefficient of a candidate, if it is accepted.
    pub(super) standard: fn(i64) -> Option<i64>,
    /// The most coefficients that are counted: 256, but for a wrong claim.
    pub(super) most: usize,
    /// The numbers of coefficients that are there already.
    pub(super) filled: std::ops::RangeInclusive<usize>,
}

/// Returns the number of candidates in a register of a backend.
fn lanes(backend: &str) -> u32 {
    match backend {
        "avx512" => 16,
        "avx2" => 8,
        "neon" => 4,
        _ => 1,
    }
}

impl Rejection {
    pub(super) fn uniform(backend: &str) -> Self {
        Self {
            symbol: format!("{backend}_reject_uniform"),
            candidates: lanes(backend),
            bits: 24,
            upper_first: false,
            standard: |bytes| coeff_from_three_bytes(bytes & 255, bytes >> 8 & 255, bytes >> 16),
            most: N,
            filled: 0..=N,
        }
    }

    /// Each byte has two candidates, of which the lower half comes first.
    pub(super) fn bounded(backend: &str, eta: i64) -> Self {
        let standard = match eta {
            2 => |b| coeff_from_half_byte(2, b),
            _ => |b| coeff_from_half_byte(4, b),
        };
        Self {
            symbol: format!("{backend}_reject_bounded{eta}"),
            candidates: 2 * lanes(backend),
            bits: 4,
            upper_first: false,
            standard,
            most: N,
            filled: 0..=N,
        }
    }

    /// Returns the block: whole bytes of candidates.
    fn block(&self, candidates: &[Term]) -> Vec<Term> {
        if self.bits == 24 {
            return candidates.to_vec();
        }
        let halves = candidates.as_chunks::<2>().0.iter();
        let byte = |[first, second]: &[Term; 2]| match self.upper_first {
            false => join(&[*first, *second]),
            true => join(&[*second, *first]),
        };
        halves.map(byte).collect()
    }
}

impl Claim for Rejection {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let candidates = inputs("candidate", self.candidates, self.bits);
        let old = inputs("old", N as u32, 32);
        let mut selection = Selection::new(self.bits, self.standard);
        let mut cases = 0;
        for filled in self.filled.clone() {
            let arguments = vec![
                Argument::read_only(self.block(&candidates)),
                Argument::in_place(old.clone()),
                Argument::number(filled as u64),
            ];
            let call = Call::with_result(&self.symbol, arguments);
            cases += executor.each_case(&call, |outcome| {
                let values = outcome.values(&call, 1)?;
                ensure!(
                    values[..filled] == old[..filled],
                    "a coefficient below {filled} is changed"
                );
                let end = N.min(filled + candidates.len());
                let count = outcome.result.slice(0, 32);
                let total = |accepted: usize| constant(32, self.most.min(filled + accepted) as u64);
                selection.check(
                    &candidates,
                    &values[filled..end],
                    (count, &total),
                    &outcome.assumed,
                )
            })?;
        }
        let [tests, values] = selection.checked();
        Ok(format!(
            "{} candidates; {cases} cases; {tests} tests and {values} coefficients, each for all inputs",
            self.candidates
        ))
    }
}
