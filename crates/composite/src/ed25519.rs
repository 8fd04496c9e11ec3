//! Ed25519 (RFC 8032) from the crate `ed25519-dalek`, with an API like that of the crate
//! `moissanite`.
//!
//! ```
//! use moissanite_composite::{ed25519, prelude::*, SysRng};
//!
//! let key = ed25519::SigningKey::try_generate(&mut SysRng)?;
//! let signature = key.try_sign(b"message")?;
//! key.verifying_key().verify(b"message", &signature)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is accepted
//!
//! RFC 8032 does not define the treatment of points of small order and of points with several
//! encodings, and libraries differ. This crate applies the strictest of the rules in use:
//!
//! - A public key is a point in its canonical encoding, and does not have small order. A key of
//!   small order has signatures that are valid for every message.
//! - S < L. R is a point in its canonical encoding, and does not have small order.
//! - SB = R + kA, without the factor of 8.
//!
//! The signatures of an honest signer always pass. Signatures that pass satisfy the equations of
//! RFC 8032 with and without the factor of 8; a library can still refuse more, such as points of
//! mixed order.
//!
//! # What is secret
//!
//! Keys and their hashers are wiped. `ed25519-dalek` leaves the SHA-512 of the private key, which
//! contains the scalar, on the stack. That part of the stack is overwritten after each operation.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::cell::RefCell;
use core::fmt;

use core::ops::DerefMut;
use moissanite_core::debug::debug_bytes;

use ed25519_dalek::hazmat::{ExpandedSecretKey, raw_sign_byupdate};
use moissanite_core::scrub::scrubbed;
use moissanite_core::secret::{Held, Wipe};
use sha2::{Digest, Sha512};
#[cfg(feature = "alloc")]
use signature::rand_core::{CryptoRng, TryCryptoRng};
use signature::{KeypairRef, MultipartSigner, MultipartVerifier, Signer, Verifier};
use zeroize::ZeroizeOnDrop;

use moissanite_core::seed::Seed;

use crate::error::{InvalidKey, ReadTwiceError};

pub use ed25519_dalek::Signature;

/// The stack that `ed25519-dalek` uses with a private key, and that is overwritten afterwards.
const DEPTH: usize = if usize::BITS == 64 { 16 << 10 } else { 6 << 10 };

/// A private key of 32 bytes, in a box. It is secret, and wiped when it is dropped.
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub type SigningKey = SigningKeyIn<Box<Seed>>;

/// A private key in memory `H`: a box, which is [`SigningKey`], or a [`Seed`] that is borrowed from
/// the caller. It is secret, and wiped when it is dropped.
///
/// ```
/// use moissanite_composite::{Seed, SysRng, ed25519, prelude::*};
///
/// let mut seed = Seed::zero();
/// seed.try_fill(&mut SysRng)?;
/// let key = ed25519::SigningKeyIn::of(&mut seed);
/// let signature = key.try_sign(b"message")?;
/// key.verifying_key().verify(b"message", &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SigningKeyIn<H: DerefMut<Target: Wipe>> {
    seed: Held<H>,
    verifying_key: VerifyingKey,
}

#[cfg(feature = "alloc")]
impl SigningKey {
    /// Generates a key with a random number generator that can fail, such as that of the operating
    /// system.
    ///
    /// # Errors
    /// The error of the generator.
    pub fn try_generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut seed = Box::new(Seed::zero());
        seed.try_fill(rng)?;
        Ok(Self::of(seed))
    }

    /// Generates a key with a random number generator that cannot fail.
    pub fn generate<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let Ok(key) = Self::try_generate(rng);
        key
    }

    /// Makes the key of 32 bytes, which RFC 8032 calls the private key. They must come from a
    /// cryptographically secure generator.
    pub fn from_seed(seed: &Seed) -> Self {
        Self::from_bytes(seed.as_bytes())
    }

    /// The same as [`Self::from_seed`], for bytes that are read in place.
    pub(crate) fn from_bytes(bytes: &[u8; 32]) -> Self {
        let mut seed = Box::new(Seed::zero());
        seed.set(bytes);
        Self::of(seed)
    }
}

impl<H: DerefMut<Target = Seed>> SigningKeyIn<H> {
    /// The number of bytes of a private key.
    pub const LEN: usize = 32;

    /// Makes the key of the seed in this memory. RFC 8032 calls the seed the private key.
    pub fn of(seed: H) -> Self {
        let verifying_key = VerifyingKey::of(seed.as_bytes());
        Self {
            seed: Held::new(seed),
            verifying_key,
        }
    }

    /// Returns a reference to the 32 bytes of the private key.
    pub fn as_seed(&self) -> &Seed {
        &self.seed
    }

