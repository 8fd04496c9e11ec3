//! Key formats of RFC 9881: PKCS#8 for private keys and SubjectPublicKeyInfo for public keys.
//!
//! The traits of the crate `pkcs8` read and write both, in DER and, with the
//! feature `pem`, as PEM text:
//!
//! ```
//! # #[cfg(feature = "pem")] {
//! use moissanite::pkcs8::{DecodePrivateKey, EncodePrivateKey, LineEnding};
//! use moissanite::{MlDsa65, SigningKey, SysRng};
//!
//! let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
//! let pem = key.to_pkcs8_pem(LineEnding::LF)?;
//! let same = SigningKey::<MlDsa65>::from_pkcs8_pem(&pem)?;
//! assert_eq!(same.verifying_key(), key.verifying_key());
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `std`, the same traits read and write files. A private key is written to a file
//! that only its owner can read and write (mode 600, on Unix). A file that exists is overwritten and
//! keeps its mode:
//!
//! ```
//! # #[cfg(all(feature = "pem", feature = "std"))] {
//! use moissanite::pkcs8::{DecodePrivateKey, EncodePrivateKey, EncodePublicKey, LineEnding};
//! use moissanite::{MlDsa65, SigningKey, SysRng};
//!
//! # let directory = std::env::temp_dir().join(format!("moissanite-{}", std::process::id()));
//! # std::fs::create_dir_all(&directory)?;
//! # let (private, public) = (directory.join("key.pem"), directory.join("key.pub"));
//! let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
//! key.write_pkcs8_pem_file(&private, LineEnding::LF)?;
//! key.verifying_key().write_public_key_pem_file(&public, LineEnding::LF)?;
//! let same = SigningKey::<MlDsa65>::read_pkcs8_pem_file(&private)?;
//! assert_eq!(same.verifying_key(), key.verifying_key());
//! # std::fs::remove_dir_all(&directory)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A private key has one of three forms ([`PrivateKeyForm`]), all of which can be read. Every key
//! is checked when it is read: a seed and an expanded key in one document must agree, an expanded
//! key must be consistent, and a public key in the document must belong to the private key.
//!
//! The errors of these traits have few details. [`SigningKeyIn::from_pkcs8_in`],
//! `SigningKey::to_pkcs8` (feature `alloc`) and [`VerifyingKey::from_spki`] return a
//! [`KeyFormatError`] with the reason.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;
use core::marker::PhantomData;
use core::ops::DerefMut;

use moissanite_core::secret::{declassify_mask, difference_mask};
use pkcs8::der::asn1::{AnyRef, OctetStringRef};
use pkcs8::der::{self, Decode, Reader, Tag, TagNumber};
use pkcs8::spki::{
    self, AlgorithmIdentifierRef, AssociatedAlgorithmIdentifier, SignatureAlgorithmIdentifier,
    SubjectPublicKeyInfoRef,
};
use pkcs8::{KeyError, ObjectIdentifier, PrivateKeyInfoRef};

use crate::error::InvalidKey;
use crate::prepared::{PreparedSigningKeyIn, PreparedSigningKeySpace};
use crate::sig::Signature;
#[cfg(feature = "alloc")]
use crate::signing::SigningKey;
use crate::signing::{SigningKeyIn, SigningKeySpace};
use crate::verifying::VerifyingKey;
use moissanite_core::Fips204;

/// The object identifier of a parameter set: 2.16.840.1.101.3.4.3.17, .18 and
/// .19 for ML-DSA-44, -65 and -87.
pub const fn oid<P: Fips204>() -> ObjectIdentifier {
    Oid::<P>::VALUE
}

/// This is computed at compile time.
struct Oid<P>(PhantomData<P>);

impl<P: Fips204> Oid<P> {
    const SIGNATURE_ALGORITHMS: ObjectIdentifier =
        ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.3");
    const VALUE: ObjectIdentifier = match Self::SIGNATURE_ALGORITHMS.push_arc(P::OID_ARC as u32) {
        Ok(oid) => oid,
        Err(_) => panic!("the identifier is too long"),
    };
}

/// The algorithm of a parameter set: its object identifier, without parameters.
const fn algorithm<P: Fips204>() -> AlgorithmIdentifierRef<'static> {
    AlgorithmIdentifierRef {
        oid: oid::<P>(),
        parameters: None,
    }
}

/// The form of a private key in a PKCS#8 document (RFC 9881, section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrivateKeyForm {
    /// The seed of 32 bytes, which is the preferred form.
    Seed,
    /// The expanded key of FIPS 204, from which the seed cannot be recovered.
    Expanded,
    /// The seed and the expanded key.
    Both,
}

impl fmt::Display for PrivateKeyForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Seed => "seed",
            Self::Expanded => "expanded",
            Self::Both => "both",
        })
    }
}

