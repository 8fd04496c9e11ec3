//! Signatures and keys as text: armored, in base64 and in hex.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use base64ct::{Base64, Encoding};

use crate::common::Folder;

const ALGORITHMS: [&str; 10] = [
    "ML-DSA-44",
    "ML-DSA-65",
    "ML-DSA-87",
    "Dilithium2",
    "Dilithium3",
    "Dilithium5",
    "zkDilithium",
    "Ed25519",
    "ML-DSA-44-Ed25519",
    "ML-DSA-65-Ed25519",
];

/// A folder with a key, another one, and an armored signature.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.keygen("ml-dsa-44", "key.pem", "public.pem");
    folder.keygen("ml-dsa-44", "other.pem", "other-public.pem");
    folder.write("file", "a message");
    folder.ok("sign --key key.pem --armor file");
    folder
}

/// `bytes` in lines of this length.
fn wrapped(text: &str, length: usize, end: &str) -> String {
    let lines = text.as_bytes().chunks(length);
    lines
        .map(|line| String::from_utf8_lossy(line) + end)
        .collect()
}

fn text_of(folder: &Folder, name: &str) -> String {
    String::from_utf8(folder.read(name)).unwrap()
}

/// The fingerprint that `inspect` prints.
fn fingerprint(folder: &Folder, name: &str) -> String {
    let text = folder.ok_text(&format!("inspect {name}"));
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("fingerprint"));
    line.unwrap().trim().to_owned()
}

#[test]
fn every_algorithm() {
    for name in ALGORITHMS {
        let folder = Folder::new();
        folder.ok(&format!(
            "keygen {name} --format raw --out key --public-out public"
        ));
        folder.write("file", "a message");
        folder.ok(&format!("sign --key key --algorithm {name} --armor file"));
        let text = text_of(&folder, "file.sig");
        assert!(
            text.starts_with(&format!("Algorithm: {name}\nKey: sha256:")),
            "{text}"
        );
        assert!(
            text.contains(&format!("\n-----BEGIN {name} SIGNATURE-----\n")),
            "{text}"
        );
        assert!(
            text.ends_with(&format!("\n-----END {name} SIGNATURE-----\n")),
            "{text}"
        );
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        folder.ok(&format!("verify --key public --algorithm {name} file"));
        let inspected = folder.ok_text("inspect file.sig");
        assert!(
            inspected.contains(name) && inspected.contains("PEM"),
            "{inspected}"
        );
        let (_, key) = text.split_once("Key: ").unwrap();
        let key = key.lines().next().unwrap();
        assert!(
            inspected.contains(&format!("claimed key  {key}, which nobody signed")),
            "{inspected}"
        );
    }
}

#[test]
fn the_text_says_how_the_signature_was_made() {
    let folder = folder();
    let stated = |args: &str| {
        let text =
            String::from_utf8(folder.ok(&format!("sign --key key.pem --armor --in file {args}")));
        let text = text.unwrap();
        let (before, _) = text.split_once("-----BEGIN").unwrap();
        before.to_owned()
    };
    let key = fingerprint(&folder, "public.pem");
    let plain = format!("Algorithm: ML-DSA-44\nKey: {key}\n");
    assert_eq!(stated(""), plain);
    assert_eq!(
        stated("--context invoice"),
        format!("{plain}Context: invoice\n")
    );
    assert_eq!(
        stated("--context-hex 0a2d --prehash sha512"),
        format!("{plain}Context-Hex: 0a2d\nPrehash: SHA2-512\n")
    );
    let mu = folder.ok_text("mu --key public.pem file --context invoice");
    let text = folder.ok(&format!("sign --key key.pem --armor --mu {}", mu.trim()));
    assert!(text.starts_with(format!("{plain}-----BEGIN").as_bytes()));
}

#[test]
fn every_encoding_of_a_signature() {
    let folder = folder();
    let armored = text_of(&folder, "file.sig");
    let raw = folder.ok("sign --key key.pem --in file");
    let (base64, hex) = (Base64::encode_string(&raw), hex::encode(&raw));
    for text in [
        armored.clone(),
        armored.replace('\n', "\r\n"),
        armored.trim_end().into(),
        format!("From: somebody\n\n{armored}\n \n"),
        base64.clone(),
        wrapped(&base64, 64, "\n"),
        wrapped(&base64, 76, "\r\n"),
        hex.clone(),
        hex.to_uppercase(),
        wrapped(&hex, 60, "\n"),
    ] {
        folder.write("sig", &text);
        let verify = "verify --key public.pem --signature sig --in file";
        assert!(folder.ok(verify).starts_with(b"valid\n"), "{text}");
        folder.fails(
            1,
            "verify --key public.pem --signature sig --in key.pem",
            "is not a signature",
        );
        folder.ok("inspect sig --algorithm ml-dsa-44 --kind signature");
    }
    folder.write("sig", raw);
    folder.ok("verify --key public.pem --signature sig --in file");
}

