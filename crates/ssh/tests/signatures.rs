use moissanite_ssh::{Error, Hash, Message, MessageHash, SshSignature, SysRng, limits};

use crate::{bytes_of, file, openssh, other, pem_of, replaced};

const LABEL: &str = "SSH SIGNATURE";
const MESSAGE: &[u8] = b"message\n";

fn sha512() -> &'static str {
    file("/signatures/sha512")
}

#[test]
fn signatures_of_openssh() {
    for (text, hash) in [
        (sha512(), Hash::Sha512),
        (file("/signatures/sha256"), Hash::Sha256),
    ] {
        let signature = SshSignature::from_pem(text).unwrap();
        assert_eq!(signature.public_key(), openssh().public_key());
        assert_eq!(signature.namespace(), "file");
        assert_eq!(signature.hash(), hash);
        assert_eq!(signature.to_pem().unwrap(), text);
        let verify = |namespace: &str, hash| signature.verify(namespace, &hash);
        let right = MessageHash::of(hash, MESSAGE);
        assert_eq!(verify("file", right), Ok(()));
        assert_eq!(verify("git", right), Err(Error::NamespaceMismatch));
        assert_eq!(verify("", right), Err(Error::NamespaceMismatch));
        let wrong = MessageHash::of(hash, b"massage\n");
        assert_eq!(verify("file", wrong), Err(Error::InvalidSignature));
        let other = match hash {
            Hash::Sha256 => Hash::Sha512,
            Hash::Sha512 => Hash::Sha256,
        };
        let wrong = MessageHash::of(other, MESSAGE);
        assert_eq!(verify("file", wrong), Err(Error::HashMismatch));
    }
}

#[test]
fn signatures_of_this_crate() {
    let key = openssh();
    for function in [Hash::Sha256, Hash::Sha512] {
        let hash = MessageHash::of(function, MESSAGE);
        let signature = key.try_sign("file", &hash).unwrap();
        assert_eq!(signature, key.try_sign("file", &hash).unwrap());
        assert_eq!(signature.verify("file", &hash), Ok(()));
        let hedged = key.try_sign_with_rng(&mut SysRng, "file", &hash).unwrap();
        assert_ne!(signature, hedged);
        let text = hedged.to_pem().unwrap();
        let read = SshSignature::from_pem(&text).unwrap();
        assert_eq!(read, hedged);
        assert_eq!(read.verify("file", &hash), Ok(()));
    }
    let hash = MessageHash::of(Hash::Sha512, b"");
    let longest = "n".repeat(limits::TEXT);
    let text = key.try_sign(&longest, &hash).unwrap().to_pem().unwrap();
    assert!(SshSignature::from_pem(&text).is_ok());
    for namespace in ["", "two\nlines", &(longest + "n")] {
        assert_eq!(key.try_sign(namespace, &hash), Err(Error::Namespace));
    }
}

#[test]
fn messages_in_pieces() {
    for function in [Hash::Sha256, Hash::Sha512] {
        let mut message = Message::new(function);
        for byte in MESSAGE {
            message.update(&[*byte]);
        }
        let hash = message.finish();
        assert_eq!(hash, MessageHash::of(function, MESSAGE));
        assert_eq!(hash.function(), function);
        let length = if function == Hash::Sha256 { 32 } else { 64 };
        assert_eq!(hash.as_bytes().len(), length);
    }
}

#[test]
fn malformed_signatures() {
    let bytes = bytes_of(sha512());
    let with = |bytes: &[u8]| pem_of(LABEL, bytes);
    let changed = |at: usize, to: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + to.len()].copy_from_slice(to);
        with(&bytes)
    };
    let name = b"ssh-mldsa44-ed25519";
    let public = openssh().public_key().to_blob();
    let outer = 2511;
    let signature = &bytes[bytes.len() - outer..];
    let bare = &signature[signature.len() - 2484..];
    let edited = |from: &[u8], to: &[u8]| {
        let inner = replaced(signature, from, to);
        with(&replaced(&bytes, signature, &inner))
    };
    let earlier = b"ssh-mldsa44-ed25519@openssh.com";
    let trailing = [signature, b"x"].concat();
    for (text, error) in [
        (String::new(), Error::Pem),
        (sha512().replace("SIGNATURE", "SIGNATUR"), Error::Pem),
        (with(b""), Error::Pem),
        (changed(0, b"s"), Error::Encoding),
        (changed(6, &[0, 0, 0, 2]), Error::Version),
        (with(&bytes[..bytes.len() - 1]), Error::Encoding),
        (with(&[&bytes[..], b"x"].concat()), Error::TrailingData),
        (with(&replaced(&bytes, b"file", b"")), Error::Namespace),
        (
            with(&replaced(&bytes, b"file", b"fi\nle")),
            Error::Namespace,
        ),
        (with(&replaced(&bytes, b"file", b"\xff")), Error::Namespace),
        (
            with(&replaced(&bytes, b"sha512", b"sha1")),
            Error::UnknownHash,
        ),
        (
            with(&replaced(&bytes, &public, &public[1..])),
            Error::Encoding,
        ),
        (edited(name, b"ssh-ed25519"), Error::UnknownAlgorithm),
        (edited(name, earlier), Error::Contradiction),
        (edited(bare, &bare[1..]), Error::SignatureLength),
        (
            with(&replaced(&bytes, signature, &trailing)),
            Error::TrailingData,
        ),
        (
            "a".repeat(limits::SIGNATURE + 1),
            Error::TooLong {
                part: "signature",
                limit: limits::SIGNATURE,
            },
        ),
    ] {
        assert_eq!(SshSignature::from_pem(&text), Err(error), "{error}");
    }
    // The reserved field follows the namespace.
    let reserved = [b"file" as &[u8], &[0, 0, 0, 0]].concat();
    let at = bytes
        .windows(8)
        .position(|window| window == reserved)
        .unwrap();
    let filled = [&bytes[..at + 4], &[0, 0, 0, 1, b'x'], &bytes[at + 8..]].concat();
    assert_eq!(SshSignature::from_pem(&with(&filled)), Err(Error::Reserved));
}

/// A signature with the key of somebody else is not valid.
#[test]
fn another_key() {
    let bytes = bytes_of(sha512());
    let (from, to) = (openssh().public_key().to_blob(), other().to_blob());
    let text = pem_of(LABEL, &replaced(&bytes, &from, &to));
    let signature = SshSignature::from_pem(&text).unwrap();
    assert_eq!(signature.public_key(), &other());
    let hash = MessageHash::of(Hash::Sha512, MESSAGE);
    assert_eq!(
        signature.verify("file", &hash),
        Err(Error::InvalidSignature)
    );
}
