//! The installation with cargo-c, which packagers use.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

use super::header::{self, CRATE};
use super::library;
use super::programs::{Linking, linked, pkg_config};
use crate::process;

/// Installs with cargo-c in an empty folder, and compiles and runs a program outside of the tree with each library.
pub(super) fn run(scratch: &Path) -> Result<()> {
    let mut version = process::cargo(["capi", "--version"]);
    if !process::captured(&mut version).is_ok_and(|output| output.status.success()) {
        println!("NOT CHECKED: the installation with cargo-c, which is not installed");
        return Ok(());
    }
    let installed = scratch.join("cargo-c");
    process::make_empty(&installed)?;
    let manifest = process::root().join(CRATE).join("Cargo.toml");
    let mut cargo = process::cargo(["cinstall", "--quiet", "--locked", "--libdir", "lib"]);
    cargo.arg("--manifest-path").arg(manifest);
    cargo.arg("--prefix").arg(&installed);
    cargo
        .arg("--target-dir")
        .arg(scratch.join("cargo-c-target"));
    process::run(&mut cargo)?;

    ensure!(
        fs::read(installed.join("include/moissanite.h"))? == fs::read(header::path())?,
        "cargo-c installs another header"
    );
    let mut about = pkg_config(&installed);
    let version = process::output(about.args(["--modversion", "moissanite"]))?;
    ensure!(
        version.trim() == library::version()?,
        "cargo-c installs the version {}",
        version.trim()
    );
    let source = scratch.join("outside.c");
    fs::write(&source, PROGRAM)?;
    for (linking, name) in [(Linking::Static, "static"), (Linking::Shared, "shared")] {
        let program = scratch.join(format!("outside-{name}"));
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o"]);
        gcc.arg(&program).arg(&source);
        process::run(gcc.args(linked(&installed, linking)?))?;
        let mut program = Command::new(&program);
        program.env("LD_LIBRARY_PATH", installed.join("lib"));
        let said = process::output(&mut program)?;
        ensure!(
            said.trim() == version.trim(),
            "the {name} library is of the version {}",
            said.trim()
        );
    }
    println!("c-interface: cargo-c installs both libraries, with which a program works");
    Ok(())
}

/// Signs and verifies, and prints the version of the library.
const PROGRAM: &str = r#"#include <moissanite.h>
#include <stdio.h>

int main(void)
{
    static uint8_t signature[MOISSANITE_ML_DSA_87_SIGNATURE_LENGTH];
    const uint8_t message[] = "message";
    moissanite_signing_key *key = NULL;
    moissanite_verifying_key *public_key = NULL;
    if (moissanite_signing_key_generate(MOISSANITE_ML_DSA_87, &key) != MOISSANITE_OK ||
        moissanite_signing_key_public(key, &public_key) != MOISSANITE_OK ||
        moissanite_sign(key, MOISSANITE_HEDGED, NULL, 0, message, sizeof message, signature, sizeof signature) !=
            MOISSANITE_OK ||
        moissanite_verify(public_key, NULL, 0, message, sizeof message, signature, sizeof signature) !=
            MOISSANITE_OK) {
        return 1;
    }
    signature[0] ^= 1;
    if (moissanite_verify(public_key, NULL, 0, message, sizeof message, signature, sizeof signature) !=
        MOISSANITE_ERROR_SIGNATURE) {
        return 1;
    }
    moissanite_signing_key_free(&key);
    moissanite_verifying_key_free(&public_key);
    puts(moissanite_version());
    return 0;
}
"#;
