//! Certificates: made, requested, issued and verified.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod common;

use std::time::Duration;

use common::Folder;
use moissanite::pkcs8::spki::{self, AlgorithmIdentifierOwned, DynSignatureAlgorithmIdentifier};
use moissanite::signature::Keypair;
use moissanite::{MlDsa44, Signature, SigningKey, VerifyingKey, keys, prelude::*};
use x509_cert::TbsCertificate;
use x509_cert::builder::profile::BuilderProfile;
use x509_cert::builder::{self, Builder, CertificateBuilder};
use x509_cert::der::asn1::{Any, OctetString};
use x509_cert::der::oid::{AssociatedOid, ObjectIdentifier};
use x509_cert::der::{DateTime, Encode};
use x509_cert::ext::pkix::{
    BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages, NameConstraints,
};
use x509_cert::ext::{Extension, ToExtension};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{
    SignatureBitStringEncoding, SubjectPublicKeyInfoOwned, SubjectPublicKeyInfoRef,
};
use x509_cert::time::Validity;

const ALGORITHMS: [&str; 6] = [
    "ml-dsa-44",
    "ml-dsa-65",
    "ml-dsa-87",
    "ed25519",
    "ml-dsa-44-ed25519",
    "ml-dsa-65-ed25519",
];

/// root, an authority below it, and a server below that, each with another algorithm.
fn chain(folder: &Folder, algorithms: [&str; 3]) {
    for (algorithm, name) in algorithms.into_iter().zip(["root", "middle", "server"]) {
        folder.keygen(algorithm, &format!("{name}.key"), &format!("{name}.pub"));
    }
    folder.ok("cert self-sign --key root.key --subject CN=Root,O=Ex --ca --days 30 --out root.pem");
    folder.ok("cert request --key middle.key --subject CN=Middle --out middle.csr");
    folder.ok("cert issue middle.csr --issuer root.pem --key root.key --ca --path-length 0 --days 20 --out middle.pem");
    folder.ok("cert request --key server.key --subject CN=Server --host a.example --host 10.0.0.1 --format der --out server.csr");
    folder.ok("cert issue server.csr --issuer middle.pem --key middle.key --days 10 --format der --out server.der");
}

const VERIFY: &str = "cert verify server.der --intermediate middle.pem --root root.pem";

#[test]
fn every_algorithm_signs_every_other() {
    for shift in 0..ALGORITHMS.len() {
        let folder = Folder::new();
        let mut algorithms = ALGORITHMS;
        algorithms.rotate_left(shift);
        let [root, middle, server, ..] = algorithms;
        chain(&folder, [root, middle, server]);
        let text = folder.ok_text(VERIFY);
        assert_eq!(
            text,
            "valid\n  CN=Server (server.der)\n  CN=Middle (middle.pem)\n  CN=Root,O=Ex (root.pem)\n"
        );
        for host in ["a.example", "A.Example", "10.0.0.1"] {
            folder.ok(&format!("{VERIFY} --host {host}"));
        }
        for (file, says) in [
            ("root.pem", "authority    yes\n"),
            ("root.pem", "key usage    keyCertSign, cRLSign\n"),
            ("root.pem", "signature    valid"),
            (
                "middle.pem",
                "authority    yes, with at most 0 others below it\n",
            ),
            ("server.csr", "names        a.example, 10.0.0.1\n"),
            ("server.csr", "signature    valid"),
            ("server.der", "key usage    digitalSignature\n"),
        ] {
            let text = folder.ok_text(&format!("inspect {file}"));
            assert!(text.contains(says), "{file}: {text}");
        }
        // The key in all of them is the one that was asked for.
        let public = folder.read("server.pub");
        assert_eq!(folder.ok("convert server.csr"), public);
        assert_eq!(folder.ok("convert server.der"), public);
    }
}

