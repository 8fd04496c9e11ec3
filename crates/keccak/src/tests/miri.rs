//! Small tests for Miri, which takes half a second for a permutation: with that of `wiping.rs`, they execute each
//! `unsafe` block and each shape of loop at least once.
use super::{OnToken, bytes, on_every_token};
use crate::{Keccak, SHAKE128_RATE, Shake, Shakes, State};
use moissanite_cpu::Portable;
use std::{vec, vec::Vec};

/// Different states, permuted once together, and the first ones alone.
struct Permutation;
impl OnToken for Permutation {
    fn run<K: Keccak>(&self, keccak: K) {
        let mut state = State::<K::Lane>::default();
        for instance in 0..K::WIDTH {
            state.xor_bytes(instance, 3, &[instance as u8]);
        }
        let mut first = state.clone();
        keccak.permute(&mut state);
        keccak.permute_first(1, &mut first);
        let mut expected = State::default();
        Portable.permute(&mut expected);
        for state in [state, first] {
            assert_eq!(words(&state), words(&expected), "{}", K::NAME);
        }
    }
}

/// The first instance, of which all bytes are zero before.
fn words<L: crate::Lane>(state: &State<L>) -> [u8; 200] {
    let mut bytes = [0; 200];
    state.copy_bytes(0, 0, &mut bytes);
    bytes
}

#[test]
fn permutation() {
    on_every_token(&Permutation);
}

/// Two instances, of unequal lengths, or one.
struct Parallel;
impl OnToken for Parallel {
    fn run<K: Keccak>(&self, keccak: K) {
        let bytes = bytes(SHAKE128_RATE - 1);
        let messages = [&bytes[..], &bytes[..9]];
        let messages = &messages[..K::WIDTH.min(2)];
        let mut blocks = K::blocks::<SHAKE128_RATE>();
        Shakes::<K, SHAKE128_RATE>::absorb(keccak, messages).squeeze(&mut blocks);
        for (message, block) in messages.iter().zip(blocks.as_ref()) {
            let expected = squeezed(&[message], SHAKE128_RATE);
            assert_eq!(block[..], expected, "{}", K::NAME);
        }
    }
}

fn squeezed(parts: &[&[u8]], length: usize) -> Vec<u8> {
    let mut hasher = Shake::<SHAKE128_RATE>::new();
    parts.iter().for_each(|part| hasher.absorb(part));
    let mut out = vec![0; length];
    hasher.squeeze().read(&mut out);
    out
}

#[test]
fn parallel() {
    on_every_token(&Parallel);
}

/// A message in parts, and output over the end of a block.
#[test]
fn in_parts() {
    let bytes = bytes(SHAKE128_RATE + 20);
    let (first, rest) = bytes.split_at(7);
    let whole = squeezed(&[&bytes], SHAKE128_RATE + 3);
    assert_eq!(squeezed(&[first, &[], rest], SHAKE128_RATE + 3), whole);
}
