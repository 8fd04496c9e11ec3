//! Private keys with the values that signing computes from them.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;
use core::ops::DerefMut;

use moissanite_core::backend::{Best, Choice};
use moissanite_core::secret::{Held, Wipe, Zeroed};
use moissanite_core::sign::Rnd;
use moissanite_core::{ParameterSet, prepared};
use signature::KeypairRef;
use zeroize::ZeroizeOnDrop;

use crate::core_ops::{PrepareSigning, SignPrepared};
use crate::error::SigningError;
#[cfg(feature = "alloc")]
use crate::key_traits::AnyPreparedSigningKey;
use crate::key_traits::AnySigningKey;
use crate::sig::Signature;
use crate::verifying::VerifyingKey;

/// Memory for a prepared private key: 26, 44 or 75 KiB. See
/// [`SigningKeyIn::prepare_in`](crate::SigningKeyIn::prepare_in).
///
/// ```
/// use moissanite::{MlDsa44, MlDsa65, MlDsa87, PreparedSigningKeySpace};
///
/// assert!(size_of::<PreparedSigningKeySpace<MlDsa44>>() <= 26 << 10);
/// assert!(size_of::<PreparedSigningKeySpace<MlDsa65>>() <= 44 << 10);
/// assert!(size_of::<PreparedSigningKeySpace<MlDsa87>>() <= 75 << 10);
/// ```
pub struct PreparedSigningKeySpace<P: ParameterSet> {
    key: prepared::SigningState<P>,
    verifying_key: VerifyingKey<P>,
}

impl<P: ParameterSet> PreparedSigningKeySpace<P> {
    /// Returns empty memory. The function is `const`, so that the memory can be a static; as a
    /// local variable, it takes this much stack.
    pub const fn new() -> Self {
        Self {
            key: Zeroed::ZERO,
            verifying_key: VerifyingKey(P::PublicKey::ZERO),
        }
    }
}

impl<P: ParameterSet> Default for PreparedSigningKeySpace<P> {
    /// This is inlined, so that a `Box` is initialized in place.
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

impl<P: ParameterSet> Wipe for PreparedSigningKeySpace<P> {
    fn wipe(&mut self) {
        self.key.wipe();
    }
}

/// A private key with the values that signing computes from it, in a box. It has the same traits
/// and gives the same signatures in less time. It is secret, and wiped when it is dropped.
///
/// ```
/// use moissanite::{prelude::*, MlDsa65, SigningKey};
///
/// # #[cfg(feature = "getrandom")] {
/// use moissanite::SysRng;
///
/// let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
/// let prepared = key.prepare();
/// for message in [b"one", b"two"] {
///     let signature = prepared.try_sign_with_rng(&mut SysRng, message)?;
///     prepared.verifying_key().verify(message, &signature)?;
/// }
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub type PreparedSigningKey<P> = PreparedSigningKeyIn<Box<PreparedSigningKeySpace<P>>>;

/// A private key with the values that signing computes from it, in memory `S`: a box, which is
/// [`PreparedSigningKey`], or a [`PreparedSigningKeySpace`] that is borrowed from the caller. Its
/// secrets are wiped when the key is dropped.
pub struct PreparedSigningKeyIn<S: DerefMut<Target: Wipe>>(Held<S>);

impl<P: ParameterSet, S: DerefMut<Target = PreparedSigningKeySpace<P>>> PreparedSigningKeyIn<S> {
    /// Prepares an expanded private key whose ranges have been checked.
    pub(crate) fn of(space: S, sk: &P::PrivateKey, verifying_key: &VerifyingKey<P>) -> Self {
        let mut prepared = Self(Held::new(space));
        prepared.0.verifying_key.clone_from(verifying_key);
        let key = &mut prepared.0.key;
        // Every constructor of a key has checked the ranges.
        let in_range = Best.run(PrepareSigning::<P> { sk, key });
        debug_assert!(in_range);
        prepared
    }

    /// The public key.
    pub fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.0.verifying_key
    }
}

// The field of this type is `Held`, which wipes it.
impl<S: DerefMut<Target: Wipe>> ZeroizeOnDrop for PreparedSigningKeyIn<S> {}

impl<P: ParameterSet, S: DerefMut<Target = PreparedSigningKeySpace<P>>> AnySigningKey
    for PreparedSigningKeyIn<S>
{
    type Set = P;
    fn tr(&self) -> [u8; 64] {
        *self.0.key.tr()
    }
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        mu: &[u8; 64],
        rnd: Rnd<'_>,
        signature: &mut Signature<P>,
    ) -> Result<(), SigningError> {
        choice.run(SignPrepared::<P> {
            key: &self.0.key,
            mu,
            rnd,
            sigma: &mut signature.0,
        })
    }
    fn check_signature(&self, mu: &[u8; 64], signature: &Signature<P>) -> bool {
        self.verifying_key().is_valid(mu, signature)
    }
}
#[cfg(feature = "alloc")]
impl<P: ParameterSet, S: DerefMut<Target = PreparedSigningKeySpace<P>>> AnyPreparedSigningKey
    for PreparedSigningKeyIn<S>
{
    fn prepared(&self) -> &prepared::SigningState<P> {
        &self.0.key
    }
}
signer!([S: DerefMut<Target = PreparedSigningKeySpace<P>>] PreparedSigningKeyIn<S>);

impl<P: ParameterSet, S: DerefMut<Target = PreparedSigningKeySpace<P>>> AsRef<VerifyingKey<P>>
    for PreparedSigningKeyIn<S>
{
    fn as_ref(&self) -> &VerifyingKey<P> {
        self.verifying_key()
    }
}
impl<P: ParameterSet, S: DerefMut<Target = PreparedSigningKeySpace<P>>> KeypairRef
    for PreparedSigningKeyIn<S>
{
    type VerifyingKey = VerifyingKey<P>;
}

impl<P: ParameterSet, S: DerefMut<Target = PreparedSigningKeySpace<P>>> fmt::Debug
    for PreparedSigningKeyIn<S>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedSigningKey")
            .field("verifying_key", self.verifying_key())
            .finish_non_exhaustive()
    }
}
