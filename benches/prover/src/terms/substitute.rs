//! Terms with other inputs.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::arithmetic::sum;
use super::comparisons::choose;
use super::slices::join;
use super::{Name, Node, Term, in_order};

/// Returns the inputs of terms.
pub(crate) fn variables(terms: &[Term]) -> BTreeSet<Name> {
    let names = in_order(terms, |_| false).into_iter();
    let names = names.filter_map(|term| match *term.node() {
        Node::Variable(name) => Some(name),
        _ => None,
    });
    names.collect()
}

/// Replaces the inputs of terms. It builds each term again with the functions of the normal form.
pub(crate) struct Renaming<F> {
    of: F,
    known: FxHashMap<Term, Term>,
}

/// Replaces terms by others. All inputs that remain stay as they are.
pub(crate) fn replace(roots: &[Term], by: &FxHashMap<Term, Term>) -> Vec<Term> {
    let mut known = by.clone();
    for term in in_order(roots, |term| by.contains_key(&term)) {
        if let Node::Variable(_) = *term.node() {
            known.insert(term, term);
        }
    }
    let of = |_| unreachable!("each input is known");
    let mut renaming = Renaming { of, known };
    roots.iter().map(|root| renaming.apply(*root)).collect()
}

impl<F: Fn(Name) -> Term> Renaming<F> {
    pub(crate) fn new(of: F) -> Self {
        let known = FxHashMap::default();
        Self { of, known }
    }

    /// Takes a term for another one.
    pub(crate) fn set(&mut self, term: Term, to: Term) {
        self.known.insert(term, to);
    }

    pub(crate) fn apply(&mut self, term: Term) -> Term {
        for term in in_order(&[term], |term| self.known.contains_key(&term)) {
            let renamed = self.one(term);
            self.known.insert(term, renamed);
        }
        self.known[&term]
    }

    /// Replaces the inputs of a term whose operands are done.
    fn one(&self, term: Term) -> Term {
        let width = term.width();
        let of = |term: &Term| self.known[term];
        match &*term.node() {
            Node::Constant(_) => term,
            Node::Variable(name) => (self.of)(*name),
            Node::Slice { of: x, low } => of(x).slice(*low, width),
            Node::Join(parts) => join(&parts.iter().map(of).collect::<Vec<_>>()),
            Node::SignExtend(x) => of(x).sign_extend(width),
            Node::Sum { terms, constant } => {
                let terms = terms.iter().map(|(x, factor)| (of(x), *factor));
                sum(width, terms, *constant)
            }
            Node::Product(a, b) => of(a).multiply(of(b)),
            Node::And(a, b) => of(a).and(of(b)),
            Node::Or(a, b) => of(a).or(of(b)),
            Node::Xor(a, b) => of(a).xor(of(b)),
            Node::Not(x) => of(x).not(),
            Node::Rotate(x, by) => of(x).rotate_left(*by),
            Node::Equal(a, b) => of(a).equals(of(b)),
            Node::Below(a, b) => of(a).below(of(b)),
            Node::Less(a, b) => of(a).less(of(b)),
            Node::Choose(condition, a, b) => choose(of(condition), of(a), of(b)),
            Node::Absolute(x) => of(x).absolute(),
            Node::High52(x, factor) => of(x).multiply_high_52(*factor),
            Node::DoublingHigh(x, factor) => of(x).doubling_high(*factor),
            Node::Barrett(x, by) => of(x).barrett(*by),
        }
    }
}
