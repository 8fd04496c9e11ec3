//! Slices, concatenations, extensions, shifts and rotations.

use super::arithmetic::sum;
use super::comparisons::choose;
use super::{Node, Term, constant, make, mask};

impl Term {
    /// Returns the `width` bits from `low` on.
    pub(crate) fn slice(self, low: u32, width: u32) -> Term {
        if low == 0 && width == self.width() {
            return self;
        }
        assert!(width > 0 && low + width <= self.width(), "no such slice");
        match &*self.node() {
            Node::Constant(value) => constant(width, value >> low),
            Node::Slice { of, low: below } => of.slice(low + below, width),
            Node::Join(parts) => slice_of_parts(parts, low, width),
            Node::SignExtend(x) => slice_of_extension(*x, low, width),
            // Low bits of a sum depend on low bits alone.
            Node::Sum { terms, constant } if low == 0 => sum(
                width,
                terms.iter().map(|(x, factor)| (x.slice(0, width), *factor)),
                *constant,
            ),
            // Σ cᵢxᵢ + c, where 2^low divides all cᵢ and c, is 2^low (Σ (cᵢ/2^low) xᵢ + c/2^low).
            Node::Sum { terms, constant }
                if terms
                    .iter()
                    .fold(*constant, |all, (_, factor)| all | factor)
                    & mask(low)
                    == 0 =>
            {
                let left = self.width() - low;
                let shifted = terms
                    .iter()
                    .map(|(x, factor)| (x.slice(0, left), factor >> low));
                sum(left, shifted, constant >> low).slice(0, width)
            }
            // Low bits of a product depend on low bits alone.
            Node::Product(a, b) if low == 0 => a.slice(0, width).multiply(b.slice(0, width)),
            Node::Choose(condition, a, b) => {
                choose(*condition, a.slice(low, width), b.slice(low, width))
            }
            // Bit i of x rotated by r is bit i − r of x.
            Node::Rotate(x, by) => {
                let from = (low + self.width() - by) % self.width();
                let first = width.min(self.width() - from);
                if first == width {
                    x.slice(from, width)
                } else {
                    join(&[x.slice(from, first), x.slice(0, width - first)])
                }
            }
            _ => make(width, Node::Slice { of: self, low }),
        }
    }

    /// Returns one bit.
    pub(crate) fn bit(self, at: u32) -> Term {
        self.slice(at, 1)
    }

    /// Returns the sign.
    pub(crate) fn sign(self) -> Term {
        self.bit(self.width() - 1)
    }

    /// Cuts the term into parts of a width that divides its own.
    pub(crate) fn split(self, width: u32) -> impl Iterator<Item = Term> {
        (0..self.width() / width).map(move |part| self.slice(part * width, width))
    }

    /// Extends with zeros.
    pub(crate) fn zero_extend(self, width: u32) -> Term {
        if width == self.width() {
            return self;
        }
        join(&[self, constant(width - self.width(), 0)])
    }

    /// Extends with copies of the sign.
    pub(crate) fn sign_extend(self, width: u32) -> Term {
        if width == self.width() {
            return self;
        }
        match &*self.node() {
            Node::Constant(value) => constant(width, super::signed(*value, self.width()) as u64),
            Node::SignExtend(x) => x.sign_extend(width),
            // The sign is known to be 0.
            Node::Join(parts) if parts.last().is_some_and(|top| top.sign().is_zero()) => {
                self.zero_extend(width)
            }
            _ => make(width, Node::SignExtend(self)),
        }
    }

    /// Shifts to the left; nothing remains of a shift by the width or more.
    pub(crate) fn shift_left(self, by: u32) -> Term {
        match by {
            0 => self,
            _ if by >= self.width() => constant(self.width(), 0),
            _ => join(&[constant(by, 0), self.slice(0, self.width() - by)]),
        }
    }

    /// Shifts to the right, with zeros; nothing remains of a shift by the width or more.
    pub(crate) fn shift_right(self, by: u32) -> Term {
        match by {
            0 => self,
            _ if by >= self.width() => constant(self.width(), 0),
            _ => join(&[self.slice(by, self.width() - by), constant(by, 0)]),
        }
    }

    /// Shifts to the right, with copies of the sign.
    pub(crate) fn shift_right_signed(self, by: u32) -> Term {
        let by = by.min(self.width() - 1);
        self.slice(by, self.width() - by).sign_extend(self.width())
    }

