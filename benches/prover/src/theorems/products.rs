//! Sums and inner products of polynomials.

use anyhow::{Result, ensure};

use super::claim::{Claim, inputs};
use super::transforms::in_q;
use crate::machine::{Argument, Call, Executor};
use crate::numbers::{Form, Monomial, Numbers};
use crate::specification::{Field, ML_DSA, N, ZK_DILITHIUM};
use crate::terms::{Name, variable};

/// For each number of terms and all |aⱼ| < q and |bⱼ|, |cⱼ|, |dⱼ| ≤ `factor`, the outputs are
/// (Σ aⱼbⱼ − cⱼdⱼ) · 2⁻³² modulo q, with cⱼdⱼ or without, and their absolute values are at most `output`.
pub(super) struct InnerProduct {
    pub(super) symbol: String,
    pub(super) field: Field,
    pub(super) minus: bool,
    /// The numbers of columns and of rows of all parameter sets, and the most terms.
    pub(super) terms: &'static [u32],
    pub(super) factor: i64,
    pub(super) output: i128,
}

impl InnerProduct {
    /// The bounds of `Backend::inner_product`.
    pub(super) fn new(backend: &'static str, minus: bool) -> Self {
        let minus_symbol = if minus { "_minus" } else { "" };
        let symbol = format!("{backend}_inner_product{minus_symbol}");
        Self::of_field(symbol, ML_DSA, minus, &[1, 2, 4, 5, 6, 7, 8, 14])
    }

    /// The products of zkDilithium, which has four rows and columns.
    pub(super) fn zk(backend: &'static str) -> Self {
        let symbol = format!("{backend}_zk_inner_product");
        Self::of_field(symbol, ZK_DILITHIUM, false, &[1, 4])
    }

    fn of_field(symbol: String, field: Field, minus: bool, terms: &'static [u32]) -> Self {
        Self {
            symbol,
            field,
            minus,
            terms,
            factor: 9 * field.q,
            output: i128::from(field.q) - 1,
        }
    }

    fn call(&self, terms: u32) -> Call {
        let n = N as u32;
        let read = |group, count| Argument::read_only(inputs(group, count, 32));
        let mut arguments = vec![
            read("a", terms * n),
            read("b", terms * n),
            Argument::number(terms.into()),
        ];
        if self.minus {
            arguments.extend([read("c", n), read("d", n)]);
        }
        let (count, width) = (n, 32);
        arguments.push(Argument::Output { count, width });
        Call::new(&self.symbol, arguments)
    }

    /// Returns the form of an output.
    fn expected(&self, terms: u32, j: u32) -> Form {
        let name = |group, index| Name { group, index };
        // 2⁻³² = ((q + 1) / 2)³² modulo q.
        let q = self.field.q;
        let scale = (0..32).fold(1, |product, _| product * (q + 1) / 2 % q);
        let mut all: Vec<_> = (0..terms)
            .map(|term| {
                let at = term * N as u32 + j;
                (
                    Monomial::product(name("a", at), name("b", at)),
                    scale.into(),
                )
            })
            .collect();
        if self.minus {
            let product = Monomial::product(name("c", j), name("d", j));
            all.push((product, -i128::from(scale)));
        }
        Form::from_terms(all, q)
    }
}

impl Claim for InnerProduct {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let mut said = Vec::new();
        let q = self.field.q;
        for terms in self.terms {
            crate::terms::forget();
            let call = self.call(*terms);
            let mut outcome = executor.call(&call)?;
            let bound = |name: Name| {
                if name.group == "a" {
                    q - 1
                } else {
                    self.factor
                }
            };
            let mut numbers = Numbers::new(q, bound);
            let mut most = 0;
            let outputs = outcome.values(&call, call.arguments.len() - 1)?;
            for (j, output) in (0..).zip(outputs) {
                let number = numbers.of(output);
                let expected = self.expected(*terms, j);
                ensure!(
                    number.form.as_deref() == Some(&expected),
                    "output {j} of {terms} terms is {:?}",
                    number.form
                );
                most = most.max(number.most());
            }
            ensure!(
                most <= self.output,
                "outputs of {terms} terms are up to {most}, more than {}",
                self.output
            );
            said.push(format!("{terms}: {:.3}q", in_q(most, q)));
        }
        Ok(format!("|out| of so many terms ≤ {}", said.join(", ")))
    }
}

/// a becomes a + b modulo 2³².
pub(super) struct Add {
    pub(super) backend: &'static str,
}

impl Claim for Add {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let [a, b] = ["a", "b"].map(|group| inputs(group, N as u32, 32));
        let arguments = vec![Argument::in_place(a), Argument::read_only(b)];
        let call = Call::new(format!("{}_add", self.backend), arguments);
        let outputs = executor.call(&call)?.values(&call, 0)?;
        for (j, output) in (0..).zip(outputs) {
            let expected = variable(32, "a", j).plus(variable(32, "b", j));
            ensure!(output == expected, "output {j} is {output}");
        }
        Ok("each coefficient modulo 2³²".to_owned())
    }
}
