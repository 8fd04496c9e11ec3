//! Files that hold keys or signatures in formats which other programs and crates read, recognised by their
//! first bytes or their label.

use der::asn1::AnyRef;
use der::{Decode, Reader, SliceReader, Tag};

use super::lenient::Structure;
use super::recognise::is_raw;
use crate::pem;

/// A file in a format of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign {
    /// A JSON Web Key of ML-DSA.
    JsonWebKey,
    /// A JSON Web Key of another algorithm, or a set of keys.
    OtherJsonWebKey,
    /// A key of COSE.
    CoseKey,
    /// A private key of OpenSSH.
    SshPrivate,
    /// A public key of OpenSSH.
    SshPublic,
    /// A signature of OpenSSH.
    SshSignature,
    /// A public key in the format of RFC 4716.
    Ssh2Public,
    /// A message of CMS or PKCS#7.
    Cms,
    /// A revocation list.
    Crl,
    /// A store of keys in PKCS#12.
    Pkcs12,
    /// A store of keys of Java.
    JavaKeyStore,
    /// A key of PuTTY.
    Putty,
    /// A key or a message of OpenPGP.
    OpenPgp,
    /// A key of minisign or signify.
    Minisign,
    /// A key of age.
    Age,
    /// A private key of cosign, which encrypts it.
    Cosign,
    /// A private key in the form that PKCS#8 replaced.
    Traditional,
}

/// The beginnings of text, and the labels of PEM text.
const TEXTS: &[(&str, Foreign)] = &[
    ("PuTTY-User-Key-File-", Foreign::Putty),
    ("untrusted comment:", Foreign::Minisign),
    ("AGE-SECRET-KEY-", Foreign::Age),
    ("---- BEGIN SSH2 PUBLIC KEY", Foreign::Ssh2Public),
];
const LABELS: &[(&str, Foreign)] = &[
    ("OPENSSH PRIVATE KEY", Foreign::SshPrivate),
    ("SSH SIGNATURE", Foreign::SshSignature),
    ("PGP ", Foreign::OpenPgp),
    ("CMS", Foreign::Cms),
    ("PKCS7", Foreign::Cms),
    ("X509 CRL", Foreign::Crl),
    ("RSA PRIVATE KEY", Foreign::Traditional),
    ("RSA PUBLIC KEY", Foreign::Traditional),
    ("DSA PRIVATE KEY", Foreign::Traditional),
    ("EC PRIVATE KEY", Foreign::Traditional),
    ("DSA PARAMETERS", Foreign::Traditional),
    ("EC PARAMETERS", Foreign::Traditional),
    ("ENCRYPTED SIGSTORE PRIVATE KEY", Foreign::Cosign),
    ("ENCRYPTED COSIGN PRIVATE KEY", Foreign::Cosign),
];

impl Foreign {
    /// Recognises a file by its first bytes.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = text.trim_ascii_start();
        let uncommented = after_comments(text);
        if let Some((_, found)) = TEXTS
            .iter()
            .find(|(beginning, _)| uncommented.starts_with(beginning.as_bytes()))
        {
            return Some(*found);
        }
        if let Some(label) = pem::first_label(bytes) {
            let found = LABELS.iter().find(|(name, _)| {
                label == name.as_bytes()
                    || (name.ends_with(' ') && label.starts_with(name.as_bytes()))
            });
            // A key of PKCS#8 with a wrong label is a key of PKCS#8.
            let is_key = || pem::decode(bytes).is_ok_and(|(_, der)| Structure::of(&der).is_ok());
            return found.map(|(_, found)| *found).filter(|_| !is_key());
        }
        match text {
            [b'{', ..] => json(text),
            _ if is_ssh_public(text) => Some(Self::SshPublic),
            // Raw keys can begin like any of the others.
            _ if is_raw(bytes) => None,
            [0xfe, 0xed, 0xfe, 0xed, ..] | [0xce, 0xce, 0xce, 0xce, ..] => Some(Self::JavaKeyStore),
            // A map whose first key is 1, the type, with the value AKP (RFC 9964).
            [0xa2..=0xb7, 0x01, 0x07, ..] => Some(Self::CoseKey),
            _ => der(bytes),
        }
    }

    /// What it is.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::JsonWebKey => "a JSON Web Key of ML-DSA",
            Self::OtherJsonWebKey => "a JSON Web Key of another algorithm, or a set of keys",
            Self::CoseKey => "a key of COSE",
            Self::SshPrivate => "a private key of OpenSSH",
            Self::SshPublic => "a public key of OpenSSH",
            Self::SshSignature => "a signature of OpenSSH",
            Self::Ssh2Public => "a public key of SSH in the format of RFC 4716",
            Self::Cms => "a message of CMS or PKCS#7",
            Self::Crl => "a certificate revocation list",
            Self::Pkcs12 => "a store of keys in PKCS#12",
            Self::JavaKeyStore => "a store of keys of Java (JKS or JCEKS)",
            Self::Putty => "a private key of PuTTY",
            Self::OpenPgp => "a key or a message of OpenPGP",
            Self::Minisign => "a key or a signature of minisign or signify",
            Self::Age => "a key of age",
            Self::Cosign => "a private key of cosign, encrypted",
            Self::Traditional => "a key of RSA, DSA or EC in the form before PKCS#8",
        }
    }

    /// The name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::JsonWebKey | Self::OtherJsonWebKey => "json_web_key",
            Self::CoseKey => "cose_key",
            Self::SshPrivate => "ssh_private_key",
            Self::SshPublic | Self::Ssh2Public => "ssh_public_key",
            Self::SshSignature => "ssh_signature",
            Self::Cms => "cms",
            Self::Crl => "crl",
            Self::Pkcs12 => "pkcs12",
            Self::JavaKeyStore => "java_key_store",
            Self::Putty => "putty_key",
            Self::OpenPgp => "openpgp",
            Self::Minisign => "minisign",
            Self::Age => "age_key",
            Self::Cosign => "cosign_key",
            Self::Traditional => "traditional_key",
        }
    }

    /// What reads it.
    pub(crate) fn readers(self) -> &'static [&'static str] {
        match self {
            Self::JsonWebKey => &["the crate moissanite-tokens, in its module jose"],
            Self::CoseKey => &["the crate moissanite-tokens, in its module cose"],
            Self::SshPrivate | Self::SshPublic | Self::SshSignature => &[
                "`moissanite -Y`, in place of `ssh-keygen -Y`",
                "the crate moissanite-ssh",
                "`moissanite inspect`, which describes it",
            ],
            Self::Ssh2Public => {
                &["`ssh-keygen -i -f`, which makes a public key of OpenSSH from it"]
            }
            Self::Cms => &[
                "the crate moissanite-cms",
                "`moissanite inspect`, which describes it",
            ],
            Self::Crl => &["`moissanite inspect`, which describes it"],
            Self::Pkcs12 => &["`openssl pkcs12 -nodes -in`, which writes its keys in PEM"],
            Self::JavaKeyStore => &[
                "`keytool -importkeystore -deststoretype PKCS12`, which makes a store of PKCS#12 from it",
            ],
            Self::Putty => &["puttygen"],
            Self::OpenPgp => &["`gpg`"],
            Self::Minisign => &["minisign, or signify"],
            Self::Age => &["age"],
            Self::Cosign => &["cosign"],
            Self::OtherJsonWebKey | Self::Traditional => &[],
        }
    }

    /// Whether it is a secret.
    pub(crate) fn is_secret(self) -> bool {
        matches!(
            self,
            Self::SshPrivate | Self::Putty | Self::Age | Self::Traditional
        )
    }
}

