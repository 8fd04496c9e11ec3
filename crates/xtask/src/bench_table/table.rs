//! The table of the page on speed.

use std::fmt::Write;

use anyhow::{Context, Result};

use super::run::{Machine, Row, Run};

pub(crate) const LEVELS: [&str; 3] = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"];
/// Operations and forms of the key, as the record names them and as the table does.
pub(crate) const OPS: [((&str, &str), &str); 5] = [
    (("keygen", "seed"), "key generation"),
    (("sign", "encoded"), "sign"),
    (("sign", "prepared"), "sign, prepared key"),
    (("verify", "encoded"), "verify"),
    (("verify", "prepared"), "verify, prepared key"),
];

/// Returns the tables and the text around them.
pub(crate) fn markdown(run: &Run) -> Result<String> {
    let mut text = String::new();
    let machine = &run.machine;
    let flags = match run.compiler.rustflags.as_str() {
        "" => "no RUSTFLAGS".to_owned(),
        flags => format!("RUSTFLAGS `{flags}`"),
    };
    // Rows of Moissanite come first; both parts are ordered from the fastest on.
    let mut peers = run.peers("ML-DSA-65");
    peers.sort_by_key(|peer| !run.is_ours(peer));
    let best = *peers.first().context("no peers")?;
    writeln!(
        text,
        "\nMicroseconds on {} with {}; {}, {flags}; {} messages of 32 bytes, each measured {} times. In each cell: ML-DSA-44 / 65 / 87.\n",
        machine.cpu,
        machine.features.join(", "),
        run.compiler.rustc,
        machine.messages,
        machine.rounds
    )?;
    heading(&mut text, "", &OPS.map(|(_, name)| name))?;
    for peer in peers {
        let name = label(peer);
        let cells =
            OPS.map(|(op, _)| cell(run, peer, op, |row| Some(time(row.typical, row.random))));
        line(&mut text, &name, &cells)?;
    }
    for (name, value) in [
        (
            format!(
                "**{}: times as fast as the fastest of the others**",
                label(best)
            ),
            faster as fn(&Row) -> Option<String>,
        ),
        (format!("{}: Keccak budget", label(best)), |row| {
            row.budget.map(|budget| time(budget, false))
        }),
        (
            format!("{}: times the Keccak budget", label(best)),
            over_budget,
        ),
    ] {
        let cells = OPS.map(|(op, _)| cell(run, best, op, value));
        line(&mut text, &name, &cells)?;
    }
    attempts(&mut text, run, best)?;
    text.push('\n');
    Ok(text)
}

/// Writes the table of the times of signing, which depend on the number of attempts.
fn attempts(text: &mut String, run: &Run, peer: &str) -> Result<()> {
    let Machine {
        messages, rounds, ..
    } = run.machine;
    writeln!(
        text,
        "\nThe time of a signature depends on how many attempts it takes. The table shows {} over the \
         {messages} messages, where each message counts with the shortest of its {rounds} times. The \
         maximum is thus the message with the most attempts, and not an interruption by the machine.\n",
        label(peer)
    )?;
    heading(text, "", &["min", "median", "mean", "max"])?;
    for level in LEVELS {
        for (op, name) in OPS.into_iter().filter(|(op, _)| op.0 == "sign") {
            if let Some(row) = run.row(peer, level, op) {
                let cells = [row.min, row.median, row.mean, row.max].map(|us| time(us, false));
                line(text, &format!("{level}, {name}"), &cells)?;
            }
        }
    }
    Ok(())
}

/// The name of a peer in the table.
pub(crate) fn label(peer: &str) -> String {
    match peer {
        "moissanite-avx512" => "Moissanite, AVX-512".into(),
        "moissanite-avx2" => "Moissanite, AVX2".into(),
        "moissanite-neon" => "Moissanite, NEON".into(),
        "moissanite-portable" => "Moissanite, portable".into(),
        "rustcrypto" => "RustCrypto ml-dsa".into(),
        "ml-dsa-compat" => "Moissanite, by the API of ml-dsa".into(),
        "libcrux-portable" => "libcrux, portable".into(),
        "libcrux-avx2" => "libcrux, AVX2".into(),
        "pqclean-avx2" => "PQClean, AVX2 (pqcrypto)".into(),
        "aws-lc-raw" => "AWS-LC, below its API".into(),
        "boringssl" => "BoringSSL".into(),
        "openssl" => "OpenSSL".into(),
        other => other.into(),
    }
}

/// Three digits, or whole microseconds; a tilde where keys or signatures are random.
pub(crate) fn time(us: f64, random: bool) -> String {
    let tilde = if random { "~" } else { "" };
    let decimals = if us < 10.0 {
        2
    } else {
        usize::from(us < 100.0)
    };
    format!("{tilde}{us:.decimals$}")
}

fn faster(row: &Row) -> Option<String> {
    Some(format!("**{:.2}**", row.rival_time? / row.typical))
}

fn over_budget(row: &Row) -> Option<String> {
    Some(format!("{:.2}", row.typical / row.budget?))
}

/// The values of all levels, or nothing if one is missing.
fn cell(run: &Run, peer: &str, op: (&str, &str), value: impl Fn(&Row) -> Option<String>) -> String {
    let values = LEVELS.map(|level| run.row(peer, level, op).and_then(&value));
    let values: Option<Vec<_>> = values.into_iter().collect();
    values.map_or(String::new(), |values| values.join(" / "))
}

fn heading(text: &mut String, first: &str, names: &[&str]) -> Result<()> {
    line(
        text,
        first,
        &names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>(),
    )?;
    Ok(writeln!(text, "| --- |{}", " ---: |".repeat(names.len()))?)
}

fn line(text: &mut String, name: &str, cells: &[String]) -> Result<()> {
    Ok(writeln!(text, "| {name} | {} |", cells.join(" | "))?)
}
