//! The methods and trait implementations of all kinds of keys.

/// Implements all signing methods and traits for a type that implements `AnySigningKey`.
macro_rules! signer {
    ([$($generics:tt)*] $key:ty) => {
        impl<P: moissanite_core::ParameterSet, $($generics)*> $crate::key_traits::Sealed for $key {}

        impl<P: moissanite_core::ParameterSet, $($generics)*> $key {
            /// Signs a message representative, hedged with 32 bytes from `rng` (FIPS 204, Algorithm
            /// 7, from line 7 on). μ must have been computed with the public key of this key;
            /// otherwise the signature never verifies.
            ///
            /// # Errors
            /// [`SigningError`](crate::SigningError).
            pub fn try_sign_mu_with_rng<R: signature::rand_core::TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                mu: &$crate::mu::Mu<P::Scheme>,
            ) -> Result<$crate::sig::Signature<P>, $crate::error::SigningError> {
                let rnd = $crate::key_traits::hedge(rng)?;
                $crate::key_traits::checked_sign(self, mu.as_bytes(), moissanite_core::sign::Rnd::Hedged(&rnd))
            }

            /// Signs a message representative without randomness; the same μ gives the same
            /// signature. μ must have been computed with the public key of this key.
            ///
            /// # Errors
            /// [`SigningError`](crate::SigningError), but not [`SigningError::Rng`](crate::SigningError::Rng).
            pub fn try_sign_mu(&self, mu: &$crate::mu::Mu<P::Scheme>) -> Result<$crate::sig::Signature<P>, $crate::error::SigningError> {
                $crate::key_traits::checked_sign(self, mu.as_bytes(), moissanite_core::sign::Rnd::Deterministic)
            }

            /// The same as [`Self::try_sign_mu_with_rng`], but writes the signature to `signature`,
            /// because a returned value takes its size twice on the stack. After an error,
            /// `signature` is all zero.
            ///
            /// # Errors
            /// [`SigningError`](crate::SigningError).
            pub fn try_sign_mu_with_rng_into<R: signature::rand_core::TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                mu: &$crate::mu::Mu<P::Scheme>,
                signature: &mut $crate::sig::Signature<P>,
            ) -> Result<(), $crate::error::SigningError> {
                signature.0.as_mut().fill(0);
                let rnd = $crate::key_traits::hedge(rng)?;
                $crate::key_traits::sign_into(self, mu.as_bytes(), moissanite_core::sign::Rnd::Hedged(&rnd), signature)
            }

            /// The same as [`Self::try_sign_mu`], but writes the signature to `signature`, because
            /// a returned value takes its size twice on the stack. After an error, `signature` is
            /// all zero.
            ///
            /// # Errors
            /// [`SigningError`](crate::SigningError), but not [`SigningError::Rng`](crate::SigningError::Rng).
            pub fn try_sign_mu_into(
                &self,
                mu: &$crate::mu::Mu<P::Scheme>,
                signature: &mut $crate::sig::Signature<P>,
            ) -> Result<(), $crate::error::SigningError> {
                $crate::key_traits::sign_into(self, mu.as_bytes(), moissanite_core::sign::Rnd::Deterministic, signature)
            }
        }

        #[cfg(feature = "hazmat")]
        impl<P: moissanite_core::ParameterSet<Scheme = moissanite_core::scheme::Round3>, $($generics)*> $key {
            /// Signs a message representative in the randomized mode of round 3's specification,
            /// for its test vectors: the masks depend only on `rho_prime`, and not on the key or
            /// the message. [`Self::try_sign_mu_with_rng`] hashes all three.
            ///
            /// Anyone who knows `rho_prime`, or has two signatures with the same `rho_prime`, can
            /// compute the private key.
            ///
            /// # Errors
            /// [`SigningError`](crate::SigningError), but not [`SigningError::Rng`](crate::SigningError::Rng).
            #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
            pub fn sign_mu_with_rho_prime(
                &self,
                mu: &$crate::mu::Mu<moissanite_core::scheme::Round3>,
                rho_prime: &[u8; 64],
            ) -> Result<$crate::sig::Signature<P>, $crate::error::SigningError> {
                $crate::key_traits::checked_sign(self, mu.as_bytes(), moissanite_core::sign::Rnd::RhoSecond(rho_prime))
            }
        }

        impl<P: moissanite_core::Fips204, $($generics)*> $key {
            /// Begins to compute the message representative μ of a message in pieces, with a
            /// context of at most 255 bytes, which may be empty (FIPS 204, Algorithm 2, line 10,
            /// and Algorithm 7, line 6).
            ///
            /// # Errors
            /// The context has more than 255 bytes.
            pub fn mu(&self, context: &[u8]) -> Result<$crate::mu::MuBuilder, $crate::error::ContextTooLong> {
                $crate::mu::MuBuilder::new(&$crate::key_traits::AnySigningKey::tr(self), context)
            }

            /// Returns a view that signs with a context of at most 255 bytes. The verifier must use
            /// the same context.
            ///
            /// # Errors
            /// The context has more than 255 bytes.
            pub fn with_context<'c>(
                &'c self,
                context: &'c [u8],
            ) -> Result<$crate::context::WithContext<'c, Self>, $crate::error::ContextTooLong> {
                $crate::context::WithContext::new(self, context)
            }

            /// Signs a digest without randomness (FIPS 204, Algorithm 4, HashML-DSA.Sign), with the
            /// empty context. For another context, use [`Self::with_context`].
            ///
            /// # Errors
            /// [`SigningError`](crate::SigningError), but not
            /// [`SigningError::Rng`](crate::SigningError::Rng);
            /// [`SigningError::WeakHash`](crate::SigningError::WeakHash) if `H` is weaker than the
            /// set.
            #[cfg(feature = "hash-ml-dsa")]
            #[cfg_attr(docsrs, doc(cfg(feature = "hash-ml-dsa")))]
            pub fn try_sign_prehashed<H: $crate::prehash::PreHash>(
                &self,
                digest: &$crate::prehash::PreHashed<H>,
            ) -> Result<$crate::sig::Signature<P>, $crate::error::SigningError> {
                $crate::context::WithContext::without(self).try_sign_prehashed(digest)
            }

            /// Signs a digest, hedged with 32 bytes from `rng` (FIPS 204, Algorithm 4,
            /// HashML-DSA.Sign), with the empty context. For another context, use
            /// [`Self::with_context`].
            ///
            /// # Errors
            /// [`SigningError`](crate::SigningError);
            /// [`SigningError::WeakHash`](crate::SigningError::WeakHash) if `H` is weaker than the
            /// set.
            #[cfg(feature = "hash-ml-dsa")]
            #[cfg_attr(docsrs, doc(cfg(feature = "hash-ml-dsa")))]
            pub fn try_sign_prehashed_with_rng<H: $crate::prehash::PreHash, R: signature::rand_core::TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                digest: &$crate::prehash::PreHashed<H>,
            ) -> Result<$crate::sig::Signature<P>, $crate::error::SigningError> {
                $crate::context::WithContext::without(self).try_sign_prehashed_with_rng(rng, digest)
            }

            /// FIPS 204, Algorithm 7 (ML-DSA.Sign_internal): signs the parts of an M'
            /// that the caller has framed, with the given `rnd`: 32 secret random bytes, or
            /// zeros for a deterministic signature.
            ///
            /// # Errors
            /// [`SigningError`](crate::SigningError), but not [`SigningError::Rng`](crate::SigningError::Rng).
            #[cfg(feature = "hazmat")]
            #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
            pub fn sign_internal(
                &self,
                message: &[&[u8]],
                rnd: &[u8; 32],
            ) -> Result<$crate::sig::Signature<P>, $crate::error::SigningError> {
                $crate::key_traits::checked_sign(self, &$crate::key_traits::raw_mu(&$crate::key_traits::AnySigningKey::tr(self), message), moissanite_core::sign::Rnd::Hedged(rnd))
            }

            /// Signs a message representative (FIPS 204, Algorithm 7, from line 7 on)
            /// with the caller's `rnd`: 32 secret random bytes, or zeros for a
            /// deterministic signature.
            ///
            /// # Errors
            /// [`SigningError`](crate::SigningError), but not [`SigningError::Rng`](crate::SigningError::Rng).
            #[cfg(feature = "hazmat")]
            #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
            pub fn sign_mu_internal(
                &self,
                mu: &$crate::mu::Mu,
                rnd: &[u8; 32],
            ) -> Result<$crate::sig::Signature<P>, $crate::error::SigningError> {
                $crate::key_traits::checked_sign(self, mu.as_bytes(), moissanite_core::sign::Rnd::Hedged(rnd))
            }
        }

        /// Signs deterministically, because the trait has no parameter for randomness. Prefer
        /// [`RandomizedSigner`](signature::RandomizedSigner) if randomness is available; it makes
        /// fault and side-channel attacks harder.
        impl<P: moissanite_core::ParameterSet, $($generics)*> signature::Signer<$crate::sig::Signature<P>> for $key {
            fn try_sign(&self, message: &[u8]) -> signature::Result<$crate::sig::Signature<P>> {
                signature::MultipartSigner::try_multipart_sign(self, &[message])
            }
        }
        /// Signs deterministically, like the implementation of [`Signer`](signature::Signer).
        impl<P: moissanite_core::ParameterSet, $($generics)*> signature::MultipartSigner<$crate::sig::Signature<P>> for $key {
            fn try_multipart_sign(&self, message: &[&[u8]]) -> signature::Result<$crate::sig::Signature<P>> {
                Ok($crate::key_traits::sign_parts(self, &[], message, moissanite_core::sign::Rnd::Deterministic)?)
            }
        }
        impl<P: moissanite_core::ParameterSet, $($generics)*> signature::RandomizedSigner<$crate::sig::Signature<P>> for $key {
            fn try_sign_with_rng<R: signature::rand_core::TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                message: &[u8],
            ) -> signature::Result<$crate::sig::Signature<P>> {
                signature::RandomizedMultipartSigner::try_multipart_sign_with_rng(self, rng, &[message])
            }
        }
        impl<P: moissanite_core::ParameterSet, $($generics)*> signature::RandomizedMultipartSigner<$crate::sig::Signature<P>> for $key {
            fn try_multipart_sign_with_rng<R: signature::rand_core::TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                message: &[&[u8]],
            ) -> signature::Result<$crate::sig::Signature<P>> {
                let rnd = $crate::key_traits::hedge(rng)?;
                Ok($crate::key_traits::sign_parts(self, &[], message, moissanite_core::sign::Rnd::Hedged(&rnd))?)
            }
        }
    };
}

