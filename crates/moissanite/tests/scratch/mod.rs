//! What operations do in a program of a user's: a scratch crate with a workspace, a profile and a
//! target directory of its own, which depends on the crate under test. Its operations are in
//! `tests/scratch/program.rs` of that; `main.rs` beside this file runs them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const MANIFEST: &str = r#"
[package]
name = "scratch-NAME"
edition = "2024"
[workspace]
[dependencies]
NAME = { path = "HERE", default-features = false, features = FEATURES }
[profile.dev]
opt-level = 0
[profile.release]
opt-level = 3
"#;
const MAIN: &str = include_str!("main.rs");
const NAME: &str = env!("CARGO_PKG_NAME");

/// No operation needs more stack than `limit` KiB, at opt-level 0 (`dev`) or 3 (`release`).
pub(crate) fn fits(features: &[&str], profile: &str, limit: usize) {
    if !on_the_host() {
        say("SKIPPED: programs that cargo builds here do not run on the machine of this test");
        return;
    }
    let program = build(features, profile);
    let names = Command::new(&program).output().unwrap().stdout;
    let names = String::from_utf8(names).unwrap();
    for operation in names.lines() {
        run(&program, limit << 10, operation).unwrap();
    }
    // That a stack can be too small for this to notice.
    let last = names.lines().last().unwrap();
    run(&program, 16 << 10, last).unwrap_err();
}

/// Builds the scratch crate of the operations; returns its program.
fn build(features: &[&str], profile: &str) -> PathBuf {
    let scratch = new_crate(profile, features, MAIN);
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scratch/program.rs");
    std::fs::copy(program, scratch.join("src/program.rs")).unwrap();

    let mut cargo = cargo("build", &scratch);
    let output = cargo.args(["--profile", profile]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let directory = if profile == "dev" { "debug" } else { profile };
    let program = format!("scratch-{NAME}{}", std::env::consts::EXE_SUFFIX);
    scratch.join("../target").join(directory).join(program)
}

/// Makes a scratch crate, with the versions of the workspace's lock file; returns its directory.
pub(crate) fn new_crate(purpose: &str, features: &[&str], main: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stack");
    let scratch = scratch.join(format!("{NAME}-{purpose}"));
    std::fs::create_dir_all(scratch.join("src")).unwrap();
    let manifest = MANIFEST
        .replace("NAME", NAME)
        .replace("HERE", &here.to_str().unwrap().replace('\\', "/"))
        .replace("FEATURES", &format!("{features:?}"));
    std::fs::write(scratch.join("Cargo.toml"), manifest).unwrap();
    std::fs::copy(here.join("../../Cargo.lock"), scratch.join("Cargo.lock")).unwrap();
    std::fs::write(scratch.join("src/main.rs"), main).unwrap();
    scratch
}

/// A cargo in a scratch crate, that heeds no setting of the one that runs this test.
pub(crate) fn cargo(command: &str, scratch: &Path) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    // What several crates depend on is built once.
    cargo.args([command, "--offline", "--quiet", "--target-dir"]);
    cargo.arg(scratch.join("../target")).current_dir(scratch);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PROFILE_")
            || text.starts_with("CARGO_BUILD_")
            || text.contains("RUSTFLAGS")
        {
            cargo.env_remove(&name);
        }
    }
    cargo
}

/// Runs an operation with so many bytes of stack; what happened, if it did not end well.
fn run(program: &Path, stack: usize, operation: &str) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args([&stack.to_string(), operation]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let ended = output.status.success();
    ended
        .then_some(())
        .ok_or_else(|| format!("{operation}: {output:?}"))
}

/// Past the test harness, which hides what a test that passes prints.
fn say(text: &str) {
    writeln!(std::io::stderr().lock(), "{text}").unwrap();
}

/// Cargo builds for the machine it runs on, which under an emulator is not
/// the one that this test was built for.
fn on_the_host() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().unwrap();
    let version = String::from_utf8(output.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.unwrap().starts_with(std::env::consts::ARCH)
}
