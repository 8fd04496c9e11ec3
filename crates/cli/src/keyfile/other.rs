//! Keys of algorithms that this command does not use: their names and sizes.

use der::asn1::AnyRef;
use der::oid::ObjectIdentifier;
use der::{Decode, Tag};
use zeroize::Zeroizing;

use super::encoding::Encoding;
use super::lenient::{Identifier, Structure, fields};
use crate::fingerprint;
use crate::key_error::What;
use crate::oid_names;
use crate::pem;

const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
const RSA_PSS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.10");

/// A key of another algorithm.
pub(crate) struct OtherKey {
    pub(crate) what: What,
    pub(crate) encoding: Encoding,
    pub(crate) oid: ObjectIdentifier,
    /// The name with the size, if both are known.
    pub(crate) name: String,
    /// The fingerprint of a public key. That of a private key would need the algorithm.
    pub(crate) fingerprint: Option<String>,
}

impl OtherKey {
    /// The key in a file, if it is not encrypted.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        let (encoding, der) = match pem::decode(bytes) {
            Ok((_, der)) => (Encoding::Pem, der),
            Err(_) => (Encoding::Der, Zeroizing::new(bytes.to_vec())),
        };
        let (what, identifier, key) = match Structure::of(&der).ok()? {
            Structure::Private(fields) => (What::PrivateKey, *fields.get(1)?, *fields.get(2)?),
            Structure::Public(algorithm, key) => (What::PublicKey, algorithm, key),
            Structure::Encrypted | Structure::Signed(_) => return None,
        };
        let identifier = Identifier::of(identifier).ok()?;
        Some(Self {
            what,
            encoding,
            oid: identifier.oid,
            name: name(&identifier, what, key),
            fingerprint: (what == What::PublicKey).then(|| fingerprint::of(&der)),
        })
    }
}

/// The name of the algorithm of a SubjectPublicKeyInfo in DER, with its size.
pub(crate) fn public_key_name(der: &[u8]) -> Option<String> {
    let Ok(Structure::Public(algorithm, key)) = Structure::of(der) else {
        return None;
    };
    let identifier = Identifier::of(algorithm).ok()?;
    Some(name(&identifier, What::PublicKey, key))
}

fn name(identifier: &Identifier, what: What, key: AnyRef<'_>) -> String {
    let oid = identifier.oid;
    let name = oid_names::of(oid).map_or_else(|| oid.to_string(), str::to_owned);
    let ((Tag::BitString, [0, contents @ ..]) | (Tag::OctetString, contents)) =
        (key.header().tag(), key.value())
    else {
        return name;
    };
    match (identifier.curve, modulus_bits(contents, what)) {
        (Some(curve), _) => format!("{name}, {}", oid_names::with_oid(curve)),
        (None, Some(bits)) if [RSA, RSA_PSS].contains(&oid) => format!("{name}, {bits} bits"),
        _ if what == What::PublicKey => format!("{name}, {} bytes", contents.len()),
        _ => name,
    }
}

/// The number of bits of the modulus of RSA (RFC 8017, appendix A.1). A private key has a version before it.
fn modulus_bits(key: &[u8], what: What) -> Option<usize> {
    let fields = fields(AnyRef::from_der(key).ok()?).ok()?;
    let modulus = match what {
        What::PrivateKey => fields.get(1)?,
        _ => fields.first()?,
    };
    let mut bytes = modulus.value();
    while let [0, rest @ ..] = bytes {
        bytes = rest;
    }
    let zeros = usize::try_from(bytes.first()?.leading_zeros()).ok()?;
    Some(8 * bytes.len() - zeros)
}
