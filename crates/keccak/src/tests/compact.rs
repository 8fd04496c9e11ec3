//! The permutation and the sponge with the least code, compared with the fast ones.
use super::bytes;
use crate::{Keccak, SHAKE128_RATE, SHAKE256_RATE, Shake, State, compact};
use moissanite_cpu::Portable;
use std::{vec, vec::Vec};

#[test]
fn permutations_are_equal() {
    let mut state = State::<[u64; 1]>::default();
    let mut expected = state.clone();
    for _ in 0..100 {
        compact::permute(&mut state);
        Portable.permute(&mut expected);
        assert_eq!(state.0, expected.0);
    }
}

#[test]
fn sponges_are_equal() {
    sponge::<SHAKE128_RATE>();
    sponge::<SHAKE256_RATE>();
}

/// Messages and outputs around the end of a block, in pieces.
fn sponge<const RATE: usize>() {
    for length in [0, 1, 7, RATE - 1, RATE, RATE + 1, 3 * RATE + 5] {
        let message: Vec<u8> = bytes(length);
        for piece in [1, 8, 13, RATE] {
            let mut expected = vec![0; 2 * RATE + 9];
            let mut hasher = Shake::<RATE, _>::on(Portable);
            hasher.absorb(&message);
            hasher.squeeze().read(&mut expected);

            let (mut state, mut at) = (State::default(), 0);
            for piece in message.chunks(piece) {
                at = compact::absorb(&mut state, RATE, at, piece);
            }
            state.xor_byte(0, at, crate::shake::SUFFIX);
            state.xor_byte(0, RATE - 1, crate::shake::LAST);
            let (mut output, mut at) = (vec![0; expected.len()], RATE);
            for piece in output.chunks_mut(piece) {
                at = compact::read(&mut state, RATE, at, piece);
            }
            assert_eq!(output, expected, "{length} in pieces of {piece}");
        }
    }
}
