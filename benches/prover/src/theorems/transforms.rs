//! The transforms are those of FIPS 204, as linear maps modulo q, and their outputs are within bounds.

use anyhow::{Context, Result, ensure};

use super::claim::{Claim, inputs};
use crate::machine::{Argument, Call, Executor};
use crate::numbers::{Form, Monomial, Numbers};
use crate::specification::{Field, ML_DSA, N, ZK_DILITHIUM, transform};
use crate::terms::Name;

/// For all |wⱼ| ≤ `input`, the outputs are those of the standard's algorithm times `scale` modulo q, and
/// their absolute values are at most `output`.
pub(super) struct Transform {
    pub(super) symbol: String,
    /// Whether the outputs replace the inputs.
    pub(super) in_place: bool,
    pub(super) standard: fn(&[i64; N], &[i64; N], i64) -> [i64; N],
    pub(super) field: Field,
    pub(super) scale: i64,
    pub(super) input: i64,
    pub(super) output: i128,
}

impl Transform {
    /// The bounds of `Backend::ntt`.
    fn forward_in(symbol: String, field: Field) -> Self {
        Self {
            symbol,
            in_place: false,
            standard: transform::ntt,
            field,
            scale: 1,
            input: field.q,
            output: 9 * i128::from(field.q),
        }
    }

    /// The bounds and the factor of `Backend::inverse_ntt`.
    fn inverse_in(symbol: String, field: Field) -> Self {
        Self {
            symbol,
            in_place: false,
            standard: transform::inverse_ntt,
            field,
            scale: (1 << 32) % field.q,
            input: field.q - 1,
            output: 3 * i128::from(field.q) / 4,
        }
    }

    pub(super) fn forward(backend: &str) -> Self {
        Self::forward_in(format!("{backend}_ntt"), ML_DSA)
    }

    pub(super) fn inverse(backend: &str) -> Self {
        Self::inverse_in(format!("{backend}_inverse_ntt"), ML_DSA)
    }

    pub(super) fn zk_forward(backend: &str) -> Self {
        Self::forward_in(format!("{backend}_zk_ntt"), ZK_DILITHIUM)
    }

    pub(super) fn zk_inverse(backend: &str) -> Self {
        Self::inverse_in(format!("{backend}_zk_inverse_ntt"), ZK_DILITHIUM)
    }

    /// The transforms of the code for small memories.
    pub(super) fn streams_forward(backend: &str) -> Self {
        Self {
            in_place: true,
            ..Self::forward_in(streams(backend, "ntt_in_place"), ML_DSA)
        }
    }

    pub(super) fn streams_inverse(backend: &str) -> Self {
        Self {
            in_place: true,
            ..Self::inverse_in(streams(backend, "inverse_ntt_in_place"), ML_DSA)
        }
    }

    /// Returns the forms of the standard's outputs. Its algorithms are linear, because they add, subtract
    /// and multiply by constants alone, so their values for the unit vectors are the coefficients.
    fn expected(&self) -> Vec<Form> {
        let zetas = transform::zetas(self.field);
        let columns: Vec<_> = (0..N)
            .map(|unit| {
                let vector = std::array::from_fn(|j| i64::from(j == unit));
                (self.standard)(&vector, &zetas, self.field.q)
            })
            .collect();
        let form = |output: usize| {
            let terms = columns.iter().zip(0..).map(|(column, index)| {
                let name = Name { group: "w", index };
                let coefficient = i128::from(column[output] * self.scale);
                (Monomial::of(name), coefficient)
            });
            Form::from_terms(terms, self.field.q)
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
        let arguments = match self.in_place {
            true => vec![Argument::in_place(w)],
            false => vec![Argument::read_only(w), out],
        };
        let call = Call::new(&self.symbol, arguments);
        let mut outcome = executor.call(&call)?;
        let q = self.field.q;
        let mut numbers = Numbers::new(q, |_| self.input);
        let mut most = 0;
        let outputs = outcome.values(&call, call.arguments.len() - 1)?;
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
            in_q(most, q),
            in_q(self.output, q),
            applied.montgomery,
            applied.plantard,
            applied.barrett
        ))
    }
}

/// Returns a bound as a multiple of q.
pub(super) fn in_q(bound: i128, q: i64) -> f64 {
    bound as f64 / q as f64
}

/// Returns the name of a function of a backend in the core.
pub(super) fn streams(backend: &str, function: &str) -> String {
    let field = "moissanite_core::field::MlDsaField";
    format!("moissanite_core::backend::{backend}::{function}::<{field}>")
}
