//! Intervals of signed values, for all values of the inputs, as far as they are easy to see.

use super::{Node, TABLE, Term, mask, signed};

impl Term {
    /// Returns an interval that contains the signed value for all inputs.
    pub(crate) fn range(self) -> (i64, i64) {
        if let Some(known) = TABLE.with_borrow(|table| table.ranges.get(&self).copied()) {
            return known;
        }
        let width = self.width();
        let full = (signed(1 << (width - 1), width), mask(width) as i64 >> 1);
        let full = (full.0, if width == 64 { i64::MAX } else { full.1 });
        let range = self.narrow(full).unwrap_or(full);
        TABLE.with_borrow_mut(|table| table.ranges.insert(self, range));
        range
    }

    /// Returns an interval that is narrower than the full one.
    fn narrow(self, full: (i64, i64)) -> Option<(i64, i64)> {
        match &*self.node() {
            Node::Constant(value) => {
                let value = signed(*value, self.width());
                Some((value, value))
            }
            Node::Join(parts) => {
                let top = parts.last().filter(|top| top.is_zero())?;
                let most = mask(self.width() - top.width()) as i64;
                // A value that is not negative is the same with zeros above.
                match parts[..] {
                    [low, _] if low.range().0 >= 0 => Some(low.range()),
                    _ => Some((0, most)),
                }
            }
            Node::SignExtend(x) => Some(x.range()),
            Node::Choose(_, a, b) => {
                let ((a, b), (c, d)) = (a.range(), b.range());
                Some((a.min(c), b.max(d)))
            }
            // An "and" with a value that is not negative is between 0 and this value.
            Node::And(a, b) => match (a.range(), b.range()) {
                ((0.., a), (0.., b)) => Some((0, a.min(b))),
                ((0.., most), _) | (_, (0.., most)) => Some((0, most)),
                _ => None,
            },
            // A sum that fits the width does not wrap.
            Node::Sum { terms, constant } => {
                let mut low = i128::from(signed(*constant, self.width()));
                let mut high = low;
                for (term, factor) in terms.iter() {
                    let factor = i128::from(signed(*factor, self.width()));
                    let (a, b) = term.range();
                    let (a, b) = (factor * i128::from(a), factor * i128::from(b));
                    low += a.min(b);
                    high += a.max(b);
                }
                let range = (i64::try_from(low).ok()?, i64::try_from(high).ok()?);
                (full.0 <= range.0 && range.1 <= full.1).then_some(range)
            }
            _ => None,
        }
    }
}
