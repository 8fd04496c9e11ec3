//! Private keys with a passphrase.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::Folder;

// A key of Ed25519 that `openssl pkcs8 -topk8` of OpenSSL 3.0 has encrypted with the passphrase "horse", and its
// public key.
const PUBLIC: &str = "\
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAnNnvBNewUpUQZkHj7IkKlCF7AJ7NJyVmJHi+WqkX8zI=
-----END PUBLIC KEY-----
";
/// PBKDF2 with HMAC-SHA-256, and AES-256.
const PBKDF2: &str = "\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgMh6l9KAK3xgICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEBDcNIe0QKRZAivvPErt7YEEQE2w
GVlioYMQ9r0mIwLDS1GY83VJvY3Sx/hEj7pMHUlGCineCXSH23rD0omMs5IlXG1o
ExrgDK97jr8p53oMCdc=
-----END ENCRYPTED PRIVATE KEY-----
";
/// PBKDF2 with HMAC-SHA-1, and AES-128.
const PBKDF2_SHA1: &str = "\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGNMEkGCSqGSIb3DQEFDTA8MBsGCSqGSIb3DQEFDDAOBAhiIzQvhdxDrAICA+gw
HQYJYIZIAWUDBAECBBA5BmV357Ln81G0Xp77w1c5BEB/gZSeDW74CUbRBx7lbheO
Muo+lv3k6kjKDVSfHiTLLaF2DI0NxC3MvRvVyARBD/H72UvWrb2GdulD3yY5+1vy
-----END ENCRYPTED PRIVATE KEY-----
";
/// scrypt, and AES-256.
const SCRYPT: &str = "\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGTME8GCSqGSIb3DQEFDTBCMCEGCSsGAQQB2kcECzAUBAj3oiuqA5fMfgICQAAC
AQgCAQEwHQYJYIZIAWUDBAEqBBBZ+artGmKfGz+AFGle9T7bBEBpkKs21AwSaL0O
ggkr1+KOmnDWWQhp5OUuDGGjGTvFTeWRVN3O0eZ1U9GKWo4YZ+rYCneYr8zC7vDv
eCN/l5w8
-----END ENCRYPTED PRIVATE KEY-----
";
/// PBES2 with DES-EDE3.
const TRIPLE_DES: &str = "\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGKME4GCSqGSIb3DQEFDTBBMCkGCSqGSIb3DQEFDDAcBAh4lQpzZWbT3QICCAAw
DAYIKoZIhvcNAgkFADAUBggqhkiG9w0DBwQIIcxfaqN6CB4EOOiGVF1ONftR27FS
iseiEhlhsBLHjOsseRZojIIAcdMJrAQ4eju7jv9RvbbHZU1+QqnE7qk/fBSI
-----END ENCRYPTED PRIVATE KEY-----
";
/// PBES1.
const PBES1: &str = "\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MFgwHAYKKoZIhvcNAQwBAzAOBAhnmBxtC1kqywICCAAEOLOPdrvH09KjKemWraQW
tKPIlRVkXeQMATqrD9C4IFm4sYyNF2h8ChpnrZ2yc4QjBec0eXZdhwSm
-----END ENCRYPTED PRIVATE KEY-----
";

