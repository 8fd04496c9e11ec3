//! Signing and verifying files.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::Folder;

const SETS: [(&str, usize, usize, usize); 3] = [
    ("ml-dsa-44", 1312, 2560, 2420),
    ("ML-DSA-65", 1952, 4032, 3309),
    ("ml-dsa-87", 2592, 4896, 4627),
];

#[test]
fn every_set_and_format_signs_and_verifies() {
    for (set, public, private, signature) in SETS {
        for format in ["pem", "der", "raw"] {
            let folder = Folder::new();
            folder.ok(&format!(
                "keygen {set} --format {format} --out key --public-out pub"
            ));
            if format == "raw" {
                assert_eq!(folder.read("key").len(), private);
                assert_eq!(folder.read("pub").len(), public);
            }
            folder.write("file", [7; 100_000]);
            folder.ok("sign --key key --in file --out sig");
            assert_eq!(folder.read("sig").len(), signature);
            let verify = format!("verify --algorithm {set} --key pub --signature sig --in file");
            assert!(folder.ok(&verify).starts_with(b"valid\n"));
            if format != "raw" {
                folder.ok("verify --key pub --signature sig --in file");
            }
            folder.write("file", [7; 99_999]);
            folder.fails(1, &verify, "not valid");
        }
    }
}

#[test]
fn standard_input_and_output() {
    let folder = Folder::signed();
    let signature = folder.ok_with("sign --key key.pem", b"a message");
    assert_eq!(signature.len(), 2420);
    folder.write("sig", &signature);
    folder.ok("verify --key public.pem --signature sig --in file");
    folder.ok_with(
        "verify --key public.pem --signature sig --in -",
        b"a message",
    );
    folder.ok_with(
        "verify --key public.pem --signature - --in file",
        &signature,
    );
    folder.ok_with(
        "verify --key - --signature sig --in file",
        &folder.read("public.pem"),
    );
    let signature = folder.ok_with("sign --key - --in file --out -", &folder.read("key.pem"));
    assert_eq!(signature.len(), 2420);
    folder.fails(2, "sign --key -", "only one input");
    folder.fails(2, "verify --key public.pem --signature -", "only one input");
    let private = folder.ok("keygen ml-dsa-44");
    assert!(private.starts_with(b"-----BEGIN PRIVATE KEY-----\n"));
    folder.fails(2, "keygen ml-dsa-44 --public-out -", "both keys");
}

#[test]
fn hedged_unless_deterministic() {
    let folder = Folder::signed();
    let sign = |args: &str| folder.ok(&format!("sign --key key.pem --in file {args}"));
    assert_ne!(sign(""), sign(""));
    assert_eq!(sign("--deterministic"), sign("--deterministic"));
}

#[test]
fn the_seed_makes_the_key() {
    let folder = Folder::new();
    let seed = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    let ended = folder.run(&format!(
        "keygen ml-dsa-44 --seed {seed} --format raw --out a"
    ));
    assert_eq!(ended.status, 0);
    assert!(ended.stderr.contains("warning: a seed on the command line"));
    folder.ok(&format!(
        "keygen ml-dsa-44 --seed {} --format raw --out b",
        seed.to_uppercase()
    ));
    assert_eq!(folder.read("a"), folder.read("b"));
    for (bad, says) in [
        (&seed[1..], "--seed <HEX>': it is not hex"),
        (&seed[2..], "--seed takes 64 hex digits"),
        ("xy", "--seed <HEX>': it is not hex"),
        (&format!("{seed}00"), "--seed takes 64 hex digits"),
        (&seed.replace('a', "g"), "--seed <HEX>': it is not hex"),
    ] {
        let ended = folder.run(&format!("keygen ml-dsa-44 --seed {bad} --out c"));
        assert_eq!(ended.status, 2);
        assert!(ended.stderr.contains(says), "{}", ended.stderr);
        assert!(!ended.stderr.contains(bad), "a seed is secret");
        assert!(!folder.exists("c"));
    }
}

