//! Private keys with the values that signing computes from them.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;
use core::ops::DerefMut;

use moissanite_core::backend::{Best, Choice};
use moissanite_core::secret::{Held, Wipe, Zeroed};
use signature::KeypairRef;
use zeroize::ZeroizeOnDrop;

use crate::core_ops::{PrepareSigning, SignPrepared, StartMu};
use crate::error::SigningError;
use crate::hash::{MessageHasher, MuBuilder};
use crate::key_traits::AnySigningKey;
use crate::params::{PRIVATE_KEY_LEN, PUBLIC_KEY_LEN, SIGNATURE_LEN};
use crate::prepared::SigningState;
use crate::verifying::VerifyingKey;

/// Memory for a prepared private key: 25 KiB. See
/// [`SigningKeyIn::prepare_in`](crate::SigningKeyIn::prepare_in).
///
/// ```
/// use moissanite_zk_dilithium::PreparedSigningKeySpace;
///
/// assert!(size_of::<PreparedSigningKeySpace>() <= 25 << 10);
/// ```
pub struct PreparedSigningKeySpace {
    pub(crate) state: SigningState,
    /// Has absorbed tr.
    mu: MuBuilder,
    verifying_key: VerifyingKey,
}

impl PreparedSigningKeySpace {
    /// Returns empty memory. The function is `const`, so that the memory can be a static; as a
    /// local variable, it takes this much stack.
    pub const fn new() -> Self {
        Self {
            state: Zeroed::ZERO,
            mu: Zeroed::ZERO,
            verifying_key: VerifyingKey([0; PUBLIC_KEY_LEN]),
        }
    }
}

impl Default for PreparedSigningKeySpace {
    /// This is inlined, so that a `Box` is initialized in place.
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

impl Wipe for PreparedSigningKeySpace {
    fn wipe(&mut self) {
        self.state.wipe();
    }
}

/// A private key with the values that signing computes from it, in a box. It has the same traits
/// and gives the same signatures in less time. It is secret, and wiped when it is dropped.
///
/// ```
/// use moissanite_zk_dilithium::{prelude::*, SigningKey};
///
/// # #[cfg(feature = "getrandom")] {
/// use moissanite_zk_dilithium::SysRng;
///
/// let prepared = SigningKey::try_generate(&mut SysRng)?.prepare();
/// for message in [b"one", b"two"] {
///     let signature = prepared.try_sign(message)?;
///     prepared.verifying_key().verify(message, &signature)?;
/// }
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub type PreparedSigningKey = PreparedSigningKeyIn<Box<PreparedSigningKeySpace>>;

/// A private key with the values that signing computes from it, in memory `H`: a box, which is
/// [`PreparedSigningKey`], or a [`PreparedSigningKeySpace`] that is borrowed from the caller. Its
/// secrets are wiped when the key is dropped.
pub struct PreparedSigningKeyIn<H: DerefMut<Target: Wipe>>(Held<H>);

impl<H: DerefMut<Target = PreparedSigningKeySpace>> PreparedSigningKeyIn<H> {
    /// Prepares an expanded private key whose ranges have been checked.
    pub(crate) fn of(space: H, sk: &[u8; PRIVATE_KEY_LEN], verifying_key: &VerifyingKey) -> Self {
        let mut prepared = Self(Held::new(space));
        let PreparedSigningKeySpace {
            state,
            mu,
            verifying_key: room,
        } = &mut *prepared.0;
        room.clone_from(verifying_key);
        // Every constructor of a key has checked the ranges.
        let in_range = Best.run(PrepareSigning { sk, key: state });
        debug_assert!(in_range.is_ok());
        *mu = Best.run(StartMu { tr: &state.tr });
        prepared
    }

    /// The public key.
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.0.verifying_key
    }
}

// The field of this type is `Held`, which wipes it.
impl<H: DerefMut<Target: Wipe>> ZeroizeOnDrop for PreparedSigningKeyIn<H> {}

impl<H: DerefMut<Target = PreparedSigningKeySpace>> AnySigningKey for PreparedSigningKeyIn<H> {
    fn hasher_on<C: Choice>(&self, _: C) -> MessageHasher {
        MessageHasher::new(self.0.mu.clone(), &self.0.state.tr)
    }
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        message: &mut MessageHasher,
        sigma: &mut [u8; SIGNATURE_LEN],
    ) -> Result<(), SigningError> {
        let key = &self.0.state;
        choice.run(SignPrepared {
            key,
            message,
            sigma,
        })
    }
}
signer!([H: DerefMut<Target = PreparedSigningKeySpace>] PreparedSigningKeyIn<H>);

impl<H: DerefMut<Target = PreparedSigningKeySpace>> AsRef<VerifyingKey>
    for PreparedSigningKeyIn<H>
{
    fn as_ref(&self) -> &VerifyingKey {
        self.verifying_key()
    }
}
impl<H: DerefMut<Target = PreparedSigningKeySpace>> KeypairRef for PreparedSigningKeyIn<H> {
    type VerifyingKey = VerifyingKey;
}

impl<H: DerefMut<Target = PreparedSigningKeySpace>> fmt::Debug for PreparedSigningKeyIn<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedSigningKey")
            .field("verifying_key", self.verifying_key())
            .finish_non_exhaustive()
    }
}
