//! Nothing is left of a state after its drop.
#![allow(unsafe_code, reason = "reads memory that a drop has left")]
use super::{OnToken, bytes, on_every_token};
use crate::{Keccak, SHAKE256_RATE, Shake, Shakes, State};
use core::mem::{ManuallyDrop, offset_of};
use std::format;

/// The bytes of `value` at `offset`, after its drop.
fn after_drop<T>(value: T, offset: usize, length: usize) -> std::vec::Vec<u8> {
    let mut value = ManuallyDrop::new(value);
    assert!(offset + length <= size_of::<T>());
    // SAFETY: dropped once, and not used as a T afterwards. The memory is still `value`'s, and the
    // bytes read are those of an array of u64, all of which are initialised.
    unsafe {
        ManuallyDrop::drop(&mut value);
        let start = (&raw const value).cast::<u8>().add(offset);
        core::slice::from_raw_parts(start, length).to_vec()
    }
}

struct ShakesAreWiped;
impl OnToken for ShakesAreWiped {
    fn run<K: Keccak>(&self, keccak: K) {
        let message = bytes(60);
        let mut shakes = Shakes::<K, SHAKE256_RATE>::absorb(keccak, &[&message]);
        shakes.squeeze(&mut K::blocks::<SHAKE256_RATE>());
        assert!(shakes.state.0.iter().all(|lane| lane.as_ref()[0] != 0));
        let offset = offset_of!(Shakes<K, SHAKE256_RATE>, state);
        let left = after_drop(shakes, offset, size_of::<State<K::Lane>>());
        assert!(left.iter().all(|byte| *byte == 0), "{}", K::NAME);
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

    let offset = offset_of!(Shake<SHAKE256_RATE>, state);
    assert_eq!(after_drop(hasher, offset, 200), [0; 200]);
    let offset = offset_of!(crate::Reader<SHAKE256_RATE>, 0.state);
    assert_eq!(after_drop(reader, offset, 200), [0; 200]);
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