#[test]
fn contexts() {
    let folder = Folder::signed();
    let verify = "verify --key public.pem --signature sig --in file";
    folder.ok("sign --key key.pem --in file --context invoice --out sig");
    folder.ok(&format!("{verify} --context invoice"));
    folder.ok(&format!("{verify} --context-hex 696e766f696365"));
    folder.fails(1, verify, "not valid");
    folder.fails(1, &format!("{verify} --context Invoice"), "not valid");
    let longest = "é".repeat(127) + "x";
    folder.ok(&format!(
        "sign --key key.pem --in file --context {longest} --out sig --force"
    ));
    folder.ok(&format!("{verify} --context {longest}"));
    for too_long in ["x".repeat(256), "é".repeat(128)] {
        let context = format!("--context {too_long}");
        let says = "the context has 256 bytes";
        folder.fails(
            2,
            &format!("sign --key key.pem --in file {context} --out new"),
            says,
        );
        folder.fails(2, &format!("{verify} {context}"), says);
    }
    let hex = "ab".repeat(256);
    folder.fails(
        2,
        &format!("{verify} --context-hex {hex}"),
        "the context has 256 bytes",
    );
    folder.fails(
        2,
        &format!("{verify} --context-hex abc"),
        "'--context-hex <HEX>': it is not hex",
    );
    folder.fails(
        2,
        &format!("{verify} --context a --context-hex ab"),
        "cannot be used with",
    );
    assert!(!folder.exists("new"));
}

#[test]
fn prehash() {
    let folder = Folder::signed();
    let verify = "verify --key public.pem --signature sig --in file";
    for hash in ["SHA2-512", "sha384", "sha3-512", "SHA3-384", "shake-256"] {
        folder.ok(&format!(
            "sign --key key.pem --in file --out sig --force --prehash {hash}"
        ));
        let stdout = folder.ok(&format!("{verify} --prehash {hash}"));
        assert!(stdout.starts_with(b"valid\n"));
        folder.fails(1, verify, "not valid");
        let other = if hash == "SHA2-512" {
            "sha3-512"
        } else {
            "SHA2-512"
        };
        folder.fails(1, &format!("{verify} --prehash {other}"), "not valid");
    }
    folder.fails(
        2,
        &format!("{verify} --prehash md5"),
        "'md5' for '--prehash <HASH>': there is no such hash function",
    );
}

/// FIPS 204, section 5.4, in signing and in verification.
#[test]
fn weak_prehash() {
    let folder = Folder::new();
    folder.write("file", b"a message");
    for (set, weak, enough) in [
        (
            "ML-DSA-44",
            &["SHA2-224", "SHA2-512/224", "SHA3-224"][..],
            "SHA2-256",
        ),
        (
            "ML-DSA-65",
            &["SHA2-256", "SHAKE-128", "SHA2-512/256"],
            "SHA3-384",
        ),
        ("ML-DSA-87", &["SHA2-384", "SHA3-256"], "SHAKE-256"),
    ] {
        folder.ok(&format!(
            "keygen {set} --out {set}.key --public-out {set}.pub --format raw"
        ));
        let sign = format!("sign --algorithm {set} --key {set}.key --in file --out {set}.sig");
        let verify =
            format!("verify --algorithm {set} --key {set}.pub --signature {set}.sig --in file");
        for hash in weak {
            let says = format!("bits of collision strength, and {set} needs");
            folder.fails(2, &format!("{sign} --prehash {hash}"), &says);
            assert!(!folder.exists(&format!("{set}.sig")));
        }
        folder.ok(&format!("{sign} --prehash {enough}"));
        folder.ok(&format!("{verify} --prehash {enough}"));
        for hash in weak {
            folder.fails(2, &format!("{verify} --prehash {hash}"), enough);
        }
    }
    folder.fails(
        2,
        "sign --algorithm ML-DSA-87 --key ML-DSA-87.key --in file --out new --prehash sha3-384",
        "--prehash: SHA3-384 has 192 bits of collision strength, and ML-DSA-87 needs 256; use one of \
         SHA2-512, SHA3-512, SHAKE-256",
    );
}

