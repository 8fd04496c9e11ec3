//! A message in pieces gives the same μ as in one piece, and SHAKE256 gives the same output if it
//! is written and read in pieces. The input is the set, the context, and the pieces, each with its
//! length in one byte.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite::{Fips204, VerifyingKey};
use moissanite_core::secret::Zeroed;
use moissanite_fuzz::{Input, Target, run};
use moissanite_keccak::Shake256;

struct MuSplit;

impl Target for MuSplit {
    fn run<P: Fips204>(mut input: Input<'_>) {
        let key = VerifyingKey::<P>::from_bytes(P::PublicKey::ZERO.as_ref()).expect("a public key");
        let context = input.short();
        let (mut whole, mut shake) = (Vec::new(), Shake256::new());
        let mut pieces = key.mu(context).expect("at most 255 bytes");
        let mut lengths = Vec::new();
        while !input.rest().is_empty() {
            let piece = input.short();
            pieces.update(piece);
            shake.absorb(piece);
            whole.extend_from_slice(piece);
            lengths.push(piece.len());
        }
        let mut at_once = key.mu(context).expect("at most 255 bytes");
        at_once.update(&whole);
        assert_eq!(pieces.finish(), at_once.finish());

        let mut expected = vec![0; whole.len()];
        let mut whole_shake = Shake256::new();
        whole_shake.absorb(&whole);
        whole_shake.squeeze().read(&mut expected);
        let mut reader = shake.squeeze();
        for len in lengths {
            let mut piece = vec![0; len];
            reader.read(&mut piece);
            assert_eq!(piece, expected.drain(..len).collect::<Vec<_>>());
        }
    }
}

fuzz_target!(|bytes: &[u8]| run::<MuSplit>(bytes));
