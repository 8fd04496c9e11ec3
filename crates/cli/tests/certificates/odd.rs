//! Certificates that violate RFC 5280, as no correct authority issues them.

use std::time::Duration;

use moissanite::pkcs8::spki::{self, AlgorithmIdentifierOwned, DynSignatureAlgorithmIdentifier};
use moissanite::signature::Keypair;
use moissanite::{MlDsa44, Signature, SigningKey, VerifyingKey, keys, prelude::*};
use x509_cert::builder::profile::BuilderProfile;
use x509_cert::builder::{self, Builder, CertificateBuilder};
use x509_cert::der::asn1::{Any, BitString, OctetString};
use x509_cert::der::oid::{AssociatedOid, ObjectIdentifier};
use x509_cert::der::pem::{LineEnding, encode_string};
use x509_cert::der::{DateTime, Decode, Encode, Tag};
use x509_cert::ext::pkix::{
    BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages, NameConstraints, SubjectAltName,
};
use x509_cert::ext::{Extension, ToExtension};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{
    SignatureBitStringEncoding, SubjectPublicKeyInfoOwned, SubjectPublicKeyInfoRef,
};
use x509_cert::time::Validity;
use x509_cert::{Certificate, TbsCertificate};

use crate::common::Folder;

pub(crate) const UNKNOWN: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.32473.1");
/// rsaEncryption.
pub(crate) const FOREIGN: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");

/// A certificate. The keys of both come from the lengths of their names.
#[derive(Clone)]
pub(crate) struct Odd {
    pub(crate) name: &'static str,
    pub(crate) key: [u8; 32],
    pub(crate) issuer: (&'static str, [u8; 32]),
    pub(crate) extensions: Vec<Extension>,
    pub(crate) valid: Validity,
    /// In the identifier of the signature.
    pub(crate) parameters: Option<Any>,
    /// Beside what is signed, in place of the algorithm of the signature.
    pub(crate) outer: Option<ObjectIdentifier>,
    /// In place of the name.
    pub(crate) subject: Option<Name>,
    /// In place of the issuer's name.
    pub(crate) issuer_name: Option<Name>,
    /// Changes the key that is certified.
    pub(crate) change_key: fn(&mut SubjectPublicKeyInfoOwned),
    /// Changes the signed part, without the header.
    pub(crate) change_body: fn(&mut Vec<u8>),
}

impl Odd {
    pub(crate) fn new(
        name: &'static str,
        issuer: &'static str,
        extensions: Vec<Extension>,
    ) -> Self {
        let key = |name: &str| [name.len().try_into().unwrap(); 32];
        Self {
            name,
            key: key(name),
            issuer: (issuer, key(issuer)),
            extensions,
            valid: Validity::from_now(Duration::from_secs(3600)).unwrap(),
            parameters: None,
            outer: None,
            subject: None,
            issuer_name: None,
            change_key: |_| (),
            change_body: |_| (),
        }
    }

    /// Under its name.
    pub(crate) fn write(&self, folder: &Folder) {
        self.write_as(folder, &format!("{}.der", self.name));
    }

    pub(crate) fn write_as(&self, folder: &Folder, file: &str) {
        folder.write(file, self.to_der());
    }

    pub(crate) fn to_der(&self) -> Vec<u8> {
        let key = |seed: &[u8; 32]| SigningKey::<MlDsa44>::from_seed(&(*seed).into());
        let mut spki = SubjectPublicKeyInfoOwned::from_key(key(&self.key).verifying_key()).unwrap();
        (self.change_key)(&mut spki);
        let serial = SerialNumber::from(1_u8);
        let mut builder = CertificateBuilder::new(self.clone(), serial, self.valid, spki).unwrap();
        let signer = OddSigner(key(&self.issuer.1), self.parameters.clone());
        let body = builder.finalize(&signer).unwrap();
        let mut body = Any::from_der(&body).unwrap().value().to_vec();
        (self.change_body)(&mut body);
        let body = sequence(&[&body]);
        let signature: Signature<MlDsa44> = signer.0.try_sign(&body).unwrap();
        let signature = signature.to_bitstring().unwrap().to_der().unwrap();
        let mut algorithm = signer.signature_algorithm_identifier().unwrap();
        algorithm.oid = self.outer.unwrap_or(algorithm.oid);
        sequence(&[&body, &algorithm.to_der().unwrap(), &signature])
    }
}

pub(crate) fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    let sequence = Any::new(Tag::Sequence, parts.concat()).unwrap();
    sequence.to_der().unwrap()
}

