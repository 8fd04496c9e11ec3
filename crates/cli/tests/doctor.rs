//! `moissanite doctor`: every known deviation is named, and the command of the report repairs the key.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use base64ct::{Base64, Base64Unpadded, Encoding};

use crate::common::{Ended, Folder};
use crate::der::{BITS, OCTETS, SEED, SEQUENCE, algorithm, oid, pem, private, public, tlv};

/// A key with a signature of `file`.
struct Original {
    folder: Folder,
    /// For options of raw keys.
    algorithm: &'static str,
    seed: Vec<u8>,
    expanded: Vec<u8>,
    public: Vec<u8>,
}

impl Original {
    fn new(algorithm: &'static str) -> Self {
        let folder = Folder::new();
        folder.keygen(algorithm, "original", "original.public");
        folder.write("file", b"a message");
        folder.ok(&format!(
            "sign --key original --in file --out original.sig --algorithm {algorithm}"
        ));
        let raw = |form: &str| {
            folder.ok(&format!(
                "convert original --kind private --algorithm {algorithm} --format raw {form}"
            ))
        };
        let dilithium = algorithm.starts_with("dilithium");
        let seed = if dilithium {
            vec![]
        } else {
            raw("--form seed")
        };
        let expanded = if algorithm == "ed25519" {
            vec![]
        } else {
            raw("--form expanded")
        };
        let public = raw("--public");
        Self {
            folder,
            algorithm,
            seed,
            expanded,
            public,
        }
    }

    /// Examines a file with these bytes.
    fn doctor(&self, bytes: impl AsRef<[u8]>, options: &str) -> Ended {
        self.folder.write("bad", bytes);
        self.folder.run(&format!("doctor bad {options}"))
    }

    /// Checks that a file is refused and that all of `says` is in the report, runs the command for the
    /// repair, and uses the key: it verifies the signature of the original, and that verifies its own.
    #[track_caller]
    fn repaired(&self, bytes: impl AsRef<[u8]>, says: &[&str]) {
        let algorithm = self.algorithm;
        let bytes = bytes.as_ref();
        let ended = self.doctor(bytes, "");
        let report = text(&ended);
        assert_eq!(ended.status, 1, "{report} {}", ended.stderr);
        assert!(
            ended.stderr.contains("1 of 1 file has a defect"),
            "{}",
            ended.stderr
        );
        assert!(report.contains("\nstate        defective\n"), "{report}");
        for text in says {
            assert!(report.contains(text), "{text}: {report}");
        }
        self.keeps_secrets(&report);
        // Every other command refuses it.
        let convert = self.folder.run("convert bad");
        assert_eq!(convert.status, 2, "{report}");
        let commands = commands(&report);
        assert_eq!(commands.len(), 1, "{report}");
        self.run(&commands[0]);
        let output = commands[0].split_whitespace().last().unwrap();
        let is_private = report.contains("what         a private key");
        let repaired = if is_private {
            let sign =
                format!("sign --key {output} --in file --out new.sig --algorithm {algorithm}");
            self.folder.ok(&sign);
            self.folder.ok(&format!(
                "verify --key original.public --signature new.sig --in file --algorithm {algorithm}"
            ));
            let out = "--out repaired.public";
            let convert =
                format!("convert {output} --kind private --algorithm {algorithm} --public {out}");
            self.folder.ok(&convert);
            "repaired.public"
        } else {
            output
        };
        self.folder.ok(&format!(
            "verify --key {repaired} --signature original.sig --in file --algorithm {algorithm}"
        ));
        let state = self.folder.run(&format!(
            "doctor {output} --algorithm {algorithm} --kind {}",
            if is_private { "private" } else { "public" }
        ));
        assert_eq!(state.status, 0, "{}", text(&state));
        for name in [output, "new.sig", "repaired.public"] {
            drop(std::fs::remove_file(self.folder.path(name)));
        }
    }

    /// Runs a command of a report.
    #[track_caller]
    fn run(&self, command: &str) {
        let command = command.strip_prefix("moissanite ").unwrap();
        self.folder.ok(command);
    }

