//! Public keys.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;
use core::ops::DerefMut;

use moissanite_core::backend::{Best, Choice};
use moissanite_core::debug::debug_bytes;
use moissanite_core::hash::h;
use moissanite_core::poly::Poly;
use moissanite_core::secret::Zeroed;

use crate::core_ops::{PrepareVerifying, StartMu, Verify, VerifyPrepared};
use crate::encode;
use crate::error::InvalidKey;
use crate::hash::MuBuilder;
use crate::key_traits::AnyVerifyingKey;
use crate::params::PUBLIC_KEY_LEN;
use crate::prepared::VerifyingState;
use crate::sig::Signature;
use crate::verify::Message;

/// A public key: 3,104 bytes, ρ and t.
///
/// ```
/// use moissanite_zk_dilithium::{prelude::*, Signature, SigningKey, SysRng, VerifyingKey};
///
/// # let key = SigningKey::try_generate(&mut SysRng)?;
/// # let signature = key.try_sign(b"message")?;
/// # let (key, signature) = (key.verifying_key().to_bytes(), signature.to_bytes());
/// let key = VerifyingKey::from_bytes(&key)?;
/// let signature = Signature::from_bytes(&signature)?;
/// key.verify(b"message", &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct VerifyingKey(pub(crate) [u8; PUBLIC_KEY_LEN]);

impl VerifyingKey {
    /// Takes 3,104 bytes. Each coefficient of t must be less than q; the reference reduces it
    /// modulo q, so that a key has several encodings.
    ///
    /// # Errors
    /// [`InvalidKey::Length`], [`InvalidKey::TOutOfRange`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidKey> {
        let wrong = InvalidKey::Length {
            expected: PUBLIC_KEY_LEN,
            actual: bytes.len(),
        };
        let key = Self(bytes.try_into().map_err(|_| wrong)?);
        let (_, t) = encode::split_public_key(&key.0);
        let mut room = Poly::ZERO;
        for bytes in t {
            let in_range = encode::unpack_t(moissanite_core::backend::Portable, bytes, &mut room);
            in_range.ok_or(InvalidKey::TOutOfRange)?;
        }
        Ok(key)
    }

    /// The bytes of the key.
    pub fn to_bytes(&self) -> [u8; PUBLIC_KEY_LEN] {
        self.0
    }

    /// Returns a reference to the bytes of the key.
    pub fn as_bytes(&self) -> &[u8; PUBLIC_KEY_LEN] {
        &self.0
    }

    /// Computes the values that every verification with this key needs, mainly the matrix Â, and
    /// keeps them in a box of 21 KiB.
    #[cfg(feature = "alloc")]
    #[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
    pub fn prepare(&self) -> PreparedVerifyingKey {
        PreparedVerifyingKeyIn::of(Box::default(), self)
    }

    /// Computes the values that every verification with this key needs, mainly the matrix Â, in
    /// memory of the caller.
    ///
    /// ```
    /// use moissanite_zk_dilithium::{prelude::*, PreparedVerifyingKeySpace, SigningKey, SysRng};
    ///
    /// let key = SigningKey::try_generate(&mut SysRng)?;
    /// let mut space = PreparedVerifyingKeySpace::new();
    /// let prepared = key.verifying_key().prepare_in(&mut space);
    /// prepared.verify(b"message", &key.try_sign(b"message")?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare_in<'a>(
        &self,
        space: &'a mut PreparedVerifyingKeySpace,
    ) -> PreparedVerifyingKeyIn<&'a mut PreparedVerifyingKeySpace> {
        PreparedVerifyingKeyIn::of(space, self)
    }
}

impl AnyVerifyingKey for VerifyingKey {
    fn mu_on<C: Choice>(&self, choice: C) -> MuBuilder {
        choice.run(StartMu { tr: &h(&[&self.0]) })
    }
    fn verify_on<C: Choice>(&self, choice: C, message: Message<'_>, signature: &Signature) -> bool {
        choice.run(Verify {
            pk: &self.0,
            message,
            sigma: &signature.0,
        })
    }
}

verifier!([] VerifyingKey);

impl TryFrom<&[u8]> for VerifyingKey {
    type Error = InvalidKey;
    fn try_from(bytes: &[u8]) -> Result<Self, InvalidKey> {
        Self::from_bytes(bytes)
    }
}

impl AsRef<[u8]> for VerifyingKey {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_bytes(f, format_args!("VerifyingKey"), &self.0)
    }
}

/// Memory for a prepared public key: 21 KiB. See [`VerifyingKey::prepare_in`].
///
/// ```
/// use moissanite_zk_dilithium::PreparedVerifyingKeySpace;
///
/// assert!(size_of::<PreparedVerifyingKeySpace>() <= 21 << 10);
/// ```
pub struct PreparedVerifyingKeySpace(VerifyingState);

impl PreparedVerifyingKeySpace {
    /// Returns empty memory. The function is `const`, so that the memory can be a static; as a
    /// local variable, it takes this much stack.
    pub const fn new() -> Self {
        Self(Zeroed::ZERO)
    }
}

impl Default for PreparedVerifyingKeySpace {
    /// This is inlined, so that a `Box` is initialized in place.
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

/// A public key with the values that verification computes from it, in a box. It has the same
/// traits and gives the same verdicts in slightly less time: most of the time is spent in Poseidon,
/// which does not depend on the key.
///
/// ```
/// use moissanite_zk_dilithium::{prelude::*, SigningKey, SysRng};
///
/// let key = SigningKey::try_generate(&mut SysRng)?;
/// let prepared = key.verifying_key().prepare();
/// for message in [b"one", b"two"] {
///     prepared.verify(message, &key.try_sign(message)?)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub type PreparedVerifyingKey = PreparedVerifyingKeyIn<Box<PreparedVerifyingKeySpace>>;

/// A public key with the values that verification computes from it, in memory `H`: a box, which is
/// [`PreparedVerifyingKey`], or a [`PreparedVerifyingKeySpace`] that is borrowed from the caller.
pub struct PreparedVerifyingKeyIn<H: DerefMut>(H);

impl<H: DerefMut<Target = PreparedVerifyingKeySpace>> PreparedVerifyingKeyIn<H> {
    fn of(mut space: H, key: &VerifyingKey) -> Self {
        Best.run(PrepareVerifying {
            pk: &key.0,
            key: &mut space.0,
        });
        Self(space)
    }
}

impl<H: DerefMut<Target = PreparedVerifyingKeySpace>> AnyVerifyingKey
    for PreparedVerifyingKeyIn<H>
{
    fn mu_on<C: Choice>(&self, _: C) -> MuBuilder {
        self.0.0.mu.clone()
    }
    fn verify_on<C: Choice>(&self, choice: C, message: Message<'_>, signature: &Signature) -> bool {
        choice.run(VerifyPrepared {
            key: &self.0.0,
            message,
            sigma: &signature.0,
        })
    }
}
verifier!([H: DerefMut<Target = PreparedVerifyingKeySpace>] PreparedVerifyingKeyIn<H>);

impl<H: DerefMut<Target = PreparedVerifyingKeySpace>> fmt::Debug for PreparedVerifyingKeyIn<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_bytes(f, format_args!("PreparedVerifyingKey"), &self.0.0.tr)
    }
}
