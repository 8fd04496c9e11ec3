//! Builds and runs a user's program: a scratch crate with its own workspace, profile and target directory.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const MANIFEST: &str = r#"
[package]
name = "scratch-NAME"
edition = "2024"
[workspace]
[dependencies]
NAME = { path = "PATH", default-features = false, features = FEATURES }
[profile.dev]
opt-level = 0
[profile.release]
opt-level = 3
"#;
/// The main file of the program, which runs one operation on a thread with a given stack.
const RUNNER: &str = include_str!("runner.rs");

/// A program that calls the operations of a crate.
pub(crate) struct Program {
    pub(crate) depends_on: &'static str,
    pub(crate) features: &'static [&'static str],
    /// A module with a function `operations`.
    pub(crate) text: &'static str,
}

/// Fails if an operation needs more stack than `limit` KiB, at opt-level 0 (`dev`) or 3 (`release`).
pub(crate) fn fits(program: &Program, profile: &str, limit: usize) {
    if !on_the_host() {
        say("SKIPPED: cargo builds programs for another machine than that of this test");
        return;
    }
    let program = build(program, profile);
    let names = Command::new(&program).output().unwrap().stdout;
    let names = String::from_utf8(names).unwrap();
    for operation in names.lines() {
        run(&program, limit << 10, operation).unwrap();
    }
    // A stack that is too small must make the program fail.
    let last = names.lines().last().unwrap();
    run(&program, 16 << 10, last).unwrap_err();
}

/// Builds the scratch crate with the versions of the workspace's lock file, and returns its program.
fn build(program: &Program, profile: &str) -> PathBuf {
    let name = program.depends_on;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = name.strip_prefix("moissanite-").unwrap_or(name);
    let path = root.join("crates").join(folder);
    let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stack");
    let scratch = all.join(format!("{name}-{profile}"));
    std::fs::create_dir_all(scratch.join("src")).unwrap();
    let manifest = MANIFEST
        .replace("NAME", name)
        .replace("PATH", &path.to_str().unwrap().replace('\\', "/"))
        .replace("FEATURES", &format!("{:?}", program.features));
    std::fs::write(scratch.join("Cargo.toml"), manifest).unwrap();
    std::fs::copy(root.join("Cargo.lock"), scratch.join("Cargo.lock")).unwrap();
    std::fs::write(scratch.join("src/main.rs"), RUNNER).unwrap();
    std::fs::write(scratch.join("src/program.rs"), program.text).unwrap();

    // The scratch crates share a target directory, so that common dependencies are built once.
    let target = all.join("target");
    let mut cargo = cargo();
    cargo.args(["build", "--offline", "--quiet", "--profile", profile]);
    cargo.arg("--target-dir").arg(&target).current_dir(&scratch);
    let output = cargo.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let directory = if profile == "dev" { "debug" } else { profile };
    let program = format!("scratch-{name}{}", std::env::consts::EXE_SUFFIX);
    target.join(directory).join(program)
}

/// Returns a command for cargo without the settings of the cargo that runs this test.
fn cargo() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
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
