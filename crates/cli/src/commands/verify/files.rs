//! `moissanite verify FILE...`.

use std::path::{Path, PathBuf};

use super::verifier::{Verifier, VerifierArgs};
use crate::backend::Backend;
use crate::error::Error;
use crate::input::{Message, Source};
use crate::output;
use crate::signature::{self, SignatureFile};

/// Verifies the signature of each file.
pub(super) fn run(
    args: &VerifierArgs,
    files: &[PathBuf],
    signature: Option<&Path>,
    backend: Backend,
) -> Result<(), Error> {
    let pairs = pairs(files, signature)?;
    let inputs: Vec<_> = pairs.iter().flatten().cloned().collect();
    let verifier = Verifier::new(args, &inputs, backend)?;
    let mut not_valid = 0_usize;
    let mut first = None;
    for [message, signature] in &pairs {
        let place = message.place();
        let signature = SignatureFile::read(signature);
        let checked = signature
            .and_then(|signature| verifier.check_message(&signature, Message::open(message)?));
        match checked {
            Ok(()) => output::print(&format!("{place}: valid\n"))?,
            Err(error) => {
                output::print(&format!("{place}: {error}\n"))?;
                not_valid += usize::from(matches!(error, Error::NotValid(_)));
                first.get_or_insert(error);
            }
        }
    }
    match (not_valid, first) {
        (0, None) => Ok(()),
        (0, Some(error)) => Err(error),
        (_, _) => Err(Error::NotValid(format!(
            "{not_valid} of {} files",
            pairs.len()
        ))),
    }
}

/// The source of each message and of its signature.
fn pairs(files: &[PathBuf], signature: Option<&Path>) -> Result<Vec<[Source; 2]>, Error> {
    if let Some(signature) = signature {
        return match files {
            [file] => Ok(vec![[Source::new(file), Source::new(signature)]]),
            _ => Err(Error::Usage(
                "--signature is the signature of one message, and there are several; without it, the signature of FILE is FILE.sig"
                    .into(),
            )),
        };
    }
    let beside = |file| match Source::new(file) {
        Source::Stdin => Err(Error::Usage(
            "the signature of standard input has no default name; name its file with --signature"
                .into(),
        )),
        message @ Source::File(_) => Ok([message, Source::File(signature::beside(file))]),
    };
    files.iter().map(|file| beside(file)).collect()
}