    /// No report shows eight bytes of the seed or of the secret parts of the expanded key.
    #[track_caller]
    fn keeps_secrets(&self, report: &str) {
        for secret in [
            self.seed.get(..8),
            self.expanded.get(32..40),
            self.expanded.get(200..208),
        ] {
            let Some(secret) = secret else { continue };
            let shown = [hex::encode(secret), Base64::encode_string(&secret[..6])];
            assert!(!shown.iter().any(|text| report.contains(text)), "{report}");
        }
    }
}

fn text(ended: &Ended) -> String {
    String::from_utf8(ended.stdout.clone()).unwrap()
}

/// The commands of a report that repair the key.
fn commands(report: &str) -> Vec<String> {
    let lines = report
        .lines()
        .filter_map(|line| line.strip_prefix("repair"));
    lines.map(|line| line.trim().to_owned()).collect()
}

#[test]
fn forms_of_private_keys() {
    for (set, arcs) in [
        ("ml-dsa-44", "44"),
        ("ml-dsa-65", "65"),
        ("ml-dsa-87", "87"),
    ] {
        let key = Original::new(set);
        let (seed, expanded, public) = (&key.seed, &key.expanded, &key.public);
        let both = [expanded.as_slice(), public].concat();
        let (octets, tagged) = (tlv(OCTETS, &[seed]), tlv(SEED, &[seed]));
        let cases: [(Vec<u8>, &[&str]); 8] = [
            (
                seed.clone(),
                &["the seed has no tag", "Botan", "OpenSSL 3.5", "RustCrypto"],
            ),
            (
                octets.clone(),
                &["is an OCTET STRING in place of [0]", "Bouncy Castle 1.79"],
            ),
            (
                expanded.clone(),
                &["not wrapped in its OCTET STRING", "bare-priv", "IAIK"],
            ),
            (both.clone(), &["follows the private key", "oqs-provider"]),
            (
                tlv(OCTETS, &[&both]),
                &["follows the private key", "oqskeypair"],
            ),
            (tlv(OCTETS, &[&octets]), &["wrapped in another type"]),
            (tlv(OCTETS, &[&tagged]), &["wrapped in another type"]),
            (tlv(0xa0, &[&octets]), &["wrapped in another type"]),
        ];
        for (bytes, says) in cases {
            let der = private(arcs, &bytes);
            key.repaired(&der, says);
            key.repaired(pem("PRIVATE KEY", &der), says);
        }
        // The older format of NXP's SPSDK.
        let expanded = tlv(OCTETS, &[expanded]);
        let both = tlv(SEQUENCE, &[&octets, &expanded]);
        let der = tlv(SEQUENCE, &[&[2, 1, 0], &algorithm(arcs), &both]);
        key.repaired(der, &["not in the OCTET STRING of PKCS#8", "SPSDK"]);
    }
}

#[test]
fn fields_of_pkcs_8() {
    let key = Original::new("ml-dsa-44");
    let content = tlv(OCTETS, &[&tlv(SEED, &[&key.seed])]);
    let with_null = tlv(SEQUENCE, &[&oid("44"), &[5, 0]]);
    let with_other = tlv(SEQUENCE, &[&oid("44"), &oid("44")]);
    let public = [&[0], key.public.as_slice()].concat();
    let (tagged, nested) = (tlv(0x81, &[&public]), tlv(0xa1, &[&tlv(BITS, &[&public])]));
    let bare = tlv(0x81, &[&key.public]);
    let plain = algorithm("44");
    let cases: [(u8, &[u8], &[u8], &str); 8] = [
        (0, &with_null, &[], "parameters NULL"),
        (0, &with_other, &[], "the algorithm has parameters"),
        (0, &plain, &tagged, "wolfSSL"),
        (
            1,
            &plain,
            &[],
            "the version is 1 and there is no public key",
        ),
        (2, &plain, &[], "neither 0 nor 1"),
        (1, &plain, &nested, "not [1] IMPLICIT BIT STRING"),
        (1, &plain, &bare, "not [1] IMPLICIT BIT STRING"),
        (
            0,
            &with_null,
            &tagged,
            "the version is 0 and there is a public key",
        ),
    ];
    for (version, algorithm, rest, says) in cases {
        let der = tlv(SEQUENCE, &[&[2, 1, version], algorithm, &content, rest]);
        key.repaired(der, &[says]);
    }
    // What RFC 5958 has.
    let der = tlv(SEQUENCE, &[&[2, 1, 1], &plain, &content, &tagged]);
    let ended = key.doctor(der, "");
    assert_eq!(ended.status, 0, "{}", text(&ended));
    assert!(text(&ended).contains("the public key beside the private key is its own"));
}