#[test]
fn damaged_armor() {
    let folder = folder();
    let armored = text_of(&folder, "file.sig");
    let verify = "verify --key public.pem --signature sig --in file";
    let (without_end, _) = armored.split_once("-----END").unwrap();
    let shorter = armored.replacen("\n-----END", "AAAA\n-----END", 1);
    let base64 = Base64::encode_string(&folder.ok("sign --key key.pem --in file"));
    for (text, says) in [
        (without_end.to_owned(), "the file may be truncated"),
        (armored[..1000].to_owned(), "the file may be truncated"),
        (armored.repeat(2), "more than one PEM document"),
        (format!("{armored}trailing"), "something follows"),
        (format!("{armored}\n\0"), "something follows"),
        (
            armored.replace("BEGIN ML-DSA-44", "BEGIN ML-DSA-65"),
            "begins as",
        ),
        (
            armored.replace(" ML-DSA-44 SIGNATURE", " ML-DSA-65 SIGNATURE"),
            "is a signature of ML-DSA-65, and the key is one of ML-DSA-44",
        ),
        (
            armored.replace(" ML-DSA-44 SIGNATURE", " SIGNATURE"),
            "'(unknown)'",
        ),
        (
            armored.replace(" ML-DSA-44 SIGNATURE", " CERTIFICATE"),
            "'CERTIFICATE'",
        ),
        (shorter, "not base64"),
        (
            armored.replace("SIGNATURE-----\n", "SIGNATURE-----\n!"),
            "not base64",
        ),
        (base64[..3000].to_owned(), "has 3000 bytes"),
        (
            format!("{base64}AAAA"),
            "bytes; a signature of ML-DSA-44 has 2420",
        ),
        (
            format!("{base64}!"),
            "bytes; a signature of ML-DSA-44 has 2420",
        ),
        (text_of(&folder, "public.pem"), "'PUBLIC KEY'"),
    ] {
        folder.write("sig", &text);
        folder.fails(1, verify, says);
    }
    // A signature that is too short, in a document that is complete.
    let document = format!(
        "-----BEGIN ML-DSA-44 SIGNATURE-----\n{}\n-----END ML-DSA-44 SIGNATURE-----\n",
        Base64::encode_string(&[7; 100])
    );
    folder.write("sig", document);
    folder.fails(1, verify, "has 100 bytes");
}

/// Anybody can change the text, so that nothing but a hint depends on it.
#[test]
fn text_of_an_attacker() {
    let folder = folder();
    let [key, other] = ["public.pem", "other-public.pem"].map(|name| fingerprint(&folder, name));
    let armored = text_of(&folder, "file.sig");
    let verify = "verify --key public.pem --signature sig --in file";

    folder.write("sig", armored.replace(&key, &other));
    let ended = folder.run(verify);
    assert_eq!(ended.status, 0);
    assert!(ended.stdout.starts_with(b"valid\n"));
    let says = format!("warning: the text of sig names another key, {other}");
    assert!(ended.stderr.contains(&says), "{}", ended.stderr);

    // The other key did not make it, whatever the text says.
    let by_other = "verify --key other-public.pem --signature sig --in file";
    let ended = folder.run(by_other);
    assert_eq!(ended.status, 1);
    assert!(!ended.stderr.contains("another key"), "{}", ended.stderr);
    folder.write("sig", &armored);
    let says = format!("its text names another key, {key}, and this key is {other}");
    folder.fails(1, by_other, &says);

    let red = "Key: sha256:\u{1b}[31m\nContext: \u{1b}[31m\n";
    folder.write("sig", format!("{red}{armored}"));
    let ended = folder.run(verify);
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    folder.write(
        "sig",
        format!("{red}{}", armored.replace(&key, "sha256:ab")),
    );
    folder.fails(
        1,
        by_other,
        "its text states another context or hash function",
    );

    folder.ok("sign --key key.pem --armor file --context invoice --out sig --force");
    folder.fails(
        1,
        verify,
        "its text states another context or hash function",
    );
    folder.ok(&format!("{verify} --context invoice"));
    folder.fails(
        1,
        &format!("{verify} --context other"),
        "its text states another",
    );
}

#[test]
fn keys_in_base64_and_hex() {
    for name in ["ml-dsa-44", "ml-dsa-65-ed25519", "ed25519"] {
        let folder = Folder::new();
        folder.keygen(name, "key.pem", "public.pem");
        folder.write("file", "a message");
        for format in ["der", "raw"] {
            folder.ok(&format!(
                "convert key.pem --format {format} --form seed --out key --force"
            ));
            folder.ok(&format!(
                "convert public.pem --format {format} --out public --force"
            ));
            let algorithm = match format {
                "raw" => format!("--algorithm {name}"),
                _ => String::new(),
            };
            let encodings: [fn(&[u8]) -> String; 4] = [
                |bytes| Base64::encode_string(bytes),
                |bytes| wrapped(&Base64::encode_string(bytes), 64, "\n"),
                |bytes| hex::encode_upper(bytes),
                |bytes| wrapped(&hex::encode(bytes), 60, "\r\n"),
            ];
            for encode in encodings {
                for key in ["key", "public"] {
                    folder.write(&format!("{key}.txt"), encode(&folder.read(key)));
                }
                folder.ok(&format!("sign --key key.txt {algorithm} --force file"));
                folder.ok(&format!("verify --key public.txt {algorithm} file"));
                folder.ok("verify --key public.pem file");
            }
        }
        // A document in base64 that is damaged.
        let der = folder.ok("convert public.pem --format der");
        if der.len() > 200 {
            folder.write("public.txt", Base64::encode_string(&der[..200]));
            folder.fails(
                2,
                "verify --key public.txt file",
                "the header of the DER states",
            );
        }
    }
}
