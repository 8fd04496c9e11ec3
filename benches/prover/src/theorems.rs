//! What is proved of the functions of the probe.
//!
//! A theorem executes functions on symbolic inputs and compares the terms of the results with the standard.
//! Each one is a structure whose fields are the claim, so that the tests can make wrong claims.

mod accumulation;
mod ball;
mod challenges;
mod claim;
mod hints;
mod lanes;
mod norms;
mod packing;
#[cfg(test)]
mod page;
mod permutations;
mod products;
mod rejection;
mod requirements;
mod rounding;
mod selection;
mod transforms;
mod words;
#[cfg(test)]
mod wrong;

use crate::image::Architecture;
pub(crate) use claim::Theorem;
use claim::{GAMMA2, OMEGA};
use permutations::{Conversion, Interleaved, Permutation};
use rejection::Rejection;
use rounding::Rounding;
use transforms::Transform;

/// Returns all theorems about the probe for an instruction set.
pub(crate) fn all(architecture: Architecture) -> Vec<Theorem> {
    let (backends, permutations) = match architecture {
        Architecture::X86_64 => (&["portable", "avx2", "avx512"][..], Permutation::X86_64),
        Architecture::Aarch64 => (&["portable", "neon"][..], Permutation::AARCH64),
        // Its other kernels are those of the portable backend.
        Architecture::Armv7m => (&["armv7"][..], &[][..]),
    };
    let mut all = Vec::new();
    for backend in backends {
        lattice(backend, &mut all);
    }
    for backend in backends {
        zk_dilithium(backend, &mut all);
    }
    // The first backend is the one that has the transforms in place.
    let forward = Transform::streams_forward(backends[0]);
    all.push(Theorem::new(backends[0], "streams-ntt", forward));
    let inverse = Transform::streams_inverse(backends[0]);
    all.push(Theorem::new(backends[0], "streams-inverse-ntt", inverse));
    if architecture != Architecture::Armv7m {
        steps(&mut all);
    }
    for (backend, permutation) in permutations {
        all.push(Theorem::new(backend, permutation.name, *permutation));
    }
    if architecture == Architecture::Armv7m {
        let backend = backends[0];
        let added = accumulation::AddAccepted::new(backend);
        all.push(Theorem::new(backend, "streams-add-accepted", added));
        let permutation = Interleaved::new("portable_permute");
        all.push(Theorem::new(backend, "keccak", permutation));
        for (name, claim) in [
            ("keccak-absorb", Conversion::absorb(backend)),
            ("keccak-squeeze", Conversion::squeeze(backend)),
        ] {
            all.push(Theorem::new(backend, name, claim));
        }
    }
    all
}

/// Appends the theorems about the steps of loops that no backend has its own code for.
fn steps(all: &mut Vec<Theorem>) {
    let mut add = |theorem: Theorem| all.push(theorem);
    for (set, omega) in OMEGA {
        let pack = hints::PackEight::new(omega);
        add(Theorem::new("portable", format!("hint-pack{set}"), pack));
        let row = hints::UnpackRow::new(omega);
        add(Theorem::new("portable", format!("hint-unpack{set}"), row));
        let rest = hints::UnpackRest::new(omega);
        add(Theorem::new("portable", format!("hint-rest{set}"), rest));
    }
    add(Theorem::new("portable", "ball-insert", ball::Insert::new()));
}

/// Appends the theorems about the lattice kernels of a backend.
fn lattice(backend: &'static str, all: &mut Vec<Theorem>) {
    let mut add = |theorem: Theorem| all.push(theorem);
    add(Theorem::new(backend, "ntt", Transform::forward(backend)));
    add(Theorem::new(
        backend,
        "inverse-ntt",
        Transform::inverse(backend),
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
    let uniform = Rejection::uniform(backend);
    add(Theorem::new(backend, "reject-uniform", uniform));
    for eta in [2, 4] {
        let bounded = Rejection::bounded(backend, eta);
        add(Theorem::new(
            backend,
            format!("reject-bounded{eta}"),
            bounded,
        ));
    }
}

/// Appends the theorems about the kernels of zkDilithium's field.
fn zk_dilithium(backend: &'static str, all: &mut Vec<Theorem>) {
    let mut add = |theorem: Theorem| all.push(theorem);
    let forward = Transform::zk_forward(backend);
    add(Theorem::new(backend, "zk-ntt", forward));
    let inverse = Transform::zk_inverse(backend);
    add(Theorem::new(backend, "zk-inverse-ntt", inverse));
    let product = products::InnerProduct::zk(backend);
    add(Theorem::new(backend, "zk-inner-product", product));
    let reduce = words::Reduce::new(backend);
    add(Theorem::new(backend, "zk-reduce-words", reduce));
    let canonical = words::Canonical::new(backend);
    add(Theorem::new(backend, "zk-canonical-words", canonical));
    let multiply = words::MultiplyAdd::new(backend);
    add(Theorem::new(backend, "zk-mul-add-words", multiply));
}
