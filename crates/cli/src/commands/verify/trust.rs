//! The keys that `moissanite verify` trusts, and the one that verified a signature.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::algorithm;
use crate::algorithm::scheme::{Algorithm, Framing, MU, PublicKey};
use crate::backend::Backend;
use crate::certificate::error::CertificateError;
use crate::certificate::parsed::ParsedCertificate;
use crate::commands::chain::{ChainArgs, Link};
use crate::commands::options::warn_of_unused_backend;
use crate::error::Error;
use crate::fingerprint;
use crate::input::{Message, Source};
use crate::key_error::What;
use crate::keyfile::{Expected, KeyFile};
use crate::report::Report;
use crate::signature::Signature;

/// The keys that are trusted.
#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// A public key, or a certificate whose key is trusted: its validity is not checked. Can be repeated:
    /// one of the keys has to verify the signature
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present = "certificate",
        conflicts_with_all = ["certificate", "root", "intermediate", "crl", "at"]
    )]
    key: Vec<PathBuf>,
    /// The certificate of the signer, whose chain to a --root is verified first
    #[arg(long, value_name = "FILE", requires = "root")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    chain: ChainArgs,
    /// The algorithm of raw keys; required if several algorithms have keys of their length
    #[arg(long, value_name = "ALGORITHM", value_parser = algorithm::parse, conflicts_with = "certificate")]
    algorithm: Option<Algorithm>,
}

impl TrustArgs {
    /// All files that it names.
    pub(crate) fn sources(&self) -> impl Iterator<Item = Source> {
        let keys = self.key.iter().chain(&self.certificate);
        let keys = keys.map(|path| Source::new(path));
        keys.chain(self.chain.sources())
    }

    /// Reads the keys, and verifies the chain.
    pub(crate) fn read(&self, backend: Backend) -> Result<Trust, Error> {
        let mut signers = Vec::new();
        for path in &self.key {
            signers.push(self.key_in(path, backend)?);
        }
        if let Some(certificate) = &self.certificate {
            signers.push(self.certified(certificate, backend)?);
        }
        let trust = Trust(signers);
        for algorithm in trust.algorithms() {
            warn_of_unused_backend(backend, algorithm);
        }
        Ok(trust)
    }

    /// The key in a file, or that of the certificate in it.
    fn key_in(&self, path: &Path, backend: Backend) -> Result<Signer, Error> {
        let expected = Expected::key(What::PublicKey, self.algorithm);
        let file = KeyFile::read(&Source::new(path), expected)?;
        if file.what != What::Certificate {
            return Signer::new(file.public_key(backend)?, file.place, None);
        }
        let certificate = ParsedCertificate::in_file(&file)?;
        let key = certificate.key(backend);
        let key = key.map_err(|error| Error::file(&file.place, error))?;
        let subject = certificate.body().subject().to_string();
        Signer::new(key, file.place, Some((subject, None)))
    }

    /// The key of the certificate at the beginning of a valid chain.
    fn certified(&self, path: &Path, backend: Backend) -> Result<Signer, Error> {
        let chain = self.chain.verify(path, None, None, backend)?;
        // A path has at least the certificate of the signer.
        let [first, ..] = chain.as_slice() else {
            return Err(Error::Fault("a valid path has no certificates".into()));
        };
        let signer = &first.certificate;
        let refused =
            |error: CertificateError| Error::NotValid(format!("{}: {error}", signer.title));
        let extensions = signer.check().map_err(refused)?;
        if !extensions.may_sign_messages() {
            return Err(refused(CertificateError::NotForMessages));
        }
        let key = signer.key(backend);
        let key = key.map_err(|error| Error::file(&signer.title, error))?;
        let subject = signer.body().subject().to_string();
        Signer::new(key, signer.place.clone(), Some((subject, Some(chain))))
    }
}

/// The keys that are trusted.
pub(crate) struct Trust(Vec<Signer>);