/// Implements all verification methods and traits for a type that implements `AnyVerifyingKey`.
macro_rules! verifier {
    ([$($generics:tt)*] $key:ty) => {
        impl<P: moissanite_core::ParameterSet, $($generics)*> $crate::key_traits::Sealed for $key {}

        impl<P: moissanite_core::ParameterSet, $($generics)*> $key {
            /// Verifies a signature of a message representative (FIPS 204, Algorithm 8, from line 8
            /// on). μ must have been computed with this public key.
            ///
            /// # Errors
            /// The signature is not valid; the error does not contain the reason.
            pub fn verify_mu(&self, mu: &$crate::mu::Mu<P::Scheme>, signature: &$crate::sig::Signature<P>) -> signature::Result<()> {
                let mu = moissanite_core::verify::MessageRepresentative::Mu(mu.as_bytes());
                $crate::key_traits::verdict($crate::key_traits::AnyVerifyingKey::verify_on_chosen(self, mu, signature))
            }
        }

        impl<P: moissanite_core::ParameterSet<Scheme = moissanite_core::scheme::Round3>, $($generics)*> $key {
            /// Begins to compute the message representative μ of round-3 Dilithium, H(tr ‖ M, 64),
            /// of a message in pieces. There is no context.
            pub fn message_mu(&self) -> $crate::mu::MuBuilder<moissanite_core::scheme::Round3> {
                $crate::mu::MuBuilder::of_message(&$crate::key_traits::AnyVerifyingKey::tr(self))
            }
        }

        impl<P: moissanite_core::Fips204, $($generics)*> $key {
            /// Returns a view that verifies with a context of at most 255 bytes, which must be that
            /// of the signer.
            ///
            /// # Errors
            /// The context has more than 255 bytes.
            pub fn with_context<'c>(
                &'c self,
                context: &'c [u8],
            ) -> Result<$crate::context::WithContext<'c, Self>, $crate::error::ContextTooLong> {
                $crate::context::WithContext::new(self, context)
            }

            /// Begins to compute the message representative μ of a message in pieces, with a
            /// context of at most 255 bytes, which may be empty (FIPS 204, Algorithm 2, line 10,
            /// and Algorithm 7, line 6).
            ///
            /// # Errors
            /// The context has more than 255 bytes.
            pub fn mu(&self, context: &[u8]) -> Result<$crate::mu::MuBuilder, $crate::error::ContextTooLong> {
                $crate::mu::MuBuilder::new(&$crate::key_traits::AnyVerifyingKey::tr(self), context)
            }

            /// Verifies a signature of a digest (FIPS 204, Algorithm 5, HashML-DSA.Verify), with
            /// the empty context. For another context, use [`Self::with_context`].
            ///
            /// # Errors
            /// The signature is not valid, or `H` is weaker than the set; the error does not say
            /// which.
            #[cfg(feature = "hash-ml-dsa")]
            #[cfg_attr(docsrs, doc(cfg(feature = "hash-ml-dsa")))]
            pub fn verify_prehashed<H: $crate::prehash::PreHash>(
                &self,
                digest: &$crate::prehash::PreHashed<H>,
                signature: &$crate::sig::Signature<P>,
            ) -> signature::Result<()> {
                $crate::context::WithContext::without(self).verify_prehashed(digest, signature)
            }

            /// FIPS 204, Algorithm 8 (ML-DSA.Verify_internal): verifies a signature
            /// of the parts of an M' that the caller has framed.
            ///
            /// # Errors
            /// The signature is not valid; the error does not contain the reason.
            #[cfg(feature = "hazmat")]
            #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
            pub fn verify_internal(
                &self,
                message: &[&[u8]],
                signature: &$crate::sig::Signature<P>,
            ) -> signature::Result<()> {
                let mu = |tr: &_| $crate::key_traits::raw_mu(tr, message);
                let mu = moissanite_core::verify::MessageRepresentative::OfTr(&mu);
                $crate::key_traits::verdict($crate::key_traits::AnyVerifyingKey::verify_on_chosen(self, mu, signature))
            }
        }

        impl<P: moissanite_core::ParameterSet, $($generics)*> signature::Verifier<$crate::sig::Signature<P>> for $key {
            fn verify(&self, message: &[u8], signature: &$crate::sig::Signature<P>) -> signature::Result<()> {
                signature::MultipartVerifier::multipart_verify(self, &[message], signature)
            }
        }
        impl<P: moissanite_core::ParameterSet, $($generics)*> signature::MultipartVerifier<$crate::sig::Signature<P>> for $key {
            fn multipart_verify(
                &self,
                message: &[&[u8]],
                signature: &$crate::sig::Signature<P>,
            ) -> signature::Result<()> {
                $crate::key_traits::verify_parts(self, &[], message, signature)
            }
        }
    };
}
