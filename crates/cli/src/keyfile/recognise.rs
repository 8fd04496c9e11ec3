//! Recognises the content of a file by its form: the encoding, the kind of content and the algorithm.

use der::asn1::AnyRef;
use der::oid::ObjectIdentifier;
use der::{Decode, Length, Reader, SliceReader, Tag};
use pkcs8::PrivateKeyInfoRef;
use pkcs8::spki::SubjectPublicKeyInfoRef;
use x509_cert::Certificate;
use x509_cert::request::CertReq;
use zeroize::Zeroizing;

use super::encoding::Encoding;
use crate::algorithm::scheme::Algorithm;
use crate::algorithm::{self, ALL};
use crate::armor;
use crate::key_error::{KeyError, What};
use crate::passphrase::PassphraseArgs;
use crate::pem::{self, Label};
use crate::text;

/// The largest size of a key, a certificate or a request.
pub(crate) const LIMIT: usize = 1 << 20;

/// The PEM label of encrypted private keys.
pub(super) const ENCRYPTED: &str = "ENCRYPTED PRIVATE KEY";

/// The content of a file, before a key in it is decrypted.
pub(super) enum Content {
    Document(Document),
    /// An encrypted private key in DER, which was in this encoding.
    Encrypted(Encoding, Zeroizing<Vec<u8>>),
    /// A signature in PEM, with the algorithm of its label and the fingerprint in the text before it.
    Signature(Algorithm, Zeroizing<Vec<u8>>, Option<String>),
    Raw,
}

/// A document in PEM or DER, with a key of any algorithm.
pub(super) struct Document {
    pub(super) encoding: Encoding,
    pub(super) body: Body,
    pub(super) der: Zeroizing<Vec<u8>>,
}

/// The content of a document. Certificates and requests are decoded here, and nowhere again.
pub(crate) enum Body {
    /// A private key of this algorithm.
    PrivateKey(ObjectIdentifier),
    /// A public key of this algorithm.
    PublicKey(ObjectIdentifier),
    /// A certificate.
    Certificate(Box<Certificate>),
    /// A request for a certificate.
    Request(Box<CertReq>),
}

impl Body {
    pub(super) fn what(&self) -> What {
        match self {
            Self::PrivateKey(_) => What::PrivateKey,
            Self::PublicKey(_) => What::PublicKey,
            Self::Certificate(_) => What::Certificate,
            Self::Request(_) => What::Request,
        }
    }

    /// The identifier of the key's algorithm.
    pub(super) fn oid(&self) -> ObjectIdentifier {
        match self {
            Self::PrivateKey(oid) | Self::PublicKey(oid) => *oid,
            Self::Certificate(certificate) => {
                let key = certificate.tbs_certificate().subject_public_key_info();
                key.algorithm.oid
            }
            Self::Request(request) => request.info.public_key.algorithm.oid,
        }
    }
}

impl Content {
    /// Recognises the content of a file.
    pub(super) fn of(bytes: &[u8]) -> Result<Self, KeyError> {
        let der = match bytes {
            [] => return Err(KeyError::Empty),
            all if all.len() > LIMIT => return Err(KeyError::TooLarge),
            all if is_whole_sequence(all) => Some(classify(all)),
            _ => None,
        };
        let (encoding, body, der) = match der {
            Some(Ok(found)) => (Encoding::Der, found, Zeroizing::new(bytes.to_vec())),
            _ if pem::is_pem(bytes) => {
                let (label, der) = pem::decode(bytes)?;
                if let Some(algorithm) = armor::algorithm(label) {
                    return Ok(Self::Signature(
                        algorithm,
                        der,
                        armor::claimed_fingerprint(bytes),
                    ));
                }
                (Encoding::Pem, labelled(label, &der)?, der)
            }
            // Raw bytes can begin like a document: one raw key of 64 bytes in 2^16 does.
            _ if is_raw(bytes) => return Ok(Self::Raw),
            Some(Err(error)) => return Err(error),
            None if matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) => {
                return Err(KeyError::Utf16);
            }
            None => return Ok(Self::Raw),
        };
        Ok(match body {
            Some(body) => Self::Document(Document {
                encoding,
                body,
                der,
            }),
            None => Self::Encrypted(encoding, der),
        })
    }
}