// Keys that Bouncy Castle 1.82 has encrypted with the same passphrase.
/// PBKDF2 with HMAC-SHA-512 and a salt of 64 bytes, and AES-256.
const LONG_SALT: &str = "\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MIH1MIGQBgkqhkiG9w0BBQ0wgYIwYQYJKoZIhvcNAQUMMFQEQFAyBpnbO20PIFcJ
gTh8VOBbf16K/Zlkx27eZ2QvfD6980cXGoOX4bx3EKqm3Ox7hahXwEZXv41HDIn/
jdJzsy0CAicQMAwGCCqGSIb3DQILBQAwHQYJYIZIAWUDBAEqBBB54/N7vMqAxKf/
tqDqItVrBGDKNGSAWLxDePsUxPnsmIdH8m+HMoIpbqmEoOsbVuYhcZ8vtgX52D6R
CnYooR6KHj1coeHV3wXykOmEsdoOSv2Gs7DxBrgy5t6wc0yI3IKT+YFwH41H7f3s
RI8zlNGRNQk=
-----END ENCRYPTED PRIVATE KEY-----
";
/// PBKDF2 with HMAC-SHA-256, and AES-256-GCM with the parameters of RFC 5084.
const GCM: &str = "\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MIHHMGAGCSqGSIb3DQEFDTBTMDEGCSqGSIb3DQEFDDAkBBB5MTIsZ+y5q9E+xPL1
v9HMAgInEDAMBggqhkiG9w0CCQUAMB4GCWCGSAFlAwQBLjARBAzCF8Csnb8SxSx/
hgcCARAEY+osljqzUXt8YbSe5b/AZReTCynUQiQSrrBqGWN8XR3F2bFPh5vhq+2/
wqiBlqqaZrKmCIxt2b18vy1f5EfAhHtdN1Xcgrr11s/pylMIX08DynCP6FsKlrvT
9BgW+44BnJXuIQ==
-----END ENCRYPTED PRIVATE KEY-----
";

/// A folder with the passphrase in `pass`, another one in `other`, and the file `file`.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("pass", "horse\n");
    folder.write("other", "donkey\n");
    folder.write("file", b"a message");
    folder
}

