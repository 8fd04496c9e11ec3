//! Help, wrong options, and the commands that print reports.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::Folder;
use predicates::prelude::*;
use serde_json::Value;

const COMMANDS: [&str; 10] = [
    "keygen",
    "sign",
    "verify",
    "inspect",
    "convert",
    "algorithms",
    "acvp",
    "bench",
    "cert",
    "demo",
];

#[test]
fn help_is_no_error() {
    let folder = Folder::new();
    let all = folder.ok_text("--help");
    for command in COMMANDS {
        assert!(all.contains(command));
        let help = folder.ok_text(&format!("{command} --help"));
        assert!(help.contains(&format!("Usage: moissanite {command}")));
        assert_eq!(folder.ok_text(&format!("help {command}")), help);
    }
    assert!(folder.ok_text("--version").starts_with("moissanite "));
}

#[test]
fn wrong_flags() {
    let folder = Folder::signed();
    for (args, says) in [
        ("", "a subcommand is missing"),
        ("frobnicate", "unrecognized subcommand 'frobnicate'"),
        ("--frobnicate", "unexpected argument '--frobnicate'"),
        ("keygen", "<ALGORITHM>"),
        (
            "keygen ml-dsa-66",
            "there are ml-dsa-44, ml-dsa-65, ml-dsa-87",
        ),
        ("keygen ml-dsa-65 ml-dsa-65", "unexpected argument"),
        ("keygen ml-dsa-65 --format xml", "pem, der, raw"),
        ("keygen ml-dsa-65 --out", "a value is required for '--out"),
        (
            "keygen ml-dsa-65 --out a --out b",
            "cannot be used multiple times",
        ),
        ("sign", "--key <FILE>"),
        ("sign --key key.pem --deterministic=yes", "unexpected value"),
        (
            "sign --key key.pem --algorithm rsa",
            "there is no such algorithm",
        ),
        ("verify --key public.pem", "--signature <FILE>"),
        (
            "verify --sig file",
            "'--sig' found; a similar argument exists: '--signature'; `moissanite help`",
        ),
        ("convert key.pem --form short", "seed, expanded, both"),
        ("bench --n 0", "--n"),
        ("bench --rounds 0", "--rounds"),
        ("bench ml-dsa-1", "there is no such algorithm"),
        ("bench ed25519", "bench measures lattice signatures"),
        (
            "keygen ml-dsa-44-ed25519 --seed 00",
            "--seed takes 128 hex digits",
        ),
        ("cert", "subcommand"),
        ("cert self-sign --key key.pem", "--subject <NAME>"),
        ("demo", "<FILE>"),
        ("--backend none algorithms", "it has "),
        ("inspect", "<FILE>"),
        ("inspect absent", "cannot read absent: No such file"),
        ("sign --key  --in file", ""),
    ] {
        folder.fails(2, args, says);
    }
    folder.run_args(&["--backend", "a\nb\u{1b}[31m", "algorithms"], b"");
}

#[test]
fn the_table_of_algorithms() {
    let table = Folder::new().ok_text("algorithms");
    let rows: Vec<Vec<_>> = table
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert_eq!(rows[1], ["ml-dsa-44", "2", "1312", "2560", "32", "2420"]);
    assert_eq!(rows[2], ["ml-dsa-65", "3", "1952", "4032", "32", "3309"]);
    assert_eq!(rows[3], ["ml-dsa-87", "5", "2592", "4896", "32", "4627"]);
    assert!(rows.contains(&vec!["ed25519", "-", "32", "32", "32", "64"]));
    let composite = ["ml-dsa-65-ed25519", "3", "1984", "64", "64", "3373"];
    assert!(rows.contains(&composite.to_vec()));
}

#[test]
fn the_demo() {
    let folder = Folder::new();
    folder.write("file", b"a message");
    folder.write("empty", b"");
    folder.write("large", vec![1; 3_000_000]);
    for (file, length) in [("file", "9"), ("empty", "0"), ("large", "3000000")] {
        let text = folder.ok_text(&format!("demo {file}"));
        let says =
            predicate::str::contains(format!("{file} has {length} bytes, its signature 3309"))
                .and(predicate::str::contains("valid"))
                .and(predicate::str::contains("refused: one bit of"))
                .and(predicate::str::contains("ms"));
        assert!(says.eval(&text), "{text}");
    }
    assert!(
        folder
            .ok_text("demo file --algorithm ml-dsa-87")
            .contains("its signature 4627")
    );
    assert_eq!(folder.names(), ["empty", "file", "large"]);
    folder.fails(2, "demo -", "name a file");
    folder.fails(2, "demo absent", "cannot read absent");
    folder.fails(2, "demo .", "a regular file, and . is not");
}

#[test]
fn the_bench() {
    let folder = Folder::new();
    let text = folder.ok_text("bench ml-dsa-44 ML-DSA-65 --n 20 --rounds 2");
    for says in [
        "CPU: ",
        "n = 20 messages, rounds = 2, times in us",
        "each with its shortest time of all rounds",
        "min   median     mean      p90      p99      max   budget  ratio",
        "backend portable",
        "ML-DSA-44",
        "ML-DSA-65",
        "sign, prepared",
        "budget",
    ] {
        assert!(text.contains(says), "{says}: {text}");
    }
    assert!(!text.contains("ML-DSA-87"));
    if cfg!(target_os = "linux") {
        assert!(text.contains("taskset -c 1 moissanite bench"), "{text}");
    }
    for line in text.lines().filter(|line| line.starts_with("ML-DSA-")) {
        let numbers = line[28..].split_whitespace();
        let numbers: Vec<f64> = numbers.map(|number| number.parse().unwrap()).collect();
        assert_eq!(numbers.len(), 8, "{line}");
    }
    let text = folder.ok("bench ml-dsa-87 --n 20 --json --backend portable");
    let document: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(document["messages"], 20);
    assert_eq!(document["rounds"], 3);
    assert_eq!(document["unit"], "ns");
    for frequency in ["now", "max"] {
        let value = &document["clock_mhz"][frequency];
        assert!(value.is_null() || value.as_f64().unwrap() > 0.0, "{value}");
    }
    let results = document["results"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["backend"], "portable");
    let operations = results[0]["operations"].as_array().unwrap();
    let names: Vec<_> = operations
        .iter()
        .map(|o| o["operation"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "keygen",
            "sign",
            "sign, prepared",
            "verify",
            "verify, prepared"
        ]
    );
    for operation in operations {
        let of = |field: &str| operation[field].as_f64().unwrap();
        let order = ["min", "median", "p90", "p99", "max"].map(of);
        assert!(0.0 < order[0] && order.is_sorted(), "{order:?}");
        assert!(of("min") <= of("mean") && of("mean") <= of("max"));
        assert!(of("keccak_budget") > 0.0 && of("ratio") > 0.0);
    }
    // K * L * 5 blocks of the matrix and 2 for each of the secrets; tr, and the seeds.
    assert_eq!(
        operations[0]["parallel_permutations"],
        8.0 * 7.0 * 5.0 + 15.0 * 2.0
    );
    assert_eq!(operations[0]["serial_permutations"], 1.0 + 20.0);
    assert_eq!(operations[4]["serial_permutations"], 2.0 + 9.0);
}
