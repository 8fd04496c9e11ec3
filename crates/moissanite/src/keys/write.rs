//! The functions that write the formats, which need an allocator.

use core::ops::DerefMut;

use pkcs8::der::asn1::{BitString, BitStringRef, ContextSpecificRef, OctetStringRef};
use pkcs8::der::{
    self, Document, Encode, EncodeValue, FixedTag, Length, SecretDocument, Tag, TagMode, TagNumber,
    Writer,
};
use pkcs8::spki::{self, SignatureBitStringEncoding, SubjectPublicKeyInfoRef};
use pkcs8::{EncodePrivateKey, EncodePublicKey, PrivateKeyInfoRef};
use zeroize::Zeroizing;

use super::{KeyFormatError, PrivateKey, PrivateKeyForm, algorithm};
use crate::sig::Signature;
use crate::signing::{SigningKeyIn, SigningKeySpace};
use crate::verifying::VerifyingKey;
use moissanite_core::Fips204;

impl Encode for PrivateKey<'_> {
    fn encoded_len(&self) -> der::Result<Length> {
        match self {
            Self::Seed(seed) => tagged(&OctetStringRef::new(seed)?).encoded_len(),
            Self::Expanded(expanded) => OctetStringRef::new(expanded)?.encoded_len(),
            Self::Both { seed, expanded } => Both::new(seed, expanded)?.encoded_len(),
        }
    }
    fn encode(&self, writer: &mut impl Writer) -> der::Result<()> {
        match self {
            Self::Seed(seed) => tagged(&OctetStringRef::new(seed)?).encode(writer),
            Self::Expanded(expanded) => OctetStringRef::new(expanded)?.encode(writer),
            Self::Both { seed, expanded } => Both::new(seed, expanded)?.encode(writer),
        }
    }
}

/// `seed [0] IMPLICIT OCTET STRING`.
fn tagged<'a, 'b>(seed: &'a &'b OctetStringRef) -> ContextSpecificRef<'a, &'b OctetStringRef> {
    ContextSpecificRef {
        tag_number: TagNumber(0),
        tag_mode: TagMode::Implicit,
        value: seed,
    }
}

/// `both SEQUENCE { seed OCTET STRING, expandedKey OCTET STRING }`.
struct Both<'a>(&'a OctetStringRef, &'a OctetStringRef);

impl<'a> Both<'a> {
    fn new(seed: &'a [u8], expanded: &'a [u8]) -> der::Result<Self> {
        Ok(Self(
            OctetStringRef::new(seed)?,
            OctetStringRef::new(expanded)?,
        ))
    }
}
impl FixedTag for Both<'_> {
    const TAG: Tag = Tag::Sequence;
}
impl EncodeValue for Both<'_> {
    fn value_len(&self) -> der::Result<Length> {
        self.0.encoded_len()? + self.1.encoded_len()?
    }
    fn encode_value(&self, writer: &mut impl Writer) -> der::Result<()> {
        self.0.encode(writer)?;
        self.1.encode(writer)
    }
}

impl<P: Fips204, S: DerefMut<Target = SigningKeySpace<P>>> SigningKeyIn<S> {
    /// Writes the private key in PKCS#8 (DER), in the given form.
    ///
    /// # Errors
    /// [`KeyFormatError::SeedUnknown`], if the form contains the seed and the key has none.
    #[cfg_attr(docsrs, doc(cfg(all(feature = "pkcs8", feature = "alloc"))))]
    pub fn to_pkcs8(&self, form: PrivateKeyForm) -> Result<SecretDocument, KeyFormatError> {
        let seed = self.as_seed().ok_or(KeyFormatError::SeedUnknown);
        let expanded = self.as_expanded_bytes().as_ref();
        let key = match form {
            PrivateKeyForm::Seed => PrivateKey::Seed(seed?.as_bytes()),
            PrivateKeyForm::Expanded => PrivateKey::Expanded(expanded),
            PrivateKeyForm::Both => PrivateKey::Both {
                seed: seed?.as_bytes(),
                expanded,
            },
        };
        let key = Zeroizing::new(key.to_der()?);
        let info = PrivateKeyInfoRef::new(algorithm::<P>(), OctetStringRef::new(&key)?);
        Ok(SecretDocument::encode_msg(&info)?)
    }
}

/// Writes the seed, or the expanded key if there is no seed.
impl<P: Fips204, S: DerefMut<Target = SigningKeySpace<P>>> EncodePrivateKey for SigningKeyIn<S> {
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        Ok(self.to_pkcs8(self.preferred_form())?)
    }
}

impl<P: Fips204> EncodePublicKey for VerifyingKey<P> {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        let info = SubjectPublicKeyInfoRef {
            algorithm: algorithm::<P>(),
            subject_public_key: BitStringRef::from_bytes(self.as_ref())?,
        };
        Ok(Document::encode_msg(&info)?)
    }
}

impl<P: Fips204> SignatureBitStringEncoding for Signature<P> {
    fn to_bitstring(&self) -> der::Result<BitString> {
        BitString::from_bytes(self.as_ref())
    }
}
