//! `cargo xtask wasm` checks the accumulated vectors in WebAssembly, with Node. The exit status of the
//! program in crates/xtask/probe is the result.

use std::process::Command;

use anyhow::{Result, ensure};

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

/// The flags of the two builds: with the instructions of every engine, and with vector instructions.
const FEATURES: [&str; 2] = ["", "-C target-feature=+simd128"];

/// Builds and runs the program with each of the flags.
pub(crate) fn run() -> Result<()> {
    for flags in FEATURES {
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
