//! PKCS#8 and SubjectPublicKeyInfo of Ed25519 (RFC 8410).

use ed25519_dalek::ed25519::pkcs8::ALGORITHM_ID;
use pkcs8::der::Decode;
#[cfg(feature = "alloc")]
use pkcs8::der::Encode;
use pkcs8::der::asn1::{AnyRef, OctetStringRef};
use pkcs8::spki::{self, SignatureAlgorithmIdentifier, SubjectPublicKeyInfoRef};
use pkcs8::{AlgorithmIdentifierRef, KeyError, PrivateKeyInfoRef};
#[cfg(feature = "alloc")]
use pkcs8::{Document, EncodePrivateKey, EncodePublicKey, SecretDocument};

use core::ops::DerefMut;
#[cfg(feature = "alloc")]
use zeroize::Zeroizing;

#[cfg(feature = "alloc")]
use super::Box;

#[cfg(feature = "alloc")]
use super::SigningKey;
use super::{SigningKeyIn, VerifyingKey};
use crate::document::{check_algorithm, check_public_key};
use moissanite_core::seed::Seed;

#[cfg(feature = "alloc")]
impl TryFrom<PrivateKeyInfoRef<'_>> for SigningKey {
    type Error = pkcs8::Error;
    /// A public key in the document must belong to the private key.
    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        Self::from_info_in(Box::new(Seed::zero()), &info)
    }
}

impl<H: DerefMut<Target = Seed>> SigningKeyIn<H> {
    /// Reads a private key in PKCS#8 (DER) into this memory. A public key in the document must
    /// belong to the private key.
    ///
    /// # Errors
    /// The document is malformed, or contains another key.
    #[cfg_attr(docsrs, doc(cfg(feature = "pkcs8")))]
    pub fn from_pkcs8_in(seed: H, der: &[u8]) -> pkcs8::Result<Self> {
        Self::from_info_in(seed, &PrivateKeyInfoRef::from_der(der)?)
    }

    /// The private key is an OCTET STRING inside the OCTET STRING of PKCS#8.
    ///
    /// The document is written here, because the crate `ed25519` wipes its `KeypairBytes` only with
    /// a feature that `ed25519-dalek` does not enable.
    fn from_info_in(mut seed: H, info: &PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        check_algorithm(&info.algorithm, ALGORITHM_ID.oid)?;
        let bytes = <&OctetStringRef>::from_der(info.private_key.as_bytes())?;
        seed.set(bytes.as_bytes().try_into().map_err(|_| KeyError::Invalid)?);
        let key = Self::of(seed);
        check_public_key(info, key.verifying_key().as_ref())?;
        Ok(key)
    }
}
impl TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey {
    type Error = spki::Error;
    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        let key = ed25519_dalek::VerifyingKey::try_from(info)?;
        key.try_into().map_err(|_| spki::Error::KeyMalformed)
    }
}

/// The document does not contain the public key, as with OpenSSL, because some programs cannot read
/// a document that contains it.
#[cfg(feature = "alloc")]
impl<H: DerefMut<Target = Seed>> EncodePrivateKey for SigningKeyIn<H> {
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        let inner = OctetStringRef::new(self.as_seed().as_bytes())?;
        let inner = Zeroizing::new(inner.to_der()?);
        let info = PrivateKeyInfoRef::new(ALGORITHM_ID, OctetStringRef::new(&inner)?);
        Ok(SecretDocument::encode_msg(&info)?)
    }
}
#[cfg(feature = "alloc")]
impl EncodePublicKey for VerifyingKey {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        self.0.to_public_key_der()
    }
}

impl<H: DerefMut<Target = Seed>> SignatureAlgorithmIdentifier for SigningKeyIn<H> {
    type Params = AnyRef<'static>;
    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> = ALGORITHM_ID;
}
impl SignatureAlgorithmIdentifier for VerifyingKey {
    type Params = AnyRef<'static>;
    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> = ALGORITHM_ID;
}
