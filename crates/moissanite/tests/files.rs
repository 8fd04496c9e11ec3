//! Messages and keys in files (feature `std`).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;

use crate::document::key;
use moissanite::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, LineEnding,
};
use moissanite::prehash::{PreHashed, Sha512, Shake256};
use moissanite::{
    Dilithium2, MlDsa44, MlDsa65, Seed, SigningKey, VerifyingKey, prelude::*, stream,
};

/// Returns pieces of 1, 2, 3, ... bytes with interruptions, and an error after `limit` bytes.
struct Slow<'a> {
    left: &'a [u8],
    step: usize,
    limit: usize,
}

impl<'a> Slow<'a> {
    fn new(message: &'a [u8]) -> Self {
        Self {
            left: message,
            step: 0,
            limit: usize::MAX,
        }
    }
}

impl Read for Slow<'_> {
    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        self.step += 1;
        if self.step.is_multiple_of(5) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let read = self.step.min(self.left.len()).min(piece.len());
        self.limit = self
            .limit
            .checked_sub(read)
            .ok_or(io::ErrorKind::BrokenPipe)?;
        piece[..read].copy_from_slice(&self.left[..read]);
        self.left = &self.left[read..];
        Ok(read)
    }
}

fn message() -> Vec<u8> {
    (0..30_000_u32).flat_map(u32::to_le_bytes).collect()
}

#[test]
fn a_message_is_read_to_its_end() {
    let message = message();
    let key = key::<MlDsa65>();
    let mut mu = key.mu(b"context").unwrap();
    assert_eq!(
        io::copy(&mut Slow::new(&message), &mut mu).unwrap(),
        120_000
    );
    let signature = key.try_sign_mu(&mu.finish()).unwrap();
    let at_once = key.with_context(b"context").unwrap();
    assert_eq!(signature, at_once.try_sign(&message).unwrap());

    let public_key = key.verifying_key();
    let mut mu = public_key.mu(b"context").unwrap();
    io::copy(&mut Slow::new(&message), &mut mu).unwrap();
    public_key.verify_mu(&mu.finish(), &signature).unwrap();
}

#[test]
fn round_3() {
    let message = message();
    let key = SigningKey::<Dilithium2>::from_seed(&Seed::from([7; 32]));
    let mut mu = key.verifying_key().message_mu();
    io::copy(&mut Slow::new(&message), &mut mu).unwrap();
    let signature = key.try_sign_mu(&mu.finish()).unwrap();
    key.verifying_key().verify(&message, &signature).unwrap();
}

#[test]
fn a_verifier_of_few_bytes() {
    let message = message();
    let key = key::<MlDsa44>();
    let signature = key.try_sign(&message).unwrap();
    let bytes = key.verifying_key().as_bytes();
    let mut public_key = stream::VerifyingKey::<MlDsa44, _>::from_bytes(bytes).unwrap();
    let mut verifier = public_key.verifier(b"").unwrap();
    io::copy(&mut Slow::new(&message), &mut verifier).unwrap();
    verifier.verify(signature.as_ref()).unwrap();
    let mut verifier = public_key.verifier(b"").unwrap();
    io::copy(&mut Slow::new(&message[1..]), &mut verifier).unwrap();
    verifier.verify(signature.as_ref()).unwrap_err();
}

#[test]
fn a_digest() {
    let message = message();
    let read = PreHashed::<Sha512>::from_reader(Slow::new(&message)).unwrap();
    assert_eq!(read, PreHashed::of(&[&message]));
    let read = PreHashed::<Shake256>::from_reader(Slow::new(&message)).unwrap();
    assert_eq!(read, PreHashed::of(&[&message]));
}

#[test]
fn an_error_of_the_reader() {
    let message = message();
    let failing = || Slow {
        limit: 1000,
        ..Slow::new(&message)
    };
    let mut mu = key::<MlDsa44>().mu(b"").unwrap();
    let error = io::copy(&mut failing(), &mut mu).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    let error = PreHashed::<Sha512>::from_reader(failing()).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
}

/// A new directory, which is removed when this is dropped.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let path = path.join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn key_files() {
    let directory = Directory::new("key-files");
    let key = key::<MlDsa65>();
    let path = |name| directory.0.join(name);
    key.write_pkcs8_pem_file(path("key.pem"), LineEnding::LF)
        .unwrap();
    key.write_pkcs8_der_file(path("key.der")).unwrap();
    let public_key = key.verifying_key();
    public_key
        .write_public_key_pem_file(path("pub.pem"), LineEnding::LF)
        .unwrap();
    public_key
        .write_public_key_der_file(path("pub.der"))
        .unwrap();

    #[cfg(unix)]
    for name in ["key.pem", "key.der"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(path(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    let pem = fs::read_to_string(path("key.pem")).unwrap();
    assert!(pem.starts_with("-----BEGIN PRIVATE KEY-----\n"));

    let read = SigningKey::<MlDsa65>::read_pkcs8_pem_file(path("key.pem")).unwrap();
    assert_eq!(read.as_seed(), key.as_seed());
    let read = SigningKey::<MlDsa65>::read_pkcs8_der_file(path("key.der")).unwrap();
    assert_eq!(read.as_seed(), key.as_seed());
    let read = VerifyingKey::<MlDsa65>::read_public_key_pem_file(path("pub.pem")).unwrap();
    assert_eq!(&read, public_key);
    let read = VerifyingKey::<MlDsa65>::read_public_key_der_file(path("pub.der")).unwrap();
    assert_eq!(&read, public_key);

    SigningKey::<MlDsa65>::read_pkcs8_pem_file(path("none.pem")).unwrap_err();
    SigningKey::<MlDsa44>::read_pkcs8_pem_file(path("key.pem")).unwrap_err();
}
