//! NormAtLeast compares the infinity norm with each bound.
//!
//! The kernel computes sign bits, combines them by "or" and spreads the result over a word. By their normal
//! form, the combined bits are the signs of `bound − 1 − wⱼ` and `bound − 1 + wⱼ` modulo 2³², for every j and
//! nothing else. With 1 ≤ bound ≤ 2³⁰ and |wⱼ| ≤ 2³⁰, both integers fit 32 bits. So the bits are set where
//! wⱼ ≥ bound, and where −wⱼ ≥ bound: one of them is set if and only if max |wⱼ| ≥ bound.

use std::collections::BTreeSet;

use anyhow::{Result, bail, ensure};

use super::claim::{Claim, inputs};
use crate::machine::{Argument, Call, Executor};
use crate::specification::N;
use crate::terms::{Node, Term, signed, sum, variable};

/// For all bounds from 1 to 2³⁰ and all |wⱼ| ≤ 2³⁰, the result is all ones if max |wⱼ| ≥ bound, else zero.
pub(super) struct NormAtLeast {
    pub(super) symbol: String,
    /// How much less than the bound a coefficient may be at most: 1, because the bound itself is too large.
    pub(super) less: u64,
}

impl NormAtLeast {
    pub(super) fn new(backend: &str) -> Self {
        Self {
            symbol: format!("{backend}_norm_at_least"),
            less: 1,
        }
    }
}

impl Claim for NormAtLeast {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let w = inputs("w", N as u32, 32);
        let bound = variable(32, "bound", 0);
        let arguments = vec![
            Argument::read_only(w.clone()),
            Argument::Value(bound.zero_extend(64)),
        ];
        let outcome = executor.call(&Call::with_result(&self.symbol, arguments))?;
        let result = outcome.result.slice(0, 32);
        let Node::SignExtend(any) = *result.node() else {
            bail!("the result is not all ones or zero: {result}");
        };
        ensure!(
            any.width() == 1,
            "the result is not all ones or zero: {result}"
        );
        let mut bits = BTreeSet::new();
        disjuncts(any, &mut bits)?;
        for w in w {
            for sign in [1, u64::MAX] {
                let terms = [(bound, 1), (w, sign)];
                let expected = sum(32, terms, self.less.wrapping_neg()).sign();
                ensure!(bits.remove(&expected), "{w} is not compared with the bound");
            }
        }
        ensure!(bits.is_empty(), "{} other bits are compared", bits.len());
        Ok("for all bounds up to 2³⁰ and all |w| ≤ 2³⁰".to_owned())
    }
}

/// Collects bits of which the "or" is this bit.
fn disjuncts(bit: Term, out: &mut BTreeSet<Term>) -> Result<()> {
    let mut todo = vec![bit];
    let mut seen = BTreeSet::new();
    while let Some(bit) = todo.pop() {
        if !seen.insert(bit) {
            continue;
        }
        match &*bit.node() {
            Node::Or(a, b) => todo.extend([*a, *b]),
            Node::Slice { of, low } => match &*of.node() {
                // The bit of an "or" is the "or" of the bits.
                Node::Or(a, b) => todo.extend([a.bit(*low), b.bit(*low)]),
                Node::Sum { terms, constant: 0 } if *low == of.width() - 1 => {
                    match copies_of_signs(of.width(), terms) {
                        Some(bits) => todo.extend(bits),
                        None => _ = out.insert(bit),
                    }
                }
                _ => _ = out.insert(bit),
            },
            _ => _ = out.insert(bit),
        }
    }
    Ok(())
}

/// Returns the bits whose copies are added. The sum of n integers that are −1 or 0 is negative if and only if
/// one of them is −1, for n up to 2^(width − 1).
fn copies_of_signs(width: u32, terms: &[(Term, u64)]) -> Option<Vec<Term>> {
    let mut all: i64 = 0;
    let mut bits = Vec::new();
    for (term, factor) in terms {
        let factor = signed(*factor, width);
        match *term.node() {
            Node::SignExtend(bit) if bit.width() == 1 && factor > 0 => {
                all = all.checked_add(factor)?;
                bits.push(bit);
            }
            _ => return None,
        }
    }
    (all <= 1 << (width - 1)).then_some(bits)
}
