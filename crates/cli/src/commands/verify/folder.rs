//! `moissanite verify --recursive`.

use std::path::Path;

use serde_json::json;

use super::verifier::{Verifier, VerifierArgs};
use crate::backend::Backend;
use crate::error::Error;
use crate::input::Message;
use crate::manifest::{Difference, Folder, LIMIT, MANIFEST, Manifest, SIGNATURE, compare, shown};
use crate::report::Report;
use crate::signature::SignatureFile;

/// Verifies the signature of a folder's manifest, and then compares the folder with the manifest.
pub(super) fn run(
    args: &VerifierArgs,
    path: &Path,
    backend: Backend,
    report: &mut Report,
) -> Result<(), Error> {
    let folder = Folder::open(path)?;
    let verifier = Verifier::new(args, &[], backend)?;
    let signature = folder.read_at_most(SIGNATURE, SignatureFile::LIMIT as u64)?;
    let signature = SignatureFile::new(folder.place_of(SIGNATURE), signature);
    let bytes = folder.read_at_most(MANIFEST, 1 + LIMIT as u64)?;
    let signer = verifier.check_message(&signature, Message::of(&bytes))?;
    let manifest = Manifest::from_bytes(&bytes);
    let manifest = manifest.map_err(|error| Error::file(folder.place_of(MANIFEST), error))?;
    let (mut changed, mut missing, mut new) = (0_usize, 0_usize, 0_usize);
    let mut unreadable = None;
    let mut differences = Vec::new();
    for (name, difference) in compare(&folder, &manifest) {
        let (kind, error) = match difference {
            Difference::Changed => ("changed", None),
            Difference::Missing => ("missing", None),
            Difference::New => ("new", None),
            Difference::Unreadable(error) => ("unreadable", Some(error)),
        };
        match kind {
            "changed" => changed += 1,
            "missing" => missing += 1,
            "new" => new += 1,
            _ => {}
        }
        let name = shown(&name);
        let text = error.as_ref().map(ToString::to_string);
        report.text(&format!("{name}: {}\n", text.as_deref().unwrap_or(kind)))?;
        differences.push(json!({ "name": name, "difference": kind, "error": text }));
        unreadable = unreadable.or(error);
    }
    match differences.is_empty() {
        true => report.valid()?,
        false => report.data("valid", false),
    }
    let (files, links) = manifest.counts();
    report.data("file_count", files);
    report.data("link_count", links);
    report.data("differences", differences);
    signer.report(report)?;
    match (changed + missing + new, unreadable) {
        (0, None) => Ok(()),
        (0, Some(error)) => Err(Error::Listed(error.into())),
        _ => {
            let error = Error::NotValid(format!(
                "{} differs from its manifest: {changed} changed, {missing} missing, {new} new",
                folder.place()
            ));
            Err(Error::Listed(error.into()))
        }
    }
}
