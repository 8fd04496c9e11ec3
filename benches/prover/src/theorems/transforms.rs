//! The transforms are those of FIPS 204, as linear maps modulo q, and their outputs are within bounds.

use anyhow::{Context, Result, ensure};

use super::claim::{Claim, inputs};
use crate::machine::{Argument, Call, Executor};
use crate::numbers::{Form, Monomial, Numbers};
use crate::specification::{N, Q, ZETA, transform};
use crate::terms::Name;

/// For all |wⱼ| ≤ `input`, the outputs are those of the standard's algorithm times `scale` modulo q, and
/// their absolute values are at most `output`.
pub(super) struct Transform {
    pub(super) symbol: String,
    pub(super) standard: fn(&[i64; N], &[i64; N]) -> [i64; N],
    pub(super) zeta: i64,
    pub(super) scale: i64,
    pub(super) input: i64,
    pub(super) output: i128,
}

impl Transform {
    /// The bounds of `Backend::ntt`.
    pub(super) fn forward(backend: &str) -> Self {
        Self {
            symbol: format!("{backend}_ntt"),
            standard: transform::ntt,
            zeta: ZETA,
            scale: 1,
            input: Q,
            output: 9 * i128::from(Q),
        }
    }

    /// The bounds and the factor of `Backend::inverse_ntt`.
    pub(super) fn inverse(backend: &str) -> Self {
        Self {
            symbol: format!("{backend}_inverse_ntt"),
            standard: transform::inverse_ntt,
            zeta: ZETA,
            scale: (1 << 32) % Q,
            input: Q - 1,
            output: 3 * i128::from(Q) / 4,
        }
    }

    /// Returns the forms of the standard's outputs. Its algorithms are linear, because they add, subtract
    /// and multiply by constants alone, so their values for the unit vectors are the coefficients.
    fn expected(&self) -> Vec<Form> {
        let zetas = transform::zetas(self.zeta);
        let columns: Vec<_> = (0..N)
            .map(|unit| {
                let vector = std::array::from_fn(|j| i64::from(j == unit));
                (self.standard)(&vector, &zetas)
            })
            .collect();
        let form = |output: usize| {
            let terms = columns.iter().zip(0..).map(|(column, index)| {
                let name = Name { group: "w", index };
                let coefficient = i128::from(column[output] * self.scale);
                (Monomial::of(name), coefficient)
            });
            Form::from_terms(terms, Q)
        };
        (0..N).map(form).collect()
    }
}

impl Claim for Transform {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let w = inputs("w", N as u32, 32);
        let out = Argument::Output {
            count: N as u32,
            width: 32,
        };
        let call = Call::new(&self.symbol, vec![Argument::read_only(w), out]);
        let mut outcome = executor.call(&call)?;
        let mut numbers = Numbers::new(Q, |_| self.input);
        let mut most = 0;
        let outputs = outcome.values(&call, 1)?;
        for (j, (output, expected)) in outputs.into_iter().zip(self.expected()).enumerate() {
            let number = numbers.of(output);
            let form = number.form.as_deref();
            let form =
                form.with_context(|| format!("output {j} is not known modulo q: {output}"))?;
            ensure!(
                *form == expected,
                "output {j} is another linear map modulo q"
            );
            most = most.max(number.most());
        }
        ensure!(
            most <= self.output,
            "outputs are up to {most}, more than {}",
            self.output
        );
        let applied = numbers.applied;
        Ok(format!(
            "|out| ≤ {most} = {:.3}q, documented {:.3}q; products: {} Montgomery, {} Plantard, {} Barrett",
            in_q(most),
            in_q(self.output),
            applied.montgomery,
            applied.plantard,
            applied.barrett
        ))
    }
}

/// Returns a bound as a multiple of q.
pub(super) fn in_q(bound: i128) -> f64 {
    bound as f64 / Q as f64
}
