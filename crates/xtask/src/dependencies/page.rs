//! The part of the page on dependencies that is made.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::Result;

use super::facts::Facts;
use super::notes::Note;
use super::root::Root;
use crate::linked::{Id, Tree};

/// A package of others.
#[derive(Debug)]
pub(crate) struct Dependency {
    pub(crate) note: Note,
    pub(crate) license: String,
    pub(crate) facts: Facts,
    /// The features that some root with all its features turns on.
    pub(crate) features: BTreeSet<String>,
    /// Whether it runs only at build time, in a build script or a macro.
    pub(crate) only_builds: bool,
}

/// The tables and the notes.
pub(crate) fn text(
    roots: &[Root],
    dependencies: &BTreeMap<Id, Dependency>,
    of_tree: &BTreeSet<String>,
) -> Result<String> {
    let mut text = "## What each crate depends on\n\n".to_owned();
    text += "| crate | features | count | packages of others |\n| --- | --- | --- | --- |\n";
    for root in roots {
        let mut before = BTreeSet::new();
        for (features, tree) in [
            ("none", &root.none),
            ("default", &root.default),
            ("all", &root.all),
        ] {
            let names = others(tree, of_tree);
            if features != "none" && names == before {
                continue;
            }
            let count = names.len();
            let more: Vec<_> = names.difference(&before).map(String::as_str).collect();
            let more = match (features, count) {
                (_, 0) => "none".to_owned(),
                ("none", _) => more.join(", "),
                _ => format!("also {}", more.join(", ")),
            };
            writeln!(text, "| `{}` | {features} | {count} | {more} |", root.name)?;
            before = names;
        }
    }
    text += "\n## What the sources say\n\n";
    text += "| package | licence | lines | `unsafe` | assembly | at build time | features |\n";
    text += "| --- | --- | --- | --- | --- | --- | --- |\n";
    for (id, dependency) in dependencies {
        writeln!(text, "{}", row(id, dependency))?;
    }
    text += "\n## Notes\n\n";
    for (id, dependency) in dependencies {
        let note = &dependency.note;
        writeln!(
            text,
            "**{id}** ({}), for {}. {} Read: {}. {}\n",
            note.keeper,
            users(id, roots),
            note.purpose,
            note.read.word(),
            note.found
        )?;
    }
    Ok(text)
}

/// The names of the packages of a tree that are not of this project.
fn others(tree: &Tree, of_tree: &BTreeSet<String>) -> BTreeSet<String> {
    let names = tree.nodes.keys().map(|id| &id.name);
    names
        .filter(|name| !of_tree.contains(*name))
        .cloned()
        .collect()
}

fn row(id: &Id, dependency: &Dependency) -> String {
    let facts = &dependency.facts;
    let unsafe_ = match (facts.unsafe_, facts.forbids_unsafe) {
        (0, true) => "forbidden".to_owned(),
        (count, true) => format!("forbidden; {count} in tests or texts"),
        (count, false) => count.to_string(),
    };
    let mut at_build_time = Vec::new();
    if facts.is_macro {
        at_build_time.push("macro".to_owned());
    } else if dependency.only_builds {
        at_build_time.push("part of a macro or build script".to_owned());
    }
    if let Some(lines) = facts.build_script {
        at_build_time.push(format!("build script of {lines} lines"));
    }
    if facts.foreign > 0 {
        at_build_time.push(format!("{} files in C or assembly", facts.foreign));
    }
    let features: Vec<_> = dependency.features.iter().map(String::as_str).collect();
    format!(
        "| {id} | {} | {} | {unsafe_} | {} | {} | {} |",
        dependency.license,
        facts.lines,
        facts.assembly,
        at_build_time.join(", "),
        features.join(", ")
    )
}

/// The crates that depend on a package, with the features that bring it, unless they always do.
fn users(id: &Id, roots: &[Root]) -> String {
    let mut users = Vec::new();
    for root in roots {
        if root.none.nodes.contains_key(id) {
            users.push(format!("`{}`", root.name));
        } else if root.all.nodes.contains_key(id) {
            let bringing = root
                .features
                .iter()
                .filter(|(_, tree)| tree.nodes.contains_key(id));
            let names: Vec<_> = bringing.map(|(name, _)| format!("`{name}`")).collect();
            users.push(format!("`{}` with {}", root.name, names.join(" or ")));
        }
    }
    users.join(", ")
}
