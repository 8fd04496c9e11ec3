//! Compares the verdicts of all implementations with a file of vectors.

use std::path::Path;

use clap::ValueEnum as _;
use serde_json::Value;

use crate::peer::{Level, Peer, Vector};

/// The verdicts of an implementation.
struct Tally {
    right: usize,
    /// The wrong verdicts of each known defect.
    known: Vec<(String, usize)>,
    /// The vectors for which the API has no function.
    left_out: usize,
    wrong: Vec<String>,
}

/// Verifies all vectors, prints a table, and panics if a verdict is not that of the file, unless the vector
/// detects a known defect of the implementation.
pub fn check(file: &Path, peers: &[&dyn Peer]) {
    let text = std::fs::read_to_string(file).expect("the file of the vectors");
    let sets: Vec<Value> = serde_json::from_str(&text).expect("an array of sets in JSON");
    let mut failed = false;
    for peer in peers {
        let mut tally = Tally {
            right: 0,
            known: peer
                .known_defects()
                .into_iter()
                .map(|defect| (defect, 0))
                .collect(),
            left_out: 0,
            wrong: Vec::new(),
        };
        for set in &sets {
            verify(*peer, set, &mut tally);
        }
        if tally.right == 0 {
            continue;
        }
        let Tally {
            right,
            known,
            left_out,
            wrong,
        } = tally;
        let name = peer.name();
        println!(
            "{name:24} {right:4} right, {left_out:3} not supported, {} wrong",
            wrong.len()
        );
        for (defect, count) in known {
            println!("    {count} wrong by the known defect {defect}");
        }
        wrong.iter().for_each(|wrong| println!("    {wrong}"));
        failed |= !wrong.is_empty();
    }
    assert!(
        !failed,
        "implementations do not give the results of {}",
        file.display()
    );
}

fn verify(peer: &dyn Peer, set: &Value, tally: &mut Tally) {
    let algorithm = text(set, "algorithm");
    let levels = Level::value_variants().iter();
    let level = *levels
        .clone()
        .find(|level| level.name() == algorithm)
        .expect("a known set");
    for group in list(set, "testGroups") {
        let public_key = bytes(group, "publicKey");
        for test in list(group, "tests") {
            let context = test.get("ctx").map_or(Vec::new(), |_| bytes(test, "ctx"));
            let vector = Vector {
                public_key: &public_key,
                context: &context,
                message: &bytes(test, "msg"),
                signature: &bytes(test, "sig"),
            };
            match peer.verify(level, &vector) {
                None => tally.left_out += 1,
                Some(valid) if valid == (text(test, "result") == "valid") => tally.right += 1,
                Some(valid) => {
                    let detected = text(test, "comment").rsplit_once("; detects ");
                    let detected = detected.map_or("", |(_, names)| names);
                    let mut known = tally.known.iter_mut();
                    let cause =
                        known.find(|(known, _)| detected.split(", ").any(|name| name == known));
                    if let Some((_, count)) = cause {
                        *count += 1;
                        continue;
                    }
                    let verdict = if valid { "accepts" } else { "refuses" };
                    let (number, comment) = (&test["tcId"], text(test, "comment"));
                    tally
                        .wrong
                        .push(format!("{algorithm} {number}: {verdict} {comment}"));
                }
            }
        }
    }
}

fn list<'a>(of: &'a Value, field: &str) -> &'a [Value] {
    of[field]
        .as_array()
        .unwrap_or_else(|| panic!("{field} is not an array"))
}

fn text<'a>(of: &'a Value, field: &str) -> &'a str {
    of[field]
        .as_str()
        .unwrap_or_else(|| panic!("{field} is not a text"))
}

fn bytes(of: &Value, field: &str) -> Vec<u8> {
    let digits = text(of, field).as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = digits.map(byte).collect();
    bytes.unwrap_or_else(|| panic!("{field} is not in hexadecimal"))
}
