//! Arguments that several commands share.

use std::fmt;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use moissanite::keys::PrivateKeyForm;
use x509_cert::der::DateTime;
use zeroize::Zeroizing;

use crate::algorithm::scheme::{Algorithm, Framing, MU};
use crate::backend::Backend;
use crate::diagnostics::warn;
use crate::error::Error;
use crate::hash::Hash;
use crate::input::Source;
use crate::key_error::What;
use crate::text;

/// The form of a private key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// The seed, from which the key is generated: the preferred form
    Seed,
    /// The expanded key of FIPS 204, from which the seed cannot be recovered
    Expanded,
    /// Both
    Both,
}

impl From<Form> for PrivateKeyForm {
    fn from(form: Form) -> Self {
        match form {
            Form::Seed => Self::Seed,
            Form::Expanded => Self::Expanded,
            Form::Both => Self::Both,
        }
    }
}

/// The options of signing besides the key and the message.
#[derive(Debug, Args)]
pub(crate) struct FramingArgs {
    /// The context in which the signature is valid, of at most 255 bytes
    #[arg(long, value_name = "STRING", value_parser = Context::from_text)]
    context: Option<Context>,
    /// The context in hex
    #[arg(long, value_name = "HEX", conflicts_with = "context", value_parser = Context::from_hex)]
    context_hex: Option<Context>,
    /// Use HashML-DSA: hash the message with this function first. Every parameter set takes
    /// SHA2-512, SHA3-512 and SHAKE-256; ML-DSA-65 and -44 also take SHA2-384 and SHA3-384; ML-DSA-44
    /// also takes SHA2-256, SHA2-512/256, SHA3-256 and SHAKE-128. Weaker functions are refused
    #[arg(long, value_name = "HASH", value_parser = Hash::parse)]
    prehash: Option<Hash>,
}

impl FramingArgs {
    /// The context and the hash function.
    pub(crate) fn framing(&self) -> Framing {
        let context = self.context.as_ref().or(self.context_hex.as_ref());
        Framing {
            context: context.map(|context| context.0.clone()).unwrap_or_default(),
            prehash: self.prehash,
        }
    }
}

/// A context of at most 255 bytes.
#[derive(Clone, Debug)]
struct Context(Vec<u8>);

impl Context {
    fn from_text(text: &str) -> Result<Self, String> {
        Self::new(text.into())
    }

    fn from_hex(digits: &str) -> Result<Self, String> {
        Self::new(parse_hex(digits)?.to_vec())
    }

    fn new(bytes: Vec<u8>) -> Result<Self, String> {
        match bytes.len() {
            0..=255 => Ok(Self(bytes)),
            length => Err(format!(
                "the context has {length} bytes; FIPS 204 allows at most 255, so sign a hash of it instead"
            )),
        }
    }
}

/// A μ in place of a message.
#[derive(Debug, Args)]
pub(crate) struct MuArgs {
    /// In place of a message, its mu in hex, which `moissanite mu` computes. Only ML-DSA takes it, and it
    /// includes the context
    #[arg(long, value_name = "HEX", value_parser = Mu::from_hex,
        conflicts_with_all = ["mu_file", "files", "input", "recursive", "context", "context_hex", "prehash"])]
    mu: Option<Mu>,
    /// The file of mu: 64 raw bytes, or hex
    #[arg(long, value_name = "FILE",
        conflicts_with_all = ["files", "input", "recursive", "context", "context_hex", "prehash"])]
    mu_file: Option<PathBuf>,
}

impl MuArgs {
    /// Whether there is one.
    pub(crate) fn is_given(&self) -> bool {
        self.mu.is_some() || self.mu_file.is_some()
    }

    /// Its source, unless it is on the command line.
    pub(crate) fn source(&self) -> Option<Source> {
        self.mu_file.as_deref().map(Source::new)
    }

    /// Reads it.
    pub(crate) fn read(&self) -> Result<Option<Zeroizing<[u8; MU]>>, Error> {
        let Some(source) = self.source() else {
            return Ok(self.mu.as_ref().map(|mu| mu.0.clone()));
        };
        let bytes = Zeroizing::new(source.read_at_most(MU_LIMIT)?);
        let raw = (bytes.len() == MU).then(|| bytes.clone());
        let mut decodings = raw.into_iter().chain(text::decodings(&bytes));
        let mu = decodings.find_map(|mu| <[u8; MU]>::try_from(mu.as_slice()).ok());
        let mu = mu.ok_or(WrongMu(bytes.len()));
        let mu = mu.map_err(|error| Error::file(source.place(), error))?;
        Ok(Some(Zeroizing::new(mu)))
    }
}

/// The number of bytes that are read of a file with a μ.
const MU_LIMIT: u64 = 1 << 10;

/// A file has another length than a μ.
#[derive(Debug, thiserror::Error)]
#[error("it has {0} bytes; a mu has 64, or 128 hex digits")]
struct WrongMu(usize);

/// A μ on the command line, which is as secret as its message.
#[derive(Clone)]
struct Mu(Zeroizing<[u8; MU]>);

impl Mu {
    fn from_hex(digits: &str) -> Result<Self, String> {
        let bytes = parse_hex(digits)?;
        let mu = <[u8; MU]>::try_from(bytes.as_slice());
        let mu = mu.map_err(|_| format!("it has {} bytes; a mu has {MU}", bytes.len()))?;
        Ok(Self(Zeroizing::new(mu)))
    }
}

impl fmt::Debug for Mu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mu(..)")
    }
}

/// The kind of raw bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// A private key: its seed or its expanded form
    Private,
    /// A public key
    Public,
    /// A signature
    Signature,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Private => "private",
            Self::Public => "public",
            Self::Signature => "signature",
        })
    }
}

impl From<Kind> for What {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Private => Self::PrivateKey,
            Kind::Public => Self::PublicKey,
            Kind::Signature => Self::Signature,
        }
    }
}

/// A time in UTC, or the beginning of a day.
pub(crate) fn parse_time(text: &str) -> Result<DateTime, String> {
    let time = if text.contains('T') {
        text.parse()
    } else {
        format!("{text}T00:00:00Z").parse()
    };
    time.map_err(|_| "it is not a time such as 2030-12-31T23:59:59Z".into())
}

/// Decodes hex. The error does not contain the digits, which can be secret.
pub(crate) fn parse_hex(digits: &str) -> Result<Zeroizing<Vec<u8>>, String> {
    let bytes = hex::decode(digits).map(Zeroizing::new);
    bytes.map_err(|_| "it is not hex, two digits for a byte".into())
}

/// The algorithms that always compute with the same code.
pub(super) const WITHOUT_BACKENDS: [&str; 3] =
    ["Ed25519", "ML-DSA-44-Ed25519", "ML-DSA-65-Ed25519"];

/// Whether an algorithm computes on the backend that `--backend` chooses.
pub(crate) fn has_backends(algorithm: Algorithm) -> bool {
    !WITHOUT_BACKENDS.contains(&algorithm.name())
}

/// Warns if the command line chooses a backend and the algorithm has no choice of backends.
pub(crate) fn warn_of_unused_backend(backend: Backend, algorithm: Algorithm) {
    if let Some(name) = backend.requested()
        && !has_backends(algorithm)
    {
        let algorithm = algorithm.name();
        warn(&format!(
            "the backend {name} is not used for {algorithm}, which has no choice of backends"
        ));
    }
}
