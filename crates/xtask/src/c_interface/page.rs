//! The blocks of C on the page of the crate, each of which is a program.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

use super::header::CRATE;
use super::programs::{Linking, linked};
use crate::process;

/// Compiles and runs each block.
pub(super) fn run(scratch: &Path, installed: &Path) -> Result<()> {
    let page = process::read(&process::root().join(CRATE).join("README.md"))?;
    let blocks = blocks(&page);
    ensure!(!blocks.is_empty(), "the page has no block of C");
    for (number, block) in blocks.iter().enumerate() {
        let source = scratch.join(format!("page-{number}.c"));
        let program = source.with_extension("");
        fs::write(&source, block)?;
        let mut command = Command::new("gcc");
        command.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o"]);
        command.arg(&program).arg(&source);
        process::run(command.args(linked(installed, Linking::Static)?))?;
        process::run(&mut Command::new(&program))?;
    }
    println!(
        "c-interface: the page has {} programs, which run",
        blocks.len()
    );
    Ok(())
}

/// The texts of the blocks.
fn blocks(page: &str) -> Vec<String> {
    let parts = page.split("\n```c\n").skip(1);
    let texts = parts.filter_map(|part| Some(part.split_once("\n```\n")?.0.to_owned() + "\n"));
    texts.collect()
}