/// The text after the comments with which `age-keygen` begins a file.
fn after_comments(mut text: &[u8]) -> &[u8] {
    while text.first() == Some(&b'#') {
        let end = text.iter().position(|byte| *byte == b'\n');
        let rest = end.and_then(|end| text.get(end..)).unwrap_or_default();
        text = rest.trim_ascii_start();
    }
    text
}

fn json(text: &[u8]) -> Option<Foreign> {
    let text = std::str::from_utf8(text).ok()?;
    let compact: String = text.split_whitespace().collect();
    if compact.contains("\"kty\":\"AKP\"") {
        Some(Foreign::JsonWebKey)
    } else if compact.contains("\"kty\":") {
        Some(Foreign::OtherJsonWebKey)
    } else {
        None
    }
}

/// Whether the text begins with the name of an algorithm of SSH and base64 that repeats its length.
fn is_ssh_public(text: &[u8]) -> bool {
    let mut words = text.split(u8::is_ascii_whitespace);
    let name = words.next().unwrap_or_default();
    let is_name = ["ssh-", "ecdsa-", "sk-"]
        .iter()
        .any(|start| name.starts_with(start.as_bytes()));
    is_name && words.next().is_some_and(|key| key.starts_with(b"AAAA"))
}

fn der(bytes: &[u8]) -> Option<Foreign> {
    let outer = AnyRef::from_der(bytes).ok()?;
    let mut reader = SliceReader::new(outer.value()).ok()?;
    let first = AnyRef::decode(&mut reader).ok()?;
    let second = AnyRef::decode(&mut reader).ok()?;
    // id-signedData and its neighbours: 1.2.840.113549.1.7.
    let is_pkcs7 =
        |value: &[u8]| value.starts_with(&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07]);
    match (first.header().tag(), first.value(), second.header().tag()) {
        (Tag::Sequence, _, Tag::Sequence) if is_crl(first) => Some(Foreign::Crl),
        (Tag::ObjectIdentifier, value, _) if is_pkcs7(value) && reader.is_finished() => {
            Some(Foreign::Cms)
        }
        (Tag::Integer, [3], Tag::Sequence) => {
            let content = AnyRef::from_der(second.value().get(..11)?).ok()?;
            is_pkcs7(content.value()).then_some(Foreign::Pkcs12)
        }
        _ => None,
    }
}

/// Whether these are the fields of TBSCertList (RFC 5280, section 5.1): a time follows the issuer, where a
/// certificate has a SEQUENCE.
fn is_crl(fields: AnyRef<'_>) -> bool {
    let tags = || {
        let mut reader = SliceReader::new(fields.value())?;
        let mut next = || AnyRef::decode(&mut reader).map(|field| field.header().tag());
        Ok::<_, der::Error>([next()?, next()?, next()?, next()?])
    };
    let is_time = |tag: Tag| matches!(tag, Tag::UtcTime | Tag::GeneralizedTime);
    tags().is_ok_and(|tags| match tags {
        [Tag::Integer, Tag::Sequence, Tag::Sequence, time]
        | [Tag::Sequence, Tag::Sequence, time, _] => is_time(time),
        _ => false,
    })
}
