//! What every kind of key has, from how it signs and verifies.

/// Everything that signs, for a type that implements `SigningOps`. It is deterministic, as the
/// scheme is.
macro_rules! signer {
    ([$($generics:tt)*] $key:ty) => {
        impl<$($generics)*> $key {
            /// Begins a signature of a message that comes in pieces.
            pub fn signer(&self) -> MessageSigner<'_, Self> {
                MessageSigner::new(self)
            }
        }
        impl<$($generics)*> Signer<Signature> for $key {
            /// Deterministic, as the scheme is: it has no place for randomness.
            fn try_sign(&self, message: &[u8]) -> Result<Signature, signature::Error> {
                self.try_multipart_sign(&[message])
            }
        }
        impl<$($generics)*> MultipartSigner<Signature> for $key {
            /// Deterministic, as the scheme is: it has no place for randomness.
            fn try_multipart_sign(
                &self,
                message: &[&[u8]],
            ) -> Result<Signature, signature::Error> {
                let mut signer = self.signer();
                for part in message {
                    signer.update(part);
                }
                Ok(signer.try_sign()?)
            }
        }
    };
}

/// Everything that verifies, for a type that implements `VerifyingOps`.
macro_rules! verifier {
    ([$($generics:tt)*] $key:ty) => {
        impl<$($generics)*> $key {
            /// Begins a verification of a message that comes in pieces.
            pub fn verifier(&self) -> MessageVerifier<'_, Self> {
                MessageVerifier::new(self)
            }
        }
        impl<$($generics)*> Verifier<Signature> for $key {
            fn verify(
                &self,
                message: &[u8],
                signature: &Signature,
            ) -> Result<(), signature::Error> {
                self.multipart_verify(&[message], signature)
            }
        }
        impl<$($generics)*> MultipartVerifier<Signature> for $key {
            /// As [`Self::verifier`] does, but for where the hash of the public key is made: beside
            /// the matrix.
            fn multipart_verify(
                &self,
                message: &[&[u8]],
                signature: &Signature,
            ) -> Result<(), signature::Error> {
                let message = Message::Parts(message);
                verdict(self.verify_on(self.choice(), message, signature))
            }
        }
    };
}
