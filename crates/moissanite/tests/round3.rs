//! Round-3 Dilithium: all vectors of kats/dilithium-round3.json, by every way to do the same, on
//! every backend; and that nothing passes from one scheme to the other.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use crate::backends::on_every_backend;
use moissanite::backend::{Backend, Portable, WithBackend};
use moissanite::prehash::{PreHashed, Sha3_256};
use moissanite::round3::{sign_batch, sign_batch_with_rng, verify_batch};
use moissanite::{
    Dilithium2, Dilithium3, Dilithium5, ExpandedSigningKey, InvalidKey, MlDsa44, ParameterSet,
    Round3, Seed, Signature, SigningKey, VerifyingKey, prelude::*, stream,
};
use moissanite_core::encode::{bits::bit_unpack, keys::sk_split, signature::sig_split};
use moissanite_core::poly::Poly;
use moissanite_core::secret::Zeroed;
use moissanite_core::shape::Dim;
use moissanite_kats::{Recorded, Stuck};
use serde_json::Value;
use shake::Shake256;
use shake::digest::{ExtendableOutput, Update, XofReader};
use std::convert::Infallible;

fn bytes(case: &Value, field: &str) -> Vec<u8> {
    hex::decode(case[field].as_str().unwrap_or_else(|| panic!("no {field}"))).unwrap()
}

/// Compares with the value in the case, or with its hash.
fn check(case: &Value, field: &str, found: &[u8]) {
    if case.get(field).is_some() {
        assert!(found == bytes(case, field), "{field} of {}", case["id"]);
    }
    if let Some(digest) = case[format!("{field}_sha3_256")].as_str() {
        let found = PreHashed::<Sha3_256>::of(&[found]);
        assert_eq!(hex::encode(found.as_bytes()), digest, "{field} of {case}");
    } else {
        assert!(case.get(field).is_some(), "nothing to compare {field} with");
    }
}

/// Checks the key and the signature of a case, by every method.
fn sign<P: ParameterSet<Scheme = Round3>, B: Backend>(backend: B, case: &Value) {
    let seed = Seed::try_from(&bytes(case, "seed")[..]).unwrap();
    let key = SigningKey::<P>::from_seed_on(backend, &seed);
    let sk = key.as_expanded_bytes().as_ref();
    check(case, "pk", key.verifying_key().as_ref());
    check(case, "sk", sk);
    let message = bytes(case, "msg");
    let mut mu = key.verifying_key().message_mu();
    message.chunks(7).for_each(|piece| mu.update(piece));
    let mu = mu.finish();
    let rho_prime: Option<[u8; 64]> = case.get("rho_prime").map(|_| {
        let bytes = bytes(case, "rho_prime");
        bytes.try_into().unwrap()
    });
    macro_rules! signature {
        ($key:expr) => {
            match &rho_prime {
                Some(rho_prime) => $key.sign_mu_with_rho_prime(&mu, rho_prime).unwrap(),
                None => $key.try_sign(&message).unwrap(),
            }
        };
    }
    let signature = signature!(key.on(backend));
    check(case, "sig", signature.as_ref());
    let prepared = key.prepare();
    let on = prepared.on(backend);
    assert!(signature!(on) == signature);
    let trusted = ExpandedSigningKey::<P>::from_bytes_trusted(sk).unwrap();
    assert!(signature!(trusted.on(backend)) == signature);

    let public = key.verifying_key().on(backend);
    public.verify_mu(&mu, &signature).unwrap();
    public.verify(&message, &signature).unwrap();
    if rho_prime.is_none() {
        assert!(prepared.try_sign_mu(&mu).unwrap() == signature);
        let signed = sign_batch(&[(&on, message.as_slice()); 2]).unwrap();
        assert!(signed == [signature.clone(), signature.clone()]);
    }

    if B::NAME == Portable::NAME {
        let from_seed =
            stream::SigningKey::<P, _>::from_seed_in(Box::<stream::Seeds>::default(), &seed);
        assert!(signature!(from_seed) == signature);
        let encoded = stream::SigningKey::<P, _>::from_expanded_bytes(sk).unwrap();
        let mut kept = stream::CachedMatrix::<9>::new();
        let encoded = encoded.keep(&mut kept);
        assert!(signature!(encoded) == signature);
        let mut mu = encoded.message_mu();
        mu.update(&message);
        let verified = key.verifying_key().verify_mu(&mu.finish(), &signature);
        verified.unwrap();
    }
}