    /// The public key.
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.verifying_key
    }

    /// Signs a message that does not fit in memory. Ed25519 reads a message twice, so `read` is
    /// called twice, and passes the pieces of the message to its argument. The signature is the
    /// same as that of [`Signer`].
    ///
    /// ```
    /// use moissanite_composite::{ed25519::SigningKey, prelude::*, SysRng};
    ///
    /// let key = SigningKey::try_generate(&mut SysRng)?;
    /// let signature = key.try_sign_twice(|take| {
    ///     take(b"a file, ");
    ///     take(b"piece by piece");
    ///     Ok::<_, std::io::Error>(())
    /// })?;
    /// assert_eq!(signature, key.try_sign(b"a file, piece by piece")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of `read`, and [`ReadTwiceError::Changed`].
    pub fn try_sign_twice<E>(
        &self,
        read: impl FnMut(&mut dyn FnMut(&[u8])) -> Result<(), E>,
    ) -> Result<Signature, ReadTwiceError<E>> {
        // The closure below can neither change its captured variables nor return an error of this
        // crate.
        let state = RefCell::new((read, None));
        let reading = |h: &mut Sha512| {
            let (read, outcome) = &mut *state.borrow_mut();
            let mut seen = Sha512::new();
            let result = read(&mut |piece| {
                h.update(piece);
                seen.update(piece);
            });
            let seen = seen.finalize();
            // Signatures of two messages with one nonce would give two equations for two unknowns,
            // the nonce and the private scalar.
            *outcome = Some(match (result, outcome.take()) {
                (Err(error), _) => Err(ReadTwiceError::Read(error)),
                (Ok(()), Some(Ok(first))) if first != seen => Err(ReadTwiceError::Changed),
                (Ok(()), _) => Ok(seen),
            });
            match outcome {
                Some(Ok(_)) => Ok(()),
                _ => Err(signature::Error::new()),
            }
        };
        let signature = scrubbed::<DEPTH, _>(|| {
            let expanded = ExpandedSecretKey::from(self.seed.as_bytes());
            raw_sign_byupdate(&expanded, reading, &self.verifying_key.0)
        });
        match (signature, state.into_inner().1) {
            (_, Some(Err(error))) => Err(error),
            (Ok(signature), _) => Ok(signature),
            (Err(_), _) => Err(ReadTwiceError::Changed),
        }
    }
}

/// Signs a message in parts, with the key of this seed.
pub(crate) fn sign(
    seed: &[u8; 32],
    verifying_key: &VerifyingKey,
    message: &[&[u8]],
) -> signature::Result<Signature> {
    scrubbed::<DEPTH, _>(|| {
        let hash = |h: &mut Sha512| {
            message.iter().for_each(|part| h.update(part));
            Ok(())
        };
        raw_sign_byupdate(&ExpandedSecretKey::from(seed), hash, &verifying_key.0)
    })
}

#[cfg(feature = "alloc")]
impl From<&ed25519_dalek::SigningKey> for SigningKey {
    fn from(key: &ed25519_dalek::SigningKey) -> Self {
        Self::from_bytes(key.as_bytes())
    }
}

/// Copies the key into a new box.
#[cfg(feature = "alloc")]
impl Clone for SigningKey {
    fn clone(&self) -> Self {
        Self::from_seed(self.as_seed())
    }
}

// The field of this type is `Held`, which wipes it.
impl<H: DerefMut<Target: Wipe>> ZeroizeOnDrop for SigningKeyIn<H> {}

impl<H: DerefMut<Target = Seed>> AsRef<VerifyingKey> for SigningKeyIn<H> {
    fn as_ref(&self) -> &VerifyingKey {
        &self.verifying_key
    }
}
impl<H: DerefMut<Target = Seed>> KeypairRef for SigningKeyIn<H> {
    type VerifyingKey = VerifyingKey;
}

impl<H: DerefMut<Target = Seed>> Signer<Signature> for SigningKeyIn<H> {
    fn try_sign(&self, message: &[u8]) -> signature::Result<Signature> {
        self.try_multipart_sign(&[message])
    }
}
impl<H: DerefMut<Target = Seed>> MultipartSigner<Signature> for SigningKeyIn<H> {
    fn try_multipart_sign(&self, message: &[&[u8]]) -> signature::Result<Signature> {
        sign(self.seed.as_bytes(), &self.verifying_key, message)
    }
}

impl<H: DerefMut<Target = Seed>> fmt::Debug for SigningKeyIn<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("verifying_key", &self.verifying_key)
            .finish_non_exhaustive()
    }
}

/// A public key: a point of the curve, in 32 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct VerifyingKey(ed25519_dalek::VerifyingKey);

impl VerifyingKey {
    /// The number of bytes of a public key.
    pub const LEN: usize = 32;

    /// The public key of this seed.
    pub(crate) fn of(seed: &[u8; 32]) -> Self {
        scrubbed::<DEPTH, _>(|| {
            Self(ed25519_dalek::VerifyingKey::from(&ExpandedSecretKey::from(
                seed,
            )))
        })
    }

