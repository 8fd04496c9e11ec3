//! Reads keys in documents whose structure deviates from the standards, and lists the deviations. Nothing
//! here is checked except lengths: [`super::repair`] checks the key.

use der::asn1::AnyRef;
use der::oid::ObjectIdentifier;
use der::{Decode, Encode, Reader, SliceReader, Tag, TagNumber};
use zeroize::Zeroizing;

use super::deviation::Deviation;
use super::known;
use crate::algorithm;
use crate::algorithm::scheme::Algorithm;
use crate::key_error::{KeyError, What};

/// The parts of a key.
pub(super) struct Parts {
    pub(super) algorithm: Algorithm,
    pub(super) what: What,
    pub(super) seed: Option<Zeroizing<Vec<u8>>>,
    pub(super) expanded: Option<Zeroizing<Vec<u8>>>,
    /// The public key, or those beside a private key.
    pub(super) public: Vec<Vec<u8>>,
    pub(super) deviations: Vec<Deviation>,
}

/// One SEQUENCE in DER, by its first fields.
pub(super) enum Structure<'a> {
    /// Three fields or more: version, algorithm, private key.
    Private(Vec<AnyRef<'a>>),
    /// Two fields: algorithm, public key.
    Public(AnyRef<'a>, AnyRef<'a>),
    /// An encrypted private key.
    Encrypted,
    /// A certificate or a request for one; the field is its SubjectPublicKeyInfo in DER.
    Signed(Vec<u8>),
}

impl<'a> Structure<'a> {
    /// Recognises the DER of a key, or of a document with a public key.
    pub(super) fn of(der: &'a [u8]) -> Result<Self, KeyError> {
        let fields = fields(AnyRef::from_der(der)?)?;
        let tags: Vec<_> = fields.iter().map(|field| field.header().tag()).collect();
        match (fields.as_slice(), tags.as_slice()) {
            (_, [Tag::Integer, Tag::Sequence, _, ..]) => Ok(Self::Private(fields)),
            ([algorithm, key], [Tag::Sequence, Tag::BitString]) => {
                Ok(Self::Public(*algorithm, *key))
            }
            // An encrypted key has another algorithm, which has parameters.
            ([algorithm, key], [Tag::Sequence, Tag::OctetString]) => {
                let is_key = Identifier::of(*algorithm).is_ok_and(|id| !id.algorithms().is_empty());
                Ok(match is_key {
                    true => Self::Public(*algorithm, *key),
                    false => Self::Encrypted,
                })
            }
            (_, [Tag::Sequence, Tag::Sequence, Tag::BitString]) => signed(der),
            _ => Err(KeyError::Unrecognised),
        }
    }
}

fn signed<'a>(der: &[u8]) -> Result<Structure<'a>, KeyError> {
    use x509_cert::Certificate;
    use x509_cert::request::CertReq;

    let key = match CertReq::from_der(der) {
        Ok(request) => request.info.public_key.to_der()?,
        Err(_) => {
            let certificate = Certificate::from_der(der)?;
            let body = certificate.tbs_certificate();
            body.subject_public_key_info().to_der()?
        }
    };
    Ok(Structure::Signed(key))
}