/// Checks the verdict of a case, by every method.
fn verify<P: ParameterSet<Scheme = Round3>, B: Backend>(backend: B, case: &Value) {
    let (pk, message, sigma) = (bytes(case, "pk"), bytes(case, "msg"), bytes(case, "sig"));
    let (valid, comment) = (case["valid"].as_bool().unwrap(), &case["comment"]);
    let key = VerifyingKey::<P>::from_bytes(&pk).unwrap();
    let mut in_flash = stream::VerifyingKey::<P, _>::from_bytes(&pk).unwrap();
    let mut verifier = in_flash.message_verifier().unwrap();
    message.chunks(7).for_each(|piece| verifier.update(piece));
    assert_eq!(verifier.verify(&sigma).is_ok(), valid, "{comment}");
    let Ok(signature) = Signature::from_bytes(&sigma) else {
        assert!(!valid && sigma.len() != Signature::<P>::LEN, "{comment}");
        return;
    };
    assert_eq!(
        key.on(backend).verify(&message, &signature).is_ok(),
        valid,
        "{comment}"
    );
    let prepared = key.prepare();
    let prepared = prepared.on(backend);
    assert_eq!(
        prepared.verify(&message, &signature).is_ok(),
        valid,
        "{comment}"
    );
    let result = verify_batch(&[(&prepared, message.as_slice(), &signature); 3]);
    assert_eq!(result.is_ok(), valid, "{comment}");
    if let Err(error) = result {
        assert!(error.invalid().eq([0, 1, 2]), "{comment}");
    }
}

#[derive(Clone)]
struct Vectors<'a>(&'a Value);

impl Vectors<'_> {
    fn set<P: ParameterSet<Scheme = Round3>, B: Backend>(&self, backend: B) {
        let set = &self.0["sets"][P::NAME];
        let cases = |list: &str, count| {
            let cases = set[list].as_array().unwrap();
            assert_eq!(cases.len(), count);
            cases.iter()
        };
        let signing = cases("deterministic", 20).chain(cases("randomized", 5));
        signing.for_each(|case| sign::<P, B>(backend, case));
        cases("verify", 26).for_each(|case| verify::<P, B>(backend, case));
    }
}

impl WithBackend for Vectors<'_> {
    type Output = ();
    fn call<B: Backend>(self, backend: B) {
        self.set::<Dilithium2, B>(backend);
        self.set::<Dilithium3, B>(backend);
        self.set::<Dilithium5, B>(backend);
    }
}

#[test]
fn vectors() {
    on_every_backend(&Vectors(
        &serde_json::from_str(moissanite_kats::DILITHIUM_ROUND3).unwrap(),
    ));
}

#[test]
fn example() {
    let case: Value = serde_json::from_str(moissanite_kats::DILITHIUM2_README_EXAMPLE).unwrap();
    sign::<Dilithium2, _>(Portable, &case);
    verify::<Dilithium2, _>(Portable, &case);
}

#[test]
fn submitted_to_nist() {
    fn set<P: ParameterSet<Scheme = Round3>>(vectors: &Value) {
        let cases = vectors["sets"][P::NAME]["nist_kat"].as_array().unwrap();
        assert_eq!(cases.len(), 10);
        cases.iter().for_each(|case| sign::<P, _>(Portable, case));
    }
    let Some(text) = moissanite_kats::text("dilithium-round3.json") else {
        return;
    };
    let vectors = serde_json::from_str(&text).unwrap();
    set::<Dilithium2>(&vectors);
    set::<Dilithium3>(&vectors);
    set::<Dilithium5>(&vectors);
}

