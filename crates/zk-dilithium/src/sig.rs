//! Signatures as values.

use core::fmt;

use moissanite_core::debug::debug_bytes;

use signature::SignatureEncoding;

use crate::error::InvalidSignatureLength;
use crate::params::SIGNATURE_LEN;

/// A signature: 2,340 bytes, c̃ and z.
///
/// Any bytes of that length are a `Signature`. Verification also checks the encoding, and reports
/// the same error for all reasons.
///
/// ```
/// use moissanite_zk_dilithium::{prelude::*, Signature, SigningKey, SysRng};
///
/// let key = SigningKey::try_generate(&mut SysRng)?;
/// let bytes: [u8; 2340] = key.try_sign(b"message")?.to_bytes();
/// let signature = Signature::try_from(&bytes[..])?;
/// key.verifying_key().verify(b"message", &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Signature(pub(crate) [u8; SIGNATURE_LEN]);

impl Signature {
    /// Takes the bytes of a signature: any 2,340 bytes.
    ///
    /// # Errors
    /// The number of bytes is not 2,340.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidSignatureLength> {
        let wrong = InvalidSignatureLength {
            actual: bytes.len(),
        };
        bytes.try_into().map(Self).map_err(|_| wrong)
    }

    /// The bytes of the signature.
    pub fn to_bytes(&self) -> [u8; SIGNATURE_LEN] {
        self.0
    }

    /// Returns a reference to the bytes of the signature.
    pub fn as_bytes(&self) -> &[u8; SIGNATURE_LEN] {
        &self.0
    }
}

impl TryFrom<&[u8]> for Signature {
    type Error = InvalidSignatureLength;
    fn try_from(bytes: &[u8]) -> Result<Self, InvalidSignatureLength> {
        Self::from_bytes(bytes)
    }
}

impl AsRef<[u8]> for Signature {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Signature> for [u8; SIGNATURE_LEN] {
    fn from(signature: Signature) -> Self {
        signature.0
    }
}

impl SignatureEncoding for Signature {
    type Repr = [u8; SIGNATURE_LEN];
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_bytes(f, format_args!("Signature"), &self.0)
    }
}
