//! The permutation compared with the published vector of the zero state, and all tokens compared
//! with Portable.
use super::{OnToken, on_every_token};
use crate::{Keccak, State};
use moissanite_cpu::Portable;

/// KeccakTools, KeccakF-1600-IntermediateValues.txt: the zero state, permuted once.
const ONCE: [u64; 25] = [
    0xF1258F7940E1DDE7,
    0x84D5CCF933C0478A,
    0xD598261EA65AA9EE,
    0xBD1547306F80494D,
    0x8B284E056253D057,
    0xFF97A42D7F8E6FD4,
    0x90FEE5A0A44647C4,
    0x8C5BDA0CD6192E76,
    0xAD30A6F71B19059C,
    0x30935AB7D08FFC64,
    0xEB5AA93F2317D635,
    0xA9A6E6260D712103,
    0x81A57C16DBCF555F,
    0x43B831CD0347C826,
    0x01F22F1A11A5569F,
    0x05E5635A21D9AE61,
    0x64BEFEF28CC970F2,
    0x613670957BC46611,
    0xB87C5A554FD00ECB,
    0x8C3EE88A1CCF32C8,
    0x940C7922AE3A2614,
    0x1841F924A2C509E4,
    0x16F53526E70465C2,
    0x75F644E97F30A13B,
    0xEAF1FF7B5CECA249,
];

/// The same, permuted twice: the first row.
const TWICE: [u64; 5] = [
    0x2D5C954DF96ECB3C,
    0x6A332CD07057B56D,
    0x093D8D1270D76B6C,
    0x8A20D9B25569D094,
    0x4F9C4F99E5E7F156,
];

struct ZeroState;
impl OnToken for ZeroState {
    fn run<K: Keccak>(&self, keccak: K) {
        let mut state = State::<K::Lane>::default();
        keccak.permute(&mut state);
        Self::check::<K>(&state, &ONCE);
        keccak.permute(&mut state);
        Self::check::<K>(&state, &TWICE);
    }
}

impl ZeroState {
    fn check<K: Keccak>(state: &State<K::Lane>, expected: &[u64]) {
        for instance in 0..K::WIDTH {
            for (at, lane) in expected.iter().enumerate() {
                let mut bytes = [0; 8];
                state.copy_bytes(instance, 8 * at, &mut bytes);
                assert_eq!(u64::from_le_bytes(bytes), *lane, "{}", K::NAME);
            }
        }
    }
}

#[test]
fn zero_state() {
    on_every_token(&ZeroState);
}

/// Different states side by side do not mix.
struct EqualsPortable;
impl OnToken for EqualsPortable {
    fn run<K: Keccak>(&self, keccak: K) {
        let bytes = super::bytes(200 * K::WIDTH);
        let (inputs, _) = bytes.as_chunks::<200>();
        let mut state = State::<K::Lane>::default();
        for (instance, input) in inputs.iter().enumerate() {
            state.xor_bytes(instance, 0, input);
        }
        for _ in 0..9 {
            keccak.permute(&mut state);
        }
        // The last time the first ones alone.
        for count in 0..=K::WIDTH {
            let mut first = state.clone();
            keccak.permute_first(count, &mut first);
            Self::check::<K>(&first, &inputs[..count]);
        }
        keccak.permute(&mut state);
        Self::check::<K>(&state, inputs);
    }
}

impl EqualsPortable {
    fn check<K: Keccak>(state: &State<K::Lane>, inputs: &[[u8; 200]]) {
        for (instance, input) in inputs.iter().enumerate() {
            let mut expected = State::default();
            expected.xor_bytes(0, 0, input);
            for _ in 0..10 {
                Portable.permute(&mut expected);
            }
            let mut bytes = [[0; 200]; 2];
            state.copy_bytes(instance, 0, &mut bytes[0]);
            expected.copy_bytes(0, 0, &mut bytes[1]);
            assert_eq!(bytes[0], bytes[1], "{}", K::NAME);
        }
    }
}

#[test]
fn every_token_equals_portable() {
    on_every_token(&EqualsPortable);
}
