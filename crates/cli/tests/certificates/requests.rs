//! Requests, and the certificates that they get.

use moissanite::{MlDsa44, Signature, SigningKey, prelude::*};
use x509_cert::Certificate;
use x509_cert::attr::Attribute;
use x509_cert::der::asn1::{Any, BitString, Ia5String, OctetString, SetOfVec};
use x509_cert::der::oid::AssociatedOid;
use x509_cert::der::{Decode, Encode};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::name::Name;
use x509_cert::request::{CertReq, CertReqInfo, ExtensionReq, Version};
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};
use x509_cert::time::Validity;

use super::odd::{Odd, UNKNOWN, authority, extension, raw};
use crate::common::Folder;

const SEED: [u8; 32] = [77; 32];

/// An authority, root.der and root.key.
fn root(folder: &Folder) -> Odd {
    let root = Odd::new("root", "root", authority());
    root.write(folder);
    key(folder, root.key, "root.key");
    root
}

fn key(folder: &Folder, seed: [u8; 32], file: &str) {
    let seed = hex::encode(seed);
    folder.ok(&format!("keygen ml-dsa-44 --seed {seed} --out {file}"));
}

/// A request with these lists of extensions, signed by its key.
fn request(folder: &Folder, subject: &str, lists: &[Vec<Extension>]) {
    let key = SigningKey::<MlDsa44>::from_seed(&SEED.into());
    let values: Vec<_> = lists
        .iter()
        .map(|list| Any::encode_from(list).unwrap())
        .collect();
    let mut attributes = SetOfVec::new();
    if !values.is_empty() {
        let oid = ExtensionReq::OID;
        let values = values.try_into().unwrap();
        attributes.insert(Attribute { oid, values }).unwrap();
    }
    let info = CertReqInfo {
        version: Version::V1,
        subject: match subject {
            "" => Name::default(),
            _ => subject.parse().unwrap(),
        },
        public_key: SubjectPublicKeyInfoOwned::from_key(key.verifying_key()).unwrap(),
        attributes,
    };
    let signature: Signature<MlDsa44> = key.try_sign(&info.to_der().unwrap()).unwrap();
    let (oid, parameters) = (moissanite::keys::oid::<MlDsa44>(), None);
    let request = CertReq {
        info,
        algorithm: AlgorithmIdentifierOwned { oid, parameters },
        signature: BitString::from_bytes(signature.as_ref()).unwrap(),
    };
    folder.write("a.csr", request.to_der().unwrap());
}

fn names(names: Vec<GeneralName>) -> Vec<Extension> {
    vec![extension(&SubjectAltName(names))]
}

fn dns(name: &str) -> GeneralName {
    GeneralName::DnsName(Ia5String::new(name).unwrap())
}

const ISSUE: &str = "cert issue a.csr --issuer root.der --key root.key --force --format der";

