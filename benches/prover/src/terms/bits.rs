//! Bitwise operations.
//!
//! A bitwise operation treats each bit alone, so it can be done for each segment of its operands. Segments
//! end where a part of a concatenation ends, and where a run of equal bits of a constant ends: there, the
//! operation with zeros or ones is simpler. Constants with many runs are not cut.

use super::slices::join;
use super::{Node, Term, constant, make, mask};

const MOST_RUNS: usize = 6;

/// Appends the positions where the segments of a term end, other than its own end.
fn boundaries(term: Term, constants: bool, cuts: &mut Vec<u32>) {
    let node = term.node();
    let alone = [term];
    let parts = match &*node {
        Node::Join(parts) => &parts[..],
        _ => &alone[..],
    };
    let mut at = 0;
    for part in parts {
        if constants && let Some(value) = part.value() {
            let runs = (1..part.width()).filter(|bit| (value >> bit ^ value >> (bit - 1)) & 1 == 1);
            if runs.clone().count() <= MOST_RUNS {
                cuts.extend(runs.map(|bit| at + bit));
            }
        }
        at += part.width();
        cuts.push(at);
    }
}

/// Applies a bitwise operation to each segment of its operands.
fn by_segment<const N: usize>(
    terms: [Term; N],
    constants: bool,
    operation: &dyn Fn([Term; N]) -> Term,
) -> Term {
    let width = terms[0].width();
    debug_assert!(terms.iter().all(|term| term.width() == width));
    let mut cuts = Vec::new();
    for term in terms {
        boundaries(term, constants, &mut cuts);
    }
    cuts.sort_unstable();
    cuts.dedup();
    if cuts == [width] {
        return operation(terms);
    }
    let mut at = 0;
    let segments: Vec<_> = cuts
        .into_iter()
        .map(|end| {
            let segment = terms.map(|term| term.slice(at, end - at));
            at = end;
            by_segment(segment, constants, operation)
        })
        .collect();
    join(&segments)
}

/// Returns the operands of two sign extensions from the same width: a bitwise operation can be done before.
fn extended(a: Term, b: Term) -> Option<(Term, Term)> {
    match (&*a.node(), &*b.node()) {
        (Node::SignExtend(x), Node::SignExtend(y)) if x.width() == y.width() => Some((*x, *y)),
        _ => None,
    }
}

fn and(a: Term, b: Term) -> Term {
    match (a.value(), b.value()) {
        (Some(x), Some(y)) => return constant(a.width(), x & y),
        _ if a.is_zero() || b.is_ones() => return a,
        _ if b.is_zero() || a.is_ones() => return b,
        _ => {}
    }
    if a == b {
        return a;
    }
    if a.not() == b {
        return constant(a.width(), 0);
    }
    if let Some((x, y)) = extended(a, b) {
        return and(x, y).sign_extend(a.width());
    }
    make(a.width(), Node::And(a.min(b), a.max(b)))
}

fn or(a: Term, b: Term) -> Term {
    match (a.value(), b.value()) {
        (Some(x), Some(y)) => return constant(a.width(), x | y),
        _ if a.is_zero() || b.is_ones() => return b,
        _ if b.is_zero() || a.is_ones() => return a,
        _ => {}
    }
    if a == b {
        return a;
    }
    if a.not() == b {
        return constant(a.width(), u64::MAX);
    }
    if let Some((x, y)) = extended(a, b) {
        return or(x, y).sign_extend(a.width());
    }
    make(a.width(), Node::Or(a.min(b), a.max(b)))
}

fn xor(a: Term, b: Term) -> Term {
    match (a.value(), b.value()) {
        (Some(x), Some(y)) => return constant(a.width(), x ^ y),
        _ if a.is_zero() => return b,
        _ if b.is_zero() => return a,
        _ if a.is_ones() => return b.not(),
        _ if b.is_ones() => return a.not(),
        _ => {}
    }
    if a == b {
        return constant(a.width(), 0);
    }
    // A complement of an operand is a complement of the result.
    if let Node::Not(x) = *a.node() {
        return xor(x, b).not();
    }
    if let Node::Not(y) = *b.node() {
        return xor(a, y).not();
    }
    make(a.width(), Node::Xor(a.min(b), a.max(b)))
}

impl Term {
    pub(crate) fn and(self, other: Term) -> Term {
        by_segment([self, other], true, &|[a, b]| and(a, b))
    }

    pub(crate) fn or(self, other: Term) -> Term {
        by_segment([self, other], true, &|[a, b]| or(a, b))
    }

    pub(crate) fn xor(self, other: Term) -> Term {
        // A round constant of Keccak is not cut into its bits.
        let constants = !self.is_constant() && !other.is_constant();
        by_segment([self, other], constants, &|[a, b]| xor(a, b))
    }

