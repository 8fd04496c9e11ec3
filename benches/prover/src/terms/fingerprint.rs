//! Numbers that terms of different tables have in common if they have the same structure.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::{Node, Term, in_order};

/// Returns a hash of the structure of terms. The order of operands does not matter where the operation is
/// commutative, because it depends on the table.
pub(crate) fn fingerprint(terms: &[Term]) -> u64 {
    let mut known: FxHashMap<Term, u64> = FxHashMap::default();
    for term in in_order(terms, |_| false) {
        let node = term.node();
        let mut operands = Vec::new();
        node.each_operand(|operand| operands.push(known[&operand]));
        let mut hasher = FxHasher::default();
        (term.width(), std::mem::discriminant(&*node)).hash(&mut hasher);
        match &*node {
            Node::Constant(value) => value.hash(&mut hasher),
            Node::Variable(name) => name.hash(&mut hasher),
            Node::Slice { low, .. } => low.hash(&mut hasher),
            Node::Rotate(_, by) => by.hash(&mut hasher),
            Node::DoublingHigh(_, factor) => factor.hash(&mut hasher),
            Node::High52(_, factor) => factor.hash(&mut hasher),
            Node::Barrett(_, by) => by.hash(&mut hasher),
            Node::Sum { terms, constant } => {
                constant.hash(&mut hasher);
                for (operand, (_, factor)) in operands.iter_mut().zip(terms.iter()) {
                    *operand = mix(*operand, *factor);
                }
                operands.sort_unstable();
            }
            Node::Product(..) | Node::And(..) | Node::Or(..) | Node::Xor(..) | Node::Equal(..) => {
                operands.sort_unstable();
            }
            _ => {}
        }
        operands.hash(&mut hasher);
        known.insert(term, hasher.finish());
    }
    terms.iter().fold(0, |all, term| mix(all, known[term]))
}

fn mix(a: u64, b: u64) -> u64 {
    let mut hasher = FxHasher::default();
    (a, b).hash(&mut hasher);
    hasher.finish()
}
