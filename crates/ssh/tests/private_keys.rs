use moissanite_ssh::{Algorithm, Error, PrivateKey, Seed, SysRng, limits};

use crate::{bytes_of, file, openssh, pem_of, replaced};

const LABEL: &str = "OPENSSH PRIVATE KEY";
const CIPHERS: [&str; 4] = [
    "aes256-ctr",
    "aes128-cbc",
    "aes256-gcm",
    "chacha20-poly1305",
];

/// The key that is encrypted with a cipher.
fn encrypted(cipher: &str) -> &'static str {
    file(&format!("/encrypted/{cipher}"))
}

fn passphrase() -> &'static [u8] {
    file("/passphrase").as_bytes()
}

fn seed_of(key: &PrivateKey) -> [u8; 64] {
    *key.signing_key().as_seed().as_bytes()
}

#[test]
fn the_private_file_of_openssh() {
    let key = openssh();
    assert_eq!(key.public_key().comment(), "alice@example.com");
    assert_eq!(PrivateKey::is_encrypted(file("/private")), Ok(false));
    // OpenSSH draws the check number; all the rest is equal.
    let (theirs, ours) = (
        bytes_of(file("/private")),
        bytes_of(&key.to_openssh().unwrap()),
    );
    let at = theirs.len() - ours.len();
    assert_eq!(at, 0);
    let differing = theirs.iter().zip(&ours).filter(|(a, b)| a != b).count();
    assert!(differing <= 8, "{differing} bytes differ");
    assert_eq!(key.to_openssh().unwrap().len(), file("/private").len());
    // Line breaks of Windows.
    let crlf = file("/private").replace('\n', "\r\n");
    assert_eq!(
        seed_of(&PrivateKey::from_openssh(&crlf).unwrap()),
        seed_of(&key)
    );
}

#[test]
fn the_encrypted_files_of_openssh() {
    for cipher in CIPHERS {
        let text = encrypted(cipher);
        assert_eq!(PrivateKey::is_encrypted(text), Ok(true), "{cipher}");
        assert_eq!(
            PrivateKey::from_openssh(text).unwrap_err(),
            Error::Encrypted
        );
        let key = PrivateKey::from_encrypted_openssh(text, passphrase()).expect(cipher);
        assert_eq!(seed_of(&key), seed_of(&openssh()), "{cipher}");
        assert_eq!(key.public_key().comment(), "alice@example.com");
        let wrong = PrivateKey::from_encrypted_openssh(text, b"wrong");
        assert_eq!(wrong.unwrap_err(), Error::Passphrase, "{cipher}");
        let empty = PrivateKey::from_encrypted_openssh(text, b"");
        assert_eq!(empty.unwrap_err(), Error::EmptyPassphrase);
    }
}

#[test]
fn encryption() {
    let key = openssh();
    let text = key.to_encrypted_openssh(&mut SysRng, b"a", 1).unwrap();
    assert_eq!(PrivateKey::is_encrypted(&text), Ok(true));
    let read = PrivateKey::from_encrypted_openssh(&text, b"a").unwrap();
    assert_eq!(seed_of(&read), seed_of(&key));
    // A passphrase for a key that needs none is ignored.
    let read = PrivateKey::from_encrypted_openssh(file("/private"), b"a").unwrap();
    assert_eq!(seed_of(&read), seed_of(&key));
    for (passphrase, rounds, error) in [
        (&b""[..], 1, Error::EmptyPassphrase),
        (b"a", 0, Error::Rounds),
        (b"a", limits::ROUNDS + 1, Error::Rounds),
    ] {
        let encrypted = key.to_encrypted_openssh(&mut SysRng, passphrase, rounds);
        assert_eq!(encrypted, Err(error));
    }
    // Two files of one key have different salts.
    let again = key.to_encrypted_openssh(&mut SysRng, b"a", 1).unwrap();
    assert_ne!(again, text);
}

#[test]
fn comments_of_all_lengths() {
    for length in (0..40).chain([limits::TEXT]) {
        let comment = "c".repeat(length);
        let key = PrivateKey::from_seed(&Seed::from_bytes(&[2; 64]));
        let key = key.with_comment(&comment).unwrap();
        let plain = PrivateKey::from_openssh(&key.to_openssh().unwrap()).unwrap();
        assert_eq!(plain.public_key().comment(), comment);
        let text = key.to_encrypted_openssh(&mut SysRng, b"a", 1).unwrap();
        let read = PrivateKey::from_encrypted_openssh(&text, b"a").unwrap();
        assert_eq!(read.public_key().comment(), comment);
    }
}

#[test]
fn the_earlier_name_is_kept() {
    let key = PrivateKey::new(
        Algorithm::MlDsa44Ed25519AtOpenSsh,
        moissanite_composite::SigningKey::from_seed(&Seed::from_bytes(&[3; 64])),
    );
    let read = PrivateKey::from_openssh(&key.to_openssh().unwrap()).unwrap();
    assert_eq!(read.public_key(), key.public_key());
}

