//! The two combinations, and the input that they sign.

use core::fmt;

use moissanite::{Fips204, MlDsa44, MlDsa65, ParameterSet};
use sha2::{Digest, Sha512};

/// A combination of ML-DSA with Ed25519: [`MlDsa44Ed25519`] or [`MlDsa65Ed25519`]. The trait is
/// sealed.
pub trait Composite: sealed::Composite {
    /// The parameter set of the ML-DSA half.
    type MlDsa: Fips204;
    /// `[u8; Self::PUBLIC_KEY_LEN]`.
    type PublicKey: Bytes;
    /// `[u8; Self::SIGNATURE_LEN]`.
    type Signature: Bytes;
    /// The name in the command, in capitals.
    const NAME: &'static str;
    /// The Label of the draft: the context of the ML-DSA half, and a part of the input of both
    /// signatures.
    const LABEL: &'static str;
    /// The last arc of the object identifier, after 1.3.6.1.5.5.7.6.
    const OID_ARC: u8;
    /// The number of bytes of a public key: that of ML-DSA, then that of Ed25519.
    const PUBLIC_KEY_LEN: usize = Self::MlDsa::PUBLIC_KEY_LEN + 32;
    /// The number of bytes of a signature: that of ML-DSA, then that of Ed25519.
    const SIGNATURE_LEN: usize = Self::MlDsa::SIGNATURE_LEN + 64;
}

/// id-MLDSA44-Ed25519-SHA512, 1.3.6.1.5.5.7.6.39.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MlDsa44Ed25519;
/// id-MLDSA65-Ed25519-SHA512, 1.3.6.1.5.5.7.6.48.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MlDsa65Ed25519;

impl Composite for MlDsa44Ed25519 {
    type MlDsa = MlDsa44;
    type PublicKey = [u8; Self::PUBLIC_KEY_LEN];
    type Signature = [u8; Self::SIGNATURE_LEN];
    const NAME: &'static str = "ML-DSA-44-Ed25519";
    const LABEL: &'static str = "COMPSIG-MLDSA44-Ed25519-SHA512";
    const OID_ARC: u8 = 39;
}
impl Composite for MlDsa65Ed25519 {
    type MlDsa = MlDsa65;
    type PublicKey = [u8; Self::PUBLIC_KEY_LEN];
    type Signature = [u8; Self::SIGNATURE_LEN];
    const NAME: &'static str = "ML-DSA-65-Ed25519";
    const LABEL: &'static str = "COMPSIG-MLDSA65-Ed25519-SHA512";
    const OID_ARC: u8 = 48;
}

/// An encoded object: `[u8; LEN]`.
pub trait Bytes:
    AsRef<[u8]> + AsMut<[u8]> + Clone + Eq + for<'a> TryFrom<&'a [u8]> + Send + Sync + 'static
{
    /// All zero.
    const ZERO: Self;
}
impl<const LEN: usize> Bytes for [u8; LEN] {
    const ZERO: Self = [0; LEN];
}

/// Concatenates the two halves.
pub(crate) fn concatenate<T: Bytes>(ml_dsa: &[u8], ed25519: &[u8]) -> T {
    let mut whole = T::ZERO;
    let halves = ml_dsa.iter().chain(ed25519);
    for (to, from) in whole.as_mut().iter_mut().zip(halves) {
        *to = *from;
    }
    whole
}

mod sealed {
    pub trait Composite: Copy + core::fmt::Debug + Eq + Send + Sync + 'static {}
    impl Composite for super::MlDsa44Ed25519 {}
    impl Composite for super::MlDsa65Ed25519 {}
}

/// Hashes a message in pieces with SHA-512. The composites hash every message in this way, so a
/// signature of a [`PreHashed`] is the same as a signature of the message.
///
/// ```
/// use moissanite_composite::{prelude::*, MlDsa65Ed25519, PreHash, SigningKey, SysRng};
///
/// let key = SigningKey::<MlDsa65Ed25519>::try_generate(&mut SysRng)?;
/// let mut hash = PreHash::new();
/// hash.update(b"a file, ");
/// hash.update(b"piece by piece");
/// let signature = key.try_sign_prehashed(&hash.finish())?;
/// key.verifying_key().verify(b"a file, piece by piece", &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct PreHash(Sha512);

impl PreHash {
    /// The empty message.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next piece, of any length.
    pub fn update(&mut self, piece: &[u8]) {
        Digest::update(&mut self.0, piece);
    }

    /// Ends the message.
    pub fn finish(self) -> PreHashed {
        PreHashed(self.0.finalize().into())
    }

    pub(crate) fn of(message: &[&[u8]]) -> PreHashed {
        let mut hash = Self::new();
        message.iter().for_each(|part| hash.update(part));
        hash.finish()
    }
}

impl fmt::Debug for PreHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreHash").finish_non_exhaustive()
    }
}

/// The SHA-512 of a message: PH(M). As secret as the message, so `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct PreHashed([u8; 64]);

impl fmt::Debug for PreHashed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreHashed").finish_non_exhaustive()
    }
}

/// M', in parts: Prefix ‖ Label ‖ len(ctx) ‖ ctx ‖ PH(M).
pub(crate) struct MessageRepresentative<'a> {
    context_len: [u8; 1],
    context: &'a [u8],
    label: &'static str,
    hash: &'a [u8; 64],
}

impl<'a> MessageRepresentative<'a> {
    const PREFIX: &'static [u8] = b"CompositeAlgorithmSignatures2025";

    /// Returns `None` if the context is longer than 255 bytes.
    pub(crate) fn new<C: Composite>(context: &'a [u8], hash: &'a PreHashed) -> Option<Self> {
        Some(Self {
            context_len: [u8::try_from(context.len()).ok()?],
            context,
            label: C::LABEL,
            hash: &hash.0,
        })
    }

    pub(crate) fn parts(&self) -> [&[u8]; 5] {
        [
            Self::PREFIX,
            self.label.as_bytes(),
            &self.context_len,
            self.context,
            self.hash,
        ]
    }
}