/// The reason why a document is not a key, or why a key cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyFormatError {
    /// The document is not DER, or does not have the structure of a key.
    Der(der::Error),
    /// The key has another algorithm.
    WrongAlgorithm {
        /// The requested parameter set.
        expected: ObjectIdentifier,
        /// The algorithm of the key.
        actual: ObjectIdentifier,
    },
    /// The algorithm has parameters; for ML-DSA, they must be absent.
    ParametersPresent,
    /// The private key has none of the three forms of [`PrivateKeyForm`].
    UnknownForm,
    /// The key itself is not valid.
    Key(InvalidKey),
    /// The public key in the document does not belong to the private key.
    PublicKeyMismatch,
    /// The key was read in expanded form, so its seed cannot be written.
    SeedUnknown,
}

impl fmt::Display for KeyFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Der(error) => write!(f, "the document is not a key in DER: {error}"),
            Self::WrongAlgorithm { expected, actual } => {
                write!(f, "the key is of algorithm {actual} instead of {expected}")
            }
            Self::ParametersPresent => {
                f.write_str("the algorithm of the key has parameters, where ML-DSA has none")
            }
            Self::UnknownForm => {
                f.write_str("the private key is neither a seed, nor an expanded key, nor both")
            }
            Self::Key(error) => error.fmt(f),
            Self::PublicKeyMismatch => {
                f.write_str("the public key in the document is not that of the private key")
            }
            Self::SeedUnknown => {
                f.write_str("the key was read in expanded form, so its seed is not known")
            }
        }
    }
}
impl core::error::Error for KeyFormatError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Der(error) => Some(error),
            _ => None,
        }
    }
}

impl From<der::Error> for KeyFormatError {
    fn from(error: der::Error) -> Self {
        Self::Der(error)
    }
}
impl From<InvalidKey> for KeyFormatError {
    fn from(error: InvalidKey) -> Self {
        Self::Key(error)
    }
}
impl From<KeyFormatError> for pkcs8::Error {
    fn from(error: KeyFormatError) -> Self {
        match error {
            KeyFormatError::Der(error) => Self::Asn1(error),
            KeyFormatError::WrongAlgorithm { actual, .. } => {
                Self::PublicKey(spki::Error::OidUnknown { oid: actual })
            }
            KeyFormatError::ParametersPresent => Self::ParametersMalformed,
            KeyFormatError::Key(InvalidKey::Length { expected, actual }) => {
                Self::KeyMalformed(if actual < expected {
                    KeyError::TooShort
                } else {
                    KeyError::TooLong
                })
            }
            _ => Self::KeyMalformed(KeyError::Invalid),
        }
    }
}
impl From<KeyFormatError> for spki::Error {
    fn from(error: KeyFormatError) -> Self {
        pkcs8::Error::from(error).into()
    }
}

fn check_algorithm<P: Fips204>(
    algorithm: &AlgorithmIdentifierRef<'_>,
) -> Result<(), KeyFormatError> {
    let expected = oid::<P>();
    if algorithm.oid != expected {
        return Err(KeyFormatError::WrongAlgorithm {
            expected,
            actual: algorithm.oid,
        });
    }
    if algorithm.parameters.is_some() {
        return Err(KeyFormatError::ParametersPresent);
    }
    Ok(())
}

