//! What both algorithms do with a key and a context.

use core::ops::DerefMut;

use moissanite::SigningError;
use signature::rand_core::TryCryptoRng;
use signature::{
    MultipartSigner, MultipartVerifier, RandomizedMultipartSigner, RandomizedSigner, Signer,
    Verifier,
};

use crate::algorithm::{Composite, MessageRepresentative, PreHash, PreHashed};
use crate::context::WithContext;
use crate::sig::Signature;
use crate::signing::{SigningKeyIn, SigningKeySpace};
use crate::verifying::VerifyingKey;

/// The ML-DSA half of signing, hedged or not.
type SignMlDsa<'a, C> =
    &'a mut dyn FnMut(
        &moissanite::WithContext<'_, moissanite::ExpandedSigningKey<'_, <C as Composite>::MlDsa>>,
        &[&[u8]],
    ) -> signature::Result<moissanite::Signature<<C as Composite>::MlDsa>>;

impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> WithContext<'_, SigningKeyIn<C, H>> {
    /// Both halves sign M'; ML-DSA with the label as its context. With the feature `fault-checks`,
    /// both are verified by the public key.
    fn sign(&self, hash: &PreHashed, ml_dsa: SignMlDsa<'_, C>) -> signature::Result<Signature<C>> {
        let failure = signature::Error::new;
        let message = MessageRepresentative::new::<C>(self.context, hash).ok_or_else(failure)?;
        let key = self.key.ml_dsa().ok_or_else(failure)?;
        let key = key.with_context(C::LABEL.as_bytes());
        let ml_dsa = ml_dsa(&key.map_err(|_| failure())?, &message.parts())?;
        let ed25519 = self.key.sign_ed25519(&message.parts())?;
        let signature = Signature::of(&ml_dsa, &ed25519);
        let public = WithContext {
            key: self.key.verifying_key(),
            context: self.context,
        };
        if cfg!(feature = "fault-checks") && public.verify_prehashed(hash, &signature).is_err() {
            return Err(SigningError::Fault.into());
        }
        Ok(signature)
    }

    /// Signs a message that was hashed in pieces, without randomness: the same bytes each time.
    ///
    /// # Errors
    /// [`SigningError`](moissanite::SigningError), as a source, but not its `Rng`.
    pub fn try_sign_prehashed(&self, hash: &PreHashed) -> signature::Result<Signature<C>> {
        self.sign(hash, &mut |key, message| key.try_multipart_sign(message))
    }

    /// Signs a message that was hashed in pieces; the ML-DSA half hedged with 32 bytes from `rng`.
    ///
    /// # Errors
    /// [`SigningError`](moissanite::SigningError), as a source.
    pub fn try_sign_prehashed_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        hash: &PreHashed,
    ) -> signature::Result<Signature<C>> {
        self.sign(hash, &mut |key, message| {
            key.try_multipart_sign_with_rng(rng, message)
        })
    }
}

impl<C: Composite> WithContext<'_, VerifyingKey<C>> {
    /// Verifies a signature of a message that was hashed in pieces.
    ///
    /// # Errors
    /// The signature is not valid; nothing more is said.
    pub fn verify_prehashed(
        &self,
        hash: &PreHashed,
        signature: &Signature<C>,
    ) -> signature::Result<()> {
        match self.halves(hash, signature) {
            // Both are there by now, whatever the first one is.
            Some((ml_dsa, ed25519)) if ml_dsa & ed25519 => Ok(()),
            _ => Err(signature::Error::new()),
        }
    }

    /// Whether each half is valid.
    fn halves(&self, hash: &PreHashed, signature: &Signature<C>) -> Option<(bool, bool)> {
        let message = MessageRepresentative::new::<C>(self.context, hash)?;
        let key = self.key.ml_dsa.with_context(C::LABEL.as_bytes()).ok()?;
        let (ml_dsa, ed25519) = signature.split()?;
        let ml_dsa = key.multipart_verify(&message.parts(), &ml_dsa);
        let ed25519 = (self.key.ed25519).multipart_verify(&message.parts(), &ed25519);
        Some((ml_dsa.is_ok(), ed25519.is_ok()))
    }
}

/// Deterministic, as the trait has no place for randomness: the same message gives the same
/// signature. Prefer [`RandomizedSigner`] where there is randomness.
impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> Signer<Signature<C>>
    for WithContext<'_, SigningKeyIn<C, H>>
{
    fn try_sign(&self, message: &[u8]) -> signature::Result<Signature<C>> {
        self.try_multipart_sign(&[message])
    }
}
/// Deterministic, like the implementation of [`Signer`].
impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> MultipartSigner<Signature<C>>
    for WithContext<'_, SigningKeyIn<C, H>>
{
    fn try_multipart_sign(&self, message: &[&[u8]]) -> signature::Result<Signature<C>> {
        self.try_sign_prehashed(&PreHash::of(message))
    }
}
impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> RandomizedSigner<Signature<C>>
    for WithContext<'_, SigningKeyIn<C, H>>
{
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> signature::Result<Signature<C>> {
        self.try_multipart_sign_with_rng(rng, &[message])
    }
}
impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> RandomizedMultipartSigner<Signature<C>>
    for WithContext<'_, SigningKeyIn<C, H>>
{
    fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[&[u8]],
    ) -> signature::Result<Signature<C>> {
        self.try_sign_prehashed_with_rng(rng, &PreHash::of(message))
    }
}

impl<C: Composite> Verifier<Signature<C>> for WithContext<'_, VerifyingKey<C>> {
    fn verify(&self, message: &[u8], signature: &Signature<C>) -> signature::Result<()> {
        self.multipart_verify(&[message], signature)
    }
}
impl<C: Composite> MultipartVerifier<Signature<C>> for WithContext<'_, VerifyingKey<C>> {
    fn multipart_verify(
        &self,
        message: &[&[u8]],
        signature: &Signature<C>,
    ) -> signature::Result<()> {
        self.verify_prehashed(&PreHash::of(message), signature)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::{MlDsa44Ed25519, MlDsa65Ed25519, SigningKey};

    /// Each half is computed whatever the other one is, so that the time tells nothing.
    #[test]
    fn both_halves_are_always_computed() {
        fn check<C: Composite>() {
            let key = SigningKey::<C>::from_seed(&[7; 64].into());
            let hash = PreHash::of(&[b"message"]);
            let signature = key.try_sign_prehashed(&hash).unwrap();
            let view = WithContext::without(key.verifying_key());
            let halves = |changed: &[usize]| {
                let mut bytes = signature.to_bytes();
                changed.iter().for_each(|at| bytes.as_mut()[*at] ^= 1);
                view.halves(&hash, &Signature::from_bytes(bytes.as_ref()).unwrap())
            };
            // In c-tilde, and in S.
            let (ml_dsa, ed25519) = (0, C::SIGNATURE_LEN - 32);
            assert_eq!(halves(&[]), Some((true, true)));
            assert_eq!(halves(&[ml_dsa]), Some((false, true)));
            assert_eq!(halves(&[ed25519]), Some((true, false)));
            assert_eq!(halves(&[ml_dsa, ed25519]), Some((false, false)));
        }
        check::<MlDsa44Ed25519>();
        check::<MlDsa65Ed25519>();
    }
}
