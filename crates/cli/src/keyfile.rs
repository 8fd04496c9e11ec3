//! Files that hold a key, a certificate or a signature, in PEM, DER or the
//! scheme's own bytes: which it is, and what is in it.

mod error;

use std::fmt;

use der::asn1::AnyRef;
use der::oid::ObjectIdentifier;
use der::{Decode, DecodeOwned, Encode, Reader, SliceReader, Tag};
use moissanite::keys::PrivateKeyForm;
use pkcs8::PrivateKeyInfoRef;
use pkcs8::spki::SubjectPublicKeyInfoRef;
use x509_cert::Certificate;
use x509_cert::request::CertReq;
use x509_cert::spki::SubjectPublicKeyInfoOwned;
use zeroize::Zeroizing;

use crate::algorithm::{self, ALL, Algorithm, PrivateKey, PublicKey, SEED};
use crate::backend::Backend;
use crate::error::Error;
use crate::message::Source;
use crate::pem;

pub(crate) use error::KeyError;

/// No key or certificate is larger.
const LIMIT: usize = 1 << 20;

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

/// A file, as far as it can be told without checking the key in it.
pub(crate) struct KeyFile {
    /// What messages call it.
    pub(crate) place: String,
    /// What it holds.
    pub(crate) what: What,
    /// How.
    pub(crate) encoding: Encoding,
    /// Whose.
    pub(crate) algorithm: Algorithm,
    /// DER or raw.
    pub(crate) bytes: Zeroizing<Vec<u8>>,
}

impl KeyFile {
    /// Reads a file of any kind. `asked` is the algorithm on the command line.
    pub(crate) fn read(source: &Source, asked: Option<Algorithm>) -> Result<Self, Error> {
        let place = source.place();
        let bytes = Zeroizing::new(source.read_at_most(1 + LIMIT as u64)?);
        Self::recognise(&place, bytes, asked).map_err(|error| Error::key(place, error))
    }

    fn recognise(
        place: &str,
        bytes: Zeroizing<Vec<u8>>,
        asked: Option<Algorithm>,
    ) -> Result<Self, KeyError> {
        let (encoding, what, algorithm, bytes) = match Document::of(&bytes)? {
            Some(Document {
                encoding,
                what,
                oid,
                der,
            }) => {
                let algorithm = algorithm::by_oid(oid).ok_or(KeyError::Foreign(oid))?;
                (encoding, what, algorithm, der)
            }
            None => {
                let (what, algorithm) = recognise_raw(&bytes, asked)?;
                (Encoding::Raw, what, algorithm, bytes)
            }
        };
        match asked {
            Some(asked) if asked.name() != algorithm.name() => Err(KeyError::OtherAlgorithm {
                found: algorithm,
                asked,
            }),
            _ => Ok(Self {
                place: place.into(),
                what,
                encoding,
                algorithm,
                bytes,
            }),
        }
    }

    fn expect(&self, wanted: What, hint: &'static str) -> Result<(), Error> {
        let raw = self.encoding == Encoding::Raw;
        if self.what == wanted || raw && raw_of(&self.bytes, self.algorithm).contains(&wanted) {
            return Ok(());
        }
        let found = self.what;
        let error = KeyError::Other {
            found,
            wanted,
            hint,
        };
        Err(Error::key(&self.place, error))
    }

    /// The private key in it, checked, and its form in PKCS#8, or as raw bytes
    /// the one that comes closest.
    pub(crate) fn private_key(
        &self,
        backend: Backend,
    ) -> Result<(Box<dyn PrivateKey>, PrivateKeyForm), Error> {
        self.expect(What::PrivateKey, "; signing takes the private key")?;
        backend.remark(self.algorithm);
        let key = match self.encoding {
            Encoding::Raw if self.bytes.len() == self.algorithm.seed_len() => {
                let key = self.algorithm.private_from_seed(backend, &self.bytes)?;
                return Ok((key, PrivateKeyForm::Seed));
            }
            Encoding::Raw => self
                .algorithm
                .private_from_raw(backend, &self.bytes)
                .map(|key| (key, PrivateKeyForm::Expanded)),
            _ => self.algorithm.private_from_pkcs8(backend, &self.bytes),
        };
        key.map_err(|error| Error::key(&self.place, error))
    }