/// ρ' = H(K ‖ rnd ‖ μ), by every way to sign with a generator.
#[test]
fn hedged_signatures_hash_the_randomness_with_the_key_and_the_message() {
    fn set<P: ParameterSet<Scheme = Round3>>() {
        let (seed, message, rnd) = ([7; 32], b"a message".as_slice(), [9; 32]);
        let seed = Seed::from(seed);
        let key = SigningKey::<P>::from_seed(&seed);
        let mut mu = key.verifying_key().message_mu();
        mu.update(message);
        let mu = mu.finish();
        let mut rho_prime = [0; 64];
        let k = sk_split::<P>(key.as_expanded_bytes()).k;
        shake256(&[k, &rnd, mu.as_bytes()], &mut rho_prime);
        let expected = key.sign_mu_with_rho_prime(&mu, &rho_prime).unwrap();

        let rng = &mut Recorded(&rnd);
        let mut room = Signature::from_bytes(expected.as_ref()).unwrap();
        assert!(key.try_sign_with_rng(rng, message).unwrap() == expected);
        let (prepared, parts) = (key.prepare(), &[b"a ".as_slice(), b"message"]);
        let rng = &mut Recorded(&rnd);
        assert!(prepared.try_multipart_sign_with_rng(rng, parts).unwrap() == expected);
        assert!(
            prepared
                .try_sign_mu_with_rng(&mut Recorded(&rnd), &mu)
                .unwrap()
                == expected
        );
        key.try_sign_mu_with_rng_into(&mut Recorded(&[1; 32]), &mu, &mut room)
            .unwrap();
        assert!(room != expected);
        key.try_sign_mu_with_rng_into(&mut Recorded(&rnd), &mu, &mut room)
            .unwrap();
        assert!(room == expected);
        let signed = sign_batch_with_rng(&mut Recorded(&rnd), &[(&prepared, message)]);
        assert!(signed.unwrap() == [expected.clone()]);

        let small =
            stream::SigningKey::<P, _>::from_seed_in(Box::<stream::Seeds>::default(), &seed);
        assert!(
            small
                .try_sign_with_rng(&mut Recorded(&rnd), message)
                .unwrap()
                == expected
        );
        let mut pieces = Vec::new();
        let sink = |piece: &[u8]| {
            pieces.extend_from_slice(piece);
            Ok::<_, Infallible>(())
        };
        small
            .try_sign_mu_with_rng_to(&mut Recorded(&rnd), &mu, sink)
            .unwrap();
        assert!(pieces == expected.as_ref());
    }
    set::<Dilithium2>();
    set::<Dilithium3>();
    set::<Dilithium5>();
}

/// SHAKE256.
fn shake256(parts: &[&[u8]], out: &mut [u8]) {
    let mut hash = Shake256::default();
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize_xof().read(out);
}

/// The first polynomial of z.
fn first_z<P: ParameterSet>(signature: &Signature<P>) -> Poly<P::Field> {
    let mut z = Poly::ZERO;
    let bytes = &sig_split::<P>(signature.as_bytes()).z[..32 * P::Z_BITS];
    bit_unpack(Portable, P::Z_BITS, P::GAMMA1, bytes, &mut z);
    z
}

/// ExpandMask, of one polynomial.
fn mask<P: ParameterSet>(rho_prime: &[u8; 64], nonce: u16) -> Poly<P::Field> {
    let mut bytes = vec![0; 32 * P::Z_BITS];
    shake256(&[rho_prime, &nonce.to_le_bytes()], &mut bytes);
    let mut y = Poly::ZERO;
    bit_unpack(Portable, P::Z_BITS, P::GAMMA1, &bytes, &mut y);
    y
}

/// ‖a − b‖∞.
fn distance<F>(a: &Poly<F>, b: &Poly<F>) -> u32 {
    let pairs = a.0.iter().zip(&b.0);
    pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap()
}