#[test]
fn malformed_files() {
    let bytes = bytes_of(file("/private"));
    let seed = seed_of(&openssh());
    let name = b"ssh-mldsa44-ed25519";
    let public = openssh().public_key().to_blob();
    let with = |bytes: &[u8]| pem_of(LABEL, bytes);
    let changed = |at: usize, to: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + to.len()].copy_from_slice(to);
        with(&bytes)
    };
    // The places of the number of keys, and of the private section behind its length.
    let number = 15 + 8 + 8 + 4;
    let section = number + 4 + 4 + public.len() + 4;
    let inner = section + 8;
    let seed_at = inner + public.len() + 4;
    let last = bytes.len() - 1;
    let mut other_seed = seed;
    other_seed[40] ^= 1;
    let other_name = replaced(&bytes, name, b"ssh-mldsa44-ed25518");
    let earlier = replaced(&public, name, b"ssh-mldsa44-ed25519@openssh.com");
    let short = replaced(&bytes, &seed, &seed[1..]);
    let long = [&bytes[..], b"x"].concat();
    for (text, error) in [
        (String::new(), Error::Pem),
        (file("/private").replace("OPENSSH", "OPENSHH"), Error::Pem),
        (file("/private").replace('b', "*"), Error::Pem),
        (with(b""), Error::Pem),
        (changed(0, b"O"), Error::Encoding),
        (changed(number, &[0, 0, 0, 2]), Error::NumberOfKeys),
        (changed(number, &[0, 0, 0, 0]), Error::NumberOfKeys),
        (with(&long), Error::TrailingData),
        (with(&bytes[..last]), Error::Encoding),
        (with(&other_name), Error::UnknownAlgorithm),
        (
            with(&replaced(&bytes, &public, &earlier)),
            Error::Contradiction,
        ),
        (changed(section, &[bytes[section] ^ 1]), Error::Encoding),
        (
            changed(inner + 30, &[bytes[inner + 30] ^ 1]),
            Error::Contradiction,
        ),
        (changed(seed_at, &other_seed), Error::PublicKeyMismatch),
        (changed(last, &[bytes[last] ^ 1]), Error::Encoding),
        (with(&replaced(&bytes, b"none", b"nine")), Error::Encrypted),
        (
            "a".repeat(limits::KEY + 1),
            Error::TooLong {
                part: "private key",
                limit: limits::KEY,
            },
        ),
    ] {
        let read = PrivateKey::from_openssh(&text);
        assert_eq!(read.map(|_| ()), Err(error), "{error}");
    }
    // The length of the section is no longer a multiple of eight.
    assert!(PrivateKey::from_openssh(&with(&short)).is_err());
}

#[test]
fn malformed_encryption() {
    let bytes = bytes_of(encrypted("aes256-ctr"));
    let options = 15 + 4 + "aes256-ctr".len() + 4 + "bcrypt".len() + 4;
    let rounds = options + 4 + 16;
    let changed = |at: usize, to: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + to.len()].copy_from_slice(to);
        bytes
    };
    for (bytes, error) in [
        (
            replaced(&bytes, b"aes256-ctr", b"aes257-ctr"),
            Error::UnsupportedEncryption,
        ),
        (
            replaced(&bytes, b"bcrypt", b"scrypt"),
            Error::UnsupportedEncryption,
        ),
        (
            replaced(&bytes, b"aes256-ctr", b"none"),
            Error::UnsupportedEncryption,
        ),
        (
            replaced(&bytes, b"aes256-ctr", b"3des-cbc"),
            Error::UnsupportedEncryption,
        ),
        (changed(rounds, &[0; 4]), Error::Rounds),
        (changed(rounds, &[0xff; 4]), Error::Rounds),
        (changed(rounds, &[0, 0, 0, 3]), Error::Passphrase),
        (changed(options, &[0, 0, 0, 0]), Error::TrailingData),
        ([&bytes[..], b"x"].concat(), Error::TrailingData),
    ] {
        let read = PrivateKey::from_encrypted_openssh(&pem_of(LABEL, &bytes), passphrase());
        assert_eq!(read.map(|_| ()), Err(error), "{error}");
    }
    // Authenticating ciphers notice each change.
    for cipher in ["aes256-gcm", "chacha20-poly1305"] {
        let mut bytes = bytes_of(encrypted(cipher));
        let at = bytes.len() - 100;
        bytes[at] ^= 1;
        let read = PrivateKey::from_encrypted_openssh(&pem_of(LABEL, &bytes), passphrase());
        assert_eq!(read.unwrap_err(), Error::Passphrase, "{cipher}");
    }
}

#[test]
fn debug_shows_no_secret() {
    let text = format!("{:?}", openssh());
    let seed = hex::encode(seed_of(&openssh()));
    assert!(!text.contains(&seed[..8]), "{text}");
    assert!(text.contains("alice@example.com"));
}