fn name(common_name: &str) -> Name {
    match common_name {
        "" => Name::default(),
        _ => format!("CN={common_name}").parse().unwrap(),
    }
}

impl BuilderProfile for Odd {
    fn get_issuer(&self, _: &Name) -> Name {
        let given = self.issuer_name.clone();
        given.unwrap_or_else(|| name(self.issuer.0))
    }
    fn get_subject(&self) -> Name {
        let given = self.subject.clone();
        given.unwrap_or_else(|| name(self.name))
    }
    fn build_extensions(
        &self,
        _: SubjectPublicKeyInfoRef<'_>,
        _: SubjectPublicKeyInfoRef<'_>,
        _: &TbsCertificate,
    ) -> builder::Result<Vec<Extension>> {
        Ok(self.extensions.clone())
    }
}

struct OddSigner(SigningKey<MlDsa44>, Option<Any>);
impl Keypair for OddSigner {
    type VerifyingKey = VerifyingKey<MlDsa44>;
    fn verifying_key(&self) -> Self::VerifyingKey {
        self.0.verifying_key().clone()
    }
}
impl DynSignatureAlgorithmIdentifier for OddSigner {
    fn signature_algorithm_identifier(&self) -> spki::Result<AlgorithmIdentifierOwned> {
        let (oid, parameters) = (keys::oid::<MlDsa44>(), self.1.clone());
        Ok(AlgorithmIdentifierOwned { oid, parameters })
    }
}

pub(crate) fn extension(extension: impl ToExtension<Error = der::Error>) -> Extension {
    extension.to_extension(&Name::default(), &[]).unwrap()
}

pub(crate) fn constraints(ca: bool, path_len_constraint: Option<u8>) -> Extension {
    extension(&BasicConstraints {
        ca,
        path_len_constraint,
    })
}

pub(crate) fn usage(usages: impl Into<der::flagset::FlagSet<KeyUsages>>) -> Extension {
    extension(&KeyUsage(usages.into()))
}

pub(crate) fn raw(oid: ObjectIdentifier, critical: bool, value: &[u8]) -> Extension {
    let (extn_id, extn_value) = (oid, OctetString::new(value).unwrap());
    Extension {
        extn_id,
        critical,
        extn_value,
    }
}

pub(crate) fn authority() -> Vec<Extension> {
    vec![constraints(true, None), usage(KeyUsages::KeyCertSign)]
}

/// The host `a`.
pub(crate) fn host() -> Extension {
    raw(SubjectAltName::OID, false, b"\x30\x03\x82\x01a")
}

