//! Reading, inspecting and converting keys.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::path::PathBuf;

use crate::common::Folder;

/// One line of the report of `inspect`.
fn inspected(folder: &Folder, file: &str, name: &str) -> String {
    let text = folder.ok_text(&format!("inspect {file}"));
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{name} ")));
    line.unwrap_or_else(|| panic!("no {name} in {text}"))
        .trim()
        .into()
}

#[test]
fn conversions_keep_the_key() {
    let folder = Folder::signed();
    let fingerprint = inspected(&folder, "public.pem", "fingerprint");
    for (form, consistent) in [
        ("seed", "yes: every seed is valid"),
        (
            "expanded",
            "yes: s1 and s2 are in range and give its t0 and tr",
        ),
        ("both", "yes: the seed gives the expanded key"),
    ] {
        for format in ["pem", "der", "raw"] {
            let name = format!("{form}.{format}");
            let convert = format!("convert key.pem --form {form} --format {format} --out {name}");
            if (form, format) == ("both", "raw") {
                folder.fails(2, &convert, "raw format holds either");
                continue;
            }
            folder.ok(&convert);
            let algorithm = if name == "seed.raw" {
                "--algorithm ml-dsa-44"
            } else {
                ""
            };
            let text = folder.ok_text(&format!("inspect {name} {algorithm}"));
            assert!(text.contains(&fingerprint), "{name}");
            assert!(
                text.contains(&format!("form         {form}\n")),
                "{name}: {text}"
            );
            let consistent = format!("consistent   {consistent}\n");
            assert!(text.contains(&consistent), "{name}: {text}");
            folder.ok(&format!(
                "sign --key {name} --in file --out {name}.sig {algorithm}"
            ));
            folder.ok(&format!(
                "verify --key public.pem --signature {name}.sig --in file"
            ));
            // And back.
            let back = folder.run(&format!("convert {name} --form seed {algorithm}"));
            if form == "expanded" {
                assert_eq!(back.status, 2);
                assert!(
                    back.stderr.contains("its seed cannot be recovered"),
                    "{}",
                    back.stderr
                );
            } else {
                assert_eq!((back.status, back.stdout), (0, folder.read("key.pem")));
            }
        }
    }
    folder.fails(
        2,
        "convert expanded.der --form both",
        "its seed cannot be recovered",
    );
    folder.fails(
        2,
        "convert expanded.raw --form seed --format raw",
        "its seed cannot be recovered",
    );
    // Without --form, the preferred form is written.
    assert_eq!(folder.ok("convert both.der"), folder.read("seed.pem"));
    assert_eq!(
        folder.ok("convert expanded.raw"),
        folder.read("expanded.pem")
    );
    assert_eq!(
        folder.ok("convert key.pem --format raw"),
        folder.read("expanded.raw")
    );
}

#[test]
fn public_keys_convert_too() {
    let folder = Folder::signed();
    for format in ["der", "raw"] {
        folder.ok(&format!(
            "convert public.pem --format {format} --out public.{format}"
        ));
        assert_eq!(
            folder.ok(&format!("convert public.{format} --algorithm ml-dsa-44")),
            folder.read("public.pem")
        );
        folder.ok(&format!(
            "verify --key public.{format} --signature file.sig --in file --algorithm ml-dsa-44"
        ));
    }
    assert_eq!(
        folder.ok("convert key.pem --public"),
        folder.read("public.pem")
    );
    assert_eq!(
        folder.ok("convert public.pem --public"),
        folder.read("public.pem")
    );
    folder.fails(
        2,
        "convert public.pem --form seed",
        "--form is for private keys",
    );
    folder.fails(
        2,
        "convert key.pem --public --form seed",
        "cannot be used with",
    );
    folder.fails(
        2,
        "convert file.sig --algorithm ml-dsa-44",
        "it is a signature, not a public key",
    );
}

#[test]
fn swapped_files() {
    let folder = Folder::signed();
    folder.keygen("ml-dsa-65", "other.pem", "other-public.pem");
    for (status, args, says) in [
        (
            2,
            "sign --key public.pem --in file",
            "it is a public key, not a private key",
        ),
        (
            2,
            "sign --key file.sig --in file",
            "it is a signature, not a private key",
        ),
        (2, "sign --key file --in key.pem", "neither PEM nor DER"),
        (
            2,
            "verify --key key.pem --signature file.sig --in file",
            "convert --public",
        ),
        (
            2,
            "verify --key file.sig --signature public.pem --in file",
            "it is a signature, not",
        ),
        (
            1,
            "verify --key public.pem --signature file --in file.sig",
            "has 9 bytes",
        ),
        (
            1,
            "verify --key other-public.pem --signature file.sig --in file",
            "the length of a signature of ML-DSA-44",
        ),
        (
            2,
            "sign --key key.pem --in file --algorithm ml-dsa-65",
            "it is for ML-DSA-44, not",
        ),
        (
            2,
            "verify --algorithm ml-dsa-87 --key public.pem --signature file.sig",
            "it is for",
        ),
    ] {
        folder.fails(status, args, says);
    }
}

