//! Programs whose code contains the kernels.
//!
//! A theorem calls functions of the probe. With a program, each kernel that such a call reaches is not that of
//! the probe but the program's function of the same name, generic arguments included. The probe then only
//! prepares the arguments. A program may have several copies of a kernel, of which each is executed. Kernels
//! that the compiler inlined into their callers have no name, so that no theorem is about them.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;

use crate::image::Image;
use crate::machine::{Executor, Limits};
use crate::probe;
use crate::processor::Trace;
use crate::theorems::Theorem;

/// A program to be built.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Program {
    /// The command `moissanite`, with the profile of a release
    Command,
    /// A program in a workspace of its own that depends on the facade, with cargo's own profile
    Downstream,
}

impl Program {
    /// Builds the program and returns its path. Its symbols have the generic arguments in their names.
    pub(crate) fn build(self) -> Result<PathBuf> {
        let tree = probe::tree()?;
        let (package, folder, name) = match self {
            Self::Command => ("crates/cli", "command", "moissanite"),
            Self::Downstream => (
                "benches/prover/downstream",
                "downstream",
                "moissanite-prover-downstream",
            ),
        };
        let folder = probe::target_folder(&tree).join(folder);
        let status = Command::new("cargo")
            .args(["build", "--quiet", "--locked", "--release"])
            .arg("--manifest-path")
            .arg(tree.join(package).join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&folder)
            .env("RUSTFLAGS", "-Csymbol-mangling-version=v0")
            .status()
            .context("cannot start cargo")?;
        ensure!(status.success(), "{package} does not compile");
        Ok(folder.join("release").join(name))
    }
}

/// Proves a theorem, for each copy of the functions if a program has several. Returns what is proved, and what
/// was executed.
pub(crate) fn prove(theorem: &Theorem, image: &Image) -> Result<(String, Trace)> {
    let (mut all, mut copy) = (Trace::default(), 0);
    loop {
        let mut executor = Executor::new(image, Limits::default());
        executor.copy = copy;
        let said = theorem.prove(&mut executor)?;
        all.add(&executor.trace);
        copy += 1;
        if copy >= all.copies {
            return Ok((said, all));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::Architecture;
    use crate::probe::Build;
    use crate::theorems;

    /// The code of the program is executed, and not that of the probe: here, the program is the probe itself
    /// at another address, with one changed bit.
    #[test]
    fn theorems_are_about_the_program() {
        let build = Build::release(Architecture::X86_64);
        let mut image = build.image().unwrap();
        image.add_program(&build.path().unwrap()).unwrap();
        let all = theorems::all(Architecture::X86_64);
        let mut about_the_program = 0;
        for theorem in all.iter().filter(|theorem| theorem.name == "ntt") {
            let (_, trace) = prove(theorem, &image).unwrap();
            let Some(at) = trace.replaced.first() else {
                continue;
            };
            about_the_program += 1;
            let mut image = image.clone();
            // The instruction after the first ones, which prepare the stack.
            let at = trace.code.range(at..).nth(20).unwrap();
            image.flip(*at, 5).unwrap();
            assert!(prove(theorem, &image).is_err());
        }
        assert_eq!(about_the_program, 2, "AVX2 and AVX-512");
    }
}