#[test]
fn older_identifiers() {
    for (set, arcs) in [
        ("dilithium2", "7.4.4"),
        ("dilithium3", "7.6.5"),
        ("dilithium5", "7.8.7"),
    ] {
        let key = Original::new(set);
        let both = [key.expanded.as_slice(), &key.public].concat();
        let says = ["round-3 Dilithium", "oqs-provider", "-repaired.raw"];
        key.repaired(
            pem("PRIVATE KEY", &private(arcs, &tlv(OCTETS, &[&both]))),
            &says,
        );
        key.repaired(private(arcs, &both), &says);
        key.repaired(public(arcs, &key.public), &says);
    }
    // Experiments of 2022.
    let key = Original::new("dilithium2");
    let both = [key.expanded.as_slice(), &key.public].concat();
    key.repaired(private("44", &both), &["the key is one of Dilithium"]);
    // The draft of FIPS 204 has the same expanded keys as the standard, and other ones from seeds.
    let key = Original::new("ml-dsa-44");
    let both = tlv(OCTETS, &[&key.expanded, &key.public]);
    let says = ["the draft of FIPS 204", "SPSDK"];
    key.repaired(private("12.4.4", &both), &says);
    key.repaired(public("12.4.4", &key.public), &says);
    let ended = key.doctor(private("12.4.4", &tlv(SEED, &[&key.seed])), "");
    let report = text(&ended);
    assert_eq!(ended.status, 1);
    assert!(commands(&report).is_empty(), "{report}");
    key.folder
        .fails(2, "convert bad --repair", "a seed of the draft of FIPS 204");
}

#[test]
fn public_keys() {
    let key = Original::new("ml-dsa-65");
    let spki = |bits: &[u8]| tlv(SEQUENCE, &[&algorithm("65"), bits]);
    let octets = tlv(OCTETS, &[&key.public]);
    let null = tlv(SEQUENCE, &[&oid("65"), &[5, 0]]);
    let whole = tlv(BITS, &[&[0], &key.public]);
    for (der, says) in [
        (spki(&tlv(BITS, &[&[0], &octets])), "in one more string"),
        (spki(&octets), "an OCTET STRING in place of a BIT STRING"),
        (tlv(SEQUENCE, &[&null, &whole]), "parameters NULL"),
    ] {
        key.repaired(&der, &[says]);
        key.repaired(pem("PUBLIC KEY", &der), &[says]);
    }
    // The last bits of a key can be zero.
    let mut odd = spki(&whole);
    let at = odd.len() - key.public.len() - 1;
    odd[at] = 4;
    let last = odd.last_mut().unwrap();
    let lost = *last & 15 != 0;
    *last &= 0xf0;
    let ended = key.doctor(&odd, "");
    let report = text(&ended);
    assert!(report.contains("states 4 unused bits"), "{report}");
    assert!(report.contains("bits may have been lost"), "{report}");
    key.run(&commands(&report)[0]);
    let verify = "verify --key bad-repaired.pem --signature original.sig --in file";
    assert_eq!(key.folder.run(verify).status == 0, !lost);
    let ended = key.doctor(public("65", &key.public[1..]), "");
    assert!(
        text(&ended).contains("the key has 1951 bytes instead of 1952"),
        "{}",
        text(&ended)
    );
    assert_eq!(ended.status, 1);
}

