//! Round-3 Dilithium in the command: its vectors, and the features that it does not have.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::Folder;
use serde_json::Value;
use sha2::{Digest, Sha256};

#[test]
fn vectors() {
    let vectors: Value = serde_json::from_str(moissanite_kats::DILITHIUM_ROUND3).unwrap();
    let hex = |value: &Value| hex::decode(value.as_str().unwrap()).unwrap();
    for set in ["Dilithium2", "Dilithium3", "Dilithium5"] {
        let folder = Folder::new();
        let case = &vectors["sets"][set]["deterministic"][0];
        let seed = case["seed"].as_str().unwrap();
        let warned = folder.run(&format!(
            "keygen {set} --seed {seed} --format raw --out key --public-out public"
        ));
        assert_eq!(warned.status, 0);
        assert!(
            folder.read("key") == hex(&case["sk"]) && folder.read("public") == hex(&case["pk"])
        );
        folder.write("file", hex(&case["msg"]));
        folder.ok("sign --key key --in file --out file.sig --deterministic");
        assert!(folder.read("file.sig") == hex(&case["sig"]));
        let verify =
            format!("verify --algorithm {set} --key public --signature file.sig --in file");
        folder.ok(&verify);
        folder.write("file", b"another");
        folder.fails(1, &verify, "not valid");
    }
}

#[test]
fn keys_are_raw_unless_asked_otherwise() {
    let folder = Folder::new();
    folder.ok("keygen dilithium3 --out key --public-out public");
    assert_eq!(
        (folder.read("key").len(), folder.read("public").len()),
        (4000, 1952)
    );
    for format in ["pem", "der"] {
        folder.fails(
            2,
            &format!("keygen dilithium3 --format {format} --out other"),
            "keys of Dilithium3 have neither PEM nor DER; use --format raw",
        );
        folder.fails(
            2,
            &format!("convert key --format {format}"),
            "use --format raw",
        );
    }
    assert!(!folder.exists("other"));
    assert_eq!(folder.ok("convert key --public"), folder.read("public"));
    folder.fails(2, "convert key --form seed", "its seed cannot be recovered");

    let inspected = folder.ok_text("inspect key");
    let fingerprint = hex::encode(Sha256::digest(folder.read("public")));
    for line in [
        "algorithm    Dilithium3\n",
        "consistent   yes: s1 and s2 are in range and give its t0 and tr\n",
        &fingerprint,
    ] {
        assert!(inspected.contains(line), "{inspected}");
    }
}

#[test]
fn there_are_no_contexts() {
    let folder = Folder::new();
    folder.ok("keygen dilithium2 --out key --public-out public");
    folder.write("file", b"a message");
    folder.fails(
        2,
        "sign --key key --in file --out sig --context backup",
        "Dilithium2 has no contexts; leave out --context",
    );
    folder.fails(
        2,
        "sign --key key --in file --out sig --prehash SHA2-512",
        "Dilithium2 has no pre-hashing; leave out --prehash",
    );
    assert!(!folder.exists("sig"));
}

/// Raw public keys have the same lengths as those of ML-DSA.
#[test]
fn a_raw_key_of_the_other_scheme() {
    let folder = Folder::new();
    folder.write("file", b"a message");
    for (set, other, says) in [
        (
            "dilithium2",
            "ml-dsa-44",
            "is not a signature of this message",
        ),
        (
            "dilithium3",
            "ml-dsa-65",
            "has 3293 bytes, the length of a signature of Dilithium3",
        ),
    ] {
        folder.ok(&format!(
            "keygen {set} --out {set}.key --public-out {set}.public"
        ));
        folder.ok(&format!("sign --key {set}.key --in file --out {set}.sig"));
        let verify = format!("verify --key {set}.public --signature {set}.sig --in file");
        folder.fails(2, &verify, "say which with --algorithm");
        folder.fails(1, &format!("{verify} --algorithm {other}"), says);
        folder.ok(&format!("{verify} --algorithm {set}"));
    }
}
