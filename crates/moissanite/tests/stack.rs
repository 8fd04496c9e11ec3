//! That the operations need no more stack than threads have, in a program of a user's: a scratch crate
//! with a workspace, a profile and a target directory of its own, at opt-level
//! 0 and 3. Threads have 512 KiB on some systems, 128 KiB with musl. What each operation takes exactly,
//! `cargo xtask stack` measures.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const SETS: [&str; 3] = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"];
const OPERATIONS: [&str; 7] = [
    "keygen",
    "sign",
    "verify",
    "sign-prepared",
    "verify-prepared",
    "batches",
    "key-formats",
];

const MANIFEST: &str = r#"
[package]
name = "scratch"
edition = "2024"
[workspace]
[dependencies]
moissanite = { path = "MOISSANITE", default-features = false, features = ["alloc", "pkcs8"] }
[profile.dev]
opt-level = 0
[profile.release]
opt-level = 3
"#;

/// Writes the scratch crate, with the versions of the workspace's lock file.
fn scratch(profile: &str) -> PathBuf {
    let facade = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("stack-{profile}"));
    std::fs::create_dir_all(scratch.join("src")).unwrap();
    let manifest = MANIFEST.replace("MOISSANITE", &facade.to_str().unwrap().replace('\\', "/"));
    std::fs::write(scratch.join("Cargo.toml"), manifest).unwrap();
    std::fs::copy(facade.join("../../Cargo.lock"), scratch.join("Cargo.lock")).unwrap();
    std::fs::copy(
        facade.join("tests/scratch/program.rs"),
        scratch.join("src/main.rs"),
    )
    .unwrap();
    scratch
}

/// A cargo that heeds no setting of the one that runs this test.
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

/// Builds the scratch crate; returns its program.
fn build(scratch: &Path, profile: &str) -> PathBuf {
    let target = scratch.join("target");
    let output = cargo()
        .current_dir(scratch)
        .args([
            "build",
            "--offline",
            "--quiet",
            "--profile",
            profile,
            "--target-dir",
        ])
        .arg(&target)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let directory = if profile == "dev" { "debug" } else { profile };
    target
        .join(directory)
        .join(format!("scratch{}", std::env::consts::EXE_SUFFIX))
}

fn run(program: &Path, stack: usize, operation: &str, set: &str) -> Output {
    Command::new(program)
        .args([&stack.to_string(), operation, set])
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn fits(profile: &str, limit: usize) {
    if !on_the_host() {
        say("SKIPPED: programs that cargo builds here do not run on the machine of this test");
        return;
    }
    let program = build(&scratch(profile), profile);
    for set in SETS {
        for operation in OPERATIONS {
            let output = run(&program, limit << 10, operation, set);
            assert!(output.status.success(), "{operation}, {set}: {output:?}");
        }
    }
    // That a stack can be too small for this to notice.
    assert!(!run(&program, 16 << 10, "all", "ML-DSA-87").status.success());
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

#[test]
fn debug_builds_fit_512_kib() {
    fits("dev", 512);
}

#[test]
fn release_builds_fit_128_kib() {
    fits("release", 128);
}
