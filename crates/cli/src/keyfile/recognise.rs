//! What bytes are, by their form alone: PEM, DER or raw; of what, and of which algorithm.

use std::fmt;

use der::asn1::AnyRef;
use der::oid::ObjectIdentifier;
use der::{Decode, SliceReader, Tag};
use pkcs8::PrivateKeyInfoRef;
use pkcs8::spki::SubjectPublicKeyInfoRef;
use x509_cert::Certificate;
use x509_cert::request::CertReq;
use zeroize::Zeroizing;

use super::KeyError;
use crate::algorithm::{ALL, Algorithm, SEED};
use crate::pem;

/// No key or certificate is larger.
pub(super) const LIMIT: usize = 1 << 20;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A private key, in whatever encoding.
    PrivateKey,
    /// A public key.
    PublicKey,
    /// An X.509 certificate.
    Certificate,
    /// A request for a certificate, PKCS#10.
    Request,
    /// A signature.
    Signature,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PrivateKey => "a private key",
            Self::PublicKey => "a public key",
            Self::Certificate => "a certificate",
            Self::Request => "a request for a certificate",
            Self::Signature => "a signature",
        })
    }
}

/// How it is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Text around DER.
    Pem,
    /// PKCS#8, SubjectPublicKeyInfo or X.509.
    Der,
    /// The scheme's own bytes.
    Raw,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pem => "PEM",
            Self::Der => "DER",
            Self::Raw => "raw",
        })
    }
}

/// PEM or DER, of whatever algorithm.
pub(super) struct Document {
    pub(super) encoding: Encoding,
    pub(super) what: What,
    /// Of the key.
    pub(super) oid: ObjectIdentifier,
    pub(super) der: Zeroizing<Vec<u8>>,
}

impl Document {
    /// None, if the bytes are raw.
    pub(super) fn of(bytes: &[u8]) -> Result<Option<Self>, KeyError> {
        let (encoding, (what, oid), der) = match bytes {
            [] => return Err(KeyError::Empty),
            all if all.len() > LIMIT => return Err(KeyError::TooLarge),
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] if bytes.len() != SEED && raw(bytes).is_empty() => {
                return Err(KeyError::Utf16);
            }
            all if pem::is_pem(all) => {
                let (label, der) = pem::decode(all)?;
                (Encoding::Pem, labelled(&label, &der)?, der)
            }
            // No document has as few bytes as a seed. Other raw bytes look like
            // a document once in 2^32.
            all if all.len() != SEED && is_whole_sequence(all) => {
                (Encoding::Der, classify(all)?, Zeroizing::new(all.to_vec()))
            }
            _ => return Ok(None),
        };
        Ok(Some(Self {
            encoding,
            what,
            oid,
            der,
        }))
    }
}

/// What a PEM document holds: what its label says, or it is an error.
fn labelled(label: &str, der: &[u8]) -> Result<(What, ObjectIdentifier), KeyError> {
    let promised = match label {
        "PRIVATE KEY" => What::PrivateKey,
        "PUBLIC KEY" => What::PublicKey,
        "CERTIFICATE" => What::Certificate,
        "CERTIFICATE REQUEST" | "NEW CERTIFICATE REQUEST" => What::Request,
        "ENCRYPTED PRIVATE KEY" => return Err(KeyError::Encrypted),
        _ => return Err(KeyError::Label(label.into())),
    };
    let (found, oid) = classify(der)?;
    if found == promised {
        Ok((found, oid))
    } else {
        let label = label.into();
        Err(KeyError::Mislabelled { label, found })
    }
}

/// Whether this is a SEQUENCE in DER, from the first byte to the last.
fn is_whole_sequence(bytes: &[u8]) -> bool {
    sequence_length(bytes).is_some_and(|length| usize::try_from(length) == Ok(bytes.len()))
}

