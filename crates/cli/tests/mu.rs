//! The message representative μ, computed on one machine and signed on another.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use base64ct::{Base64, Encoding};
use shake::Shake256;
use shake::digest::{ExtendableOutput, Update, XofReader};

use crate::common::Folder;

fn folder(algorithm: &str) -> Folder {
    let folder = Folder::new();
    folder.keygen(algorithm, "key.pem", "public.pem");
    folder.write("file", "a message");
    folder
}

fn shake(parts: &[&[u8]]) -> [u8; 64] {
    let mut hash = Shake256::default();
    parts.iter().for_each(|part| hash.update(part));
    let mut digest = [0; 64];
    hash.finalize_xof().read(&mut digest);
    digest
}

/// FIPS 204, Algorithm 2, line 10, and Algorithm 7, line 6.
#[test]
fn it_is_that_of_the_standard() {
    for set in ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87"] {
        let folder = folder(set);
        let tr = shake(&[&folder.ok("convert public.pem --format raw")]);
        for context in ["", "invoice"] {
            let length = u8::try_from(context.len()).unwrap();
            let expected = shake(&[&tr, &[0, length], context.as_bytes(), b"a message"]);
            let option = match context {
                "" => String::new(),
                context => format!("--context {context}"),
            };
            let mu = folder.ok_text(&format!("mu --key public.pem {option} file"));
            assert_eq!(mu, hex::encode(expected) + "\n");
            let mu = folder.ok_with(&format!("mu --key public.pem {option}"), b"a message");
            assert_eq!(mu, (hex::encode(expected) + "\n").as_bytes());
            folder.ok(&format!(
                "mu --key public.pem {option} file --out mu --force"
            ));
            assert_eq!(folder.read("mu"), expected);
        }
    }
}

#[test]
fn the_signature_is_that_of_the_message() {
    let folder = folder("ml-dsa-44");
    for options in [
        "",
        "--context invoice",
        "--context-hex 00ff --prehash sha3-512",
    ] {
        let mu = folder.ok_text(&format!("mu --key public.pem {options} file"));
        let mu = mu.trim();
        let message = format!("sign --key key.pem --deterministic {options} --in file");
        let signature = folder.ok(&message);
        let of_mu = format!("sign --key key.pem --deterministic --mu {mu}");
        assert_eq!(folder.ok(&of_mu), signature, "{options}");
        let raw = hex::decode(mu).unwrap();
        for bytes in [
            mu.into(),
            format!("{mu}\r\n").into(),
            Base64::encode_string(&raw).into(),
            raw,
        ] {
            folder.write("mu", &bytes);
            let of_file = "sign --key key.pem --deterministic --mu-file mu";
            assert_eq!(folder.ok(of_file), signature, "{options}");
            let of_stream = "sign --key key.pem --deterministic --mu-file -";
            assert_eq!(folder.ok_with(of_stream, &bytes), signature, "{options}");
            folder.write("sig", &signature);
            let verify = "verify --key public.pem --signature sig --mu-file mu";
            assert!(folder.ok(verify).starts_with(b"valid\n"));
        }
        folder.ok(&format!(
            "sign --key key.pem --mu {mu} --out hedged --force"
        ));
        folder.ok(&format!(
            "verify --key public.pem --signature hedged {options} file"
        ));
        folder.ok(&format!(
            "verify --key public.pem --signature hedged --mu {mu}"
        ));
        let other = folder.ok_text("mu --key public.pem key.pem");
        let other = format!(
            "verify --key public.pem --signature hedged --mu {}",
            other.trim()
        );
        folder.fails(1, &other, "is not a signature of this message");
    }
}

#[test]
fn wrong_values() {
    let folder = folder("ml-dsa-44");
    let before = folder.names();
    let mu = "ab".repeat(64);
    for (args, says) in [
        (format!("--mu {}", &mu[2..]), "it has 63 bytes; a mu has 64"),
        (format!("--mu {mu}00"), "it has 65 bytes; a mu has 64"),
        (format!("--mu {}", &mu[1..]), "it is not hex"),
        (
            "--mu-file file".into(),
            "it has 9 bytes; a mu has 64, or 128 hex digits",
        ),
        (
            "--mu-file /dev/zero".into(),
            "a mu has 64, or 128 hex digits",
        ),
        ("--mu-file absent".into(), "cannot read absent"),
        (format!("--mu {mu} --mu-file file"), "cannot be used with"),
        (format!("--mu {mu} --context a"), "cannot be used with"),
        (format!("--mu {mu} --context-hex ab"), "cannot be used with"),
        (format!("--mu {mu} --prehash sha512"), "cannot be used with"),
        (format!("--mu {mu} --in file"), "cannot be used with"),
        (format!("--mu {mu} --recursive ."), "cannot be used with"),
        (format!("--mu {mu} file"), "cannot be used with"),
        ("--mu-file file --context a".into(), "cannot be used with"),
        ("--mu-file file file".into(), "cannot be used with"),
    ] {
        let ended = folder.run(&format!("sign --key key.pem --out new {args}"));
        assert_eq!(ended.status, 2, "{args}");
        assert!(ended.stderr.contains(says), "{args}: {}", ended.stderr);
        // It is as secret as the message.
        assert!(!ended.stderr.contains("abababab"), "{}", ended.stderr);
        assert_eq!(folder.names(), before, "{args}");
    }
    folder.fails(2, "mu --key public.pem absent", "cannot read absent");
    folder.fails(
        2,
        "mu --key key.pem file",
        "it is a private key, not a public key",
    );
    folder.fails(
        2,
        "mu --key public.pem file --out key.pem",
        "exists already",
    );
    folder.fails(
        2,
        "mu --key public.pem file --out file --force",
        "is the same file as the input",
    );
    let weak = "mu --key public.pem file --prehash sha2-224";
    folder.fails(2, weak, "bits of collision strength");
}

#[test]
fn other_algorithms_have_none() {
    let mu = "ab".repeat(64);
    for name in ["Dilithium2", "zkDilithium", "Ed25519", "ML-DSA-44-Ed25519"] {
        let folder = Folder::new();
        folder.ok(&format!(
            "keygen {name} --format raw --out key --public-out public"
        ));
        let says =
            format!("{name} does not sign a mu that is computed elsewhere; only ML-DSA does");
        folder.write("file", "a message");
        let of = format!("--algorithm {name}");
        folder.fails(2, &format!("mu --key public {of} file"), &says);
        folder.fails(2, &format!("sign --key key {of} --mu {mu}"), &says);
        folder.ok(&format!("sign --key key {of} file"));
        let verify = format!("verify --key public {of} --signature file.sig --mu {mu}");
        folder.fails(2, &verify, &says);
    }
}