#[test]
fn damaged_files() {
    let folder = Folder::signed();
    folder.ok("convert key.pem --form both --format der --out both.der");
    folder.ok("convert key.pem --form both --out both.pem");
    folder.ok("convert key.pem --form expanded --format raw --out key.raw");
    folder.ok("convert public.pem --format der --out public.der");
    let pem = String::from_utf8(folder.read("both.pem")).unwrap();
    let der = folder.read("both.der");
    let raw = folder.read("key.raw");
    let flipped = |bytes: &[u8], index: usize, bit: u8| {
        let mut bytes = bytes.to_vec();
        bytes[index] ^= bit;
        bytes
    };
    let public = String::from_utf8(folder.read("public.pem")).unwrap();
    for (bytes, says) in [
        (vec![], "the file is empty"),
        (b"\n".to_vec(), "neither PEM nor DER"),
        (vec![0; 2 << 20], "the file is too large"),
        (pem[..1000].into(), "no line -----END PRIVATE KEY-----"),
        (pem.replace("-----END", "----END").into(), "is damaged"),
        (
            pem.replace("PRIVATE KEY", "RSA PRIVATE KEY").into(),
            "'RSA PRIVATE KEY'",
        ),
        (
            pem.replace("PRIVATE KEY", "PUBLIC KEY").into(),
            "but the content is a private key",
        ),
        (
            public.replace("PUBLIC KEY", "PRIVATE KEY").into(),
            "but the content is a public key",
        ),
        (pem.replacen("MIIK", "MI?K", 1).into(), "is not base64"),
        (format!("{pem}{pem}").into(), "more than one PEM document"),
        (
            format!("{public}{pem}").into(),
            "more than one PEM document",
        ),
        (
            pem.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            "neither PEM nor DER",
        ),
        (
            [0xff, 0xfe]
                .into_iter()
                .chain(pem.encode_utf16().flat_map(u16::to_le_bytes))
                .collect(),
            "UTF-16",
        ),
        (
            der[..der.len() - 1].to_vec(),
            "the header of the DER states",
        ),
        ([&der[..], &[0]].concat(), "the header of the DER states"),
        (
            flipped(&der, 100, 1),
            "the seed does not give the expanded key",
        ),
        (flipped(&der, 17, 1), "its algorithm is"),
        (flipped(&der, 10, 8), "the DER is damaged"),
        (
            raw[..2559].to_vec(),
            "no raw key or signature has 2559 bytes",
        ),
        (
            [&raw[..], &[0]].concat(),
            "no raw key or signature has 2561 bytes",
        ),
        (flipped(&raw, 64, 1), "tr of the key"),
        (flipped(&raw, 2559, 1), "t0 of the key"),
        (vec![255; 2560], "out of range"),
    ] {
        folder.write("bad", &bytes);
        for command in ["sign --in file --key", "convert"] {
            folder.fails(2, &format!("{command} bad"), says);
        }
        // These it describes.
        if !["more than one PEM document", "its algorithm is"].contains(&says) {
            let ended = folder.run("inspect bad");
            assert_eq!(ended.status, 2, "{says}");
            assert!(ended.stderr.contains(says), "{}", ended.stderr);
        }
    }
    let der = folder.read("public.der");
    for (bytes, says) in [
        (
            der[..der.len() - 1].to_vec(),
            "the header of the DER states",
        ),
        ([&der[..], &[0]].concat(), "the header of the DER states"),
        (flipped(&der, 14, 1), ""),
        (der[22..].to_vec(), ""),
    ] {
        folder.write("bad", &bytes);
        let verify = "verify --key bad --signature file.sig --in file";
        if bytes.len() == 1312 {
            // These are the raw bytes of the key.
            folder.fails(2, verify, "say which with --algorithm");
            folder.ok(&format!("{verify} --algorithm ml-dsa-44"));
        } else {
            folder.fails(2, verify, says);
        }
    }
}

#[test]
fn foreign_line_endings() {
    let folder = Folder::signed();
    for name in ["key.pem", "public.pem"] {
        let text = String::from_utf8(folder.read(name)).unwrap();
        folder.write(
            name,
            format!("Some text.\r\n{}", text.trim_end().replace('\n', "\r\n")),
        );
    }
    folder.ok("sign --key key.pem --in file --out sig");
    folder.ok("verify --key public.pem --signature sig --in file");
}

