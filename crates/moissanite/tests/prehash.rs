//! HashML-DSA with each of its twelve hash functions.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use moissanite::prehash::{
    PreHash, PreHashed, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Sha224, Sha256, Sha384, Sha512,
    Sha512_224, Sha512_256, Shake128, Shake256,
};
use moissanite::{
    Fips204, InvalidDigestLength, MlDsa44, MlDsa65, MlDsa87, SigningError, SigningKey, WeakHash,
    prelude::*, stream,
};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

const MESSAGE: &[u8] = b"abc";
const OTHER: &[u8] = b"abd";

fn key<P: Fips204>() -> SigningKey<P> {
    SigningKey::from_seed(&[42; 32].into())
}

/// `digest` is the published one of "abc".
fn check<H: PreHash>(name: &str, arc: u8, strength: usize, digest: &str) {
    assert_eq!(H::NAME, name);
    assert_eq!(H::OID_ARC, arc);
    assert_eq!(H::STRENGTH, strength);
    assert_eq!(2 * H::LEN, digest.len());
    let of_message = PreHashed::<H>::of(&[MESSAGE]);
    assert_eq!(hex::encode(of_message.as_bytes()), digest);
    // In parts, by a hasher, or from bytes.
    assert_eq!(PreHashed::<H>::of(&[b"a", b"", b"bc"]), of_message);
    let mut hasher = H::default();
    hasher.absorb(b"ab");
    hasher.absorb(b"c");
    assert_eq!(PreHashed::from_hasher(hasher), of_message);
    let bytes = hex::decode(digest).unwrap();
    assert_eq!(PreHashed::<H>::from_digest(&bytes).unwrap(), of_message);
    for len in [0, H::LEN - 1, H::LEN + 1, 65] {
        let error = PreHashed::<H>::from_digest(&vec![0; len]).unwrap_err();
        let (expected, actual) = (H::LEN, len);
        assert_eq!(error, InvalidDigestLength { expected, actual });
    }
    signatures::<MlDsa44, H>();
    signatures::<MlDsa65, H>();
    signatures::<MlDsa87, H>();
}

/// A hash function that is weaker than the set is refused, by every kind of key, and its signatures
/// with it.
fn refused<P: Fips204, H: PreHash>() {
    let key = key::<P>();
    let digest = PreHashed::<H>::of(&[MESSAGE]);
    let weak = WeakHash {
        hash: H::NAME,
        strength: H::STRENGTH,
        set: P::NAME,
        needed: P::LAMBDA,
    };
    let rng = &mut ChaCha20Rng::from_seed([1; 32]);
    let (prepared, expanded) = (key.prepare(), key.as_expanded_bytes().as_ref());
    let small = stream::SigningKey::<P, _>::from_expanded_bytes(expanded).unwrap();
    for refused in [
        key.try_sign_prehashed(&digest),
        key.try_sign_prehashed_with_rng(rng, &digest),
        prepared.try_sign_prehashed(&digest),
        prepared
            .with_context(b"a")
            .unwrap()
            .try_sign_prehashed(&digest),
        small.try_sign_prehashed_with_rng(rng, &digest),
    ] {
        assert_eq!(refused.unwrap_err(), SigningError::WeakHash(weak));
    }
    let error = stream::SignError::Signing(SigningError::WeakHash(weak));
    assert_eq!(small.prehashed_mu(b"", &digest).unwrap_err(), error);

    let public = key.verifying_key();
    let view = public.with_context(b"").unwrap();
    assert_eq!(view.prehashed_mu(&digest).unwrap_err(), weak);
    let mu = view.prehashed_mu_of_any_strength(&digest);
    let signature = key.try_sign_mu(&mu).unwrap();
    public.verify_mu(&mu, &signature).unwrap();
    view.verify_prehashed(&digest, &signature).unwrap_err();
    public.verify_prehashed(&digest, &signature).unwrap_err();
    let prepared = public.prepare();
    prepared.verify_prehashed(&digest, &signature).unwrap_err();
    let mut small = stream::VerifyingKey::<P, _>::from_bytes(public.as_ref()).unwrap();
    let verdict = small.verify_prehashed(b"", &digest, signature.as_ref());
    assert_eq!(verdict, Err(stream::VerifyError::Invalid));
    let mu = small.prehashed_mu(b"", &digest);
    assert_eq!(mu.unwrap_err(), stream::VerifyError::Invalid);
}

