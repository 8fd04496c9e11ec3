//! Comparison with two other implementations, the crates `fips204` and `libcrux-ml-dsa`: public key,
//! private key and signature are the same bytes, and each verifies the signatures of the others.
//!
//! The cases are random, from one seed: `MOISSANITE_SEED`, a number, or a fixed one.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

use moissanite::{
    Fips204, MlDsa44, MlDsa65, MlDsa87, Signature, SigningKey, VerifyingKey, prelude::*,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Cases for each parameter set.
const CASES: u32 = 1000;

/// The inputs of a key and a signature.
struct Case {
    seed: [u8; 32],
    message: Vec<u8>,
    context: Vec<u8>,
    /// The random number generator of the signer, and the bytes that it returns.
    rng: ChaCha8Rng,
    rnd: [u8; 32],
}

impl Case {
    fn random(rng: &mut ChaCha8Rng) -> Self {
        let mut array = || {
            let mut bytes = [0; 32];
            rng.fill_bytes(&mut bytes);
            bytes
        };
        let (seed, signer) = (array(), ChaCha8Rng::from_seed(array()));
        let mut rnd = [0; 32];
        signer.clone().fill_bytes(&mut rnd);
        // Messages around the blocks of SHAKE256, 136 bytes, with what precedes them.
        let message = bytes(rng, 300);
        let context = bytes(rng, 255);
        Self {
            seed,
            message,
            context,
            rng: signer,
            rnd,
        }
    }
}

/// 0 to `most` bytes; one time in eight none, one time in eight all.
fn bytes(rng: &mut ChaCha8Rng, most: u64) -> Vec<u8> {
    let len = match rng.next_u32() >> 29 {
        0 => 0,
        1 => most,
        _ => (u64::from(rng.next_u32()) * (most + 1)) >> 32,
    };
    let mut bytes = vec![0; len.try_into().unwrap()];
    rng.fill_bytes(&mut bytes);
    bytes
}

/// Another implementation.
trait Peer {
    /// The public key and the private key of a seed, and the signature.
    fn sign(case: &Case) -> (Vec<u8>, Vec<u8>, Vec<u8>);
    fn verify(case: &Case, public_key: &[u8], signature: &[u8]) -> bool;
}

macro_rules! peers {
    ($module:ident, $fips204:ident, $libcrux:ident) => {
        mod $module {
            use super::{Case, Peer};

            pub(super) struct Fips204;
            impl Peer for Fips204 {
                fn sign(case: &Case) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
                    use fips204::traits::{KeyGen, SerDes, Signer};
                    let (pk, sk) = fips204::$fips204::KG::keygen_from_seed(&case.seed.into());
                    let signature = sk.try_sign_with_seed(&case.rnd, &case.message, &case.context);
                    let (pk, sk) = (pk.into_bytes(), sk.into_bytes());
                    (pk.into(), sk.into(), signature.unwrap().into())
                }
                fn verify(case: &Case, public_key: &[u8], signature: &[u8]) -> bool {
                    use fips204::traits::{SerDes, Verifier};
                    let key = public_key.try_into().unwrap();
                    let key = fips204::$fips204::PublicKey::try_from_bytes(key).unwrap();
                    let signature = signature.try_into().unwrap();
                    key.verify(&case.message, &signature, &case.context)
                }
            }

            pub(super) struct Libcrux;
            impl Peer for Libcrux {
                fn sign(case: &Case) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
                    use libcrux_ml_dsa::$libcrux::portable::{generate_key_pair, sign};
                    let pair = generate_key_pair(case.seed);
                    let key = &pair.signing_key;
                    let signature = sign(key, &case.message, &case.context, case.rnd);
                    (
                        pair.verification_key.as_ref().to_vec(),
                        key.as_ref().to_vec(),
                        signature.unwrap().as_ref().to_vec(),
                    )
                }
                fn verify(case: &Case, public_key: &[u8], signature: &[u8]) -> bool {
                    use libcrux_ml_dsa::$libcrux::portable::verify;
                    use libcrux_ml_dsa::{MLDSASignature, MLDSAVerificationKey};
                    let key = MLDSAVerificationKey::new(public_key.try_into().unwrap());
                    let signature = MLDSASignature::new(signature.try_into().unwrap());
                    verify(&key, &case.message, &case.context, &signature).is_ok()
                }
            }
        }
    };
}
peers!(set_44, ml_dsa_44, ml_dsa_44);
peers!(set_65, ml_dsa_65, ml_dsa_65);
peers!(set_87, ml_dsa_87, ml_dsa_87);

fn differential<P: Fips204, A: Peer, B: Peer>() {
    let seed = std::env::var("MOISSANITE_SEED").map_or(20_240_813, |seed| seed.parse().unwrap());
    println!("MOISSANITE_SEED={seed}");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for number in 0..CASES {
        let case = Case::random(&mut rng);
        let what = format!("case {number} of {}, MOISSANITE_SEED={seed}", P::NAME);
        let key = SigningKey::<P>::from_seed(&case.seed.into());
        let signature = key
            .with_context(&case.context)
            .unwrap()
            .try_sign_with_rng(&mut case.rng.clone(), &case.message)
            .unwrap();
        peer::<P, A>(&case, &key, &signature, &what);
        peer::<P, B>(&case, &key, &signature, &what);
    }
}

fn peer<P: Fips204, T: Peer>(
    case: &Case,
    key: &SigningKey<P>,
    signature: &Signature<P>,
    what: &str,
) {
    let (pk, sk, theirs) = T::sign(case);
    assert!(pk == key.verifying_key().as_ref(), "pk, {what}");
    assert!(sk == key.as_expanded_bytes().as_ref(), "sk, {what}");
    assert!(theirs == signature.as_ref(), "signature, {what}");

    // Each implementation reads the bytes of the other and verifies its signature, and both refuse
    // a changed signature.
    let ours = VerifyingKey::<P>::from_bytes(&pk).unwrap();
    let ours = ours.with_context(&case.context).unwrap();
    let signature = Signature::from_bytes(&theirs).unwrap();
    ours.verify(&case.message, &signature).expect(what);
    assert!(
        T::verify(case, key.verifying_key().as_ref(), signature.as_ref()),
        "{what}"
    );
    let mut other = theirs;
    let at = usize::from(case.rnd[0]);
    other[at] ^= 1;
    let signature = Signature::from_bytes(&other).unwrap();
    ours.verify(&case.message, &signature).expect_err(what);
    assert!(!T::verify(case, &pk, &other), "{what}");
}

#[test]
fn ml_dsa_44_byte_for_byte() {
    differential::<MlDsa44, set_44::Fips204, set_44::Libcrux>();
}

#[test]
fn ml_dsa_65_byte_for_byte() {
    differential::<MlDsa65, set_65::Fips204, set_65::Libcrux>();
}

#[test]
fn ml_dsa_87_byte_for_byte() {
    differential::<MlDsa87, set_87::Fips204, set_87::Libcrux>();
}