/// ML-DSA-44-PrivateKey and the types of the other sets (RFC 9881, section 6): `CHOICE { seed [0]
/// OCTET STRING, expandedKey OCTET STRING, both SEQUENCE }`.
enum PrivateKey<'a> {
    Seed(&'a [u8]),
    Expanded(&'a [u8]),
    Both { seed: &'a [u8], expanded: &'a [u8] },
}

impl<'a> PrivateKey<'a> {
    const SEED_TAG: Tag = Tag::ContextSpecific {
        constructed: false,
        number: TagNumber(0),
    };

    fn decode(bytes: &'a [u8]) -> Result<Self, KeyFormatError> {
        let any = AnyRef::from_der(bytes)?;
        match any.header().tag() {
            Self::SEED_TAG => Ok(Self::Seed(any.value())),
            Tag::OctetString => Ok(Self::Expanded(any.value())),
            Tag::Sequence => any.sequence(|reader| {
                let seed: &OctetStringRef = reader.decode()?;
                let expanded: &OctetStringRef = reader.decode()?;
                Ok(Self::Both {
                    seed: seed.as_bytes(),
                    expanded: expanded.as_bytes(),
                })
            }),
            _ => Err(KeyFormatError::UnknownForm),
        }
    }

    fn to_key<P: Fips204, S: DerefMut<Target = SigningKeySpace<P>>>(
        &self,
        space: S,
    ) -> Result<(SigningKeyIn<S>, PrivateKeyForm), KeyFormatError> {
        Ok(match self {
            Self::Seed(seed) => (from_seed(space, seed)?, PrivateKeyForm::Seed),
            Self::Expanded(expanded) => (
                SigningKeyIn::from_expanded_bytes_in(space, expanded)?,
                PrivateKeyForm::Expanded,
            ),
            Self::Both { seed, expanded } => {
                let key = from_seed(space, seed)?;
                same_expanded(key.as_expanded_bytes().as_ref(), expanded)?;
                (key, PrivateKeyForm::Both)
            }
        })
    }
}

fn from_seed<P: Fips204, S: DerefMut<Target = SigningKeySpace<P>>>(
    space: S,
    seed: &[u8],
) -> Result<SigningKeyIn<S>, InvalidKey> {
    let array = seed.try_into();
    let array = array.map_err(|_| InvalidKey::length(32, seed))?;
    Ok(SigningKeyIn::from_seed_bytes_in(space, array))
}

/// Returns whether the key of a seed has this expanded form.
fn same_expanded(own: &[u8], expanded: &[u8]) -> Result<(), InvalidKey> {
    if expanded.len() != own.len() {
        return Err(InvalidKey::length(own.len(), expanded));
    }
    if declassify_mask(
        difference_mask(own, expanded),
        "the error tells whether a key is malformed",
    ) {
        return Err(InvalidKey::SeedMismatch);
    }
    Ok(())
}

#[cfg(feature = "alloc")]
impl<P: Fips204> SigningKey<P> {
    /// Reads a private key in PKCS#8 (DER), and returns it with its form.
    ///
    /// # Errors
    /// [`KeyFormatError`].
    #[cfg_attr(docsrs, doc(cfg(all(feature = "pkcs8", feature = "alloc"))))]
    pub fn from_pkcs8(der: &[u8]) -> Result<(Self, PrivateKeyForm), KeyFormatError> {
        Self::from_pkcs8_in(Box::default(), der)
    }
}

impl<P: Fips204, S: DerefMut<Target = SigningKeySpace<P>>> SigningKeyIn<S> {
    /// Reads a private key in PKCS#8 (DER) into this memory, and returns it with its form.
    ///
    /// # Errors
    /// [`KeyFormatError`].
    #[cfg_attr(docsrs, doc(cfg(feature = "pkcs8")))]
    pub fn from_pkcs8_in(space: S, der: &[u8]) -> Result<(Self, PrivateKeyForm), KeyFormatError> {
        Self::from_private_key_info(space, &PrivateKeyInfoRef::from_der(der)?)
    }

    fn from_private_key_info(
        space: S,
        info: &PrivateKeyInfoRef<'_>,
    ) -> Result<(Self, PrivateKeyForm), KeyFormatError> {
        check_algorithm::<P>(&info.algorithm)?;
        let (key, form) = PrivateKey::decode(info.private_key.as_bytes())?.to_key(space)?;
        if let Some(public_key) = info.public_key
            && public_key.as_bytes() != Some(key.verifying_key().as_ref())
        {
            return Err(KeyFormatError::PublicKeyMismatch);
        }
        Ok((key, form))
    }

    /// The form in which `EncodePrivateKey` (feature `alloc`) writes this key: the seed, or the
    /// expanded key if there is no seed.
    #[cfg_attr(docsrs, doc(cfg(feature = "pkcs8")))]
    pub fn preferred_form(&self) -> PrivateKeyForm {
        match self.as_seed() {
            Some(_) => PrivateKeyForm::Seed,
            None => PrivateKeyForm::Expanded,
        }
    }
}

impl<P: Fips204> VerifyingKey<P> {
    /// Reads a public key in a SubjectPublicKeyInfo (DER).
    ///
    /// # Errors
    /// [`KeyFormatError`].
    #[cfg_attr(docsrs, doc(cfg(feature = "pkcs8")))]
    pub fn from_spki(der: &[u8]) -> Result<Self, KeyFormatError> {
        Self::from_public_key_info(&SubjectPublicKeyInfoRef::from_der(der)?)
    }

    fn from_public_key_info(info: &SubjectPublicKeyInfoRef<'_>) -> Result<Self, KeyFormatError> {
        check_algorithm::<P>(&info.algorithm)?;
        match info.subject_public_key.as_bytes() {
            Some(bytes) => Ok(Self::from_bytes(bytes)?),
            // The bit string does not have a whole number of bytes.
            None => Err(der::Error::from(Tag::BitString.value_error()).into()),
        }
    }
}

#[cfg(feature = "alloc")]
impl<P: Fips204> TryFrom<PrivateKeyInfoRef<'_>> for SigningKey<P> {
    type Error = pkcs8::Error;
    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        Ok(Self::from_private_key_info(Box::default(), &info)?.0)
    }
}

impl<P: Fips204> TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey<P> {
    type Error = spki::Error;
    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        Ok(Self::from_public_key_info(&info)?)
    }
}

macro_rules! signature_algorithm {
    ($([$($generics:tt)*] $key:ty),*) => { $(
        impl<P: Fips204, $($generics)*> SignatureAlgorithmIdentifier for $key {
            type Params = AnyRef<'static>;
            const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> =
                algorithm::<P>();
        }
    )* };
}
signature_algorithm!(
    [S: DerefMut<Target = SigningKeySpace<P>>] SigningKeyIn<S>,
    [S: DerefMut<Target = PreparedSigningKeySpace<P>>] PreparedSigningKeyIn<S>,
    [] VerifyingKey<P>
);

impl<P: Fips204> AssociatedAlgorithmIdentifier for Signature<P> {
    type Params = AnyRef<'static>;
    const ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> = algorithm::<P>();
}

#[cfg(feature = "alloc")]
mod write;
