//! `cargo xtask features` checks that each feature builds alone, and that all build together.

use std::process::Command;

use anyhow::Result;

use crate::process;

/// The packages that run on bare metal, and a target without an operating system.
const BARE_METAL: [&str; 14] = [
    "ml-dsa",
    "moissanite-cpu",
    "moissanite-keccak",
    "moissanite-core",
    "moissanite",
    "moissanite-c",
    "moissanite-cms",
    "moissanite-composite",
    "moissanite-embassy-boot",
    "moissanite-mcuboot",
    "moissanite-ssh",
    "moissanite-tlog",
    "moissanite-tokens",
    "moissanite-zk-dilithium",
];
const BARE_METAL_TARGET: &str = "thumbv7em-none-eabihf";
/// A library that is not published, and that users build.
const UNPUBLISHED: &str = "ml-dsa";
/// A feature that replaces code on bare metal, so that the other code is checked without it.
const REPLACING: &str = "tiny";
/// Features that need an operating system.
const HOSTED: [&str; 3] = ["default", "getrandom", "std"];

/// Checks every package that users build.
pub(crate) fn run() -> Result<()> {
    let mut checks = 0;
    let mut packages = process::metadata()?.packages;
    packages.retain(|package| package.name == UNPUBLISHED);
    packages.extend(process::published()?);
    for package in packages {
        let name = package.name.as_str();
        let features = || package.features.keys().map(String::as_str);
        check(name, &["--no-default-features"])?;
        check(name, &["--all-features"])?;
        for feature in features() {
            check(name, &["--no-default-features", "--features", feature])?;
        }
        checks += 2 + package.features.len();
        if BARE_METAL.contains(&name) {
            let bare = features().filter(|feature| !HOSTED.contains(feature));
            let (replacing, bare): (Vec<_>, Vec<_>) =
                bare.partition(|feature| *feature == REPLACING);
            check_bare_metal(name, &[])?;
            check_bare_metal(name, &["--features", &bare.join(",")])?;
            checks += 2;
            if !replacing.is_empty() {
                check_bare_metal(name, &["--features", REPLACING])?;
                checks += 1;
            }
        }
    }
    println!("features: {checks} combinations build");
    Ok(())
}

fn check(package: &str, arguments: &[&str]) -> Result<()> {
    process::run(cargo_check(package).args(arguments))
}

/// Checks a package for bare metal. A compiler without the library of the target builds that too.
fn check_bare_metal(package: &str, arguments: &[&str]) -> Result<()> {
    let mut cargo = cargo_check(package);
    cargo.args(["--target", BARE_METAL_TARGET, "--no-default-features"]);
    if !process::has_library(&process::compiler(), BARE_METAL_TARGET) {
        cargo.args(["-Z", "build-std=core,alloc"]);
        cargo.env("RUSTC_BOOTSTRAP", "1");
    }
    process::run(cargo.args(arguments))
}

/// Returns cargo with warnings as errors, because only this job finds items that one feature leaves unused.
fn cargo_check(package: &str) -> Command {
    let mut cargo = process::cargo(["check", "--quiet", "--locked", "--package", package]);
    cargo.env("RUSTFLAGS", "-D warnings");
    cargo
}
