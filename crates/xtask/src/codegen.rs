//! `cargo xtask codegen` checks that every intrinsic and every kernel is inlined into the function of
//! its backend.
//!
//! A call costs several times as much as the intrinsic, and without this job only the time would show it. The
//! job reads the compiler's assembly of crates/xtask/probe and of the permutations for each target, so it
//! needs no disassembler and no linker, and all symbols are available. Programs contain the same code,
//! because the profile has no link-time optimisation and one codegen unit. Two conditions must hold:
//!
//! - no intrinsic, no method of a register and no part of a kernel is a function of its own;
//! - the functions of a backend contain no more calls, panics and stores to the stack than
//!   crates/xtask/codegen.txt records. With another compiler, only the calls are compared.
//!
//! With any of the arguments of [`emitted`], the job checks instead that no branch, no division and no
//! address in the code depends on a secret.

mod assembly;
mod emitted;
mod functions;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::baseline::{self, Baseline, OtherCompiler, Section, Sections};
use crate::process;
use assembly::should_be_inline;

const TARGETS: [&str; 3] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "thumbv7em-none-eabihf",
];
/// The packages with the functions; generic functions are compiled where they are used.
const PACKAGES: [&str; 2] = ["moissanite-probe", "moissanite-keccak"];
const BASELINE: Baseline = Baseline {
    job: "codegen",
    file: "crates/xtask/codegen.txt",
    about: "The compiler's code of the functions of each backend: calls; calls that copy or clear memory,\n\
            or that go through a register, as such calls may; calls that panic; stores to the stack, which\n\
            are spilt registers and arrays.",
    tolerance: 0,
    // Compilers differ in what they spill, but not in what they inline.
    other_compiler: OtherCompiler::Column("calls"),
};

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    baseline: baseline::Arguments,
    #[command(flatten)]
    emitted: emitted::Arguments,
}

/// Compiles for every target that this machine has a compiler for, and compares or records.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.emitted.is_asked_for() {
        return emitted::run(&arguments.emitted);
    }
    let (mut outlined, mut sections) = (BTreeSet::new(), Sections::new());
    for target in TARGETS {
        let Some(compiler) = Compiler::with(target)? else {
            println!("NOT CHECKED: no compiler here has the library for {target}");
            continue;
        };
        let mut functions = Vec::new();
        for package in PACKAGES {
            functions.extend(assembly::functions(&compiler.assembly(package, target)?));
        }
        let names = functions.iter().flat_map(|function| {
            let called = function.calls.iter().chain(&function.loaded);
            std::iter::once(&function.name).chain(called)
        });
        let found = names.filter(|name| should_be_inline(name));
        outlined.extend(found.map(|name| format!("{target}: {name}")));
        let mut section = Section::new(compiler.version, &functions::COLUMNS);
        section.rows = functions::figures(&functions).into_iter().collect();
        ensure!(
            !section.rows.is_empty(),
            "{target}: no function of a backend found"
        );
        sections.insert(target.to_owned(), section);
    }
    let outlined: Vec<_> = outlined.into_iter().collect();
    ensure!(
        outlined.is_empty(),
        "codegen: these functions are not inlined (the assembly is in target/codegen):\n{}",
        outlined.join("\n")
    );
    println!("codegen: every kernel is inlined");
    BASELINE.settle(sections, &arguments.baseline)
}

/// Returns the version of the compiler and the innermost loops of the functions of backends, by the names
/// of the baseline; `None` if no compiler has the library for the target.
pub(crate) fn loops(target: &str) -> Result<Option<(String, Loops)>> {
    let Some(compiler) = Compiler::with(target)? else {
        return Ok(None);
    };
    let mut loops = Loops::new();
    for package in PACKAGES {
        let assembly = compiler.assembly(package, target)?;
        for (name, found) in assembly::loops(&assembly) {
            if let Some(name) = functions::short(&name) {
                let found = found.into_iter().map(|lines| lines.join("\n"));
                loops.entry(name).or_default().extend(found);
            }
        }
    }
    Ok(Some((compiler.version, loops)))
}

/// The text of each loop of each function.
pub(crate) type Loops = BTreeMap<String, Vec<String>>;

/// A compiler for a target.
struct Compiler {
    rustc: PathBuf,
    version: String,
}

impl Compiler {
    fn with(target: &str) -> Result<Option<Self>> {
        let Some(rustc) = process::compiler_for(target) else {
            return Ok(None);
        };
        let version = process::version(&rustc)?;
        Ok(Some(Self { rustc, version }))
    }

    /// Compiles a package to assembly, whose symbols name the kernel and the backend.
    fn assembly(&self, package: &str, target: &str) -> Result<String> {
        let folder = process::target_directory()?.join("codegen");
        std::fs::create_dir_all(&folder)?;
        // The outputs of different compilers must be in different folders, as in cargo.
        let version = self.version.split(' ').nth(1).unwrap_or_default();
        let path = folder.join(format!("{package}-{target}-{version}.s"));
        let mut cargo = process::cargo(["rustc", "--quiet", "--locked", "--release", "--lib"]);
        cargo.args(["--package", package, "--target", target, "--"]);
        cargo.args(["-C", "symbol-mangling-version=v0", "--emit"]);
        let name = path.display();
        cargo.arg(format!("asm={name}")).env("RUSTC", &self.rustc);
        process::run(&mut cargo)?;
        std::fs::read_to_string(&path)
            .with_context(|| format!("{name} is missing; run `cargo clean`, then this job again"))
    }
}