impl Trust {
    /// The algorithms of the keys, each once.
    pub(crate) fn algorithms(&self) -> Vec<Algorithm> {
        let mut all: Vec<Algorithm> = Vec::new();
        for signer in &self.0 {
            let algorithm = signer.key.algorithm();
            if all.iter().all(|one| one.name() != algorithm.name()) {
                all.push(algorithm);
            }
        }
        all
    }

    /// The keys in the error of a signature that none of them made.
    pub(crate) fn described(&self) -> String {
        match self.0.as_slice() {
            [only] => match &only.certified {
                Some((subject, _)) => format!("the key of {subject}"),
                None => "this key".into(),
            },
            several => format!("one of these {} keys", several.len()),
        }
    }

    /// The fingerprints of all keys.
    pub(crate) fn fingerprints(&self) -> Vec<&str> {
        self.0.iter().map(Signer::fingerprint).collect()
    }

    /// Whether there are several keys.
    pub(crate) fn is_several(&self) -> bool {
        self.0.len() > 1
    }

    /// The keys that can have made a signature.
    fn candidates(&self, signature: &Signature) -> impl Iterator<Item = &Signer> {
        let signers = self.0.iter();
        signers.filter(|signer| signature.can_be_of(signer.key.algorithm()))
    }

    /// The key that made the signature of a μ, if it is one of these.
    pub(crate) fn verify_mu(
        &self,
        mu: &[u8; MU],
        signature: &Signature,
    ) -> Result<Option<&Signer>, Error> {
        for signer in self.candidates(signature) {
            if signer.key.verify_mu(mu, &signature.bytes)? {
                return Ok(Some(signer));
            }
        }
        Ok(None)
    }

    /// The key that made the signature, if it is one of these. Only keys whose signatures have this length
    /// are tried. The message is read once.
    pub(crate) fn verify(
        &self,
        message: Message,
        framing: &Framing,
        signature: &Signature,
    ) -> Result<Option<&Signer>, Error> {
        let candidates: Vec<_> = self.candidates(signature).collect();
        let signature = signature.bytes.as_slice();
        if let [only] = candidates.as_slice() {
            let is_valid = only.key.verify(message, framing, signature)?;
            return Ok(is_valid.then_some(only));
        }
        let mut started = Vec::new();
        for signer in candidates {
            started.push((signer, signer.key.verification(framing, signature)?));
        }
        message.absorb(|piece| {
            for (_, verification) in &mut started {
                verification.update(piece);
            }
        })?;
        for (signer, verification) in started {
            if verification.finish()? {
                return Ok(Some(signer));
            }
        }
        Ok(None)
    }
}

/// A trusted key.
pub(crate) struct Signer {
    key: Box<dyn PublicKey>,
    /// The file of the key or of its certificate.
    place: String,
    fingerprint: String,
    /// The subject of its certificate, and the path to a root unless the key itself is trusted.
    certified: Option<(String, Option<Vec<Link>>)>,
}

impl Signer {
    fn new(
        key: Box<dyn PublicKey>,
        place: String,
        certified: Option<(String, Option<Vec<Link>>)>,
    ) -> Result<Self, Error> {
        let fingerprint = fingerprint::of_key(&*key)?;
        Ok(Self {
            key,
            place,
            fingerprint,
            certified,
        })
    }

    /// The fingerprint of the key.
    pub(crate) fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The file of the key or of its certificate.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    /// Reports the key.
    pub(crate) fn report(&self, report: &mut Report) -> Result<(), Error> {
        report.field("key", self.place.as_str())?;
        report.field("algorithm", self.key.algorithm().name())?;
        report.field("fingerprint", self.fingerprint.as_str())?;
        let Some((subject, path)) = &self.certified else {
            report.data("subject", None::<String>);
            report.data("path", None::<String>);
            return Ok(());
        };
        report.field("subject", subject.as_str())?;
        match path {
            None => {
                report.data("path", None::<String>);
                report.line("certificate", "not checked, as --key trusts its key")
            }
            Some(path) => {
                let titles: Vec<_> = path.iter().map(Link::to_string).collect();
                let path: Vec<_> = path.iter().map(Link::described).collect();
                report.field_as("path", path, &titles.join(", "))
            }
        }
    }
}
