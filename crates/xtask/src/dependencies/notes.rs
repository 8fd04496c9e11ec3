//! The notes of a reader about the packages of others: the file `NOTES`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::linked::Id;
use crate::process;

/// The notes, a table for each package and version.
pub(crate) const NOTES: &str = "crates/xtask/dependencies.toml";

/// How much of a package was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Read {
    Whole,
    Used,
    Unsafe,
    Searched,
}

/// What is known of a package at one version.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Note {
    pub(crate) name: String,
    pub(crate) version: String,
    /// Who maintains it.
    pub(crate) keeper: String,
    /// What it does here.
    pub(crate) purpose: String,
    pub(crate) read: Read,
    /// What the reading found.
    pub(crate) found: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    package: Vec<Note>,
}

impl Read {
    /// The word on the page.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Used => "used",
            Self::Unsafe => "unsafe",
            Self::Searched => "searched",
        }
    }
}

impl Note {
    pub(crate) fn id(&self) -> Id {
        Id {
            name: self.name.clone(),
            version: self.version.clone(),
        }
    }
}

/// Reads the notes of a tree.
pub(crate) fn read(root: &Path) -> Result<Vec<Note>> {
    let file: File = toml::from_str(&process::read(&root.join(NOTES))?).context(NOTES)?;
    Ok(file.package)
}

/// Fails unless each package has one note, and each note a package.
pub(crate) fn check(notes: &[Note], packages: &BTreeSet<Id>) -> Result<()> {
    let mut by_id = BTreeMap::new();
    for note in notes {
        let twice = by_id.insert(note.id(), note).is_some();
        ensure!(!twice, "{NOTES} has two notes about {}", note.id());
    }
    let missing: Vec<_> = packages
        .iter()
        .filter(|id| !by_id.contains_key(id))
        .map(Id::to_string)
        .collect();
    ensure!(
        missing.is_empty(),
        "{NOTES} has no note about {}; read what has changed, and add or renew the note",
        missing.join(", ")
    );
    let left: Vec<_> = by_id
        .keys()
        .filter(|id| !packages.contains(id))
        .map(Id::to_string)
        .collect();
    ensure!(
        left.is_empty(),
        "{NOTES} has notes about {}, on which nothing depends",
        left.join(", ")
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(name: &str, version: &str) -> Note {
        Note {
            name: name.to_owned(),
            version: version.to_owned(),
            keeper: String::new(),
            purpose: String::new(),
            read: Read::Whole,
            found: String::new(),
        }
    }

    #[test]
    fn notes_and_packages_are_the_same() {
        let notes = [note("a", "1.0.0"), note("b", "2.0.0")];
        let packages = |ids: &[(&str, &str)]| {
            let ids = ids.iter().map(|(name, version)| note(name, version).id());
            ids.collect::<BTreeSet<_>>()
        };
        let same = packages(&[("a", "1.0.0"), ("b", "2.0.0")]);
        assert!(check(&notes, &same).is_ok());
        // Another version, a package without a note, a note without a package, and a note that is there twice.
        assert!(check(&notes, &packages(&[("a", "1.0.1"), ("b", "2.0.0")])).is_err());
        assert!(check(&notes[..1], &same).is_err());
        assert!(check(&notes, &packages(&[("a", "1.0.0")])).is_err());
        assert!(
            check(
                &[note("a", "1.0.0"), note("a", "1.0.0")],
                &packages(&[("a", "1.0.0")])
            )
            .is_err()
        );
    }
}
