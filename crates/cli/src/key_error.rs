//! The errors in the content of a file with a key, a certificate or a signature.

use std::fmt;

use der::oid::ObjectIdentifier;
use moissanite::InvalidKey;
use moissanite::keys::KeyFormatError;

use crate::oid_names;
use crate::pem::{Label, PemError};

/// The kind of content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A private key in any encoding.
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

impl What {
    /// The name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::PrivateKey => "private_key",
            Self::PublicKey => "public_key",
            Self::Certificate => "certificate",
            Self::Request => "request",
            Self::Signature => "signature",
        }
    }
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
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file is larger than the limit.
    #[error("the file is too large for a key, a signature or a certificate")]
    TooLarge,
    /// The file is UTF-16 text, which some tools for Windows write.
    #[error("the file is UTF-16 text; save it as ASCII or UTF-8")]
    Utf16,
    /// The PEM text is damaged.
    #[error("the PEM text is damaged: {0}")]
    Pem(#[from] PemError),
    /// The DER is damaged.
    #[error("the DER is damaged: {0}")]
    Der(#[from] der::Error),
    /// The length of the DER differs from its header.
    #[error(
        "the header of the DER states {expected} bytes, and there are {actual}; the file may be truncated or damaged"
    )]
    DerLength {
        /// The length that the header states.
        expected: u64,
        /// The length of the file.
        actual: usize,
    },
    /// The private key is encrypted, and a key is read where no passphrase can be given.
    #[error("the private key is encrypted; `moissanite convert` decrypts it")]
    Encrypted,
    /// The passphrase is wrong.
    #[error("the passphrase is wrong, or the encrypted key is damaged")]
    Passphrase,
    /// The key is encrypted in a way that is not supported.
    #[error(
        "the private key is encrypted in a way that this command does not support: {0}; PBES2 with scrypt or PBKDF2 and AES is supported"
    )]
    Encryption(String),
    /// Deriving the key from the passphrase would take too much memory or time.
    #[error(
        "deriving the key from the passphrase takes more than 256 MiB, 8 times this work, or 10,000,000 iterations of PBKDF2"
    )]
    Cost,
    /// Raw bytes cannot be encrypted.
    #[error("raw format has no encrypted keys; PEM and DER have")]
    RawEncrypted,
    /// The operating system's randomness failed.
    #[error("the operating system has no randomness: {0}")]
    Randomness(String),
    /// The PEM text is not that of a key or a certificate.
    #[error("it is PEM of the type '{0}'; keys have the type PRIVATE KEY or PUBLIC KEY")]
    Label(Label),
    /// The label of the PEM text does not match the content.
    #[error("the PEM type is {label}, but the content is {found}")]
    Mislabelled {
        /// In the PEM text.
        label: Label,
        /// In the DER.
        found: What,
    },
    /// The DER is neither a key nor a certificate.
    #[error("it is DER, but not that of a key or a certificate")]
    Unrecognised,
    /// The algorithm of the key is unknown.
    #[error(
        "its algorithm is {}, which this command does not support; see `moissanite algorithms`",
        oid_names::with_oid(*.0)
    )]
    Foreign(ObjectIdentifier),
    /// The PEM label names another algorithm than the content.
    #[error("the PEM type is {label}, but the content is for {found}")]
    MislabelledAlgorithm {
        /// In the PEM text.
        label: Label,
        /// In the DER.
        found: &'static str,
    },
    /// The document has the identifier of an algorithm, and nothing of the length of its keys.
    #[error("it has the identifier of {0}, and nothing in it has the length of such a key")]
    NoKeyOf(&'static str),
    /// No raw key or signature has this length.
    #[error(
        "it is neither PEM nor DER, and no raw key or signature has {0} bytes; see `moissanite algorithms`"
    )]
    RawLength(usize),
    /// No raw key of the requested algorithm has this length.
    #[error(
        "it is neither PEM nor DER, and has {actual} bytes; a raw public key of {name} has {public}, a private key {private}, and a seed {seed}"
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
    /// Raw bytes of this length have several interpretations.
    #[error("{actual} bytes can be {choices}; say which with {options}")]
    Ambiguous {
        /// The length of the file.
        actual: usize,
        /// The interpretations.
        choices: String,
        /// The options that choose one of them.
        options: &'static str,
    },
    /// Raw bytes of this length have several interpretations, and none is the expected one.
    #[error("it is neither PEM nor DER, and {actual} bytes are not {}", wanted.map_or("known".into(), |what| what.to_string()))]
    RawOther {
        /// The length of the file.
        actual: usize,
        /// The expected kind.
        wanted: Option<What>,
    },
    /// The algorithm is not the requested one.
    #[error("it is for {found}, not for {asked} as --algorithm says")]
    OtherAlgorithm {
        /// In the file.
        found: &'static str,
        /// On the command line.
        asked: &'static str,
    },
    /// The content is of another kind, such as a public key in place of a private key.
    #[error("it is {found}, not {wanted}{hint}")]
    Other {
        /// In the file.
        found: What,
        /// The expected kind.
        wanted: What,
        /// How to correct it.
        hint: &'static str,
    },
    /// The key is invalid, or cannot be encoded.
    #[error(transparent)]
    Format(#[from] KeyFormatError),
    /// The key of zkDilithium is invalid.
    #[error(transparent)]
    ZkDilithium(#[from] moissanite_zk_dilithium::InvalidKey),
    /// The seed is requested, and the key has none.
    #[error(
        "the key is in expanded form, from which its seed cannot be recovered; use --form expanded"
    )]
    NoSeed,
    /// A form other than the seed is requested.
    #[error("private keys of this algorithm have one form only; use --form seed")]
    OneForm,
    /// The algorithm has no documents.
    #[error("keys of {0} have neither PEM nor DER; use --format raw")]
    NoDocument(&'static str),
    /// Raw format cannot hold both forms.
    #[error(
        "raw format holds either the seed or the expanded key; use --form seed, --form expanded or another --format"
    )]
    RawBoth,
    /// The document of a key of Ed25519 or of a composite is invalid.
    #[error("the document is not a valid key: {0}")]
    Document(#[from] pkcs8::Error),
    /// The raw key of Ed25519 or of a composite is invalid.
    #[error(transparent)]
    Composite(#[from] moissanite_composite::InvalidKey),
    /// The content is malformed for another reason.
    #[error("{0}")]
    Malformed(String),
}

impl From<InvalidKey> for KeyError {
    fn from(error: InvalidKey) -> Self {
        Self::Format(error.into())
    }
}
