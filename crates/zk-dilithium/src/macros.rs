//! The traits of the crate `signature` for each kind of key, from how it signs and verifies.

/// The signing traits for a key. They are deterministic, as the scheme is.
macro_rules! signer {
    ([$($generics:tt)*] $key:ty) => {
        impl<$($generics)*> Signer<Signature> for $key {
            /// Deterministic, as the scheme is: it has no place for randomness.
            fn try_sign(&self, message: &[u8]) -> Result<Signature, signature::Error> {
                Ok(SigningOps::sign(self, &[message])?)
            }
        }
        impl<$($generics)*> MultipartSigner<Signature> for $key {
            /// Deterministic, as the scheme is: it has no place for randomness.
            fn try_multipart_sign(
                &self,
                message: &[&[u8]],
            ) -> Result<Signature, signature::Error> {
                Ok(SigningOps::sign(self, message)?)
            }
        }
    };
}

/// The verifying traits for a key.
macro_rules! verifier {
    ([$($generics:tt)*] $key:ty) => {
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
            fn multipart_verify(
                &self,
                message: &[&[u8]],
                signature: &Signature,
            ) -> Result<(), signature::Error> {
                let valid = VerifyingOps::verify(self, message, signature);
                valid.then_some(()).ok_or_else(signature::Error::new)
            }
        }
    };
}
