//! The step of SampleInBall for one byte: FIPS 204, Algorithm 29. The challenge is public.

use anyhow::{Context, Result, ensure};

use super::claim::{Claim, inputs};
use crate::evaluate::Evaluation;
use crate::lanes::select;
use crate::machine::{Argument, Call, Executor};
use crate::specification::{N, sampling};
use crate::terms::{Name, Node, Term, choose, constant, join, mask, variable, variables};

/// For each i and all bytes j, coefficients and signs: if j ≤ i, then cᵢ becomes cⱼ, and afterwards cⱼ becomes
/// (−1)^h for the next sign h, which is removed from the signs. Else nothing changes. It returns whether j ≤ i.
pub(super) struct Insert {
    pub(super) is_position: fn(u64, u64) -> bool,
    pub(super) sign: fn(u64) -> i64,
    /// How many signs are removed: 1, but for a wrong claim.
    pub(super) removed: u32,
    /// Whether cᵢ becomes cⱼ: false only in a wrong claim.
    pub(super) moves: bool,
}

impl Insert {
    pub(super) fn new() -> Self {
        Self {
            is_position: sampling::is_position,
            sign: sampling::sign,
            removed: 1,
            moves: true,
        }
    }

    /// Checks that a term is the coefficient for a sign.
    fn check_sign(&self, term: Term) -> Result<()> {
        let sign = Name {
            group: "sign",
            index: 0,
        };
        let own = variables(&[term]).into_iter().all(|name| name == sign);
        ensure!(own, "the new coefficient is {term}");
        let columns = Evaluation::of(&[term]).run(2, |_| vec![0, 1]);
        for (h, value) in (0..).zip(&columns[0]) {
            let expected = (self.sign)(h);
            ensure!(
                *value == expected as u64 & mask(32),
                "the coefficient for sign {h} is {value:#x} instead of {expected}"
            );
        }
        Ok(())
    }

    /// Checks the state after a byte that is accepted.
    fn check(
        &self,
        (i, j): (usize, Term),
        before: (&[Term], Term),
        after: (&[Term], Term),
    ) -> Result<()> {
        let signs = before.1.shift_right(self.removed);
        ensure!(after.1 == signs, "the signs become {}", after.1);
        let other = (i + 1) % N;
        let Node::Choose(_, new, _) = *after.0[other].node() else {
            anyhow::bail!("coefficient {other} is {}", after.0[other]);
        };
        self.check_sign(new)?;
        for (k, got) in after.0.iter().enumerate() {
            let old = match k == i && self.moves {
                true => select(j, before.0),
                false => before.0[k],
            };
            let is_j = j.equals(constant(8, k as u64));
            let expected = choose(is_j, new, old);
            ensure!(*got == expected, "coefficient {k} is {got}");
        }
        Ok(())
    }
}

impl Claim for Insert {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let c = inputs("c", N as u32, 32);
        let j = variable(8, "j", 0);
        let signs = join(&[variable(1, "sign", 0), variable(63, "later", 0)]);
        let bytes: Vec<u64> = (0..256).collect();
        let mut cases = 0;
        for i in 0..N {
            let arguments = vec![
                Argument::in_place(c.clone()),
                Argument::number(i as u64),
                Argument::Value(j.zero_extend(64)),
                Argument::in_place(vec![signs]),
            ];
            let call = Call::with_result("steps_insert", arguments);
            cases += executor.each_case(&call, |outcome| {
                let mut roots = vec![outcome.result.slice(0, 32)];
                roots.extend(outcome.assumed.iter().map(|(term, _)| *term));
                let own = variables(&roots).into_iter().all(|name| name.group == "j");
                ensure!(own, "what it returns depends on more than j");
                let columns = Evaluation::of(&roots).run(bytes.len(), |_| bytes.clone());
                // The bytes of this case.
                let is_of_case = |byte: &usize| {
                    let mut pairs = columns[1..].iter().zip(&outcome.assumed);
                    pairs.all(|(column, (_, value))| column[*byte] == *value)
                };
                let own: Vec<_> = (0..bytes.len()).filter(is_of_case).collect();
                let first = *own.first().context("no byte reaches it")?;
                let accepted = (self.is_position)(first as u64, i as u64);
                for byte in own {
                    let expected = (self.is_position)(byte as u64, i as u64);
                    let got = columns[0][byte];
                    ensure!(
                        got == u64::from(expected) && expected == accepted,
                        "for i = {i} and j = {byte}, it returns {got}"
                    );
                }
                let after = (outcome.values(&call, 0)?, outcome.values(&call, 3)?[0]);
                if !accepted {
                    ensure!(after == (c.clone(), signs), "a rejected byte has an effect");
                    return Ok(());
                }
                let checked = self.check((i, j), (&c, signs), (&after.0, after.1));
                checked.with_context(|| format!("for i = {i}"))
            })?;
        }
        Ok(format!(
            "{cases} cases, each for all coefficients and signs"
        ))
    }
}
