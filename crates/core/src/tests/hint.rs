//! HintBitPack and HintBitUnpack: every condition, and the uniqueness of encodings.

use std::vec::Vec;

use proptest::prelude::*;

use super::Random;
use crate::encode::hint::{hint_bit_pack, hint_bit_unpack};
use crate::params::{Fips204, MlDsa44, MlDsa65, MlDsa87};
use crate::poly::{BytePoly, Vector};
use crate::reference;
use crate::secret::Zeroed;
use crate::shape::Dim;
use crate::shape::N;
use crate::stream::verify::is_hint;

/// Runs Algorithm 21, and compares it with the reference.
fn decode<P: Fips204>(bytes: &[u8]) -> Option<Vec<[u8; N]>> {
    // The hint is not zero before: the remains of another hint must not appear in the result.
    let mut h = Vector::<BytePoly, P::K>::ZERO;
    h.iter_mut().for_each(|h| h.0.fill(1));
    let decoded = hint_bit_unpack::<P>(bytes, &mut h).map(|()| h.iter().map(|h| h.0).collect());
    assert_eq!(
        decoded,
        reference::hint_bit_unpack(P::OMEGA, P::K::N, bytes),
        "{bytes:?}"
    );
    // The verifier for small memories reads the same bytes at the end of a signature.
    let sigma = [&std::vec![0; P::SIGNATURE_LEN - bytes.len()], bytes].concat();
    let in_pieces = is_hint::<P, _>(&mut &sigma[..]);
    assert_eq!(in_pieces, Ok(decoded.is_some()), "{bytes:?}");
    decoded
}

/// Runs Algorithm 20, and compares it with the reference.
fn encode<P: Fips204>(h: &[[u8; N]]) -> Vec<u8> {
    let mut vector = Vector::<BytePoly, P::K>::ZERO;
    for (to, h) in vector.iter_mut().zip(h) {
        to.0 = *h;
    }
    let mut bytes = std::vec![0xa5; P::OMEGA + P::K::N];
    hint_bit_pack::<P>(&vector, &mut bytes);
    assert_eq!(bytes, reference::hint_bit_pack(P::OMEGA, h));
    bytes
}

/// Returns a hint with this number of ones, at positions without a pattern.
fn hint<P: Fips204>(random: &mut Random, ones: usize) -> Vec<[u8; N]> {
    let mut h = std::vec![[0; N]; P::K::N];
    for _ in 0..ones {
        loop {
            let bit = &mut h[random.below(P::K::N)][random.below(N)];
            if *bit == 0 {
                *bit = 1;
                break;
            }
        }
    }
    h
}

/// Returns the encoding with these positions and counters.
fn bytes<P: Fips204>(positions: &[u8], counters: &[usize]) -> Vec<u8> {
    let mut bytes = std::vec![0; P::OMEGA + P::K::N];
    bytes[..positions.len()].copy_from_slice(positions);
    // The other rows are empty.
    let last = counters[counters.len() - 1];
    for i in 0..P::K::N {
        bytes[P::OMEGA + i] = *counters.get(i).unwrap_or(&last) as u8;
    }
    bytes
}

