//! HashML-DSA: FIPS 204, Algorithms 4 and 5.
//!
//! The message is hashed first, and the digest is signed together with the name of the hash
//! function. Such a signature does not verify as an ML-DSA signature. Use HashML-DSA only if a
//! protocol requires it: with [`MuBuilder`](crate::MuBuilder), plain ML-DSA takes long messages
//! too. The standards for certificates, JOSE and COSE do not define HashML-DSA.
//!
//! ```
//! use moissanite::prehash::{PreHashed, Sha512};
//! use moissanite::{MlDsa65, SigningKey, SysRng};
//!
//! let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
//! let digest = PreHashed::<Sha512>::of(&[b"a long ", b"message"]);
//! let signature = key.try_sign_prehashed(&digest)?;
//! key.verifying_key().verify_prehashed(&digest, &signature)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which hash function
//!
//! A signature is valid for every message with the same digest, so FIPS 204 (section 5.4) requires
//! a hash function whose collision strength is not below that of the set: 128, 192 and 256 bits for
//! ML-DSA-44, -65 and -87.
//!
//! | hash function | collision strength, in bits | sets |
//! | --- | --- | --- |
//! | SHA2-224, SHA2-512/224, SHA3-224 | 112 | none |
//! | SHA2-256, SHA2-512/256, SHA3-256, SHAKE128 (32 bytes) | 128 | ML-DSA-44 |
//! | SHA2-384, SHA3-384 | 192 | ML-DSA-44, ML-DSA-65 |
//! | SHA2-512, SHA3-512, SHAKE256 (64 bytes) | 256 | all |
//!
//! With a weaker hash function, signing returns [`SigningError::WeakHash`](crate::SigningError),
//! and verification returns an error:
//!
//! ```
//! use moissanite::prehash::{PreHashed, Sha256};
//! use moissanite::{MlDsa65, SigningError, SigningKey, WeakHash, SysRng};
//!
//! let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
//! let digest = PreHashed::<Sha256>::of(&[b"message"]);
//! let Err(SigningError::WeakHash(error)) = key.try_sign_prehashed(&digest) else {
//!     unreachable!()
//! };
//! let says = "SHA2-256 has 128 bits of collision strength, and ML-DSA-65 needs 192";
//! assert_eq!(error.to_string(), says);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Some test vectors contain such signatures; `prehashed_mu_of_any_strength` of
//! [`WithContext`](crate::WithContext) (feature `hazmat`) computes μ for them.

use core::fmt;
use core::marker::PhantomData;

use moissanite_core::hash::MuBuilder;
pub use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
pub use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512};
pub use shake::{Shake128, Shake256};

use crate::error::{InvalidDigestLength, WeakHash};
use crate::mu::Mu;
use moissanite_core::Fips204;

/// One of the twelve hash functions of HashML-DSA, each from the crate of its family (`sha2`,
/// `sha3`, `shake`).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a hash function of HashML-DSA",
    label = "not a hash function of HashML-DSA",
    note = "the hash functions are the types of the module `prehash`"
)]
pub trait PreHash: sealed::Sealed + Clone + Default {
    /// The name in the standards.
    const NAME: &'static str;
    /// The number of bytes of a digest: 32 for SHAKE128, and 64 for SHAKE256.
    const LEN: usize;
    /// The last arc of the object identifier, after 2.16.840.1.101.3.4.2.
    const OID_ARC: u8;
    /// The collision strength in bits: half the length of the digest.
    const STRENGTH: usize = 4 * Self::LEN;

