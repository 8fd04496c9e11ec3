//! Plants leaks in a copy of the tree and checks that they are found.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use moissanite_emitted_cases::planted::{self, LEVEL, Leak, Place, SCHEME};
use moissanite_emitted_cases::probe::{self, Build};
use moissanite_emitted_cases::targets::{TARGETS, Target};

use crate::compare::compare;
use crate::machine;
use crate::report::Report;
use crate::trace::Kind;

/// The kinds of leaks, and what is found.
const LEAKS: [(Leak, Kind); 3] = [
    (Leak::Branch, Kind::Branch),
    (Leak::Division, Kind::Division),
    (Leak::Address, Kind::Address),
];

/// Functions, and the kind of leak in each.
type Functions = BTreeSet<(String, Kind)>;

/// The targets whose backends include each file.
const WITH: [&str; 3] = ["x86_64", "aarch64", "thumbv7em"];

/// Plants each kind of leak in each backend of the named targets, or of all of [`WITH`].
pub fn run(tree: &Path, folder: &Path, only: &[String]) -> Result<()> {
    let copy = folder.join("planted");
    let targets = TARGETS
        .iter()
        .filter(|target| WITH.contains(&target.name))
        .filter(|target| only.is_empty() || only.iter().any(|name| name == target.name));
    let mut targets: Vec<_> = targets.collect();
    ensure!(
        !targets.is_empty(),
        "these targets have leaks planted: {WITH:?}"
    );
    targets.retain(|target| {
        let installed = probe::is_installed(target);
        if !installed {
            println!("NOT CHECKED: there is no library for {}", target.triple);
        }
        installed
    });
    let build = || Build {
        tree: &copy,
        folder,
        level: LEVEL,
        checks: false,
    };
    planted::copy_tree(tree, &copy)?;
    // Without a planted leak, nothing may be found. Otherwise a later finding could have another cause.
    for target in &targets {
        for (place, functions) in look(build(), target)? {
            let file = place.file;
            ensure!(
                functions.is_empty(),
                "{file} on {}: without a planted leak, {functions:?} show a secret",
                target.name
            );
            println!("{file} on {}: nothing is found without a leak", target.name);
        }
    }
    for (leak, kind) in LEAKS {
        planted::plant(tree, &copy, leak)?;
        for target in &targets {
            find(build(), target, kind)?;
        }
    }
    println!("emitted: all planted leaks are found");
    Ok(())
}

/// Checks that a kind of leak is found in all backends of a target in which it was planted.
fn find(build: Build<'_>, target: &Target, kind: Kind) -> Result<()> {
    for (place, functions) in look(build, target)? {
        let (file, target) = (place.file, target.name);
        let found = functions
            .iter()
            .find(|(function, found)| *found == kind && function.contains(place.named));
        let (function, _) = found.with_context(|| {
            format!("{file} on {target}: a planted {kind} is not found, but {functions:?}")
        })?;
        println!("{file} on {target}: a planted {kind} is found in {function}");
    }
    Ok(())
}

/// Returns the functions that leak a secret, for each backend of a target with a place for leaks.
fn look(build: Build<'_>, target: &Target) -> Result<Vec<(&'static Place, Functions)>> {
    let code = build.program("probe", target)?;
    let (program, mut machine) = machine::load(&code, target)?;
    let mut found = Vec::new();
    for (name, number) in target.backends {
        let Some(place) = planted::place(name) else {
            continue;
        };
        let mut report = Report::default();
        let backend = (*name, *number);
        if compare(&program, machine.as_mut(), backend, &[SCHEME], &mut report)? {
            found.push((place, report.functions(&program)));
        } else {
            println!("NOT CHECKED: this machine has no {name}");
        }
    }
    Ok(found)
}
