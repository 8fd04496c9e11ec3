//! `cargo xtask dependencies` checks that there is a note about each package of others that users of the
//! published crates link or run, and that the page on dependencies shows the notes and what the sources say.

mod facts;
mod notes;
mod page;
mod root;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};

use self::facts::Facts;
use self::page::Dependency;
use self::root::Root;
use crate::linked::Id;
use crate::{baseline, document, packages, process};

const PAGE: &str = "crates/moissanite/docs/dependencies.md";
const JOB: &str = "dependencies";
/// The crates that users name. Together they link all other published crates.
const ROOTS: [&str; 13] = [
    "moissanite",
    "moissanite-c",
    "moissanite-cms",
    "moissanite-composite",
    "moissanite-embassy-boot",
    "moissanite-rustls",
    "moissanite-mcuboot",
    "moissanite-ssh",
    "moissanite-tlog",
    "moissanite-tokens",
    "moissanite-zk-dilithium",
    "moissanite-cli",
    "moissanite-kats",
];

/// Compares the page with the notes, the lock file and the sources, or writes it.
pub(crate) fn run(arguments: &baseline::Arguments) -> Result<()> {
    let published = process::published()?;
    let mut roots = Vec::new();
    for name in ROOTS {
        let package = published.iter().find(|package| package.name == name);
        let package = package.with_context(|| format!("{name} is not published"))?;
        roots.push(Root::new(name, package.features.keys())?);
    }
    let of_tree: BTreeSet<String> = published
        .iter()
        .map(|package| package.name.to_string())
        .collect();
    let linked = |name: &String| {
        let mut roots = roots.iter();
        roots.any(|root| root.all.nodes.keys().any(|id| id.name == *name))
    };
    let forgotten: Vec<_> = of_tree.iter().filter(|name| !linked(name)).collect();
    ensure!(
        forgotten.is_empty(),
        "no crate of ROOTS links {forgotten:?}; the list has to name these crates"
    );

    let dependencies = dependencies(&roots, &of_tree)?;
    let made = page::text(&roots, &dependencies, &of_tree)?;
    if arguments.write {
        document::write_page(PAGE, JOB, &made)?;
    }
    document::check_page(PAGE, JOB, &made)?;
    println!(
        "{JOB}: {} packages of others, each with a note in {}",
        dependencies.len(),
        notes::NOTES
    );
    Ok(())
}

/// Joins the notes with what cargo and the sources say.
fn dependencies(roots: &[Root], of_tree: &BTreeSet<String>) -> Result<BTreeMap<Id, Dependency>> {
    let mut features: BTreeMap<Id, BTreeSet<String>> = BTreeMap::new();
    for root in roots {
        for (id, node) in &root.all.nodes {
            if !of_tree.contains(&id.name) {
                let of_this = features.entry(id.clone()).or_default();
                of_this.extend(node.features.iter().cloned());
            }
        }
    }
    let notes = notes::read(process::root())?;
    notes::check(&notes, &features.keys().cloned().collect())?;

    let locked = packages::all()?;
    let is_macro = |id: &Id| locked.get(id).is_some_and(packages::Locked::is_macro);
    let in_programs: BTreeSet<Id> = roots
        .iter()
        .flat_map(|root| root.normal.without_macros(is_macro))
        .collect();
    let mut dependencies = BTreeMap::new();
    for note in notes {
        let id = note.id();
        let unknown = || format!("Cargo.lock has no {id}");
        let package = &locked.get(&id).with_context(unknown)?.package;
        let license = package.license.clone();
        let dependency = Dependency {
            license: license.with_context(|| format!("{id} states no licence"))?,
            facts: Facts::of(package).with_context(|| id.to_string())?,
            features: features.remove(&id).with_context(unknown)?,
            only_builds: !in_programs.contains(&id),
            note,
        };
        dependencies.insert(id, dependency);
    }
    Ok(dependencies)
}
