//! The methods and trait implementations of all kinds of keys.

/// Implements all signing methods and traits for a type that implements `AnySigningKey`. Signing is
/// deterministic.
macro_rules! signer {
    ([$($generics:tt)*] $key:ty) => {
        impl<$($generics)*> $crate::key_traits::Sealed for $key {}

        impl<$($generics)*> $key {
            /// Begins a signature of a message in pieces.
            pub fn signer(&self) -> $crate::message::MessageSigner<'_, Self> {
                $crate::message::MessageSigner::new(self)
            }
        }
        impl<$($generics)*> signature::Signer<$crate::sig::Signature> for $key {
            /// Signs deterministically, because the scheme has no randomness.
            fn try_sign(&self, message: &[u8]) -> Result<$crate::sig::Signature, signature::Error> {
                signature::MultipartSigner::try_multipart_sign(self, &[message])
            }
        }
        impl<$($generics)*> signature::MultipartSigner<$crate::sig::Signature> for $key {
            /// Signs deterministically, because the scheme has no randomness.
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

/// Implements all verification methods and traits for a type that implements `AnyVerifyingKey`.
macro_rules! verifier {
    ([$($generics:tt)*] $key:ty) => {
        impl<$($generics)*> $crate::key_traits::Sealed for $key {}

        impl<$($generics)*> $key {
            /// Begins a verification of a message in pieces.
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
            /// Verifies as [`Self::verifier`] does, but computes the hash of the public key
            /// alongside the matrix.
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
