//! Files with many certificates, and with some that cannot be read.

use x509_cert::der::pem::{LineEnding, encode_string};

use super::odd::{Odd, authority, raw};
use crate::common::Folder;
use x509_cert::der::oid::AssociatedOid;
use x509_cert::ext::pkix::SubjectAltName;

fn pem(der: &[u8]) -> String {
    encode_string("CERTIFICATE", LineEnding::LF, der).unwrap()
}

/// root.der, and leaf.der that it issued; both in PEM.
fn pair(folder: &Folder) -> [String; 2] {
    let root = Odd::new("root", "root", authority());
    let leaf = Odd::new("leaf", "root", vec![]);
    root.write(folder);
    leaf.write(folder);
    [root, leaf].map(|odd| pem(&odd.to_der()))
}

/// As large as 120 roots of ML-DSA-87 are, and larger.
#[test]
fn many_roots() {
    let folder = Folder::new();
    let [root, _] = pair(&folder);
    let other = pem(&Odd::new("another", "another", authority()).to_der());
    let count = 600;
    assert!(count * other.len() > 3 << 20);
    folder.write("roots.pem", other.repeat(count) + &root);
    folder.ok("cert verify leaf.der --root roots.pem");
    let text = folder.ok_text("cert verify leaf.der --root roots.pem");
    let place = format!("CN=root (roots.pem, certificate {})\n", count + 1);
    assert!(text.ends_with(&place), "{text}");
    // A certificate that is larger than the limit for one.
    let comment = "#".repeat(1 << 20);
    folder.write("roots.pem", format!("{other}{comment}\n{root}"));
    let ended = folder.run("cert verify leaf.der --root roots.pem");
    let says = "warning: roots.pem, certificate 1 (CN=another): the certificate is too large; one has at most 1 MiB; this root is ignored";
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stderr.contains(says), "{}", ended.stderr);
    folder.write("roots.pem", vec![b'\n'; (64 << 20) + 1]);
    let says = "roots.pem: the file is too large; certificates are read up to 64 MiB";
    folder.fails(2, "cert verify leaf.der --root roots.pem", says);
}

/// Each attribute takes many times more memory than its bytes in the file.
#[test]
fn limits_of_a_file() {
    let folder = Folder::new();
    let [root, _] = pair(&folder);
    let name = vec!["CN=a"; 40_000].join(",").parse().unwrap();
    let long = Odd {
        subject: Some(name),
        ..Odd::new("long", "root", vec![])
    };
    folder.write("roots.pem", pem(&long.to_der()).repeat(3) + &root);
    folder.ok("cert verify leaf.der --root roots.pem");
    folder.write("roots.pem", pem(&long.to_der()).repeat(4) + &root);
    let says = "roots.pem: its certificates have more than 131072 extensions and attributes";
    folder.fails(2, "cert verify leaf.der --root roots.pem", says);
    let says = "roots.pem: the file has more than 16384 certificates";
    for begin in ["-----BEGIN CERTIFICATE-----\n", "-----BEGIN "] {
        folder.write("roots.pem", begin.repeat(1 << 14) + &root);
        folder.fails(2, "cert verify leaf.der --root roots.pem", says);
    }
}

/// An unreadable root does not affect the other roots. An unreadable certificate of the chain is an error.
#[test]
fn an_unreadable_certificate() {
    let folder = Folder::new();
    let [root, leaf] = pair(&folder);
    // The times are malformed.
    let broken = Odd {
        change_body: |body| {
            let time = body
                .windows(4)
                .position(|bytes| bytes == [0x30, 0x1e, 0x17, 13]);
            body[time.unwrap() + 4] = b'x';
        },
        ..Odd::new("broken", "broken", authority())
    };
    let broken = pem(&broken.to_der());
    let cut = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    folder.write("roots.pem", format!("{cut}{broken}{root}"));
    let ended = folder.run("cert verify leaf.der --root roots.pem");
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    for says in [
        "warning: roots.pem, certificate 1: the DER",
        "warning: roots.pem, certificate 2 (CN=broken): the DER is damaged",
        "this root is ignored",
    ] {
        assert!(ended.stderr.contains(says), "{says}: {}", ended.stderr);
    }
    assert!(
        ended
            .stdout
            .ends_with(b"CN=root (roots.pem, certificate 3)\n")
    );

    folder.write("broken.pem", format!("{broken}{cut}"));
    let says = "broken.pem, certificate 1 (CN=broken): the DER is damaged";
    folder.fails(2, "cert verify leaf.der --root broken.pem", says);
    folder.write("chain.pem", format!("{leaf}{broken}"));
    let says = "chain.pem, certificate 2 (CN=broken): the DER is damaged";
    folder.fails(2, "cert verify chain.pem --root root.der", says);
    let verify = "cert verify leaf.der --root root.der --intermediate chain.pem";
    folder.fails(2, verify, says);
}

/// Messages identify a certificate by its number and its subject.
#[test]
fn messages_identify_the_certificate() {
    let folder = Folder::new();
    let [root, _] = pair(&folder);
    let first = pem(&Odd::new("another", "another", authority()).to_der());
    let mut other = Odd::new("root", "root", authority());
    other.key = [99; 32];
    other.issuer.1 = other.key;
    let other = pem(&other.to_der());
    folder.write("others.pem", format!("{first}{other}"));
    let says = "leaf.der: it is not signed by the key of others.pem, certificate 2 (CN=root)";
    folder.fails(1, "cert verify leaf.der --root others.pem", says);
    let names = raw(SubjectAltName::OID, false, b"x");
    let odd = Odd::new("odd", "root", vec![names]);
    folder.write("chain.pem", format!("{}{root}", pem(&odd.to_der())));
    let says = "chain.pem, certificate 1 (CN=odd): its extension 2.5.29.17 is malformed";
    folder.fails(1, "cert verify chain.pem --root root.der", says);
}