#[test]
fn signatures_that_cannot_be_valid() {
    let folder = Folder::signed();
    let signature = folder.read("file.sig");
    let verify = "verify --key public.pem --signature sig --in file";
    let flipped = |index: usize| {
        let mut bytes = signature.clone();
        bytes[index] ^= 1;
        bytes
    };
    for (bytes, says) in [
        (vec![], "has 0 bytes; a signature of ML-DSA-44 has 2420"),
        (signature[..2419].to_vec(), "has 2419 bytes"),
        ([&signature[..], b"\n"].concat(), "has 2421 bytes"),
        (
            vec![0; 3309],
            "has 3309 bytes, the length of a signature of ML-DSA-65",
        ),
        (vec![0; 100_000], "has 65536 bytes or more"),
        (
            folder.read("public.pem"),
            "it is PEM of the type 'PUBLIC KEY'",
        ),
        (vec![0; 2420], "is not a signature of this message"),
        (vec![255; 2420], "is not a signature of this message"),
        (flipped(0), "is not a signature of this message"),
        (flipped(1000), "is not a signature of this message"),
        (flipped(2419), "is not a signature of this message"),
    ] {
        folder.write("sig", bytes);
        folder.fails(1, verify, says);
    }
    // A signature by another key.
    folder.keygen("ml-dsa-44", "other.pem", "other-public.pem");
    folder.fails(
        1,
        "verify --key other-public.pem --signature file.sig --in file",
        "not valid",
    );
    folder.fails(
        2,
        "verify --key public.pem --signature absent --in file",
        "cannot read absent",
    );
    folder.fails(
        2,
        "verify --key public.pem --signature file.sig --in absent",
        "cannot read absent",
    );
    folder.fails(
        2,
        "verify --key public.pem --signature file.sig --in .",
        "cannot read .",
    );
}

#[test]
fn an_empty_message() {
    let folder = Folder::signed();
    folder.write("empty", b"");
    folder.ok("sign --key key.pem --in empty --out sig");
    folder.ok("verify --key public.pem --signature sig --in empty");
    folder.ok("verify --key public.pem --signature sig");
    folder.fails(
        1,
        "verify --key public.pem --signature sig --in file",
        "not valid",
    );
}

#[test]
fn every_backend_gives_the_same_signature() {
    let folder = Folder::signed();
    let sign = "sign --key key.pem --in file --deterministic";
    let expected = folder.ok(sign);
    let unknown = folder.run("--backend unknown algorithms");
    assert_eq!(unknown.status, 2);
    let (_, names) = unknown.stderr.trim().split_once("it has ").unwrap();
    assert!(names.contains("portable"));
    for name in names.split(", ") {
        assert_eq!(folder.ok(&format!("{sign} --backend {name}")), expected);
        folder.ok(&format!(
            "verify --backend {name} --key public.pem --signature file.sig --in file"
        ));
        let mut command = folder.command();
        let output = command
            .args(sign.split(' '))
            .env("MOISSANITE_BACKEND", name)
            .output();
        assert_eq!(output.unwrap().stdout, expected);
    }
    let mut command = folder.command();
    let output = command
        .arg("algorithms")
        .env("MOISSANITE_BACKEND", "unknown")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("MOISSANITE_BACKEND")
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_large_file_takes_little_memory() {
    use std::fs::File;
    use std::process::Command;

    let folder = Folder::signed();
    let large = File::create(folder.path("large")).unwrap();
    large.set_len(256 << 20).unwrap();
    // 64 MiB of address space hold the program, but not the file.
    let moissanite = env!("CARGO_BIN_EXE_moissanite");
    for args in [
        "sign --key key.pem --in large --out large.sig",
        "verify --key public.pem --signature large.sig --in large",
    ] {
        let script = format!("ulimit -v 65536; exec {moissanite} {args}");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(folder.path(""));
        let output = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args}: {stderr}");
    }
}

