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
use crate::algorithm::{ALL, Algorithm};
use crate::pem::{self, Label};

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
        let der = match bytes {
            [] => return Err(KeyError::Empty),
            all if all.len() > LIMIT => return Err(KeyError::TooLarge),
            all if is_whole_sequence(all) => Some(classify(all)),
            _ => None,
        };
        let (encoding, (what, oid), der) = match der {
            Some(Ok(found)) => (Encoding::Der, found, Zeroizing::new(bytes.to_vec())),
            _ if pem::is_pem(bytes) => {
                let (label, der) = pem::decode(bytes)?;
                (Encoding::Pem, labelled(label, &der)?, der)
            }
            // Raw bytes can begin like a document, of 64 bytes one in 2^16.
            _ if !raw(bytes).is_empty() => return Ok(None),
            Some(Err(error)) => return Err(error),
            None if matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) => {
                return Err(KeyError::Utf16);
            }
            None => return Ok(None),
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
fn labelled(label: Label, der: &[u8]) -> Result<(What, ObjectIdentifier), KeyError> {
    let promised = match label.as_str() {
        "PRIVATE KEY" => What::PrivateKey,
        "PUBLIC KEY" => What::PublicKey,
        "CERTIFICATE" => What::Certificate,
        "CERTIFICATE REQUEST" | "NEW CERTIFICATE REQUEST" => What::Request,
        "ENCRYPTED PRIVATE KEY" => return Err(KeyError::Encrypted),
        _ => return Err(KeyError::Label(label)),
    };
    let (found, oid) = classify(der)?;
    if found == promised {
        Ok((found, oid))
    } else {
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

/// What is known of raw bytes without looking at them.
#[derive(Clone, Copy)]
pub(crate) struct Expected {
    /// What `--algorithm` says.
    pub(crate) algorithm: Option<Algorithm>,
    /// What the command needs, or `--kind` says.
    pub(crate) what: Option<What>,
    /// How the command line says the rest.
    pub(crate) options: &'static str,
}

impl Expected {
    /// For a command that takes a key of one kind, and has `--algorithm`.
    pub(crate) fn key(what: What, algorithm: Option<Algorithm>) -> Self {
        Self {
            algorithm,
            what: Some(what),
            options: "--algorithm",
        }
    }

    /// For a command that takes anything, and has `--algorithm` and `--kind`.
    pub(crate) fn anything(what: Option<What>, algorithm: Option<Algorithm>) -> Self {
        Self {
            algorithm,
            what,
            options: "--algorithm and --kind",
        }
    }

    /// For a command that has neither option.
    pub(crate) fn document(what: Option<What>) -> Self {
        Self {
            algorithm: None,
            what,
            options: "`moissanite convert`, which writes it as PEM",
        }
    }
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

fn raw_of(bytes: &[u8], algorithm: Algorithm) -> Vec<What> {
    let (length, sizes) = (bytes.len(), algorithm.sizes());
    let mut kinds = Vec::new();
    if length == sizes.private || length == algorithm.seed_len() {
        kinds.push(What::PrivateKey);
    }
    if length == sizes.public {
        kinds.push(What::PublicKey);
    }
    if length == sizes.signature {
        kinds.push(What::Signature);
    }
    kinds
}

/// The only thing that raw bytes can be, as far as it is known. Nothing is guessed: several are an
/// error that lists them.
pub(super) fn recognise_raw(
    bytes: &[u8],
    expected: &Expected,
) -> Result<(What, Algorithm), KeyError> {
    let mut all = raw(bytes);
    if let Some(asked) = expected.algorithm {
        all.retain(|(_, algorithm)| algorithm.name() == asked.name());
    }
    let is_wanted = |what: What| expected.what.is_none_or(|wanted| wanted == what);
    let wanted: Vec<_> = all.iter().filter(|(what, _)| is_wanted(*what)).collect();
    match (wanted.as_slice(), all.as_slice()) {
        ([found], _) => Ok(**found),
        ([_, ..], _) => Err(KeyError::Ambiguous {
            actual: bytes.len(),
            choices: choices(&wanted),
            options: expected.options,
        }),
        // The caller says that it is something else.
        ([], [found, rest @ ..]) if rest.iter().all(|(what, _)| *what == found.0) => Ok(*found),
        ([], [_, ..]) => Err(KeyError::RawOther {
            actual: bytes.len(),
            wanted: expected.what,
        }),
        ([], []) => Err(no_raw_length(bytes, expected.algorithm)),
    }
}

/// For example: a private key of ML-DSA-44 or Ed25519, or a public key of Ed25519.
fn choices(all: &[&(What, Algorithm)]) -> String {
    let kinds = [What::PrivateKey, What::PublicKey, What::Signature];
    let kinds = kinds.into_iter().filter_map(|kind| {
        let of_kind = all.iter().filter(|(what, _)| *what == kind);
        let names: Vec<_> = of_kind.map(|(_, algorithm)| algorithm.name()).collect();
        let (last, others) = names.split_last()?;
        Some(match others {
            [] => format!("{kind} of {last}"),
            _ => format!("{kind} of {} or {last}", others.join(", ")),
        })
    });
    kinds.collect::<Vec<_>>().join(", or ")
}

fn no_raw_length(bytes: &[u8], asked: Option<Algorithm>) -> KeyError {
    let actual = bytes.len();
    match (sequence_length(bytes), asked) {
        // Only where it looks like a document, not like bytes that begin with '0' by chance.
        (Some(expected), _) if matches!(bytes, [0x30, 0x81..=0x82, ..]) => {
            KeyError::DerLength { expected, actual }
        }
        (_, Some(algorithm)) => KeyError::RawLengthOf { algorithm, actual },
        _ => KeyError::RawLength(actual),
    }
}
