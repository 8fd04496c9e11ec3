//! `cargo xtask unsafe-code` counts the `unsafe` code of the published crates and compares it with the record,
//! so that none is added unnoticed.
//!
//! It counts in the tokens of each file, so that macros are counted too, and texts and comments are not.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use anyhow::{Result, anyhow};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::baseline::{Arguments, Baseline, OtherCompiler, Section, Sections};
use crate::process;

const BASELINE: Baseline = Baseline {
    job: "unsafe-code",
    file: "crates/xtask/unsafe-code.txt",
    about: "The `unsafe` code of the published crates: blocks, functions, implementations and traits,\n\
            and attributes; and uses of macros with a block, each of which is a block of its own.",
    tolerance: 0,
    other_compiler: OtherCompiler::Tolerance(0),
};
const COLUMNS: [&str; 5] = ["blocks", "functions", "impls", "attributes", "expansions"];

/// The numbers of a file, in the order of [`COLUMNS`].
type Counts = [u64; COLUMNS.len()];

/// Counts, and compares or records.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let (mut files, mut crates) = (BTreeMap::new(), BTreeMap::new());
    for package in process::published()? {
        let of_crate: &mut Counts = crates.entry(package.name.to_string()).or_default();
        let folder = package.manifest_path.with_file_name("src");
        for path in process::files(folder.as_std_path())? {
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let name = path.strip_prefix(process::root())?.display().to_string();
            let tokens = process::read(&path)?.parse();
            let counts = count(&tokens.map_err(|error| anyhow!("{name}: {error}"))?);
            iter::zip(&mut *of_crate, counts).for_each(|(all, one)| *all += one);
            if counts != Counts::default() {
                files.insert(name, counts);
            }
        }
    }
    let section = |rows: BTreeMap<String, Counts>| {
        let mut section = Section::new("tokens".to_owned(), &COLUMNS);
        let rows = rows.into_iter();
        section.rows = rows.map(|(name, counts)| (name, counts.into())).collect();
        section
    };
    let sections = [("crates", section(crates)), ("files", section(files))];
    let sections: Sections = sections
        .map(|(name, table)| (name.to_owned(), table))
        .into();
    BASELINE.settle(sections, arguments)
}

/// Counts in all tokens of a file.
fn count(tokens: &TokenStream) -> Counts {
    let all = flat(tokens);
    let macros: BTreeSet<String> = all
        .iter()
        .zip(all.iter().skip(2))
        .zip(all.iter().skip(3))
        .filter(|((first, _), body)| is(first, "macro_rules") && has_block(body))
        .map(|((_, name), _)| name.to_string())
        .collect();
    let mut counts = Counts::default();
    for (token, next) in all.iter().zip(all.iter().skip(1)) {
        let column = match (token, next) {
            (TokenTree::Ident(name), TokenTree::Punct(mark)) if mark.as_char() == '!' => {
                macros.contains(&name.to_string()).then_some(4)
            }
            _ if !is(token, "unsafe") => None,
            (_, TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => Some(0),
            (_, TokenTree::Group(_)) => Some(3),
            _ if is(next, "impl") || is(next, "trait") => Some(2),
            _ => Some(1),
        };
        if let Some(count) = column.and_then(|column| counts.get_mut(column)) {
            *count += 1;
        }
    }
    counts
}

/// All tokens, with those of a group after the group.
fn flat(tokens: &TokenStream) -> Vec<TokenTree> {
    let mut all = Vec::new();
    for token in tokens.clone() {
        all.push(token.clone());
        if let TokenTree::Group(group) = token {
            all.extend(flat(&group.stream()));
        }
    }
    all
}

fn is(token: &TokenTree, name: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == name)
}

/// Whether the body of a macro contains an `unsafe` block.
fn has_block(body: &TokenTree) -> bool {
    match body {
        TokenTree::Group(group) => flat(&group.stream())
            .iter()
            .any(|token| is(token, "unsafe")),
        _ => false,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::count;

    #[test]
    fn kinds_of_unsafe_code() {
        for (text, expected) in [
            ("fn f() { unsafe { g() } }", [1, 0, 0, 0, 0]),
            (
                "fn f() { let x = || unsafe { g(unsafe { h() }) }; }",
                [2, 0, 0, 0, 0],
            ),
            (
                "unsafe fn f() {} unsafe extern \"C\" fn g() {}",
                [0, 2, 0, 0, 0],
            ),
            (
                "unsafe impl Send for A {} unsafe trait B {}",
                [0, 0, 2, 0, 0],
            ),
            ("#[unsafe(no_mangle)] fn f() {}", [0, 0, 0, 1, 0]),
            ("// unsafe { }\nconst A: &str = \"unsafe {}\";", [0; 5]),
            (
                "macro_rules! m { ($x:expr) => { unsafe { $x } } } fn f() { m!(m!(1)); n!(2) }",
                [1, 0, 0, 0, 2],
            ),
            ("macro_rules! m { () => { 1 } } fn f() { m!() }", [0; 5]),
        ] {
            assert_eq!(count(&text.parse().unwrap()), expected, "{text}");
        }
    }
}
