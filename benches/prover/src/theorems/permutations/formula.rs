//! Polynomials over GF(2) in rotated lanes, for all 64 bits of a lane at once.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::specification::keccak::Lane;

/// A rotated lane, or a product of two sums.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Atom {
    Lane { number: u8, rotation: u32 },
    Product(Rc<Sum>, Rc<Sum>),
}

/// A sum of different atoms.
type Sum = BTreeSet<Atom>;

/// A sum of atoms and a constant, or nothing for what has no formula of this kind.
#[derive(Clone, Debug)]
pub(super) struct Formula(Option<(Sum, u64)>);

/// Adds sums: equal atoms cancel.
fn add(a: &Sum, b: &Sum) -> Sum {
    a.symmetric_difference(b).cloned().collect()
}

impl Formula {
    pub(super) fn lane(number: u8) -> Self {
        let atom = Atom::Lane {
            number,
            rotation: 0,
        };
        Self(Some((Sum::from([atom]), 0)))
    }

    pub(super) fn complement(&self) -> Self {
        self.xor(&Self::of(u64::MAX))
    }

    /// Whether both are the same formula.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.0.is_some() && self.0 == other.0
    }
}

impl Lane for Formula {
    fn of(bits: u64) -> Self {
        Self(Some((Sum::new(), bits)))
    }

    fn xor(&self, other: &Self) -> Self {
        let (Some((a, c)), Some((b, d))) = (&self.0, &other.0) else {
            return Self(None);
        };
        Self(Some((add(a, b), c ^ d)))
    }

    /// Returns (a + c)(b + d) = ab + ad + bc + cd, where the constants c and d must be all ones or zero.
    fn and(&self, other: &Self) -> Self {
        let (Some((a, c)), Some((b, d))) = (&self.0, &other.0) else {
            return Self(None);
        };
        if ![0, u64::MAX].contains(c) || ![0, u64::MAX].contains(d) {
            return Self(None);
        }
        let mut sum = Sum::new();
        if *d != 0 {
            sum = add(&sum, a);
        }
        if *c != 0 {
            sum = add(&sum, b);
        }
        if a == b {
            sum = add(&sum, a);
        } else if !a.is_empty() && !b.is_empty() {
            let (first, second) = (a.min(b).clone(), a.max(b).clone());
            let product = Atom::Product(Rc::new(first), Rc::new(second));
            sum = add(&sum, &Sum::from([product]));
        }
        Self(Some((sum, c & d)))
    }

    fn rotate(&self, offset: u32) -> Self {
        let rotated =
            |(sum, constant): &(Sum, u64)| (rotate(sum, offset), constant.rotate_left(offset));
        Self(self.0.as_ref().map(rotated))
    }
}

/// Rotates each atom; a product of rotated sums is the rotated product.
fn rotate(sum: &Sum, offset: u32) -> Sum {
    let one = |atom: &Atom| match atom {
        Atom::Lane { number, rotation } => Atom::Lane {
            number: *number,
            rotation: (rotation + offset) % 64,
        },
        Atom::Product(a, b) => {
            let (a, b) = (rotate(a, offset), rotate(b, offset));
            let (first, second) = if a < b { (a, b) } else { (b, a) };
            Atom::Product(Rc::new(first), Rc::new(second))
        }
    };
    sum.iter().map(one).collect()
}
