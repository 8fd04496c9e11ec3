//! SHAKE against RustCrypto's crate `shake`, which shares no code with this one.
use super::{OnOneState, bytes, on_every_one_state_token};
use crate::{Keccak, Reader, SHAKE128_RATE, SHAKE256_RATE, Scalar, Shake};
use proptest::prelude::*;
use shake::{ExtendableOutput, Update, XofReader};
use std::{vec, vec::Vec};

/// The other implementation.
fn peer<const RATE: usize>(message: &[u8], length: usize) -> Vec<u8> {
    let mut out = vec![0; length];
    let mut hasher = shake::Shake::<RATE>::default();
    hasher.update(message);
    hasher.finalize_xof().read(&mut out);
    out
}

fn absorbed<const RATE: usize, K: Keccak<Lane = [u64; 1]>>(
    keccak: K,
    message: &[u8],
) -> Reader<RATE, K> {
    let mut hasher = Shake::<RATE, K>::on(keccak);
    hasher.absorb(message);
    hasher.squeeze()
}

/// Every message length around the first two block boundaries, by a full block and a bit more.
struct EveryMessageLength<const RATE: usize>;
impl<const RATE: usize> OnOneState for EveryMessageLength<RATE> {
    fn run<K: Keccak<Lane = [u64; 1]>>(&self, keccak: K) {
        let message = bytes(2 * RATE + 2);
        let mut out = [0; 250];
        for length in 0..=message.len() {
            absorbed::<RATE, K>(keccak, &message[..length]).read(&mut out);
            let expected = peer::<RATE>(&message[..length], out.len());
            assert_eq!(out[..], expected, "{} {length}", K::NAME);
        }
    }
}

/// Every length of output around the first two block boundaries; nothing is written past it.
struct EveryOutputLength<const RATE: usize>;
impl<const RATE: usize> OnOneState for EveryOutputLength<RATE> {
    fn run<K: Keccak<Lane = [u64; 1]>>(&self, keccak: K) {
        let message = bytes(77);
        let expected = peer::<RATE>(&message, 2 * RATE + 9);
        for length in 0..=expected.len() {
            let mut out = vec![0; length];
            absorbed::<RATE, K>(keccak, &message).read(&mut out);
            assert_eq!(out, expected[..length], "{} {length}", K::NAME);
        }
    }
}

#[test]
fn every_length() {
    on_every_one_state_token(&EveryMessageLength::<SHAKE128_RATE>);
    on_every_one_state_token(&EveryMessageLength::<SHAKE256_RATE>);
    on_every_one_state_token(&EveryOutputLength::<SHAKE128_RATE>);
    on_every_one_state_token(&EveryOutputLength::<SHAKE256_RATE>);
}

#[test]
fn a_clone_goes_its_own_way() {
    let mut hasher = Shake::<SHAKE256_RATE>::new();
    hasher.absorb(b"common ");
    let mut other = hasher.clone();
    hasher.absorb(b"one");
    other.absorb(b"other");
    let (mut one, mut another) = ([0; 32], [0; 32]);
    hasher.squeeze().read(&mut one);
    let mut reader = other.squeeze();
    reader.clone().read(&mut another);
    assert_eq!(one[..], peer::<SHAKE256_RATE>(b"common one", 32));
    assert_eq!(another[..], peer::<SHAKE256_RATE>(b"common other", 32));
    another = [0; 32];
    reader.read(&mut another);
    assert_eq!(another[..], peer::<SHAKE256_RATE>(b"common other", 32));
}

/// Message and output in any pieces are the same as in one.
fn in_pieces<const RATE: usize>(message: &[Vec<u8>], reads: &[usize]) {
    let mut hasher = Shake::<RATE, Scalar>::on(Scalar::new());
    for piece in message {
        hasher.absorb(piece);
    }
    let mut reader = hasher.squeeze();
    let mut out = Vec::new();
    for &length in reads {
        let mut piece = vec![0xA5; length];
        reader.read(&mut piece);
        out.extend(piece);
    }
    assert_eq!(out, peer::<RATE>(&message.concat(), out.len()));
}

/// Pieces that end where a block does, and one byte before and after that.
#[test]
fn pieces_at_the_ends_of_blocks() {
    fn check<const RATE: usize>() {
        let bytes = bytes(RATE + 1);
        let lengths = [0, 1, RATE - 1, RATE, RATE + 1];
        for (first, second) in lengths
            .into_iter()
            .flat_map(|first| lengths.map(|second| (first, second)))
        {
            for third in lengths {
                let reads = [first, second, third];
                let message = reads.map(|length| bytes[..length].to_vec());
                in_pieces::<RATE>(&message, &reads);
            }
        }
    }
    check::<SHAKE128_RATE>();
    check::<SHAKE256_RATE>();
}

proptest! {
    #[test]
    fn any_pieces(
        message in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..400), 0..6),
        reads in prop::collection::vec(0_usize..400, 0..6),
    ) {
        in_pieces::<SHAKE128_RATE>(&message, &reads);
        in_pieces::<SHAKE256_RATE>(&message, &reads);
    }
}

/// In place the same bytes come out, and what is left is the empty message.
#[test]
fn squeezing_in_place() {
    let message = bytes(500);
    for length in [0, 1, 135, 136, 137, 500] {
        let mut hasher = Shake::<SHAKE256_RATE>::new();
        let mut expected = [0; 300];
        let mut fresh = hasher.clone();
        fresh.absorb(&message[..length]);
        fresh.squeeze().read(&mut expected);
        // The second hash in the same memory is that of a new hasher, too.
        for _ in 0..2 {
            let mut out = [0; 300];
            hasher.absorb(&message[..length]);
            let mut reader = hasher.squeeze_in_place();
            for piece in out.chunks_mut(41) {
                reader.read(piece);
            }
            assert!(out == expected, "{length} bytes");
        }
    }
}

#[test]
fn lanes() {
    fn check<const RATE: usize, const COUNT: usize>() {
        let mut hasher = Shake::<RATE>::new();
        hasher.absorb(&bytes(500));
        let mut expected = [0; 3 * 8 * 17 * 21];
        hasher.clone().squeeze().read(&mut expected);
        let mut reader = hasher.squeeze_in_place();
        for piece in expected.chunks(8 * COUNT) {
            let lanes: [u64; COUNT] = reader.lanes();
            assert!(lanes.map(u64::to_le_bytes).as_flattened() == piece);
        }
    }
    check::<SHAKE128_RATE, 1>();
    check::<SHAKE128_RATE, 3>();
    check::<SHAKE256_RATE, 17>();
}
