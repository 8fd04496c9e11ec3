//! Wiping. That the compiler keeps the stores cannot be seen from safe code;
//! that they are made, and cover everything, can.

use core::cell::RefCell;
use std::vec::Vec;

use crate::field::MlDsaField;
use crate::params::Rank;
use crate::poly::{BytePoly, N, NttPoly, Poly, Rotations, Vector};
use crate::secret::{Secret, Zeroed, wipe};

std::thread_local! {
    static DROPPED: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// Leaves its value behind when it is dropped or overwritten.
struct Witness(u32);

impl Zeroed for Witness {
    const ZERO: Self = Self(0);
}

impl Drop for Witness {
    fn drop(&mut self) {
        DROPPED.with_borrow_mut(|dropped| dropped.push(self.0));
    }
}

/// The value is overwritten with zero, and the zero is what is dropped.
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
