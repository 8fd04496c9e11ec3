//! `cargo xtask rejections` makes the vectors of signing whose attempts fail at each check of Algorithm 7,
//! kats/rejections.json, with the reference of `crates/core/src/reference.rs`.
//!
//! ‖ct₀‖∞ ≤ τ · 2¹², which is below γ₂ for ML-DSA-65 and -87, so that this check fails only with ML-DSA-44, and
//! with keys of KeyGen only about once in ten million signatures. For that check, the vector has a private key
//! whose t₀ does not belong to its public key.

#![allow(
    clippy::integer_division_remainder_used,
    reason = "the keys and signatures of vectors are public"
)]

use anyhow::{Context, Result, ensure};
use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87, ParameterSet};
use moissanite_core::reference::{self, Attempt};
use moissanite_core::shape::{Dim, N};
use serde_json::{Value, json};

use crate::baseline::Arguments;
use crate::process;

const FILE: &str = "kats/rejections.json";
/// The checks, in the order of [`Attempt`].
const CHECKS: [&str; 4] = ["z", "r0", "ct0", "hint"];
/// The length of an encoded polynomial of t₀.
const T0_LEN: usize = 13 * N / 8;

/// A vector, whose message is found by search.
struct Case {
    /// The checks at each of which an attempt fails alone.
    reaches: &'static [&'static str],
    key: Key,
    context: &'static str,
    /// The number of the message with which the search begins. Smaller ones were tried.
    from: u32,
}

#[derive(Clone, Copy)]
enum Key {
    /// The key of the seed 0, 1, ..., 31, which the self-tests have too.
    Generated,
    /// The same key with coefficients of t₀ that make ‖ct₀‖∞ as large as γ₂.
    LongT0,
}

/// Returns the vectors of a set. The first one of each is that of the self-tests.
fn cases<P: Fips204>() -> Vec<Case> {
    let known = |from| Case {
        reaches: &["z", "r0", "hint"],
        key: Key::Generated,
        context: "known answers",
        from,
    };
    let long_t0 = Case {
        reaches: &["ct0"],
        key: Key::LongT0,
        context: "",
        from: 0,
    };
    match P::NAME {
        MlDsa44::NAME => vec![known(126), long_t0],
        MlDsa65::NAME => vec![known(511)],
        _ => vec![known(110)],
    }
}

/// Compares the vectors with those that are made, or writes them.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let sets = [set::<MlDsa44>(), set::<MlDsa65>(), set::<MlDsa87>()];
    let text = serde_json::to_string_pretty(&sets)? + "\n";
    let path = process::root().join(FILE);
    if arguments.write {
        std::fs::write(path, text).context(FILE)?;
    } else {
        ensure!(
            process::read(&path)? == text,
            "{FILE} is not what `cargo xtask rejections --write` writes"
        );
    }
    println!("rejections: the vectors reach each check of signing that can fail");
    Ok(())
}

fn set<P: Fips204>() -> Value {
    let tests: Vec<_> = cases::<P>().iter().map(vector::<P>).collect();
    json!({ "parameterSet": P::NAME, "tests": tests })
}

fn vector<P: Fips204>(case: &Case) -> Value {
    let seed = core::array::from_fn(|i| i as u8);
    let (_, mut sk) = reference::keygen::<P>(&seed);
    if let Key::LongT0 = case.key {
        lengthen_t0::<P>(&mut sk);
    }
    let tried = (case.from..).map(|number| {
        let message = format!("message {number}");
        let signed = sign::<P>(&sk, case.context.as_bytes(), message.as_bytes());
        let attempts: Vec<_> = signed.attempts.iter().map(failed::<P>).collect();
        (message, attempts, signed.sigma)
    });
    let mut found = tried.filter(|(_, attempts, _)| {
        let alone = |check: &&str| attempts.iter().any(|failed| failed[..] == [*check]);
        case.reaches.iter().all(alone)
    });
    let Some((message, attempts, sigma)) = found.next() else {
        return Value::Null;
    };
    let mut vector = json!({
        "context": hex::encode(case.context),
        "message": hex::encode(message),
        "rnd": hex::encode([0; 32]),
        "attempts": attempts,
        "signature": hex::encode(sigma),
    });
    let (name, key) = match case.key {
        Key::Generated => ("seed", hex::encode(seed)),
        Key::LongT0 => ("sk", hex::encode(sk)),
    };
    vector[name] = key.into();
    vector
}

/// The deterministic signature of Algorithm 2.
fn sign<P: Fips204>(sk: &[u8], context: &[u8], message: &[u8]) -> reference::Signed {
    let parts: [&[u8]; 4] = [&sk[64..128], &[0, context.len() as u8], context, message];
    let mu = reference::first(reference::h(&parts));
    reference::sign::<P>(sk, &mu, &[0; 32], reference::within_limits::<P>)
}

/// The checks at which an attempt fails.
fn failed<P: Fips204>(attempt: &Attempt) -> Vec<&'static str> {
    let limits = reference::limits::<P>();
    let checks = CHECKS.iter().zip(attempt.iter().zip(limits));
    let failed = checks.filter(|(_, (found, limit))| *found >= limit);
    failed.map(|(check, _)| *check).collect()
}

/// Gives the first polynomials of t₀ coefficients ±3968, of which 24 have the sum γ₂ of ML-DSA-44, and zeros,
/// and all others zeros only.
fn lengthen_t0<P: ParameterSet>(sk: &mut [u8]) {
    let at = sk.len() - P::K::N * T0_LEN;
    for (row, t0) in sk[at..].chunks_mut(T0_LEN).enumerate() {
        let bytes: Vec<u8> = reference::h(&[b"t0", &[row as u8]]).take(N).collect();
        let chosen = core::array::from_fn(|j| match bytes[j] {
            _ if row > 1 => 0,
            byte if byte % 16 == 0 => 0,
            byte if byte % 2 == 0 => 3968,
            _ => -3968,
        });
        t0.copy_from_slice(&reference::bit_pack(13, 1 << 12, &chosen));
    }
}