#[test]
fn damaged_text() {
    let key = Original::new("ml-dsa-44");
    let der = private("44", &tlv(SEED, &[&key.seed]));
    let public_text = String::from_utf8(key.folder.read("original.public")).unwrap();
    let good = pem("PRIVATE KEY", &der);
    let pairs = key.expanded.iter().map(|byte| format!("{byte:02X}"));
    let grouped = pairs.collect::<Vec<_>>().join(":");
    let utf16 =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    for (bytes, says) in [
        (
            [&[0xff, 0xfe], utf16(&good).as_slice()].concat(),
            "PowerShell",
        ),
        (utf16(&good), "the text is UTF-16"),
        (
            good.replace("-----END", "---END").into(),
            "the lines -----BEGIN and -----END",
        ),
        (
            good.replace("KEY-----\nMD", "KEY----\nMD").into(),
            "the lines -----BEGIN",
        ),
        (
            good.split("-----END").next().unwrap().into(),
            "the lines -----BEGIN",
        ),
        (
            good.replace("END PRIVATE", "END PUBLIC").into(),
            "the lines -----BEGIN",
        ),
        (
            good.replace("\n-----END", "=\n-----END").into(),
            "wrong padding",
        ),
        (
            good.replace("PRIVATE KEY", "PUBLIC KEY").into(),
            "the PEM label",
        ),
        (
            good.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY").into(),
            "the PEM label",
        ),
        (
            good.replace("PRIVATE KEY", "RSA PRIVATE KEY").into(),
            "the PEM label",
        ),
        (
            good.replace("PRIVATE KEY", "DILITHIUM PRIVATE KEY").into(),
            "the PEM label",
        ),
        (
            good.replace("PRIVATE KEY", "ML-DSA-65 PRIVATE KEY").into(),
            "the PEM label",
        ),
        (
            format!("{good}{public_text}").into(),
            "several PEM documents",
        ),
        (
            Base64Unpadded::encode_string(&key.expanded).into(),
            "base64 without the lines",
        ),
        (grouped.into(), "hexadecimal digits"),
        ([&der[..], b"\n"].concat(), "1 byte follows"),
        ([&der[..], b"\r\n"].concat(), "2 bytes follow"),
        ([&der[..], &[0; 64]].concat(), "64 bytes follow"),
        ([&key.expanded[..], b"\n"].concat(), "1 byte follows"),
        (
            pem("PRIVATE KEY", &[&der[..], &[0]].concat()).into(),
            "1 byte follows",
        ),
    ] {
        key.repaired(bytes, &[says]);
    }
    key.repaired(
        public_text.replace("PUBLIC KEY", "CERTIFICATE"),
        &["the PEM label"],
    );
}

/// Text that this command reads, and other programs may not.
#[test]
fn notes_of_healthy_keys() {
    let key = Original::new("ml-dsa-44");
    let der = private("44", &tlv(SEED, &[&key.seed]));
    let good = pem("PRIVATE KEY", &der);
    for (bytes, says) in [
        (good.replace('\n', "\r\n"), "CR LF"),
        (format!("\u{feff}{good}"), "byte order mark"),
        (good.replace('\n', "\\n"), "on one line"),
        (good.replace("PRIVATE", "ML-DSA-44 PRIVATE"), "CIRCL"),
        (Base64::encode_string(&der), "base64 without the lines"),
        (
            format!("{}\r\n", Base64::encode_string(&der)),
            "base64 without the lines",
        ),
        (hex::encode(&der), "hexadecimal digits"),
        (hex::encode_upper(&der), "hexadecimal digits"),
    ] {
        let ended = key.doctor(bytes, "");
        let report = text(&ended);
        assert_eq!(ended.status, 0, "{report} {}", ended.stderr);
        assert!(
            report.contains(says) && report.contains("healthy"),
            "{report}"
        );
        key.run(&commands(&report)[0]);
        assert_eq!(
            key.folder.read("bad-repaired.pem"),
            key.folder.read("original")
        );
        std::fs::remove_file(key.folder.path("bad-repaired.pem")).unwrap();
    }
    for (bytes, options, says) in [
        (good.clone().into_bytes(), "", "every seed is valid"),
        (der, "", "a signature, made and verified"),
        (
            key.expanded.clone(),
            "",
            "s1 and s2 are in range and give its t0 and tr",
        ),
        (key.seed.clone(), "--algorithm ml-dsa-44", "the length"),
        (
            key.public.clone(),
            "--algorithm ml-dsa-44",
            "the length and the encoding of the public key",
        ),
        (
            key.folder.read("original.public"),
            "",
            "the lines of the PEM text",
        ),
    ] {
        let ended = key.doctor(bytes, options);
        let report = text(&ended);
        assert_eq!(ended.status, 0, "{report} {}", ended.stderr);
        assert!(
            report.contains(says) && !report.contains("repair "),
            "{report}"
        );
        assert!(ended.stderr.is_empty());
        key.keeps_secrets(&report);
    }
}

