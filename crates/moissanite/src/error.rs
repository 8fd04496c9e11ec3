//! The errors.

use core::fmt;

use moissanite_core::keygen::InvalidPrivateKey;

/// A context longer than the 255 bytes that FIPS 204 allows (Algorithm 2, line 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextTooLong;

impl ContextTooLong {
    /// Checks the length of a context.
    pub(crate) fn check(context: &[u8]) -> Result<(), Self> {
        if context.len() > 255 {
            return Err(Self);
        }
        Ok(())
    }
}

impl fmt::Display for ContextTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the context is longer than 255 bytes")
    }
}
impl core::error::Error for ContextTooLong {}

/// The reason why bytes are not a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidKey {
    /// The number of bytes is wrong for this parameter set.
    Length {
        /// The number of bytes of a key of this kind.
        expected: usize,
        /// The number of bytes that were given.
        actual: usize,
    },
    /// A coefficient of s₁ or s₂ is not in −η ... η.
    SecretOutOfRange,
    /// t₀ does not match ρ, s₁ and s₂.
    T0Mismatch,
    /// tr is not the hash of the public key.
    TrMismatch,
    /// The seed does not give the expanded key in the same document.
    SeedMismatch,
}

impl InvalidKey {
    /// The error for bytes of another length than `expected`.
    pub(crate) fn length(expected: usize, bytes: &[u8]) -> Self {
        Self::Length {
            expected,
            actual: bytes.len(),
        }
    }
}

impl fmt::Display for InvalidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { expected, actual } => {
                write!(f, "the key has {actual} bytes instead of {expected}")
            }
            Self::SecretOutOfRange => {
                f.write_str("a secret coefficient of the key is out of range")
            }
            Self::T0Mismatch => f.write_str("t0 of the key does not belong to its s1 and s2"),
            Self::TrMismatch => f.write_str("tr of the key is not the hash of its public key"),
            Self::SeedMismatch => f.write_str("the seed does not give the expanded key beside it"),
        }
    }
}
impl core::error::Error for InvalidKey {}

impl From<InvalidPrivateKey> for InvalidKey {
    fn from(error: InvalidPrivateKey) -> Self {
        match error {
            InvalidPrivateKey::T0Mismatch => Self::T0Mismatch,
            InvalidPrivateKey::TrMismatch => Self::TrMismatch,
            _ => Self::SecretOutOfRange,
        }
    }
}

/// The reason why signing failed. With the feature `alloc`, it is the source of a
/// [`signature::Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SigningError {
    /// The random number generator failed.
    Rng,
    /// 1,024 attempts were rejected. On a working machine, the probability of this is less than
    /// 2⁻³⁰⁰.
    AttemptsExhausted,
    /// The machine is faulty: the new signature does not verify (feature `fault-checks`), or a part
    /// of it was different when it was computed again (module [`stream`](crate::stream)).
    Fault,
    /// The hash function of HashML-DSA is weaker than the set.
    WeakHash(WeakHash),
}

impl fmt::Display for SigningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rng => "the random number generator failed",
            Self::AttemptsExhausted => "no signing attempt succeeded; the machine may be faulty",
            Self::Fault => "the new signature is not valid; the machine may be faulty",
            Self::WeakHash(error) => return error.fmt(f),
        })
    }
}
impl core::error::Error for SigningError {}

impl From<SigningError> for signature::Error {
    #[cfg(feature = "alloc")]
    fn from(error: SigningError) -> Self {
        Self::from_source(error)
    }
    #[cfg(not(feature = "alloc"))]
    fn from(_: SigningError) -> Self {
        Self::new()
    }
}

/// A hash function of HashML-DSA whose collision strength is below that of the parameter set
/// (FIPS 204, section 5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeakHash {
    /// The name of the hash function.
    pub hash: &'static str,
    /// Its collision strength, in bits.
    pub strength: usize,
    /// The name of the parameter set.
    pub set: &'static str,
    /// The collision strength that it needs, in bits.
    pub needed: usize,
}

impl fmt::Display for WeakHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} has {} bits of collision strength, and {} needs {}",
            self.hash, self.strength, self.set, self.needed
        )
    }
}
impl core::error::Error for WeakHash {}

impl From<WeakHash> for SigningError {
    fn from(error: WeakHash) -> Self {
        Self::WeakHash(error)
    }
}

/// A signature whose length is not that of its parameter set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidSignatureLength {
    /// The number of bytes of a signature.
    pub expected: usize,
    /// The number of bytes that were given.
    pub actual: usize,
}

impl fmt::Display for InvalidSignatureLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expected, actual } = self;
        write!(f, "the signature has {actual} bytes instead of {expected}")
    }
}
impl core::error::Error for InvalidSignatureLength {}

impl From<InvalidSignatureLength> for signature::Error {
    /// The length is omitted, because verification reports one error for all reasons.
    fn from(_: InvalidSignatureLength) -> Self {
        Self::new()
    }
}

/// A digest whose length is not that of its hash function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidDigestLength {
    /// The number of bytes of the hash function's output.
    pub expected: usize,
    /// The number of bytes that were given.
    pub actual: usize,
}

impl fmt::Display for InvalidDigestLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the digest has {} bytes instead of {}",
            self.actual, self.expected
        )
    }
}
impl core::error::Error for InvalidDigestLength {}
