//! The programs in C and C++ that test the library.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use super::header::CRATE;
use super::{mutations, vectors};
use crate::process;

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Werror", "-pedantic"];
const SANITIZERS: [&str; 3] = [
    "-g",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
];

/// Runs all programs.
pub(super) fn run(scratch: &Path, installed: &Path) -> Result<()> {
    let version = format!("-DVERSION=\"{}\"", env!("CARGO_PKG_VERSION"));
    let known = scratch.join("vectors");
    fs::write(&known, vectors::lines()?.join("\n") + "\n")?;
    let build = |compiler, standard, file: &str, flags: &[&str]| {
        let source = process::root().join(CRATE).join(file);
        let program = scratch.join(file.replace(['/', '.'], "-"));
        let mut command = Command::new(compiler);
        command.arg(standard).args(WARNINGS).args(SANITIZERS);
        command.arg(&version).args(flags).arg("-o").arg(&program);
        command
            .arg(source)
            .args(linked(installed, Linking::Static)?);
        process::run(&mut command)?;
        anyhow::Ok(program)
    };
    let known_answers = build("gcc", "-std=c99", "tests/known_answers.c", &[])?;
    process::run(Command::new(known_answers).arg(&known))?;
    // The compiler sees through the pointers that the test misuses.
    let misuse = build("gcc", "-std=c99", "tests/misuse.c", &["-Wno-nonnull"])?;
    process::run(&mut Command::new(misuse))?;
    let plus_plus = build("g++", "-std=c++14", "tests/plus_plus.cpp", &[])?;
    process::run(&mut Command::new(plus_plus))?;
    let changed = scratch.join("images");
    fs::write(&changed, mutations::file()?)?;
    let bootloader = process::root()
        .join(CRATE)
        .join("examples/bootloader/image.c");
    let bootloader = bootloader.display().to_string();
    let images = build("gcc", "-std=c99", "tests/images.c", &[&bootloader])?;
    process::run(Command::new(images).arg(&changed))?;
    sign_a_file(scratch, installed)
}

/// Builds the example as a user does, with the shared library, and runs it.
fn sign_a_file(scratch: &Path, installed: &Path) -> Result<()> {
    let example = scratch.join("sign_file");
    let mut command = Command::new("gcc");
    command
        .arg("-std=c99")
        .args(WARNINGS)
        .arg("-o")
        .arg(&example);
    command.arg(process::root().join(CRATE).join("examples/sign_file.c"));
    process::run(command.args(linked(installed, Linking::Shared)?))?;
    let signed = process::root().join("README.md");
    let other = process::root().join("LICENSE-MIT");
    let run = |arguments: &[&Path]| {
        let mut command = Command::new(&example);
        command.args(arguments).current_dir(scratch);
        command.env("LD_LIBRARY_PATH", installed.join("lib"));
        process::captured(&mut command)
    };
    let [key, public, signature] = ["key.pem", "public.pem", "signature"].map(Path::new);
    let [new, sign, verify] = ["new", "sign", "verify"].map(Path::new);
    for (arguments, expected) in [
        (&[new, key, public][..], 0),
        (&[sign, key, &signed, signature], 0),
        (&[verify, public, &signed, signature], 0),
        (&[verify, public, &other, signature], 1),
        (&[verify, key, &signed, signature], 2),
        (&[verify, public, &signed, Path::new("missing")], 2),
    ] {
        let output = run(arguments)?;
        ensure!(
            output.status.code() == Some(expected),
            "sign_file {arguments:?}: {} in place of {expected}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    println!("c-interface: the example signs and verifies a file");
    Ok(())
}

/// How a program gets the library.
#[derive(Clone, Copy)]
pub(super) enum Linking {
    Static,
    Shared,
}

/// The command pkg-config, with the file of an installation.
pub(super) fn pkg_config(installed: &Path) -> Command {
    let mut command = Command::new("pkg-config");
    command.env("PKG_CONFIG_PATH", installed.join("lib/pkgconfig"));
    command
}

/// The arguments of a compiler, from pkg-config.
pub(super) fn linked(installed: &Path, linking: Linking) -> Result<Vec<String>> {
    let mut command = pkg_config(installed);
    command.args(["--cflags", "--libs"]);
    if let Linking::Static = linking {
        command.arg("--static");
    }
    let flags = process::output(command.arg("moissanite"))?;
    let mut flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
    if let Linking::Static = linking {
        // A linker takes the shared library if there are both.
        let library: PathBuf = installed.join("lib/libmoissanite.a");
        for flag in &mut flags {
            if flag == "-lmoissanite" {
                *flag = library.display().to_string();
            }
        }
    }
    Ok(flags)
}
