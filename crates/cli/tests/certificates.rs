//! Creating, requesting, issuing and verifying certificates.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod bundles;
mod constraints;
mod crls;
mod grants;
mod inspect;
mod names;
mod odd;
mod odd_crls;
mod requests;
mod signers;
mod strict;
mod valid;

use std::time::Duration;

use crate::common::Folder;
use x509_cert::der::DateTime;

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
            ("server.csr", "names        DNS:a.example, IP:10.0.0.1\n"),
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
fn invalid_chains() {
    let folder = Folder::new();
    chain(&folder, ["ml-dsa-44", "ml-dsa-65", "ed25519"]);
    let root = folder.read("root.pem");
    let middle = folder.read("middle.pem");
    folder.write("both.pem", [root.as_slice(), &middle].concat());
    folder.ok("cert verify server.der --root both.pem");
    folder.ok("cert verify middle.pem --root root.pem");
    // A root does not have to be an authority.
    folder.ok("cert verify server.der --root server.der");
    // Another root of the same name.
    folder.keygen("ml-dsa-44", "other.key", "other.pub");
    folder.ok("cert self-sign --key other.key --subject CN=Root,O=Ex --ca --out other.pem");
    for (arguments, says) in [
        (
            "--root root.pem",
            "no issuer certificate was found: CN=Middle",
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

    // A change of any byte; if the result is not a certificate, it is wrong input.
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
fn refused_certificates() {
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
            "leave out --ca",
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
    // The bytes are the same each time, except for the serial number and the time.
    let twice = "cert request --key middle.key --subject CN=a --deterministic";
    assert_eq!(folder.ok(twice), folder.ok(twice));
    assert_ne!(
        folder.ok("cert request --key middle.key --subject CN=a"),
        folder.ok(twice)
    );
}

/// The certificates of RFC 9881 and of the composites' draft.
#[test]
fn examples_of_others() {
    let Some(kats) = moissanite_kats::directory("rfc9881-examples") else {
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
