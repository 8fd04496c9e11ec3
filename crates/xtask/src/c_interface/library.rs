//! The libraries for C programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::header;
use crate::process;

const PACKAGE: &str = "moissanite-c";
/// The file for pkg-config, which finds the other files wherever the folder is.
const PKG_CONFIG: &str = "prefix=${pcfiledir}/../..\n\
    libdir=${prefix}/lib\n\
    includedir=${prefix}/include\n\n\
    Name: moissanite\n\
    Description: ML-DSA (FIPS 204) signatures\n\
    Version: VERSION\n\
    Libs: -L${libdir} -lmoissanite\n\
    Libs.private: PRIVATE\n\
    Cflags: -I${includedir}\n";

/// How a library is compiled.
#[derive(Clone, Copy)]
pub(super) enum Profile {
    /// With the assertions of debug builds, for tests.
    Dev,
    /// As for users.
    Release,
}

/// Builds the libraries for this machine, and installs them, the header and the file for pkg-config.
pub(super) fn install(to: &Path, profile: Profile) -> Result<()> {
    ensure!(
        cfg!(target_os = "linux"),
        "the installation is for Linux; cargo-c installs on other systems"
    );
    let (folder, flags): (_, &[&str]) = match profile {
        Profile::Dev => ("debug", &[]),
        Profile::Release => ("release", &["--release"]),
    };
    let version = version()?;
    // Versions 0.x.y with another x have another interface.
    let compatible = version.rsplit_once('.').context("a version")?.0;
    let shared = format!("libmoissanite.so.{compatible}");
    let mut cargo = process::cargo(["rustc", "--quiet", "--locked", "--package", PACKAGE]);
    cargo.args(flags);
    cargo.args(["--", "-C", &format!("link-arg=-Wl,-soname,{shared}")]);
    process::run(&mut cargo)?;
    let (include, lib) = (to.join("include"), to.join("lib"));
    fs::create_dir_all(&include)?;
    fs::create_dir_all(lib.join("pkgconfig"))?;
    let built = process::target_directory()?.join(folder);
    fs::copy(built.join("libmoissanite.a"), lib.join("libmoissanite.a"))?;
    fs::copy(built.join("libmoissanite.so"), lib.join(&shared))?;
    let link = lib.join("libmoissanite.so");
    let _ = fs::remove_file(&link);
    #[cfg(unix)]
    std::os::unix::fs::symlink(&shared, &link)?;
    fs::copy(header::path(), include.join("moissanite.h"))?;
    let text = PKG_CONFIG.replace("VERSION", &version);
    let text = text.replace("PRIVATE", system_libraries()?.trim());
    fs::write(lib.join("pkgconfig/moissanite.pc"), text)?;
    println!("c-interface: installed in {}", to.display());
    Ok(())
}

/// The arguments of a linker for what the standard library needs. No other package of the library needs more.
fn system_libraries() -> Result<String> {
    let folder = process::target_directory()?.join("c-interface/system");
    process::make_empty(&folder)?;
    let (source, report) = (folder.join("empty.rs"), folder.join("libraries"));
    fs::write(&source, "")?;
    let mut rustc = Command::new(process::compiler());
    rustc.args(["--crate-type", "staticlib", "--print"]);
    rustc.arg(format!("native-static-libs={}", report.display()));
    process::run(rustc.arg("--out-dir").arg(&folder).arg(source))?;
    process::read(&report)
}

/// The version of the package.
pub(super) fn version() -> Result<String> {
    let packages = process::metadata()?.packages.into_iter();
    let mut packages = packages.filter(|package| package.name == PACKAGE);
    let package = packages.next().context(PACKAGE)?;
    Ok(package.version.to_string())
}

/// Builds the library for firmware, and returns its path.
pub(super) fn for_firmware(target: &str, features: &str) -> Result<PathBuf> {
    let folder = process::target_directory()?.join("c-interface/firmware");
    let mut cargo = process::cargo(["rustc", "--quiet", "--locked", "--profile", "firmware"]);
    cargo.args(["--package", PACKAGE, "--crate-type", "staticlib"]);
    cargo.args(["--no-default-features", "--features", features]);
    cargo
        .args(["--target", target, "--target-dir"])
        .arg(&folder);
    process::run(cargo.env_remove("RUSTFLAGS"))?;
    Ok(folder.join(target).join("firmware/libmoissanite.a"))
}
