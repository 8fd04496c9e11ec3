//! Nothing remains of a state after its drop.
#![allow(unsafe_code, reason = "reads memory that a drop has left")]
use super::{OnToken, bytes, on_every_token};
use crate::{Keccak, Lane, SHAKE256_RATE, Shake, Shakes, State};
use core::mem::ManuallyDrop;
use std::format;
use std::vec::Vec;

/// What is left of the state in `value` after the drop of `value`: its words.
fn after_drop<T, L: Lane>(value: T, state: fn(&T) -> &State<L>) -> Vec<u64> {
    let mut value = ManuallyDrop::new(value);
    let offset = (&raw const state(&value).0).addr() - (&raw const value).addr();
    assert!(offset + size_of::<[L; 25]>() <= size_of::<T>());
    // SAFETY: `value` is dropped once, and not used as a T afterwards. The memory is still its own.
    // At `offset` there was an array of lanes before, at an address fit for one, and no padding is
    // read: a lane is an array of u64, of which all bit patterns are values.
    let lanes = unsafe {
        ManuallyDrop::drop(&mut value);
        (&raw const value).byte_add(offset).cast::<[L; 25]>().read()
    };
    lanes
        .iter()
        .flat_map(|lane| lane.as_ref().to_vec())
        .collect()
}

struct ShakesAreWiped;
impl OnToken for ShakesAreWiped {
    fn run<K: Keccak>(&self, keccak: K) {
        let message = bytes(60);
        let mut shakes = Shakes::<K, SHAKE256_RATE>::absorb(keccak, &[&message]);
        shakes.squeeze(&mut K::blocks::<SHAKE256_RATE>());
        assert!(shakes.state.0.iter().all(|lane| lane.as_ref()[0] != 0));
        let left = after_drop(shakes, |shakes| &shakes.state);
        assert!(left.iter().all(|word| *word == 0), "{}", K::NAME);
    }
}

#[test]
fn shakes() {
    on_every_token(&ShakesAreWiped);
}

#[test]
fn shake_and_reader() {
    let mut hasher = Shake::<SHAKE256_RATE>::new();
    hasher.absorb(&bytes(200));
    assert!(hasher.state.0.iter().all(|lane| *lane != [0]));
    let mut reader = hasher.clone().squeeze();
    reader.read(&mut [0; 7]);
    assert!(reader.0.state.0.iter().all(|lane| *lane != [0]));

    assert_eq!(after_drop(hasher, |hasher| &hasher.state), [0; 25]);
    assert_eq!(after_drop(reader, |reader| &reader.0.state), [0; 25]);
}

#[test]
fn debug_shows_no_contents() {
    let mut hasher = Shake::<SHAKE256_RATE>::new();
    hasher.absorb(&[7; 200]);
    assert_eq!(format!("{hasher:?}"), "Shake { .. }");
    assert_eq!(format!("{:?}", hasher.squeeze()), "Reader { .. }");
    assert_eq!(
        format!("{:?}", State::<[u64; 2]>::default()),
        "State { .. }"
    );
}
