//! The documents are correct: this test runs every block of shell, and checks that every block of Rust is
//! a doctest.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const MOISSANITE: &str = env!("CARGO_BIN_EXE_moissanite");

/// The call of the command from the source tree, as in the documents.
const FROM_SOURCE: &str = "cargo run --release --bin moissanite -- ";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// All files of the tree with an extension, without build directories.
fn files(extension: &str) -> Vec<PathBuf> {
    fn walk(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let hidden = name.starts_with('.') && name != ".github";
            if entry.file_type().unwrap().is_dir() {
                let generated = ["target", "corpus", "artifacts"].contains(&&*name);
                if !hidden && !generated {
                    walk(&path, extension, found);
                }
            } else if path.extension() == Some(OsStr::new(extension)) {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&root(), extension, &mut found);
    assert!(!found.is_empty(), "no .{extension} files");
    found.sort();
    found
}

/// A fenced block: where it begins, what it says it is, and its lines.
struct Block {
    place: String,
    language: String,
    lines: Vec<String>,
}

/// The blocks of a text in Markdown.
fn blocks<'a>(file: &Path, lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<Block> {
    let name = file.strip_prefix(root()).unwrap().display();
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in lines {
        match (line.trim_start().strip_prefix("```"), open.take()) {
            (Some(language), None) => {
                open = Some(Block {
                    place: format!("{name}:{}", index + 1),
                    language: language.trim().into(),
                    lines: Vec::new(),
                });
            }
            (Some(_), Some(block)) => blocks.push(block),
            (None, Some(mut block)) => {
                block.lines.push(line.into());
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{name} ends within a block");
    blocks
}

fn document_blocks(file: &Path) -> Vec<Block> {
    let text = fs::read_to_string(file).unwrap();
    blocks(file, text.lines().enumerate())
}

/// The documents that a crate includes as its documentation, whose Rust rustdoc tests.
fn doctested() -> BTreeSet<PathBuf> {
    let mut documents = BTreeSet::new();
    for file in files("rs") {
        for line in fs::read_to_string(&file).unwrap().lines() {
            let included = line
                .trim()
                .trim_start_matches(['#', '!'])
                .strip_prefix("[doc = include_str!(\"")
                .and_then(|rest| rest.strip_suffix("\")]"));
            if let Some(path) = included {
                documents.insert(file.with_file_name(path).canonicalize().unwrap());
            }
        }
    }
    documents
}

#[test]
fn every_document_s_rust_is_a_doctest() {
    let doctested = doctested();
    for file in files("md") {
        for block in document_blocks(&file) {
            match block.language.as_str() {
                "rust" | "rust,no_run" => assert!(
                    doctested.contains(&file),
                    "{}: no crate includes this document",
                    block.place
                ),
                // Shell is run below; the others are data.
                "sh" | "toml" | "json" => {}
                other => panic!("{}: a block of {other:?}", block.place),
            }
        }
    }
}

#[test]
fn no_doc_comment_hides_a_block() {
    for file in files("rs") {
        let text = fs::read_to_string(&file).unwrap();
        let comments = text.lines().enumerate().filter_map(|(index, line)| {
            let line = line.trim_start();
            let comment = line.strip_prefix("///").or(line.strip_prefix("//!"))?;
            Some((index, comment))
        });
        for block in blocks(&file, comments) {
            // With the error that the compiler has to give.
            let (language, _) = block
                .language
                .split_once(',')
                .unwrap_or((&block.language, ""));
            assert!(
                ["", "rust", "should_panic", "compile_fail"].contains(&language),
                "{}: a block of {:?}",
                block.place,
                block.language
            );
        }
    }
}

/// A line of a shell block, and the status with which it says it exits.
fn expectation(line: &str) -> (&str, i32) {
    match line.split_once("# exit status ") {
        Some((command, status)) => (command.trim(), status.trim().parse().unwrap()),
        None => (line.trim(), 0),
    }
}

fn run(line: &str, folder: &Path, place: &str) {
    let (command, expected) = expectation(line);
    let commands = Path::new(MOISSANITE).parent().unwrap();
    let path = env::join_paths(
        std::iter::once(commands.to_path_buf())
            .chain(env::split_paths(&env::var_os("PATH").unwrap())),
    );
    let output = Command::new("sh")
        .args(["-euc", command])
        .env("PATH", path.unwrap())
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(
        output.status.code() == Some(expected),
        "{place}: `{command}` ended with {} instead of {expected}:\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Runs a document's shell in a folder of its own; how many lines that were.
///
/// What calls cargo would build everything once more; that it works is for
/// `.ci/run` to show, which has to have the same line.
fn run_shell(file: &Path, folder: &Path) -> usize {
    let ci = fs::read_to_string(root().join(".ci/run")).unwrap();
    let mut count = 0;
    for block in document_blocks(file) {
        if block.language != "sh" {
            continue;
        }
        let place = &block.place;
        for line in block.lines.iter().filter(|line| !line.trim().is_empty()) {
            assert!(!line.ends_with('\\'), "{place}: a line that goes on");
            if line.starts_with("cargo ") || line.starts_with(".ci/") {
                assert!(ci.contains(line), "{place}: `{line}` is not in .ci/run");
            } else {
                run(line, folder, place);
            }
            if let Some(arguments) = line.strip_prefix(FROM_SOURCE) {
                run(&format!("moissanite {arguments}"), &root(), place);
            }
            count += 1;
        }
    }
    count
}

#[test]
fn every_document_s_shell_runs() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents");
    let mut counts = Vec::new();
    for (index, file) in files("md").iter().enumerate() {
        let folder = scratch.join(index.to_string());
        // Left behind by a run that failed.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        counts.push((file.clone(), run_shell(file, &folder)));
    }
    fs::remove_dir_all(scratch).unwrap();
    let readme = root().join("README.md");
    assert!(
        counts
            .iter()
            .any(|(file, count)| *file == readme && *count > 5)
    );
}