/// How long the SEQUENCE that begins here says it is, with its header.
fn sequence_length(bytes: &[u8]) -> Option<u64> {
    let (tag, rest) = bytes.split_first()?;
    let (first, rest) = rest.split_first()?;
    let (header, length) = match (tag, first) {
        (0x30, 0..=0x7f) => (2, u64::from(*first)),
        (0x30, 0x81..=0x84) => {
            let count = usize::from(first & 0x0f);
            let digits = rest.get(..count)?;
            let length = digits.iter().fold(0, |n, digit| n << 8 | u64::from(*digit));
            (2 + u64::from(first & 0x0f), length)
        }
        _ => return None,
    };
    Some(header + length)
}

/// Tells documents apart by the types of what is in the outer SEQUENCE; and whose key is in them.
fn classify(der: &[u8]) -> Result<(What, ObjectIdentifier), KeyError> {
    if let Some(expected) = sequence_length(der)
        && usize::try_from(expected) != Ok(der.len())
    {
        let actual = der.len();
        return Err(KeyError::DerLength { expected, actual });
    }
    let outer = AnyRef::from_der(der)?;
    if outer.header().tag() != Tag::Sequence {
        return Err(KeyError::Unrecognised);
    }
    let mut reader = SliceReader::new(outer.value())?;
    let first = AnyRef::decode(&mut reader)?.header().tag();
    let second = AnyRef::decode(&mut reader)?.header().tag();
    Ok(match (first, second) {
        (Tag::Integer, Tag::Sequence) => (
            What::PrivateKey,
            PrivateKeyInfoRef::from_der(der)?.algorithm.oid,
        ),
        (Tag::Sequence, Tag::BitString) => (
            What::PublicKey,
            SubjectPublicKeyInfoRef::from_der(der)?.algorithm.oid,
        ),
        (Tag::Sequence, Tag::Sequence) => match CertReq::from_der(der) {
            Ok(request) => (What::Request, request.info.public_key.algorithm.oid),
            Err(_) => {
                let certificate = Certificate::from_der(der)?;
                let key = certificate.tbs_certificate().subject_public_key_info();
                (What::Certificate, key.algorithm.oid)
            }
        },
        (Tag::Sequence, Tag::OctetString) => return Err(KeyError::Encrypted),
        _ => return Err(KeyError::Unrecognised),
    })
}

/// What raw bytes can be, by their number.
fn raw(bytes: &[u8]) -> Vec<(What, Algorithm)> {
    let each = |algorithm: &Algorithm| {
        let algorithm = *algorithm;
        let kinds = raw_of(bytes, algorithm).into_iter();
        kinds.map(move |what| (what, algorithm))
    };
    ALL.iter().flat_map(each).collect()
}

pub(super) fn raw_of(bytes: &[u8], algorithm: Algorithm) -> Vec<What> {
    let sizes = algorithm.sizes();
    let mut kinds = vec![
        (What::PrivateKey, sizes.private),
        (What::PublicKey, sizes.public),
        (What::Signature, sizes.signature),
    ];
    kinds.retain(|(_, length)| *length == bytes.len());
    kinds.into_iter().map(|(what, _)| what).collect()
}

pub(super) fn recognise_raw(
    bytes: &[u8],
    asked: Option<Algorithm>,
) -> Result<(What, Algorithm), KeyError> {
    let length = bytes.len();
    if let Some(algorithm) = asked {
        if length == algorithm.seed_len() {
            return Ok((What::PrivateKey, algorithm));
        }
        if let Some(what) = raw_of(bytes, algorithm).first() {
            return Ok((*what, algorithm));
        }
    } else if length == SEED {
        return Err(KeyError::WhoseSeed);
    }
    match (raw(bytes).as_slice(), sequence_length(bytes), asked) {
        ([(what, _), rest @ ..], _, None) if rest.iter().any(|(other, _)| other != what) => {
            Err(KeyError::Ambiguous(length))
        }
        ([found, ..], _, _) => Ok(*found),
        // Only where it looks like a document, not like bytes that begin with '0' by chance.
        (_, Some(expected), _) if matches!(bytes, [0x30, 0x81..=0x82, ..]) => {
            Err(KeyError::DerLength {
                expected,
                actual: length,
            })
        }
        (_, _, Some(algorithm)) => Err(KeyError::RawLengthOf {
            algorithm,
            actual: length,
        }),
        _ => Err(KeyError::RawLength(length)),
    }
}
