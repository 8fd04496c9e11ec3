//! Known answers of the parameter sets of FIPS 204, with which a program compares its own results at run
//! time.
//!
//! The attempts of each signature include one that fails only at ‖z‖∞, one that fails only at ‖r₀‖∞, and one
//! that fails only at the number of ones in h. The test `known_answers` shows this with the reference
//! implementation of the tests. The fourth check of Algorithm 7, ‖ct₀‖∞, fails only with ML-DSA-44, about
//! once in ten million signatures; kats/rejections.json reaches it with a key made for it.

use crate::params::{Fips204, MlDsa44, MlDsa65, MlDsa87};

/// The answers of one parameter set.
#[derive(Debug)]
pub struct Known {
    /// ξ.
    pub seed: [u8; 32],
    /// The public key.
    pub public_key: &'static [u8],
    /// H(sk, 32) of the expanded private key sk.
    pub private_key_hash: [u8; 32],
    /// Deterministic signatures.
    pub signed: &'static [Signed],
}

/// A message and its deterministic signature.
#[derive(Debug)]
pub struct Signed {
    /// The context.
    pub context: &'static [u8],
    /// The message.
    pub message: &'static [u8],
    /// The signature.
    pub signature: &'static [u8],
}

/// A parameter set with known answers.
pub trait KnownAnswers: Fips204 {
    /// The answers.
    const KNOWN: Known;
}

/// The seed of all keys: 0, 1, 2, ..., 31.
const SEED: [u8; 32] = {
    let mut seed = [0; 32];
    let mut i = 0;
    while i < seed.len() {
        seed[i] = i as u8;
        i += 1;
    }
    seed
};
/// The context of all messages.
const CONTEXT: &[u8] = b"known answers";

impl KnownAnswers for MlDsa44 {
    const KNOWN: Known = Known {
        seed: SEED,
        public_key: include_bytes!("../known_answers/ml_dsa_44.pk"),
        private_key_hash: *include_bytes!("../known_answers/ml_dsa_44.sk.hash"),
        signed: &[Signed {
            context: CONTEXT,
            message: b"message 126",
            signature: include_bytes!("../known_answers/ml_dsa_44_1.sig"),
        }],
    };
}

impl KnownAnswers for MlDsa65 {
    const KNOWN: Known = Known {
        seed: SEED,
        public_key: include_bytes!("../known_answers/ml_dsa_65.pk"),
        private_key_hash: *include_bytes!("../known_answers/ml_dsa_65.sk.hash"),
        signed: &[Signed {
            context: CONTEXT,
            message: b"message 511",
            signature: include_bytes!("../known_answers/ml_dsa_65_1.sig"),
        }],
    };
}

impl KnownAnswers for MlDsa87 {
    const KNOWN: Known = Known {
        seed: SEED,
        public_key: include_bytes!("../known_answers/ml_dsa_87.pk"),
        private_key_hash: *include_bytes!("../known_answers/ml_dsa_87.sk.hash"),
        signed: &[Signed {
            context: CONTEXT,
            message: b"message 110",
            signature: include_bytes!("../known_answers/ml_dsa_87_1.sig"),
        }],
    };
}
