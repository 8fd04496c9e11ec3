//! Properties of every key and message.

#![allow(
    clippy::unwrap_used,
    clippy::integer_division_remainder_used,
    reason = "a test fails by panicking, and has no secrets"
)]

use moissanite_zk_dilithium::poseidon::{Sponge, bytes_to_elements};
use moissanite_zk_dilithium::{Signature, SigningKey, VerifyingKey, prelude::*};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// All ways to sign give the same bytes: with a prepared key or not, from a seed or from bytes,
    /// in one piece or several.
    #[test]
    fn one_signature(
        seed in any::<[u8; 32]>(),
        pieces in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..60), 0..6),
    ) {
        let key = SigningKey::from_seed(&seed.into());
        let message = pieces.concat();
        let parts: Vec<&[u8]> = pieces.iter().map(|piece| &piece[..]).collect();
        let signature = key.try_sign(&message).unwrap();
        prop_assert_eq!(&key.prepare().try_multipart_sign(&parts).unwrap(), &signature);
        let (mut signer, mut verifier) = (key.signer(), key.verifying_key().verifier());
        for piece in &pieces {
            signer.update(piece);
            verifier.update(piece);
        }
        prop_assert_eq!(&signer.try_sign().unwrap(), &signature);
        verifier.verify(&signature).unwrap();
        let same = SigningKey::from_bytes(key.as_bytes()).unwrap();
        prop_assert_eq!(&same.try_sign(&message).unwrap(), &signature);
        let public = VerifyingKey::from_bytes(key.verifying_key().as_bytes()).unwrap();
        public.multipart_verify(&parts, &signature).unwrap();
        public.prepare().verify(&message, &signature).unwrap();
    }

    /// No bit of a message, a signature or a public key may change.
    #[test]
    fn any_bit(at in 0_usize..3104, bit in 0_u8..8, message in proptest::collection::vec(any::<u8>(), 1..50)) {
        let key = SigningKey::from_seed(&[42; 32].into());
        let public = key.verifying_key();
        let signature = key.try_sign(&message).unwrap();
        let mut other = message.clone();
        other[at % message.len()] ^= 1 << bit;
        prop_assert!(public.verify(&other, &signature).is_err());
        let mut other = signature.to_bytes();
        other[at % 2340] ^= 1 << bit;
        prop_assert!(public.verify(&message, &Signature::from_bytes(&other).unwrap()).is_err());
        let mut other = public.to_bytes();
        other[at] ^= 1 << bit;
        let other = VerifyingKey::from_bytes(&other);
        prop_assert!(other.is_err() || other.unwrap().verify(&message, &signature).is_err());
    }

    /// The pieces do not affect the absorbed and the read elements.
    #[test]
    fn sponges(bytes in proptest::collection::vec(any::<u8>(), 0..200), cut in any::<usize>()) {
        let elements: Vec<_> = bytes_to_elements(bytes).collect();
        let cut = cut.checked_rem(elements.len()).unwrap_or(0);
        let (mut whole, mut pieces) = (Sponge::new(), Sponge::new());
        whole.write(elements.iter().copied());
        pieces.write(elements[..cut].iter().copied());
        pieces.write(elements[cut..].iter().copied());
        let (mut one, mut other) = ([0; 60], [0; 60]);
        whole.read(&mut one);
        let (first, rest) = other.split_at_mut(cut % 60);
        pieces.read(first);
        pieces.read(rest);
        prop_assert_eq!(one, other);
    }
}
