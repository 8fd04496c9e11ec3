//! The kind of raw bytes is never guessed: if several kinds have their length, options decide.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::Folder;

/// Algorithms with raw public keys of the same length.
const TWINS: [(&str, &str); 3] = [
    ("ml-dsa-44", "dilithium2"),
    ("ml-dsa-65", "dilithium3"),
    ("ml-dsa-87", "dilithium5"),
];

#[test]
fn public_keys_of_two_algorithms() {
    for (one, other) in TWINS {
        for set in [one, other] {
            let folder = Folder::new();
            folder.ok(&format!(
                "keygen {set} --format raw --out key --public-out public"
            ));
            folder.write("file", b"a message");
            // Private keys of the two have different lengths.
            folder.ok("sign --key key --in file --out sig");
            for command in [
                "verify --signature sig --in file --key public",
                "inspect public",
                "convert public --format raw",
            ] {
                let ended = folder.run(command);
                assert_eq!(ended.status, 2, "{command}");
                let stderr = ended.stderr.to_lowercase();
                let says =
                    format!("can be a public key of {one} or {other}; say which with --algorithm");
                assert!(stderr.contains(&says), "{command}: {stderr}");
                folder.ok(&format!("{command} --algorithm {set}"));
            }
            folder.fails(
                2,
                "sign --key public --in file",
                "it is a public key, not a private key",
            );
        }
    }
}

/// 32 bytes are a seed of most algorithms, and the private and the public key of Ed25519.
#[test]
fn keys_of_ed25519() {
    let folder = Folder::new();
    folder.ok("keygen ed25519 --format raw --out key --public-out public");
    folder.write("file", b"a message");
    let (private, public) = (folder.read("key"), folder.read("public"));
    assert_eq!((private.len(), public.len()), (32, 32));
    let choices = "32 bytes can be a private key of ML-DSA-44, ML-DSA-65, ML-DSA-87, Dilithium2, \
        Dilithium3, Dilithium5, zkDilithium or Ed25519";
    let both = "32 bytes can be a private key of Ed25519, or a public key of Ed25519; \
        say which with --algorithm and --kind";
    for file in ["key", "public"] {
        let sign = format!("sign --key {file} --in file");
        folder.fails(2, &sign, &format!("{choices}; say which with --algorithm"));
        for command in ["inspect", "convert", "convert --public"] {
            let command = format!("{command} {file}");
            let says = format!("{choices}, or a public key of Ed25519; say which");
            folder.fails(2, &command, &says);
            let says = format!("{choices}; say which with --algorithm and --kind");
            folder.fails(2, &format!("{command} --kind private"), &says);
            folder.fails(2, &format!("{command} --algorithm ed25519"), both);
        }
        let says = "say which with `moissanite convert`, which writes it as PEM";
        folder.fails(
            2,
            &format!("cert self-sign --subject CN=a --key {file}"),
            says,
        );
    }
    let of = "--algorithm ed25519";
    folder.ok(&format!("sign --key key --in file --out sig {of}"));
    // A public key is what verification takes, and there is only one of this length.
    folder.ok("verify --key public --signature sig --in file");
    folder.ok(&format!(
        "verify --key public --signature sig --in file {of}"
    ));

    let raw = "--format raw";
    let convert = |args: &str| folder.ok(&format!("convert {args} {of} {raw}"));
    assert_eq!(convert("key --public --kind private"), public);
    assert_eq!(convert("public --public --kind public"), public);
    assert_eq!(convert("key --form seed"), private);
    let text = folder.ok_text(&format!("inspect public {of} --kind public"));
    assert!(text.contains("a public key"), "{text}");
    let text = folder.ok_text(&format!("inspect public {of} --kind private"));
    assert!(text.contains("a private key"), "{text}");
}

/// 64 bytes are the key of a composite, or a signature of Ed25519.
#[test]
fn composites() {
    let folder = Folder::new();
    folder.ok("keygen ml-dsa-44-ed25519 --format raw --out key --public-out public");
    folder.write("file", b"a message");
    let keys = "64 bytes can be a private key of ML-DSA-44-Ed25519 or ML-DSA-65-Ed25519";
    folder.fails(2, "sign --key key --in file", &format!("{keys}; say which"));
    let says = format!("{keys}, or a signature of Ed25519; say which");
    folder.fails(2, "inspect key", &says);
    folder.ok("inspect key --algorithm ml-dsa-44-ed25519");
    let says = "neither PEM nor DER, and 64 bytes are not a public key";
    folder.fails(2, "verify --key key --signature key --in file", says);

    // This one begins like a document in DER.
    let mut seed = vec![7; 64];
    seed[..2].copy_from_slice(&[0x30, 62]);
    folder.write("key", &seed);
    folder.fails(2, "sign --key key --in file", keys);
    folder.ok("sign --key key --in file --algorithm ml-dsa-65-ed25519");
}

#[test]
fn signatures() {
    let folder = Folder::signed();
    let says = "2420 bytes can be a signature of ML-DSA-44 or Dilithium2; say which";
    folder.fails(2, "inspect file.sig", says);
    folder.ok("inspect file.sig --algorithm ml-dsa-44");
    folder.ok("inspect file.sig --algorithm ml-dsa-44 --kind signature");
}

#[test]
fn options_that_contradict_the_file() {
    let folder = Folder::signed();
    for (args, says) in [
        (
            "inspect key.pem --kind public",
            "it is a private key, not a public key as --kind says",
        ),
        (
            "convert public.pem --kind private",
            "it is a public key, not a private key as --kind says",
        ),
        (
            "inspect file.sig --algorithm ml-dsa-44 --kind public",
            "it is a signature, not a public key as --kind says",
        ),
        (
            "inspect file.sig --algorithm ml-dsa-65",
            "a raw public key of ML-DSA-65 has 1952, a private key 4032",
        ),
        (
            "inspect file.sig --kind everything",
            "private, public, signature",
        ),
    ] {
        folder.fails(2, args, says);
    }
}