#[test]
fn what_is_not_valid() {
    let folder = Folder::new();
    chain(&folder, ["ml-dsa-44", "ml-dsa-65", "ed25519"]);
    let root = folder.read("root.pem");
    let middle = folder.read("middle.pem");
    folder.write("both.pem", [root.as_slice(), &middle].concat());
    folder.ok("cert verify server.der --root both.pem");
    folder.ok("cert verify middle.pem --root root.pem");
    // What is believed need not be an authority.
    folder.ok("cert verify server.der --root server.der");
    // Another root of the same name.
    folder.keygen("ml-dsa-44", "other.key", "other.pub");
    folder.ok("cert self-sign --key other.key --subject CN=Root,O=Ex --ca --out other.pem");
    for (arguments, says) in [
        (
            "--root root.pem",
            "no certificate of its issuer is there: CN=Middle",
        ),
        (
            "--intermediate middle.pem --root other.pem",
            "middle.pem: it is not signed by the key of other.pem",
        ),
        (
            "--intermediate middle.pem --root root.pem --host b.example",
            "not for the host",
        ),
        (
            "--intermediate middle.pem --root root.pem --host 10.0.0.2",
            "not for the host",
        ),
        (
            "--intermediate middle.pem --root root.pem --at 2020-01-01T00:00:00Z",
            "server.der: it is not valid before",
        ),
    ] {
        folder.fails(1, &format!("cert verify server.der {arguments}"), says);
    }
    // The server's, the authority's and the root's own time end after 10, 20 and 30 days.
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let at = |file: &str, days: u64| {
        let time = now + Duration::from_secs(days * 86_400);
        let time = DateTime::from_unix_duration(time).unwrap();
        format!("cert verify {file} --intermediate middle.pem --root root.pem --at {time}")
    };
    folder.ok(&at("server.der", 9));
    folder.fails(1, &at("server.der", 11), "server.der: it expired on");
    folder.ok(&at("middle.pem", 19));
    folder.fails(1, &at("middle.pem", 21), "middle.pem: it expired on");
    folder.fails(1, &at("root.pem", 31), "root.pem: it expired on");

    // Any byte; what is then no certificate any more is bad input.
    let good = folder.read("server.der");
    let mut refused = 0;
    for at in (0..good.len()).step_by(7) {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        folder.write("changed.der", &bytes);
        let ended = folder.run("cert verify changed.der --intermediate middle.pem --root root.pem");
        assert!(matches!(ended.status, 1 | 2), "byte {at}: {}", ended.stderr);
        refused += usize::from(ended.status == 1);
    }
    assert!(20 * refused > good.len(), "{refused}");
}

#[test]
fn what_is_not_made() {
    let folder = Folder::new();
    chain(&folder, ["ml-dsa-44", "ml-dsa-65", "ed25519"]);
    for (arguments, says) in [
        (
            "issue middle.csr --issuer root.pem --key middle.key",
            "root.pem is not the certificate of that private key",
        ),
        (
            "issue middle.csr --issuer server.der --key server.key",
            "may not issue certificates",
        ),
        (
            "issue middle.csr --issuer middle.pem --key middle.key --ca",
            "leave --ca out",
        ),
        (
            "issue root.pem --issuer root.pem --key root.key",
            "not a request",
        ),
        (
            "issue server.csr --issuer root.csr --key root.key",
            "cannot read",
        ),
        (
            "self-sign --key root.key --subject nothing",
            "is not a name",
        ),
        (
            "self-sign --key root.key --subject CN=a --host a..b",
            "neither the name of a host",
        ),
        ("self-sign --key root.key --subject CN=a --days 0", "--days"),
        (
            "self-sign --key root.key --subject CN=a --days 4000000000",
            "after the year 9999",
        ),
        (
            "self-sign --key root.key --subject CN=a --path-length 1",
            "--ca",
        ),
        (
            "self-sign --key root.pub --subject CN=a",
            "not a private key",
        ),
        (
            "self-sign --key root.key --subject CN=a --out root.pem",
            "exists already",
        ),
        ("verify server.der --root root.key", "not a certificate"),
        ("verify server.der", "--root"),
        (
            "verify server.der --root root.pem --at yesterday",
            "is not a time",
        ),
        ("verify - --root -", "only one input"),
    ] {
        folder.fails(2, &format!("cert {arguments}"), says);
    }
    let mut request = folder.read("server.csr");
    let last = request.len() - 1;
    request[last] ^= 1;
    folder.write("forged.csr", &request);
    folder.fails(
        1,
        "cert issue forged.csr --issuer root.pem --key root.key",
        "not signed by its own key",
    );
    let ended = folder.run("inspect forged.csr");
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("not signed by its own key"));
    // The same bytes each time, but for the number and the time.
    let twice = "cert request --key middle.key --subject CN=a --deterministic";
    assert_eq!(folder.ok(twice), folder.ok(twice));
    assert_ne!(
        folder.ok("cert request --key middle.key --subject CN=a"),
        folder.ok(twice)
    );
}