#[test]
fn keys_are_encrypted_and_used() {
    for algorithm in ["ml-dsa-87", "ml-dsa-44-ed25519"] {
        let folder = folder();
        folder.ok(&format!(
            "keygen {algorithm} --passphrase-file pass --out key.pem --public-out public.pem"
        ));
        let key = String::from_utf8(folder.read("key.pem")).unwrap();
        assert!(key.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"));
        folder.ok("sign --key key.pem --passphrase-file pass --in file --out file.sig");
        folder.ok("verify --key public.pem --signature file.sig --in file");
        folder.fails(
            2,
            "sign --key key.pem --passphrase-file other --in file --out no.sig",
            "key.pem: the passphrase is wrong",
        );
        assert!(!folder.exists("no.sig"));
        // The passphrase can come through a pipe.
        let piped = "sign --key key.pem --passphrase-file - --in file --out piped.sig";
        folder.ok_with(piped, b"horse\n");
        let text = folder.ok_text("inspect key.pem --passphrase-file pass");
        assert!(text.contains("a private key"), "{text}");
    }
}

#[test]
fn conversions() {
    let folder = folder();
    folder.keygen("ml-dsa-44", "plain.pem", "public.pem");
    folder.ok("convert plain.pem --new-passphrase-file pass --format der --out key.der");
    // Each encryption has a new salt.
    folder.ok("convert plain.pem --new-passphrase-file pass --format der --out again.der");
    assert_ne!(folder.read("key.der"), folder.read("again.der"));
    folder.ok("convert key.der --passphrase-file pass --out back.pem");
    assert_eq!(folder.read("back.pem"), folder.read("plain.pem"));
    folder.ok("convert key.der --passphrase-file pass --public --out back.pub");
    assert_eq!(folder.read("back.pub"), folder.read("public.pem"));
    folder
        .ok("convert key.der --passphrase-file pass --new-passphrase-file other --out changed.pem");
    folder.ok("inspect changed.pem --passphrase-file other");
    folder.fails(
        2,
        "inspect changed.pem --passphrase-file pass",
        "the passphrase is wrong",
    );
}

#[test]
fn certificates() {
    let folder = folder();
    folder.ok("keygen ml-dsa-44 --passphrase-file pass --out key.pem");
    let key = "--key key.pem --passphrase-file pass";
    folder.ok(&format!(
        "cert self-sign {key} --subject CN=root --ca --out root.pem"
    ));
    folder.ok(&format!(
        "cert request {key} --subject CN=a --host a.example --out a.csr"
    ));
    folder.ok(&format!(
        "cert issue a.csr --issuer root.pem {key} --out a.pem"
    ));
    folder.ok("cert verify a.pem --root root.pem --host a.example");
}

#[test]
fn keys_of_other_programs() {
    let folder = folder();
    for key in [PBKDF2, PBKDF2_SHA1, SCRYPT] {
        folder.write("key.pem", key);
        let public = folder.ok_text("convert key.pem --passphrase-file pass --public");
        assert_eq!(public, PUBLIC);
        let wrong = "convert key.pem --passphrase-file other";
        folder.fails(2, wrong, "the passphrase is wrong");
    }
    for key in [TRIPLE_DES, PBES1, LONG_SALT, GCM] {
        folder.write("key.pem", key);
        let args = "convert key.pem --passphrase-file pass";
        folder.fails(
            2,
            args,
            "encrypted in a way that this command does not support",
        );
    }
}

#[test]
fn misuse() {
    let folder = folder();
    folder.keygen("ml-dsa-44", "plain.pem", "public.pem");
    folder.write("empty", "\n");
    for (args, says) in [
        ("keygen ml-dsa-44 --passphrase-file empty", "is empty"),
        (
            "keygen ml-dsa-44 --passphrase-file absent",
            "cannot read absent",
        ),
        (
            "keygen ml-dsa-44 --passphrase-file pass --passphrase",
            "cannot be used with",
        ),
        (
            "keygen ml-dsa-44 --passphrase-file pass --format raw",
            "no encrypted keys",
        ),
        (
            "keygen dilithium2 --passphrase-file pass",
            "no encrypted keys",
        ),
        (
            "keygen ml-dsa-44 --passphrase-file pass --out pass --force",
            "is the same file",
        ),
        (
            "convert plain.pem --new-passphrase-file pass --out pass --force",
            "is the same file",
        ),
        (
            "convert public.pem --new-passphrase-file pass",
            "only private keys",
        ),
        (
            "convert plain.pem --public --new-passphrase-file pass",
            "cannot be used with",
        ),
        (
            "cert issue - --issuer public.pem --key key.pem --passphrase-file -",
            "only one input can come from standard input",
        ),
        (
            "sign --key plain.pem --passphrase-file - --in -",
            "standard input",
        ),
        (
            "verify --key key.pem --signature file --in file",
            "is encrypted",
        ),
    ] {
        folder.write("key.pem", SCRYPT);
        folder.fails(2, args, says);
    }
    assert_eq!(folder.read("pass"), b"horse\n");
}

/// A cut and a changed parameter are errors. A changed ciphertext need not be: PBES2 with AES-CBC does not
/// authenticate it, and gives another key of Ed25519.
#[test]
fn damaged_keys() {
    let folder = folder();
    folder.write("key.pem", PBKDF2);
    folder.ok("convert key.pem --passphrase-file pass --out plain.der --format der");
    let pem: String = PBKDF2
        .lines()
        .filter(|line| !line.starts_with('-'))
        .collect();
    let mut bytes = Vec::new();
    let decoder = base64ct::Decoder::<base64ct::Base64>::new(pem.as_bytes());
    decoder.unwrap().decode_to_end(&mut bytes).unwrap();
    for at in (0..bytes.len()).step_by(5) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        folder.write("key.der", &changed);
        let ended = folder.run_with("inspect key.der --passphrase-file pass", b"");
        let ciphertext = bytes.len() - 64;
        assert!(
            ended.status == 2 || ended.status == 0 && at >= ciphertext,
            "{at}"
        );
        folder.write("key.der", &bytes[..at]);
        folder.fails(2, "inspect key.der --passphrase-file pass", "");
    }
}

/// The error names the option of each passphrase. A program in a session of its own has no terminal.
#[cfg(target_os = "linux")]
#[test]
fn without_a_terminal() {
    let folder = Folder::signed();
    for (line, option) in [
        ("keygen ml-dsa-44 --passphrase", "; --passphrase-file names"),
        (
            "convert key.pem --new-passphrase",
            "; --new-passphrase-file names",
        ),
    ] {
        let ended = std::process::Command::new("setsid")
            .arg("--wait")
            .arg(env!("CARGO_BIN_EXE_moissanite"))
            .args(line.split(' '))
            .current_dir(folder.path(""))
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        let stderr = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{line}: {stderr}");
        assert!(stderr.contains(option), "{line}: {stderr}");
    }
}
