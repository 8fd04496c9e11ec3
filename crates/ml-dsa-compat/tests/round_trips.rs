//! Keys and signatures through every trait, and what the traits of the standard library promise.

use std::collections::HashSet;

use ml_dsa::common::Key;
use ml_dsa::signature::digest::Update;
use ml_dsa::signature::{DigestVerifier, KeypairRef, MultipartVerifier, SignatureEncoding};
use ml_dsa::{
    EncodedSignature, KeyExport, KeyInit, KeySizeUser, Keypair, MlDsaParams, Seed, Signature,
    Signer, SigningKey, Verifier, VerifyingKey,
};
use moissanite::Fips204;
use zeroize::ZeroizeOnDrop;

use crate::for_every_set;

fn round_trip<P: MlDsaParams, Q: Fips204>() {
    let seed = Seed::from([3; 32]);
    let key = SigningKey::<P>::new_from_slice(&seed).unwrap();
    assert_eq!(KeyExport::to_bytes(&key), seed);
    assert_eq!(SigningKey::<P>::new(&seed), key);
    assert_eq!((key.to_seed(), key.as_seed()), (seed, &seed));
    assert_eq!(SigningKey::<P>::key_size(), 32);

    let public_key = key.verifying_key();
    let bytes: Key<VerifyingKey<P>> = public_key.to_bytes();
    assert_eq!(bytes.len(), Q::PUBLIC_KEY_LEN);
    assert_eq!(VerifyingKey::<P>::new(&bytes), public_key);
    assert_eq!(
        VerifyingKey::<P>::new_from_slice(&bytes),
        Ok(public_key.clone())
    );
    assert_eq!(*AsRef::<VerifyingKey<P>>::as_ref(&key), public_key);
    assert_eq!(public_key_of(&key), public_key);
    assert_eq!(Keypair::verifying_key(key.expanded_key()), public_key);

    let signature = key.sign(b"message");
    let bytes: EncodedSignature<P> = signature.clone().try_into().unwrap();
    assert_eq!(Signature::<P>::decode(&bytes), Some(signature.clone()));
    assert_eq!(Signature::<P>::try_from(&bytes[..]).unwrap(), signature);
    assert_eq!(signature.to_vec(), bytes.to_vec());
    assert_eq!(signature.encoded_len(), Q::SIGNATURE_LEN);

    // A copy that has not verified yet, and one that has.
    for public_key in [public_key.clone(), public_key.clone()] {
        for _ in 0..2 {
            public_key.verify(b"message", &signature).unwrap();
            public_key
                .multipart_verify(&[b"mess", b"age"], &signature)
                .unwrap();
            public_key.verify_digest(absorb, &signature).unwrap();
            assert!(public_key.verify_with_context(b"message", b"", &signature));
            let mu = public_key.compute_mu(absorb, b"").unwrap();
            assert!(public_key.verify_mu(&mu, &signature));
            assert!(public_key.verify_internal(b"\0\0message", &signature));
        }
    }

    // A copy of a key that has signed gives the same signature, also after the key is dropped.
    let copies = (key.clone(), key.expanded_key().clone());
    let other = SigningKey::<P>::from_seed(&[4; 32].into());
    assert_ne!(copies.0, other);
    assert!(copies.1 != *other.expanded_key());
    assert_ne!(other.verifying_key(), public_key);
    drop(key);
    assert_eq!(copies.0.sign(b"message"), signature);
    assert_eq!(copies.1.sign(b"message"), signature);

    let hashes = |key: &VerifyingKey<P>, signature: &Signature<P>| {
        use std::hash::BuildHasher;
        let state = std::hash::BuildHasherDefault::<std::hash::DefaultHasher>::default();
        [state.hash_one(key), state.hash_one(signature)]
    };
    let all = [
        hashes(&public_key, &signature),
        hashes(&public_key.clone(), &signature.clone()),
        hashes(&other.verifying_key(), &other.sign(b"message")),
    ];
    assert_eq!(HashSet::from(all).len(), 2);

    assert_eq!(format!("{:?}", copies.0), "SigningKey { .. }");
    assert_eq!(format!("{:?}", copies.1), "ExpandedSigningKey { .. }");
    assert!(format!("{public_key:?}").starts_with("VerifyingKey"));
    assert!(format!("{signature:?}").starts_with("Signature"));
}

#[test]
fn keys_and_signatures_go_round() {
    for_every_set!(round_trip);
}

/// Gives the message to a hash function.
fn absorb(digest: &mut shake::Shake256) -> Result<(), ml_dsa::Error> {
    digest.update(b"message");
    Ok(())
}

/// Generic code for keys that contain their public keys.
fn public_key_of<K: KeypairRef>(key: &K) -> K::VerifyingKey {
    key.verifying_key()
}

/// These hold for every set, because they follow from the types.
#[test]
fn keys_can_be_shared() {
    fn shared<T: Send + Sync + Unpin + 'static>() {}
    fn wiped<T: ZeroizeOnDrop>() {}
    shared::<SigningKey<ml_dsa::MlDsa65>>();
    shared::<ml_dsa::ExpandedSigningKey<ml_dsa::MlDsa65>>();
    shared::<VerifyingKey<ml_dsa::MlDsa65>>();
    shared::<Signature<ml_dsa::MlDsa65>>();
    wiped::<SigningKey<ml_dsa::MlDsa65>>();
    wiped::<ml_dsa::ExpandedSigningKey<ml_dsa::MlDsa65>>();
}

/// Two threads that use a key first at the same time.
#[test]
fn threads_share_a_key() {
    let key = SigningKey::<ml_dsa::MlDsa44>::from_seed(&[3; 32].into());
    let public_key = key.verifying_key();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let signature = key.sign(b"message");
                public_key.verify(b"message", &signature).unwrap();
            });
        }
    });
}
