//! Copies the memory map of the board, which `BOARD` names, to a folder that the linker searches, and selects
//! the linker script of the start-up code.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-env-changed=BOARD");
    let board = env::var("BOARD").map_err(|_| "BOARD must name a file of the folder memory")?;
    let map = format!("memory/{board}.x");
    println!("cargo:rerun-if-changed={map}");
    let out = env::var("OUT_DIR")?;
    fs::copy(map, Path::new(&out).join("memory.x"))?;
    println!("cargo:rustc-link-search={out}");
    // The start-up code for RISC-V leaves the memory map to the caller.
    if env::var("CARGO_CFG_TARGET_ARCH")?.starts_with("riscv") {
        println!("cargo:rustc-link-arg=-Tmemory.x");
    }
    println!("cargo:rustc-link-arg=-Tlink.x");
    // Without it, the linker aligns the segments to pages, which small flash has no room for.
    println!("cargo:rustc-link-arg=--nmagic");
    Ok(())
}
