//! `cargo xtask tiny --panics` checks that firmware with all operations of the streams contains no panic and no
//! formatting code. The linker keeps only the functions that another function refers to, so that a program without
//! such a symbol cannot reach one.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};

use super::project::{Program, STREAMS, WHOLE};
use super::symbols;
use crate::document::SETS;
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
/// The programs, the features, and the levels of optimisation at which the programs have no panic. The other types
/// than the streams have some at level z, at which the compiler does not inline the checks that can never fail.
const FORMS: [(Program, &str, &[&str]); 3] = [
    (STREAMS, "", &["2", "3", "'s'", "'z'"]),
    (STREAMS, "tiny", &["2", "3", "'s'", "'z'"]),
    (WHOLE, "", &["2", "3", "'s'"]),
];
/// The begins of names of panics and of formatting code.
const UNWANTED: [&str; 5] = [
    "core::panicking",
    "core::fmt",
    "<core::fmt",
    "core::num::fmt",
    "core::slice::index::slice_",
];

/// The arguments that choose some programs.
#[derive(clap::Args)]
pub(super) struct Choice {
    /// With --panics, check only one target and level, which the commit chooses
    #[arg(long, requires = "panics")]
    sample: bool,
    /// With --panics, check only this target, such as thumbv6m-none-eabi
    #[arg(long, requires = "panics")]
    target: Option<String>,
}

/// Builds and searches all programs, or those that the arguments choose.
pub(super) fn run(project: &Path, choice: &Choice) -> Result<()> {
    let mut chosen = Vec::new();
    for target in TARGETS {
        if choice.target.as_ref().is_some_and(|only| only != target) {
            continue;
        }
        for (program, features, levels) in &FORMS {
            chosen.extend(
                levels
                    .iter()
                    .map(|level| (target, program, *features, *level)),
            );
        }
    }
    ensure!(!chosen.is_empty(), "no such target");
    if choice.sample {
        chosen = vec![process::chosen_by_commit(&chosen)?];
    }
    let mut findings = Vec::new();
    let mut searched = 0;
    for (target, program, features, level) in chosen {
        if !process::has_library(&process::compiler(), target) {
            println!("NOT CHECKED: there is no library for {target}");
            continue;
        }
        let folder = project.join("target/panics");
        let mut cargo = process::cargo(["build", "--quiet", "--release"]);
        for set in SETS {
            cargo.args(["--bin", &program.file(set)]);
        }
        cargo.args(["--target", target, "--features", features]);
        cargo.args(["--config", &format!("profile.release.opt-level = {level}")]);
        cargo.arg("--target-dir").arg(&folder).current_dir(project);
        process::run(cargo.env_remove("RUSTFLAGS"))?;
        for set in SETS {
            let file = program.file(set);
            let what = format!("{file}, {target}, level {level}, features {features:?}");
            let elf = fs::read(folder.join(target).join("release").join(file))?;
            findings.extend(search(&elf, &what)?);
            searched += 1;
        }
    }
    ensure!(
        findings.is_empty(),
        "these programs contain panics or formatting code:\n{}",
        findings.join("\n")
    );
    println!("tiny: none of {searched} programs contains a panic or formatting code");
    Ok(())
}

/// Returns a line for each symbol of a panic or of formatting code.
fn search(elf: &[u8], what: &str) -> Result<Vec<String>> {
    let names = symbols::of(elf)?;
    ensure!(
        names.iter().any(|(_, name)| name.contains("moissanite")),
        "{what}: the program has no operation"
    );
    let unwanted = names.iter().filter(|(_, name)| is_unwanted(name));
    Ok(unwanted
        .map(|(_, name)| format!("{what}: {name}"))
        .collect())
}

/// Whether a symbol is a panic or formatting code. An implementation of a trait has its name in the middle.
fn is_unwanted(name: &str) -> bool {
    UNWANTED.iter().any(|begin| name.starts_with(begin)) || name.contains(" as core::fmt::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_and_formatting_are_unwanted() {
        for name in [
            "core::panicking::panic_fmt",
            "core::fmt::write",
            "<core::fmt::Formatter as core::fmt::Write>::write_str",
            "<moissanite::error::InvalidKey as core::fmt::Debug>::fmt",
            "core::slice::index::slice_index_fail",
        ] {
            assert!(is_unwanted(name), "{name}");
        }
        for name in [
            "moissanite_core::stream::pieces::unpack",
            "core::ops::function::FnMut::call_mut",
            "core::option::Option<T>::map_or",
        ] {
            assert!(!is_unwanted(name), "{name}");
        }
    }
}
