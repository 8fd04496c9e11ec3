//! What the sources of a package say of it: how much code it has, and what runs without checks.

use std::path::Path;

use anyhow::{Context, Result};
use cargo_metadata::{Package, TargetKind};
use proc_macro2::{TokenStream, TokenTree};

use crate::process;

/// The facts about a package at one version. They are of all its files, whichever features are on.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The lines of the library.
    pub(crate) lines: usize,
    /// The number of times that the library has the keyword `unsafe`, in macros and tests too.
    pub(crate) unsafe_: usize,
    /// Whether the compiler refuses `unsafe` in the library.
    pub(crate) forbids_unsafe: bool,
    /// The number of blocks of assembly.
    pub(crate) assembly: usize,
    /// The lines of the build script.
    pub(crate) build_script: Option<usize>,
    pub(crate) is_macro: bool,
    /// Files in other languages, which a build script could compile.
    pub(crate) foreign: usize,
}

/// The endings of files with code in other languages.
const FOREIGN: [&str; 8] = ["a", "asm", "c", "cc", "cpp", "o", "s", "S"];

impl Facts {
    /// Reads the sources of a package.
    pub(crate) fn of(package: &Package) -> Result<Self> {
        let mut facts = Self::default();
        for target in &package.targets {
            let path = target.src_path.as_std_path();
            if target.kind.contains(&TargetKind::CustomBuild) {
                facts.build_script = Some(process::read(path)?.lines().count());
            } else if target.is_lib() || target.kind.contains(&TargetKind::ProcMacro) {
                facts.is_macro |= target.kind.contains(&TargetKind::ProcMacro);
                facts.forbids_unsafe = forbids_unsafe(tokens(path)?);
                facts.count(path.parent().context("a folder of sources")?)?;
            }
        }
        let folder = package
            .manifest_path
            .parent()
            .context("a package's folder")?;
        let files = process::files(folder.as_std_path())?;
        let is_foreign = |path: &&std::path::PathBuf| {
            let ending = path.extension().and_then(|ending| ending.to_str());
            ending.is_some_and(|ending| FOREIGN.contains(&ending))
        };
        facts.foreign = files.iter().filter(is_foreign).count();
        Ok(facts)
    }

    /// Adds the files of the library.
    fn count(&mut self, folder: &Path) -> Result<()> {
        for path in process::files(folder)? {
            if path.extension().is_some_and(|ending| ending == "rs") {
                self.lines += process::read(&path)?.lines().count();
                self.count_tokens(tokens(&path)?);
            }
        }
        Ok(())
    }

    fn count_tokens(&mut self, tokens: TokenStream) {
        let mut before = String::new();
        for token in tokens {
            let mut name = String::new();
            match token {
                TokenTree::Group(group) => self.count_tokens(group.stream()),
                TokenTree::Ident(ident) => name = ident.to_string(),
                TokenTree::Punct(punct) if punct.as_char() == '!' => {
                    let is_assembly = ["asm", "global_asm", "naked_asm"].contains(&before.as_str());
                    self.assembly += usize::from(is_assembly);
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            self.unsafe_ += usize::from(name == "unsafe");
            before = name;
        }
    }
}

/// Comments are not tokens, and documentation is a literal.
fn tokens(path: &Path) -> Result<TokenStream> {
    let text = process::read(path)?;
    let tokens = text.parse::<TokenStream>();
    tokens.map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
}

/// Whether a library begins with `#![forbid(unsafe_code)]`, alone or with other lints, and under no condition.
fn forbids_unsafe(tokens: TokenStream) -> bool {
    let mut forbids = false;
    let mut before = ' ';
    for token in tokens {
        // The attributes of a library are the groups after `#!` before its first item.
        let group = match token {
            TokenTree::Group(group) if before == '!' => group,
            TokenTree::Punct(punct) => {
                before = punct.as_char();
                continue;
            }
            TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => break,
        };
        let text = group.stream().to_string().replace([' ', '\n'], "");
        if let Some(lints) = text.strip_prefix("forbid(") {
            forbids |= lints
                .trim_end_matches(')')
                .split(',')
                .any(|lint| lint == "unsafe_code");
        }
    }
    forbids
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<TokenStream> {
        text.parse::<TokenStream>()
            .map_err(|error| anyhow::anyhow!("{error}"))
    }

    #[test]
    fn unsafe_code_is_counted_in_macros_and_not_in_comments() -> Result<()> {
        let text = "/// unsafe\nunsafe fn f() { m! { unsafe { asm!(\"unsafe\") } } }\n// unsafe\nfn asm() {}";
        let mut facts = Facts::default();
        facts.count_tokens(parsed(text)?);
        assert_eq!((facts.unsafe_, facts.assembly), (2, 1));
        Ok(())
    }

    #[test]
    fn only_an_unconditional_attribute_forbids() -> Result<()> {
        for (text, forbids) in [
            (
                "//! Text\n#![no_std]\n#![forbid(unsafe_code, missing_docs)]\nmod a;",
                true,
            ),
            ("#![deny(unsafe_code)]", false),
            ("#![cfg_attr(docsrs, forbid(unsafe_code))]", false),
            ("mod a { #![forbid(unsafe_code)] }", false),
        ] {
            assert_eq!(forbids_unsafe(parsed(text)?), forbids, "{text}");
        }
        Ok(())
    }
}
