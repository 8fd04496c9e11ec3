//! The public key of `moissanite verify`, and how it verifies.

use std::path::PathBuf;

use clap::Args;

use crate::algorithm;
use crate::algorithm::scheme::{Algorithm, Framing, PublicKey};
use crate::backend::Backend;
use crate::commands::options::{FramingArgs, warn_of_unused_backend};
use crate::diagnostics::warn;
use crate::error::Error;
use crate::fingerprint;
use crate::identity;
use crate::input::{Message, Source};
use crate::key_error::What;
use crate::keyfile::{Expected, KeyFile};
use crate::report::Report;
use crate::signature::SignatureFile;

/// The options of every signature.
#[derive(Debug, Args)]
pub(crate) struct VerifierArgs {
    /// The public key
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    #[command(flatten)]
    pub(crate) framing: FramingArgs,
    /// The algorithm of a raw key; required if several algorithms have keys of its length
    #[arg(long, value_name = "ALGORITHM", value_parser = algorithm::parse)]
    pub(crate) algorithm: Option<Algorithm>,
}

/// A public key, and how signatures are verified with it.
pub(super) struct Verifier {
    key: Box<dyn PublicKey>,
    place: String,
    fingerprint: String,
    framing: Framing,
}

impl Verifier {
    /// Checks that all inputs are different streams, and then reads the key.
    pub(super) fn new(
        args: &VerifierArgs,
        others: &[Source],
        backend: Backend,
    ) -> Result<Self, Error> {
        let key = Source::new(&args.key);
        identity::refuse_shared(&[std::slice::from_ref(&key), others].concat())?;
        let place = key.place();
        let expected = Expected::key(What::PublicKey, args.algorithm);
        let key = KeyFile::read(&key, expected)?.public_key(backend)?;
        warn_of_unused_backend(backend, key.algorithm());
        let fingerprint = fingerprint::of_key(&*key)?;
        let framing = args.framing.framing();
        Ok(Self {
            key,
            place,
            fingerprint,
            framing,
        })
    }

    /// Reports the key.
    pub(super) fn report(&self, report: &mut Report) -> Result<(), Error> {
        report.field("key", self.place.as_str())?;
        report.field("algorithm", self.key.algorithm().name())?;
        report.field("fingerprint", self.fingerprint.as_str())
    }

    /// Returns an error unless the signature of the message is valid.
    pub(super) fn check_message(
        &self,
        file: &SignatureFile,
        message: Message,
    ) -> Result<(), Error> {
        let framing = &self.framing;
        self.check(file, |key, bytes| key.verify(message, framing, bytes))
    }

    /// Returns an error unless `verify` finds that the signature is valid.
    pub(super) fn check(
        &self,
        file: &SignatureFile,
        verify: impl FnOnce(&dyn PublicKey, &[u8]) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let signature = file.recognise(self.key.algorithm())?;
        let is_valid = verify(&*self.key, &signature.bytes)?;
        let place = &file.place;
        match (is_valid, signature.other_key(&self.fingerprint)) {
            (true, None) => Ok(()),
            (true, Some(stated)) => {
                warn(&format!(
                    "the text of {place} names another key, {stated}, than that which made the signature; the text is not signed"
                ));
                Ok(())
            }
            (false, stated) => {
                let hint = match stated {
                    Some(stated) => format!(
                        "; its text names another key, {stated}, and this key is {}",
                        self.fingerprint
                    ),
                    None if signature.has_other_framing(&self.framing) => {
                        "; its text states another context or hash function".into()
                    }
                    None => String::new(),
                };
                Err(Error::NotValid(format!(
                    "{place} is not a signature of this message by this key in this context{hint}"
                )))
            }
        }
    }
}
