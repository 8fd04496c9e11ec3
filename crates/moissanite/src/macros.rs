//! The methods and trait implementations that every kind of key has.

/// Everything that signs, for a type that implements `SigningOps`.
macro_rules! signer {
    ([$($generics:tt)*] $key:ty) => {
        impl<P: ParameterSet, $($generics)*> $key {
            /// Signs a message representative, hedged with 32 bytes from `rng`
            /// (FIPS 204, Algorithm 7, from line 7 on). μ has to be one of this
            /// key's own public key; any other gives a signature that verifies nowhere.
            ///
            /// # Errors
            /// [`SigningError`].
            pub fn try_sign_mu_with_rng<R: TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                mu: &Mu<P::Scheme>,
            ) -> Result<Signature<P>, SigningError> {
                let rnd = hedge(rng)?;
                checked_sign(self, mu.as_bytes(), Rnd::Hedged(&rnd))
            }

            /// Signs a message representative without randomness: the same bytes each
            /// time. μ has to be one of this key's own public key.
            ///
            /// # Errors
            /// [`SigningError`], but not [`SigningError::Rng`].
            pub fn try_sign_mu(&self, mu: &Mu<P::Scheme>) -> Result<Signature<P>, SigningError> {
                checked_sign(self, mu.as_bytes(), Rnd::Deterministic)
            }

            /// [`Self::try_sign_mu_with_rng`], into room that is there: a signature that is
            /// returned is on the stack twice. Where there is an error, it is all zero.
            ///
            /// # Errors
            /// [`SigningError`].
            pub fn try_sign_mu_with_rng_into<R: TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                mu: &Mu<P::Scheme>,
                signature: &mut Signature<P>,
            ) -> Result<(), SigningError> {
                signature.0.as_mut().fill(0);
                let rnd = hedge(rng)?;
                sign_into(self, mu.as_bytes(), Rnd::Hedged(&rnd), signature)
            }

            /// [`Self::try_sign_mu`], into room that is there: a signature that is returned is
            /// on the stack twice. Where there is an error, it is all zero.
            ///
            /// # Errors
            /// [`SigningError`], but not [`SigningError::Rng`].
            pub fn try_sign_mu_into(
                &self,
                mu: &Mu<P::Scheme>,
                signature: &mut Signature<P>,
            ) -> Result<(), SigningError> {
                sign_into(self, mu.as_bytes(), Rnd::Deterministic, signature)
            }
        }

        #[cfg(feature = "hazmat")]
        impl<P: ParameterSet<Scheme = $crate::Round3>, $($generics)*> $key {
            /// Signs a message representative in the randomized mode of round 3's specification,
            /// for its test vectors: the masks are made of `rho_prime` alone, neither of the key
            /// nor of the message. [`Self::try_sign_mu_with_rng`] hashes all three.
            ///
            /// A party that knows `rho_prime`, or has two signatures made with the same, can
            /// compute the private key.
            ///
            /// # Errors
            /// [`SigningError`], but not [`SigningError::Rng`].
            #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
            pub fn sign_mu_with_rho_prime(
                &self,
                mu: &Mu<$crate::Round3>,
                rho_prime: &[u8; 64],
            ) -> Result<Signature<P>, SigningError> {
                checked_sign(self, mu.as_bytes(), Rnd::RhoSecond(rho_prime))
            }
        }

        impl<P: Fips204, $($generics)*> $key {
            /// Begins the message representative μ of a message that comes in pieces, with a
            /// context of at most 255 bytes, which may be empty (FIPS 204, Algorithm 2, line 10,
            /// and Algorithm 7, line 6).
            ///
            /// # Errors
            /// The context is longer.
            pub fn mu(&self, context: &[u8]) -> Result<MuBuilder, ContextTooLong> {
                MuBuilder::new(&SigningOps::tr(self), context)
            }

            /// Signs with a context of at most 255 bytes, which the verifier must give too.
            ///
            /// # Errors
            /// The context is longer.
            pub fn with_context<'c>(
                &'c self,
                context: &'c [u8],
            ) -> Result<WithContext<'c, Self>, ContextTooLong> {
                WithContext::new(self, context)
            }

            /// Signs a digest without randomness (FIPS 204, Algorithm 4,
            /// HashML-DSA.Sign), with the empty context; with another one, by
            /// [`Self::with_context`].
            ///
            /// # Errors
            /// [`SigningError`], but not [`SigningError::Rng`]; [`SigningError::WeakHash`] where
            /// `H` is weaker than the set.
            #[cfg(feature = "hash-ml-dsa")]
            #[cfg_attr(docsrs, doc(cfg(feature = "hash-ml-dsa")))]
            pub fn try_sign_prehashed<H: PreHash>(
                &self,
                digest: &PreHashed<H>,
            ) -> Result<Signature<P>, SigningError> {
                WithContext::without(self).try_sign_prehashed(digest)
            }

            /// Signs a digest, hedged with 32 bytes from `rng` (FIPS 204, Algorithm 4,
            /// HashML-DSA.Sign), with the empty context; with another one, by
            /// [`Self::with_context`].
            ///
            /// # Errors
            /// [`SigningError`]; [`SigningError::WeakHash`] where `H` is weaker than the set.
            #[cfg(feature = "hash-ml-dsa")]
            #[cfg_attr(docsrs, doc(cfg(feature = "hash-ml-dsa")))]
            pub fn try_sign_prehashed_with_rng<H: PreHash, R: TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                digest: &PreHashed<H>,
            ) -> Result<Signature<P>, SigningError> {
                WithContext::without(self).try_sign_prehashed_with_rng(rng, digest)
            }

            /// FIPS 204, Algorithm 7 (ML-DSA.Sign_internal): signs the parts of an M'
            /// that the caller has framed, with his `rnd`: 32 secret random bytes, or
            /// zeros for a deterministic signature.
            ///
            /// # Errors
            /// [`SigningError`], but not [`SigningError::Rng`].
            #[cfg(feature = "hazmat")]
            #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
            pub fn sign_internal(
                &self,
                message: &[&[u8]],
                rnd: &[u8; 32],
            ) -> Result<Signature<P>, SigningError> {
                checked_sign(self, &raw_mu(&SigningOps::tr(self), message), Rnd::Hedged(rnd))
            }

            /// Signs a message representative (FIPS 204, Algorithm 7, from line 7 on)
            /// with the caller's `rnd`: 32 secret random bytes, or zeros for a
            /// deterministic signature.
            ///
            /// # Errors
            /// [`SigningError`], but not [`SigningError::Rng`].
            #[cfg(feature = "hazmat")]
            #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
            pub fn sign_mu_internal(
                &self,
                mu: &Mu,
                rnd: &[u8; 32],
            ) -> Result<Signature<P>, SigningError> {
                checked_sign(self, mu.as_bytes(), Rnd::Hedged(rnd))
            }
        }

        /// Deterministic, as the trait has no place for randomness: the same
        /// message gives the same signature. Prefer [`RandomizedSigner`] where
        /// there is randomness; it also makes fault and side-channel attacks harder.
        impl<P: ParameterSet, $($generics)*> Signer<Signature<P>> for $key {
            fn try_sign(&self, message: &[u8]) -> signature::Result<Signature<P>> {
                self.try_multipart_sign(&[message])
            }
        }
        /// Deterministic, like the implementation of [`Signer`].
        impl<P: ParameterSet, $($generics)*> MultipartSigner<Signature<P>> for $key {
            fn try_multipart_sign(&self, message: &[&[u8]]) -> signature::Result<Signature<P>> {
                Ok(sign_parts(self, &[], message, Rnd::Deterministic)?)
            }
        }
        impl<P: ParameterSet, $($generics)*> RandomizedSigner<Signature<P>> for $key {
            fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                message: &[u8],
            ) -> signature::Result<Signature<P>> {
                self.try_multipart_sign_with_rng(rng, &[message])
            }
        }
        impl<P: ParameterSet, $($generics)*> RandomizedMultipartSigner<Signature<P>> for $key {
            fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                message: &[&[u8]],
            ) -> signature::Result<Signature<P>> {
                let rnd = hedge(rng)?;
                Ok(sign_parts(self, &[], message, Rnd::Hedged(&rnd))?)
            }
        }
    };
}