/// The fields of a constructed value.
pub(crate) fn fields(value: AnyRef<'_>) -> Result<Vec<AnyRef<'_>>, KeyError> {
    let mut reader = SliceReader::new(value.value())?;
    let mut fields = Vec::new();
    while !reader.is_finished() {
        fields.push(AnyRef::decode(&mut reader)?);
    }
    Ok(fields)
}

/// An AlgorithmIdentifier.
pub(super) struct Identifier {
    pub(super) oid: ObjectIdentifier,
    /// The parameters that are an identifier, such as that of a curve.
    pub(super) curve: Option<ObjectIdentifier>,
    parameters: Option<Tag>,
}

impl Identifier {
    pub(super) fn of(value: AnyRef<'_>) -> Result<Self, KeyError> {
        let fields = fields(value)?;
        let (oid, rest) = fields.split_first().ok_or(KeyError::Unrecognised)?;
        Ok(Self {
            oid: oid.decode_as()?,
            curve: rest.first().and_then(|curve| curve.decode_as().ok()),
            parameters: rest.first().map(|parameters| parameters.header().tag()),
        })
    }

    /// The algorithms whose keys have this identifier, most probable first.
    fn algorithms(&self) -> Vec<Algorithm> {
        let standard = algorithm::by_oid(self.oid).into_iter();
        let other = known::predecessors(self.oid).into_iter();
        standard.chain(other).collect()
    }

    /// What differs from the identifier of a key of this algorithm.
    fn deviations(&self, algorithm: Algorithm) -> Vec<Deviation> {
        let parameters = self.parameters.map(|tag| match tag {
            Tag::Null => Deviation::NullParameters,
            _ => Deviation::Parameters,
        });
        let is_draft = known::is_draft(self.oid);
        let oid = match (algorithm.oid(), algorithm::by_oid(self.oid)) {
            (Some(oid), _) if oid == self.oid => None,
            (_, Some(_)) => Some(Deviation::Round3Key),
            _ if is_draft => Some(Deviation::DraftOid),
            _ => Some(Deviation::Round3Oid),
        };
        parameters.into_iter().chain(oid).collect()
    }

    /// The algorithm, of those with this identifier, for which `read` finds a key.
    fn choose<T>(
        &self,
        asked: Option<Algorithm>,
        read: impl Fn(Algorithm) -> Option<T>,
    ) -> Result<(Algorithm, T), KeyError> {
        let mut all = self.algorithms();
        let first = *all.first().ok_or(KeyError::Foreign(self.oid))?;
        all.retain(|one| asked.is_none_or(|asked| asked.name() == one.name()));
        if all.is_empty() {
            return Err(KeyError::OtherAlgorithm {
                found: first.name(),
                asked: asked.map_or("another algorithm", |asked| asked.name()),
            });
        }
        let mut found = all.into_iter().filter_map(|one| Some((one, read(one)?)));
        found.next().ok_or(KeyError::NoKeyOf(first.name()))
    }
}

/// Reads the private key of a PKCS#8 document.
pub(super) fn private(fields: &[AnyRef<'_>], asked: Option<Algorithm>) -> Result<Parts, KeyError> {
    let [version, algorithm, key, rest @ ..] = fields else {
        return Err(KeyError::Unrecognised);
    };
    let identifier = Identifier::of(*algorithm)?;
    let contents = match key.header().tag() {
        Tag::OctetString => key.value().to_vec(),
        _ => key.to_der()?,
    };
    let contents = Zeroizing::new(contents);
    let (algorithm, (wraps, leaf)) = identifier.choose(asked, |one| leaf(&contents, one, 0))?;
    let mut deviations = identifier.deviations(algorithm);
    if key.header().tag() != Tag::OctetString {
        deviations.push(Deviation::NotInOctetString);
    }
    deviations.extend(leaf.deviation(&wraps, algorithm));
    let mut public = leaf.public;
    let beside = rest.iter().find(|field| is_tagged(field, 1));
    if let Some(field) = beside {
        let (key, deviation) = public_beside(*field, algorithm);
        public.extend(key);
        deviations.extend(deviation);
    }
    deviations.extend(match (version.value(), beside) {
        ([0], Some(_)) => Some(Deviation::VersionOfPublic),
        ([1], None) => Some(Deviation::VersionWithoutPublic),
        ([0 | 1], _) => None,
        _ => Some(Deviation::Version),
    });
    Ok(Parts {
        algorithm,
        what: What::PrivateKey,
        seed: leaf.seed,
        expanded: leaf.expanded,
        public,
        deviations,
    })
}

/// Reads a SubjectPublicKeyInfo.
pub(super) fn public(
    algorithm: AnyRef<'_>,
    key: AnyRef<'_>,
    asked: Option<Algorithm>,
) -> Result<Parts, KeyError> {
    let identifier = Identifier::of(algorithm)?;
    let (bytes, mut found) = match (key.header().tag(), key.value()) {
        (Tag::BitString, [0, bytes @ ..]) => (bytes, vec![]),
        (Tag::BitString, [unused, bytes @ ..]) => (bytes, vec![Deviation::UnusedBits(*unused)]),
        (_, bytes) => (bytes, vec![Deviation::PublicInOctetString]),
    };
    let (algorithm, (key, wrapped)) =
        identifier.choose(asked, |one| public_within(bytes, one, 0))?;
    found.extend(wrapped.then_some(Deviation::PublicWrapped));
    let deviations = identifier.deviations(algorithm);
    Ok(Parts {
        algorithm,
        what: What::PublicKey,
        seed: None,
        expanded: None,
        public: vec![key],
        deviations: deviations.into_iter().chain(found).collect(),
    })
}

/// How often a key may be wrapped.
const DEPTH: usize = 4;

/// A public key, and whether it was in a further string.
fn public_within(bytes: &[u8], algorithm: Algorithm, depth: usize) -> Option<(Vec<u8>, bool)> {
    if bytes.len() == algorithm.sizes().public {
        return Some((bytes.to_vec(), depth > 0));
    }
    let any = AnyRef::from_der(bytes).ok().filter(|_| depth < DEPTH)?;
    let ((Tag::OctetString, inner) | (Tag::BitString, [0, inner @ ..])) =
        (any.header().tag(), any.value())
    else {
        return None;
    };
    public_within(inner, algorithm, depth + 1)
}

/// The public key beside a private key, and a deviation of its type.
fn public_beside(field: AnyRef<'_>, algorithm: Algorithm) -> (Option<Vec<u8>>, Option<Deviation>) {
    let length = algorithm.sizes().public;
    match field.value() {
        [0, key @ ..] if key.len() == length && !field.header().tag().is_constructed() => {
            (Some(key.to_vec()), None)
        }
        other => {
            let found = public_within(other, algorithm, 0);
            (found.map(|(key, _)| key), Some(Deviation::PublicTag))
        }
    }
}

fn is_tagged(field: &AnyRef<'_>, wanted: u32) -> bool {
    matches!(field.header().tag(), Tag::ContextSpecific { number, .. } if number == TagNumber(wanted))
}

/// A type around the bytes of a private key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrap {
    /// [0] IMPLICIT OCTET STRING.
    Tagged,
    OctetString,
    Sequence,
    /// Another type that contains bytes.
    Other,
}

/// The bytes of a private key, without the types around them.
#[derive(Default)]
struct Leaf {
    seed: Option<Zeroizing<Vec<u8>>>,
    expanded: Option<Zeroizing<Vec<u8>>>,
    public: Vec<Vec<u8>>,
}

impl Leaf {
    /// Divides bytes by the lengths of a key's parts.
    fn of(bytes: &[u8], algorithm: Algorithm) -> Option<Self> {
        let (seed, sizes) = (algorithm.seed_len(), algorithm.sizes());
        // In this order, so that a key that is its seed is one.
        let combinations: [&[Part]; 5] = [
            &[Part::Seed],
            &[Part::Expanded],
            &[Part::Expanded, Part::Public],
            &[Part::Seed, Part::Public],
            &[Part::Seed, Part::Expanded],
        ];
        let length = |part: &Part| match part {
            Part::Seed => seed,
            Part::Expanded => sizes.private,
            Part::Public => sizes.public,
        };
        let fits = |parts: &&&[Part]| parts.iter().map(length).sum::<usize>() == bytes.len();
        let mut found = Self::default();
        let mut rest = bytes;
        for part in *combinations.iter().find(fits)? {
            let (bytes, after) = rest.split_at_checked(length(part))?;
            rest = after;
            match part {
                Part::Seed => found.seed = Some(Zeroizing::new(bytes.to_vec())),
                Part::Expanded => found.expanded = Some(Zeroizing::new(bytes.to_vec())),
                Part::Public => found.public.push(bytes.to_vec()),
            }
        }
        Some(found)
    }

    fn merge(&mut self, other: Self) {
        self.seed = self.seed.take().or(other.seed);
        self.expanded = self.expanded.take().or(other.expanded);
        self.public.extend(other.public);
    }

    /// How the types around this key deviate from those of its algorithm.
    fn deviation(&self, wraps: &[Wrap], algorithm: Algorithm) -> Option<Deviation> {
        let has_forms = algorithm.sizes().private != algorithm.seed_len();
        let standard: &[Wrap] = match (&self.seed, &self.expanded) {
            (Some(_), Some(_)) => &[Wrap::Sequence],
            (_, Some(_)) => &[Wrap::OctetString],
            _ if has_forms => &[Wrap::Tagged],
            // RFC 8410, section 7.
            _ if algorithm.seed_len() == 32 => &[Wrap::OctetString],
            // The composites: the bytes themselves.
            _ => &[],
        };
        if !self.public.is_empty() {
            return Some(Deviation::PublicAppended);
        }
        if wraps == standard {
            return None;
        }
        Some(match (wraps, &self.expanded) {
            ([], None) => Deviation::BareSeed,
            ([], Some(_)) => Deviation::BareExpanded,
            ([Wrap::OctetString], None) if has_forms => Deviation::OctetSeed,
            _ => Deviation::Wrapped,
        })
    }
}

#[derive(Clone, Copy)]
enum Part {
    Seed,
    Expanded,
    Public,
}

/// The private key of an algorithm within `bytes`, and the types around it from the outermost one.
fn leaf(bytes: &[u8], algorithm: Algorithm, depth: usize) -> Option<(Vec<Wrap>, Leaf)> {
    if let Some(leaf) = Leaf::of(bytes, algorithm) {
        return Some((vec![], leaf));
    }
    let any = AnyRef::from_der(bytes).ok().filter(|_| depth < DEPTH)?;
    let (wrap, inner) = match (any.header().tag(), any.value()) {
        (
            Tag::ContextSpecific {
                constructed: false,
                number: TagNumber(0),
            },
            inner,
        ) => (Wrap::Tagged, inner),
        (Tag::OctetString, inner) => (Wrap::OctetString, inner),
        (Tag::BitString, [0, inner @ ..]) => (Wrap::Other, inner),
        (Tag::ContextSpecific { .. }, inner) => (Wrap::Other, inner),
        (Tag::Sequence, _) => return sequence(any, algorithm, depth),
        _ => return None,
    };
    let (mut wraps, leaf) = leaf(inner, algorithm, depth + 1)?;
    wraps.insert(0, wrap);
    Some((wraps, leaf))
}

/// A SEQUENCE with a seed, an expanded key, a public key, or several of them.
fn sequence(any: AnyRef<'_>, algorithm: Algorithm, depth: usize) -> Option<(Vec<Wrap>, Leaf)> {
    let mut all = Leaf::default();
    let mut is_standard = true;
    for field in fields(any).ok()? {
        let Some((wraps, found)) = (match (field.header().tag(), field.value()) {
            // A version.
            (Tag::Integer, _) => None,
            (_, value)
                if value.len() == algorithm.sizes().public
                    && value.len() != algorithm.seed_len() =>
            {
                let public = vec![value.to_vec()];
                let found = Leaf {
                    public,
                    ..Leaf::default()
                };
                Some((vec![Wrap::Other], found))
            }
            _ => {
                let der = Zeroizing::new(field.to_der().ok()?);
                leaf(&der, algorithm, depth + 1)
            }
        }) else {
            is_standard = false;
            continue;
        };
        is_standard &= wraps == [Wrap::OctetString];
        all.merge(found);
    }
    let wrap = if is_standard {
        Wrap::Sequence
    } else {
        Wrap::Other
    };
    (all.seed.is_some() || all.expanded.is_some()).then_some((vec![wrap], all))
}