const COMPOSITES: [(&str, usize, usize, usize); 3] = [
    ("ed25519", 32, 32, 64),
    ("ML-DSA-44-ed25519", 1344, 64, 2484),
    ("ml-dsa-65-Ed25519", 1984, 64, 3373),
];

/// `--algorithm` states the algorithm of raw bytes: a seed, a public key and a signature can have the
/// same length.
#[test]
fn ed25519_and_composites() {
    for (name, public, private, signature) in COMPOSITES {
        for format in ["pem", "der", "raw"] {
            let folder = Folder::new();
            folder.ok(&format!(
                "keygen {name} --format {format} --out key --public-out pub"
            ));
            let of = match format {
                "raw" => format!("--algorithm {name}"),
                _ => String::new(),
            };
            if format == "raw" {
                assert_eq!(folder.read("key").len(), private);
                assert_eq!(folder.read("pub").len(), public);
                let says = format!("{private} bytes can be a private key of ");
                folder.fails(2, "sign --key key --in key", &says);
            }
            folder.write("file", [7; 100_000]);
            folder.ok(&format!("sign --key key --in file --out sig {of}"));
            assert_eq!(folder.read("sig").len(), signature);
            let verify = format!("verify --key pub --signature sig --in file {of}");
            assert!(folder.ok(&verify).starts_with(b"valid\n"));
            folder.ok(&format!("inspect sig --algorithm {name}"));
            folder.write("file", [7; 99_999]);
            folder.fails(1, &verify, "not valid");

            // Converting it again gives the same bytes.
            let kind = if format == "raw" {
                "--kind private"
            } else {
                ""
            };
            let pem = folder.ok(&format!("convert key --format pem {of} {kind}"));
            folder.write("again", pem);
            let again = folder.ok(&format!("convert again --public --format {format}"));
            assert_eq!(again, folder.read("pub"));
            folder.fails(2, "convert again --form both", "have one form only");
            let says = match name {
                "ed25519" => "Ed25519 has no pre-hashing",
                _ => "always hashes the message with SHA-512",
            };
            folder.fails(2, "sign --key again --in file --prehash SHA-512", says);
        }
    }
}

#[test]
fn contexts_of_composites_and_of_none() {
    let folder = Folder::new();
    folder.write("file", b"a message");
    folder.keygen("ml-dsa-44-ed25519", "key", "pub");
    folder.ok("sign --key key --in file --context invoice --out sig");
    folder.ok("verify --key pub --signature sig --in file --context invoice");
    let verify = "verify --key pub --signature sig --in file";
    folder.fails(1, verify, "not valid");
    let sign = |more: &str| folder.ok(&format!("sign --key key --in file {more}"));
    assert_ne!(sign(""), sign(""));
    assert_eq!(sign("--deterministic"), sign("--deterministic"));

    folder.keygen("ed25519", "plain", "plain.pub");
    let says = "Ed25519 has no contexts";
    folder.fails(2, "sign --key plain --in file --context a", says);
    folder.ok("sign --key plain --in file --out plain.sig");
    let verify = "verify --key plain.pub --signature plain.sig --in file";
    folder.ok(verify);
    folder.fails(2, &format!("{verify} --context a"), says);
}

/// Ed25519 reads a message twice: it reads a file again, and keeps a message from a pipe in memory.
#[test]
fn ed25519_reads_twice() {
    let folder = Folder::new();
    folder.keygen("ed25519", "key", "pub");
    folder.write("file", vec![7; 1 << 20]);
    let signature = folder.ok("sign --key key --in file");
    assert_eq!(
        folder.ok_with("sign --key key", &folder.read("file")),
        signature
    );
    folder.write("sig", &signature);
    folder.ok_with("verify --key pub --signature sig", &folder.read("file"));
    folder.ok_with("sign --key key", &vec![0; 64 << 20]);
    let too_much = vec![0; (64 << 20) + 1];
    folder.fails_with(2, "sign --key key", &too_much, "the limit of 64 MiB");
}
