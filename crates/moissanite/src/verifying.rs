//! Public keys.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;
use core::ops::DerefMut;

use moissanite_core::backend::{Best, Choice};
#[cfg(feature = "alloc")]
use moissanite_core::batch::verify::PublicKey;
use moissanite_core::debug::debug_bytes;
use moissanite_core::secret::Zeroed;
use moissanite_core::verify::MessageRepresentative;
use moissanite_core::{ParameterSet, hash};

use crate::core_ops::{PrepareVerifying, Verify, VerifyPrepared};
use crate::error::InvalidKey;
use crate::key_traits::AnyVerifyingKey;
use crate::sig::Signature;

/// A public key: 1,312, 1,952 or 2,592 bytes for ML-DSA-44, -65 and -87.
///
/// Any bytes of that length are a public key. It contains no secret.
///
/// ```
/// use moissanite::{prelude::*, MlDsa65, SigningKey, SysRng, VerifyingKey};
///
/// let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
/// let signature = key.try_sign(b"message")?;
///
/// let bytes: [u8; 1952] = key.verifying_key().to_bytes();
/// let verifying_key = VerifyingKey::<MlDsa65>::from_bytes(&bytes)?;
/// verifying_key.verify(b"message", &signature)?;
/// assert!(verifying_key.verify(b"another", &signature).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct VerifyingKey<P: ParameterSet>(pub(crate) P::PublicKey);

impl<P: ParameterSet> VerifyingKey<P> {
    /// The number of bytes of a public key.
    pub const LEN: usize = P::PUBLIC_KEY_LEN;

    /// Takes the bytes of a public key (FIPS 204, Algorithm 23, pkDecode): any [`Self::LEN`] bytes.
    ///
    /// # Errors
    /// [`InvalidKey::Length`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidKey> {
        let wrong = InvalidKey::length(Self::LEN, bytes);
        P::PublicKey::try_from(bytes).map(Self).map_err(|_| wrong)
    }

    /// Returns the bytes of the public key (FIPS 204, Algorithm 22, pkEncode).
    pub fn to_bytes(&self) -> P::PublicKey {
        self.0.clone()
    }

    /// Returns a reference to the bytes of the public key.
    pub fn as_bytes(&self) -> &P::PublicKey {
        &self.0
    }

    /// Computes the values that every verification with this key needs, mainly the matrix Â, and
    /// keeps them in a box of 21 to 65 KiB.
    ///
    /// Verification then takes less than half the time, as `docs/speed.md` shows for each set and
    /// backend.
    #[cfg(feature = "alloc")]
    #[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
    pub fn prepare(&self) -> PreparedVerifyingKey<P> {
        PreparedVerifyingKeyIn::of(Box::default(), self)
    }

    /// Computes the values that every verification with this key needs, mainly the matrix Â, in
    /// memory of the caller.
    ///
    /// ```
    /// use moissanite::{prelude::*, MlDsa44, PreparedVerifyingKeySpace, SigningKey, SysRng};
    ///
    /// let key = SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
    /// let mut space = PreparedVerifyingKeySpace::new();
    /// let prepared = key.verifying_key().prepare_in(&mut space);
    /// prepared.verify(b"message", &key.try_sign(b"message")?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare_in<'a>(
        &self,
        space: &'a mut PreparedVerifyingKeySpace<P>,
    ) -> PreparedVerifyingKeyIn<&'a mut PreparedVerifyingKeySpace<P>> {
        PreparedVerifyingKeyIn::of(space, self)
    }
}

impl<P: ParameterSet> VerifyingKey<P> {
    /// Returns whether a signature of μ is valid.
    pub(crate) fn is_valid(&self, mu: &[u8; 64], signature: &Signature<P>) -> bool {
        self.verify_on_chosen(MessageRepresentative::Mu(mu), signature)
    }
}

impl<P: ParameterSet> AnyVerifyingKey for VerifyingKey<P> {
    type Set = P;
    fn tr(&self) -> [u8; 64] {
        hash::public_key_hash(self.0.as_ref())
    }
    fn verify_on<C: Choice>(
        &self,
        choice: C,
        message: MessageRepresentative<'_>,
        signature: &Signature<P>,
    ) -> bool {
        choice.run(Verify::<P> {
            pk: &self.0,
            message,
            sigma: &signature.0,
        })
    }
    #[cfg(feature = "alloc")]
    fn public_key(&self) -> PublicKey<'_, P> {
        PublicKey::Encoded(&self.0)
    }
}
verifier!([] VerifyingKey<P>);