    /// The public key in it.
    pub(crate) fn public_key(&self, backend: Backend) -> Result<Box<dyn PublicKey>, Error> {
        let hint = match self.what {
            What::PrivateKey => "; `moissanite convert --public` makes the public key from it",
            What::Certificate | What::Request => {
                "; `moissanite convert` takes the public key out of it"
            }
            _ => "",
        };
        self.expect(What::PublicKey, hint)?;
        backend.remark(self.algorithm);
        let key = match self.encoding {
            Encoding::Raw => self.algorithm.public_from_raw(backend, &self.bytes),
            _ => self.algorithm.public_from_spki(backend, &self.bytes),
        };
        key.map_err(|error| Error::key(&self.place, error))
    }
}

/// PEM or DER, of whatever algorithm.
struct Document {
    encoding: Encoding,
    what: What,
    /// Of the key.
    oid: ObjectIdentifier,
    der: Zeroizing<Vec<u8>>,
}

impl Document {
    /// None, if the bytes are raw.
    fn of(bytes: &[u8]) -> Result<Option<Self>, KeyError> {
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

/// The DER of all certificates in a file, of whatever algorithms: one or, in PEM, several.
pub(crate) fn certificates(source: &Source) -> Result<Vec<Zeroizing<Vec<u8>>>, Error> {
    let place = source.place();
    let bytes = Zeroizing::new(source.read_at_most(1 + LIMIT as u64)?);
    if bytes.len() > LIMIT {
        return Err(Error::key(place, KeyError::TooLarge));
    }
    let (documents, hint) = match pem::documents(&bytes) {
        several if several.len() > 1 => (several, "; keep nothing but certificates in this file"),
        _ => (vec![bytes.as_slice()], ""),
    };
    let certificate = |bytes| {
        let found = match Document::of(bytes)? {
            Some(Document {
                what: What::Certificate,
                der,
                ..
            }) => return Ok(der),
            Some(Document { what, .. }) => what,
            None => recognise_raw(bytes, None)?.0,
        };
        let wanted = What::Certificate;
        Err(KeyError::Other {
            found,
            wanted,
            hint,
        })
    };
    let certificates: Result<_, _> = documents.into_iter().map(certificate).collect();
    certificates.map_err(|error| Error::key(&place, error))
}

/// A certificate or a request, with what in it is signed.
pub(crate) struct Signed<'a, T> {
    /// All of it.
    pub(crate) document: T,
    /// What is signed, in the bytes that are there.
    pub(crate) message: &'a [u8],
}

impl<'a, T: DecodeOwned<Error = der::Error>> Signed<'a, T> {
    /// From DER.
    pub(crate) fn parse(der: &'a [u8]) -> Result<Self, KeyError> {
        let mut reader = SliceReader::new(AnyRef::from_der(der)?.value())?;
        let message = reader.tlv_bytes()?;
        let document = T::from_der(der)?;
        Ok(Self { document, message })
    }
}

impl KeyFile {
    /// The certificate in it.
    pub(crate) fn certificate(&self) -> Result<Signed<'_, Certificate>, Error> {
        self.expect(What::Certificate, "")?;
        Signed::parse(&self.bytes).map_err(|error| Error::key(&self.place, error))
    }

    /// The request in it.
    pub(crate) fn request(&self) -> Result<Signed<'_, CertReq>, Error> {
        self.expect(What::Request, "")?;
        Signed::parse(&self.bytes).map_err(|error| Error::key(&self.place, error))
    }

    /// The public key that it certifies.
    pub(crate) fn certified_key(&self, backend: Backend) -> Result<Box<dyn PublicKey>, Error> {
        let signed = self.certificate()?;
        let body = signed.document.tbs_certificate();
        self.key_of(body.subject_public_key_info(), backend)
    }

    /// The public key for which it asks for a certificate.
    pub(crate) fn requested_key(&self, backend: Backend) -> Result<Box<dyn PublicKey>, Error> {
        self.key_of(&self.request()?.document.info.public_key, backend)
    }

    fn key_of(
        &self,
        info: &SubjectPublicKeyInfoOwned,
        backend: Backend,
    ) -> Result<Box<dyn PublicKey>, Error> {
        let key = || self.algorithm.public_from_spki(backend, &info.to_der()?);
        key().map_err(|error| Error::key(&self.place, error))
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

fn raw_of(bytes: &[u8], algorithm: Algorithm) -> Vec<What> {
    let sizes = algorithm.sizes();
    let mut kinds = vec![
        (What::PrivateKey, sizes.private),
        (What::PublicKey, sizes.public),
        (What::Signature, sizes.signature),
    ];
    kinds.retain(|(_, length)| *length == bytes.len());
    kinds.into_iter().map(|(what, _)| what).collect()
}

fn recognise_raw(bytes: &[u8], asked: Option<Algorithm>) -> Result<(What, Algorithm), KeyError> {
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
