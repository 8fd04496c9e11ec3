//! Registers of vectors: lists of terms.

use crate::terms::{Term, choose, join};

/// Returns the entry of a table, whose length is a power of two, at an index modulo this length.
pub(crate) fn select(index: Term, table: &[Term]) -> Term {
    if let Some(index) = index.value() {
        return table[index as usize % table.len()];
    }
    if let [one] = table {
        return *one;
    }
    let (low, high) = table.split_at(table.len() / 2);
    let bit = index.bit(low.len().ilog2());
    match bit.value() {
        Some(0) => select(index, low),
        Some(_) => select(index, high),
        None => choose(bit, select(index, high), select(index, low)),
    }
}

/// Returns the same bits as terms of another width. Both widths are powers of two up to 64.
pub(crate) fn regroup(lanes: &[Term], width: u32) -> Vec<Term> {
    let Some(first) = lanes.first() else {
        return Vec::new();
    };
    if first.width() >= width {
        lanes.iter().flat_map(|lane| lane.split(width)).collect()
    } else {
        let each = (width / first.width()) as usize;
        lanes.chunks(each).map(join).collect()
    }
}
