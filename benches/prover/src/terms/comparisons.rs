//! Comparisons and choices.

use std::rc::Rc;

use super::{Node, TABLE, Term, constant, make, mask, signed};

fn truth(value: bool) -> Term {
    constant(1, value.into())
}

impl Term {
    /// Returns whether both terms are equal.
    pub(crate) fn equals(self, other: Term) -> Term {
        match (self.value(), other.value()) {
            (Some(a), Some(b)) => truth(a == b),
            _ if self == other => truth(true),
            _ => make(1, Node::Equal(self.min(other), self.max(other))),
        }
    }

    /// Returns whether this term is less than the other one, both unsigned.
    pub(crate) fn below(self, other: Term) -> Term {
        if let (Some(a), Some(b)) = (self.value(), other.value()) {
            return truth(a < b);
        }
        if self == other {
            return truth(false);
        }
        let ((a_low, a_high), (b_low, b_high)) = (self.range(), other.range());
        // Where both signs are 0, unsigned and signed values are the same.
        if a_low >= 0 && b_low >= 0 {
            if a_high < b_low {
                return truth(true);
            }
            if a_low >= b_high {
                return truth(false);
            }
        }
        make(1, Node::Below(self, other))
    }

    /// Returns whether this term is less than the other one, both signed.
    pub(crate) fn less(self, other: Term) -> Term {
        if let (Some(a), Some(b)) = (self.value(), other.value()) {
            return truth(signed(a, self.width()) < signed(b, self.width()));
        }
        if self == other {
            return truth(false);
        }
        if other.value() == Some(0) {
            return self.sign();
        }
        let ((a_low, a_high), (b_low, b_high)) = (self.range(), other.range());
        if a_high < b_low {
            return truth(true);
        }
        if a_low >= b_high {
            return truth(false);
        }
        make(1, Node::Less(self, other))
    }
}

/// Returns `a` where the condition, which has one bit, is 1; else `b`.
pub(crate) fn choose(condition: Term, a: Term, b: Term) -> Term {
    debug_assert!(condition.width() == 1 && a.width() == b.width());
    let width = a.width();
    match (condition.value(), a.value(), b.value()) {
        (Some(1), ..) => a,
        (Some(_), ..) => b,
        _ if a == b => a,
        // All ones or zero is a sign extension; one or zero is an extension with zeros.
        (_, Some(ones), Some(0)) if ones == mask(width) => condition.sign_extend(width),
        (_, Some(0), Some(ones)) if ones == mask(width) => condition.not().sign_extend(width),
        (_, Some(1), Some(0)) => condition.zero_extend(width),
        _ => make(width, Node::Choose(condition, a, b)),
    }
}

/// Returns a table in which the entry at an index is replaced by a value. Loops do this to the same table for many
/// inputs, so the results are kept.
pub(crate) fn update(index: Term, value: Term, table: Rc<[Term]>) -> Rc<[Term]> {
    let key = (index, value, table);
    if let Some(known) = TABLE.with_borrow(|table| table.updates.get(&key).map(Rc::clone)) {
        return known;
    }
    let entries = (0..).zip(key.2.iter());
    let updated: Rc<[Term]> = entries
        .map(|(at, old)| choose(index.equals(constant(index.width(), at)), value, *old))
        .collect();
    TABLE.with_borrow_mut(|table| table.updates.insert(key, Rc::clone(&updated)));
    updated
}
