//! Power2Round, Decompose, UseHint and MakeHint are those of FIPS 204, for every input.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, ensure};

use super::claim::{Claim, inputs};
use super::lanes::{Inputs, check_all, shapes};
use crate::machine::{Argument, Call, Executor};
use crate::specification::{N, Q, rounding};
use crate::terms::{Node, Term, mask};

/// Of each |r| < q and each second input below `seconds`, the two outputs are what `standard` returns.
/// The first is written over r unless the function only reads r; the second one over the bytes or words
/// of the second argument.
pub(super) struct Rounding {
    pub(super) symbol: String,
    /// Whether r becomes an output.
    in_place: bool,
    /// The width of the second argument, and the number of values that it has as an input, or 0.
    width: u32,
    seconds: u64,
    pub(super) standard: Box<dyn Fn(i64, u64) -> [i64; 2] + Send + Sync>,
}

impl Rounding {
    pub(super) fn power2round(backend: &str) -> Self {
        Self {
            symbol: format!("{backend}_power2round"),
            in_place: true,
            width: 32,
            seconds: 0,
            standard: Box::new(|r, _| {
                let (r1, r0) = rounding::power2round(r);
                [r0, r1]
            }),
        }
    }

    pub(super) fn decompose(backend: &str, set: &str, gamma2: i64) -> Self {
        Self {
            symbol: format!("{backend}_decompose{set}"),
            in_place: true,
            width: 8,
            seconds: 0,
            standard: Box::new(move |r, _| {
                let (r1, r0) = rounding::decompose(r, gamma2);
                [r0, r1]
            }),
        }
    }

    pub(super) fn use_hint(backend: &str, set: &str, gamma2: i64) -> Self {
        Self {
            symbol: format!("{backend}_use_hint{set}"),
            in_place: false,
            width: 8,
            seconds: 2,
            standard: Box::new(move |r, h| [0, rounding::use_hint(h == 1, r, gamma2)]),
        }
    }
}

impl Claim for Rounding {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let n = N as u32;
        let r = inputs("r", n, 32);
        let first = match self.in_place {
            true => Argument::in_place(r),
            false => Argument::read_only(r),
        };
        let second = match self.seconds {
            0 => Argument::Output {
                count: n,
                width: self.width,
            },
            _ => Argument::in_place(inputs("h", n, self.width)),
        };
        let call = Call::new(&self.symbol, vec![first, second]);
        let mut outcome = executor.call(&call)?;
        let mut widths = BTreeMap::from([("r", 32)]);
        if self.seconds > 0 {
            widths.insert("h", self.width);
        }
        let low = match self.in_place {
            true => shapes(&outcome.values(&call, 0)?, &widths)?,
            false => Vec::new(),
        };
        let high = shapes(&outcome.values(&call, 1)?, &widths)?;
        let different = [low.len(), high.len()];
        let shapes = [low, high];
        let mut checked = 0;
        for second in 0..self.seconds.max(1) {
            let inputs = Inputs {
                low: 1 - Q,
                high: Q - 1,
                fixed: Some(("h", second)),
            };
            checked += check_all(&shapes, &inputs, |r| (self.standard)(r, second))?;
        }
        Ok(format!(
            "{different:?} different terms, each for all {checked} inputs"
        ))
    }
}

/// The outputs are MakeHint(−ct₀, w − cs₂ + ct₀), and the result is the number of ones.
///
/// For w₁ = HighBits(w), the input is r = w₀ − cs₂ + ct₀, where |w₀ − cs₂| < γ₂ − β and |ct₀| < γ₂. The first
/// bound means that HighBits(w − cs₂) is also w₁. As 2γ₂w₁ + r is w − cs₂ + ct₀ modulo q, the hint is
/// whether HighBits(2γ₂w₁ + r) differs from w₁ = HighBits(2γ₂w₁). All |r| < 2γ₂ and all w₁ are checked.
pub(super) struct MakeHint {
    pub(super) symbol: String,
    pub(super) gamma2: i64,
}

impl MakeHint {
    pub(super) fn new(backend: &str, set: &str, gamma2: i64) -> Self {
        Self {
            symbol: format!("{backend}_make_hint{set}"),
            gamma2,
        }
    }
}

impl Claim for MakeHint {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let (n, gamma2) = (N as u32, self.gamma2);
        let arguments = vec![
            Argument::read_only(inputs("r", n, 32)),
            Argument::in_place(inputs("h", n, 8)),
        ];
        let call = Call::with_result(&self.symbol, arguments);
        let mut outcome = executor.call(&call)?;
        let hints = outcome.values(&call, 1)?;
        let shapes = [shapes(&hints, &BTreeMap::from([("r", 32), ("h", 8)]))?];
        let mut checked = 0;
        for w1 in 0..(Q - 1) / (2 * gamma2) {
            let inputs = Inputs {
                low: 1 - 2 * gamma2,
                high: 2 * gamma2 - 1,
                fixed: Some(("h", w1 as u64)),
            };
            checked += check_all(&shapes, &inputs, |r| {
                let hint = rounding::make_hint(r, 2 * gamma2 * w1, gamma2);
                [hint.into()]
            })?;
        }
        check_count(outcome.result.slice(0, 32), &hints)?;
        Ok(format!(
            "{} different terms, each for all {checked} inputs; and their number",
            shapes[0].len()
        ))
    }
}

/// Checks that a term is the number of ones: the sum of all bits, each as 1 or as −(−1).
fn check_count(count: Term, hints: &[Term]) -> Result<()> {
    let mut missing: BTreeSet<_> = hints.iter().map(|hint| hint.bit(0)).collect();
    ensure!(missing.len() == hints.len(), "some hints are the same term");
    for hint in hints {
        ensure!(
            *hint == hint.bit(0).zero_extend(8),
            "a hint is not one bit: {hint}"
        );
    }
    let node = count.node();
    let Node::Sum { terms, constant: 0 } = &*node else {
        anyhow::bail!("the count is not a sum: {count}");
    };
    for (term, factor) in terms.iter() {
        let bit = match *term.node() {
            Node::SignExtend(bit) if *factor == mask(32) => bit,
            _ if *factor == 1 && *term == term.bit(0).zero_extend(32) => term.bit(0),
            _ => anyhow::bail!("a summand of the count is not a hint: {factor} times {term}"),
        };
        ensure!(
            missing.remove(&bit),
            "a summand of the count is not a hint: {bit}"
        );
    }
    ensure!(
        missing.is_empty(),
        "{} hints are not counted",
        missing.len()
    );
    Ok(())
}