/// Certificates with one error, at the end of the chain or as intermediates.
#[test]
fn certificates_with_missing_permissions() {
    let folder = Folder::new();
    Odd::new("root", "root", authority()).write(&folder);
    let verify = |more: &str| {
        folder.run(&format!(
            "cert verify leaf.der --intermediate middle.der --root root.der {more}"
        ))
    };
    let check = |middle: Vec<Extension>, leaf: Vec<Extension>, more: &str, says: &str| {
        Odd::new("middle", "root", middle).write(&folder);
        Odd::new("leaf", "middle", leaf).write(&folder);
        let ended = verify(more);
        assert_eq!(
            ended.status,
            i32::from(!says.is_empty()),
            "{says}: {}",
            ended.stderr
        );
        assert!(ended.stderr.contains(says), "{says}: {}", ended.stderr);
    };
    check(authority(), vec![], "", "");
    check(authority(), vec![raw(UNKNOWN, false, b"x")], "", "");
    check(vec![constraints(true, None)], vec![], "", "");
    check(
        authority(),
        vec![
            constraints(false, None),
            usage(KeyUsages::DigitalSignature | KeyUsages::NonRepudiation),
        ],
        "",
        "",
    );

    check(
        vec![],
        vec![],
        "",
        "leaf.der: its issuer middle.der may not issue certificates",
    );
    let without = "middle.der: its key usage includes keyCertSign, and it is not an authority";
    let middle = vec![constraints(false, None), usage(KeyUsages::KeyCertSign)];
    check(middle, vec![], "", without);
    check(
        vec![constraints(true, None), usage(KeyUsages::CRLSign)],
        vec![],
        "",
        "may not issue",
    );
    check(vec![usage(KeyUsages::KeyCertSign)], vec![], "", without);
    let twice = [authority(), vec![constraints(true, None)]].concat();
    check(
        twice,
        vec![],
        "",
        "middle.der: its extension 2.5.29.19 occurs twice",
    );
    for critical in [true, false] {
        let names = NameConstraints {
            permitted_subtrees: None,
            excluded_subtrees: None,
        };
        let names = raw(NameConstraints::OID, critical, &names.to_der().unwrap());
        let middle = [authority(), vec![names]].concat();
        check(
            middle,
            vec![],
            "",
            "middle.der: its extension 2.5.29.30 is malformed",
        );
    }
    let middle = [authority(), vec![raw(UNKNOWN, true, b"x")]].concat();
    check(
        middle,
        vec![],
        "",
        "middle.der: its critical extension 1.3.6.1.4.1.32473.1 is unknown",
    );
    check(
        authority(),
        vec![raw(UNKNOWN, true, b"x")],
        "",
        "leaf.der: its critical extension 1.3.6.1.4.1.32473.1 is unknown",
    );
    check(
        authority(),
        vec![raw(BasicConstraints::OID, true, b"x")],
        "",
        "leaf.der: its extension 2.5.29.19 is malformed",
    );
    for wrong in [
        KeyUsages::KeyEncipherment,
        KeyUsages::DataEncipherment,
        KeyUsages::KeyAgreement,
        KeyUsages::EncipherOnly,
        KeyUsages::DecipherOnly,
    ] {
        let leaf = vec![usage(KeyUsages::DigitalSignature | wrong)];
        check(
            authority(),
            leaf,
            "",
            "leaf.der: its key usage is not that of a signature key",
        );
    }
    let empty = "leaf.der: its extension 2.5.29.15 is malformed";
    check(authority(), vec![usage(None)], "", empty);

    let hosts = host();
    let purpose = |oid| extension(&ExtendedKeyUsage(vec![ObjectIdentifier::new_unwrap(oid)]));
    check(authority(), vec![hosts.clone()], "--host a", "");
    for (oid, says) in [
        ("1.3.6.1.5.5.7.3.1", ""),
        ("2.5.29.37.0", ""),
        ("1.3.6.1.5.5.7.3.2", "is not for the purpose server-auth"),
    ] {
        check(
            authority(),
            vec![hosts.clone(), purpose(oid)],
            "--host a",
            says,
        );
        check(
            [authority(), vec![purpose(oid)]].concat(),
            vec![hosts.clone()],
            "--host a",
            says,
        );
        check(authority(), vec![purpose(oid)], "", "");
    }
    check(authority(), vec![], "--host a", "not for the host");

    Odd::new(
        "root",
        "root",
        vec![constraints(true, Some(0)), usage(KeyUsages::KeyCertSign)],
    )
    .write(&folder);
    check(
        authority(),
        vec![],
        "",
        "middle.der: the path has more authorities than root.der allows",
    );
}

#[test]
fn identifiers_have_no_parameters() {
    let folder = Folder::new();
    Odd::new("root", "root", authority()).write(&folder);
    let mut odd = Odd::new("odd", "root", vec![]);
    odd.write(&folder);
    folder.ok("cert verify odd.der --root root.der");
    odd.parameters = Some(Any::null());
    odd.write(&folder);
    folder.fails(
        1,
        "cert verify odd.der --root root.der",
        "not signed by the key of root.der",
    );
}

/// A circle of authorities that issued each other, and many with one name: the search ends.
#[test]
fn circular_chains() {
    let folder = Folder::new();
    Odd::new("root", "root", authority()).write(&folder);
    for name in ["one", "three"] {
        let other = if name == "one" { "three" } else { "one" };
        Odd::new(name, other, authority()).write(&folder);
    }
    Odd::new("leaf", "one", vec![]).write(&folder);
    let says = "no issuer certificate was found: CN=one";
    folder.fails(
        1,
        "cert verify leaf.der --root root.der --intermediate one.der --intermediate three.der",
        says,
    );

    let mut arguments = String::new();
    for number in 0..12_u8 {
        let mut same = Odd::new("same", "same", authority());
        same.extensions.push(raw(UNKNOWN, false, &[number]));
        same.write(&folder);
        let name = format!("same{number}.der");
        folder.write(&name, folder.read("same.der"));
        arguments += &format!(" --intermediate {name}");
    }
    Odd::new("leaf", "same", vec![]).write(&folder);
    folder.fails(
        1,
        &format!("cert verify leaf.der --root root.der{arguments}"),
        "too many possible paths",
    );
}