#[test]
fn keys_that_contradict_themselves() {
    let key = Original::new("ml-dsa-44");
    let other = Original::new("ml-dsa-44");
    let both = |seed: &[u8], expanded: &[u8]| {
        tlv(
            SEQUENCE,
            &[&tlv(OCTETS, &[seed]), &tlv(OCTETS, &[expanded])],
        )
    };
    key.folder
        .write("other.public", other.folder.read("original.public"));
    // Either half can be the right one.
    for (seed, expanded, right) in [
        (&key.seed, &other.expanded, 0),
        (&other.seed, &key.expanded, 1),
    ] {
        let ended = key.doctor(private("44", &both(seed, expanded)), "");
        let report = text(&ended);
        assert_eq!(ended.status, 1);
        assert!(
            report.contains("the seed does not give the expanded key"),
            "{report}"
        );
        let commands = commands(&report);
        assert_eq!(commands.len(), 2, "{report}");
        for (number, command) in commands.iter().enumerate() {
            key.run(command);
            key.folder
                .ok("convert bad-repaired.pem --public --out repaired.public");
            let verify = "verify --key repaired.public --signature original.sig --in file";
            assert_eq!(key.folder.run(verify).status == 0, number == right);
            for name in ["bad-repaired.pem", "repaired.public"] {
                std::fs::remove_file(key.folder.path(name)).unwrap();
            }
        }
        key.folder.fails(2, "convert --repair bad", "--belongs-to");
        let belongs = "convert --repair bad --public --belongs-to";
        let found = key.folder.ok(&format!("{belongs} original.public"));
        assert_eq!(found, key.folder.read("original.public"));
        let found = key.folder.ok(&format!("{belongs} other.public"));
        assert_eq!(found, key.folder.read("other.public"));
    }
    // A public key beside it says which half is right.
    let beside = tlv(0x81, &[&[0], &key.public]);
    let content = tlv(OCTETS, &[&both(&other.seed, &key.expanded)]);
    let der = tlv(SEQUENCE, &[&[2, 1, 1], &algorithm("44"), &content, &beside]);
    key.repaired(der, &["the seed does not give the expanded key"]);
    // A public key of another key beside an intact one.
    let content = tlv(OCTETS, &[&tlv(SEED, &[&other.seed])]);
    let der = tlv(SEQUENCE, &[&[2, 1, 1], &algorithm("44"), &content, &beside]);
    let ended = key.doctor(der, "");
    let report = text(&ended);
    assert!(
        report.contains("is not that of the private key"),
        "{report}"
    );
    assert!(
        report.contains("--belongs-to") && commands(&report).is_empty(),
        "{report}"
    );
    key.folder
        .fails(2, "convert --repair bad", "that of another key");
    key.folder.fails(
        2,
        "convert --repair bad --belongs-to original.public",
        "not the key that",
    );
    key.folder
        .ok("convert --repair bad --belongs-to other.public");
}

#[test]
fn damaged_expanded_keys() {
    for set in ["ml-dsa-44", "dilithium3"] {
        let key = Original::new(set);
        let changed = |at: usize, value: u8| {
            let mut bytes = key.expanded.clone();
            bytes[at] ^= value;
            bytes
        };
        // tr is computed from the rest.
        key.repaired(changed(64, 1), &["tr is not the hash"]);
        // After rho, K and tr, which has 64 bytes or 32 in round 3. Each byte has a whole code of all ones.
        let mut out_of_range = key.expanded.clone();
        out_of_range[255] = 0xff;
        for (bytes, says) in [
            (out_of_range, "out of range"),
            (changed(key.expanded.len() - 1, 1), "t0 of the key"),
        ] {
            let ended = key.doctor(bytes, "");
            let report = text(&ended);
            assert_eq!(ended.status, 1, "{report}");
            assert!(
                report.contains(says) && report.contains("restore"),
                "{report}"
            );
            assert!(commands(&report).is_empty(), "{report}");
            key.folder.fails(2, "convert --repair bad", says);
        }
    }
}

