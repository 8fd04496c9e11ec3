//! Plants leaks in a copy of the tree and checks that they are found.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::compare::compare;
use crate::machine;
use crate::probe::{self, Build};
use crate::report::Report;
use crate::targets::{TARGETS, Target};
use crate::trace::Kind;

/// The place of a leak: the beginning of a function that also receives secrets.
struct Place {
    file: &'static str,
    function: &'static str,
    /// The argument that contains the secret.
    secret: &'static str,
    backend: &'static str,
    /// A part of the names of the functions in which the leak must be found.
    named: &'static str,
}

static PLACES: [Place; 5] = [
    Place {
        file: "portable.rs",
        function: "fn load(self, from: &i32) -> i32 {",
        secret: "*from",
        backend: "portable",
        named: "Portable",
    },
    Place {
        file: "avx2.rs",
        function: "fn load(self, from: &[i32; 8]) -> __m256i {",
        secret: "from[3]",
        backend: "avx2",
        named: "Avx2",
    },
    Place {
        file: "avx512.rs",
        function: "fn load(self, from: &[i32; 16]) -> __m512i {",
        secret: "from[3]",
        backend: "avx512",
        named: "Avx512",
    },
    Place {
        file: "neon.rs",
        function: "fn load(self, from: &[i32; 4]) -> int32x4_t {",
        secret: "from[3]",
        backend: "neon",
        named: "Neon",
    },
    Place {
        file: "armv7.rs",
        function: "pub(crate) fn ntt_in_place<F: Field>(w: &mut [i32; N]) {",
        secret: "w[3]",
        backend: "armv7",
        named: "rmv7",
    },
];

/// The kinds of leaks and their code.
const LEAKS: [(Kind, &str); 3] = [
    (
        Kind::Branch,
        "if core::hint::black_box(SECRET) & 1 == 1 { core::hint::black_box(1); }",
    ),
    (
        Kind::Division,
        "core::hint::black_box(1_000_u32 / (core::hint::black_box(SECRET) as u32 | 1));",
    ),
    (
        Kind::Address,
        "core::hint::black_box(core::hint::black_box(&[1_u8; 64])[(SECRET & 63) as usize]);",
    ),
];

/// Functions, and the kind of leak in each.
type Functions = BTreeSet<(String, Kind)>;

/// The targets whose backends include each file.
const WITH: [&str; 3] = ["x86_64", "aarch64", "thumbv7em"];
const LEVEL: &str = "1";
/// ML-DSA-44.
const SCHEME: u32 = 0;

/// Plants each kind of leak in each backend of the named targets, or of all of [`WITH`].
pub(crate) fn run(tree: &Path, folder: &Path, only: &[String]) -> Result<()> {
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
    copy_tree(tree, &copy)?;
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
    for (kind, leak) in LEAKS {
        copy_tree(tree, &copy)?;
        for place in &PLACES {
            plant(&copy, place, leak)?;
        }
        for target in &targets {
            find(build(), target, kind)?;
        }
    }
    println!("emitted: all planted leaks are found");
    Ok(())
}

/// Copies the files that git tracks, as they are in the working tree.
fn copy_tree(tree: &Path, copy: &Path) -> Result<()> {
    let files = Command::new("git")
        .args(["ls-files", "-z", "Cargo.toml", "benches/emitted", "crates"])
        .current_dir(tree)
        .output()
        .context("cannot start git")?;
    ensure!(
        files.status.success(),
        "git cannot list the files of the tree"
    );
    let files = String::from_utf8(files.stdout)?;
    for file in files.split('\0').filter(|file| !file.is_empty()) {
        let to = copy.join(file);
        let text = std::fs::read(tree.join(file)).with_context(|| file.to_owned())?;
        // An unchanged file keeps its time, so cargo does not compile it again.
        if std::fs::read(&to).is_ok_and(|there| there == text) {
            continue;
        }
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&to, text)?;
    }
    Ok(())
}

fn plant(copy: &Path, place: &Place, leak: &str) -> Result<()> {
    let path = copy.join("crates/core/src/backend").join(place.file);
    let text = std::fs::read_to_string(&path)?;
    let Place { function, file, .. } = place;
    ensure!(text.contains(function), "{file} has no {function}");
    let leak = leak.replace("SECRET", place.secret);
    std::fs::write(
        &path,
        text.replace(function, &format!("{function}\n{leak}")),
    )?;
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
        let Some(place) = PLACES.iter().find(|place| place.backend == *name) else {
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
