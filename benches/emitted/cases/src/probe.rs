//! Compiles the probe.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::targets::{Kind, Target};

/// The probe returns this where there is no such backend.
pub const NO_SUCH_BACKEND: u32 = 2;
/// The number of secrets. What the first one shows is the reference for the others.
pub const SECRETS: u32 = 3;

/// The packages that `checks` affects. Dependencies contain assertions about secrets; these always
/// hold, but their branches would be findings.
const OURS: [&str; 6] = [
    "moissanite",
    "moissanite-composite",
    "moissanite-core",
    "moissanite-cpu",
    "moissanite-keccak",
    "moissanite-zk-dilithium",
];

/// The options for the compilation of the probe.
#[derive(Clone, Copy)]
pub struct Build<'a> {
    /// The root folder of the tree.
    pub tree: &'a Path,
    /// The target folder of cargo.
    pub folder: &'a Path,
    /// The level of optimisation.
    pub level: &'a str,
    /// Whether to compile assertions and checks for overflow, as the profile `dev` does.
    pub checks: bool,
}

impl Build<'_> {
    /// Compiles one of the programs of the probe, and returns its bytes.
    pub fn program(self, name: &str, target: &Target) -> Result<Vec<u8>> {
        let Self {
            tree,
            folder,
            level,
            checks,
        } = self;
        let mut flags = vec!["-Csymbol-mangling-version=v0"];
        flags.extend(target.flags);
        let mut cargo = Command::new("cargo");
        cargo
            .args([
                "build",
                "--quiet",
                "--locked",
                "--release",
                "--package",
                "moissanite-emitted-probe",
                "--bin",
                name,
            ])
            .arg("--manifest-path")
            .arg(tree.join("benches/emitted/Cargo.toml"))
            .args(["--target", target.triple])
            .args(["--features", &target.features.join(",")])
            .arg("--target-dir")
            .arg(folder)
            .args([
                "--config",
                &format!("target.{}.rustflags = {flags:?}", target.triple),
            ])
            .env_remove("RUSTFLAGS");
        let level = if level.parse::<u8>().is_ok() {
            level.to_owned()
        } else {
            format!("'{level}'")
        };
        for setting in [
            format!("opt-level = {level}"),
            "debug-assertions = false".to_owned(),
            "overflow-checks = false".to_owned(),
        ] {
            cargo.args(["--config", &format!("profile.release.{setting}")]);
        }
        for package in OURS.iter().filter(|_| checks) {
            for check in ["debug-assertions", "overflow-checks"] {
                let setting = format!("profile.release.package.{package}.{check} = true");
                cargo.args(["--config", &setting]);
            }
        }
        let status = cargo.status().context("cannot start cargo")?;
        ensure!(
            status.success(),
            "the probe does not compile for {}",
            target.name
        );
        let mut path = folder.join(target.triple).join("release").join(name);
        if target.kind == Kind::Wasm {
            path.set_extension("wasm");
        }
        std::fs::read(&path).with_context(|| path.display().to_string())
    }
}

/// Whether the standard library of a target is installed.
#[must_use]
pub fn is_installed(target: &Target) -> bool {
    let output = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", target.triple])
        .output();
    output.is_ok_and(|output| {
        let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        output.status.success() && Path::new(&folder).is_dir()
    })
}
