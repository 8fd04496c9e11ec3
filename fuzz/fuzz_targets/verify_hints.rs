//! A valid signature with another hint. The input is the set, and the ω + K bytes of the hint.
//!
//! HintBitPack writes every hint that HintBitUnpack accepts with the same bytes, and no other hint
//! verifies.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite::{Fips204, Mu, Signature, SigningKey, VerifyingKey};
use moissanite_core::encode::hint::{hint_bit_pack, hint_bit_unpack};
use moissanite_core::poly::Vector;
use moissanite_core::secret::Zeroed;
use moissanite_core::shape::Dim;
use moissanite_fuzz::{Input, Target, once, run};

struct VerifyHints;

impl Target for VerifyHints {
    fn run<P: Fips204>(mut input: Input<'_>) {
        let len = P::OMEGA + P::K::N;
        let mut hint = vec![0; len];
        input.fill(&mut hint);

        let mut h = Vector::ZERO;
        let decoded = hint_bit_unpack::<P>(&hint, &mut h);
        if decoded.is_some() {
            let mut again = vec![0xff; len];
            hint_bit_pack::<P>(&h, &mut again);
            assert_eq!(hint, again);
        }

        let Valid { key, mu, signature } = once(Valid::<P>::new);
        let mut bytes = signature.as_ref().to_vec();
        let at = bytes.len() - len;
        bytes[at..].copy_from_slice(&hint);
        let changed = Signature::<P>::from_bytes(&bytes).expect("the right length");
        let verdict = key.verify_mu(mu, &changed).is_ok();
        assert_eq!(verdict, bytes == signature.as_ref());
        assert!(decoded.is_some() || !verdict);
    }
}

/// The key and the signature of the seeds that `cargo xtask fuzz-corpus` writes.
struct Valid<P: Fips204> {
    key: VerifyingKey<P>,
    mu: Mu,
    signature: P::Signature,
}

impl<P: Fips204> Valid<P> {
    fn new() -> Self {
        let key = SigningKey::<P>::from_seed(&[0; 32].into());
        let mu = Mu::from_bytes([0; 64]);
        Self {
            signature: key.try_sign_mu(&mu).expect("signs").to_bytes(),
            key: key.verifying_key().clone(),
            mu,
        }
    }
}

fuzz_target!(|bytes: &[u8]| run::<VerifyHints>(bytes));
