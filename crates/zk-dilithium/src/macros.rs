//! What every kind of key has, from how it signs and verifies.

/// Everything that signs, for a type that implements `AnySigningKey`. It is deterministic, as the
/// scheme is.
macro_rules! signer {
    ([$($generics:tt)*] $key:ty) => {
        impl<$($generics)*> $crate::key_traits::Sealed for $key {}

        impl<$($generics)*> $key {
            /// Begins a signature of a message that comes in pieces.
            pub fn signer(&self) -> $crate::message::MessageSigner<'_, Self> {
                $crate::message::MessageSigner::new(self)
            }
        }
        impl<$($generics)*> signature::Signer<$crate::sig::Signature> for $key {
            /// Deterministic, as the scheme is: it has no place for randomness.
            fn try_sign(&self, message: &[u8]) -> Result<$crate::sig::Signature, signature::Error> {
                signature::MultipartSigner::try_multipart_sign(self, &[message])
            }
        }
        impl<$($generics)*> signature::MultipartSigner<$crate::sig::Signature> for $key {
            /// Deterministic, as the scheme is: it has no place for randomness.
            fn try_multipart_sign(
                &self,
                message: &[&[u8]],
            ) -> Result<$crate::sig::Signature, signature::Error> {
                let mut signer = self.signer();
                for part in message {
                    signer.update(part);
                }
                Ok(signer.try_sign()?)
            }
        }
    };
}

/// Everything that verifies, for a type that implements `AnyVerifyingKey`.
macro_rules! verifier {
    ([$($generics:tt)*] $key:ty) => {
        impl<$($generics)*> $crate::key_traits::Sealed for $key {}

        impl<$($generics)*> $key {
            /// Begins a verification of a message that comes in pieces.
            pub fn verifier(&self) -> $crate::message::MessageVerifier<'_, Self> {
                $crate::message::MessageVerifier::new(self)
            }
        }
        impl<$($generics)*> signature::Verifier<$crate::sig::Signature> for $key {
            fn verify(
                &self,
                message: &[u8],
                signature: &$crate::sig::Signature,
            ) -> Result<(), signature::Error> {
                signature::MultipartVerifier::multipart_verify(self, &[message], signature)
            }
        }
        impl<$($generics)*> signature::MultipartVerifier<$crate::sig::Signature> for $key {
            /// As [`Self::verifier`] does, but for where the hash of the public key is made: alongside
            /// the matrix.
            fn multipart_verify(
                &self,
                message: &[&[u8]],
                signature: &$crate::sig::Signature,
            ) -> Result<(), signature::Error> {
                let message = $crate::verify::Message::Parts(message);
                $crate::key_traits::verdict($crate::key_traits::AnyVerifyingKey::verify_on(self, $crate::key_traits::AnyVerifyingKey::choice(self), message, signature))
            }
        }
    };
}
