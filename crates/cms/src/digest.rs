//! Digest algorithms of signed attributes, and digests of content in pieces.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use der::asn1::ObjectIdentifier;
use sha2::{Digest, Sha256, Sha384, Sha512};
use sha3::{Sha3_256, Sha3_384, Sha3_512};
use shake::digest::{ExtendableOutput, Update, XofReader};
use shake::{Shake128, Shake256};
use x509_cert::spki::AlgorithmIdentifierOwned;

use crate::error::Error;

/// A digest algorithm of RFC 9882, Table 1. Signed attributes contain the digest of the content.
///
/// ```
/// use moissanite_cms::DigestAlgorithm;
///
/// assert_eq!(DigestAlgorithm::default(), DigestAlgorithm::Sha512);
/// assert_eq!(DigestAlgorithm::Shake256.output_len(), 64);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DigestAlgorithm {
    /// SHA-256, for ML-DSA-44.
    Sha256,
    /// SHA-384, for ML-DSA-44 and ML-DSA-65.
    Sha384,
    /// SHA-512, for all sets. Every implementation of RFC 9882 has it.
    #[default]
    Sha512,
    /// SHA3-256, for ML-DSA-44.
    Sha3_256,
    /// SHA3-384, for ML-DSA-44 and ML-DSA-65.
    Sha3_384,
    /// SHA3-512, for all sets.
    Sha3_512,
    /// SHAKE128 with 32 bytes of output, for ML-DSA-44.
    Shake128,
    /// SHAKE256 with 64 bytes of output, for all sets.
    Shake256,
}

impl DigestAlgorithm {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Sha256,
        Self::Sha384,
        Self::Sha512,
        Self::Sha3_256,
        Self::Sha3_384,
        Self::Sha3_512,
        Self::Shake128,
        Self::Shake256,
    ];

    /// The object identifier, which is one of NIST's hash algorithms.
    #[must_use]
    pub const fn oid(self) -> ObjectIdentifier {
        match self {
            Self::Sha256 => ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.1"),
            Self::Sha384 => ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.2"),
            Self::Sha512 => ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.3"),
            Self::Sha3_256 => ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.8"),
            Self::Sha3_384 => ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.9"),
            Self::Sha3_512 => ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.10"),
            Self::Shake128 => ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.11"),
            Self::Shake256 => ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.12"),
        }
    }

    /// The length of a digest, in bytes: 32, 48 or 64.
    #[must_use]
    pub const fn output_len(self) -> usize {
        match self {
            Self::Sha256 | Self::Sha3_256 | Self::Shake128 => 32,
            Self::Sha384 | Self::Sha3_384 => 48,
            Self::Sha512 | Self::Sha3_512 | Self::Shake256 => 64,
        }
    }

    /// Whether the digest has two bits for each bit of λ, the collision strength of a parameter set in bits.
    pub(crate) const fn suits(self, lambda: usize) -> bool {
        4 * self.output_len() >= lambda
    }

    /// The identifier without parameters, as RFC 9882, RFC 5754 and RFC 8702 require.
    pub(crate) const fn identifier(self) -> AlgorithmIdentifierOwned {
        AlgorithmIdentifierOwned {
            oid: self.oid(),
            parameters: None,
        }
    }

    /// Reads an identifier. Those of SHA-2 can have the parameters NULL, which RFC 5754, section 2, requires of a
    /// reader.
    pub(crate) fn read(identifier: &AlgorithmIdentifierOwned) -> Result<Self, Error> {
        let known = Self::ALL.iter().find(|known| known.oid() == identifier.oid);
        let known = *known.ok_or(Error::DigestAlgorithm)?;
        let is_sha2 = matches!(known, Self::Sha256 | Self::Sha384 | Self::Sha512);
        match &identifier.parameters {
            None => Ok(known),
            Some(parameters) if is_sha2 && parameters.is_null() => Ok(known),
            Some(_) => Err(Error::DigestAlgorithm),
        }
    }

    /// The digest of a content in memory.
    pub(crate) fn digest(self, content: &[u8]) -> Box<[u8]> {
        let mut hasher = Hasher::new(self);
        hasher.update(content);
        hasher.finish()
    }
}

#[derive(Clone)]
enum Hasher {
    Sha256(Sha256),
    Sha384(Sha384),
    Sha512(Sha512),
    Sha3_256(Sha3_256),
    Sha3_384(Sha3_384),
    Sha3_512(Sha3_512),
    Shake128(Shake128),
    Shake256(Shake256),
}