fn signatures<P: Fips204, H: PreHash>() {
    let needed = match P::NAME {
        "ML-DSA-44" => 128,
        "ML-DSA-65" => 192,
        _ => 256,
    };
    if H::STRENGTH < needed {
        return refused::<P, H>();
    }
    let key = key::<P>();
    let public = key.verifying_key();
    let (digest, other) = (PreHashed::<H>::of(&[MESSAGE]), PreHashed::<H>::of(&[OTHER]));
    let deterministic = key.try_sign_prehashed(&digest).unwrap();
    assert_eq!(key.try_sign_prehashed(&digest).unwrap(), deterministic);
    let prepared = key.prepare();
    assert_eq!(prepared.try_sign_prehashed(&digest).unwrap(), deterministic);
    let rng = &mut ChaCha20Rng::from_seed([1; 32]);
    let hedged = key.try_sign_prehashed_with_rng(rng, &digest).unwrap();
    assert_ne!(hedged, deterministic);
    for signature in [&deterministic, &hedged] {
        public.verify_prehashed(&digest, signature).unwrap();
        public
            .prepare()
            .verify_prehashed(&digest, signature)
            .unwrap();
        public.verify_prehashed(&other, signature).unwrap_err();
        // It is not a signature of the message, and not one of the digest as a message.
        public.verify(MESSAGE, signature).unwrap_err();
        public.verify(digest.as_bytes(), signature).unwrap_err();
    }

    let view = key.with_context(b"context").unwrap();
    let signature = view.try_sign_prehashed(&digest).unwrap();
    assert_ne!(signature, deterministic);
    public.verify_prehashed(&digest, &signature).unwrap_err();
    let view = public.with_context(b"context").unwrap();
    view.verify_prehashed(&digest, &signature).unwrap();
    let mu = view.prehashed_mu(&digest).unwrap();
    assert_eq!(view.prehashed_mu_of_any_strength(&digest), mu);
    let expanded = key.as_expanded_bytes().as_ref();
    let small = stream::SigningKey::<P, _>::from_expanded_bytes(expanded).unwrap();
    assert_eq!(small.prehashed_mu(b"context", &digest).unwrap(), mu);
    let too_long = small.prehashed_mu(&[0; 256], &digest).unwrap_err();
    assert!(matches!(too_long, stream::SignError::ContextTooLong(_)));
    let mut small = stream::VerifyingKey::<P, _>::from_bytes(public.as_ref()).unwrap();
    assert_eq!(small.prehashed_mu(b"context", &digest).unwrap(), mu);
    let too_long = small.prehashed_mu(&[0; 256], &digest).unwrap_err();
    assert_eq!(too_long, stream::VerifyError::ContextTooLong);
    public.verify_mu(&mu, &signature).unwrap();
    assert_eq!(key.try_sign_mu(&mu).unwrap(), signature);
}

#[test]
fn sha2() {
    check::<Sha224>(
        "SHA2-224",
        4,
        112,
        "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
    );
    check::<Sha256>(
        "SHA2-256",
        1,
        128,
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
    check::<Sha384>(
        "SHA2-384",
        2,
        192,
        "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed\
         8086072ba1e7cc2358baeca134c825a7",
    );
    check::<Sha512>(
        "SHA2-512",
        3,
        256,
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
         2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    );
    check::<Sha512_224>(
        "SHA2-512/224",
        5,
        112,
        "4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa",
    );
    check::<Sha512_256>(
        "SHA2-512/256",
        6,
        128,
        "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23",
    );
}

#[test]
fn sha3() {
    check::<Sha3_224>(
        "SHA3-224",
        7,
        112,
        "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf",
    );
    check::<Sha3_256>(
        "SHA3-256",
        8,
        128,
        "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
    );
    check::<Sha3_384>(
        "SHA3-384",
        9,
        192,
        "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b2\
         98d88cea927ac7f539f1edf228376d25",
    );
    check::<Sha3_512>(
        "SHA3-512",
        10,
        256,
        "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e\
         10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0",
    );
}

#[test]
fn shake() {
    check::<Shake128>(
        "SHAKE-128",
        11,
        128,
        "5881092dd818bf5cf8a3ddb793fbcba74097d5c526a6d35f97b83351940f2cc8",
    );
    check::<Shake256>(
        "SHAKE-256",
        12,
        256,
        "483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739\
         d5a15bef186a5386c75744c0527e1faa9f8726e462a12a4feb06bd8801e751e4",
    );
}

/// μ = H(tr ‖ 1 ‖ |ctx| ‖ ctx ‖ OID ‖ PH(M), 64), where the identifier is in DER (FIPS 204, Algorithm 4).
#[test]
fn mu_is_as_it_is_written() {
    use ::shake::{ExtendableOutput, Shake256, Update, XofReader};

    fn h(parts: &[&[u8]]) -> [u8; 64] {
        let (mut hasher, mut hash) = (Shake256::default(), [0; 64]);
        parts.iter().for_each(|part| hasher.update(part));
        hasher.finalize_xof().read(&mut hash);
        hash
    }
    let key = key::<MlDsa65>();
    let public = key.verifying_key();
    let digest = PreHashed::<Sha512>::of(&[MESSAGE]);
    let oid = [6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 3];
    let tr = h(&[public.as_ref()]);
    for context in [&b""[..], b"context", &[7; 255]] {
        let frame = [1, context.len() as u8];
        let expected = h(&[&tr, &frame, context, &oid, digest.as_bytes()]);
        let mu = public.with_context(context).unwrap().prehashed_mu(&digest);
        assert_eq!(*mu.unwrap().as_bytes(), expected);
    }
}

/// Digests of the same length by different functions are not the same.
#[test]
fn the_function_is_signed() {
    let key = key::<MlDsa44>();
    let digest = [7; 32];
    let sha2 = PreHashed::<Sha256>::from_digest(&digest).unwrap();
    let sha3 = PreHashed::<Sha3_256>::from_digest(&digest).unwrap();
    let signature = key.try_sign_prehashed(&sha2).unwrap();
    key.verifying_key()
        .verify_prehashed(&sha2, &signature)
        .unwrap();
    key.verifying_key()
        .verify_prehashed(&sha3, &signature)
        .unwrap_err();
}

#[test]
fn debug_names_the_function() {
    let digest = PreHashed::<Sha512_256>::from_digest(&[0xab; 32]).unwrap();
    assert_eq!(format!("{digest:?}"), "PreHashed<SHA2-512/256>(..)");
}