impl Document {
    /// The private key that was encrypted in a file of this encoding.
    pub(super) fn decrypted(encoding: Encoding, der: Zeroizing<Vec<u8>>) -> Result<Self, KeyError> {
        // A wrong passphrase that is not detected earlier gives random bytes.
        match classify(&der) {
            Ok(Some(body @ Body::PrivateKey(_))) => Ok(Self {
                encoding,
                body,
                der,
            }),
            _ => Err(KeyError::Passphrase),
        }
    }
}

/// The one certificate in `bytes`, with its DER and with a key of any algorithm. `hint` ends the error
/// for other content.
pub(crate) fn certificate(
    bytes: &[u8],
    hint: &'static str,
) -> Result<(Certificate, Zeroizing<Vec<u8>>), KeyError> {
    let wanted = What::Certificate;
    let found = match Content::of(bytes)? {
        Content::Document(Document {
            body: Body::Certificate(certificate),
            der,
            ..
        }) => return Ok((*certificate, der)),
        Content::Document(Document { body, .. }) => body.what(),
        Content::Encrypted(..) => What::PrivateKey,
        Content::Signature(..) => What::Signature,
        Content::Raw => recognise_raw(bytes, &Expected::document(Some(wanted)))?.0,
    };
    Err(KeyError::Other {
        found,
        wanted,
        hint,
    })
}

/// The content of a PEM document, which has to be of the kind that the label names, or `None` if it is encrypted.
fn labelled(label: Label, der: &[u8]) -> Result<Option<Body>, KeyError> {
    let promised = promised(label).ok_or(KeyError::Label(label))?;
    let body = classify(der)?;
    let found = body.as_ref().map_or(What::PrivateKey, Body::what);
    if found != promised || body.is_none() != (label.as_str() == ENCRYPTED) {
        return Err(KeyError::Mislabelled { label, found });
    }
    let algorithm = body.as_ref().and_then(|body| algorithm::by_oid(body.oid()));
    match (labelled_algorithm(label), algorithm) {
        (Some(name), Some(algorithm)) if name != algorithm.name() => {
            let found = algorithm.name();
            Err(KeyError::MislabelledAlgorithm { label, found })
        }
        _ => Ok(body),
    }
}

/// The bytes that a file has as hex or base64 without a PEM frame, if they can be a document or a raw key or
/// signature. Raw bytes are never mistaken for text: in fewer than one key of 2^60 are all bytes characters of
/// base64.
pub(super) fn without_text(bytes: Zeroizing<Vec<u8>>) -> Zeroizing<Vec<u8>> {
    let is_known = |decoded: &Zeroizing<Vec<u8>>| {
        matches!(decoded.as_slice(), [0x30, 0x81..=0x82, ..])
            || is_whole_sequence(decoded)
            || !raw(decoded).is_empty()
    };
    let decoded = match bytes.len() {
        0..=LIMIT => text::decodings(&bytes).find(is_known),
        _ => None,
    };
    decoded.unwrap_or(bytes)
}

/// The kind of content that a label names. CIRCL puts the name of the algorithm before it.
pub(super) fn promised(label: Label) -> Option<What> {
    Some(match label.as_str() {
        ENCRYPTED => What::PrivateKey,
        "CERTIFICATE" => What::Certificate,
        "CERTIFICATE REQUEST" | "NEW CERTIFICATE REQUEST" => What::Request,
        "PRIVATE KEY" => What::PrivateKey,
        "PUBLIC KEY" => What::PublicKey,
        other => {
            labelled_algorithm(label)?;
            if other.ends_with("PRIVATE KEY") {
                What::PrivateKey
            } else {
                What::PublicKey
            }
        }
    })
}

/// The algorithm that a label of CIRCL names (`MarshalPEMPrivateKey` in `pki/pki.go`).
pub(super) fn labelled_algorithm(label: Label) -> Option<&'static str> {
    let text = label.as_str();
    let name = text.strip_suffix(" PRIVATE KEY");
    let name = name.or_else(|| text.strip_suffix(" PUBLIC KEY"))?;
    algorithm::parse(name)
        .ok()
        .map(|algorithm| algorithm.name())
}

/// Whether this is one SEQUENCE in DER, from the first byte to the last.
pub(super) fn is_whole_sequence(bytes: &[u8]) -> bool {
    sequence_length(bytes).is_some_and(|length| usize::try_from(length) == Ok(bytes.len()))
}