impl Hasher {
    fn new(algorithm: DigestAlgorithm) -> Self {
        match algorithm {
            DigestAlgorithm::Sha256 => Self::Sha256(Sha256::default()),
            DigestAlgorithm::Sha384 => Self::Sha384(Sha384::default()),
            DigestAlgorithm::Sha512 => Self::Sha512(Sha512::default()),
            DigestAlgorithm::Sha3_256 => Self::Sha3_256(Sha3_256::default()),
            DigestAlgorithm::Sha3_384 => Self::Sha3_384(Sha3_384::default()),
            DigestAlgorithm::Sha3_512 => Self::Sha3_512(Sha3_512::default()),
            DigestAlgorithm::Shake128 => Self::Shake128(Shake128::default()),
            DigestAlgorithm::Shake256 => Self::Shake256(Shake256::default()),
        }
    }

    fn update(&mut self, piece: &[u8]) {
        match self {
            Self::Sha256(state) => Update::update(state, piece),
            Self::Sha384(state) => Update::update(state, piece),
            Self::Sha512(state) => Update::update(state, piece),
            Self::Sha3_256(state) => Update::update(state, piece),
            Self::Sha3_384(state) => Update::update(state, piece),
            Self::Sha3_512(state) => Update::update(state, piece),
            Self::Shake128(state) => Update::update(state, piece),
            Self::Shake256(state) => Update::update(state, piece),
        }
    }

    fn finish(self) -> Box<[u8]> {
        fn output<const N: usize>(state: impl ExtendableOutput) -> Box<[u8]> {
            let mut digest = [0; N];
            state.finalize_xof().read(&mut digest);
            digest.into()
        }
        match self {
            Self::Sha256(state) => state.finalize().as_slice().into(),
            Self::Sha384(state) => state.finalize().as_slice().into(),
            Self::Sha512(state) => state.finalize().as_slice().into(),
            Self::Sha3_256(state) => state.finalize().as_slice().into(),
            Self::Sha3_384(state) => state.finalize().as_slice().into(),
            Self::Sha3_512(state) => state.finalize().as_slice().into(),
            Self::Shake128(state) => output::<32>(state),
            Self::Shake256(state) => output::<64>(state),
        }
    }
}

/// Digests of a content that is hashed piece by piece, for content that is too large for memory. It can be signed
/// and verified with signed attributes only.
///
/// The states are as secret as the content.
///
/// ```
/// use moissanite_cms::{ContentDigest, DigestAlgorithm};
///
/// let mut digest = ContentDigest::new([DigestAlgorithm::Sha512]);
/// digest.update(b"a long ");
/// digest.update(b"content");
/// ```
#[derive(Clone)]
pub struct ContentDigest(Vec<(DigestAlgorithm, Hasher)>);

impl ContentDigest {
    /// Begins digests with these algorithms. For verification,
    /// [`SignedData::content_digest`](crate::SignedData::content_digest) begins those that the signers use.
    #[must_use]
    pub fn new(algorithms: impl IntoIterator<Item = DigestAlgorithm>) -> Self {
        let mut digest = Self(Vec::new());
        for algorithm in algorithms {
            if digest.hasher(algorithm).is_none() {
                digest.0.push((algorithm, Hasher::new(algorithm)));
            }
        }
        digest
    }

    /// Appends a piece of any length to the content.
    pub fn update(&mut self, piece: &[u8]) {
        for (_, hasher) in &mut self.0 {
            hasher.update(piece);
        }
    }

    fn hasher(&self, algorithm: DigestAlgorithm) -> Option<&Hasher> {
        let mut hashers = self.0.iter();
        let found = hashers.find(|(other, _)| *other == algorithm)?;
        Some(&found.1)
    }

    /// The digest with this algorithm of all pieces.
    pub(crate) fn of(&self, algorithm: DigestAlgorithm) -> Result<Box<[u8]>, Error> {
        let hasher = self.hasher(algorithm).ok_or(Error::ContentRequired)?;
        Ok(hasher.clone().finish())
    }
}

impl fmt::Debug for ContentDigest {
    /// The states are not shown, because they can reveal the content.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let algorithms = self.0.iter().map(|(algorithm, _)| algorithm);
        f.debug_list().entries(algorithms).finish()
    }
}