/// A server certificate is not one of an authority, and its key may sign handshakes.
#[test]
fn certificates_that_are_not_for_servers() {
    let folder = Folder::new();
    Odd::new("root", "root", authority()).write(&folder);
    let signs = KeyUsages::DigitalSignature;
    for (extensions, is) in [
        (vec![], true),
        (vec![usage(signs)], true),
        (vec![usage(signs | KeyUsages::NonRepudiation)], true),
        (vec![constraints(false, None), usage(signs)], true),
        (vec![usage(KeyUsages::NonRepudiation)], false),
        (vec![constraints(true, None)], false),
        (vec![constraints(true, None), usage(signs)], false),
    ] {
        let extensions = [extensions, vec![host()]].concat();
        Odd::new("leaf", "root", extensions).write(&folder);
        folder.ok("cert verify leaf.der --root root.der");
        let verify = "cert verify leaf.der --root root.der --host a";
        if is {
            folder.ok(verify);
        } else {
            folder.fails(
                1,
                verify,
                "leaf.der: it cannot serve the purpose server-auth",
            );
        }
    }
}

/// RFC 5280, sections 4.1.2.1, .4 and .8.
#[test]
fn certificates_of_other_versions() {
    let folder = Folder::new();
    let old: fn(&mut Vec<u8>) = |body| {
        assert_eq!(body[..5], [0xa0, 3, 2, 1, 2]);
        body[4] = 1;
    };
    let oldest: fn(&mut Vec<u8>) = |body| drop(body.drain(..5));
    let identified: fn(&mut Vec<u8>) = |body| {
        body.splice(..0, [0xa0, 3, 2, 1, 1]);
        body.extend([0x81, 2, 0, 0xff]);
    };
    let (root, leaf) = (
        Odd::new("root", "root", authority()),
        Odd::new("leaf", "root", vec![host()]),
    );
    let bare = Odd::new("leaf", "root", vec![]);
    let check = |root: &Odd, leaf: &Odd, says: &str| {
        root.write(&folder);
        leaf.write(&folder);
        if says.is_empty() {
            folder.ok("cert verify leaf.der --root root.der");
        } else {
            folder.fails(1, "cert verify leaf.der --root root.der", says);
        }
    };
    let changed = |odd: &Odd, change_body| Odd {
        change_body,
        ..odd.clone()
    };
    check(&root, &leaf, "");
    // Version 1, as it has none.
    check(&root, &bare, "");
    for change in [old, oldest] {
        let says = "leaf.der: it has extensions, which require version 3";
        check(&root, &changed(&leaf, change), says);
        let says = "root.der: it has extensions, which require version 3";
        check(&changed(&root, change), &leaf, says);
    }
    let says = "leaf.der: it has a unique identifier";
    check(&root, &changed(&bare, identified), says);
    let nameless = Odd {
        issuer: ("", root.key),
        ..leaf.clone()
    };
    let root = Odd::new("", "", authority());
    let root = Odd {
        key: nameless.issuer.1,
        issuer: nameless.issuer,
        ..root
    };
    root.write_as(&folder, "root.der");
    nameless.write(&folder);
    let says = "leaf.der: it does not name its issuer";
    folder.fails(1, "cert verify leaf.der --root root.der", says);
}

/// Other certificates have the issuer's name, with keys of unknown algorithms.
#[test]
fn candidates_with_the_name_of_the_issuer() {
    let folder = Folder::new();
    let root = Odd::new("root", "root", authority());
    let middle = Odd::new("middle", "root", authority());
    root.write(&folder);
    middle.write(&folder);
    Odd::new("leaf", "middle", vec![]).write(&folder);
    let short: fn(&mut SubjectPublicKeyInfoOwned) =
        |key| key.subject_public_key = BitString::from_bytes(b"short").unwrap();
    let foreign: fn(&mut SubjectPublicKeyInfoOwned) = |key| {
        key.algorithm.oid = FOREIGN;
        key.algorithm.parameters = Some(Any::null());
    };
    let pem = |der: &[u8]| encode_string("CERTIFICATE", LineEnding::LF, der).unwrap();
    for (change_key, status) in [(short, 2), (foreign, 0)] {
        let changed = |odd: &Odd| Odd {
            change_key,
            ..odd.clone()
        };
        changed(&middle).write_as(&folder, "bad.der");
        for [first, second] in [["bad", "middle"], ["middle", "bad"]] {
            folder.ok(&format!(
                "cert verify leaf.der --root root.der --intermediate {first}.der --intermediate {second}.der"
            ));
        }
        folder.fails(
            1,
            "cert verify leaf.der --root root.der --intermediate bad.der",
            "leaf.der: the key in bad.der, which has the name of its issuer, cannot be used",
        );
        // Roots of the same name and of another, with the right one in one file.
        let right = pem(&root.to_der());
        for other in [Odd::new("other", "other", authority()), root.clone()] {
            let other = pem(&changed(&other).to_der());
            for [first, second] in [[&other, &right], [&right, &other]] {
                folder.write("bundle.pem", format!("{first}{second}"));
                folder.ok("cert verify leaf.der --root bundle.pem --intermediate middle.der");
            }
        }
        // At the end of the chain, only a key of an algorithm that is known here is read.
        changed(&Odd::new("leaf", "middle", vec![])).write_as(&folder, "useless.der");
        let ended = folder.run("cert verify useless.der --root root.der --intermediate middle.der");
        assert_eq!(ended.status, status, "{}", ended.stderr);
    }
}

