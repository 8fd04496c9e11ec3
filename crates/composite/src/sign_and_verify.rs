//! Signing and verification with both algorithms.

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
    /// Signs M' with both halves; ML-DSA uses the label as its context. With the feature
    /// `fault-checks`, both signatures are verified with the public key.
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

    /// Signs a message that was hashed in pieces, without randomness; the same message gives the
    /// same signature.
    ///
    /// # Errors
    /// The source is a [`SigningError`](moissanite::SigningError), but not its `Rng`.
    pub fn try_sign_prehashed(&self, hash: &PreHashed) -> signature::Result<Signature<C>> {
        self.sign(hash, &mut |key, message| key.try_multipart_sign(message))
    }

    /// Signs a message that was hashed in pieces. The ML-DSA half is hedged with 32 bytes from
    /// `rng`.
    ///
    /// # Errors
    /// The source is a [`SigningError`](moissanite::SigningError).
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
    /// The signature is not valid; the error does not contain the reason.
    pub fn verify_prehashed(
        &self,
        hash: &PreHashed,
        signature: &Signature<C>,
    ) -> signature::Result<()> {
        match self.halves(hash, signature) {
            // At this point, both halves have been computed, whatever the result of the first.
            Some((ml_dsa, ed25519)) if ml_dsa & ed25519 => Ok(()),
            _ => Err(signature::Error::new()),
        }
    }

    /// Returns for each half whether it is valid.
    fn halves(&self, hash: &PreHashed, signature: &Signature<C>) -> Option<(bool, bool)> {
        let message = MessageRepresentative::new::<C>(self.context, hash)?;
        let key = self.key.ml_dsa.with_context(C::LABEL.as_bytes()).ok()?;
        let (ml_dsa, ed25519) = signature.split()?;
        let ml_dsa = key.multipart_verify(&message.parts(), &ml_dsa);
        let ed25519 = (self.key.ed25519).multipart_verify(&message.parts(), &ed25519);
        Some((ml_dsa.is_ok(), ed25519.is_ok()))
    }
}

/// Signs deterministically, because the trait has no parameter for randomness. Prefer
/// [`RandomizedSigner`] if randomness is available.
impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> Signer<Signature<C>>
    for WithContext<'_, SigningKeyIn<C, H>>
{
    fn try_sign(&self, message: &[u8]) -> signature::Result<Signature<C>> {
        self.try_multipart_sign(&[message])
    }
}
/// Signs deterministically, like the implementation of [`Signer`].
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

    /// Each half is computed whatever the result of the other, so that the time reveals nothing.
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
            // The changed bits are in c-tilde and in S.
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
