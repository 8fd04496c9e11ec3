//! The packages that a crate of the tree depends on, as `cargo tree` resolves them.
//!
//! `cargo metadata` joins the features of all crates of the workspace; a program of a user has only those
//! that it chooses. `cargo tree` resolves the features of one crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use anyhow::{Context, Result};

use crate::process;

/// Which dependencies count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edges {
    /// Those of the library or the command, and the macros that expand in them.
    Normal,
    /// Those of build scripts too.
    WithBuild,
}

/// A package and its version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id {
    pub(crate) name: String,
    pub(crate) version: String,
}

/// What a crate has of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) features: BTreeSet<String>,
    pub(crate) depends_on: BTreeSet<Id>,
}

/// A crate and all packages that it depends on, on any target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) root: Id,
    pub(crate) nodes: BTreeMap<Id, Node>,
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

impl Tree {
    /// The packages whose code can be in a program: those that are reached without passing a macro.
    pub(crate) fn without_macros(&self, is_macro: impl Fn(&Id) -> bool) -> BTreeSet<Id> {
        let mut found = BTreeSet::new();
        let mut next = vec![&self.root];
        while let Some(id) = next.pop() {
            if !is_macro(id) && found.insert(id.clone()) {
                let node = self.nodes.get(id);
                next.extend(node.iter().flat_map(|node| &node.depends_on));
            }
        }
        found
    }
}

/// Returns what a package depends on with a choice of features, such as `--all-features`.
pub(crate) fn tree(package: &str, features: &[&str], edges: Edges) -> Result<Tree> {
    let edges = match edges {
        Edges::Normal => "normal",
        Edges::WithBuild => "normal,build",
    };
    let mut cargo = process::cargo(["tree", "--locked", "--target", "all"]);
    cargo.args(["--package", package, "--edges", edges]);
    cargo.args(["--prefix", "depth", "--format", " {p}|{f}"]);
    parse(&process::output(cargo.args(features))?)
}

/// Reads lines like `2 serde v1.0.229 (proc-macro)|default,derive (*)`. The first number is the depth, and the
/// star marks a package whose dependencies are listed elsewhere.
fn parse(text: &str) -> Result<Tree> {
    let mut path: Vec<Id> = Vec::new();
    let mut nodes: BTreeMap<Id, Node> = BTreeMap::new();
    for line in text.lines() {
        let unknown = || format!("a line of `cargo tree` has another form: {line}");
        let (package, features) = line.split_once('|').with_context(unknown)?;
        let mut words = package.split(' ');
        let mut word = || words.next().with_context(unknown);
        let depth: usize = word()?.parse().with_context(unknown)?;
        let name = word()?.to_owned();
        let version = word()?.strip_prefix('v').with_context(unknown)?.to_owned();
        let id = Id { name, version };
        path.truncate(depth);
        if let Some(parent) = path.last() {
            let parent = nodes.entry(parent.clone()).or_default();
            parent.depends_on.insert(id.clone());
        }
        let features = features.strip_suffix(" (*)").unwrap_or(features);
        let names = features.split(',').filter(|name| !name.is_empty());
        let node = nodes.entry(id.clone()).or_default();
        node.features.extend(names.map(str::to_owned));
        path.push(id);
    }
    let root = path.into_iter().next().context("`cargo tree` is empty")?;
    Ok(Tree { root, nodes })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "0 a v1.0.0 (/tree/a)|x\n1 b v2.0.0 (proc-macro)|\n2 c v3.0.0|one,two\n1 c v3.0.0|two,three (*)";

    #[test]
    fn trees_are_read() -> Result<()> {
        let id = |name: &str, version: &str| Id {
            name: name.to_owned(),
            version: version.to_owned(),
        };
        let (a, b, c) = (id("a", "1.0.0"), id("b", "2.0.0"), id("c", "3.0.0"));
        let tree = parse(TEXT)?;
        assert_eq!(tree.root, a);
        assert_eq!(
            tree.nodes[&a].depends_on,
            [b.clone(), c.clone()].into_iter().collect()
        );
        assert_eq!(tree.nodes[&b].depends_on, [c.clone()].into_iter().collect());
        let features: Vec<_> = tree.nodes[&c].features.iter().collect();
        assert_eq!(features, ["one", "three", "two"]);
        let kept = tree.without_macros(|id| *id == b);
        assert_eq!(kept, [a, c.clone()].into_iter().collect());
        assert_eq!(tree.without_macros(|id| *id == c).len(), 2);
        assert!(parse("a v1.0.0|").is_err());
        Ok(())
    }
}