    /// Takes the next piece of the message.
    fn absorb(&mut self, piece: &[u8]);
    /// Writes the digest into [`Self::LEN`] bytes.
    fn digest_into(self, digest: &mut [u8]);
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! prehash {
    ($($hash:ty, $name:literal, $len:literal, $arc:literal, $finalize:expr;)*) => { $(
        impl sealed::Sealed for $hash {}
        impl PreHash for $hash {
            const NAME: &'static str = $name;
            const LEN: usize = $len;
            const OID_ARC: u8 = $arc;
            fn absorb(&mut self, piece: &[u8]) {
                sha2::digest::Update::update(self, piece);
            }
            fn digest_into(self, digest: &mut [u8]) {
                let finalize: fn(Self, &mut [u8]) = $finalize;
                finalize(self, digest);
            }
        }
    )* };
}
prehash! {
    Sha224, "SHA2-224", 28, 4, fixed;
    Sha256, "SHA2-256", 32, 1, fixed;
    Sha384, "SHA2-384", 48, 2, fixed;
    Sha512, "SHA2-512", 64, 3, fixed;
    Sha512_224, "SHA2-512/224", 28, 5, fixed;
    Sha512_256, "SHA2-512/256", 32, 6, fixed;
    Sha3_224, "SHA3-224", 28, 7, fixed;
    Sha3_256, "SHA3-256", 32, 8, fixed;
    Sha3_384, "SHA3-384", 48, 9, fixed;
    Sha3_512, "SHA3-512", 64, 10, fixed;
    Shake128, "SHAKE-128", 32, 11, extendable;
    Shake256, "SHAKE-256", 64, 12, extendable;
}

fn fixed<H: sha2::digest::FixedOutput>(hash: H, digest: &mut [u8]) {
    for (to, from) in digest.iter_mut().zip(hash.finalize_fixed()) {
        *to = from;
    }
}

fn extendable<H: sha2::digest::ExtendableOutput>(hash: H, digest: &mut [u8]) {
    hash.finalize_xof_into(digest);
}

/// The digest of a message by `H`: [`PreHash::LEN`] bytes.
///
/// ```
/// use moissanite::prehash::{PreHash, PreHashed, Sha256};
///
/// let mut hasher = Sha256::default();
/// hasher.absorb(b"a long ");
/// hasher.absorb(b"message");
/// let digest = PreHashed::from_hasher(hasher);
/// assert_eq!(digest, PreHashed::<Sha256>::of(&[b"a long message"]));
/// assert_eq!(digest, PreHashed::from_digest(digest.as_bytes())?);
/// # Ok::<(), moissanite::InvalidDigestLength>(())
/// ```
#[derive(Clone)]
pub struct PreHashed<H> {
    /// The digest is in the first `H::LEN` bytes; no digest is longer than this array.
    digest: [u8; 64],
    hash: PhantomData<H>,
}

impl<H: PreHash> PreHashed<H> {
    /// Takes a digest that was computed elsewhere.
    ///
    /// # Errors
    /// It does not have [`PreHash::LEN`] bytes.
    pub fn from_digest(digest: &[u8]) -> Result<Self, InvalidDigestLength> {
        let mut copy = [0; 64];
        if digest.len() != H::LEN {
            return Err(InvalidDigestLength {
                expected: H::LEN,
                actual: digest.len(),
            });
        }
        // No slice is cut here and below, so that firmware contains no panic.
        for (to, from) in copy.iter_mut().zip(digest) {
            *to = *from;
        }
        Ok(Self {
            digest: copy,
            hash: PhantomData,
        })
    }

    /// Takes the digest of a hasher that has absorbed the message.
    pub fn from_hasher(hasher: H) -> Self {
        let mut digest = [0; 64];
        hasher.digest_into(digest.get_mut(..H::LEN).unwrap_or_default());
        Self {
            digest,
            hash: PhantomData,
        }
    }

    /// Hashes a message in parts.
    pub fn of(message: &[&[u8]]) -> Self {
        let mut hasher = H::default();
        for part in message {
            hasher.absorb(part);
        }
        Self::from_hasher(hasher)
    }

    /// The digest: [`PreHash::LEN`] bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.digest.get(..H::LEN).unwrap_or_default()
    }

    /// Checks that the hash function is strong enough for a set (FIPS 204, section 5.4).
    pub(crate) fn check<P: Fips204>() -> Result<(), WeakHash> {
        if H::STRENGTH < P::LAMBDA {
            return Err(WeakHash {
                hash: H::NAME,
                strength: H::STRENGTH,
                set: P::NAME,
                needed: P::LAMBDA,
            });
        }
        Ok(())
    }

    /// Computes μ of this digest (FIPS 204, Algorithm 4, line 23), with a context of at most 255
    /// bytes.
    pub(crate) fn mu(&self, tr: &[u8; 64], context: &[u8]) -> Mu {
        let mut mu = MuBuilder::new(tr);
        mu.pre_hashed(context);
        // The DER form of the object identifier.
        mu.update(&[
            0x06,
            9,
            0x60,
            0x86,
            0x48,
            0x01,
            0x65,
            0x03,
            0x04,
            0x02,
            H::OID_ARC,
        ]);
        mu.update(self.as_bytes());
        Mu::new(mu.finish())
    }
}

// Derived implementations would require the same traits of `H`.
impl<H> PartialEq for PreHashed<H> {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}
impl<H> Eq for PreHashed<H> {}

impl<H: PreHash> fmt::Debug for PreHashed<H> {
    /// The digest is not shown, because it can reveal the message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PreHashed<{}>(..)", H::NAME)
    }
}
