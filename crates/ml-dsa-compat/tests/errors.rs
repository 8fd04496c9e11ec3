//! Every error, and the panics that the documentation names.

#![allow(deprecated, reason = "the deprecated functions are tested too")]

use ml_dsa::signature::{
    DigestSigner, DigestVerifier, RandomizedDigestSigner, RandomizedMultipartSigner,
    RandomizedSigner,
};
use ml_dsa::{
    Error, ExpandedSigningKey, Generate, KeyInit, Keypair, MlDsa44, MlDsaParams, Signature, Signer,
    SigningKey, Verifier, VerifyingKey,
};
use moissanite::Fips204;
use moissanite_kats::Failing;
use rand_chacha::rand_core::SeedableRng;

use crate::for_every_set;

fn errors<P: MlDsaParams, Q: Fips204>() {
    let key = SigningKey::<P>::from_seed(&[1; 32].into());
    let expanded = key.expanded_key();
    let public_key = key.verifying_key();
    let signature = key.sign(b"message");

    // Lengths.
    let bytes = signature.encode();
    for wrong in [&bytes[1..], &[&bytes[..], &[0]].concat(), &[]] {
        assert!(Signature::<P>::try_from(wrong).is_err());
    }
    assert!(SigningKey::<P>::new_from_slice(&[0; 31]).is_err());
    assert!(VerifyingKey::<P>::new_from_slice(&public_key.encode()[1..]).is_err());

    // A hint that is not encoded as FIPS 204 requires, and a coefficient of z that is out of range.
    let mut malformed = bytes.clone();
    malformed[Q::SIGNATURE_LEN - 1] = 0xff;
    assert!(Signature::<P>::decode(&malformed).is_none());
    let mut malformed = bytes.clone();
    malformed[Q::C_TILDE_LEN..Q::C_TILDE_LEN + 3].fill(0);
    assert!(Signature::<P>::decode(&malformed).is_none());

    // Contexts of 255 and of 256 bytes.
    let longest = expanded.sign_deterministic(b"message", &[0; 255]).unwrap();
    assert!(public_key.verify_with_context(b"message", &[0; 255], &longest));
    assert!(!public_key.verify_with_context(b"message", &[0; 254], &longest));
    assert!(!public_key.verify_with_context(b"message", &[0; 256], &longest));
    assert!(expanded.sign_deterministic(b"message", &[0; 256]).is_err());
    let mut rng = rand_chacha::ChaCha8Rng::from_seed([0; 32]);
    assert!(
        expanded
            .sign_randomized(b"message", &[0; 256], &mut rng)
            .is_err()
    );
    let never =
        |_: &mut shake::Shake256| -> Result<(), Error> { panic!("the context is too long") };
    assert!(public_key.compute_mu(never, &[0; 256]).is_err());

    // An error of the caller's function.
    let error = |_: &mut shake::Shake256| Err(Error::new());
    assert!(public_key.compute_mu(error, b"").is_err());
    assert!(key.try_sign_digest(error).is_err());
    assert!(expanded.try_sign_digest(error).is_err());
    assert!(expanded.try_sign_digest_with_rng(&mut rng, error).is_err());
    assert!(public_key.verify_digest(error, &signature).is_err());

    // A generator that fails.
    let fine = |_: &mut shake::Shake256| Ok(());
    let mu = public_key.compute_mu(fine, b"").unwrap();
    assert!(SigningKey::<P>::try_generate_from_rng(&mut Failing).is_err());
    assert!(
        expanded
            .sign_randomized(b"message", b"", &mut Failing)
            .is_err()
    );
    assert!(expanded.sign_mu_randomized(&mu, &mut Failing).is_err());
    assert!(
        expanded
            .try_sign_with_rng(&mut Failing, b"message")
            .is_err()
    );
    assert!(
        expanded
            .try_multipart_sign_with_rng(&mut Failing, &[b"message"])
            .is_err()
    );
    assert!(
        expanded
            .try_sign_digest_with_rng(&mut Failing, fine)
            .is_err()
    );

    // Other messages and other keys.
    let other = SigningKey::<P>::from_seed(&[2; 32].into()).verifying_key();
    assert!(public_key.verify(b"another", &signature).is_err());
    assert!(other.verify(b"message", &signature).is_err());
    assert!(!other.verify_mu(&mu, &expanded.sign_mu_deterministic(&mu)));
    assert!(!public_key.verify_internal(b"message", &signature));
}

#[test]
fn wrong_input_is_an_error() {
    for_every_set!(errors);
}

/// Reads an expanded key with another byte at a position.
fn read_with(position: usize) {
    let key = ExpandedSigningKey::<MlDsa44>::from_seed(&[1; 32].into());
    let mut bytes = key.to_expanded();
    bytes[position] = !bytes[position];
    let _ = ExpandedSigningKey::<MlDsa44>::from_expanded(&bytes);
}

#[test]
#[should_panic(expected = "tr")]
fn an_expanded_key_with_another_tr_panics() {
    read_with(64);
}

#[test]
#[should_panic(expected = "t0")]
fn an_expanded_key_with_another_t0_panics() {
    read_with(2559);
}
