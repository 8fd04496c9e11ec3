//! One step of RejNTTPoly (FIPS 204, Algorithm 30) that multiplies and adds each accepted coefficient at once.
//!
//! The candidates are public. In each case of which of them are accepted, the outputs are compared with the
//! standard for all candidates of this case.

use anyhow::{Context, Result, bail, ensure};
use rustc_hash::FxHashMap;

use super::claim::{Claim, inputs};
use super::lanes::{Inputs, check_all};
use super::transforms::{in_q, streams};
use crate::machine::{Argument, Call, Executor, Outcome};
use crate::numbers::{Form, Monomial, Numbers};
use crate::specification::sampling::coeff_from_three_bytes;
use crate::specification::{N, Q};
use crate::terms::{Name, Term, constant, replace, variable};

/// The number of candidates.
const CANDIDATES: u32 = 8;

/// For all eight candidates, all |yⱼ| ≤ 9q and all w, and some numbers of coefficients: wⱼ becomes
/// wⱼ + aⱼyⱼ · 2⁻³² modulo q for the accepted candidates aⱼ in their order, as far as there is room, and changes by
/// at most `added`; all other coefficients stay. The new number is returned.
pub(super) struct AddAccepted {
    pub(super) symbol: String,
    /// The numbers of coefficients that are there already: those near the end, where there is no room for all
    /// candidates, and some others, which only move the addresses.
    pub(super) filled: Vec<usize>,
    pub(super) added: i128,
    /// The first number that is no coefficient: q, but for a wrong claim.
    pub(super) end: i64,
    /// How much further the coefficients of y are than those of w: 0, but for a wrong claim.
    pub(super) shift: usize,
    /// The number of coefficients for which there is room: N, but for a wrong claim.
    pub(super) room: usize,
}

impl AddAccepted {
    /// The bounds of `stream::matrix`.
    pub(super) fn new(backend: &str) -> Self {
        Self {
            symbol: streams(backend, "add_accepted"),
            filled: (0..=N).filter(|n| n % 16 == 0 || N - n <= 8).collect(),
            added: 52 * i128::from(Q) / 100,
            end: Q,
            shift: 0,
            room: N,
        }
    }

    /// Returns the coefficient of a candidate, if it is accepted.
    fn coefficient(candidate: Term) -> Term {
        candidate.slice(0, 23).zero_extend(32)
    }

    /// Returns whether a candidate is accepted.
    fn test(&self, candidate: Term) -> Term {
        let end = constant(32, self.end as u64);
        Self::coefficient(candidate).below(end)
    }

    /// Checks the two terms above for all candidates.
    fn check_terms(&self) -> Result<()> {
        let candidate = variable(24, "candidate", 0);
        let test = self.test(candidate).zero_extend(32);
        let shapes = [vec![test], vec![Self::coefficient(candidate)]];
        let all = Inputs {
            low: 0,
            high: (1 << 24) - 1,
            fixed: None,
        };
        check_all(&shapes, &all, |bytes| {
            let found = coeff_from_three_bytes(bytes & 255, bytes >> 8 & 255, bytes >> 16);
            // Nothing is claimed of the coefficient of a candidate that is not accepted.
            [found.is_some().into(), found.unwrap_or(bytes & 0x7f_ffff)]
        })?;
        Ok(())
    }

    /// Returns the accepted candidates of a case, of those that were looked at.
    fn accepted(&self, candidates: &[Term], outcome: &Outcome<'_>) -> Result<Vec<usize>> {
        let mut accepted = Vec::new();
        for (number, (term, value)) in outcome.assumed.iter().enumerate() {
            // They are looked at in their order.
            let candidate = *candidates.get(number).context("another test")?;
            let test = self.test(candidate);
            match *value {
                value if *term == test && value == 1 => accepted.push(number),
                value if *term == test.not() && value == 0 => accepted.push(number),
                _ if *term == test || *term == test.not() => {}
                _ => bail!("another test of candidate {number}: {term}"),
            }
        }
        Ok(accepted)
    }
}

impl Claim for AddAccepted {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        self.check_terms()?;
        let n = N as u32;
        let candidates = inputs("candidate", CANDIDATES, 24);
        let (y, w) = (inputs("y", n, 32), inputs("w", n, 32));
        // A coefficient has 23 bits, and so it is the same with its sign.
        let mut by = FxHashMap::default();
        for (candidate, index) in candidates.iter().zip(0..) {
            let word = Self::coefficient(*candidate);
            let a = variable(32, "a", index);
            by.insert(word, a);
            by.insert(word.zero_extend(64), a.sign_extend(64));
        }
        let bound = |name: Name| match name.group {
            "a" => Q - 1,
            _ => 9 * Q,
        };
        let mut numbers = Numbers::new(Q, bound);
        // 2⁻³² modulo q.
        let scale = (0..32).fold(1, |product, _| product * (Q + 1) / 2 % Q);
        let (mut cases, mut most) = (0, 0);
        for filled in &self.filled {
            let arguments = vec![
                Argument::read_only(candidates.clone()),
                Argument::read_only(y.clone()),
                Argument::in_place(w.clone()),
                Argument::number(*filled as u64),
            ];
            let call = Call::with_result(&self.symbol, arguments);
            cases += executor.each_case(&call, |outcome| {
                let mut accepted = self.accepted(&candidates, outcome)?.into_iter();
                let seen = outcome.assumed.len();
                let values = outcome.values(&call, 2)?;
                let mut count = *filled;
                for (j, (new, old)) in values.iter().zip(&w).enumerate() {
                    let next = (j >= *filled).then(|| accepted.next()).flatten();
                    let Some(candidate) = next else {
                        ensure!(new == old, "coefficient {j} is changed");
                        continue;
                    };
                    count += 1;
                    let added = replace(&[new.minus(*old)], &by)[0];
                    let number = numbers.of(added);
                    let name = |group, index: usize| Name {
                        group,
                        index: index as u32,
                    };
                    let product =
                        Monomial::product(name("a", candidate), name("y", j + self.shift));
                    ensure!(
                        number.form.as_deref()
                            == Some(&Form::from_terms([(product, scale.into())], Q)),
                        "another number is added to coefficient {j}: {added}"
                    );
                    most = most.max(number.most());
                }
                ensure!(
                    accepted.next().is_none()
                        && (seen == CANDIDATES as usize || count == self.room),
                    "{seen} candidates are looked at from coefficient {filled} on"
                );
                let returned = outcome.result.value();
                ensure!(
                    returned == Some(count as u64),
                    "the number is {returned:?} instead of {count}"
                );
                Ok(())
            })?;
        }
        ensure!(
            most <= self.added,
            "up to {most} is added, more than {}",
            self.added
        );
        Ok(format!(
            "{CANDIDATES} candidates; {cases} cases; at most {most} = {:.3}q is added",
            in_q(most, Q)
        ))
    }
}
