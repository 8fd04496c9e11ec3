//! Tests that operations need no more stack than threads have: 512 KiB on some systems, 128 KiB
//! with musl. `cargo xtask stack` measures the stack of each operation.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::scratch::Scratch;

/// Runs one operation of a program on a thread with a given stack.
const RUNNER: &str = include_str!("stack/runner.rs");

/// A program that calls the operations of a package.
struct Program {
    package: &'static str,
    features: &'static [&'static str],
    /// A module with a function `operations`.
    operations: &'static str,
}

const PROGRAMS: [Program; 2] = [
    Program {
        package: "moissanite",
        features: &["alloc", "pkcs8"],
        operations: include_str!("stack/moissanite.rs"),
    },
    Program {
        package: "moissanite-zk-dilithium",
        features: &["alloc"],
        operations: include_str!("stack/zk_dilithium.rs"),
    },
];

#[test]
fn debug_builds_fit_512_kib() {
    PROGRAMS
        .iter()
        .for_each(|program| fits(program, "dev", 512));
}

#[test]
fn release_builds_fit_128_kib() {
    PROGRAMS
        .iter()
        .for_each(|program| fits(program, "release", 128));
}

/// Fails if an operation needs more stack than `limit` KiB, at opt-level 0 (`dev`) or 3 (`release`).
fn fits(program: &Program, profile: &str, limit: usize) {
    if !on_the_host() {
        say("SKIPPED: programs that cargo builds here do not run on the machine of this test");
        return;
    }
    let scratch = Scratch::new(program.package, program.features, profile, RUNNER);
    scratch.write("program.rs", program.operations);
    let mut cargo = scratch.cargo("build");
    let output = cargo.args(["--profile", profile]).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}");

    let program = scratch.program(profile);
    let names = Command::new(&program).output().unwrap().stdout;
    let names = String::from_utf8(names).unwrap();
    for operation in names.lines() {
        run(&program, limit << 10, operation).unwrap();
    }
    // The test must detect a stack that is too small.
    let last = names.lines().last().unwrap();
    run(&program, 16 << 10, last).unwrap_err();
}

/// Runs an operation with a number of bytes of stack.
///
/// # Errors
/// A description of the result, if the program failed.
fn run(program: &Path, stack: usize, operation: &str) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args([&stack.to_string(), operation]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let ended = output.status.success();
    ended
        .then_some(())
        .ok_or_else(|| format!("{operation}: {output:?}"))
}

/// Prints a text. The test harness hides the output of tests that pass, but not this.
fn say(text: &str) {
    writeln!(std::io::stderr().lock(), "{text}").unwrap();
}

/// Whether cargo builds for the machine of this test. Under an emulator, it builds for the host instead.
fn on_the_host() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().unwrap();
    let version = String::from_utf8(output.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.unwrap().starts_with(std::env::consts::ARCH)
}
