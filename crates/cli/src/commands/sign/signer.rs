//! The private key of `moissanite sign`, and how it signs.

use std::path::PathBuf;

use clap::Args;
use zeroize::Zeroizing;

use crate::algorithm;
use crate::algorithm::scheme::{Algorithm, Framing, MU, PrivateKey};
use crate::armor::{self, ExplanatoryText};
use crate::backend::Backend;
use crate::commands::options::{FramingArgs, warn_of_unused_backend};
use crate::diagnostics::note;
use crate::error::Error;
use crate::fingerprint;
use crate::identity;
use crate::input::{Message, Source};
use crate::key_error::What;
use crate::keyfile::{Expected, KeyFile};
use crate::output::{self, Output, Target};
use crate::passphrase::PassphraseArgs;
use crate::report::Report;

/// The options of every signature.
#[derive(Debug, Args)]
pub(crate) struct SignerArgs {
    /// The private key
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// Write PEM text with the algorithm, the fingerprint of the key and the context
    #[arg(long)]
    pub(crate) armor: bool,
    #[command(flatten)]
    pub(crate) framing: FramingArgs,
    /// Sign without randomness: the same inputs give the same signature. Hedged signing resists fault
    /// attacks better
    #[arg(long)]
    pub(crate) deterministic: bool,
    /// The algorithm of a raw key; required if several algorithms have keys of its length, as for a seed
    #[arg(long, value_name = "ALGORITHM", value_parser = algorithm::parse)]
    pub(crate) algorithm: Option<Algorithm>,
    #[command(flatten)]
    pub(crate) passphrase: PassphraseArgs,
    /// Overwrite existing files
    #[arg(long)]
    pub(crate) force: bool,
}

/// A private key, and how it signs.
pub(super) struct Signer {
    pub(super) key: Box<dyn PrivateKey>,
    framing: Framing,
    deterministic: bool,
    armor: bool,
    fingerprint: String,
}

impl Signer {
    /// Checks all inputs and outputs, and then reads the key.
    pub(super) fn new(
        args: &SignerArgs,
        sources: &[Source],
        targets: &[Target],
        backend: Backend,
        report: &mut Report,
    ) -> Result<Self, Error> {
        let key = Source::new(&args.key);
        let inputs = sources.iter().cloned().chain([key.clone()]);
        identity::check_all(inputs.chain(args.passphrase.source()), targets)?;
        for target in targets {
            report.check(target)?;
            output::check(target, args.force, args.armor)?;
        }
        let expected = Expected::key(What::PrivateKey, args.algorithm);
        let file = KeyFile::read(&key, expected.with_passphrase(&args.passphrase))?;
        let (key, _) = file.private_key(backend)?;
        warn_of_unused_backend(backend, file.algorithm);
        let fingerprint = fingerprint::of_key(&*key.public_key())?;
        report.data("algorithm", file.algorithm.name());
        report.data("fingerprint", fingerprint.as_str());
        Ok(Self {
            key,
            framing: args.framing.framing(),
            deterministic: args.deterministic,
            armor: args.armor,
            fingerprint,
        })
    }

    /// Writes all outputs or none, and prints which key signed.
    pub(super) fn write(&self, outputs: &[Output<'_>], force: bool) -> Result<(), Error> {
        output::write(outputs, force)?;
        note(&format!("signed by the key {}", self.fingerprint));
        Ok(())
    }

    /// Signs a message.
    pub(super) fn sign(&self, message: Message) -> Result<Vec<u8>, Error> {
        let signature = self.key.sign(message, &self.framing, self.deterministic)?;
        Ok(self.encode(signature, Some(&self.framing)))
    }

    /// Signs a μ.
    pub(super) fn sign_mu(&self, mu: &Zeroizing<[u8; MU]>) -> Result<Vec<u8>, Error> {
        let signature = self.key.sign_mu(mu, self.deterministic)?;
        Ok(self.encode(signature, None))
    }

    /// The signature as it is written.
    fn encode(&self, signature: Vec<u8>, framing: Option<&Framing>) -> Vec<u8> {
        if !self.armor {
            return signature;
        }
        let algorithm = self.key.algorithm();
        let text = ExplanatoryText::new(algorithm, &self.fingerprint, framing);
        armor::encode(algorithm, &signature, &text).into_bytes()
    }
}