impl<P: ParameterSet> TryFrom<&[u8]> for VerifyingKey<P> {
    type Error = InvalidKey;
    fn try_from(bytes: &[u8]) -> Result<Self, InvalidKey> {
        Self::from_bytes(bytes)
    }
}

impl<P: ParameterSet> AsRef<[u8]> for VerifyingKey<P> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

impl<P: ParameterSet> core::hash::Hash for VerifyingKey<P> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.0.as_ref().hash(state);
    }
}

impl<P: ParameterSet> fmt::Debug for VerifyingKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_bytes(f, format_args!("VerifyingKey<{}>", P::NAME), self.as_ref())
    }
}

/// Memory for a prepared public key: 21, 37 or 65 KiB. See [`VerifyingKey::prepare_in`].
///
/// ```
/// use moissanite::{MlDsa44, MlDsa65, MlDsa87, PreparedVerifyingKeySpace};
///
/// assert!(size_of::<PreparedVerifyingKeySpace<MlDsa44>>() <= 21 << 10);
/// assert!(size_of::<PreparedVerifyingKeySpace<MlDsa65>>() <= 37 << 10);
/// assert!(size_of::<PreparedVerifyingKeySpace<MlDsa87>>() <= 65 << 10);
/// ```
pub struct PreparedVerifyingKeySpace<P: ParameterSet>(moissanite_core::prepared::VerifyingState<P>);

impl<P: ParameterSet> PreparedVerifyingKeySpace<P> {
    /// Returns empty memory. The function is `const`, so that the memory can be a static; as a
    /// local variable, it takes this much stack.
    pub const fn new() -> Self {
        Self(Zeroed::ZERO)
    }
}

impl<P: ParameterSet> Default for PreparedVerifyingKeySpace<P> {
    /// This is inlined, so that a `Box` is initialized in place.
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

/// A public key with the values that verification computes from it, in a box. It has the same
/// traits and gives the same verdicts, in less than half the time, as `docs/speed.md` shows for
/// each set and backend.
///
/// ```
/// use moissanite::{prelude::*, MlDsa65, SigningKey, SysRng};
///
/// let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
/// let prepared = key.verifying_key().prepare();
/// for message in [b"one", b"two"] {
///     prepared.verify(message, &key.try_sign(message)?)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub type PreparedVerifyingKey<P> = PreparedVerifyingKeyIn<Box<PreparedVerifyingKeySpace<P>>>;

/// A public key with the values that verification computes from it, in memory `S`: a box, which is
/// [`PreparedVerifyingKey`], or a [`PreparedVerifyingKeySpace`] that is borrowed from the caller.
pub struct PreparedVerifyingKeyIn<S: DerefMut>(S);

impl<P: ParameterSet, S: DerefMut<Target = PreparedVerifyingKeySpace<P>>>
    PreparedVerifyingKeyIn<S>
{
    fn of(mut space: S, key: &VerifyingKey<P>) -> Self {
        Best.run(PrepareVerifying::<P> {
            pk: &key.0,
            key: &mut space.0,
        });
        Self(space)
    }
}

impl<P: ParameterSet, S: DerefMut<Target = PreparedVerifyingKeySpace<P>>> AnyVerifyingKey
    for PreparedVerifyingKeyIn<S>
{
    type Set = P;
    fn tr(&self) -> [u8; 64] {
        *self.0.0.tr()
    }
    fn verify_on<C: Choice>(
        &self,
        choice: C,
        message: MessageRepresentative<'_>,
        signature: &Signature<P>,
    ) -> bool {
        choice.run(VerifyPrepared::<P> {
            key: &self.0.0,
            message,
            sigma: &signature.0,
        })
    }
    #[cfg(feature = "alloc")]
    fn public_key(&self) -> PublicKey<'_, P> {
        PublicKey::Prepared(&self.0.0)
    }
}
verifier!([S: DerefMut<Target = PreparedVerifyingKeySpace<P>>] PreparedVerifyingKeyIn<S>);

impl<P: ParameterSet, S: DerefMut<Target = PreparedVerifyingKeySpace<P>>> fmt::Debug
    for PreparedVerifyingKeyIn<S>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_bytes(
            f,
            format_args!("PreparedVerifyingKey<{}>", P::NAME),
            self.0.0.tr(),
        )
    }
}
