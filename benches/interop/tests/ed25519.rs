//! Ed25519, which all implementations have: the exchange of keys and signatures in both directions,
//! and the keys and signatures on which the implementations disagree.

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use moissanite_composite::ed25519::{Signature, SigningKey, VerifyingKey};
use moissanite_composite::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, LineEnding,
};
use moissanite_composite::prelude::*;
use openssl::pkey::{Id, PKey};
use openssl::sign;

#[test]
fn openssl() {
    let here = SigningKey::from_seed(&[7; 32].into());
    let document = here.to_pkcs8_pem(LineEnding::LF).expect("PEM");
    let there = PKey::private_key_from_pem(document.as_bytes()).expect("ours loads there");
    // The bytes are the same as those of OpenSSL.
    let written = there.private_key_to_pem_pkcs8().expect("PEM");
    assert_eq!(written, document.as_bytes());
    let public = there.public_key_to_pem().expect("PEM");
    let own = here.verifying_key().to_public_key_pem(LineEnding::LF);
    assert_eq!(public, own.expect("PEM").as_bytes());

    let mut signer = sign::Signer::new_without_digest(&there).expect("a signer");
    let theirs = signer.sign_oneshot_to_vec(b"message").expect("signs");
    let ours = here.try_sign(b"message").expect("signs");
    assert_eq!(theirs, ours.to_bytes(), "Ed25519 is deterministic");

    let there = PKey::generate_ed25519().expect("a key");
    let document = there.private_key_to_pem_pkcs8().expect("PEM");
    let document = String::from_utf8(document).expect("text");
    let here = SigningKey::from_pkcs8_pem(&document).expect("theirs loads here");
    let public = there.public_key_to_der().expect("DER");
    let public = VerifyingKey::from_public_key_der(&public).expect("theirs loads here");
    assert_eq!(&public, here.verifying_key());
}

#[test]
fn aws_lc() {
    let here = SigningKey::from_seed(&[7; 32].into());
    let document = here.to_pkcs8_der().expect("DER");
    let there = Ed25519KeyPair::from_pkcs8_maybe_unchecked(document.as_bytes());
    let there = there.expect("ours loads there");
    assert_eq!(there.public_key().as_ref(), here.verifying_key().as_bytes());
    let ours = here.try_sign(b"message").expect("signs").to_bytes();
    assert_eq!(there.sign(b"message").as_ref(), ours);
    // The documents of AWS-LC contain the public key.
    let there = Ed25519KeyPair::generate().expect("a key");
    let document = there.to_pkcs8().expect("DER");
    let here = SigningKey::from_pkcs8_der(document.as_ref()).expect("theirs loads here");
    assert_eq!(there.public_key().as_ref(), here.verifying_key().as_bytes());
}

/// A private key with its public key (RFC 5958), as AWS-LC writes it.
#[test]
fn the_newer_form_of_pkcs8() {
    let document = Ed25519KeyPair::generate().expect("a key").to_pkcs8();
    let mut document = document.expect("DER").as_ref().to_vec();
    let here = SigningKey::from_pkcs8_der(&document).expect("loads here");
    let there = PKey::private_key_from_pkcs8(&document).expect("loads in OpenSSL");
    assert_eq!(
        there.raw_public_key().expect("bytes"),
        here.verifying_key().as_bytes()
    );
    // The last byte is one of the public key. OpenSSL does not compare.
    *document.last_mut().expect("not empty") ^= 1;
    SigningKey::from_pkcs8_der(&document).expect_err("another public key");
    Ed25519KeyPair::from_pkcs8(&document).expect_err("another public key");
    PKey::private_key_from_pkcs8(&document).expect("OpenSSL takes it");
}

/// The public key of order 1: R = 0 and S = 0 sign any message by the equation alone.
#[test]
fn keys_of_small_order() {
    let mut neutral = [0; 32];
    neutral[0] = 1;
    let signature = [neutral, [0; 32]].concat();
    let there = PKey::public_key_from_raw_bytes(&neutral, Id::ED25519).expect("OpenSSL takes it");
    let mut verifier = sign::Verifier::new_without_digest(&there).expect("a verifier");
    let openssl = verifier.verify_oneshot(&signature, b"any message");
    assert!(
        openssl.expect("a verdict"),
        "OpenSSL says that this is valid"
    );
    let aws_lc = UnparsedPublicKey::new(&aws_lc_rs::signature::ED25519, &neutral);
    let aws_lc = aws_lc.verify(b"any message", &signature);
    assert!(aws_lc.is_ok(), "AWS-LC says that this is valid");
    VerifyingKey::from_bytes(&neutral).expect_err("and here it is no key");
    let here = SigningKey::from_seed(&[7; 32].into());
    let signature = Signature::try_from(signature.as_slice()).expect("64 bytes");
    here.verifying_key()
        .verify(b"any message", &signature)
        .expect_err("nor a signature");
}
