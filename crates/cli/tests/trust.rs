//! `verify` with several keys, and with certificates as keys.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use crate::common::{ALGORITHMS, Folder};

const SIGNED: &str = "--signature file.sig --in file";

/// The file of the key that the report names.
fn key(report: &str) -> &str {
    let line = report.lines().find(|line| line.starts_with("key "));
    line.unwrap().split_whitespace().last().unwrap()
}

/// Every algorithm with two keys of each, of which any made the signature.
#[test]
fn the_key_that_verified_is_named() {
    let folder = Folder::new();
    folder.write("file", [7; 600_000]);
    for algorithm in ALGORITHMS {
        for number in [1, 2] {
            let name = format!("{algorithm}.{number}");
            folder.keygen(algorithm, &format!("{name}.key"), &format!("{name}.pub"));
        }
    }
    for algorithm in ALGORITHMS {
        for number in [1, 2] {
            let name = format!("{algorithm}.{number}");
            let raw = ["dilithium", "zk"]
                .iter()
                .any(|one| algorithm.starts_with(one));
            let algorithm_option = match raw {
                true => format!("--algorithm {algorithm}"),
                false => String::new(),
            };
            folder.ok(&format!(
                "sign --key {name}.key --in file --out file.sig --force {algorithm_option}"
            ));
            // Raw keys need the option, which is that of all keys.
            let others = match raw {
                true => String::new(),
                false => "--key ed25519.1.pub --key ml-dsa-87.1.pub --key ml-dsa-44.1.pub".into(),
            };
            let verify = format!(
                "verify {others} --key {algorithm}.1.pub --key {algorithm}.2.pub {algorithm_option} {SIGNED}"
            );
            let report = folder.ok_text(&verify);
            assert_eq!(key(&report), format!("{name}.pub"), "{report}");
            // One of them alone.
            let verify = format!("verify --key {algorithm}.1.pub {algorithm_option} {SIGNED}");
            let status = folder.run(&verify).status;
            assert_eq!(status, i32::from(number == 2), "{name}");
        }
    }
    folder.write("other", b"another message");
    let verify = "verify --key ml-dsa-65-ed25519.1.pub --key ml-dsa-65-ed25519.2.pub";
    let other = format!("{verify} --signature file.sig --in other");
    folder.fails(1, &other, "by one of these 2 keys in this context");
    let verify = "verify --key ml-dsa-44.1.pub --key ml-dsa-65.1.pub --key ml-dsa-44.2.pub";
    folder.fails(
        1,
        &format!("{verify} {SIGNED}"),
        "file.sig has 3373 bytes, the length of a signature of ML-DSA-65-Ed25519; \
         a signature of ML-DSA-44 has 2420, a signature of ML-DSA-65 has 3309",
    );
}

/// All keys see the whole message, even if it comes from a pipe and is larger than what Ed25519 holds to sign.
#[test]
fn the_message_is_read_once() {
    let folder = Folder::new();
    let message = vec![9; 65 << 20];
    folder.write("file", &message);
    for algorithm in ["ed25519", "ml-dsa-44"] {
        for number in [1, 2, 3] {
            let name = format!("{algorithm}.{number}");
            folder.keygen(algorithm, &format!("{name}.key"), &format!("{name}.pub"));
        }
        folder.ok(&format!(
            "sign --key {algorithm}.3.key --in file --out file.sig --force"
        ));
        let keys = [1, 2, 3].map(|number| format!("--key {algorithm}.{number}.pub"));
        let verify = format!("verify {} --signature file.sig", keys.join(" "));
        let report = String::from_utf8(folder.ok_with(&verify, &message)).unwrap();
        assert_eq!(key(&report), format!("{algorithm}.3.pub"));
        let mut changed = message.clone();
        *changed.last_mut().unwrap() ^= 1;
        folder.fails_with(1, &verify, &changed, "not valid");
    }
    fs::remove_file(folder.path("file")).unwrap();
}

#[test]
fn contexts_and_hash_functions() {
    let folder = Folder::new();
    folder.keygen("ml-dsa-44", "key.pem", "public.pem");
    folder.keygen("ml-dsa-44", "other.pem", "other.pub");
    folder.write("file", b"a message");
    for framing in ["--context a", "--prehash sha512", "--context-hex 00ff"] {
        folder.ok(&format!(
            "sign --key key.pem --in file --out file.sig --force {framing}"
        ));
        let verify = format!("verify --key other.pub --key public.pem {SIGNED}");
        let report = folder.ok_text(&format!("{verify} {framing}"));
        assert_eq!(key(&report), "public.pem");
        folder.fails(1, &verify, "not valid");
    }
    // Both keys are raw and of one algorithm, which has no contexts.
    folder.keygen("dilithium2", "a.key", "a.pub");
    folder.ok("sign --key a.key --algorithm dilithium2 --in file --out file.sig --force");
    let verify = format!("verify --key a.pub --key a.pub --algorithm dilithium2 {SIGNED}");
    assert_eq!(key(&folder.ok_text(&verify)), "a.pub");
    folder.fails(2, &format!("{verify} --context a"), "has no contexts");
    folder.fails(
        2,
        &format!("{verify} --prehash sha512"),
        "has no pre-hashing",
    );
}

/// The key of a certificate is trusted, whatever the certificate says.
#[test]
fn a_certificate_as_a_key() {
    let folder = Folder::signed();
    folder.ok("cert self-sign --key key.pem --subject CN=Alice --out alice.pem");
    folder.ok("cert request --key key.pem --subject CN=Alice --out alice.csr");
    let report = folder.ok_text(&format!("verify --key alice.pem {SIGNED}"));
    assert_eq!(key(&report), "alice.pem");
    for line in [
        "subject      CN=Alice\n",
        "certificate  not checked, as --key trusts its key\n",
    ] {
        assert!(report.contains(line), "{report}");
    }
    folder.keygen("ml-dsa-44", "other.key", "other.pub");
    let both = format!("verify --key other.pub --key alice.pem {SIGNED}");
    assert_eq!(key(&folder.ok_text(&both)), "alice.pem");
    folder.ok("cert self-sign --key other.key --subject CN=Bob --out bob.pem");
    let wrong = format!("verify --key bob.pem {SIGNED}");
    folder.fails(1, &wrong, "of this message by the key of CN=Bob");
    let request = format!("verify --key alice.csr {SIGNED}");
    folder.fails(2, &request, "extracts the public key");
    let private = format!("verify --key key.pem {SIGNED}");
    folder.fails(2, &private, "convert --public");
}

#[test]
fn arguments() {
    let folder = Folder::signed();
    folder.ok("cert self-sign --key key.pem --subject CN=Alice --out alice.pem");
    for (args, says) in [
        ("", "required arguments were not provided"),
        (
            "--key public.pem --certificate alice.pem",
            "cannot be used with",
        ),
        (
            "--certificate alice.pem",
            "required arguments were not provided",
        ),
        ("--root alice.pem", "required arguments were not provided"),
        ("--key public.pem --root alice.pem", "cannot be used with"),
        (
            "--key public.pem --at 2030-01-01T00:00:00Z",
            "cannot be used with",
        ),
        ("--root alice.pem --certificate public.pem", "public key"),
    ] {
        folder.fails(2, &format!("verify {args} {SIGNED}"), says);
    }
    for args in [
        "--key public.pem --key -",
        "--root - --certificate alice.pem",
    ] {
        let verify = format!("verify {args} --signature file.sig");
        folder.fails(2, &verify, "only one input");
    }
}
