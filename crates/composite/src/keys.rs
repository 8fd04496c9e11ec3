//! PKCS#8 and SubjectPublicKeyInfo of the composites: the bytes of the key without a further
//! encoding, and an algorithm without parameters.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::marker::PhantomData;
use core::ops::DerefMut;

use pkcs8::der::Decode;
use pkcs8::der::asn1::AnyRef;
use pkcs8::spki::{
    self, AlgorithmIdentifierRef, AssociatedAlgorithmIdentifier, SignatureAlgorithmIdentifier,
    SubjectPublicKeyInfoRef,
};
use pkcs8::{KeyError, ObjectIdentifier, PrivateKeyInfoRef};

use crate::algorithm::Composite;
use crate::document::{check_algorithm, check_public_key};
use crate::error::InvalidKey;
use crate::sig::Signature;
#[cfg(feature = "alloc")]
use crate::signing::SigningKey;
use crate::signing::{SigningKeyIn, SigningKeySpace};
use crate::verifying::VerifyingKey;

/// The object identifier of a composite: 1.3.6.1.5.5.7.6.39 and .48.
pub const fn oid<C: Composite>() -> ObjectIdentifier {
    Oid::<C>::VALUE
}

/// This is computed at compile time.
struct Oid<C>(PhantomData<C>);

impl<C: Composite> Oid<C> {
    const ALGORITHMS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.6");
    const VALUE: ObjectIdentifier = match Self::ALGORITHMS.push_arc(C::OID_ARC as u32) {
        Ok(oid) => oid,
        Err(_) => panic!("the identifier is too long"),
    };
}

const fn algorithm<C: Composite>() -> AlgorithmIdentifierRef<'static> {
    AlgorithmIdentifierRef {
        oid: oid::<C>(),
        parameters: None,
    }
}

#[cfg(feature = "alloc")]
impl<C: Composite> TryFrom<PrivateKeyInfoRef<'_>> for SigningKey<C> {
    type Error = pkcs8::Error;
    /// A public key in the document must belong to the private key.
    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        Self::from_info_in(Box::default(), &info)
    }
}

impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> SigningKeyIn<C, H> {
    /// Reads a private key in PKCS#8 (DER) into this memory. A public key in the document must
    /// belong to the private key.
    ///
    /// # Errors
    /// The document is malformed, or contains another key.
    #[cfg_attr(docsrs, doc(cfg(feature = "pkcs8")))]
    pub fn from_pkcs8_in(space: H, der: &[u8]) -> pkcs8::Result<Self> {
        Self::from_info_in(space, &PrivateKeyInfoRef::from_der(der)?)
    }

    fn from_info_in(space: H, info: &PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        check_algorithm(&info.algorithm, oid::<C>())?;
        let seed = info.private_key.as_bytes();
        let seed = seed.try_into().map_err(|_| {
            KeyError::from(InvalidKey::Length {
                expected: Self::LEN,
                actual: seed.len(),
            })
        })?;
        let key = Self::from_bytes_in(space, seed);
        check_public_key(info, key.verifying_key().to_bytes().as_ref())?;
        Ok(key)
    }
}

impl<C: Composite> TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey<C> {
    type Error = spki::Error;
    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        check_algorithm(&info.algorithm, oid::<C>())?;
        let bytes = info.subject_public_key.as_bytes();
        let key = bytes.and_then(|bytes| Self::from_bytes(bytes).ok());
        key.ok_or(spki::Error::KeyMalformed)
    }
}

impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> SignatureAlgorithmIdentifier
    for SigningKeyIn<C, H>
{
    type Params = AnyRef<'static>;
    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> = algorithm::<C>();
}
impl<C: Composite> SignatureAlgorithmIdentifier for VerifyingKey<C> {
    type Params = AnyRef<'static>;
    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> = algorithm::<C>();
}
impl<C: Composite> AssociatedAlgorithmIdentifier for Signature<C> {
    type Params = AnyRef<'static>;
    const ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> = algorithm::<C>();
}

/// The functions that write documents, which need an allocator.
#[cfg(feature = "alloc")]
mod write {
    use pkcs8::der::asn1::{BitString, BitStringRef, OctetStringRef};
    use pkcs8::der::{self, Document, SecretDocument};
    use pkcs8::spki::{self, SignatureBitStringEncoding, SubjectPublicKeyInfoRef};
    use pkcs8::{EncodePrivateKey, EncodePublicKey, PrivateKeyInfoRef};

    use core::ops::DerefMut;

    use super::algorithm;
    use crate::algorithm::Composite;
    use crate::sig::Signature;
    use crate::signing::{SigningKeyIn, SigningKeySpace};
    use crate::verifying::VerifyingKey;

    impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> EncodePrivateKey
        for SigningKeyIn<C, H>
    {
        fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
            let seed = OctetStringRef::new(self.as_seed().as_bytes())?;
            let info = PrivateKeyInfoRef::new(algorithm::<C>(), seed);
            Ok(SecretDocument::encode_msg(&info)?)
        }
    }

    impl<C: Composite> EncodePublicKey for VerifyingKey<C> {
        fn to_public_key_der(&self) -> spki::Result<Document> {
            let bytes = self.to_bytes();
            let info = SubjectPublicKeyInfoRef {
                algorithm: algorithm::<C>(),
                subject_public_key: BitStringRef::from_bytes(bytes.as_ref())?,
            };
            Ok(Document::encode_msg(&info)?)
        }
    }

    impl<C: Composite> SignatureBitStringEncoding for Signature<C> {
        fn to_bitstring(&self) -> der::Result<BitString> {
            BitString::from_bytes(self.as_ref())
        }
    }
}
