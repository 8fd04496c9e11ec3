//! zkDilithium in the command: its vectors, and the features that it does not have.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::Folder;
use moissanite_zk_dilithium::{SigningKey, prelude::*};
use serde_json::Value;

#[test]
fn vectors() {
    let vectors: Value = serde_json::from_str(moissanite_kats::ZKDILITHIUM).unwrap();
    let hex = |value: &Value| hex::decode(value.as_str().unwrap()).unwrap();
    let signed = vectors["sign"].as_array().unwrap().iter();
    let whole: Vec<_> = signed.filter(|case| case.get("sig").is_some()).collect();
    assert_eq!(whole.len(), 2);
    for case in whole {
        let folder = Folder::new();
        let seed = case["seed"].as_str().unwrap();
        folder.ok(&format!(
            "keygen zkdilithium --seed {seed} --format raw --out key --public-out public"
        ));
        assert!(
            folder.read("key") == hex(&case["sk"]) && folder.read("public") == hex(&case["pk"])
        );
        folder.write("file", hex(&case["msg"]));
        for backend in ["", "--backend portable"] {
            folder.ok(&format!(
                "sign --key key --in file --out file.sig --deterministic --force {backend}"
            ));
            assert!(folder.read("file.sig") == hex(&case["sig"]));
        }
        folder.ok("verify --key public --signature file.sig --in file");
        folder.ok("verify --algorithm zkdilithium --key public --signature file.sig --in file");
        folder.write("file", b"another");
        folder.fails(
            1,
            "verify --key public --signature file.sig --in file",
            "not valid",
        );
    }
}

/// A message in pieces, from a file or a pipe, has the same signature as in the library.
#[test]
fn more_than_a_piece() {
    let message: Vec<u8> = (0..600_001_u32).map(|i| i.to_le_bytes()[1]).collect();
    let key = SigningKey::from_seed(&[7; 32].into());
    let folder = Folder::new();
    folder.write("key", key.as_bytes());
    folder.write("public", key.verifying_key().as_bytes());
    folder.write("file", &message);
    let signature = folder.ok("sign --key key --in file");
    assert!(signature == key.try_sign(&message).unwrap().as_bytes());
    assert!(signature == folder.ok_with("sign --key key", &message));
    folder.write("sig", signature);
    folder.ok("verify --key public --signature sig --in file");
    let verify = "verify --key public --signature sig";
    folder.ok_with(verify, &message);
    folder.fails_with(1, verify, &message[..600_000], "not valid");
}

#[test]
fn missing_features() {
    let folder = Folder::new();
    folder.ok("keygen zkdilithium --out key --public-out public");
    folder.write("file", b"a message");
    folder.ok("sign --key key --in file --out sig");
    let inspected = folder.ok_text("inspect key");
    for line in [
        "algorithm    zkDilithium\n",
        "3936 bytes",
        "consistent   yes: s1 and s2 are in range and give its t and tr\n",
    ] {
        assert!(inspected.contains(line), "{inspected}");
    }
    assert!(folder.ok_text("inspect sig").contains("2340 bytes"));
    assert_eq!(folder.ok("convert key --public"), folder.read("public"));

    let says = "keys of zkDilithium have neither PEM nor DER; use --format raw";
    folder.fails(2, "keygen zkdilithium --format pem", says);
    let says = "zkDilithium has no contexts; leave out --context";
    folder.fails(2, "sign --key key --in file --context c", says);

    // Three bytes of t that are not less than q.
    let mut public = folder.read("public");
    public[32..35].fill(0xff);
    folder.write("public", public);
    let says = "a coefficient of t in the key is not less than q";
    folder.fails(2, "verify --key public --signature sig --in file", says);
}

#[test]
fn the_bench() {
    let text = Folder::new().ok_text("bench zkdilithium --n 3 --rounds 1");
    assert!(text.contains("zkDilithium sign, prepared"), "{text}");
}
