//! Keys with an explicit backend. The other items of the feature `hazmat` are in the modules of
//! their types.

use core::fmt;
use core::ops::DerefMut;

use moissanite_core::ParameterSet;
pub use moissanite_core::backend::{self, Backend};
use moissanite_core::backend::{Choice, Named};
use moissanite_core::sign::Rnd;
use moissanite_core::verify::MessageRepresentative;

use crate::error::SigningError;
use crate::expanded::ExpandedSigningKey;
#[cfg(feature = "alloc")]
use crate::key_traits::AnyPreparedSigningKey;
use crate::key_traits::{AnySigningKey, AnyVerifyingKey};
use crate::prepared::{PreparedSigningKeyIn, PreparedSigningKeySpace};
use crate::sig::Signature;
use crate::signing::{SigningKeyIn, SigningKeySpace};
use crate::verifying::{PreparedVerifyingKeyIn, PreparedVerifyingKeySpace, VerifyingKey};

/// A private key whose operations run on an explicit backend. The signatures are the same on all
/// backends. The method `on` of every kind of key returns it.
///
/// ```
/// use moissanite::{backend::Portable, prelude::*, MlDsa65, SigningKey, SysRng};
///
/// let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
/// let signature = key.on(Portable).try_sign(b"message")?;
/// key.verifying_key().on(Portable).verify(b"message", &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SigningKeyOn<'a, K, B> {
    key: &'a K,
    backend: B,
}

/// A public key whose operations run on an explicit backend. The verdicts are the same on all
/// backends. The method `on` of every kind of key returns it.
pub struct VerifyingKeyOn<'a, K, B> {
    key: &'a K,
    backend: B,
}

impl<K, B: Backend> fmt::Debug for SigningKeyOn<'_, K, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKeyOn({})", B::NAME)
    }
}
impl<K, B: Backend> fmt::Debug for VerifyingKeyOn<'_, K, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifyingKeyOn({})", B::NAME)
    }
}

macro_rules! on {
    ($on:ident, [$($generics:tt)*] $key:ty) => {
        impl<P: ParameterSet, $($generics)*> $key {
            /// Returns this key with its operations on the given backend.
            #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
            pub fn on<B: Backend>(&self, backend: B) -> $on<'_, Self, B> {
                $on { key: self, backend }
            }
        }
    };
}
on!(SigningKeyOn, [S: DerefMut<Target = SigningKeySpace<P>>] SigningKeyIn<S>);
on!(SigningKeyOn, [] ExpandedSigningKey<'_, P>);
on!(SigningKeyOn, [S: DerefMut<Target = PreparedSigningKeySpace<P>>] PreparedSigningKeyIn<S>);
on!(VerifyingKeyOn, [] VerifyingKey<P>);
on!(VerifyingKeyOn, [S: DerefMut<Target = PreparedVerifyingKeySpace<P>>] PreparedVerifyingKeyIn<S>);

impl<K: AnySigningKey, B: Backend> AnySigningKey for SigningKeyOn<'_, K, B> {
    type Set = K::Set;
    fn tr(&self) -> [u8; 64] {
        self.key.tr()
    }
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        mu: &[u8; 64],
        rnd: Rnd<'_>,
        signature: &mut Signature<K::Set>,
    ) -> Result<(), SigningError> {
        self.key.sign_on(choice, mu, rnd, signature)
    }
    fn sign_on_chosen(
        &self,
        mu: &[u8; 64],
        rnd: Rnd<'_>,
        signature: &mut Signature<K::Set>,
    ) -> Result<(), SigningError> {
        self.sign_on(Named(self.backend), mu, rnd, signature)
    }
    fn check_signature(&self, mu: &[u8; 64], signature: &Signature<K::Set>) -> bool {
        self.key.check_signature(mu, signature)
    }
}
#[cfg(feature = "alloc")]
impl<K: AnyPreparedSigningKey, B: Backend> AnyPreparedSigningKey for SigningKeyOn<'_, K, B> {
    fn prepared(&self) -> &moissanite_core::prepared::SigningState<K::Set> {
        self.key.prepared()
    }
    fn run<O: backend::WithBackend>(&self, op: O) -> O::Output {
        op.call(self.backend)
    }
}
signer!([K: AnySigningKey<Set = P>, B: Backend] SigningKeyOn<'_, K, B>);

impl<K: AnyVerifyingKey, B: Backend> AnyVerifyingKey for VerifyingKeyOn<'_, K, B> {
    type Set = K::Set;
    fn tr(&self) -> [u8; 64] {
        self.key.tr()
    }
    fn verify_on<C: Choice>(
        &self,
        choice: C,
        message: MessageRepresentative<'_>,
        signature: &Signature<K::Set>,
    ) -> bool {
        self.key.verify_on(choice, message, signature)
    }
    #[cfg(feature = "alloc")]
    fn public_key(&self) -> moissanite_core::batch::verify::PublicKey<'_, K::Set> {
        self.key.public_key()
    }
    #[cfg(feature = "alloc")]
    fn run<O: backend::WithBackend>(&self, op: O) -> O::Output {
        op.call(self.backend)
    }
    fn verify_on_chosen(
        &self,
        message: MessageRepresentative<'_>,
        signature: &Signature<K::Set>,
    ) -> bool {
        self.verify_on(Named(self.backend), message, signature)
    }
}
verifier!([K: AnyVerifyingKey<Set = P>, B: Backend] VerifyingKeyOn<'_, K, B>);
