//! Compiles the probe.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::image::{Architecture, Image};

/// The options for the compilation of the probe.
pub(crate) struct Build {
    pub(crate) architecture: Architecture,
    pub(crate) level: String,
    /// Compile for the CPU at hand.
    pub(crate) native: bool,
}

impl Architecture {
    fn triple(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64-unknown-linux-gnu",
            Self::Aarch64 => "aarch64-unknown-linux-gnu",
        }
    }
}

impl Build {
    /// Compiles the probe and returns the path of the shared object.
    pub(crate) fn path(&self) -> Result<PathBuf> {
        let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let tree = tree.canonicalize().context("the tree")?;
        let folder = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(folder) => PathBuf::from(folder),
            None => tree.join("target"),
        };
        let mut folder = folder.join("prover").join(&self.level);
        if self.native {
            folder.push("native");
        }
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let triple = self.architecture.triple();
        let flags = self.flags(&folder)?;
        let mut cargo = Command::new("cargo");
        cargo
            .args(["build", "--quiet", "--locked", "--release"])
            .args(["--package", "moissanite-prover-probe"])
            .arg("--manifest-path")
            .arg(tree.join("benches/prover/Cargo.toml"))
            .args(["--target", triple])
            .arg("--target-dir")
            .arg(&folder)
            .args([
                "--config",
                &format!("target.{triple}.rustflags = {flags:?}"),
            ])
            .env_remove("RUSTFLAGS");
        let level = match self.level.parse::<u8>() {
            Ok(number) => number.to_string(),
            Err(_) => format!("'{}'", self.level),
        };
        for setting in [
            format!("opt-level = {level}"),
            "debug-assertions = false".to_owned(),
            "overflow-checks = false".to_owned(),
        ] {
            cargo.args(["--config", &format!("profile.release.{setting}")]);
        }
        if self.architecture == Architecture::Aarch64 {
            let linker = format!("target.{triple}.linker = '{}'", linker()?);
            cargo.args(["--config", &linker]);
        }
        let status = cargo.status().context("cannot start cargo")?;
        ensure!(status.success(), "the probe does not compile for {triple}");
        Ok(folder
            .join(triple)
            .join("release/libmoissanite_prover_probe.so"))
    }

    /// Compiles the probe and reads it.
    pub(crate) fn image(&self) -> Result<Image> {
        Image::read(&self.path()?)
    }

    fn flags(&self, folder: &Path) -> Result<Vec<String>> {
        let mut flags = vec!["-Csymbol-mangling-version=v0".to_owned()];
        if self.native {
            flags.push("-Ctarget-cpu=native".to_owned());
        }
        if self.architecture == Architecture::Aarch64 {
            // The C library for the target need not be installed: empty archives stand for its libraries,
            // and its functions stay undefined.
            let empty = folder.join("empty");
            std::fs::create_dir_all(&empty)?;
            for library in ["c", "gcc_s", "util", "rt", "pthread", "m", "dl"] {
                std::fs::write(empty.join(format!("lib{library}.a")), b"!<arch>\n")?;
            }
            flags.push(if is_other_compiler() {
                "-Clink-arg=-nostdlib".to_owned()
            } else {
                "-Clinker-flavor=ld.lld".to_owned()
            });
            flags.push(format!("-Clink-arg=-L{}", empty.display()));
        }
        Ok(flags)
    }
}

/// Whether `RUSTC` names a compiler, as for targets that only the distribution's compiler has.
fn is_other_compiler() -> bool {
    std::env::var_os("RUSTC").is_some()
}

/// Returns the linker for AArch64: that of the compiler in the path, which needs no C compiler for the target.
/// Compilers of distributions come without one, and link with the C compiler.
fn linker() -> Result<String> {
    if is_other_compiler() {
        return Ok("aarch64-linux-gnu-gcc".to_owned());
    }
    let print = |what: &[&str]| -> Result<String> {
        let output = Command::new("rustc").args(what).output();
        let output = output.context("cannot start rustc")?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let sysroot = print(&["--print", "sysroot"])?;
    let version = print(&["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc does not tell its host")?;
    Ok(format!("{sysroot}/lib/rustlib/{host}/bin/rust-lld"))
}
