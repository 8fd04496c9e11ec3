//! `moissanite verify --recursive`.

use std::path::Path;

use super::verifier::{Verifier, VerifierArgs};
use crate::backend::Backend;
use crate::error::Error;
use crate::input::Message;
use crate::manifest::{Difference, Folder, LIMIT, MANIFEST, Manifest, SIGNATURE, compare, shown};
use crate::output;
use crate::signature::SignatureFile;

/// Verifies the signature of a folder's manifest, and then compares the folder with the manifest.
pub(super) fn run(args: &VerifierArgs, path: &Path, backend: Backend) -> Result<(), Error> {
    let folder = Folder::open(path)?;
    let verifier = Verifier::new(args, &[], backend)?;
    let signature = folder.read_at_most(SIGNATURE, SignatureFile::LIMIT as u64)?;
    let signature = SignatureFile::new(folder.place_of(SIGNATURE), signature);
    let bytes = folder.read_at_most(MANIFEST, 1 + LIMIT as u64)?;
    verifier.check_message(&signature, Message::of(&bytes))?;
    let manifest = Manifest::from_bytes(&bytes);
    let manifest = manifest.map_err(|error| Error::file(folder.place_of(MANIFEST), error))?;
    let (mut changed, mut missing, mut new) = (0_usize, 0_usize, 0_usize);
    let mut unreadable = None;
    for (name, difference) in compare(&folder, &manifest) {
        let name = shown(&name);
        match difference {
            Difference::Changed => changed += print(&name, "changed")?,
            Difference::Missing => missing += print(&name, "missing")?,
            Difference::New => new += print(&name, "new")?,
            Difference::Unreadable(error) => {
                print(&name, &error.to_string())?;
                unreadable.get_or_insert(error);
            }
        }
    }
    match (changed + missing + new, unreadable) {
        (0, None) => output::print("valid\n"),
        (0, Some(error)) => Err(error),
        _ => Err(Error::NotValid(format!(
            "{} differs from its manifest: {changed} changed, {missing} missing, {new} new",
            folder.place()
        ))),
    }
}

/// Prints a line, and returns the number of lines.
fn print(name: &str, difference: &str) -> Result<usize, Error> {
    output::print(&format!("{name}: {difference}\n"))?;
    Ok(1)
}
