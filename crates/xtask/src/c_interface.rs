//! `cargo xtask c-interface` checks the C interface, crates/c:
//!
//! - the header is the one that cbindgen makes;
//! - the boot loader's reader of images and the crate moissanite-mcuboot have the same verdict about changed images;
//! - C programs get known answers, and errors for misuse, with AddressSanitizer and UBSan, and C++ accepts the header;
//! - the installed library works with pkg-config, and so does that which cargo-c installs;
//! - the blocks of C on the page of the crate compile and run, as do its examples;
//! - the library for firmware contains no panic where a boot loader is linked with it, and the boot loader starts only
//!   images that its vendor signed, on a Cortex-M4 in QEMU.

mod cargo_c;
mod firmware;
mod header;
mod images;
mod library;
mod mutations;
mod page;
mod programs;
mod vectors;

use std::path::PathBuf;

use anyhow::Result;

use crate::process;

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write the header, instead of comparing and testing
    #[arg(long)]
    write: bool,
    /// Install the header, the libraries and the file for pkg-config in this folder, instead of testing
    #[arg(long, value_name = "DIR", conflicts_with = "write")]
    install: Option<PathBuf>,
}

/// Checks everything, writes the header, or installs.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.write {
        return header::write();
    }
    if let Some(to) = &arguments.install {
        return library::install(to, library::Profile::Release);
    }
    header::compare()?;
    let scratch = process::target_directory()?.join("c-interface");
    let installed = scratch.join("installed");
    library::install(&installed, library::Profile::Dev)?;
    programs::run(&scratch, &installed)?;
    page::run(&scratch, &installed)?;
    cargo_c::run(&scratch)?;
    firmware::run(&scratch)
}
