use moissanite_ssh::{Algorithm, Error, PublicKey, limits};

use crate::{decode, encode, file, openssh, other, replaced};

#[test]
fn the_public_file_of_openssh() {
    let key = PublicKey::from_openssh(file("/public")).unwrap();
    assert_eq!(key.comment(), "alice@example.com");
    assert_eq!(key.algorithm(), Algorithm::MlDsa44Ed25519);
    assert_eq!(key.fingerprint(), file("/fingerprint"));
    assert_eq!(key.to_openssh(), file("/public").trim_end());
    assert_eq!(&key, openssh().public_key());
    assert_eq!(PublicKey::from_blob(&key.to_blob()).unwrap(), key);
    assert_ne!(key, other());
    assert!(format!("{key:?}").contains(file("/fingerprint")));
}

#[test]
fn comments_and_white_space() {
    let line = other().to_openssh();
    let read = |line: &str| PublicKey::from_openssh(line).map(|key| key.comment().to_owned());
    assert_eq!(read(&line).unwrap(), "");
    assert_eq!(read(&format!("\t {line}  \r\n")).unwrap(), "");
    assert_eq!(read(&format!("{line} two words\n")).unwrap(), "two words");
    assert_eq!(read(&format!("{line}\tx")).unwrap(), "x");
    assert_eq!(read(&format!("{line} a\x1b[2J")), Err(Error::Comment));
    assert_eq!(read(&format!("{line} a\n{line}")), Err(Error::Comment));
    assert_eq!(other().with_comment("a\nb").unwrap_err(), Error::Comment);
    let long = "a".repeat(limits::TEXT + 1);
    assert_eq!(other().with_comment(&long).unwrap_err(), Error::Comment);
    let key = other().with_comment(&long[1..]).unwrap();
    assert_eq!(PublicKey::from_openssh(&key.to_openssh()).unwrap(), key);
}

/// The name of OpenSSH 10.4 and 10.5 is kept.
#[test]
fn the_earlier_name() {
    let name = "ssh-mldsa44-ed25519@openssh.com";
    let key = openssh().public_key().verifying_key().clone();
    let key = PublicKey::new(Algorithm::MlDsa44Ed25519AtOpenSsh, key);
    let line = key.to_openssh();
    assert!(line.starts_with(name));
    assert_eq!(PublicKey::from_openssh(&line).unwrap(), key);
    assert_ne!(&key, openssh().public_key());
    assert_ne!(key.fingerprint(), file("/fingerprint"));
    assert_eq!(key.algorithm().to_string(), name);
}

#[test]
fn malformed_keys() {
    let line = file("/public").trim_end();
    let (name, rest) = line.split_once(' ').unwrap();
    let (base64, comment) = rest.split_once(' ').unwrap();
    let blob = decode(base64);
    let with = |blob: &[u8]| format!("{name} {} {comment}", encode(blob));
    let earlier = "ssh-mldsa44-ed25519@openssh.com";
    let mut long = blob.clone();
    long.push(0);
    let mut huge = blob.clone();
    huge[..4].copy_from_slice(&[0xff; 4]);
    let bytes = &blob[blob.len() - 1344..];
    // No point of the curve has this y.
    let no_point = [&bytes[..1312], &[2][..], &[0; 31]].concat();
    for (line, error) in [
        (String::new(), Error::UnknownAlgorithm),
        (name.to_owned(), Error::Encoding),
        (format!("ssh-ed25519 {base64}"), Error::UnknownAlgorithm),
        (format!("{earlier} {base64}"), Error::Contradiction),
        (format!("{name} {base64}="), Error::Line),
        (format!("{name} ***"), Error::Line),
        (with(&long), Error::TrailingData),
        (with(&blob[..blob.len() - 1]), Error::Encoding),
        (with(&huge), Error::Encoding),
        (with(&replaced(&blob, bytes, &bytes[1..])), Error::PublicKey),
        (with(&replaced(&blob, bytes, &no_point)), Error::PublicKey),
        (
            with(&replaced(&blob, name.as_bytes(), b"ssh-ed25519")),
            Error::UnknownAlgorithm,
        ),
        (
            "a".repeat(limits::KEY + 1),
            Error::TooLong {
                part: "key",
                limit: limits::KEY,
            },
        ),
    ] {
        assert_eq!(PublicKey::from_openssh(&line), Err(error), "{error}");
    }
}
