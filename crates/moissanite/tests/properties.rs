//! Properties of every key, message and context.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use moissanite::{MlDsa44, Signature, SigningKey, prelude::*};
use moissanite_kats::Recorded;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// All ways to sign give the same bytes: with a prepared key or not, in one piece or several,
    /// with the traits or with μ.
    #[test]
    fn one_signature(
        seed in any::<[u8; 32]>(),
        rnd in any::<[u8; 32]>(),
        pieces in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..300), 0..6),
        context in proptest::collection::vec(any::<u8>(), 0..=255),
    ) {
        let key = SigningKey::<MlDsa44>::from_seed(&seed.into());
        let (public, prepared) = (key.verifying_key(), key.prepare());
        let message = pieces.concat();
        let parts: Vec<&[u8]> = pieces.iter().map(|piece| &piece[..]).collect();
        let view = key.with_context(&context).unwrap();
        let signature = view.try_sign_with_rng(&mut Recorded(&rnd), &message).unwrap();
        let rng = &mut Recorded(&rnd);
        let in_parts = view.try_multipart_sign_with_rng(rng, &parts).unwrap();
        prop_assert_eq!(&in_parts, &signature);
        let view = prepared.with_context(&context).unwrap();
        let of_prepared = view.try_sign_with_rng(&mut Recorded(&rnd), &message).unwrap();
        prop_assert_eq!(&of_prepared, &signature);

        let mut mu = public.mu(&context).unwrap();
        let mut same = public.prepare().mu(&context).unwrap();
        for part in parts.iter().copied() {
            mu.update(part);
        }
        same.update(&message);
        let mu = mu.finish();
        prop_assert_eq!(&mu, &same.finish());
        let of_mu = key.try_sign_mu_with_rng(&mut Recorded(&rnd), &mu).unwrap();
        prop_assert_eq!(&of_mu, &signature);
        let of_mu = prepared.try_sign_mu_with_rng(&mut Recorded(&rnd), &mu).unwrap();
        prop_assert_eq!(&of_mu, &signature);

        public.verify_mu(&mu, &signature).unwrap();
        public.prepare().verify_mu(&mu, &signature).unwrap();
        let view = public.with_context(&context).unwrap();
        view.multipart_verify(&parts, &signature).unwrap();
        view.verify(&message, &signature).unwrap();
    }

    /// No bit of a message or a signature may change.
    #[test]
    fn any_bit(at in 0_usize..2420, bit in 0_u8..8, message in proptest::collection::vec(any::<u8>(), 1..200)) {
        let key = SigningKey::<MlDsa44>::from_seed(&[42; 32].into());
        let signature = key.try_sign(&message).unwrap();
        let public = key.verifying_key();
        public.verify(&message, &signature).unwrap();
        let mut other = message.clone();
        let last = other.len() - 1;
        other[at.min(last)] ^= 1 << bit;
        prop_assert!(public.verify(&other, &signature).is_err());
        let mut bytes = signature.to_bytes();
        bytes[at] ^= 1 << bit;
        let other = Signature::from_bytes(&bytes).unwrap();
        prop_assert!(public.verify(&message, &other).is_err());
    }
}
