//! `cargo xtask layers` checks that the files of each crate import each other in one direction only.
//!
//! A file imports another if it mentions an item that the other defines, in a `use` declaration or by
//! a path. An item that is re-exported counts as the file that defines it. Neither `mod child;` nor a
//! re-export is an import. Code that is compiled for tests alone is not read.
//!
//! An import is upward if a file takes an item from the root of its crate, or if it takes an item from
//! the file of a module above that only imports this item itself.

mod arrows;
mod mentions;
mod syntax;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use cargo_metadata::{MetadataCommand, TargetKind};

use self::arrows::{Arrow, Imports, Items};
use self::syntax::Crate;
use crate::process;

const ALLOWED: &str = "crates/xtask/layers.txt";

/// Reads every crate of the tree, and fails where files import each other in a cycle or upward.
pub(crate) fn run() -> Result<()> {
    let mut allowed = Allowed::parse(&process::read(&process::root().join(ALLOWED))?)?;
    let (mut crates, mut files, mut faults) = (0, 0, Vec::new());
    for (package, root) in roots()? {
        let read = |file: &Path| std::fs::read_to_string(process::root().join(file)).ok();
        let krate = Crate::read(Path::new(&root), &read).with_context(|| root.clone())?;
        crates += 1;
        files += krate.files();
        faults.extend(allowed.check(&package, &Imports::of(&krate)));
    }
    faults.extend(allowed.unused());
    if !faults.is_empty() {
        bail!("{}", faults.join("\n\n"));
    }
    let exempt = allowed.packages.len();
    println!(
        "layers: {files} files of {crates} crates were read; all import in one direction, except \
         those of {exempt} packages in {ALLOWED}"
    );
    Ok(())
}

/// The root files of all libraries and programs of the tree, with their packages.
fn roots() -> Result<Vec<(String, String)>> {
    let mut roots = Vec::new();
    for manifest in process::workspaces()? {
        let metadata = MetadataCommand::new()
            .manifest_path(&manifest)
            .no_deps()
            .other_options(["--locked".to_owned()])
            .exec()
            .with_context(|| manifest.display().to_string())?;
        for package in metadata.packages {
            for target in package.targets {
                let no_tests =
                    |kind: &TargetKind| !matches!(kind, TargetKind::Test | TargetKind::CustomBuild);
                if target.kind.iter().all(no_tests) {
                    let root = target.src_path.strip_prefix(process::root())?.to_string();
                    roots.push((package.name.to_string(), root));
                }
            }
        }
    }
    Ok(roots)
}

/// The list of accepted exceptions, with reasons.
#[derive(Default)]
struct Allowed {
    /// The exempt packages, and whether each still needs the exemption.
    packages: BTreeMap<String, bool>,
    upward: BTreeMap<Arrow, bool>,
}

impl Allowed {
    fn parse(text: &str) -> Result<Self> {
        let mut allowed = Self::default();
        let lines = text.lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (what, reason) = line.split_once(": ").unwrap_or((line, ""));
            if reason.is_empty() {
                bail!("{ALLOWED}: this line has no reason: {line}");
            }
            match what.split_once(" -> ") {
                Some((from, to)) => {
                    allowed
                        .upward
                        .insert((from.to_owned(), to.to_owned()), false);
                }
                None => {
                    allowed.packages.insert(what.to_owned(), false);
                }
            }
        }
        Ok(allowed)
    }

    /// Returns the faults in the imports of a crate.
    fn check(&mut self, package: &str, imports: &Imports) -> Vec<String> {
        let mut faults = Vec::new();
        for cycle in imports.cycles() {
            let files: Vec<_> = cycle.iter().copied().collect();
            let mut fault = format!(
                "{package}: a cycle of {} files: {}",
                files.len(),
                files.join(", ")
            );
            for (arrow, items) in &imports.arrows {
                if cycle.contains(arrow.0.as_str()) && cycle.contains(arrow.1.as_str()) {
                    fault += &line(arrow, items);
                }
            }
            faults.push(fault);
        }
        let mut upward = String::new();
        for (arrow, items) in &imports.upward {
            match self.upward.get_mut(arrow) {
                Some(used) => *used = true,
                None => upward += &line(arrow, items),
            }
        }
        if !upward.is_empty() {
            faults.push(format!("{package}: upward imports:{upward}"));
        }
        match self.packages.get_mut(package) {
            Some(used) => {
                *used |= !faults.is_empty();
                Vec::new()
            }
            None => faults,
        }
    }

    /// Returns the exceptions that are no longer needed.
    fn unused(&self) -> Option<String> {
        let packages = self.packages.iter().filter(|(_, used)| !**used);
        let upward = self.upward.iter().filter(|(_, used)| !**used);
        let packages = packages.map(|(package, _)| package.clone());
        let upward = upward.map(|((from, to), _)| format!("{from} -> {to}"));
        let unused: Vec<_> = packages.chain(upward).collect();
        (!unused.is_empty()).then(|| {
            format!(
                "{ALLOWED} allows what is not there any more:\n  {}",
                unused.join("\n  ")
            )
        })
    }
}

/// Describes an import, with its items and the lines that mention them.
fn line((from, to): &Arrow, items: &Items) -> String {
    let items = items
        .iter()
        .map(|(item, line)| format!("{item} (line {line})"));
    format!(
        "\n  {from} -> {to}: {}",
        items.collect::<Vec<_>>().join(", ")
    )
}
