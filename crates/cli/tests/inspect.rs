//! `moissanite inspect` on files with several documents, and on files of other programs and algorithms.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use serde_json::Value;

use crate::common::Folder;
use crate::der::{BITS, OCTETS, SEQUENCE, algorithm, oid, pem, private, public, tlv};

/// The report of a file with these bytes, in text.
fn inspected(folder: &Folder, bytes: impl AsRef<[u8]>) -> String {
    folder.write("other", bytes);
    folder.ok_text("inspect other")
}

/// The report in JSON.
fn in_json(folder: &Folder, file: &str) -> Value {
    let args = ["inspect", file, "--json"];
    let output = folder.command().args(args).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// An authority with an intermediate one and a server.
fn chain() -> Folder {
    let folder = Folder::new();
    folder.keygen("ml-dsa-44", "root.key", "root.pub");
    folder.keygen("ml-dsa-44", "middle.key", "middle.pub");
    folder.keygen("ed25519", "leaf.key", "leaf.pub");
    folder.ok("cert self-sign --key root.key --subject CN=Root --ca --out root.pem");
    folder.ok("cert request --key middle.key --subject CN=Middle --out middle.csr");
    folder.ok("cert issue middle.csr --issuer root.pem --key root.key --ca --out middle.pem");
    folder.ok("cert request --key leaf.key --subject CN=Leaf --out leaf.csr");
    folder.ok("cert issue leaf.csr --issuer middle.pem --key middle.key --out leaf.pem");
    folder
}

#[test]
fn chains() {
    let folder = chain();
    let file = |names: &[&str]| {
        names
            .iter()
            .flat_map(|name| folder.read(name))
            .collect::<Vec<_>>()
    };
    folder.write("chain", file(&["leaf.pem", "middle.pem", "root.pem"]));
    let text = folder.ok_text("inspect chain");
    for line in [
        "documents    3\n",
        "file         chain, document 2\n",
        "subject      CN=Middle\n",
        "signed by    document 1 is signed by document 2\n",
        "signed by    document 2 is signed by document 3\n",
        "signed by    document 3 is signed by itself\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let report = in_json(&folder, "chain");
    assert_eq!(report["documents"][1]["subject"], "CN=Middle");
    assert_eq!(report["signatures"][0]["signed_by"], 2);
    // In another order, without the root, and with a key.
    folder.write(
        "mixed",
        file(&["middle.pem", "leaf.pem", "leaf.key", "leaf.csr"]),
    );
    let text = folder.ok_text("inspect mixed");
    for line in [
        "document 1 is signed by no certificate of this file",
        "document 2 is signed by document 1",
        "what         a private key\n",
        "what         a request for a certificate\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(in_json(&folder, "mixed")["signatures"][0]["signed_by"].is_null());
    // A certificate of the same name with another key signs nothing.
    folder.keygen("ml-dsa-44", "false.key", "false.pub");
    folder.ok("cert self-sign --key false.key --subject CN=Middle --ca --out false.pem");
    folder.write("false", file(&["leaf.pem", "false.pem"]));
    let text = folder.ok_text("inspect false");
    assert!(
        text.contains("document 1 is signed by no certificate"),
        "{text}"
    );
    // One damaged document is an error that names its number.
    let damaged = String::from_utf8(folder.read("root.pem"))
        .unwrap()
        .replacen('M', "?", 1);
    folder.write(
        "damaged",
        [file(&["leaf.pem"]), damaged.into_bytes()].concat(),
    );
    let ended = folder.run("inspect damaged");
    assert_eq!(ended.status, 2);
    assert!(
        ended
            .stderr
            .contains("damaged, document 2: the PEM text is damaged"),
        "{}",
        ended.stderr
    );
    folder.write("many", folder.read("leaf.pub").repeat(257));
    let ended = folder.run("inspect many");
    assert!(
        ended.stderr.contains("has 257 documents"),
        "{}",
        ended.stderr
    );
}

#[test]
fn keys_of_other_algorithms() {
    let folder = Folder::new();
    let rsa = |key: &[u8]| {
        let algorithm = tlv(SEQUENCE, &[&oid("rsa"), &[5, 0]]);
        tlv(SEQUENCE, &[&algorithm, &tlv(BITS, &[&[0], key])])
    };
    let modulus = tlv(2, &[&[0], &[0x80], &[1; 255]]);
    let public_rsa = tlv(SEQUENCE, &[&modulus, &tlv(2, &[&[1, 0, 1]])]);
    let private_rsa = tlv(SEQUENCE, &[&[2, 1, 0], &modulus, &tlv(2, &[&[1, 0, 1]])]);
    let algorithm_rsa = tlv(SEQUENCE, &[&oid("rsa"), &[5, 0]]);
    let ec = tlv(SEQUENCE, &[&oid("ec"), &oid("p256")]);
    for (der, says) in [
        (
            rsa(&public_rsa),
            "RSA, 2048 bits (1.2.840.113549.1.1.1), which this program does not use",
        ),
        (
            tlv(
                SEQUENCE,
                &[&[2, 1, 0], &algorithm_rsa, &tlv(OCTETS, &[&private_rsa])],
            ),
            "RSA, 2048 bits",
        ),
        (
            tlv(SEQUENCE, &[&ec, &tlv(BITS, &[&[0], &[4; 65]])]),
            "EC, P-256 (1.2.840.10045.3.1.7)",
        ),
        (public("ed448", &[1; 57]), "Ed448, 57 bytes"),
        (public("x25519", &[1; 32]), "X25519, 32 bytes"),
        (
            private("x25519", &tlv(OCTETS, &[&[7; 32]])),
            "X25519 (1.3.101.110), which",
        ),
        (public("slh-dsa", &[1; 32]), "SLH-DSA-SHAKE-128s, 32 bytes"),
        (public("ml-kem-768", &[1; 1184]), "ML-KEM-768, 1184 bytes"),
        (public("falcon", &[1; 897]), "Falcon-512"),
        (public("unknown", &[1; 9]), "1.2.3.4"),
        (
            private("12.4.4", &[0; 2560]),
            "an older encoding: `moissanite doctor`",
        ),
        (public("7.6.5", &[0; 1952]), "Dilithium3 of round 3"),
    ] {
        let label = match der.windows(3).take(6).any(|found| found == [2, 1, 0]) {
            true => "PRIVATE KEY",
            false => "PUBLIC KEY",
        };
        for bytes in [der.clone(), pem(label, &der).into()] {
            let text = inspected(&folder, &bytes);
            assert!(text.contains(says), "{says}: {text}");
        }
    }
    folder.write("other", rsa(&public_rsa));
    let report = in_json(&folder, "other");
    assert_eq!(report["algorithm"], "RSA, 2048 bits");
    let hash = hex::encode(<sha2::Sha256 as sha2::Digest>::digest(rsa(&public_rsa)));
    assert_eq!(report["fingerprint"], format!("sha256:{hash}"));
    // The other commands name it too.
    folder.fails(
        2,
        "sign --key other --in other",
        "its algorithm is RSA (1.2.840.113549.1.1.1)",
    );
}

#[test]
fn certificates_with_other_keys() {
    let folder = chain();
    // The certificate of the leaf with the identifier of X25519 in place of Ed25519.
    folder.write("leaf.der", {
        let text = String::from_utf8(folder.read("leaf.pem")).unwrap();
        let body: String = text.lines().filter(|line| !line.starts_with('-')).collect();
        <base64ct::Base64 as base64ct::Encoding>::decode_vec(&body).unwrap()
    });
    let mut der = folder.read("leaf.der");
    let own = oid("ed25519");
    let at = der
        .windows(own.len())
        .position(|found| found == own)
        .unwrap();
    der[at + own.len() - 1] = 0x6e;
    let text = inspected(&folder, &der);
    for line in [
        "what         a certificate\n",
        "CN=Leaf",
        "X25519, 32 bytes",
        "ML-DSA-44",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let report = in_json(&folder, "other");
    assert_eq!(report["algorithm"], "X25519, 32 bytes");
    assert!(report["self_signed"].is_null());
}

#[test]
fn files_of_openssh() {
    let folder = Folder::new();
    folder.write("passphrase", "correct horse\n");
    folder.ok("ssh keygen --out id --no-passphrase --comment user@host");
    let text = folder.ok_text("inspect id");
    let fingerprint = |text: &str| {
        let line = text
            .lines()
            .find(|line| line.starts_with("fingerprint"))
            .unwrap();
        line.to_owned()
    };
    assert!(
        text.contains("what         a private key of OpenSSH\n"),
        "{text}"
    );
    assert!(
        text.contains("algorithm    ssh-mldsa44-ed25519\n"),
        "{text}"
    );
    assert!(text.contains("encrypted    no\n"), "{text}");
    let public = folder.ok_text("inspect id.pub");
    assert!(public.contains("comment      user@host\n"), "{public}");
    assert_eq!(fingerprint(&text), fingerprint(&public));
    assert_eq!(in_json(&folder, "id.pub")["what"], "ssh_public_key");
    folder.write("file", b"a message");
    folder.ok("-Y sign -f id -n file file");
    let signature = folder.ok_text("inspect file.sig");
    for line in [
        "a signature of OpenSSH",
        "namespace    file\n",
        "hash         sha512\n",
        &fingerprint(&text),
    ] {
        assert!(signature.contains(line), "{line}: {signature}");
    }
    // Another type of key, and its fingerprint by OpenSSH.
    let other =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g me\n";
    let text = inspected(&folder, other);
    assert!(text.contains("algorithm    ssh-ed25519\n"), "{text}");
    for bad in [
        pem("OPENSSH PRIVATE KEY", b"openssh-key-v1\0\0\0\0\xff"),
        pem("SSH SIGNATURE", b"SSHSIG\0\0\0\x01\0\0\0\x01"),
        "ssh-ed25519 AAAA%% me\n".into(),
    ] {
        folder.write("bad", bad);
        let ended = folder.run("inspect bad");
        assert_eq!(ended.status, 2);
        assert!(
            ended.stderr.contains("its fields are malformed"),
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn files_of_other_programs() {
    let folder = Folder::new();
    for (bytes, says) in [
        (
            &b"{\"kty\":\"AKP\"}"[..],
            "the crate moissanite-tokens, in its module jose",
        ),
        (b"PuTTY-User-Key-File-3: x\n", "puttygen"),
        (
            b"# created: 2026-11-25T02:40:25Z\n# public key: age1x\nAGE-SECRET-KEY-1X\n",
            "a key of age",
        ),
        (
            b"-----BEGIN ENCRYPTED SIGSTORE PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED SIGSTORE PRIVATE KEY-----\n",
            "a private key of cosign",
        ),
        (
            b"-----BEGIN DSA PARAMETERS-----\nAAAA\n-----END DSA PARAMETERS-----\n",
            "before PKCS#8",
        ),
    ] {
        let text = inspected(&folder, bytes);
        assert!(text.contains(says), "{text}");
    }
    folder.write("other", b"{\"kty\":\"AKP\"}");
    assert_eq!(in_json(&folder, "other")["what"], "json_web_key");
}

#[test]
fn labels_of_circl() {
    let folder = Folder::signed();
    let text = String::from_utf8(folder.read("key.pem")).unwrap();
    folder.write("circl.pem", text.replace("PRIVATE", "ML-DSA-44 PRIVATE"));
    folder.write("wrong.pem", text.replace("PRIVATE", "ML-DSA-65 PRIVATE"));
    assert!(
        folder
            .ok_text("inspect circl.pem")
            .contains("algorithm    ML-DSA-44")
    );
    folder.ok("sign --key circl.pem --in file --out new.sig");
    folder.ok("verify --key public.pem --signature new.sig --in file");
    let says = "the PEM type is ML-DSA-65 PRIVATE KEY, but the content is for ML-DSA-44";
    folder.fails(2, "sign --key wrong.pem --in file", says);
}

/// A message of CMS with one signer, made by hand: its signature is not verified.
#[test]
fn messages_of_cms() {
    let folder = chain();
    let decoded = |name: &str| {
        let text = String::from_utf8(folder.read(name)).unwrap();
        let body: String = text.lines().filter(|line| !line.starts_with('-')).collect();
        <base64ct::Base64 as base64ct::Encoding>::decode_vec(&body).unwrap()
    };
    let certificate = decoded("middle.pem");
    let hexed = |text: &str| tlv(6, &[&hex::decode(text).unwrap()]);
    let sha512 = tlv(SEQUENCE, &[&hexed("608648016503040203")]);
    let (data, signed) = (hexed("2a864886f70d010701"), hexed("2a864886f70d010702"));
    let attribute = |kind: &str, value: &[u8]| tlv(SEQUENCE, &[&hexed(kind), &tlv(0x31, &[value])]);
    let attributes = tlv(
        0xa0,
        &[
            &attribute("2a864886f70d010903", &data),
            &attribute("2a864886f70d010905", &tlv(0x17, &[b"260102030405Z"])),
        ],
    );
    let signer = tlv(
        SEQUENCE,
        &[
            &[2, 1, 3],
            &tlv(0x80, &[&[0xab; 20]]),
            &sha512,
            &attributes,
            &algorithm("44"),
            &tlv(OCTETS, &[&[9; 2420]]),
        ],
    );
    let message_of = |content: &[u8], signers: &[u8]| {
        let content = tlv(SEQUENCE, &[&data, content]);
        let body = tlv(
            SEQUENCE,
            &[
                &[2, 1, 3],
                &tlv(0x31, &[&sha512]),
                &content,
                &tlv(0xa0, &[&certificate]),
                &tlv(0x31, &[signers]),
            ],
        );
        tlv(SEQUENCE, &[&signed, &tlv(0xa0, &[&body])])
    };
    let message = |content: &[u8]| message_of(content, &signer);
    let attached = message(&tlv(0xa0, &[&tlv(OCTETS, &[b"content"])]));
    for bytes in [
        attached.clone(),
        pem("CMS", &attached).into(),
        pem("PKCS7", &attached).into(),
    ] {
        let text = inspected(&folder, bytes);
        for line in [
            "what         a message of CMS or PKCS#7\n",
            "content      7 bytes\n",
            "digests      SHA-512\n",
            "signer       key identifier abab",
            "signed with  ML-DSA-44, digest SHA-512\n",
            "attributes   content type, signing time\n",
            "signing time 2026-01-02T03:04:05Z\n",
            "certificate  1 of 1\n",
            "subject      CN=Middle\n",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
    }
    // A file with certificates only.
    let text = inspected(&folder, message_of(&[], &[]));
    assert!(
        text.contains("content      none, and nobody signed\n"),
        "{text}"
    );
    let text = inspected(&folder, message(&[]));
    assert!(text.contains("a detached signature"), "{text}");
    let report = in_json(&folder, "other");
    assert!(report["content_length"].is_null());
    assert_eq!(report["signers"][0]["signature_length"], 2420);
    assert_eq!(report["certificates"][0]["subject"], "CN=Middle");
    folder.write("bad", pem("CMS", &attached[..attached.len() - 1]));
    assert_eq!(folder.run("inspect bad").status, 2);
}

#[test]
fn revocation_lists() {
    let folder = chain();
    let crl = "cert crl --issuer root.pem --key root.key";
    folder.ok(&format!(
        "{crl} --revoke middle.pem --reason superseded --out list.pem"
    ));
    let text = folder.ok_text("inspect list.pem");
    for line in [
        "what         a certificate revocation list\n",
        "issuer       CN=Root\n",
        "reason superseded\n",
        "signed with  ML-DSA-44",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let report = in_json(&folder, "list.pem");
    assert_eq!(report["entries"][0]["reason"], "superseded");
    let text = String::from_utf8(folder.read("list.pem")).unwrap();
    let body: String = text.lines().filter(|line| !line.starts_with('-')).collect();
    let der = <base64ct::Base64 as base64ct::Encoding>::decode_vec(&body).unwrap();
    assert!(inspected(&folder, &der).contains("issuer       CN=Root\n"));
    // In a file with certificates.
    let both = [folder.read("root.pem"), folder.read("list.pem")].concat();
    let text = inspected(&folder, both);
    assert!(
        text.contains("reason superseded") && text.contains("document 1 is signed by itself"),
        "{text}"
    );
    let ended = folder.run("doctor list.pem");
    assert_eq!(ended.status, 1);
    folder.write("bad", &der[..der.len() - 1]);
    assert_eq!(folder.run("inspect bad").status, 2);
}