#[test]
fn encrypted_keys() {
    let key = Original::new("ml-dsa-44");
    key.folder.write("passphrase", "correct horse\n");
    let options = "--passphrase-file passphrase";
    // The command encrypts only keys without defects: the label is the defect of the text.
    key.folder
        .ok("convert original --new-passphrase-file passphrase --out encrypted");
    let healthy = key.folder.run(&format!("doctor encrypted {options}"));
    assert_eq!(healthy.status, 0, "{}", text(&healthy));
    assert!(
        text(&healthy).contains("PEM, encrypted"),
        "{}",
        text(&healthy)
    );
    let encrypted = String::from_utf8(key.folder.read("encrypted")).unwrap();
    let ended = key.doctor(encrypted.replace("ENCRYPTED ", ""), options);
    let report = text(&ended);
    assert_eq!(ended.status, 1, "{report}");
    let commands = commands(&report);
    assert!(
        commands[0].contains("--new-passphrase-file passphrase"),
        "{report}"
    );
    key.run(&commands[0]);
    let repaired = String::from_utf8(key.folder.read("bad-repaired.pem")).unwrap();
    assert!(
        repaired.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----"),
        "{repaired}"
    );
    let convert = format!("convert bad-repaired.pem {options} --public");
    assert_eq!(key.folder.ok(&convert), key.folder.read("original.public"));
    key.folder.write("wrong", "battery staple\n");
    let ended = key.folder.run("doctor encrypted --passphrase-file wrong");
    assert_eq!(ended.status, 2);
    assert!(
        ended.stderr.contains("the passphrase is wrong"),
        "{}",
        ended.stderr
    );
    // One stream is the passphrase of several keys.
    let ended = key.folder.run_with(
        "doctor encrypted encrypted --passphrase-file -",
        b"correct horse\n",
    );
    assert_eq!(ended.status, 0, "{}", ended.stderr);
}

#[test]
fn other_formats() {
    let key = Original::new("ml-dsa-44");
    let rsa = tlv(SEQUENCE, &[&oid("rsa"), &[5, 0]]);
    let rsa = tlv(SEQUENCE, &[&rsa, &tlv(BITS, &[&[0], &[7; 100]])]);
    for (bytes, says) in [
        (
            br#"{"kty": "AKP", "alg": "ML-DSA-44", "pub": "AAAA"}"#.to_vec(),
            "moissanite-tokens",
        ),
        (
            br#"{"kty":"EC","crv":"P-256"}"#.to_vec(),
            "another algorithm",
        ),
        (
            [&[0xa3, 1, 7, 3, 0x38, 0x2f, 0x20, 0x59][..], &[0; 50]].concat(),
            "module cose",
        ),
        (
            pem("OPENSSH PRIVATE KEY", b"openssh-key-v1\0").into(),
            "moissanite-ssh",
        ),
        (pem("SSH SIGNATURE", b"SSHSIG").into(), "moissanite -Y"),
        (
            b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 user@host\n".to_vec(),
            "public key of OpenSSH",
        ),
        (
            pem("CMS", &tlv(SEQUENCE, &[&[6, 1, 42]])).into(),
            "moissanite-cms",
        ),
        (pem("EC PRIVATE KEY", &[0; 40]).into(), "before PKCS#8"),
        (b"PuTTY-User-Key-File-3: ssh-ed25519\n".to_vec(), "puttygen"),
        (b"\xfe\xed\xfe\xed\0\0\0\x02".to_vec(), "keytool"),
        (rsa, "RSA, which this program does not use"),
        (b"hello".to_vec(), "no raw key or signature has 5 bytes"),
        (vec![], "the file is empty"),
        (key.folder.read("original")[..60].into(), "no line -----END"),
        (
            private("x25519", &tlv(OCTETS, &[&[1; 32]])),
            "X25519, which this program does not use",
        ),
    ] {
        let ended = key.doctor(&bytes, "");
        let report = text(&ended);
        assert_eq!(ended.status, 1, "{report} {}", ended.stderr);
        assert!(report.contains(says), "{says}: {report}");
        assert!(
            report.contains("state        not a key that this command reads"),
            "{report}"
        );
        assert!(commands(&report).is_empty(), "{report}");
    }
}

