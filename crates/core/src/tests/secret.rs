//! Wiping. Safe code can test that the stores are made and that they cover everything, but not that
//! the compiler keeps them.

use core::cell::RefCell;
use std::vec::Vec;

use crate::field::MlDsaField;
use crate::poly::{BytePoly, NttPoly, Poly, Rotations, Vector};
use crate::secret::{Held, Secret, Zeroed, wipe};
use crate::seed::Seed;
use crate::shape::N;
use crate::shape::Rank;

std::thread_local! {
    static DROPPED: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// Records its value when it is dropped or overwritten.
struct Witness(u32);

impl Zeroed for Witness {
    const ZERO: Self = Self(0);
}

impl Drop for Witness {
    fn drop(&mut self) {
        DROPPED.with_borrow_mut(|dropped| dropped.push(self.0));
    }
}

/// The value is overwritten with zero, and the zero is dropped.
#[test]
fn secrets_are_overwritten_before_they_go() {
    let mut secret = Secret::new([Witness(7), Witness(8)]);
    secret[0].0 = 9;
    assert!(DROPPED.take().is_empty());
    drop(secret);
    assert_eq!(DROPPED.take(), [9, 8, 0, 0]);
}

#[test]
fn wipe_reaches_every_coefficient() {
    let mut polys = [const { Poly::<MlDsaField>::new([-1; N]) }; 3];
    wipe(&mut polys);
    assert!(polys.iter().all(|poly| poly.0 == [0; N]));

    let mut vector = Vector::<NttPoly<MlDsaField>, Rank<4>>::ZERO;
    vector.iter_mut().for_each(|poly| poly.0 = [-1; N]);
    wipe(core::slice::from_mut(&mut vector));
    assert!(vector.iter().all(|poly| poly.0 == [0; N]));

    let mut rotations = [Rotations([[-1_i8; N]; 2])];
    wipe(&mut rotations);
    assert_eq!(rotations[0].0, [[0; N]; 2]);

    let mut bytes = [BytePoly([1; N])];
    wipe(&mut bytes);
    assert_eq!(bytes[0].0, [0; N]);

    let mut secrets = [Secret::new([1_u8; 5]), Secret::new([2; 5])];
    wipe(&mut secrets);
    assert!(secrets.iter().all(|secret| **secret == [0; 5]));
}

/// Two seeds differ if any byte differs, and `Debug` shows no byte.
#[test]
fn seeds() {
    let seed = Seed::from([0xab; 32]);
    assert_eq!(seed, Seed::from_bytes(&[0xab; 32]));
    for at in 0..32 {
        let mut other = *seed.as_bytes();
        other[at] ^= 1;
        assert_ne!(seed, Seed::from(other));
    }
    let text = std::format!("{seed:?}");
    assert!(!text.contains("ab") && !text.contains("171"), "{text}");
    Seed::<32>::try_from(&[7; 31][..]).unwrap_err();
    assert_eq!(Seed::try_from(&[0xab; 32][..]).unwrap(), seed);
}

/// Borrowed memory is wiped when its `Held` is dropped.
#[test]
fn held_memory_is_wiped() {
    let mut seed = Seed::from([7; 32]);
    let held = Held::new(&mut seed);
    assert_eq!(held.as_bytes(), &[7; 32]);
    drop(held);
    assert_eq!(seed.as_bytes(), &[0; 32]);
}