/// A certificate as no honest authority makes it.
#[derive(Clone)]
struct Odd {
    name: &'static str,
    key: [u8; 32],
    issuer: (&'static str, [u8; 32]),
    extensions: Vec<Extension>,
    /// In the identifier of the signature.
    parameters: Option<Any>,
}

impl Odd {
    fn new(name: &'static str, issuer: &'static str, extensions: Vec<Extension>) -> Self {
        let key = |name: &str| [name.len().try_into().unwrap(); 32];
        let (key, issuer) = (key(name), (issuer, key(issuer)));
        let parameters = None;
        Self {
            name,
            key,
            issuer,
            extensions,
            parameters,
        }
    }
    fn write(&self, folder: &Folder) {
        let key = |seed| SigningKey::<MlDsa44>::from_seed(seed);
        let spki = SubjectPublicKeyInfoOwned::from_key(key(&self.key).verifying_key()).unwrap();
        let validity = Validity::from_now(Duration::from_secs(3600)).unwrap();
        let builder =
            CertificateBuilder::new(self.clone(), SerialNumber::from(1_u8), validity, spki);
        let mut builder = builder.unwrap();
        let signer = OddSigner(key(&self.issuer.1), self.parameters.clone());
        let body = builder.finalize(&signer).unwrap();
        let signature: Signature<MlDsa44> = signer.0.try_sign(&body).unwrap();
        let signed = builder.assemble(signature.to_bitstring().unwrap(), &signer);
        folder.write(
            &format!("{}.der", self.name),
            signed.unwrap().to_der().unwrap(),
        );
    }
}

impl BuilderProfile for Odd {
    fn get_issuer(&self, _: &Name) -> Name {
        format!("CN={}", self.issuer.0).parse().unwrap()
    }
    fn get_subject(&self) -> Name {
        format!("CN={}", self.name).parse().unwrap()
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

fn extension(extension: impl ToExtension<Error = der::Error>) -> Extension {
    extension.to_extension(&Name::default(), &[]).unwrap()
}

fn constraints(ca: bool, path_len_constraint: Option<u8>) -> Extension {
    extension(&BasicConstraints {
        ca,
        path_len_constraint,
    })
}

fn usage(usages: impl Into<der::flagset::FlagSet<KeyUsages>>) -> Extension {
    extension(&KeyUsage(usages.into()))
}

fn raw(oid: ObjectIdentifier, critical: bool, value: &[u8]) -> Extension {
    let (extn_id, extn_value) = (oid, OctetString::new(value).unwrap());
    Extension {
        extn_id,
        critical,
        extn_value,
    }
}

/// Certificates with one thing wrong, at the end of the chain or on the way.
#[test]
fn certificates_that_lie_about_what_they_may_do() {
    let folder = Folder::new();
    let authority = || vec![constraints(true, None), usage(KeyUsages::KeyCertSign)];
    let unknown = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.32473.1");
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
    check(authority(), vec![raw(unknown, false, b"x")], "", "");
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
        "leaf.der: middle.der issued it, which may not",
    );
    check(
        vec![constraints(false, None), usage(KeyUsages::KeyCertSign)],
        vec![],
        "",
        "may not issue",
    );
    check(
        vec![constraints(true, None), usage(KeyUsages::CRLSign)],
        vec![],
        "",
        "may not issue",
    );
    check(
        vec![usage(KeyUsages::KeyCertSign)],
        vec![],
        "",
        "may not issue",
    );
    let twice = [authority(), vec![constraints(true, None)]].concat();
    check(
        twice,
        vec![],
        "",
        "middle.der: its extension 2.5.29.19 is there twice",
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
            "middle.der: its extension 2.5.29.30 is not known here",
        );
    }
    let middle = [authority(), vec![raw(unknown, true, b"x")]].concat();
    check(
        middle,
        vec![],
        "",
        "middle.der: its extension 1.3.6.1.4.1.32473.1 is not known",
    );
    check(
        authority(),
        vec![raw(unknown, true, b"x")],
        "",
        "leaf.der: its extension 1.3.6.1.4.1.32473.1 is not known",
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
            "leaf.der: its key usage is not that of a key that signs",
        );
    }
    check(authority(), vec![usage(None)], "", "its key usage");

