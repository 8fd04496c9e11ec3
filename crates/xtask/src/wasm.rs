//! `cargo xtask wasm` checks the accumulated vectors in WebAssembly, with Node: the exit status of the program in
//! crates/xtask/probe is the result. It also runs unit tests of the kernels, on all backends of WebAssembly.

use std::process::Command;

use anyhow::{Result, ensure};
use serde_json::json;

use crate::process;

const TARGET: &str = "wasm32-unknown-unknown";
const PROGRAM: &str = "accumulated";
/// The script for Node. It exits with the status of the program's `main`; a panic of the program is an
/// exception of the script.
const RUN: &str = "
const program = require('fs').readFileSync(process.argv[1]);
WebAssembly.instantiate(program).then(({ instance }) => {
  const start = performance.now();
  process.exitCode = instance.exports.main(0, 0);
  console.log(`${process.exitCode}, in ${Math.round(performance.now() - start)} ms`);
});
";

/// A flag that adds the backend with vector instructions.
const SIMD: &str = "-C target-feature=+simd128";

/// WebAssembly with files and arguments, in which tests run.
const TARGET_OF_TESTS: &str = "wasm32-wasip1";
/// The script for Node that runs a program of that target.
const RUN_WASI: &str = "
const { WASI } = require('node:wasi');
const args = process.argv.slice(1);
const wasi = new WASI({ version: 'preview1', args, env: process.env, preopens: { '/': '/' } });
const program = require('fs').readFileSync(args[0]);
WebAssembly.instantiate(program, wasi.getImportObject()).then(({ instance }) => {
  process.exitCode = wasi.start(instance);
});
";
/// Tests that take minutes here, because one thread runs all of them, and that test no kernel.
const LONG: [&str; 2] = ["sign::", "stream::"];

/// Builds and runs the program with the instructions of every engine, and with vector instructions. Then it runs
/// the tests with the latter.
pub(crate) fn run() -> Result<()> {
    accumulated()?;
    tests()
}

fn tests() -> Result<()> {
    let runner = ["node", "--no-warnings", "--eval", RUN_WASI];
    let runner = format!("target.{TARGET_OF_TESTS}.runner={}", json!(runner));
    let mut cargo = process::cargo(["test", "--locked", "--lib", "--target", TARGET_OF_TESTS]);
    cargo.args([
        "--package",
        "moissanite-keccak",
        "--package",
        "moissanite-core",
    ]);
    cargo.args(["--config", &runner, "--"]);
    for test in LONG {
        cargo.args(["--skip", test]);
    }
    process::run(cargo.env("RUSTFLAGS", SIMD))
}

fn accumulated() -> Result<()> {
    for flags in ["", SIMD] {
        let mut cargo = process::cargo(["build", "--quiet", "--locked", "--release"]);
        cargo.args(["--package", "moissanite-probe", "--bin", PROGRAM]);
        process::run(cargo.args(["--target", TARGET]).env("RUSTFLAGS", flags))?;
        let program = process::target_directory()?
            .join(TARGET)
            .join("release")
            .join(PROGRAM)
            .with_extension("wasm");
        let mut node = Command::new("node");
        let output = process::captured(node.args(["--eval", RUN]).arg(&program))?;
        ensure!(
            output.status.success(),
            "{PROGRAM} {flags}: {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        let report = String::from_utf8_lossy(&output.stdout);
        println!("{PROGRAM} {flags}: {}", report.trim());
    }
    Ok(())
}
