//! `cargo xtask features`: does every feature build alone, and do all at once?

use anyhow::Result;
use cargo_metadata::Package;

use crate::process;

/// Packages that run on bare metal, and what stands for it.
const BARE_METAL: [&str; 4] = [
    "moissanite-cpu",
    "moissanite-keccak",
    "moissanite-core",
    "moissanite",
];
const BARE_METAL_TARGET: &str = "thumbv7em-none-eabihf";
/// Features that need an operating system.
const HOSTED: [&str; 2] = ["default", "getrandom"];

/// Checks every published package.
pub(crate) fn run() -> Result<()> {
    let metadata = process::metadata()?;
    let published = |package: &&Package| package.publish.as_ref().is_none_or(|to| !to.is_empty());
    let mut checks = 0;
    for package in metadata.packages.iter().filter(published) {
        let name = package.name.as_str();
        let features = || package.features.keys().map(String::as_str);
        check(name, &["--no-default-features"])?;
        check(name, &["--all-features"])?;
        for feature in features() {
            check(name, &["--no-default-features", "--features", feature])?;
        }
        checks += 2 + package.features.len();
        if BARE_METAL.contains(&name) {
            let target = ["--target", BARE_METAL_TARGET, "--no-default-features"];
            check(name, &target)?;
            let bare: Vec<_> = features()
                .filter(|feature| !HOSTED.contains(feature))
                .collect();
            check(
                name,
                &[target.as_slice(), &["--features", &bare.join(",")]].concat(),
            )?;
            checks += 2;
        }
    }
    println!("features: {checks} combinations build");
    Ok(())
}

fn check(package: &str, arguments: &[&str]) -> Result<()> {
    let cargo = ["check", "--quiet", "--locked", "--package", package];
    process::run(&mut process::cargo([cargo.as_slice(), arguments].concat()))
}