    let hosts = raw(
        x509_cert::ext::pkix::SubjectAltName::OID,
        false,
        b"\x30\x03\x82\x01a",
    );
    let purpose = |oid| extension(&ExtendedKeyUsage(vec![ObjectIdentifier::new_unwrap(oid)]));
    check(authority(), vec![hosts.clone()], "--host a", "");
    for (oid, says) in [
        ("1.3.6.1.5.5.7.3.1", ""),
        ("2.5.29.37.0", ""),
        ("1.3.6.1.5.5.7.3.2", "is not for servers"),
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
        "middle.der: root.der allows fewer authorities",
    );
}

#[test]
fn identifiers_have_no_parameters() {
    let folder = Folder::new();
    let authority = vec![constraints(true, None)];
    Odd::new("root", "root", authority).write(&folder);
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

/// A ring of authorities that vouch for each other, and many with one name: it comes to an end.
#[test]
fn chains_without_end() {
    let folder = Folder::new();
    let authority = || vec![constraints(true, None)];
    Odd::new("root", "root", authority()).write(&folder);
    for name in ["one", "three"] {
        let other = if name == "one" { "three" } else { "one" };
        Odd::new(name, other, authority()).write(&folder);
    }
    Odd::new("leaf", "one", vec![]).write(&folder);
    let says = "no certificate of its issuer is there: CN=one";
    folder.fails(
        1,
        "cert verify leaf.der --root root.der --intermediate one.der --intermediate three.der",
        says,
    );

    let mut arguments = String::new();
    for number in 0..12_u8 {
        let mut same = Odd::new("same", "same", authority());
        same.extensions.push(raw(
            ObjectIdentifier::new_unwrap("1.3.6.1.4.1.32473.1"),
            false,
            &[number],
        ));
        same.write(&folder);
        let name = format!("same{number}.der");
        folder.write(&name, folder.read("same.der"));
        arguments += &format!(" --intermediate {name}");
    }
    Odd::new("leaf", "same", vec![]).write(&folder);
    folder.fails(
        1,
        &format!("cert verify leaf.der --root root.der{arguments}"),
        "too many ways",
    );
}

/// The certificates of RFC 9881 and of the composites' draft.
#[test]
fn examples_of_others() {
    let Some(kats) = std::env::var_os("MOISSANITE_KATS").map(std::path::PathBuf::from) else {
        eprintln!("skipped: MOISSANITE_KATS is not set");
        return;
    };
    let folder = Folder::new();
    let at = "--at 2030-01-01T00:00:00Z";
    let examples = kats.join("rfc9881-examples");
    for set in ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"] {
        for (from, to) in [("crt", "root.pem"), ("pub", "root.pub")] {
            let bytes = std::fs::read(examples.join(format!("{set}.{from}"))).unwrap();
            folder.write(to, bytes);
        }
        let seed: String = (0..32).map(|byte| format!("{byte:02x}")).collect();
        folder.ok(&format!(
            "keygen {set} --seed {seed} --out root.key --force"
        ));
        folder.ok(&format!("cert verify root.pem --root root.pem {at}"));
        folder.keygen("ed25519", &format!("{set}.key"), &format!("{set}.pub"));
        folder.ok(&format!(
            "cert request --key {set}.key --subject CN=a --out a.csr --force"
        ));
        folder.ok(
            "cert issue a.csr --issuer root.pem --key root.key --days 4000 --out a.pem --force",
        );
        folder.ok(&format!("cert verify a.pem --root root.pem {at}"));
    }
    let vectors = std::fs::read(kats.join("composite-mldsa-ed25519.json")).unwrap();
    let vectors: serde_json::Value = serde_json::from_slice(&vectors).unwrap();
    for case in vectors["lamps"].as_array().unwrap() {
        let bytes = |field: &str| hex::decode(case[field].as_str().unwrap()).unwrap();
        folder.write("draft.der", bytes("self_signed_certificate_der"));
        folder.ok(&format!("cert verify draft.der --root draft.der {at}"));
        folder.write("draft.key", bytes("sk_pkcs8_der"));
        let public = folder.ok("convert draft.key --public");
        assert_eq!(folder.ok("convert draft.der"), public);
        folder.write("message", bytes("msg"));
        folder.write("draft.pub", public);
        folder.write("draft.sig", bytes("sig_with_ctx"));
        let context = case["ctx"].as_str().unwrap();
        let verify = "verify --key draft.pub --signature draft.sig --in message";
        folder.ok(&format!("{verify} --context-hex {context}"));
        folder.fails(1, verify, "not valid");
    }
}
