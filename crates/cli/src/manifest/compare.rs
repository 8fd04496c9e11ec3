//! The comparison of a folder with its manifest.

use std::collections::BTreeMap;

use super::error::ManifestError;
use super::folder::{Folder, Node};
use super::format::{Entry, Hash, Manifest};
use super::hashes::hash_all;
use super::name::{Name, shown};
use crate::error::Error;

/// How a name differs from the manifest.
#[derive(Debug)]
pub(crate) enum Difference {
    /// The content of the file, the target of the link or the kind of file is another one.
    Changed,
    /// There is nothing of this name.
    Missing,
    /// The manifest does not have this name.
    New,
    /// It cannot be read.
    Unreadable(Error),
}

/// The manifest of a folder as it is now.
pub(crate) fn record(folder: &Folder) -> Result<Manifest, Error> {
    let mut manifest = Manifest::default();
    let mut files = BTreeMap::new();
    for (name, node) in folder.scan() {
        let refused = |error| Error::file(shown(&name), error);
        let name = || {
            Name::new(name.clone())
                .ok_or(ManifestError::NotUnicode)
                .map_err(refused)
        };
        match node {
            Node::File(length) => drop(files.insert(name()?, length)),
            Node::Link(target) => drop(manifest.0.insert(name()?, Entry::Link(target))),
            Node::Special => return Err(refused(ManifestError::Special)),
            Node::Unreadable(error) => return Err(error),
        }
    }
    let listed: Vec<_> = files.iter().map(|(name, length)| (name, *length)).collect();
    let hashes = hash_all(folder, &listed);
    for (name, hash) in files.into_keys().zip(hashes) {
        manifest.0.insert(name, Entry::File(hash?));
    }
    Ok(manifest)
}

/// All differences between a folder and its manifest, sorted by the bytes of their names.
pub(crate) fn compare(folder: &Folder, manifest: &Manifest) -> BTreeMap<Vec<u8>, Difference> {
    let mut differences = BTreeMap::new();
    let mut nodes = folder.scan();
    let mut files: Vec<(&Name, u64, &Hash)> = Vec::new();
    for (name, entry) in &manifest.0 {
        let node = nodes.remove(name.as_bytes());
        let is_unreadable = |folder| matches!(nodes.get(folder), Some(Node::Unreadable(_)));
        let difference = match (entry, node) {
            (Entry::File(hash), Some(Node::File(length))) => {
                files.push((name, length, hash));
                continue;
            }
            (Entry::Link(expected), Some(Node::Link(target))) if target == *expected => continue,
            (_, Some(Node::Unreadable(error))) => Difference::Unreadable(error),
            (_, Some(_)) => Difference::Changed,
            // An unreadable folder is one difference, and nothing is known of what is in it.
            (_, None) if name.folders().any(is_unreadable) => continue,
            (_, None) => Difference::Missing,
        };
        differences.insert(name.as_bytes().to_vec(), difference);
    }
    let listed: Vec<_> = files
        .iter()
        .map(|(name, length, _)| (*name, *length))
        .collect();
    for ((name, _, expected), hash) in files.iter().zip(hash_all(folder, &listed)) {
        let difference = match hash {
            Ok(hash) if hash == **expected => continue,
            Ok(_) => Difference::Changed,
            Err(error) => Difference::Unreadable(error),
        };
        differences.insert(name.as_bytes().to_vec(), difference);
    }
    for (name, node) in nodes {
        let difference = match node {
            Node::Unreadable(error) => Difference::Unreadable(error),
            _ => Difference::New,
        };
        differences.insert(name, difference);
    }
    differences
}
