//! Certificates that are unusual and valid.

use std::net::IpAddr;

use moissanite::pkcs8::spki::AlgorithmIdentifierOwned;
use x509_cert::der::asn1::{Any, BitString, Ia5String, OctetString, Utf8StringRef};
use x509_cert::der::oid::ObjectIdentifier;
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::name::{DirectoryString, EdiPartyName, GeneralName, OtherName};
use x509_cert::ext::pkix::{KeyUsages, SubjectAltName};
use x509_cert::spki::SubjectPublicKeyInfoOwned;

use super::odd::{FOREIGN, Odd, UNKNOWN, authority, constraints, extension, host, usage};
use crate::common::Folder;

/// id-ecPublicKey and the curve P-256.
const EC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");
const P256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.3.1.7");

fn rsa(key: &mut SubjectPublicKeyInfoOwned) {
    key.algorithm = AlgorithmIdentifierOwned {
        oid: FOREIGN,
        parameters: Some(Any::null()),
    };
    key.subject_public_key = BitString::from_bytes(b"\x30\x06\x02\x01\x0f\x02\x01\x03").unwrap();
}

fn ec(key: &mut SubjectPublicKeyInfoOwned) {
    key.algorithm = AlgorithmIdentifierOwned {
        oid: EC,
        parameters: Some(P256.into()),
    };
    key.subject_public_key = BitString::from_bytes(&[[4].as_slice(), &[7; 64]].concat()).unwrap();
}

/// Authorities of ML-DSA above a key with an unknown algorithm.
#[test]
fn keys_of_other_algorithms() {
    let folder = Folder::new();
    Odd::new("root", "root", authority()).write(&folder);
    Odd::new("middle", "root", authority()).write(&folder);
    let verify = "cert verify leaf.der --root root.der --intermediate middle.der";
    for change_key in [rsa, ec] {
        for bits in [
            KeyUsages::DigitalSignature | KeyUsages::KeyEncipherment,
            KeyUsages::DigitalSignature | KeyUsages::KeyAgreement,
        ] {
            let leaf = Odd {
                change_key,
                ..Odd::new("leaf", "middle", vec![host(), usage(bits)])
            };
            leaf.write(&folder);
            folder.ok(verify);
            folder.ok(&format!("{verify} --host a"));
            folder.ok("cert verify leaf.der --root leaf.der");
            folder.fails(1, &format!("{verify} --host b"), "not for the host");
            let without = "cert verify leaf.der --root root.der";
            folder.fails(1, without, "no issuer certificate was found");
        }
        // It signs no certificate here.
        let middle = Odd {
            change_key,
            ..Odd::new("middle", "root", authority())
        };
        middle.write(&folder);
        Odd::new("leaf", "middle", vec![]).write(&folder);
        folder.fails(1, verify, "the key in middle.der");
        Odd::new("middle", "root", authority()).write(&folder);
    }
}

/// A self-signed server certificate that the client trusts, such as one of `openssl req -x509`, which is
/// an authority.
#[test]
fn a_root_that_is_the_server_s_own() {
    let folder = Folder::new();
    let verify = "cert verify leaf.der --root leaf.der --host a";
    let signs = KeyUsages::DigitalSignature;
    for extensions in [
        vec![host()],
        vec![host(), constraints(true, None)],
        vec![
            host(),
            constraints(true, None),
            usage(signs | KeyUsages::KeyCertSign),
        ],
    ] {
        Odd::new("leaf", "leaf", extensions).write(&folder);
        folder.ok(verify);
        folder.ok("cert verify leaf.der --root leaf.der");
        let other = "cert verify leaf.der --root leaf.der --host b";
        folder.fails(1, other, "not for the host");
    }
    let extensions = [authority(), vec![host()]].concat();
    Odd::new("leaf", "leaf", extensions).write(&folder);
    folder.fails(1, verify, "it cannot serve the purpose server-auth");
}

fn ia5(text: &str) -> Ia5String {
    Ia5String::new(text).unwrap()
}

/// A name of every kind of RFC 5280 except x400Address.
fn every_name() -> Vec<GeneralName> {
    let text = Utf8StringRef::new("x").unwrap();
    vec![
        GeneralName::OtherName(OtherName {
            type_id: UNKNOWN,
            value: Any::from(text),
        }),
        GeneralName::Rfc822Name(ia5("root@a.example")),
        GeneralName::DnsName(ia5("a.example")),
        GeneralName::DirectoryName("CN=a".parse().unwrap()),
        GeneralName::EdiPartyName(EdiPartyName {
            name_assigner: None,
            party_name: DirectoryString::Utf8String("x".into()),
        }),
        GeneralName::UniformResourceIdentifier(ia5("https://a.example/")),
        GeneralName::IpAddress(OctetString::new([10, 0, 0, 1]).unwrap()),
        IpAddr::from([0x2001, 0xdb8, 0, 0, 0, 0, 0, 1]).into(),
        GeneralName::RegisteredId(UNKNOWN),
    ]
}

/// Names of other kinds do not affect host names and addresses.
#[test]
fn alternative_names_of_every_kind() {
    let folder = Folder::new();
    Odd::new("root", "root", authority()).write(&folder);
    let names = extension(&SubjectAltName(every_name()));
    for critical in [true, false] {
        let names = Extension {
            critical,
            ..names.clone()
        };
        Odd::new("leaf", "root", vec![names]).write(&folder);
        let verify = "cert verify leaf.der --root root.der";
        folder.ok(verify);
        for host in ["a.example", "10.0.0.1", "2001:db8::1", "2001:DB8:0::0:1"] {
            folder.ok(&format!("{verify} --host {host}"));
        }
        for host in ["b.example", "root", "10.0.0.2", "2001:db8::2"] {
            folder.fails(1, &format!("{verify} --host {host}"), "not for the host");
        }
    }
}