/// Everything that verifies, for a type that implements `VerifyingOps`.
macro_rules! verifier {
    ([$($generics:tt)*] $key:ty) => {
        impl<P: ParameterSet, $($generics)*> $key {
            /// Verifies a signature of a message representative (FIPS 204, Algorithm 8,
            /// from line 8 on). μ has to be one of this public key.
            ///
            /// # Errors
            /// The signature is not valid; nothing more is said.
            pub fn verify_mu(&self, mu: &Mu<P::Scheme>, signature: &Signature<P>) -> signature::Result<()> {
                let mu = MessageRepresentative::Mu(mu.as_bytes());
                verdict(VerifyingOps::verify(self, mu, signature))
            }
        }

        impl<P: ParameterSet<Scheme = $crate::Round3>, $($generics)*> $key {
            /// Begins the message representative μ of round-3 Dilithium, of a message that
            /// comes in pieces: H(tr ‖ M, 64). There is no context.
            pub fn message_mu(&self) -> MuBuilder<Round3> {
                MuBuilder::of_message(&VerifyingOps::tr(self))
            }
        }

        impl<P: Fips204, $($generics)*> $key {
            /// Verifies with the context, at most 255 bytes, that the signer gave.
            ///
            /// # Errors
            /// The context is longer.
            pub fn with_context<'c>(
                &'c self,
                context: &'c [u8],
            ) -> Result<WithContext<'c, Self>, ContextTooLong> {
                WithContext::new(self, context)
            }

            /// Begins the message representative μ of a message that comes in
            /// pieces, with a context of at most 255 bytes, which may be empty
            /// (FIPS 204, Algorithm 2, line 10, and Algorithm 7, line 6).
            ///
            /// # Errors
            /// The context is longer.
            pub fn mu(&self, context: &[u8]) -> Result<MuBuilder, ContextTooLong> {
                MuBuilder::new(&VerifyingOps::tr(self), context)
            }

            /// Verifies a signature of a digest (FIPS 204, Algorithm 5,
            /// HashML-DSA.Verify), with the empty context; with another one, by
            /// [`Self::with_context`].
            ///
            /// # Errors
            /// The signature is not valid, or `H` is weaker than the set; nothing more is said.
            #[cfg(feature = "hash-ml-dsa")]
            #[cfg_attr(docsrs, doc(cfg(feature = "hash-ml-dsa")))]
            pub fn verify_prehashed<H: PreHash>(
                &self,
                digest: &PreHashed<H>,
                signature: &Signature<P>,
            ) -> signature::Result<()> {
                WithContext::without(self).verify_prehashed(digest, signature)
            }

            /// FIPS 204, Algorithm 8 (ML-DSA.Verify_internal): verifies a signature
            /// of the parts of an M' that the caller has framed.
            ///
            /// # Errors
            /// The signature is not valid; nothing more is said.
            #[cfg(feature = "hazmat")]
            #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
            pub fn verify_internal(
                &self,
                message: &[&[u8]],
                signature: &Signature<P>,
            ) -> signature::Result<()> {
                let mu = |tr: &_| raw_mu(tr, message);
                let mu = MessageRepresentative::OfTr(&mu);
                verdict(VerifyingOps::verify(self, mu, signature))
            }
        }

        impl<P: ParameterSet, $($generics)*> Verifier<Signature<P>> for $key {
            fn verify(&self, message: &[u8], signature: &Signature<P>) -> signature::Result<()> {
                self.multipart_verify(&[message], signature)
            }
        }
        impl<P: ParameterSet, $($generics)*> MultipartVerifier<Signature<P>> for $key {
            fn multipart_verify(
                &self,
                message: &[&[u8]],
                signature: &Signature<P>,
            ) -> signature::Result<()> {
                verify_parts(self, &[], message, signature)
            }
        }
    };
}
