//! Keys as documents: PKCS#8 with the seed for private keys, and SubjectPublicKeyInfo for public keys
//! (RFC 9881).

use const_oid::db::fips204;
use pkcs8::der::asn1::{ContextSpecific, OctetStringRef};
use pkcs8::der::{AnyRef, Reader, SliceReader, TagNumber};
use pkcs8::spki::{
    self, AlgorithmIdentifier, AlgorithmIdentifierRef, AssociatedAlgorithmIdentifier,
    SignatureAlgorithmIdentifier, SubjectPublicKeyInfoRef,
};
use pkcs8::{Error, KeyError, PrivateKeyInfoRef, Result};

use crate::expanded::ExpandedSigningKey;
use crate::param::{B32, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Seed};
use crate::sig::Signature;
use crate::signing::SigningKey;
use crate::verifying::VerifyingKey;

macro_rules! identifiers {
    ($($set:ty => $oid:expr),*) => { $(
        impl AssociatedAlgorithmIdentifier for $set {
            type Params = AnyRef<'static>;
            const ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> = AlgorithmIdentifierRef {
                oid: $oid,
                parameters: None,
            };
        }
    )* };
}
identifiers!(
    MlDsa44 => fips204::ID_ML_DSA_44,
    MlDsa65 => fips204::ID_ML_DSA_65,
    MlDsa87 => fips204::ID_ML_DSA_87
);

impl<P> AssociatedAlgorithmIdentifier for Signature<P>
where
    P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
{
    type Params = AnyRef<'static>;
    const ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> = P::ALGORITHM_IDENTIFIER;
}

macro_rules! signature_algorithm {
    ($($key:ident)*) => { $(
        impl<P> SignatureAlgorithmIdentifier for $key<P>
        where
            P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
        {
            type Params = AnyRef<'static>;
            const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<AnyRef<'static>> =
                P::ALGORITHM_IDENTIFIER;
        }
    )* };
}
signature_algorithm!(SigningKey ExpandedSigningKey VerifyingKey);

/// The seed and nothing else: other forms, trailing bytes and wrong lengths are errors.
fn seed(info: &PrivateKeyInfoRef<'_>, expected: AlgorithmIdentifierRef<'_>) -> Result<Seed> {
    if info.algorithm.oid != expected.oid {
        let oid = info.algorithm.oid;
        return Err(spki::Error::OidUnknown { oid }.into());
    }
    if info.algorithm.parameters.is_some() {
        return Err(Error::ParametersMalformed);
    }
    let malformed = Error::KeyMalformed(KeyError::Invalid);
    let mut reader = SliceReader::new(info.private_key.as_bytes())?;
    let form = ContextSpecific::<&OctetStringRef>::decode_implicit(&mut reader, TagNumber(0))?;
    let seed = form.ok_or(malformed)?.value;
    reader.finish()?;
    B32::try_from(seed.as_bytes()).map_err(|_| malformed)
}

/// A public key in the document must be that of the private key.
fn check_public_key<P: MlDsaParams>(
    info: &PrivateKeyInfoRef<'_>,
    key: &VerifyingKey<P>,
) -> Result<()> {
    match info.public_key {
        Some(public_key) if public_key.as_bytes() != Some(key.key.as_ref()) => {
            Err(Error::KeyMalformed(KeyError::Invalid))
        }
        _ => Ok(()),
    }
}

macro_rules! from_document {
    ($($key:ident)*) => { $(
        impl<P> TryFrom<PrivateKeyInfoRef<'_>> for $key<P>
        where
            P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
        {
            type Error = Error;
            fn try_from(info: PrivateKeyInfoRef<'_>) -> Result<Self> {
                let key = Self::from_seed(&seed(&info, P::ALGORITHM_IDENTIFIER)?);
                check_public_key(&info, &signature::Keypair::verifying_key(&key))?;
                Ok(key)
            }
        }
    )* };
}
from_document!(SigningKey ExpandedSigningKey);

impl<P> TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey<P>
where
    P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
{
    type Error = spki::Error;
    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        Ok(Self::of(moissanite::VerifyingKey::try_from(info)?))
    }
}

#[cfg(feature = "alloc")]
mod write {
    use pkcs8::der::asn1::BitString;
    use pkcs8::der::{self, Document, SecretDocument};
    use pkcs8::{EncodePrivateKey, EncodePublicKey};

    use super::*;

    impl<P> EncodePrivateKey for SigningKey<P>
    where
        P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
    {
        fn to_pkcs8_der(&self) -> Result<SecretDocument> {
            self.expanded_key().key.to_pkcs8_der()
        }
    }

    impl<P> EncodePublicKey for VerifyingKey<P>
    where
        P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
    {
        fn to_public_key_der(&self) -> spki::Result<Document> {
            self.key.to_public_key_der()
        }
    }

    impl<P: MlDsaParams> spki::SignatureBitStringEncoding for Signature<P> {
        fn to_bitstring(&self) -> der::Result<BitString> {
            self.0.to_bitstring()
        }
    }
}
