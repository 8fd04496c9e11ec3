//! Messages of any lengths, several at a time, compared with single hashes.
use super::{OnToken, bytes, on_every_token};
use crate::{Keccak, SHAKE256_RATE, Shake256, hash_many};
use core::array::from_fn;
use std::{vec, vec::Vec};

const PARTS: usize = 3;

/// Messages of these lengths, cut into parts somewhere.
fn check<K: Keccak, const LEN: usize>(keccak: K, lengths: &[usize]) {
    let bytes = bytes(16 + lengths.iter().max().unwrap_or(&0));
    let messages: Vec<&[u8]> = lengths
        .iter()
        .enumerate()
        .map(|(i, length)| &bytes[i & 15..][..*length])
        .collect();
    let parts = |i: usize, message: &'_ [u8]| -> [Vec<u8>; PARTS] {
        let cuts = [0, message.len().min(i * 37), message.len().min(i * 53)];
        from_fn(|part| message[cuts[part]..*cuts.get(part + 1).unwrap_or(&message.len())].to_vec())
    };
    let parts: Vec<_> = messages
        .iter()
        .enumerate()
        .map(|(i, m)| parts(i, m))
        .collect();
    let mut hashes = vec![[0xA5; LEN]; lengths.len()];
    let inputs = parts
        .iter()
        .map(|parts| parts.each_ref().map(Vec::as_slice));
    hash_many(keccak, inputs.zip(&mut hashes));
    for ((message, hash), length) in messages.iter().zip(hashes).zip(lengths) {
        let mut hasher = Shake256::new();
        hasher.absorb(message);
        let mut expected = [0; LEN];
        hasher.squeeze().read(&mut expected);
        assert_eq!(hash, expected, "{} x{}: {length}", K::NAME, K::WIDTH);
    }
}

/// From none to more than three times as many messages as states.
struct AnyNumber;
impl OnToken for AnyNumber {
    fn run<K: Keccak>(&self, keccak: K) {
        for count in 0..=3 * K::WIDTH + 1 {
            let unequal: Vec<_> = (0..count).map(|i| (i * 97) & 511).collect();
            check::<K, 64>(keccak, &unequal);
            check::<K, SHAKE256_RATE>(keccak, &vec![832; count]);
        }
    }
}

/// Every length around the first two block boundaries, some empty, and one that is left over alone.
struct AnyLength;
impl OnToken for AnyLength {
    fn run<K: Keccak>(&self, keccak: K) {
        let lengths: Vec<_> = (0..2 * SHAKE256_RATE + 3).collect();
        check::<K, 32>(keccak, &lengths);
        check::<K, 64>(keccak, &[0; 20]);
        check::<K, 64>(keccak, &[0, 1, 5000, 136, 135, 0, 272, 9, 3, 137]);
    }
}

#[test]
fn many_at_once_equal_one_by_one() {
    on_every_token(&AnyNumber);
    on_every_token(&AnyLength);
}
