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
    /// Compile with this toolchain of rustup, and not with the one that is active.
    pub(crate) toolchain: Option<String>,
}

impl Architecture {
    fn triple(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64-unknown-linux-gnu",
            Self::Aarch64 => "aarch64-unknown-linux-gnu",
            Self::Armv7m => "thumbv7em-none-eabi",
        }
    }
}

impl Build {
    /// Returns the options of a release: opt-level 3, for any CPU, with the active toolchain.
    #[cfg(test)]
    pub(crate) fn release(architecture: Architecture) -> Self {
        Self {
            architecture,
            level: "3".to_owned(),
            native: false,
            toolchain: None,
        }
    }

    /// Compiles the probe and returns the path of the shared object, or of the program for bare metal.
    pub(crate) fn path(&self) -> Result<PathBuf> {
        let tree = tree()?;
        let mut folder = target_folder(&tree).join(&self.level);
        if self.native {
            folder.push("native");
        }
        if let Some(toolchain) = &self.toolchain {
            folder.push(toolchain);
        }
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let triple = self.architecture.triple();
        let flags = self.flags(&folder)?;
        let mut cargo = Command::new("cargo");
        cargo
            .args(["rustc", "--quiet", "--locked", "--release"])
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
        if let Some(toolchain) = &self.toolchain {
            cargo.env("RUSTUP_TOOLCHAIN", toolchain).env_remove("RUSTC");
        }
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
        if self.architecture == Architecture::Armv7m {
            // There are no shared objects for bare metal.
            cargo.args(["--crate-type", "staticlib"]);
        }
        let status = cargo.status().context("cannot start cargo")?;
        ensure!(status.success(), "the probe does not compile for {triple}");
        let folder = folder.join(triple).join("release");
        if self.architecture == Architecture::Armv7m {
            return link(&folder);
        }
        Ok(folder.join("libmoissanite_prover_probe.so"))
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

/// Returns the root of the tree.
pub(crate) fn tree() -> Result<PathBuf> {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    tree.canonicalize().context("the tree")
}

/// Returns the folder for everything that the prover compiles.
pub(crate) fn target_folder(tree: &Path) -> PathBuf {
    let folder = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    folder.unwrap_or_else(|| tree.join("target")).join("prover")
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
    linker_of_rust()
}

/// Links the whole archive of a target for bare metal to a program at a fixed address. It has no entry.
fn link(folder: &Path) -> Result<PathBuf> {
    let path = folder.join("moissanite_prover_probe.elf");
    let status = Command::new(linker_of_rust()?)
        .args(["-flavor", "gnu", "--entry=0", "--whole-archive"])
        .arg(folder.join("libmoissanite_prover_probe.a"))
        .arg("-o")
        .arg(&path)
        .status();
    ensure!(
        status.context("cannot start the linker")?.success(),
        "the probe cannot be linked"
    );
    Ok(path)
}

/// Returns the linker that comes with the compiler in the path.
fn linker_of_rust() -> Result<String> {
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
