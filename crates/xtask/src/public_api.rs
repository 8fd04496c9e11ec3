//! `cargo xtask public-api` compares the public items of the libraries with those that were recorded, so
//! that no change of the API goes unnoticed.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, ensure};

use crate::baseline::Arguments;
use crate::process;

/// The libraries for users. Those below them can change with each minor version.
const LIBRARIES: [&str; 10] = [
    "moissanite",
    "moissanite-cms",
    "moissanite-composite",
    "moissanite-embassy-boot",
    "moissanite-rustls",
    "moissanite-mcuboot",
    "moissanite-ssh",
    "moissanite-tlog",
    "moissanite-tokens",
    "moissanite-zk-dilithium",
];
const FOLDER: &str = "crates/xtask/public-api";

/// Compares the lists, or records them.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut changed = Vec::new();
    for library in LIBRARIES {
        let items = items(library)?;
        let file = process::root().join(format!("{FOLDER}/{library}.txt"));
        if arguments.write {
            fs::write(&file, items.join("\n") + "\n").context(FOLDER)?;
            println!("public-api: {library} has {} items, recorded", items.len());
            continue;
        }
        let recorded = process::read(&file)?;
        let recorded: BTreeSet<&str> = recorded.lines().collect();
        let items: BTreeSet<&str> = items.iter().map(String::as_str).collect();
        let removed = recorded.difference(&items).map(|item| format!("- {item}"));
        let added = items.difference(&recorded).map(|item| format!("+ {item}"));
        changed.extend(removed.chain(added));
        println!("public-api: {library} has {} items", items.len());
    }
    ensure!(
        changed.is_empty(),
        "the public API differs from {FOLDER}; `cargo xtask public-api --write` records it:\n{}",
        changed.join("\n")
    );
    Ok(())
}

/// Returns a line for each public item of a library, with all features.
fn items(library: &str) -> Result<Vec<String>> {
    let mut cargo = process::cargo(["rustdoc", "--quiet", "--lib", "--all-features", "--locked"]);
    cargo.args(["--package", library, "--", "-Zunstable-options"]);
    // The stable compiler has the format, but not as a stable option.
    cargo
        .args(["--output-format", "json"])
        .env("RUSTC_BOOTSTRAP", "1");
    process::run(&mut cargo)?;
    let json = format!("doc/{}.json", library.replace('-', "_"));
    let api = public_api::Builder::from_rustdoc_json(process::target_directory()?.join(json))
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()?;
    Ok(api.items().map(ToString::to_string).collect())
}