    /// Takes the bytes of a public key.
    ///
    /// # Errors
    /// All variants of [`InvalidKey`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidKey> {
        let array = bytes.try_into().map_err(|_| InvalidKey::Length {
            expected: Self::LEN,
            actual: bytes.len(),
        })?;
        let key = ed25519_dalek::VerifyingKey::from_bytes(array);
        key.map_err(|_| InvalidKey::NotOnCurve)?.try_into()
    }

    /// The bytes of the public key.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// Returns a reference to the bytes of the public key.
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// Begins to verify a message in pieces, which is read once.
    ///
    /// ```
    /// use moissanite_composite::{ed25519::SigningKey, prelude::*, SysRng};
    ///
    /// let key = SigningKey::try_generate(&mut SysRng)?;
    /// let signature = key.try_sign(b"a file, piece by piece")?;
    /// let mut verifier = key.verifying_key().verifier(&signature)?;
    /// verifier.update(b"a file, ");
    /// verifier.update(b"piece by piece");
    /// verifier.verify()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The signature is malformed, and therefore not valid for any message.
    pub fn verifier(&self, signature: &Signature) -> signature::Result<PieceVerifier> {
        check_form(signature)?;
        self.0.verify_stream(signature).map(PieceVerifier)
    }
}

/// The verification of a message in pieces. See [`VerifyingKey::verifier`].
pub struct PieceVerifier(ed25519_dalek::StreamVerifier);

impl PieceVerifier {
    /// Takes the next piece of the message, of any length.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// Ends the message and verifies.
    ///
    /// # Errors
    /// The signature is not valid; the error does not contain the reason.
    pub fn verify(self) -> signature::Result<()> {
        self.0.finalize_and_verify()
    }
}

impl fmt::Debug for PieceVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PieceVerifier").finish_non_exhaustive()
    }
}

/// L, the order of the base point: 2^252 + 27742317777372353535851937790883648493, little-endian.
const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// Checks that S < L, which `ed25519-dalek` does not check if any crate enables its feature
/// `legacy_compatibility`; and that R does not have small order, which it never checks, because it
/// only compares R with the recomputed value.
fn check_form(signature: &Signature) -> signature::Result<()> {
    let r = ed25519_dalek::VerifyingKey::from_bytes(signature.r_bytes())?;
    let is_reduced = signature.s_bytes().iter().rev().lt(ORDER.iter().rev());
    if !is_reduced || r.is_weak() {
        return Err(signature::Error::new());
    }
    Ok(())
}

impl TryFrom<ed25519_dalek::VerifyingKey> for VerifyingKey {
    type Error = InvalidKey;
    fn try_from(key: ed25519_dalek::VerifyingKey) -> Result<Self, InvalidKey> {
        if key.to_edwards().compress().as_bytes() != key.as_bytes() {
            return Err(InvalidKey::NotCanonical);
        }
        if key.is_weak() {
            return Err(InvalidKey::SmallOrder);
        }
        Ok(Self(key))
    }
}

impl TryFrom<&[u8]> for VerifyingKey {
    type Error = InvalidKey;
    fn try_from(bytes: &[u8]) -> Result<Self, InvalidKey> {
        Self::from_bytes(bytes)
    }
}

impl AsRef<[u8]> for VerifyingKey {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl Verifier<Signature> for VerifyingKey {
    fn verify(&self, message: &[u8], signature: &Signature) -> signature::Result<()> {
        self.multipart_verify(&[message], signature)
    }
}
impl MultipartVerifier<Signature> for VerifyingKey {
    fn multipart_verify(&self, message: &[&[u8]], signature: &Signature) -> signature::Result<()> {
        check_form(signature)?;
        self.0.multipart_verify(message, signature)
    }
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_bytes(f, format_args!("VerifyingKey<Ed25519>"), self.as_bytes())
    }
}

/// PKCS#8 and SubjectPublicKeyInfo of RFC 8410.
#[cfg(feature = "pkcs8")]
mod keys;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    /// The check is in this crate, because in `ed25519-dalek` it depends on features that other
    /// crates enable.
    #[test]
    fn s_is_less_than_the_order() {
        let key = SigningKey::from_seed(&[7; 32].into());
        let honest = key.try_sign(b"message").unwrap();
        check_form(&honest).unwrap();
        let check = |s| check_form(&Signature::from_components(*honest.r_bytes(), s));
        let (mut less, mut more) = (ORDER, ORDER);
        (less[0], more[0]) = (0xec, 0xee);
        check(less).unwrap();
        check(ORDER).unwrap_err();
        check(more).unwrap_err();
        // These are more than L, by bytes on both sides of the bytes that are zero in L.
        let (mut low, mut high) = ([0; 32], [0; 32]);
        (low[16], low[31], high[31]) = (1, 0x10, 0x11);
        check(low).unwrap_err();
        check(high).unwrap_err();
        check([0xff; 32]).unwrap_err();
    }
}
