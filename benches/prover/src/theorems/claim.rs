//! Claims and theorems, and what all of them use.

use anyhow::Result;

use crate::machine::Executor;
use crate::terms::{Term, variable};

/// γ₂ of ML-DSA-44, and of ML-DSA-65 and -87: FIPS 204, table 1.
pub(super) const GAMMA2: [(&str, i64); 2] = [
    ("44", (crate::specification::Q - 1) / 88),
    ("65", (crate::specification::Q - 1) / 32),
];

/// ω: FIPS 204, table 1.
pub(super) const OMEGA: [(&str, usize); 3] = [("44", 80), ("65", 55), ("87", 75)];

/// A claim about functions of the probe.
pub(super) trait Claim: Send + Sync {
    /// Proves the claim, and returns what was found.
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String>;
}

/// A claim with the names by which it is chosen.
pub(crate) struct Theorem {
    pub(crate) backend: &'static str,
    pub(crate) name: String,
    claim: Box<dyn Claim>,
}

impl Theorem {
    pub(super) fn new(
        backend: &'static str,
        name: impl Into<String>,
        claim: impl Claim + 'static,
    ) -> Self {
        Self {
            backend,
            name: name.into(),
            claim: Box::new(claim),
        }
    }

    /// Proves the theorem, and returns what was found.
    pub(crate) fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        crate::terms::forget();
        self.claim.prove(executor)
    }
}

/// Returns inputs with the numbers from 0 on.
pub(super) fn inputs(group: &'static str, count: u32, width: u32) -> Vec<Term> {
    (0..count)
        .map(|index| variable(width, group, index))
        .collect()
}
