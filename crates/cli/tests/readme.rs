//! The documents are correct: this test runs every block of shell, and checks that every block of Rust
//! is a doctest and that every link within the tree leads somewhere.
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

/// A fenced block: its position, its language, and its lines.
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
                // `cargo xtask c-interface` compiles and runs the blocks of C.
                "c" => assert_eq!(
                    file,
                    root().join("crates/c/README.md"),
                    "{}: no job runs this block",
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
            // The block names the error that the compiler must report.
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

/// A line of a shell block, and its stated exit status.
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

/// Runs the shell blocks of a document in a separate folder, and returns the number of lines.
///
/// Lines that call cargo would build everything again. `.ci/run` runs them instead, and must
/// contain the same line.
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

/// The pages of the book, all of which its summary has to list.
const BOOK: &str = "crates/moissanite/docs";

/// The lines of a document that are not in a fenced block.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// The targets of `[text](target)` and of `[name]: target`, code left out.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(text) {
        let line: String = line.split('`').step_by(2).collect();
        let inline = line.split("](").skip(1);
        found.extend(inline.filter_map(|rest| Some(rest.split_once(')')?.0.into())));
        if let Some((_, target)) = line.strip_prefix('[').and_then(|l| l.split_once("]: ")) {
            found.push(target.trim().into());
        }
    }
    found
}

/// The anchors that GitHub and mdBook give to the headings of a document.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            c => c.is_alphanumeric().then_some(c),
        });
        kept.collect()
    };
    headings.map(anchor).collect()
}

/// Returns the fault of a link in this document, if there is one.
fn broken(document: &Path, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = match link.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (link, None),
    };
    let target = match path {
        "" => document.into(),
        path => document.with_file_name(path),
    };
    let Ok(target) = target.canonicalize() else {
        return Some("there is no such file".into());
    };
    let book = root().join(BOOK);
    if document.starts_with(&book) && !target.starts_with(&book) {
        return Some("the built book lacks this file: write its path as code".into());
    }
    let anchor = anchor?;
    let there = anchors(&fs::read_to_string(target).unwrap_or_default()).contains(anchor);
    (!there).then(|| "there is no such heading".into())
}

/// The paths of files and folders of the tree that a document names as code.
fn paths(text: &str) -> Vec<String> {
    let folders = [".ci/", ".github/", "benches/", "crates/", "fuzz/", "kats/"];
    let is_path = |code: &&str| {
        let plain = !code.contains([' ', '*', '{', '<']);
        plain && folders.iter().any(|folder| code.starts_with(folder))
    };
    let codes = prose(text).flat_map(|line| line.split('`').skip(1).step_by(2));
    codes.filter(is_path).map(str::to_owned).collect()
}

#[test]
fn every_path_exists() {
    let mut count = 0;
    for file in files("md") {
        for path in paths(&fs::read_to_string(&file).unwrap()) {
            count += 1;
            assert!(root().join(&path).exists(), "{}: {path}", file.display());
        }
    }
    assert!(count > 50, "{count} paths");
    assert_eq!(
        paths("`crates/a.rs`, `b` and `crates/* c`"),
        ["crates/a.rs"]
    );
}

#[test]
fn every_link_leads_somewhere() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for file in files("md") {
        for link in links(&fs::read_to_string(&file).unwrap()) {
            count += 1;
            if let Some(reason) = broken(&file, &link) {
                let name = file.strip_prefix(root()).unwrap().display();
                wrong.push(format!("{name}: {link}: {reason}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 50, "{count} links");
}

#[test]
fn broken_links_are_seen() {
    let readme = root().join("README.md");
    assert_eq!(broken(&readme, "#speed"), None);
    for link in ["nowhere.md", "#nowhere", "README.md#nowhere"] {
        assert!(broken(&readme, link).is_some(), "{link}");
    }
    let page = root().join(BOOK).join("speed.md");
    assert!(broken(&page, "../../../README.md").is_some());
    let text = "[a](b) `[c](d)`\n```\n[e](f)\n```\n[g]: h\n";
    assert_eq!(links(text), ["b", "h"]);
}

/// mdBook leaves out a page that its summary does not list.
#[test]
fn the_book_has_every_page() {
    let book = root().join(BOOK);
    let summary = book.join("SUMMARY.md");
    let listed = links(&fs::read_to_string(&summary).unwrap());
    for page in files("md") {
        let Ok(name) = page.strip_prefix(&book) else {
            continue;
        };
        let name = name.to_string_lossy().replace('\\', "/");
        assert!(page == summary || listed.contains(&name), "{name}");
    }
}

/// The short table of the README has the figures of ML-DSA-65 of the page on speed.
#[test]
fn the_readme_has_the_recorded_speed() {
    fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
        text.lines()
            .filter(|line| line.starts_with('|'))
            .map(|line| line.split('|').map(str::trim).collect())
    }
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let page = fs::read_to_string(root().join(BOOK).join("speed.md")).unwrap();
    let short = readme.split("\n| ML-DSA-65 |").nth(1).unwrap();
    let short = short.split("\n\n").next().unwrap();
    let mut count = 0;
    for row in rows(short).filter(|row| !row[1].starts_with("---")) {
        let mut full = rows(&page).filter(|full| full[1] == row[1]);
        let full = full
            .next()
            .unwrap_or_else(|| panic!("{} is not measured", row[1]));
        let middle = full[2..]
            .iter()
            .map(|cell| cell.split(" / ").nth(1).unwrap_or(""));
        assert_eq!(row[2..], middle.collect::<Vec<_>>(), "{}", row[1]);
        count += 1;
    }
    assert!(count > 3, "{count} rows");
}