/// z = y + cs₁, so that a known y, or the same one under two challenges, reveals s₁.
#[test]
fn a_stuck_generator_reveals_no_mask() {
    fn set<P: ParameterSet<Scheme = Round3>>() {
        let key = SigningKey::<P>::from_seed(&[7; 32].into());
        let sign = |message: u8| key.try_sign_with_rng(&mut Stuck, &[message]).unwrap();
        let zs: Vec<_> = (0..32).map(|message| first_z(&sign(message))).collect();
        let masks: Vec<_> = (0..64)
            .map(|attempt| mask::<P>(&[0; 64], attempt * P::L::N as u16))
            .collect();
        for (i, z) in zs.iter().enumerate() {
            let closest = masks.iter().map(|y| distance(z, y)).min().unwrap();
            assert!(
                closest > P::BETA,
                "y is made of the generator's bytes alone"
            );
            let others = zs[..i].iter().map(|other| distance(z, other)).min();
            assert!(
                others > Some(2 * P::BETA) || i == 0,
                "two signatures have the same y"
            );
        }
    }
    set::<Dilithium2>();
    set::<Dilithium3>();
    set::<Dilithium5>();
}

/// Public keys have the same lengths in both schemes, and signatures of the smallest set too.
#[test]
fn a_signature_of_one_scheme_does_not_verify_under_the_other() {
    let old = SigningKey::<Dilithium2>::from_seed(&[7; 32].into());
    let new = SigningKey::<MlDsa44>::from_seed(&[7; 32].into());
    assert!(old.verifying_key().as_ref() != new.verifying_key().as_ref());
    let (pk, message) = (new.verifying_key().as_ref(), b"message");
    let same_key = VerifyingKey::<Dilithium2>::from_bytes(pk).unwrap();
    let sigma = new.try_sign(message).unwrap().to_bytes();
    let signature = Signature::<Dilithium2>::from_bytes(&sigma).unwrap();
    assert!(same_key.verify(message, &signature).is_err());
    // This also holds if M is framed as M'.
    let framed = [&[0, 0], &message[..]].concat();
    assert!(same_key.verify(&framed, &signature).is_err());

    let pk = old.verifying_key().as_ref();
    let same_key = VerifyingKey::<MlDsa44>::from_bytes(pk).unwrap();
    let sigma = old.try_sign(&framed).unwrap().to_bytes();
    let signature = Signature::<MlDsa44>::from_bytes(&sigma).unwrap();
    assert!(same_key.verify(message, &signature).is_err());
    let mu = moissanite::Mu::from_bytes(*old.verifying_key().message_mu().finish().as_bytes());
    assert!(same_key.verify_mu(&mu, &signature).is_err());
}

/// A private key with a tr of 32 bytes is checked in the same way.
#[test]
fn bad_private_keys() {
    let key = SigningKey::<Dilithium3>::from_seed(&[7; 32].into());
    let sk = key.to_expanded_bytes();
    let refused = |change: &dyn Fn(&mut [u8; 4000])| {
        let mut sk = sk;
        change(&mut sk);
        let error = SigningKey::<Dilithium3>::from_expanded_bytes(&sk).unwrap_err();
        let same = stream::SigningKey::<Dilithium3, _>::from_expanded_bytes(&sk).unwrap_err();
        assert_eq!(error, same);
        error
    };
    assert_eq!(refused(&|sk| sk[64] ^= 1), InvalidKey::TrMismatch);
    assert_eq!(refused(&|sk| sk[95] ^= 1), InvalidKey::TrMismatch);
    assert_eq!(refused(&|sk| sk[96] = 0xff), InvalidKey::SecretOutOfRange);
    assert_eq!(refused(&|sk| sk[3999] ^= 1), InvalidKey::T0Mismatch);
    assert_eq!(refused(&|sk| sk[0] ^= 1), InvalidKey::T0Mismatch);
    let error = SigningKey::<Dilithium3>::from_expanded_bytes(&sk[1..]).unwrap_err();
    let (expected, actual) = (4000, 3999);
    assert_eq!(error, InvalidKey::Length { expected, actual });
    let again = SigningKey::<Dilithium3>::from_expanded_bytes(&sk).unwrap();
    assert_eq!(again.verifying_key(), key.verifying_key());
    let signed = key.try_sign(b"message").unwrap();
    assert_eq!(again.try_sign(b"message").unwrap(), signed);
}