    /// Rotates to the left.
    pub(crate) fn rotate_left(self, by: u32) -> Term {
        let width = self.width();
        let by = by % width;
        match *self.node() {
            _ if by == 0 => self,
            Node::Constant(value) => constant(width, value << by | value >> (width - by)),
            Node::Rotate(x, already) => x.rotate_left(already + by),
            _ => make(width, Node::Rotate(self, by)),
        }
    }

    /// Rotates to the right.
    pub(crate) fn rotate_right(self, by: u32) -> Term {
        self.rotate_left(self.width() - by % self.width())
    }

    /// Whether the term is `base` from `low` on.
    fn is_slice(self, base: Term, low: u32) -> bool {
        base.slice(low, self.width()) == self
    }
}

fn slice_of_parts(parts: &[Term], low: u32, width: u32) -> Term {
    let mut out = Vec::new();
    let mut at = 0;
    for part in parts {
        let start = low.max(at);
        let end = (low + width).min(at + part.width());
        if start < end {
            out.push(part.slice(start - at, end - start));
        }
        at += part.width();
    }
    join(&out)
}

fn slice_of_extension(x: Term, low: u32, width: u32) -> Term {
    if low + width <= x.width() {
        x.slice(low, width)
    } else if low >= x.width() - 1 {
        // Only copies of the sign.
        x.sign().sign_extend(width)
    } else {
        x.slice(low, x.width() - low).sign_extend(width)
    }
}

/// Concatenates terms, the lowest first.
pub(crate) fn join(parts: &[Term]) -> Term {
    let mut out: Vec<Term> = Vec::new();
    for part in parts {
        match &*part.node() {
            Node::Join(inner) => inner.iter().for_each(|part| push(&mut out, *part)),
            _ => push(&mut out, *part),
        }
    }
    let width = out.iter().map(|part| part.width()).sum();
    match out[..] {
        [one] => one,
        [low, high] => {
            rotation(width, low, high).unwrap_or_else(|| make(width, Node::Join(out.into())))
        }
        _ => make(width, Node::Join(out.into())),
    }
}

/// Appends a part, merged with the one below it where both are one.
fn push(out: &mut Vec<Term>, mut part: Term) {
    while let Some(low) = out.last() {
        let Some(merged) = merge(*low, part) else {
            break;
        };
        out.pop();
        part = merged;
        if let Node::Join(inner) = &*part.node() {
            out.extend(inner.iter());
            return;
        }
    }
    out.push(part);
}

/// Returns the concatenation of two terms if it is a constant, a slice of one term or a sign extension.
fn merge(low: Term, high: Term) -> Option<Term> {
    let width = low.width() + high.width();
    if let (Some(a), Some(b)) = (low.value(), high.value()) {
        return Some(constant(width, a | b << low.width()));
    }
    match *high.node() {
        // Neighbouring slices.
        Node::Slice { of, low: from }
            if from >= low.width() && low.is_slice(of, from - low.width()) =>
        {
            return Some(of.slice(from - low.width(), width));
        }
        // The sign of `low` once or more times.
        Node::SignExtend(bit) if bit.width() == 1 && low.sign() == bit => {
            return Some(low.sign_extend(width));
        }
        // The upper part of a sign extension of which `low` is the part below.
        Node::SignExtend(x) => {
            if let Node::Slice { of, low: from } = *x.node()
                && from + x.width() == of.width()
                && from >= low.width()
                && low.is_slice(of, from - low.width())
            {
                let whole = of.slice(from - low.width(), low.width() + x.width());
                return Some(whole.sign_extend(width));
            }
        }
        _ => {}
    }
    (high.width() == 1 && !high.is_constant() && low.sign() == high).then(|| low.sign_extend(width))
}

/// Returns the concatenation of two terms if it is a rotation: the upper part of a term below its lower part.
fn rotation(width: u32, low: Term, high: Term) -> Option<Term> {
    let Node::Slice { of, low: from } = *low.node() else {
        return None;
    };
    // An upper part below zeros is a shift, also of a term whose lower part is known to be zero.
    if high.is_constant() {
        return None;
    }
    let upper = of.width() == width && from + low.width() == width;
    (upper && high.is_slice(of, 0)).then(|| of.rotate_left(width - from))
}
