//! Keys with an explicit backend.

use core::fmt;

pub use moissanite_core::backend::{self, Backend};
use moissanite_core::backend::{Choice, Named};

use crate::error::SigningError;
use crate::hash::{MessageHasher, MuBuilder};
use crate::key_traits::AnySigningKey;
use crate::key_traits::AnyVerifyingKey;
use crate::params::SIGNATURE_LEN;
use crate::sig::Signature;
use crate::verify::Message;

/// A private key whose operations run on an explicit backend. The signatures are the same on all
/// backends. The method `on` of every kind of key returns it.
///
/// ```
/// use moissanite_zk_dilithium::{backend::Portable, prelude::*, SigningKey, SysRng};
///
/// let key = SigningKey::try_generate(&mut SysRng)?;
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
        impl<$($generics)*> $key {
            /// Returns this key with its operations on the given backend.
            #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
            pub fn on<B: Backend>(&self, backend: B) -> $on<'_, Self, B> {
                $on { key: self, backend }
            }
        }
    };
}
on!(
    SigningKeyOn,
    [H: core::ops::DerefMut<Target = crate::signing::SigningKeySpace>] crate::signing::SigningKeyIn<H>
);
on!(
    SigningKeyOn,
    [H: core::ops::DerefMut<Target = crate::prepared_signing::PreparedSigningKeySpace>] crate::prepared_signing::PreparedSigningKeyIn<H>
);
on!(VerifyingKeyOn, [] crate::verifying::VerifyingKey);
on!(
    VerifyingKeyOn,
    [H: core::ops::DerefMut<Target = crate::verifying::PreparedVerifyingKeySpace>]
    crate::verifying::PreparedVerifyingKeyIn<H>
);

impl<K: AnySigningKey, B: Backend> AnySigningKey for SigningKeyOn<'_, K, B> {
    fn hasher_on<C: Choice>(&self, choice: C) -> MessageHasher {
        self.key.hasher_on(choice)
    }
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        message: &mut MessageHasher,
        sigma: &mut [u8; SIGNATURE_LEN],
    ) -> Result<(), SigningError> {
        self.key.sign_on(choice, message, sigma)
    }
    fn choice(&self) -> impl Choice {
        Named(self.backend)
    }
}
signer!([K: AnySigningKey, B: Backend] SigningKeyOn<'_, K, B>);

impl<K: AnyVerifyingKey, B: Backend> AnyVerifyingKey for VerifyingKeyOn<'_, K, B> {
    fn mu_on<C: Choice>(&self, choice: C) -> MuBuilder {
        self.key.mu_on(choice)
    }
    fn verify_on<C: Choice>(&self, choice: C, message: Message<'_>, signature: &Signature) -> bool {
        self.key.verify_on(choice, message, signature)
    }
    fn choice(&self) -> impl Choice {
        Named(self.backend)
    }
}
verifier!([K: AnyVerifyingKey, B: Backend] VerifyingKeyOn<'_, K, B>);
