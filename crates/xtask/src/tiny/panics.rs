//! `cargo xtask tiny --panics` checks that firmware with all operations of the streams contains no panic and no
//! formatting code. The linker keeps only the functions that another function refers to, so that a program without
//! such a symbol cannot reach one.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};

use super::symbols;
use crate::process;

/// The targets of 32 bits without an operating system.
const TARGETS: [&str; 7] = [
    "thumbv6m-none-eabi",
    "thumbv7m-none-eabi",
    "thumbv7em-none-eabi",
    "thumbv7em-none-eabihf",
    "thumbv8m.main-none-eabi",
    "riscv32imc-unknown-none-elf",
    "riscv32imac-unknown-none-elf",
];
/// The levels of optimisation and the features of the program. At the levels s and z, the compiler keeps checks of
/// the fast streams that can never fail.
const FORMS: [(&str, &str); 6] = [
    ("2", ""),
    ("3", ""),
    ("2", "tiny"),
    ("3", "tiny"),
    ("'s'", "tiny"),
    ("'z'", "tiny"),
];
/// The begins of names of panics and of formatting code.
const UNWANTED: [&str; 4] = [
    "core::panicking",
    "core::fmt",
    "<core::fmt",
    "core::slice::index::slice_",
];

/// Builds and searches all programs, or one that the commit chooses.
pub(super) fn run(project: &Path, sample: bool) -> Result<()> {
    let mut chosen: Vec<_> = TARGETS
        .iter()
        .flat_map(|target| FORMS.map(|form| (*target, form)))
        .collect();
    if sample {
        chosen = vec![process::chosen_by_commit(&chosen)?];
    }
    let mut findings = Vec::new();
    for (target, (level, features)) in chosen {
        if !process::has_library(&process::compiler(), target) {
            println!("NOT CHECKED: there is no library for {target}");
            continue;
        }
        let what = format!("{target}, level {level}, features {features:?}");
        let folder = project.join("target/panics");
        let mut cargo = process::cargo(["build", "--quiet", "--release", "--bin", "operations"]);
        cargo.args(["--target", target, "--features", features]);
        cargo.args(["--config", &format!("profile.release.opt-level = {level}")]);
        cargo.arg("--target-dir").arg(&folder).current_dir(project);
        process::run(cargo.env_remove("RUSTFLAGS"))?;
        let elf = fs::read(folder.join(target).join("release/operations"))?;
        let names = symbols::of(&elf)?;
        ensure!(
            names.iter().any(|(_, name)| name.contains("moissanite")),
            "{what}: the program has no operation"
        );
        let unwanted = names.iter().filter(|(_, name)| {
            let mut begins = UNWANTED.iter();
            begins.any(|begin| name.starts_with(begin))
        });
        findings.extend(unwanted.map(|(_, name)| format!("{what}: {name}")));
    }
    ensure!(
        findings.is_empty(),
        "these programs contain panics or formatting code:\n{}",
        findings.join("\n")
    );
    println!("tiny: no program contains a panic or formatting code");
    Ok(())
}
