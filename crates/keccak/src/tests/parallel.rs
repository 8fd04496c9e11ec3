//! Parallel instances, compared with single hashes.
use super::{OnToken, bytes, on_every_token};
use crate::{Keccak, SHAKE128_RATE, SHAKE256_RATE, Shake, Shakes};
use std::vec::Vec;

fn check<K: Keccak, const RATE: usize>(keccak: K, messages: &[&[u8]]) {
    let mut shakes = Shakes::<K, RATE>::absorb(keccak, messages);
    let mut one_by_one: Vec<_> = messages
        .iter()
        .copied()
        .map(|message| {
            let mut hasher = Shake::<RATE>::new();
            hasher.absorb(message);
            hasher.squeeze()
        })
        .collect();
    let mut blocks = K::blocks::<RATE>();
    assert_eq!(blocks.as_ref().len(), K::WIDTH);
    assert!(blocks.as_ref().iter().all(|block| *block == [0; RATE]));
    for _ in 0..6 {
        shakes.squeeze(&mut blocks);
        for (block, reader) in blocks.as_ref().iter().zip(&mut one_by_one) {
            let mut expected = [0; RATE];
            reader.read(&mut expected);
            assert_eq!(*block, expected, "{} x{}", K::NAME, K::WIDTH);
        }
    }
}

/// Every length that fits, different in every instance.
struct EveryLength<const RATE: usize>;
impl<const RATE: usize> OnToken for EveryLength<RATE> {
    fn run<K: Keccak>(&self, keccak: K) {
        let bytes = bytes(RATE + 2 * K::WIDTH);
        for length in 0..RATE {
            let messages: Vec<&[u8]> = (0..K::WIDTH)
                .map(|i| &bytes[2 * i..][..length.abs_diff(5 * i).min(RATE - 1)])
                .collect();
            check::<K, RATE>(keccak, &messages);
        }
    }
}

/// Fewer messages than instances, down to none.
struct IdleInstances;
impl OnToken for IdleInstances {
    fn run<K: Keccak>(&self, keccak: K) {
        let bytes = bytes(34);
        for count in 0..=K::WIDTH {
            let messages: Vec<&[u8]> = (0..count).map(|i| &bytes[i..]).collect();
            check::<K, SHAKE128_RATE>(keccak, &messages);
        }
    }
}

#[test]
fn many_equal_one_by_one() {
    on_every_token(&EveryLength::<SHAKE128_RATE>);
    on_every_token(&EveryLength::<SHAKE256_RATE>);
    on_every_token(&IdleInstances);
}

/// The documented result of a caller's bug; in debug builds, an assertion fails instead.
#[cfg(not(debug_assertions))]
#[test]
fn too_long_is_cut_and_too_many_are_left_out() {
    use crate::Lanes;
    let bytes = bytes(SHAKE256_RATE + 10);
    let whole: [&[u8]; 3] = [&bytes; 3];
    let cut: [&[u8]; 2] = [&bytes[..SHAKE256_RATE - 1]; 2];
    let mut blocks = [Lanes::<2>::blocks::<SHAKE256_RATE>(); 2];
    Shakes::<_, SHAKE256_RATE>::absorb(Lanes::<2>, &whole).squeeze(&mut blocks[0]);
    Shakes::<_, SHAKE256_RATE>::absorb(Lanes::<2>, &cut).squeeze(&mut blocks[1]);
    assert_eq!(blocks[0], blocks[1]);
}