/// Names that `--host` accepts are granted, others are not, and messages list both.
#[test]
fn names_that_are_not_granted() {
    let folder = Folder::new();
    root(&folder);
    let address = |bytes: &[u8]| GeneralName::IpAddress(OctetString::new(bytes).unwrap());
    let uri = Ia5String::new("https://a.example/").unwrap();
    let email = Ia5String::new("root@a.example").unwrap();
    let mut asked = vec![
        dns("A.example"),
        dns("*.b.example"),
        address(&[10, 0, 0, 1]),
    ];
    let refused = [
        (dns(""), "DNS:\"\""),
        (dns("*"), "DNS:*"),
        (dns("a b"), "DNS:\"a b\""),
        (dns("a.example, b.example"), "DNS:\"a.example, b.example\""),
        (dns("10.0.0.1"), "DNS:10.0.0.1"),
        (address(b"abc"), "IP:malformed (616263)"),
        (
            GeneralName::UniformResourceIdentifier(uri),
            "URI:\"https://a.example/\"",
        ),
        (GeneralName::Rfc822Name(email), "email:\"root@a.example\""),
        (
            GeneralName::RegisteredId(UNKNOWN),
            "OID:1.3.6.1.4.1.32473.1",
        ),
    ];
    asked.extend(refused.iter().map(|(name, _)| name.clone()));
    let mut extensions = names(asked);
    extensions.push(raw(UNKNOWN, false, b"x"));
    request(&folder, "CN=a", &[extensions]);
    let ended = folder.run(&format!("{ISSUE} --out a.der"));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    for says in refused
        .map(|(_, says)| says)
        .iter()
        .chain(&["extension 1.3.6.1.4.1.32473.1"])
    {
        let line = format!("{says}, which is not granted");
        assert!(ended.stderr.contains(&line), "{line}: {}", ended.stderr);
    }
    let granted =
        "note: the certificate is for name:\"CN=a\", DNS:a.example, DNS:*.b.example, IP:10.0.0.1\n";
    assert!(ended.stderr.contains(granted), "{}", ended.stderr);

    let certificate = Certificate::from_der(&folder.read("a.der")).unwrap();
    let extension = certificate
        .tbs_certificate()
        .get_extension::<SubjectAltName>();
    let (_, names) = extension.unwrap().unwrap();
    let expected = vec![
        dns("a.example"),
        dns("*.b.example"),
        address(&[10, 0, 0, 1]),
    ];
    assert_eq!(names.0, expected);
    for (host, status) in [
        ("a.example", 0),
        ("c.b.example", 0),
        ("a", 1),
        ("b.example", 1),
    ] {
        let verify = format!("cert verify a.der --root root.der --host {host}");
        assert_eq!(folder.run(&verify).status, status, "{host}");
    }
}

#[test]
fn requests_that_contradict_themselves() {
    let folder = Folder::new();
    root(&folder);
    let one = || names(vec![dns("a.example")]);
    let two = || names(vec![dns("b.example")]);
    for (lists, says) in [
        (vec![one(), two()], "a.csr: it asks for extensions twice"),
        (
            vec![[one(), two()].concat()],
            "a.csr: its extension 2.5.29.17 occurs twice",
        ),
        (
            vec![names(vec![])],
            "a.csr: its list of requested names is empty",
        ),
    ] {
        request(&folder, "CN=a", &lists);
        folder.fails(2, ISSUE, says);
    }
}

/// Subjects that no verifier would accept, or that could be mistaken for others.
#[test]
fn subjects_that_are_not_granted() {
    let folder = Folder::new();
    root(&folder);
    // It would be self-issued, so that a path length does not bear on it.
    for name in ["CN=root", "CN=Root", "CN=ROOT "] {
        request(&folder, name, &[]);
        folder.fails(
            2,
            ISSUE,
            "asks for the name of the issuer, with another key",
        );
    }
    request(&folder, "CN=roots", &[]);
    folder.ok(ISSUE);
    // RFC 5280, appendix A.1.
    request(&folder, "CN=a,C=Germany", &[]);
    let says = "a.csr asks for a name that has a country (C) that is not two letters";
    folder.fails(2, ISSUE, says);
    request(&folder, "CN=a\u{202e}b", &[]);
    folder.fails(2, ISSUE, "has the character U+202E");
    request(&folder, "", &[]);
    folder.fails(2, ISSUE, "names neither a subject nor a host");
    request(&folder, "", &[names(vec![dns("*")])]);
    let ended = folder.run(ISSUE);
    assert_eq!(ended.status, 2, "{}", ended.stderr);
    request(&folder, "", &[names(vec![dns("a.example")])]);
    folder.fails(2, &format!("{ISSUE} --ca"), "names no subject");
    folder.ok(&format!("{ISSUE} --out a.der"));
    folder.ok("cert verify a.der --root root.der --host a.example");
    // RFC 5280, section 4.2.1.6.
    let certificate = Certificate::from_der(&folder.read("a.der")).unwrap();
    let extension = certificate
        .tbs_certificate()
        .get_extension::<SubjectAltName>();
    assert!(extension.unwrap().unwrap().0, "critical");
    // A new certificate of the same key is the issuer's own.
    folder.ok("cert request --key root.key --subject CN=root --format der --out a.csr --force");
    folder.ok(&format!("{ISSUE} --ca"));
}