#[test]
fn a_signature_is_no_damaged_key() {
    let key = Original::new("ml-dsa-65");
    key.folder.ok("sign --key original --armor file");
    let ended = key.doctor(key.folder.read("file.sig"), "");
    let report = text(&ended);
    assert_eq!(ended.status, 1, "{report}");
    assert!(report.contains("it is a signature"), "{report}");
    assert!(!report.contains("advice"), "{report}");
}

#[test]
fn ed25519() {
    let key = Original::new("ed25519");
    let (seed, public) = (&key.seed, &key.public);
    let both = [seed.as_slice(), public].concat();
    key.repaired(private("ed25519", seed), &["the seed has no tag"]);
    key.repaired(
        private("ed25519", &tlv(OCTETS, &[&both])),
        &["follows the private key"],
    );
}

#[test]
fn several_files_and_the_exit_status() {
    let key = Original::new("ml-dsa-44");
    key.folder.write("bad", private("44", &key.seed));
    key.folder.write("a name'.pem", private("44", &key.seed));
    let ended = key.folder.run("doctor original bad original.public");
    let report = text(&ended);
    assert_eq!(ended.status, 1);
    assert!(
        ended.stderr.contains("1 of 3 files has a defect"),
        "{}",
        ended.stderr
    );
    assert_eq!(report.matches("file         ").count(), 3, "{report}");
    assert_eq!(
        report.matches("state        healthy").count(),
        2,
        "{report}"
    );
    // A file that cannot be read does not hide the others.
    let ended = key.folder.run("doctor absent bad");
    assert_eq!(ended.status, 2);
    assert!(
        text(&ended).contains("the seed has no tag"),
        "{}",
        text(&ended)
    );
    key.folder.fails(2, "doctor", "required");
    // The name is one word of the shell.
    let ended = key.folder.run_args(&["doctor", "a name'.pem"], b"");
    let command = r"moissanite convert 'a name'\''.pem' --repair --out 'a name'\''-repaired.pem'";
    assert!(text(&ended).contains(command), "{}", text(&ended));
    // An existing file is not the output.
    key.folder.write("bad-repaired.pem", b"");
    let ended = key.folder.run("doctor bad");
    assert!(
        text(&ended).contains("--out bad-repaired-2.pem"),
        "{}",
        text(&ended)
    );
    // Standard input.
    let ended = key.folder.run_with("doctor -", &private("44", &key.seed));
    assert_eq!(ended.status, 1);
    assert!(
        text(&ended).contains("convert - --repair --out key-repaired.pem"),
        "{}",
        text(&ended)
    );
    key.folder.fails(
        2,
        "convert original --belongs-to original.public",
        "--repair",
    );
}

