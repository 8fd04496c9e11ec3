//! Round-3 Dilithium. The input is the set, ξ, rnd or zeros for none, the position of a flipped
//! bit, and bytes, which are used as a message, and as a key or a signature if they have its
//! length.
//!
//! A signature verifies, and a changed one does not, on wide and narrow backends and in pieces. The
//! public key of an accepted private key verifies its signatures.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite::backend::{Lanes, Portable};
use moissanite::{
    Dilithium2, Dilithium3, Dilithium5, ExpandedSigningKey, ParameterSet, Round3, Signature,
    SigningKey, VerifyingKey, prelude::*, stream,
};
use moissanite_fuzz::Input;
use moissanite_kats::Recorded;

fn run<P: ParameterSet<Scheme = Round3>>(mut input: Input<'_>) {
    let seed = input.array().into();
    let rnd: [u8; 32] = input.array();
    let (at, bit) = (input.number(), 1 << (input.byte() & 7));
    let bytes = input.rest();
    decode::<P>(bytes);

    let key = SigningKey::<P>::from_seed(&seed);
    let small = stream::SigningKey::<P, _>::from_seed_in(Box::<stream::Seeds>::default(), &seed);
    let [signature, again] = if rnd == [0; 32] {
        [key.on(Lanes::<8>).try_sign(bytes), small.try_sign(bytes)]
    } else {
        let mut rngs = [Recorded(&rnd), Recorded(&rnd)];
        let [first, second] = &mut rngs;
        let wide = key.on(Lanes::<8>);
        [
            wide.try_sign_with_rng(first, bytes),
            small.try_sign_with_rng(second, bytes),
        ]
    }
    .map(|signed| signed.expect("signs"));
    assert!(signature == again);
    let public = key.verifying_key();
    public
        .verify(bytes, &signature)
        .expect("what was signed verifies");
    let mut flipped = signature.to_bytes();
    let len = P::SIGNATURE_LEN;
    flipped.as_mut()[at % len] ^= bit;
    let flipped = Signature::from_bytes(flipped.as_ref()).expect("the same length");
    assert!(public.verify(bytes, &flipped).is_err());
    let other = [bytes, &[bit]].concat();
    assert!(public.on(Portable).verify(&other, &signature).is_err());
}

fn decode<P: ParameterSet<Scheme = Round3>>(bytes: &[u8]) {
    if let Ok(key) = SigningKey::<P>::from_expanded_bytes(bytes) {
        assert_eq!(key.to_expanded_bytes().as_ref(), bytes);
        let signature = key.try_sign(b"message").expect("a sound key signs");
        let verdict = key.verifying_key().verify(b"message", &signature);
        verdict.expect("and its public key verifies");
    } else if let Ok(key) = ExpandedSigningKey::<P>::from_bytes_trusted(bytes) {
        let _ = key.try_sign(b"message");
    }
    if let Ok(signature) = Signature::<P>::from_bytes(bytes) {
        let key = VerifyingKey::<P>::from_bytes(&vec![7; P::PUBLIC_KEY_LEN]).expect("a length");
        let verdict = key.prepare().verify(b"message", &signature).is_ok();
        assert_eq!(
            verdict,
            key.on(Portable).verify(b"message", &signature).is_ok()
        );
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    match input.byte() % 3 {
        0 => run::<Dilithium2>(input),
        1 => run::<Dilithium3>(input),
        _ => run::<Dilithium5>(input),
    }
});