#[test]
fn expired_issuers() {
    let folder = Folder::new();
    let root = root(&folder);
    request(&folder, "CN=a", &[]);
    let now = std::time::SystemTime::now();
    let hours = |hours: u64| std::time::Duration::from_secs(3600 * hours);
    let ends = |from, until| Odd {
        valid: Validity::new(
            x509_cert::time::Time::try_from(from).unwrap(),
            x509_cert::time::Time::try_from(until).unwrap(),
        ),
        ..root.clone()
    };
    ends(now - hours(2), now - hours(1)).write(&folder);
    folder.fails(
        2,
        ISSUE,
        "root.der cannot issue a valid certificate: it expired on",
    );
    ends(now + hours(1), now + hours(2)).write(&folder);
    folder.fails(
        2,
        ISSUE,
        "root.der cannot issue a valid certificate: it is not valid before",
    );
    ends(now, now + hours(30)).write(&folder);
    let says = "is not valid for all of its 2 days, as root.der expires on";
    let ended = folder.run(&format!("{ISSUE} --days 2"));
    assert!(
        ended.status == 0 && ended.stderr.contains(says),
        "{}",
        ended.stderr
    );
    let ended = folder.run(&format!("{ISSUE} --days 1"));
    assert!(
        ended.status == 0 && !ended.stderr.contains(says),
        "{}",
        ended.stderr
    );
}

/// Keys of algorithms without certificates.
#[test]
fn keys_without_an_identifier() {
    let folder = Folder::new();
    root(&folder);
    request(&folder, "CN=a", &[]);
    folder.ok("keygen dilithium2 --out dilithium2.key");
    for arguments in [
        "self-sign --key dilithium2.key --subject CN=a",
        "request --key dilithium2.key --subject CN=a",
        "issue a.csr --issuer root.der --key dilithium2.key",
    ] {
        let says = "dilithium2.key: there are no certificates for Dilithium2";
        folder.fails(2, &format!("cert {arguments}"), says);
    }
}

#[test]
fn malformed_hosts() {
    let folder = Folder::new();
    root(&folder);
    for (host, says) in [
        ("256.1.1.1", "its last part is a number"),
        ("*.example.org", "`*` stands for many hosts"),
        ("a.example.org.", "leave out the dot at the end"),
        ("\u{e4}.example", "xn--"),
    ] {
        let verify = format!("cert verify root.der --root root.der --host {host}");
        folder.fails(2, &verify, says);
    }
    let request = "cert request --key root.key --subject CN=a --host";
    folder.fails(
        2,
        &format!("{request} *.0.0.256"),
        "its last part is a number",
    );
    folder.ok(&format!("{request} *.example.org"));
}

/// Text may be written to a terminal, binary data may not.
#[cfg(target_os = "linux")]
#[test]
fn to_a_terminal() {
    let folder = Folder::new();
    root(&folder);
    let run = |format: &str| {
        let command = env!("CARGO_BIN_EXE_moissanite");
        let command =
            format!("{command} cert request --key root.key --subject CN=a --format {format}");
        let mut script = std::process::Command::new("script");
        script
            .args(["-qec", &command, "/dev/null"])
            .current_dir(folder.path(""));
        let output = script.stdin(std::process::Stdio::null()).output();
        output.map(|output| {
            (
                output.status.success(),
                String::from_utf8_lossy(&output.stdout).into_owned(),
            )
        })
    };
    let Ok((is_well, text)) = run("pem") else {
        eprintln!("skipped: there is no `script`, which makes a terminal");
        return;
    };
    assert!(
        is_well && text.contains("-----END CERTIFICATE REQUEST-----"),
        "{text}"
    );
    let (is_well, text) = run("der").unwrap();
    assert!(
        !is_well && text.contains("binary data is not written to a terminal"),
        "{text}"
    );
}
