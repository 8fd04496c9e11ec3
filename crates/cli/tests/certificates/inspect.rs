//! The report of `inspect` on certificates, and on files that are not certificates.

use sha2::{Digest, Sha256};
use x509_cert::der::oid::AssociatedOid;
use x509_cert::ext::pkix::{BasicConstraints, KeyUsages, SubjectAltName};

use super::chain;
use super::odd::{Odd, UNKNOWN, constraints, raw, usage};
use crate::common::Folder;

#[test]
fn all_extensions_are_shown() {
    let folder = Folder::new();
    let names = b"\x30\x16\x82\x14a.example, b.example";
    let extensions = vec![
        constraints(true, Some(3)),
        usage(KeyUsages::KeyCertSign),
        raw(SubjectAltName::OID, false, names),
        raw(UNKNOWN, true, b"x"),
    ];
    Odd::new("root", "root", extensions).write(&folder);
    let text = folder.ok_text("inspect root.der");
    let digest = hex::encode(Sha256::digest(folder.read("root.der")));
    for says in [
        "encoding     DER, X.509, version 3\n",
        "authority    yes, with at most 3 others below it\n",
        "key usage    keyCertSign\n",
        "names        DNS:\"a.example, b.example\"\n",
        "extension    1.3.6.1.4.1.32473.1, critical, 1 bytes, unknown\n",
        "refused      by `moissanite cert verify`: its critical extension 1.3.6.1.4.1.32473.1 is unknown",
        &format!("fingerprint  sha256:{digest}\n"),
        "signature    valid",
    ] {
        assert!(text.contains(says), "{says}: {text}");
    }
    let extensions = vec![
        raw(BasicConstraints::OID, true, b"x"),
        raw(UNKNOWN, false, b""),
    ];
    Odd::new("root", "root", extensions).write(&folder);
    let text = folder.ok_text("inspect root.der");
    for says in [
        "authority    malformed\n",
        "extension    1.3.6.1.4.1.32473.1, 0 bytes, unknown\n",
    ] {
        assert!(text.contains(says), "{says}: {text}");
    }
}

#[test]
fn keys_are_recognised_by_their_identifiers() {
    let folder = Folder::new();
    chain(&folder, ["ed25519", "ml-dsa-44", "ed25519"]);
    let line = |file: &str, name: &str| {
        let text = folder.ok_text(&format!("inspect {file}"));
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.map(|value| value.trim().to_owned())
            .unwrap_or_default()
    };
    let id = line("middle.pem", "key id ");
    assert_eq!(id.len(), 40);
    assert_eq!(line("server.der", "issuer key "), id);
    assert_ne!(line("server.der", "key id "), id);
    // The fingerprint of the key is the same as for the separate key.
    let key = line("server.pub", "fingerprint ");
    assert_eq!(line("server.der", "key fingerprint "), key);
    assert_eq!(line("server.csr", "key fingerprint "), key);
    assert_ne!(line("server.der", "fingerprint "), key);
}

#[test]
fn files_that_are_nearly_certificates() {
    let folder = Folder::new();
    chain(&folder, ["ed25519", "ed25519", "ed25519"]);
    let request = folder.read("server.csr");
    assert_eq!(request[..2], [0x30, 0x81]);
    folder.write("longer.csr", [request.as_slice(), &[0]].concat());
    folder.fails(2, "inspect longer.csr", "the header of the DER states");
    let combined = [folder.read("root.pem"), folder.read("root.key")].concat();
    folder.write("combined.pem", combined);
    folder.fails(
        2,
        "cert verify middle.pem --root combined.pem",
        "combined.pem, document 2: it is a private key, not a certificate; this file may hold certificates only",
    );
}

/// Only lattice signatures have a choice of backends.
#[test]
fn backends_that_are_not_used() {
    let folder = Folder::new();
    let says = "warning: the backend portable is not used for";
    for (algorithm, warned) in [
        ("ed25519", true),
        ("ml-dsa-44-ed25519", true),
        ("ml-dsa-44", false),
    ] {
        folder.keygen(
            algorithm,
            &format!("{algorithm}.key"),
            &format!("{algorithm}.pub"),
        );
        let request =
            format!("cert request --key {algorithm}.key --subject CN=a --backend portable");
        let ended = folder.run(&request);
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        assert_eq!(ended.stderr.contains(says), warned, "{}", ended.stderr);
    }
}
