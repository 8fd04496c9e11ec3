//! `moissanite sign --recursive`.

use std::path::Path;

use super::signer::{Signer, SignerArgs};
use crate::backend::Backend;
use crate::error::Error;
use crate::input::{Message, Source};
use crate::manifest::{Entry, Folder, MANIFEST, ManifestError, SIGNATURE, record};
use crate::output::{self, Output, Target};
use crate::report::warn;

/// Writes the manifest of a folder and its signature.
pub(super) fn run(args: &SignerArgs, path: &Path, backend: Backend) -> Result<(), Error> {
    let folder = Folder::open(path)?;
    let targets = [MANIFEST, SIGNATURE].map(|name| Target::File(folder.join(name)));
    let signer = Signer::new(args, &[], &targets, backend)?;
    if is_below(&args.key, path) {
        let place = Source::new(&args.key).place();
        warn(&format!(
            "the private key {place} is in the folder, whose manifest lists it; keep it elsewhere"
        ));
    }
    let manifest = record(&folder)?;
    let wrong = |error| Error::file(folder.place(), error);
    if !manifest
        .0
        .values()
        .any(|entry| matches!(entry, Entry::File(_)))
    {
        return Err(wrong(ManifestError::Empty));
    }
    let bytes = manifest.to_bytes().map_err(wrong)?;
    let signature = signer.sign(Message::of(&bytes))?;
    let [target, signature_target] = targets;
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
    output::write(&[manifest, signature], args.force)
}

/// Whether a file is below a folder, as far as that can be known.
fn is_below(file: &Path, folder: &Path) -> bool {
    let paths = (file.canonicalize(), folder.canonicalize());
    matches!(paths, (Ok(file), Ok(folder)) if file.starts_with(&folder))
}