    pub(crate) fn not(self) -> Term {
        match &*self.node() {
            Node::Constant(value) => constant(self.width(), !value),
            Node::Not(x) => *x,
            Node::Join(parts) => join(&parts.iter().map(|part| part.not()).collect::<Vec<_>>()),
            // The complement of copies of the sign is copies of its complement.
            Node::SignExtend(x) => x.not().sign_extend(self.width()),
            _ => make(self.width(), Node::Not(self)),
        }
    }

    /// Returns the bits of `other` where this term has zeros.
    pub(crate) fn and_not(self, other: Term) -> Term {
        self.not().and(other)
    }

    /// Whether no bit can be set in both terms, by zeros in their concatenations.
    pub(crate) fn is_disjoint(self, other: Term) -> bool {
        let mut cuts = vec![0];
        boundaries(self, false, &mut cuts);
        boundaries(other, false, &mut cuts);
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2).all(|cut| {
            let part = |term: Term| term.slice(cut[0], cut[1] - cut[0]);
            part(self).is_zero() || part(other).is_zero()
        })
    }
}

/// Applies the function of two bits whose value for (x, y) is bit 2x + y of the table.
fn binary(table: u8, x: Term, y: Term) -> Term {
    let width = x.width();
    match table {
        0b0000 => constant(width, 0),
        0b0001 => x.or(y).not(),
        0b0010 => x.and_not(y),
        0b0011 => x.not(),
        0b0100 => y.and_not(x),
        0b0101 => y.not(),
        0b0110 => x.xor(y),
        0b0111 => x.and(y).not(),
        0b1000 => x.and(y),
        0b1001 => x.xor(y).not(),
        0b1010 => y,
        0b1011 => x.not().or(y),
        0b1100 => x,
        0b1101 => x.or(y.not()),
        0b1110 => x.or(y),
        _ => constant(width, mask(width)),
    }
}

/// Applies the function of three bits whose value for (x, y, z) is bit 4x + 2y + z of the table.
pub(crate) fn ternary(table: u8, x: Term, y: Term, z: Term) -> Term {
    // The "exclusive or" with a constant is not cut into the runs of the constant.
    for (first, [zero, one], [a, b]) in cofactors(table, [x, y, z]) {
        if first.is_constant() && zero == one ^ 15 {
            return first.xor(binary(zero, a, b));
        }
    }
    by_segment([x, y, z], true, &|terms| ternary_of_segment(table, terms))
}

/// Returns each of three operands, with the functions of the other two where it is 0 and where it is 1.
fn cofactors(table: u8, [x, y, z]: [Term; 3]) -> [(Term, [u8; 2], [Term; 2]); 3] {
    [
        (x, [0, 1].map(|v| restrict(table, |a, b| [v, a, b])), [y, z]),
        (y, [0, 1].map(|v| restrict(table, |a, b| [a, v, b])), [x, z]),
        (z, [0, 1].map(|v| restrict(table, |a, b| [a, b, v])), [x, y]),
    ]
}

/// Returns the table of the function of two bits that results from three bits of which each is a function
/// of the two.
fn restrict(table: u8, bits: impl Fn(u8, u8) -> [u8; 3]) -> u8 {
    (0..4).fold(0, |all, at| {
        let [x, y, z] = bits(at >> 1, at & 1);
        all | (table >> (4 * x + 2 * y + z) & 1) << at
    })
}

fn ternary_of_segment(table: u8, [x, y, z]: [Term; 3]) -> Term {
    let known = |term: Term| match () {
        () if term.is_zero() => Some(0),
        () if term.is_ones() => Some(1),
        () => None,
    };
    if let Some(x) = known(x) {
        return binary(restrict(table, |a, b| [x, a, b]), y, z);
    }
    if let Some(y) = known(y) {
        return binary(restrict(table, |a, b| [a, y, b]), x, z);
    }
    if let Some(z) = known(z) {
        return binary(restrict(table, |a, b| [a, b, z]), x, y);
    }
    if x == y {
        return binary(restrict(table, |a, b| [a, a, b]), x, z);
    }
    if y == z {
        return binary(restrict(table, |a, b| [a, b, b]), x, y);
    }
    if x == z {
        return binary(restrict(table, |a, b| [a, b, a]), x, y);
    }
    // One of the three and a function of the others: no multiplexer is needed.
    let orders = cofactors(table, [x, y, z]);
    for (_, [zero, one], [a, b]) in orders {
        if zero == one {
            return binary(zero, a, b);
        }
    }
    for (first, [zero, one], [a, b]) in orders {
        let (of_zero, of_one) = (|| binary(zero, a, b), || binary(one, a, b));
        match (zero, one) {
            _ if zero == one ^ 15 => return first.xor(of_zero()),
            (0, _) => return first.and(of_one()),
            (_, 15) => return first.or(of_zero()),
            (_, 0) => return first.and_not(of_zero()),
            (15, _) => return first.not().or(of_one()),
            _ => {}
        }
    }
    let (first, [zero, one], [a, b]) = orders[0];
    let chosen = first.and(binary(one, a, b));
    chosen.or(first.and_not(binary(zero, a, b)))
}
