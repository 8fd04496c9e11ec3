//! Bit-vector terms in a normal form.
//!
//! A term is what a register or a byte of memory holds, as a function of the inputs. Terms are built only by
//! the functions of this module, which bring each of them into a normal form, and equal nodes are stored
//! once. Two computations that reach the same term are therefore equal for all inputs. The converse does not
//! hold: a missing rule makes a proof fail, a wrong rule makes a proof worthless. Each rule states why it
//! holds, and the tests compare all of them with plain integers on random terms.
//!
//! A term has between 1 and 64 bits; wider registers are lists of terms. Terms live in a table of their
//! thread until [`forget`] empties it.

mod arithmetic;
mod bits;
mod comparisons;
mod display;
mod fingerprint;
mod ranges;
mod slices;
mod substitute;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use arithmetic::{
    barrett as barrett_value, doubling_high as doubling_high_value, high_52 as high_52_value, sum,
};
pub(crate) use bits::ternary;
pub(crate) use comparisons::{choose, update};
pub(crate) use fingerprint::fingerprint;
pub(crate) use slices::join;
pub(crate) use substitute::{Renaming, replace, variables};

/// The name of an input: a group and a number in it, like `a17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Name {
    pub(crate) group: &'static str,
    pub(crate) index: u32,
}

/// A term: its number in the table of this thread, and its width in bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Term {
    id: u32,
    width: u8,
}

/// What a term is made of. All operands of bitwise operations, products and comparisons have the same width.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    Constant(u64),
    Variable(Name),
    /// The bits of `of` from `low` on.
    Slice {
        of: Term,
        low: u32,
    },
    /// A concatenation, the lowest part first.
    Join(Rc<[Term]>),
    SignExtend(Term),
    /// A linear combination modulo 2^width, with the terms in order, and no factor that is 0.
    Sum {
        terms: Rc<[(Term, u64)]>,
        constant: u64,
    },
    /// A product modulo 2^width of two terms that are not constant.
    Product(Term, Term),
    And(Term, Term),
    Or(Term, Term),
    Xor(Term, Term),
    Not(Term),
    /// A rotation to the left.
    Rotate(Term, u32),
    /// One bit: whether both are equal.
    Equal(Term, Term),
    /// One bit: whether the first is less than the second, both unsigned.
    Below(Term, Term),
    /// One bit: whether the first is less than the second, both signed.
    Less(Term, Term),
    /// The second where the first, which has one bit, is 1; else the third.
    Choose(Term, Term, Term),
    /// The absolute value modulo 2^width.
    Absolute(Term),
    /// ⌊term · factor / 2⁵²⌋ of a term with 52 bits and a factor of 52 bits, both unsigned.
    High52(Term, u64),
    /// ⌊(2 · term · factor + 2³¹) / 2³²⌋ of a term with 32 bits and a factor other than −2³¹.
    DoublingHigh(Term, i32),
    /// term · zeta − q · ⌊(2 · term · factor + 2³¹) / 2³²⌋ modulo 2³².
    Barrett(Term, Barrett),
}

/// The constants of a Barrett product by `zeta` modulo `q`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Barrett {
    pub(crate) zeta: i32,
    pub(crate) factor: i32,
    pub(crate) q: i32,
}

#[derive(Default)]
struct Table {
    nodes: Vec<Rc<Node>>,
    numbers: FxHashMap<(u8, Rc<Node>), Term>,
    ranges: FxHashMap<Term, (i64, i64)>,
    updates: FxHashMap<Update, Rc<[Term]>>,
}

/// An index, a value and a table.
type Update = (Term, Term, Rc<[Term]>);

thread_local! {
    static TABLE: RefCell<Table> = RefCell::default();
}

/// Empties the table of this thread. No term of before may be used again.
pub(crate) fn forget() {
    TABLE.with_borrow_mut(|table| *table = Table::default());
}

/// Returns the number of terms in the table of this thread.
pub(crate) fn count() -> usize {
    TABLE.with_borrow(|table| table.nodes.len())
}

/// Returns the term of a node that is already in normal form.
fn make(width: u32, node: Node) -> Term {
    debug_assert!((1..=64).contains(&width));
    let width = width as u8;
    TABLE.with_borrow_mut(|table| {
        let key = (width, Rc::new(node));
        if let Some(known) = table.numbers.get(&key) {
            return *known;
        }
        let id = table.nodes.len() as u32;
        let term = Term { id, width };
        table.nodes.push(Rc::clone(&key.1));
        table.numbers.insert(key, term);
        term
    })
}

/// Returns 2^width − 1.
pub(crate) const fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// Returns the integer that a value means as a signed one of some width.
pub(crate) const fn signed(value: u64, width: u32) -> i64 {
    (value << (64 - width)) as i64 >> (64 - width)
}

/// Returns a constant, of which only the lowest bits count.
pub(crate) fn constant(width: u32, value: u64) -> Term {
    make(width, Node::Constant(value & mask(width)))
}

/// Returns an input.
pub(crate) fn variable(width: u32, group: &'static str, index: u32) -> Term {
    make(width, Node::Variable(Name { group, index }))
}

impl Term {
    pub(crate) fn width(self) -> u32 {
        self.width.into()
    }

    pub(crate) fn node(self) -> Rc<Node> {
        TABLE.with_borrow(|table| Rc::clone(&table.nodes[self.id as usize]))
    }

    /// Returns the value of a constant.
    pub(crate) fn value(self) -> Option<u64> {
        match *self.node() {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn is_constant(self) -> bool {
        self.value().is_some()
    }

    fn is_zero(self) -> bool {
        self.value() == Some(0)
    }

    fn is_ones(self) -> bool {
        self.value() == Some(mask(self.width()))
    }
}

impl Node {
    /// Calls a function with each operand.
    pub(crate) fn each_operand(&self, mut f: impl FnMut(Term)) {
        match self {
            Self::Constant(_) | Self::Variable(_) => {}
            Self::Slice { of: x, .. }
            | Self::SignExtend(x)
            | Self::Not(x)
            | Self::Rotate(x, _)
            | Self::Absolute(x)
            | Self::High52(x, _)
            | Self::DoublingHigh(x, _)
            | Self::Barrett(x, _) => f(*x),
            Self::Join(parts) => parts.iter().copied().for_each(f),
            Self::Sum { terms, .. } => terms.iter().for_each(|(term, _)| f(*term)),
            Self::Product(a, b)
            | Self::And(a, b)
            | Self::Or(a, b)
            | Self::Xor(a, b)
            | Self::Equal(a, b)
            | Self::Below(a, b)
            | Self::Less(a, b) => [*a, *b].into_iter().for_each(f),
            Self::Choose(c, a, b) => [*c, *a, *b].into_iter().for_each(f),
        }
    }
}

/// Returns the terms that the roots are made of, each once and after its operands. Terms for which `stop`
/// returns true are left out, with what only they are made of.
pub(crate) fn in_order(roots: &[Term], stop: impl Fn(Term) -> bool) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let mut order = Vec::new();
    let mut stack: Vec<_> = roots.iter().rev().map(|root| (*root, false)).collect();
    while let Some((term, done)) = stack.pop() {
        if done {
            order.push(term);
            continue;
        }
        if stop(term) || !seen.insert(term) {
            continue;
        }
        stack.push((term, true));
        term.node().each_operand(|operand| {
            if !seen.contains(&operand) {
                stack.push((operand, false));
            }
        });
    }
    order
}