fn every_clause<P: Fips204>() {
    let (omega, k) = (P::OMEGA, P::K::N);
    let accepts = |positions: &[u8], counters: &[usize]| {
        decode::<P>(&bytes::<P>(positions, counters)).is_some()
    };
    // No ones, and a one at either end.
    assert!(accepts(&[], &[0]));
    assert!(accepts(&[0], &[1]) && accepts(&[255], &[1]));
    // Positions increase within a row ...
    assert!(accepts(&[3, 4, 255], &[3]));
    assert!(!accepts(&[4, 3], &[2]), "a position decreases");
    assert!(!accepts(&[3, 3], &[2]), "a position is repeated");
    assert!(!accepts(&[0, 0], &[2]), "position 0 is repeated");
    assert!(!accepts(&[1, 5, 5], &[3]), "the last position is repeated");
    assert!(
        !accepts(&[7, 2, 2], &[1, 3]),
        "a position is repeated in row 2"
    );
    // ... but not from one row to the next.
    assert!(accepts(&[3, 3], &[1, 2]));
    assert!(accepts(&[200, 3], &[1, 2]));
    assert!(accepts(&[9, 9], &[1, 1, 2]), "an empty row is between");
    // Counters do not decrease.
    assert!(!accepts(&[1, 2, 3], &[3, 2]), "a counter decreases");
    assert!(!accepts(&[1, 2, 3], &[3, 0]), "a counter decreases to zero");
    assert!(!accepts(&[1, 2, 3], &[1, 3, 2, 3]), "and increases again");
    // Counters are at most ω: in the first row, in a middle row, and in the last row.
    let full: Vec<u8> = (0..omega as u8).collect();
    assert!(accepts(&full, &[omega]));
    assert!(!accepts(&full, &[omega + 1]) && !accepts(&full, &[255]));
    let mut counters = std::vec![0; k];
    for i in 0..k {
        counters[i..].fill(omega);
        assert!(accepts(&full, &counters), "all ones in row {i}");
        for past in [omega + 1, omega + k, 255] {
            counters[i..].fill(past);
            assert!(!accepts(&full, &counters), "counter {i} is {past}");
            counters[i] = past;
            counters[i + 1..].fill(omega);
            assert!(!accepts(&full, &counters), "counter {i} alone is {past}");
        }
        counters[i..].fill(0);
    }
    // Positions that belong to no row are zero.
    assert!(!accepts(&[1], &[0]), "a position, but no one");
    assert!(!accepts(&[1, 2], &[1]), "a position after the last one");
    let mut last = std::vec![0; omega];
    last[omega - 1] = 1;
    assert!(!accepts(&last, &[0]), "a position at the end");
    last[omega - 1] = 0;
    last[0] = 5;
    assert!(accepts(&last, &[1]));
}

/// If any byte of a hint changes to any value, the result is rejected, or is the encoding of
/// another hint.
fn every_byte<P: Fips204>() {
    let mut random = Random(25);
    for ones in [0, 1, P::OMEGA / 2, P::OMEGA - 1, P::OMEGA] {
        let h = hint::<P>(&mut random, ones);
        let valid = encode::<P>(&h);
        assert_eq!(decode::<P>(&valid).as_ref(), Some(&h));
        let (mut refused, mut other) = (0, 0);
        for i in 0..valid.len() {
            for change in 1..=u8::MAX {
                let mut bytes = valid.clone();
                bytes[i] ^= change;
                match decode::<P>(&bytes) {
                    None => refused += 1,
                    Some(decoded) => {
                        assert_ne!(decoded, h);
                        assert_eq!(encode::<P>(&decoded), bytes);
                        other += 1;
                    }
                }
            }
        }
        assert!(refused > 0 && (other > 0 || ones == 0));
    }
}

/// Returns bytes that are close to a hint: a valid one with some bytes moved or overwritten.
fn nearly_a_hint<P: Fips204>() -> impl Strategy<Value = Vec<u8>> {
    let edits = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4), 0..4);
    (any::<u64>(), 0..=P::OMEGA, edits).prop_map(|(seed, ones, edits)| {
        let mut bytes = encode::<P>(&hint::<P>(&mut Random(seed), ones));
        for (at, value, edit) in edits {
            let at = at.index(bytes.len());
            let next = (at + 1) % bytes.len();
            match edit {
                0 => bytes[at] = value,
                1 => bytes[at] = bytes[at].wrapping_add(value % 3).wrapping_sub(1),
                2 => bytes.swap(at, next),
                _ => bytes[at] = bytes[next],
            }
        }
        bytes
    })
}

fn accepted_only_if_canonical<P: Fips204>(bytes: &[u8]) {
    if let Some(h) = decode::<P>(bytes) {
        assert_eq!(encode::<P>(&h), bytes);
    }
}

macro_rules! for_each_set {
    ($($module:ident $set:ident)*) => {$(
        mod $module {
            use super::*;
            #[test]
            fn every_clause() {
                super::every_clause::<$set>();
            }
            #[test]
            fn every_byte() {
                super::every_byte::<$set>();
            }
            proptest! {
                #![proptest_config(ProptestConfig::with_cases(2000))]
                #[test]
                fn accepted_only_if_canonical(bytes in nearly_a_hint::<$set>()) {
                    super::accepted_only_if_canonical::<$set>(&bytes);
                }
                #[test]
                fn round_trip(seed: u64, ones in 0..=<$set as crate::ParameterSet>::OMEGA) {
                    let h = hint::<$set>(&mut Random(seed), ones);
                    prop_assert_eq!(decode::<$set>(&encode::<$set>(&h)), Some(h));
                }
            }
        }
    )*};
}
for_each_set! { ml_dsa_44 MlDsa44 ml_dsa_65 MlDsa65 ml_dsa_87 MlDsa87 }
