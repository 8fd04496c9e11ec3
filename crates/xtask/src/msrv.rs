//! `cargo xtask msrv` checks that the workspace builds with the compiler that `rust-version` names.

use anyhow::{Context, Result, ensure};

use crate::process;

/// Checks every package with the oldest compiler.
pub(crate) fn run() -> Result<()> {
    let metadata = process::metadata()?;
    let mut versions = metadata
        .packages
        .iter()
        .map(|package| &package.rust_version);
    let oldest = versions.next().and_then(Option::as_ref);
    let oldest = oldest.context("rust-version is not set")?;
    ensure!(
        versions.all(|version| version.as_ref() == Some(oldest)),
        "all packages inherit rust-version from the workspace"
    );
    let toolchain = format!("+{}.{}.{}", oldest.major, oldest.minor, oldest.patch);
    let arguments = [
        &toolchain,
        "check",
        "--quiet",
        "--locked",
        "--workspace",
        "--all-features",
    ];
    let mut cargo = process::cargo(arguments);
    process::run(cargo.env_remove("RUSTC").env_remove("RUSTDOC"))
        .with_context(|| format!("`rustup toolchain install {}` may help", &toolchain[1..]))?;
    println!("msrv: the workspace builds with {}", &toolchain[1..]);
    Ok(())
}
