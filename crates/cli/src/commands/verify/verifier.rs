//! The options of every verification, and how a signature is checked against the trusted keys.

use clap::Args;

use super::trust::{Signer, Trust, TrustArgs};
use crate::algorithm::scheme::{Framing, MU};
use crate::backend::Backend;
use crate::commands::options::FramingArgs;
use crate::diagnostics::warn;
use crate::error::Error;
use crate::identity;
use crate::input::{Message, Source};
use crate::signature::{Signature, SignatureFile};

/// The options of every verification.
#[derive(Debug, Args)]
pub(crate) struct VerifierArgs {
    #[command(flatten)]
    trust: TrustArgs,
    #[command(flatten)]
    framing: FramingArgs,
}

/// The trusted keys, and how signatures are verified with them.
pub(super) struct Verifier {
    pub(super) trust: Trust,
    framing: Framing,
}

impl Verifier {
    /// Checks that all inputs are different streams, and then reads the keys.
    pub(super) fn new(
        args: &VerifierArgs,
        others: &[Source],
        backend: Backend,
    ) -> Result<Self, Error> {
        let inputs = args.trust.sources().chain(others.iter().cloned());
        identity::refuse_shared(&inputs.collect::<Vec<_>>())?;
        Ok(Self {
            trust: args.trust.read(backend)?,
            framing: args.framing.framing(),
        })
    }

    /// The key that made the signature of a message, or an error if there is none.
    pub(super) fn check_message(
        &self,
        file: &SignatureFile,
        message: Message,
    ) -> Result<&Signer, Error> {
        let signature = file.recognise(&self.trust.algorithms())?;
        let signer = self.trust.verify(message, &self.framing, &signature)?;
        self.judge(file, &signature, signer)
    }

    /// The key that made the signature of a μ, or an error if there is none.
    pub(super) fn check_mu(&self, file: &SignatureFile, mu: &[u8; MU]) -> Result<&Signer, Error> {
        let signature = file.recognise(&self.trust.algorithms())?;
        let signer = self.trust.verify_mu(mu, &signature)?;
        self.judge(file, &signature, signer)
    }

    /// Compares the result with the text of an armored signature, which is not signed.
    fn judge<'a>(
        &self,
        file: &SignatureFile,
        signature: &Signature,
        signer: Option<&'a Signer>,
    ) -> Result<&'a Signer, Error> {
        let place = &file.place;
        if let Some(signer) = signer {
            if let Some(stated) = signature.other_key(&[signer.fingerprint()]) {
                warn(&format!(
                    "the text of {place} names another key, {stated}, than that which made the signature; the text is not signed"
                ));
            }
            return Ok(signer);
        }
        let fingerprints = self.trust.fingerprints();
        let hint = match (signature.other_key(&fingerprints), fingerprints.as_slice()) {
            (Some(stated), [only]) => {
                format!("; its text names another key, {stated}, and this key is {only}")
            }
            (Some(stated), _) => format!("; its text names another key, {stated}"),
            (None, _) if signature.has_other_framing(&self.framing) => {
                "; its text states another context or hash function".into()
            }
            (None, _) => String::new(),
        };
        Err(Error::NotValid(format!(
            "{place} is not a signature of this message by {} in this context{hint}",
            self.trust.described()
        )))
    }
}
