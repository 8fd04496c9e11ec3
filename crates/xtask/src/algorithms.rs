//! `cargo xtask algorithms` checks the table of algorithms and files on the front page of the core.
//!
//! Each row of the table names algorithms of FIPS 204 and their files. A doc comment with a name, such as
//! `Algorithm 39 (MakeHint)`, marks the implementation; without the name, it only refers to the algorithm.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use regex::Regex;

use crate::process;

/// The algorithms of FIPS 204, from 1 on.
const NAMES: [&str; 49] = [
    "ML-DSA.KeyGen",
    "ML-DSA.Sign",
    "ML-DSA.Verify",
    "HashML-DSA.Sign",
    "HashML-DSA.Verify",
    "ML-DSA.KeyGen_internal",
    "ML-DSA.Sign_internal",
    "ML-DSA.Verify_internal",
    "IntegerToBits",
    "BitsToInteger",
    "IntegerToBytes",
    "BitsToBytes",
    "BytesToBits",
    "CoeffFromThreeBytes",
    "CoeffFromHalfByte",
    "SimpleBitPack",
    "BitPack",
    "SimpleBitUnpack",
    "BitUnpack",
    "HintBitPack",
    "HintBitUnpack",
    "pkEncode",
    "pkDecode",
    "skEncode",
    "skDecode",
    "sigEncode",
    "sigDecode",
    "w1Encode",
    "SampleInBall",
    "RejNTTPoly",
    "RejBoundedPoly",
    "ExpandA",
    "ExpandS",
    "ExpandMask",
    "Power2Round",
    "Decompose",
    "HighBits",
    "LowBits",
    "MakeHint",
    "UseHint",
    "NTT",
    "NTT⁻¹",
    "BitRev8",
    "AddNTT",
    "MultiplyNTT",
    "AddVectorNTT",
    "ScalarVectorNTT",
    "MatrixVectorNTT",
    "MontgomeryReduce",
];

/// These files only repeat the algorithms: they call or test them.
const ELSEWHERE: [&str; 3] = ["backend.rs", "reference.rs", "tests/"];

/// The files of each algorithm.
type Places = BTreeMap<usize, BTreeSet<String>>;

/// Compares the table with the comments, in both directions.
pub(crate) fn run() -> Result<()> {
    let src = process::root().join("crates/core/src");
    let front_page = std::fs::read_to_string(src.join("lib.rs")).context("lib.rs of the core")?;
    let table = table(&front_page)?;
    let comments = comments(&src)?;
    for (number, files) in &table {
        // A file of a row need not have all its algorithms, but no algorithm may be missing.
        let there = comments.get(number);
        let named = there.is_some_and(|there| !there.is_disjoint(files));
        ensure!(
            named,
            "no comment in {files:?} names Algorithm {number} ({})",
            name(*number)
        );
        for file in files {
            let exists = src.join(file).is_file();
            ensure!(exists, "{file}, which the table names, does not exist");
        }
    }
    for (number, files) in &comments {
        for file in files {
            let listed = table.get(number).is_some_and(|files| files.contains(file));
            let name = name(*number);
            ensure!(
                listed,
                "a comment in {file} names Algorithm {number} ({name}), but the table does not"
            );
        }
    }
    println!(
        "algorithms: the table gives the right files for all {} algorithms",
        table.len()
    );
    Ok(())
}

fn name(number: usize) -> &'static str {
    number
        .checked_sub(1)
        .and_then(|index| NAMES.get(index))
        .unwrap_or(&"?")
}

/// The rows `| Algorithms 16 to 19 | names | file, file |`.
fn table(front_page: &str) -> Result<Places> {
    let row = Regex::new(r"(?m)^//! \| Algorithms? ([^|]+) \| ([^|]+) \| ([^|]+) \|$")?;
    let mut table = Places::new();
    for (_, [numbers, _, files]) in row.captures_iter(front_page).map(|row| row.extract()) {
        for range in numbers.split(", ") {
            let (first, last) = range.split_once(" to ").unwrap_or((range, range));
            for number in first.parse()?..=last.parse()? {
                ensure!(name(number) != "?", "FIPS 204 has no Algorithm {number}");
                let files = files.split(", ").map(str::to_owned).collect();
                ensure!(
                    table.insert(number, files).is_none(),
                    "Algorithm {number} has two rows"
                );
            }
        }
    }
    ensure!(
        !table.is_empty(),
        "lib.rs of the core has no table of algorithms"
    );
    // Without an empty line, the rows would belong to the table above.
    ensure!(
        front_page.contains("//!\n//! | FIPS 204 |"),
        "the table of algorithms in lib.rs of the core does not begin after an empty line"
    );
    Ok(table)
}

/// Each `Algorithm N (Name)` in a doc comment, or `Algorithms N (Name) and M (Name)`.
fn comments(src: &Path) -> Result<Places> {
    let named = Regex::new(r"(?:Algorithms? |and )(\d+) \(([^() ]+)\)")?;
    let mut comments = Places::new();
    for path in process::files(src)? {
        let file = path.strip_prefix(src)?.to_string_lossy().replace('\\', "/");
        if ELSEWHERE
            .iter()
            .any(|elsewhere| file.starts_with(elsewhere))
        {
            continue;
        }
        let text = std::fs::read_to_string(&path)?;
        let lines = text.lines().map(str::trim_start);
        let docs: Vec<_> = lines.filter_map(|line| line.strip_prefix("///")).collect();
        for (_, [number, given]) in named
            .captures_iter(&docs.concat())
            .map(|named| named.extract())
        {
            let number = number.parse()?;
            let right = name(number);
            ensure!(
                given == right,
                "{file}: Algorithm {number} is {right}, not {given}"
            );
            comments.entry(number).or_default().insert(file.clone());
        }
    }
    Ok(comments)
}