/// The length of the SEQUENCE that begins here, with its header, as the header states it.
pub(super) fn sequence_length(bytes: &[u8]) -> Option<u64> {
    let mut reader = SliceReader::new(bytes.strip_prefix(&[0x30])?).ok()?;
    let length = Length::decode(&mut reader).ok()?;
    let header = 1 + u64::from(u32::from(reader.position()));
    Some(header + u64::from(u32::from(length)))
}

/// Distinguishes documents by the types of the first two fields of the outer SEQUENCE. The result is `None` for an
/// encrypted private key.
fn classify(der: &[u8]) -> Result<Option<Body>, KeyError> {
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
    Ok(Some(match (first, second) {
        (Tag::Integer, Tag::Sequence) => {
            Body::PrivateKey(PrivateKeyInfoRef::from_der(der)?.algorithm.oid)
        }
        (Tag::Sequence, Tag::BitString) => {
            Body::PublicKey(SubjectPublicKeyInfoRef::from_der(der)?.algorithm.oid)
        }
        (Tag::Sequence, Tag::Sequence) => match CertReq::from_der(der) {
            Ok(request) => Body::Request(request.into()),
            Err(_) => Body::Certificate(Certificate::from_der(der)?.into()),
        },
        (Tag::Sequence, Tag::OctetString) => return Ok(None),
        _ => return Err(KeyError::Unrecognised),
    }))
}

/// Properties of raw bytes that are known from the command line.
#[derive(Clone, Copy)]
pub(crate) struct Expected<'a> {
    /// The value of `--algorithm`.
    pub(crate) algorithm: Option<Algorithm>,
    /// The kind that the command needs, or the value of `--kind`.
    pub(crate) what: Option<What>,
    /// The options that resolve an ambiguity.
    pub(crate) options: &'static str,
    /// The source of the passphrase of an encrypted private key.
    pub(crate) passphrase: Option<&'a PassphraseArgs>,
}

impl<'a> Expected<'a> {
    /// Adds the source of the passphrase.
    pub(crate) fn with_passphrase(self, passphrase: &'a PassphraseArgs) -> Self {
        Self {
            passphrase: Some(passphrase),
            ..self
        }
    }

    /// For a command that takes a key of one kind and has the option `--algorithm`.
    pub(crate) fn key(what: What, algorithm: Option<Algorithm>) -> Self {
        Self {
            algorithm,
            what: Some(what),
            options: "--algorithm",
            passphrase: None,
        }
    }

    /// For a command that takes any content and has the options `--algorithm` and `--kind`.
    pub(crate) fn anything(what: Option<What>, algorithm: Option<Algorithm>) -> Self {
        Self {
            algorithm,
            what,
            options: "--algorithm and --kind",
            passphrase: None,
        }
    }

    /// For a command that has neither of these options.
    pub(crate) fn document(what: Option<What>) -> Self {
        Self {
            algorithm: None,
            what,
            options: "`moissanite convert`, which writes it as PEM",
            passphrase: None,
        }
    }
}

/// Whether raw bytes of this length have an interpretation.
pub(super) fn is_raw(bytes: &[u8]) -> bool {
    !raw(bytes).is_empty()
}

/// All interpretations of raw bytes, by their number.
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

/// The only interpretation of raw bytes that `expected` allows. Nothing is guessed: if there are
/// several, the error lists them.
pub(super) fn recognise_raw(
    bytes: &[u8],
    expected: &Expected<'_>,
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
        // The bytes are of one kind, which is not the expected one: the caller reports that.
        ([], [found, rest @ ..]) if rest.iter().all(|(what, _)| *what == found.0) => Ok(*found),
        ([], [_, ..]) => Err(KeyError::RawOther {
            actual: bytes.len(),
            wanted: expected.what,
        }),
        ([], []) => Err(no_raw_length(bytes, expected.algorithm)),
    }
}

/// A list such as "a private key of ML-DSA-44 or Ed25519, or a public key of Ed25519".
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
        // Only a long header is evidence of a document; raw bytes can begin with '0' by chance.
        (Some(expected), _) if matches!(bytes, [0x30, 0x81..=0x82, ..]) => {
            KeyError::DerLength { expected, actual }
        }
        (_, Some(algorithm)) => KeyError::RawLengthOf {
            name: algorithm.name(),
            public: algorithm.sizes().public,
            private: algorithm.sizes().private,
            seed: algorithm.seed_len(),
            actual,
        },
        _ => KeyError::RawLength(actual),
    }
}
