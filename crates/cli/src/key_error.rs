//! What can be wrong with a key.

use std::fmt;

use der::oid::ObjectIdentifier;
use moissanite::InvalidKey;
use moissanite::keys::KeyFormatError;

use crate::pem::{Label, PemError};

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A private key, in whatever encoding.
    PrivateKey,
    /// A public key.
    PublicKey,
    /// An X.509 certificate.
    Certificate,
    /// A request for a certificate, PKCS#10.
    Request,
    /// A signature.
    Signature,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PrivateKey => "a private key",
            Self::PublicKey => "a public key",
            Self::Certificate => "a certificate",
            Self::Request => "a request for a certificate",
            Self::Signature => "a signature",
        })
    }
}

/// Why a file is not the expected key.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyError {
    /// Nothing in it.
    #[error("the file is empty")]
    Empty,
    /// Far too much in it.
    #[error("the file is too large for a key, a signature or a certificate")]
    TooLarge,
    /// Windows likes to write this.
    #[error("the file is UTF-16 text; save it as ASCII or UTF-8")]
    Utf16,
    /// Damaged PEM.
    #[error("the PEM text is damaged: {0}")]
    Pem(#[from] PemError),
    /// Damaged DER.
    #[error("the DER is damaged: {0}")]
    Der(#[from] der::Error),
    /// DER of another length than it says itself.
    #[error(
        "the DER says that it has {expected} bytes, and there are {actual}; is the file cut short or mixed up?"
    )]
    DerLength {
        /// By its header.
        expected: u64,
        /// There.
        actual: usize,
    },
    /// A password is needed.
    #[error(
        "the private key is encrypted, which this command cannot read; decrypt it first, for example with `openssl pkey` of OpenSSL 3.5 or later, which is the first to know ML-DSA"
    )]
    Encrypted,
    /// PEM of something else.
    #[error("it is PEM of the type '{0}'; keys have the type PRIVATE KEY or PUBLIC KEY")]
    Label(Label),
    /// The label promises something else than there is.
    #[error("the PEM type says {label}, but in it is {found}")]
    Mislabelled {
        /// In the PEM text.
        label: Label,
        /// In the DER.
        found: What,
    },
    /// Something else in DER.
    #[error("it is DER, but not that of a key or a certificate")]
    Unrecognised,
    /// A key for something else.
    #[error("its algorithm is {0}, which this command does not know; see `moissanite algorithms`")]
    Foreign(ObjectIdentifier),
    /// Bytes of no known length.
    #[error(
        "it is neither PEM nor DER, and no raw key or signature has {0} bytes; see `moissanite algorithms`"
    )]
    RawLength(usize),
    /// Bytes of another length than those of the algorithm asked for.
    #[error(
        "it is neither PEM nor DER, and has {actual} bytes; raw {name} has {public} for a public and {private} for a private key (or {seed} for its seed)"
    )]
    RawLengthOf {
        /// The algorithm of `--algorithm`.
        name: &'static str,
        /// Length of its public key.
        public: usize,
        /// Length of its private key.
        private: usize,
        /// Length of its seed.
        seed: usize,
        /// Length of the file.
        actual: usize,
    },
    /// So many bytes can be several things.
    #[error("{actual} bytes can be {choices}; say which with {options}")]
    Ambiguous {
        /// Bytes.
        actual: usize,
        /// What they can be.
        choices: String,
        /// How to say it.
        options: &'static str,
    },
    /// So many bytes can be several things, but not what is needed.
    #[error("it is neither PEM nor DER, and {actual} bytes are not {}", wanted.map_or("known".into(), |what| what.to_string()))]
    RawOther {
        /// Bytes.
        actual: usize,
        /// Needed.
        wanted: Option<What>,
    },
    /// Another algorithm than was asked for.
    #[error("it is for {found}, not for {asked} as --algorithm says")]
    OtherAlgorithm {
        /// In the file.
        found: &'static str,
        /// On the command line.
        asked: &'static str,
    },
    /// A public key for a private one, for example.
    #[error("it is {found}, not {wanted}{hint}")]
    Other {
        /// In the file.
        found: What,
        /// Needed.
        wanted: What,
        /// How to mend it.
        hint: &'static str,
    },
    /// A key that is wrong in itself, or cannot be written.
    #[error(transparent)]
    Format(#[from] KeyFormatError),
    /// A key of zkDilithium that is wrong in itself.
    #[error(transparent)]
    ZkDilithium(#[from] moissanite_zk_dilithium::InvalidKey),
    /// Only the seed gives the seed.
    #[error(
        "the key came in expanded form, from which its seed cannot be had back; use --form expanded"
    )]
    NoSeed,
    /// There is no other.
    #[error("private keys of this algorithm have one form only; use --form seed")]
    OneForm,
    /// Nobody has defined that.
    #[error("keys of {0} have neither PEM nor DER; use --format raw")]
    NoDocument(&'static str),
    /// Nor that.
    #[error(
        "raw format holds either the seed or the expanded key; use --form seed, --form expanded or another --format"
    )]
    RawBoth,
    /// A key of Ed25519 or of a composite that is wrong in itself.
    #[error("the document is not a valid key: {0}")]
    Document(#[from] pkcs8::Error),
    /// The same in raw bytes.
    #[error(transparent)]
    Composite(#[from] moissanite_composite::InvalidKey),
    /// A signature that no key can have made, or a key that cannot be encoded.
    #[error("{0}")]
    Malformed(String),
}

impl From<InvalidKey> for KeyError {
    fn from(error: InvalidKey) -> Self {
        Self::Format(error.into())
    }
}
