//! `moissanite verify FILE...`.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::verifier::{Verifier, VerifierArgs};
use crate::backend::Backend;
use crate::display::one_line;
use crate::error::Error;
use crate::input::{Message, Source};
use crate::report::Report;
use crate::signature::{self, SignatureFile};

/// Verifies the signature of each file.
pub(super) fn run(
    args: &VerifierArgs,
    files: &[PathBuf],
    signature: Option<&Path>,
    backend: Backend,
    report: &mut Report,
) -> Result<(), Error> {
    let pairs = pairs(files, signature)?;
    let inputs: Vec<_> = pairs.iter().flatten().cloned().collect();
    let verifier = Verifier::new(args, &inputs, backend)?;
    let mut not_valid = 0_usize;
    let mut first = None;
    let mut results = Vec::new();
    for [message, signature] in &pairs {
        let place = message.place();
        let file = SignatureFile::read(signature);
        let checked = file.and_then(|file| verifier.check_message(&file, Message::open(message)?));
        let text = match &checked {
            Ok(signer) if verifier.trust.is_several() => format!("valid, by {}", signer.place()),
            Ok(_) => "valid".into(),
            Err(error) => error.to_string(),
        };
        report.text(&format!("{}\n", one_line(&format!("{place}: {text}"))))?;
        results.push(json!({
            "file": place,
            "signature": signature.place(),
            "valid": checked.is_ok(),
            "error": checked.as_ref().err().map(ToString::to_string),
            "key": checked.as_ref().ok().map(|signer| signer.place()),
            "fingerprint": checked.as_ref().ok().map(|signer| signer.fingerprint()),
        }));
        if let Err(error) = checked {
            not_valid += usize::from(matches!(error, Error::NotValid(_)));
            first.get_or_insert(error);
        }
    }
    report.data("valid", first.is_none());
    report.data("files", results);
    match (not_valid, first) {
        (_, None) => Ok(()),
        (0, Some(error)) => Err(Error::Listed(error.into())),
        _ => {
            let error = Error::NotValid(format!("{not_valid} of {} files", pairs.len()));
            Err(Error::Listed(error.into()))
        }
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
