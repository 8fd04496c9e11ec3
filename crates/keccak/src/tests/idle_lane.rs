//! Hashes that continue in idle instances, compared with separate hashes.
use super::{OnToken, bytes, on_every_token};
use crate::{Hashing, IdleLaneHash, Keccak, SHAKE128_RATE, Shake256, Shakes};
use core::array::from_fn;
use std::vec::Vec;

const COUNT: usize = 2;
const LENGTHS: [usize; 12] = [0, 1, 135, 136, 137, 271, 272, 273, 680, 832, 1088, 2592];

/// The first bytes of the hash of the parts.
fn alone(parts: [&[u8]; 2]) -> [u8; 64] {
    let mut hasher = Shake256::new();
    parts.iter().for_each(|part| hasher.absorb(part));
    let mut hash = [0; 64];
    hasher.squeeze().read(&mut hash);
    hash
}

/// Two hashes of messages of these lengths, of which only the start is known in the first rounds.
fn check<K: Keccak>(keccak: K, lengths: [usize; COUNT], known: usize) {
    let bytes = bytes(3000);
    let messages: [_; COUNT] = from_fn(|i| bytes[i..][..lengths[i]].split_at(lengths[i].min(64)));
    let mut hashings: [_; COUNT] = from_fn(|_| Hashing::new());
    let own = [&bytes[..34]].repeat(K::WIDTH - COUNT.min(K::WIDTH));
    let mut shakes = Shakes::<K, SHAKE128_RATE>::absorb(keccak, &own);
    let mut others = Shakes::<K, SHAKE128_RATE>::absorb(keccak, &own);
    let (mut blocks, mut expected) = (K::blocks::<{ 3 * SHAKE128_RATE }>(), K::blocks());
    for round in 0..2 {
        let parts = messages.map(|(head, tail)| [head, tail]);
        let mut hashes: Vec<_> = hashings
            .iter_mut()
            .zip(parts)
            .map(|(hashing, [head, tail])| {
                if round == 0 {
                    IdleLaneHash::so_far(hashing, [head, &tail[..tail.len().min(known)]])
                } else {
                    IdleLaneHash::new(hashing, [head, tail])
                }
            })
            .collect();
        shakes.squeeze_alongside(&mut hashes, &mut blocks);
        others.squeeze(&mut expected);
        for (block, expected) in (blocks.as_ref().iter().zip(expected.as_ref())).take(own.len()) {
            assert!(block == expected, "{} x{}: {lengths:?}", K::NAME, K::WIDTH);
        }
    }
    for (mut hashing, (head, tail)) in hashings.into_iter().zip(messages) {
        let (name, width) = (K::NAME, K::WIDTH);
        let mut hash = [0; 64];
        hashing.finish([head, tail], &mut hash);
        assert_eq!(
            hash,
            alone([head, tail]),
            "{name} x{width}: {lengths:?}, {known}"
        );
    }
}

struct AnyLengths;
impl OnToken for AnyLengths {
    fn run<K: Keccak>(&self, keccak: K) {
        for first in LENGTHS {
            for second in LENGTHS {
                for known in [0, 71, 72, 500, 3000] {
                    check(keccak, [first, second], known);
                }
            }
        }
    }
}

#[test]
fn hashes_arrive() {
    on_every_token(&AnyLengths);
}
