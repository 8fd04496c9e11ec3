//! `cargo xtask wasm`: the accumulated vectors in WebAssembly, which Node runs. They are a program of
//! crates/xtask/probe, whose exit status says whether all was right.

use std::process::Command;

use anyhow::{Result, ensure};

use crate::process;

const TARGET: &str = "wasm32-unknown-unknown";
const PROGRAM: &str = "accumulated";
/// Ends with the status of the program's `main`; a panic there is an exception here.
const RUN: &str = "
const program = require('fs').readFileSync(process.argv[1]);
WebAssembly.instantiate(program).then(({ instance }) => {
  const start = performance.now();
  process.exitCode = instance.exports.main(0, 0);
  console.log(`${process.exitCode}, in ${Math.round(performance.now() - start)} ms`);
});
";

/// With the instructions that every engine has, and with those for vectors.
const FEATURES: [&str; 2] = ["", "-C target-feature=+simd128"];

/// Builds and runs it.
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