#[test]
fn a_seed_belongs_to_any_set() {
    let folder = Folder::signed();
    folder.write("seed", [7; 32]);
    for command in ["sign --in file --key seed", "inspect seed", "convert seed"] {
        folder.fails(2, command, "say which with --algorithm");
        folder.ok(&format!("{command} --algorithm ML-DSA-87"));
    }
    folder.fails(
        2,
        "inspect file --algorithm ml-dsa-44",
        "a raw public key of ML-DSA-44 has 1312",
    );
}

#[test]
fn signatures_are_inspected() {
    let folder = Folder::signed();
    let form = inspected(&folder, "file.sig --algorithm ml-dsa-44", "form");
    assert!(form.starts_with("well-formed"));
    let mut bytes = folder.read("file.sig");
    bytes[2419] = 81;
    folder.write("bad", &bytes);
    let ended = folder.run("inspect bad --algorithm ml-dsa-44");
    assert_eq!(ended.status, 2);
    assert!(
        ended
            .stderr
            .contains("its hint is malformed, or a coefficient of z is too large"),
        "{}",
        ended.stderr
    );
    let mut bytes = folder.read("file.sig");
    // z is 2^17, the largest value in 18 bits.
    bytes[32..35].fill(0);
    folder.write("bad", &bytes);
    let ended = folder.run("inspect bad --algorithm ml-dsa-44");
    assert_eq!(ended.status, 2);
    assert!(
        ended
            .stderr
            .contains("its hint is malformed, or a coefficient of z is too large"),
        "{}",
        ended.stderr
    );
}

/// The folder with the examples, if there is one.
fn examples() -> Option<PathBuf> {
    let name = "rfc9881-examples";
    Some(moissanite_kats::directory(name)?.join(name))
}

#[test]
fn the_examples_of_rfc_9881() {
    let Some(examples) = examples() else { return };
    let folder = Folder::new();
    for entry in fs::read_dir(&examples).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(
            &path,
            folder.path(path.file_name().unwrap().to_str().unwrap()),
        )
        .unwrap();
    }
    folder.write("file", b"a message");
    for set in ["44", "65", "87"] {
        let name = |rest: &str| format!("ML-DSA-{set}{rest}");
        let fingerprint = inspected(&folder, &name(".pub"), "fingerprint");
        for rest in ["-seed.priv", "-expanded.priv", "-both.priv"] {
            assert_eq!(inspected(&folder, &name(rest), "fingerprint"), fingerprint);
        }
        let certified = inspected(&folder, &name(".crt"), "key fingerprint");
        assert_eq!(certified, fingerprint);
        for form in ["seed", "expanded", "both"] {
            let private = name(&format!("-{form}.priv"));
            assert_eq!(inspected(&folder, &private, "form"), form);
            // The bytes are those of the authors of the standard.
            let both = name("-both.priv");
            assert_eq!(
                folder.ok(&format!("convert {both} --form {form}")),
                folder.read(&private)
            );
            folder.ok(&format!("sign --key {private} --in file --out sig --force"));
            folder.ok(&format!(
                "verify --key {} --signature sig --in file",
                name(".pub")
            ));
        }
        assert_eq!(
            folder.ok(&format!("convert {}", name(".crt"))),
            folder.read(&name(".pub"))
        );
        assert!(inspected(&folder, &name(".crt"), "signature").starts_with("valid"));
    }
    for (number, says) in [
        (1, "the seed does not give"),
        (2, "tr of the key"),
        (3, "t0 of the key"),
    ] {
        let file = format!("bad-ML-DSA-44-{number}.priv");
        folder.fails(2, &format!("sign --key {file} --in file"), says);
        folder.fails(2, &format!("convert {file}"), says);
    }
}

#[test]
fn certificates_with_wrong_fields() {
    let Some(examples) = examples() else { return };
    let folder = Folder::signed();
    fs::copy(examples.join("ML-DSA-44.crt"), folder.path("cert.pem")).unwrap();
    folder.fails(
        1,
        "verify --key cert.pem --signature file.sig --in file",
        "not a signature of this message by the key of CN=LAMPS WG",
    );
    folder.fails(
        2,
        "sign --key cert.pem --in file",
        "it is a certificate, not a private key",
    );
    folder.fails(
        2,
        "convert cert.pem --form seed",
        "--form is for private keys",
    );
    // The last base64 digits are of the signature.
    let text = String::from_utf8(folder.read("cert.pem")).unwrap();
    let last = text.rfind("\n-----END").unwrap() - 8;
    let digit = if &text[last..=last] == "A" { "B" } else { "A" };
    let mut changed = text.clone();
    changed.replace_range(last..=last, digit);
    folder.write("cert.pem", changed);
    let signature = inspected(&folder, "cert.pem", "signature");
    assert!(signature.starts_with("not by its own key"), "{signature}");
}
