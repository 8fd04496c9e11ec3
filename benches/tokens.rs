//! Measures signing and verification of tokens with one prepared key, and what the formats add:
//! `cargo bench -p moissanite-benches --bench tokens`.
//!
//! The output has min, median, mean and max over 1,000 tokens under a fixed key, where each token counts with
//! its shortest time of nine, and the mean of all measurements. A text after `--` selects rows by a part of
//! their names. The code is that for the best backend of the CPU.

#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a bench stops if something is broken"
)]

use std::hint::black_box;

use moissanite_benches::{Table, is_measuring, numbered};
use moissanite_tokens::{Algorithm, Deterministic, SigningKey, VerifyingKey, cose, jws};

/// A name, and the call with the number of a token, which returns whether the result is right.
type Operation<'a> = (&'static str, Box<dyn Fn(usize) -> bool + 'a>);

fn main() {
    let mut table = Table::new("tokens", "tokens");
    for algorithm in Algorithm::ALL {
        measure(algorithm, &mut table);
    }
    table.end();
}

fn measure(algorithm: Algorithm, table: &mut Table) {
    let count = if is_measuring() { 1000 } else { 10 };
    let key = SigningKey::from_seed(algorithm, &numbered(b'k', 0).into());
    let public = key.to_verifying_key();
    let jwk = public.to_jwk().expect("a JWK");
    let header = jws::Header::new().with_typ("at+jwt").with_kid("2026-11");
    let cose_header = cose::Header::new().with_kid("2026-11");
    // Claims of a usual access token, which differ in their subjects.
    let payloads: Vec<_> = (0..count)
        .map(|i| {
            format!(
                r#"{{"iss":"https://issuer.example","aud":"https://api.example","sub":"user-{i:06}","exp":1795392000,"iat":1795391700,"scope":"read write"}}"#
            )
        })
        .collect();
    let sign = |payload: &String| key.sign_jws(Deterministic, &header, payload.as_bytes());
    let tokens: Vec<_> = payloads.iter().map(sign).collect();
    let tokens: Vec<_> = tokens
        .into_iter()
        .map(|token| token.expect("it signs"))
        .collect();
    let sign =
        |payload: &String| key.sign_sign1(Deterministic, &cose_header, payload.as_bytes(), b"");
    let messages: Vec<_> = payloads.iter().map(sign).collect();
    let messages: Vec<_> = messages
        .into_iter()
        .map(|one| one.expect("it signs"))
        .collect();

    let operations: [Operation<'_>; 5] = [
        (
            "verify a JWS",
            Box::new(|i| {
                let token = public.verify_jws(black_box(&tokens[i]));
                token.is_ok_and(|token| token.payload == payloads[i].as_bytes())
            }),
        ),
        (
            "read a JWK and verify one JWS",
            Box::new(|i| {
                let key = VerifyingKey::from_jwk(black_box(&jwk));
                key.is_ok_and(|key| key.verify_jws(&tokens[i]).is_ok())
            }),
        ),
        (
            "verify a COSE_Sign1",
            Box::new(|i| {
                let message = public.verify_sign1(black_box(&messages[i]), b"");
                message.is_ok_and(|message| message.payload == payloads[i].as_bytes())
            }),
        ),
        (
            "sign a JWS",
            Box::new(|i| {
                let token = key.sign_jws(Deterministic, &header, black_box(payloads[i].as_bytes()));
                token.as_ref() == Ok(&tokens[i])
            }),
        ),
        (
            "sign a COSE_Sign1",
            Box::new(|i| {
                let payload = black_box(payloads[i].as_bytes());
                let message = key.sign_sign1(Deterministic, &cose_header, payload, b"");
                message.as_ref() == Ok(&messages[i])
            }),
        ),
    ];
    for (name, run) in operations {
        table.row(&format!("{algorithm}, {name}"), 1, count, run);
    }
}
