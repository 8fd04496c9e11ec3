//! Registers of vectors: lists of terms.

use crate::terms::{Term, join};

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