/// The error names the fault of the issuer, even if other certificates have its name.
#[test]
fn the_most_specific_reason() {
    let folder = Folder::new();
    Odd::new("root", "root", authority()).write(&folder);
    Odd::new("middle", "root", vec![]).write(&folder);
    let mut other = Odd::new("middle", "root", authority());
    other.key = [99; 32];
    other.write_as(&folder, "other.der");
    Odd::new("leaf", "middle", vec![]).write(&folder);
    for [first, second] in [["other", "middle"], ["middle", "other"]] {
        folder.fails(
            1,
            &format!(
                "cert verify leaf.der --root root.der --intermediate {first}.der --intermediate {second}.der"
            ),
            "leaf.der: its issuer middle.der may not issue certificates",
        );
    }
}

#[test]
fn both_ends_of_the_validity_are_included() {
    let folder = Folder::new();
    let root = Odd::new("root", "root", authority());
    root.write(&folder);
    Odd {
        valid: Validity::from_now(Duration::from_secs(60)).unwrap(),
        ..Odd::new("leaf", "root", vec![])
    }
    .write(&folder);
    let leaf = Certificate::from_der(&folder.read("leaf.der")).unwrap();
    let valid = *leaf.tbs_certificate().validity();
    let at = |time: Duration| {
        let time = DateTime::from_unix_duration(time).unwrap();
        format!("cert verify leaf.der --root leaf.der --at {time}")
    };
    let second = Duration::from_secs(1);
    let (from, until) = (
        valid.not_before.to_unix_duration(),
        valid.not_after.to_unix_duration(),
    );
    folder.fails(1, &at(from - second), "leaf.der: it is not valid before");
    folder.ok(&at(from));
    folder.ok(&at(from + second));
    folder.ok(&at(until - second));
    folder.ok(&at(until));
    folder.fails(1, &at(until + second), "leaf.der: it expired on");
}

#[test]
fn path_lengths() {
    let folder = Folder::new();
    Odd::new("one", "root", authority()).write(&folder);
    Odd::new("three", "one", authority()).write(&folder);
    Odd::new("leaf", "three", vec![]).write(&folder);
    Odd::new("leaf", "one", vec![]).write_as(&folder, "near.der");
    // The root's new key, certified by its old one.
    let new = Odd {
        key: [99; 32],
        ..Odd::new("root", "root", authority())
    };
    new.write_as(&folder, "new.der");
    let root = |most| Odd::new("root", "root", vec![constraints(true, Some(most))]);
    let verify = "--root root.der --intermediate one.der --intermediate three.der";
    let (far, near) = (
        format!("cert verify leaf.der {verify}"),
        format!("cert verify near.der {verify}"),
    );
    let says = "the path has more authorities than root.der allows";
    root(0).write(&folder);
    folder.fails(1, &near, says);
    root(1).write(&folder);
    folder.ok(&near);
    folder.fails(1, &far, says);
    root(2).write(&folder);
    folder.ok(&far);

    root(0).write(&folder);
    Odd {
        issuer: ("root", new.key),
        ..Odd::new("leaf", "root", vec![])
    }
    .write(&folder);
    folder.ok("cert verify leaf.der --root root.der --intermediate new.der");
    // The certificate has its own name, and not its own key: `inspect` shows that without an error.
    let text = folder.ok_text("inspect new.der");
    assert!(text.contains("signature    not by its own key"), "{text}");
}
