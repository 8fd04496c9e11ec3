//! The header, which cbindgen makes of the sources.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, ensure};

use crate::process;

/// The crate.
pub(super) const CRATE: &str = "crates/c";

/// The header in the tree.
pub(super) fn path() -> PathBuf {
    process::root().join(CRATE).join("include/moissanite.h")
}

/// Writes the header.
pub(super) fn write() -> Result<()> {
    let path = path();
    fs::write(&path, text()?).with_context(|| path.display().to_string())?;
    println!("c-interface: wrote {}", path.display());
    Ok(())
}

/// Fails if the header in the tree is another one.
pub(super) fn compare() -> Result<()> {
    ensure!(
        process::read(&path())? == text()?,
        "the header differs from the sources; `cargo xtask c-interface --write` writes it"
    );
    println!("c-interface: the header is that of the sources");
    Ok(())
}

fn text() -> Result<String> {
    let folder = process::root().join(CRATE);
    let configuration = cbindgen::Config::from_file(folder.join("cbindgen.toml"));
    let bindings = cbindgen::Builder::new()
        .with_crate(&folder)
        .with_config(configuration.map_err(|error| anyhow!("cbindgen.toml: {error}"))?)
        .generate()?;
    let mut text = Vec::new();
    bindings.write(&mut text);
    Ok(String::from_utf8(text)?)
}
