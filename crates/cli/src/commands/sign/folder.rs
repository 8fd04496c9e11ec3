//! `moissanite sign --recursive`.

use std::path::Path;

use super::signer::{Signer, SignerArgs};
use crate::backend::Backend;
use crate::diagnostics::warn;
use crate::error::Error;
use crate::input::{Message, Source};
use crate::manifest::{Folder, MANIFEST, ManifestError, SIGNATURE, record};
use crate::output::{Output, Target};
use crate::report::Report;

/// Writes the manifest of a folder and its signature.
pub(super) fn run(
    args: &SignerArgs,
    path: &Path,
    backend: Backend,
    report: &mut Report,
) -> Result<(), Error> {
    let folder = Folder::open(path)?;
    let targets = [MANIFEST, SIGNATURE].map(|name| Target::File(folder.join(name)));
    let signer = Signer::new(args, &[], &targets, backend, report)?;
    if is_below(&args.key, path) {
        let place = Source::new(&args.key).place();
        warn(&format!(
            "the private key {place} is in the folder, whose manifest lists it; keep it elsewhere"
        ));
    }
    let manifest = record(&folder)?;
    let wrong = |error| Error::file(folder.place(), error);
    let (files, links) = manifest.counts();
    if files == 0 {
        return Err(wrong(ManifestError::Empty));
    }
    let bytes = manifest.to_bytes().map_err(wrong)?;
    let signature = signer.sign(Message::of(&bytes))?;
    let [target, signature_target] = targets;
    report.data("manifest", target.place());
    report.data("signature", signature_target.place());
    report.data("signature_length", signature.len());
    report.data("file_count", files);
    report.data("link_count", links);
    let manifest = Output {
        target,
        bytes: &bytes,
        secret: false,
        text: true,
    };
    let signature = Output {
        target: signature_target,
        bytes: &signature,
        secret: false,
        text: args.armor,
    };
    signer.write(&[manifest, signature], args.force)
}

/// Whether a file is below a folder, as far as that can be known.
fn is_below(file: &Path, folder: &Path) -> bool {
    let paths = (file.canonicalize(), folder.canonicalize());
    matches!(paths, (Ok(file), Ok(folder)) if file.starts_with(&folder))
}
