//! Sums and products.

use super::{Barrett, Node, Term, constant, make, mask};

/// Returns the linear combination of terms modulo 2^width. Sums among the terms are resolved, and equal
/// terms are collected, which the ring of integers modulo 2^width allows.
pub(crate) fn sum(width: u32, terms: impl IntoIterator<Item = (Term, u64)>, mut free: u64) -> Term {
    let mut all: Vec<(Term, u64)> = Vec::new();
    for (term, factor) in terms {
        debug_assert_eq!(term.width(), width);
        match &*term.node() {
            Node::Constant(value) => free = free.wrapping_add(value.wrapping_mul(factor)),
            Node::Sum {
                terms: inner,
                constant,
            } => {
                free = free.wrapping_add(constant.wrapping_mul(factor));
                all.extend(inner.iter().map(|(x, f)| (*x, f.wrapping_mul(factor))));
            }
            _ => all.push((term, factor)),
        }
    }
    all.sort_unstable_by_key(|(term, _)| *term);
    all.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 = kept.1.wrapping_add(next.1);
        }
        same
    });
    all.retain_mut(|(_, factor)| {
        *factor &= mask(width);
        *factor != 0
    });
    free &= mask(width);
    match all[..] {
        [] => return constant(width, free),
        [(term, 1)] if free == 0 => return term,
        // A power of two times slices is a shift of them.
        [(term, factor)] if free == 0 && factor.is_power_of_two() => {
            if let Node::Join(_) = *term.node() {
                return term.shift_left(factor.trailing_zeros());
            }
        }
        _ => {}
    }
    let node = Node::Sum {
        terms: all.into(),
        constant: free,
    };
    make(width, node)
}

impl Term {
    pub(crate) fn plus(self, other: Term) -> Term {
        sum(self.width(), [(self, 1), (other, 1)], 0)
    }

    pub(crate) fn minus(self, other: Term) -> Term {
        sum(self.width(), [(self, 1), (other, u64::MAX)], 0)
    }

    pub(crate) fn negate(self) -> Term {
        sum(self.width(), [(self, u64::MAX)], 0)
    }

    /// Multiplies modulo 2^width.
    pub(crate) fn multiply(self, other: Term) -> Term {
        match (self.value(), other.value()) {
            (Some(factor), _) => sum(self.width(), [(other, factor)], 0),
            (_, Some(factor)) => sum(self.width(), [(self, factor)], 0),
            _ => {
                let node = Node::Product(self.min(other), self.max(other));
                make(self.width(), node)
            }
        }
    }

    /// Returns the absolute value modulo 2^width.
    pub(crate) fn absolute(self) -> Term {
        match self.value() {
            Some(value) => {
                let value = super::signed(value, self.width());
                constant(self.width(), value.unsigned_abs())
            }
            None => make(self.width(), Node::Absolute(self)),
        }
    }

    /// Returns the upper 52 bits of the product of two numbers of 52 bits.
    pub(crate) fn multiply_high_52(self, factor: u64) -> Term {
        assert!(self.width() == 52 && factor <= mask(52));
        match self.value() {
            Some(value) => constant(52, high_52(value, factor)),
            None => make(52, Node::High52(self, factor)),
        }
    }

    /// Returns ⌊(2 · self · factor + 2³¹) / 2³²⌋. It does not overflow, because the factor is not −2³¹.
    pub(crate) fn doubling_high(self, factor: i32) -> Term {
        assert!(self.width() == 32 && factor != i32::MIN);
        match self.value() {
            Some(value) => constant(32, doubling_high(value as i32, factor) as u64),
            None => make(32, Node::DoublingHigh(self, factor)),
        }
    }

    /// Returns the product that [`Node::Barrett`] defines.
    pub(crate) fn barrett(self, by: Barrett) -> Term {
        assert!(self.width() == 32 && by.factor != i32::MIN);
        match self.value() {
            Some(value) => constant(32, barrett(value as i32, by) as u64),
            None => make(32, Node::Barrett(self, by)),
        }
    }
}

/// Returns ⌊a · b / 2⁵²⌋.
pub(crate) fn high_52(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 52) as u64
}

/// Returns ⌊(2 · a · b + 2³¹) / 2³²⌋.
pub(crate) fn doubling_high(a: i32, b: i32) -> i32 {
    ((i64::from(a) * i64::from(b) + (1 << 30)) >> 31) as i32
}

/// Returns a · zeta − q · ⌊(2 · a · factor + 2³¹) / 2³²⌋ modulo 2³².
pub(crate) fn barrett(a: i32, by: Barrett) -> i32 {
    let quotient = doubling_high(a, by.factor);
    a.wrapping_mul(by.zeta)
        .wrapping_sub(quotient.wrapping_mul(by.q))
}
