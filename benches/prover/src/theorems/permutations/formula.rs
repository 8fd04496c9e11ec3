//! Polynomials over GF(2) in rotated words, for all bits of a word at once: lanes, or halves of lanes.

use std::collections::BTreeSet;
use std::rc::Rc;

use anyhow::{Result, bail};
use rustc_hash::FxHashMap;

use crate::specification::keccak::Lane;
use crate::terms::{Node, Term, in_order, mask};

/// A rotated word, or a product of two sums.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Atom {
    Word { number: u8, rotation: u32 },
    Product(Rc<Sum>, Rc<Sum>),
}

/// A sum of different atoms.
type Sum = BTreeSet<Atom>;

/// A sum of atoms and a constant, or nothing for what has no formula of this kind.
#[derive(Clone, Debug)]
pub(super) struct Formula<const BITS: u32 = 64>(Option<(Sum, u64)>);

/// Adds sums: equal atoms cancel.
fn add(a: &Sum, b: &Sum) -> Sum {
    a.symmetric_difference(b).cloned().collect()
}

impl<const BITS: u32> Formula<BITS> {
    pub(super) fn word(number: u8) -> Self {
        let atom = Atom::Word {
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

    /// Returns the formula of a term that is made of terms with known formulas.
    pub(super) fn of_term(top: Term, cut: &FxHashMap<Term, Self>) -> Result<Self> {
        if let Some(known) = cut.get(&top) {
            return Ok(known.clone());
        }
        let mut known: FxHashMap<Term, Self> = FxHashMap::default();
        for term in in_order(&[top], |term| cut.contains_key(&term)) {
            let of = |term: &Term| cut.get(term).unwrap_or_else(|| &known[term]);
            let formula = match &*term.node() {
                Node::Constant(value) => Self::of(*value),
                Node::Xor(a, b) => of(a).xor(of(b)),
                Node::And(a, b) => of(a).and(of(b)),
                Node::Or(a, b) => of(a).xor(of(b)).xor(&of(a).and(of(b))),
                Node::Not(x) => of(x).complement(),
                Node::Rotate(x, by) => of(x).rotate(*by),
                _ => bail!("a permutation computes {term}"),
            };
            known.insert(term, formula);
        }
        Ok(known[&top].clone())
    }
}

impl<const BITS: u32> Lane for Formula<BITS> {
    fn of(bits: u64) -> Self {
        Self(Some((Sum::new(), bits & mask(BITS))))
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
        if ![0, mask(BITS)].contains(c) || ![0, mask(BITS)].contains(d) {
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
        let rotated = |(sum, constant): &(Sum, u64)| {
            let by = offset % BITS;
            let wrapped = constant.checked_shr(BITS - by).unwrap_or_default();
            (
                rotate(sum, by, BITS),
                (constant << by | wrapped) & mask(BITS),
            )
        };
        Self(self.0.as_ref().map(rotated))
    }
}

/// Rotates each atom; a product of rotated sums is the rotated product.
fn rotate(sum: &Sum, offset: u32, bits: u32) -> Sum {
    let one = |atom: &Atom| match atom {
        Atom::Word { number, rotation } => Atom::Word {
            number: *number,
            rotation: (rotation + offset) % bits,
        },
        Atom::Product(a, b) => {
            let (a, b) = (rotate(a, offset, bits), rotate(b, offset, bits));
            let (first, second) = if a < b { (a, b) } else { (b, a) };
            Atom::Product(Rc::new(first), Rc::new(second))
        }
    };
    sum.iter().map(one).collect()
}
