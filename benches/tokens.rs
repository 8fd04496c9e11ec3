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

use moissanite_benches::times::cpu;
use moissanite_benches::{Samples, check_filter, numbered, wall};
use moissanite_tokens::{Algorithm, Deterministic, SigningKey, VerifyingKey, cose, jws};

/// The number of tokens, and how often each is measured. `cargo test` only checks that everything runs.
fn amount() -> (usize, usize) {
    let measuring = std::env::args().any(|argument| argument == "--bench");
    if measuring { (1000, 9) } else { (10, 1) }
}

/// A name, and the call with the number of a token, which returns whether the result is right.
type Operation<'a> = (&'static str, Box<dyn Fn(usize) -> bool + 'a>);

fn main() {
    let mut arguments = std::env::args().skip(1);
    let filter = arguments.rfind(|argument| !argument.starts_with('-'));
    let filter = filter.unwrap_or_default();
    let backends: Vec<_> = moissanite::backend::available().collect();
    println!("{}; backends of this CPU: {}", cpu(), backends.join(", "));
    println!(
        "Microseconds over the tokens, where each counts with its shortest time; all: the mean of all"
    );
    println!("measurements; tokens/s: from the mean of the shortest times.\n");
    let heads = ["min", "median", "mean", "max", "all", "tokens/s"];
    println!(
        "{:42}{}",
        "",
        heads.map(|head| format!("{head:>9}")).concat()
    );
    let mut ran = false;
    for algorithm in Algorithm::ALL {
        ran |= measure(algorithm, &filter);
    }
    check_filter("tokens", ran);
}

/// Measures one algorithm, and returns whether a row has been measured.
fn measure(algorithm: Algorithm, filter: &str) -> bool {
    let (count, rounds) = amount();
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
    let mut ran = false;
    for (name, run) in operations {
        let name = format!("{algorithm}, {name}");
        if !name.contains(filter) {
            continue;
        }
        let run = |i| assert!(run(i), "{name} went wrong");
        let mut samples = Samples::new(count);
        for _ in 0..rounds {
            samples.turn(0..count, wall, run);
        }
        let (times, all) = (samples.shortest(), samples.all());
        let numbers = [times.min, times.median, times.mean, times.max, all.mean];
        let numbers = numbers.map(|ns| format!("{:9.2}", ns / 1e3)).concat();
        println!("{name:42}{numbers}{:9.0}", 1e9 / times.mean);
        ran = true;
    }
    ran
}
