//! What is proved of the functions of the probe.
//!
//! A theorem executes functions on symbolic inputs and compares the terms of the results with the standard.
//! Each one is a structure whose fields are the claim, so that the tests can make wrong claims.

mod challenges;
mod claim;
mod lanes;
mod norms;
mod packing;
mod permutations;
mod products;
mod rounding;
mod transforms;
#[cfg(test)]
mod wrong;

use crate::image::Architecture;
use claim::GAMMA2;
pub(crate) use claim::Theorem;
use permutations::Permutation;
use rounding::Rounding;

/// Returns all theorems about the probe for an instruction set.
pub(crate) fn all(architecture: Architecture) -> Vec<Theorem> {
    let (backends, permutations) = match architecture {
        Architecture::X86_64 => (&["portable", "avx2", "avx512"][..], Permutation::X86_64),
        Architecture::Aarch64 => (&["portable", "neon"][..], Permutation::AARCH64),
    };
    let mut all = Vec::new();
    for backend in backends {
        lattice(backend, &mut all);
    }
    for (backend, permutation) in permutations {
        all.push(Theorem::new(backend, permutation.name, *permutation));
    }
    all
}

/// Appends the theorems about the lattice kernels of a backend.
fn lattice(backend: &'static str, all: &mut Vec<Theorem>) {
    let mut add = |theorem: Theorem| all.push(theorem);
    add(Theorem::new(
        backend,
        "ntt",
        transforms::Transform::forward(backend),
    ));
    add(Theorem::new(
        backend,
        "inverse-ntt",
        transforms::Transform::inverse(backend),
    ));
    add(Theorem::new(
        backend,
        "inner-product",
        products::InnerProduct::new(backend, false),
    ));
    add(Theorem::new(
        backend,
        "inner-product-minus",
        products::InnerProduct::new(backend, true),
    ));
    add(Theorem::new(backend, "add", products::Add { backend }));
    add(Theorem::new(
        backend,
        "power2round",
        Rounding::power2round(backend),
    ));
    for (set, gamma2) in GAMMA2 {
        add(Theorem::new(
            backend,
            format!("decompose{set}"),
            Rounding::decompose(backend, set, gamma2),
        ));
        add(Theorem::new(
            backend,
            format!("use-hint{set}"),
            Rounding::use_hint(backend, set, gamma2),
        ));
        add(Theorem::new(
            backend,
            format!("make-hint{set}"),
            rounding::MakeHint::new(backend, set, gamma2),
        ));
    }
    add(Theorem::new(
        backend,
        "norm-at-least",
        norms::NormAtLeast::new(backend),
    ));
    add(Theorem::new(backend, "pack", packing::Pack::new(backend)));
    add(Theorem::new(
        backend,
        "unpack",
        packing::Unpack::new(backend),
    ));
    for (subtract, name) in [(false, "add-product"), (true, "sub-product")] {
        for width in [8, 16] {
            let claim = challenges::Product::new(backend, subtract, width);
            add(Theorem::new(backend, format!("{name}{width}"), claim));
        }
    }
}
