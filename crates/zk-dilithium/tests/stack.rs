//! How much stack the operations take in a program of a user's, as the facade's test of the same
//! name has it: a scratch crate with a workspace, a profile and a target directory of its own.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const OPERATIONS: [&str; 6] = [
    "keygen",
    "sign",
    "verify",
    "sign-prepared",
    "verify-prepared",
    "import",
];

const MANIFEST: &str = r#"
[package]
name = "scratch"
edition = "2024"
[workspace]
[dependencies]
moissanite-zk-dilithium = { path = "HERE", default-features = false, features = ["alloc"] }
[profile.dev]
opt-level = 0
[profile.release]
opt-level = 3
"#;

/// Builds the scratch crate, with the versions of the workspace's lock file and none of the
/// settings of the cargo that runs this test; returns its program.
fn build(profile: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("zk-stack-{profile}"));
    std::fs::create_dir_all(scratch.join("src")).unwrap();
    let manifest = MANIFEST.replace("HERE", &here.to_str().unwrap().replace('\\', "/"));
    std::fs::write(scratch.join("Cargo.toml"), manifest).unwrap();
    std::fs::copy(here.join("../../Cargo.lock"), scratch.join("Cargo.lock")).unwrap();
    let program = here.join("tests/scratch/program.rs");
    std::fs::copy(program, scratch.join("src/main.rs")).unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let set = ["CARGO_PROFILE_", "CARGO_BUILD_"];
        if set.iter().any(|set| text.starts_with(set)) || text.contains("RUSTFLAGS") {
            cargo.env_remove(&name);
        }
    }
    let target = scratch.join("target");
    cargo.args(["build", "--offline", "--quiet", "--profile", profile]);
    cargo.arg("--target-dir").arg(&target).current_dir(&scratch);
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let directory = if profile == "dev" { "debug" } else { profile };
    let program = format!("scratch{}", std::env::consts::EXE_SUFFIX);
    target.join(directory).join(program)
}

/// Whether it ends well with so much stack.
fn runs(program: &Path, stack: usize, operation: &str) -> bool {
    let output = Command::new(program)
        .args([&stack.to_string(), operation])
        .output();
    output.unwrap().status.success()
}

/// The least stack, in KiB, with which an operation runs, by bisection.
fn peak(program: &Path, operation: &str) -> usize {
    let (mut too_little, mut enough) = (0, 1024);
    while enough - too_little > 4 {
        let middle = (too_little + enough) >> 1;
        if runs(program, middle << 10, operation) {
            enough = middle;
        } else {
            too_little = middle;
        }
    }
    enough
}

fn fits(profile: &str, limit: usize) {
    // Cargo builds for the machine it runs on, which under an emulator is not this test's.
    let rustc = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(rustc.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    if !host.unwrap().starts_with(std::env::consts::ARCH) {
        say("SKIPPED: programs that cargo builds here do not run on the machine of this test");
        return;
    }
    let program = build(profile);
    let mut table = format!("least stack in KiB, zkDilithium, profile {profile}, limit {limit}:");
    for operation in OPERATIONS {
        table += &format!("  {operation} {}", peak(&program, operation));
    }
    say(&table);
    assert!(runs(&program, limit << 10, "all"), "{table}");
    // That a stack can be too small for this to notice.
    assert!(!runs(&program, 16 << 10, "all"));
}

/// Past the test harness, which hides what a test that passes prints.
fn say(text: &str) {
    writeln!(std::io::stderr().lock(), "{text}").unwrap();
}

#[test]
fn debug_builds_fit_512_kib() {
    fits("dev", 512);
}

#[test]
fn release_builds_fit_128_kib() {
    fits("release", 128);
}
