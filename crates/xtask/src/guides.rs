//! `cargo xtask guides` checks that each guide works in an empty project.
//!
//! The project has the dependencies that the guide names. The shell commands of the guide run first, then
//! its program. The project shares the lock file, the profile and the target folder of the workspace, so
//! that dependencies are not built again.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::process;

/// The folder of this project's crates in the guides: in a copy of the tree beside the user's program.
const CRATES: &str = "\"../moissanite/crates/";
/// The profile of the workspace, except for the guide's own program, so that dependencies are shared.
const PROFILE: &str = "[profile.dev]\ndebug = \"line-tables-only\"\nlto = \"off\"\n\
    [profile.dev.package.\"*\"]\nopt-level = 1\n";

/// Follows every guide.
pub(crate) fn run() -> Result<()> {
    let target = process::target_directory()?;
    process::run(&mut process::cargo([
        "build",
        "--quiet",
        "--locked",
        "--workspace",
        "--all-features",
        "--bin",
        "moissanite",
    ]))?;
    let mut count = 0;
    for file in process::files(&process::root().join("crates"))? {
        let is_guide = file.extension().is_some_and(|extension| extension == "md")
            && (file.components().any(|part| part.as_os_str() == "guides")
                || file.ends_with("docs/migration.md"));
        if is_guide {
            follow(&file, &target).with_context(|| file.display().to_string())?;
            count += 1;
        }
    }
    ensure!(count > 0, "there are no guides");
    println!("guides: {count} work in an empty project");
    Ok(())
}

fn follow(guide: &Path, target: &Path) -> Result<()> {
    let text = fs::read_to_string(guide)?;
    let name = guide.file_stem().context("no name")?.to_string_lossy();
    let project = target.join("guides").join(&*name);
    process::make_empty(&project)?;
    fs::create_dir(project.join("src"))?;

    let package = format!("[package]\nname = \"guide-{name}\"\nedition = \"2024\"\n[workspace]\n");
    let dependencies = blocks(&text, &["toml"]).concat();
    ensure!(!dependencies.is_empty(), "the guide names no dependencies");
    let here = format!("\"{}/", process::root().join("crates").display());
    let dependencies = dependencies.replace(CRATES, &here);
    fs::write(
        project.join("Cargo.toml"),
        [&package, PROFILE, &dependencies].concat(),
    )?;
    fs::copy(
        process::root().join("Cargo.lock"),
        project.join("Cargo.lock"),
    )?;
    let program = blocks(&text, &["rust", "rust,no_run"]);
    ensure!(
        program.len() == 1,
        "the guide has {} programs instead of one",
        program.len()
    );
    fs::write(project.join("src/main.rs"), program.concat())?;

    for block in blocks(&text, &["sh"]) {
        for line in block.lines().filter(|line| !line.trim().is_empty()) {
            shell(line, &project, target)?;
        }
    }
    let mut cargo = process::cargo(["run", "--quiet"]);
    process::run(cargo.current_dir(&project).env("CARGO_TARGET_DIR", target))
}

/// Returns the contents of all blocks in one of these languages.
pub(crate) fn blocks(text: &str, languages: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            continue;
        };
        let block = lines.by_ref().take_while(|line| *line != "```");
        let block: String = block.flat_map(|line| [line, "\n"]).collect();
        if languages.contains(&language) {
            found.push(block);
        }
    }
    found
}

/// Runs a line, which can name its exit status in a comment.
fn shell(line: &str, project: &Path, target: &Path) -> Result<()> {
    let (command, expected) = match line.split_once("# exit status ") {
        Some((command, status)) => (command, status.trim().parse()?),
        None => (line, 0),
    };
    let own = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(target.join("debug")).chain(std::env::split_paths(&own));
    let mut sh = Command::new("sh");
    sh.args(["-euc", command]).current_dir(project);
    let status = process::status(sh.env("PATH", std::env::join_paths(path)?))?;
    ensure!(status.code() == Some(expected), "`{command}`: {status}");
    Ok(())
}
