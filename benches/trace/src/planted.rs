//! Plants leaks in a copy of the tree and checks that they are found.

use anyhow::{Result, bail, ensure};
use moissanite_emitted_cases::planted::{self, LEVEL, Leak, SCHEME};
use moissanite_emitted_cases::probe::{self, Build};
use moissanite_emitted_cases::targets::{Kind, TARGETS, Target};

use crate::compare::{Case, Compared};
use crate::folders::Folders;
use crate::machine;
use crate::program::Program;

/// A trace does not show the operands of a division.
const LEAKS: [Leak; 2] = [Leak::Branch, Leak::Address];

/// The number of events to compare where each instruction is a step, which takes long.
const STEPPED: u64 = 1 << 20;

/// Plants each kind of leak in each backend of the named targets, or of all.
pub(crate) fn run(folders: &Folders, only: &[String]) -> Result<()> {
    for name in only {
        ensure!(
            TARGETS.iter().any(|target| target.name == name),
            "there is no target {name}"
        );
    }
    let targets = TARGETS
        .iter()
        .filter(|target| machine::is_supported(target))
        .filter(|target| only.is_empty() || only.iter().any(|name| name == target.name));
    let targets: Vec<_> = targets.collect();
    ensure!(
        !targets.is_empty(),
        "no machine is written for these targets"
    );
    let copy = folders.probe.join("planted");
    for leak in [None].into_iter().chain(LEAKS.map(Some)) {
        match leak {
            // Without a planted leak, nothing may be found. Otherwise a later finding could have another cause.
            None => planted::copy_tree(&folders.tree, &copy)?,
            Some(leak) => planted::plant(&folders.tree, &copy, leak)?,
        }
        let build = Build {
            tree: &copy,
            folder: &folders.probe,
            level: LEVEL,
            checks: false,
        };
        for target in &targets {
            find(folders, build, target, leak)?;
        }
    }
    println!("trace: all planted leaks are found");
    Ok(())
}

/// Checks that a leak is found in all backends of a target, or nothing if none is planted.
fn find(folders: &Folders, build: Build<'_>, target: &Target, leak: Option<Leak>) -> Result<()> {
    let name = target.name;
    if !probe::is_installed(target) {
        println!("NOT CHECKED: there is no library for {}", target.triple);
        return Ok(());
    }
    let machine = match machine::machine(target, &folders.runs)? {
        Ok(machine) => machine,
        Err(reason) => {
            println!("NOT CHECKED: {name}: {reason}");
            return Ok(());
        }
    };
    let program = Program::read(build.program("probe", target)?)?;
    for (backend, number) in target.backends {
        let Some(place) = planted::place(backend) else {
            bail!("no leak is planted in {backend}");
        };
        let case = Case {
            program: &program,
            machine: machine.as_ref(),
            backend: *number,
            scheme: SCHEME,
            secrets: 2,
            // All operations begin with the generation of a key, whose kernels have all of the leaks.
            limit: (target.kind == Kind::Native).then_some(STEPPED),
        };
        let file = place.file;
        match (case.compare()?, leak) {
            (Compared::NoSuchBackend, _) => {
                println!("NOT CHECKED: this machine has no {backend}");
            }
            (Compared::Equal(_), None) => {
                println!("{file} on {name}, {backend}: nothing is found without a leak");
            }
            (Compared::Equal(_), Some(leak)) => {
                bail!("{file} on {name}, {backend}: a planted {leak} is not found");
            }
            (Compared::Different(difference), None) => {
                let found = difference.describe(&program);
                bail!("{file} on {name}, {backend}: without a planted leak, {found}");
            }
            (Compared::Different(difference), Some(leak)) => {
                let found = difference.describe(&program);
                ensure!(
                    found.contains(place.named),
                    "{file} on {name}, {backend}: a planted {leak} is not found, but {found}"
                );
                println!("{file} on {name}, {backend}: a planted {leak} is found {found}");
            }
        }
    }
    Ok(())
}