#[test]
fn the_report_in_json() {
    let key = Original::new("ml-dsa-44");
    key.folder.write("bad", private("44", &key.seed));
    key.folder.write("nokey", b"hello");
    let json = |status: i32, args: &str| -> (serde_json::Value, String) {
        let args: Vec<_> = args.split_whitespace().chain(["--json"]).collect();
        let output = key.folder.command().args(&args).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{args:?}");
        let report = match output.stdout.as_slice() {
            [] => serde_json::Value::Null,
            bytes => serde_json::from_slice(bytes).unwrap(),
        };
        (report, String::from_utf8(output.stderr).unwrap())
    };
    let (report, stderr) = json(1, "doctor original bad original.public nokey");
    assert!(stderr.contains(r#""kind":"defects""#), "{stderr}");
    let [healthy, bad, public, no_key] = report["files"].as_array().unwrap().as_slice() else {
        panic!("{report}");
    };
    let fields = |entry: &serde_json::Value| -> Vec<_> {
        entry.as_object().unwrap().keys().cloned().collect()
    };
    let first = ["file", "what", "algorithm", "state"];
    let last = ["notes", "fingerprint", "repairs", "advice"];
    assert_eq!(fields(healthy), [&first[..], &["checked"], &last].concat());
    assert_eq!(
        fields(bad),
        [&first[..], &["refused", "defects"], &last].concat()
    );
    assert_eq!(
        fields(no_key),
        [&first[..], &["refused", "read_by"], &last].concat()
    );
    let states = [healthy, bad, no_key].map(|entry| entry["state"].as_str().unwrap());
    assert_eq!(states, ["healthy", "defective", "no_key"]);
    assert_eq!(bad["algorithm"], "ML-DSA-44");
    assert_eq!(bad["defects"].as_array().unwrap().len(), 1, "{bad}");
    let producers = bad["defects"][0]["written_by"].as_array().unwrap();
    assert!(producers[0].as_str().unwrap().starts_with("Botan"), "{bad}");
    let command = "moissanite convert bad --repair --out bad-repaired.pem";
    assert_eq!(bad["repairs"][0], command);
    assert_eq!(bad["fingerprint"], public["fingerprint"]);
    key.keeps_secrets(&report.to_string());
    let (report, _) = json(2, "doctor absent original");
    assert!(report.is_null());
    let (report, stderr) = json(0, "convert bad --repair --out repaired");
    assert_eq!(stderr, "");
    assert_eq!(report["corrected"].as_array().unwrap().len(), 1, "{report}");
}

/// Whatever a file contains, `doctor` and `inspect` neither panic nor show more of it than a word, and a repaired key
/// is healthy.
#[test]
fn changed_files() {
    let key = Original::new("ml-dsa-44");
    let both = [key.expanded.as_slice(), &key.public].concat();
    let tagged = tlv(SEED, &[&key.seed]);
    let good = pem("PRIVATE KEY", &private("44", &tagged));
    key.folder
        .ok("cert self-sign --key original --subject CN=Root --ca --out root.pem");
    key.folder
        .ok("cert crl --issuer root.pem --key original --out list.pem");
    key.folder.ok("ssh keygen --out id --no-passphrase");
    let signed = tlv(SEQUENCE, &[&oid("signed-data"), &tlv(0xa0, &[&tagged])]);
    let files = [
        private("44", &key.seed),
        private("44", &tlv(OCTETS, &[&key.seed])),
        private("44", &both),
        private("7.4.4", &both),
        public("44", &key.public),
        good.clone().into_bytes(),
        good.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        hex::encode(&key.expanded).into_bytes(),
        [key.folder.read("root.pem"), key.folder.read("original")].concat(),
        key.folder.read("list.pem"),
        key.folder.read("id"),
        key.folder.read("id.pub"),
        signed,
    ];
    let mut state = 1_u64;
    let mut random = |bound: usize| {
        // The generator of Knuth's MMIX.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(((state >> 33) * u64::try_from(bound).unwrap()) >> 31).unwrap()
    };
    let mut states = std::collections::BTreeMap::new();
    for file in files.iter().cycle().take(1_300) {
        let mut file = file.clone();
        // The headers of a document are in its first bytes.
        for _ in 0..random(3) {
            let bound = if random(2) == 0 {
                file.len()
            } else {
                file.len().min(60)
            };
            file[random(bound)] ^= 1 << random(8);
        }
        match random(8) {
            0 => file.truncate(random(file.len())),
            1 => file.extend(vec![0; random(5)]),
            _ => {}
        }
        let shows = |text: &str| {
            let is_of_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
            let mut runs = text.as_bytes().windows(24);
            runs.any(|run| run.iter().all(is_of_key) && file.windows(24).any(|other| other == run))
        };
        let described = moissanite_cli::fuzzing::inspect(&file);
        assert!(described.err().is_none_or(|error| !shows(&error)));
        match moissanite_cli::fuzzing::doctor(&file) {
            Ok(found) => {
                assert!(
                    !found.texts.iter().any(|text| shows(text)),
                    "{:?}",
                    found.texts
                );
                *states.entry(found.state).or_insert(0) += 1;
                let recognised = moissanite_cli::fuzzing::recognise(0, &file);
                let is_key = recognised.is_ok_and(|found| found.key.is_some());
                assert!(!is_key || found.state == "healthy", "{:?}", found.texts);
                // Raw public keys of Dilithium have the length of those of ML-DSA.
                if let Some(key) = &found.repaired
                    && let Ok(again) = moissanite_cli::fuzzing::doctor(key)
                {
                    assert_eq!((again.state, again.repaired), ("healthy", None));
                }
            }
            Err(error) => assert!(!shows(&error), "{error}"),
        }
    }
    // Every state occurs, so that the changes are neither too small nor too large.
    assert!(
        states.values().all(|count| *count > 20) && states.len() == 3,
        "{states:?}"
    );
}
