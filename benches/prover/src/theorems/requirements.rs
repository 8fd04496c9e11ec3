//! A function accepts its input exactly if each of some requirements holds.
//!
//! A requirement is about one byte of the input, or about one and the next. What is known of a case is that some
//! terms of one bit have some values. A term that depends on the bytes of one requirement alone is compared with
//! it for all values of these bytes; a conjunction of such terms is taken apart.

use std::ops::Range;

use anyhow::{Context, Result, ensure};
use rustc_hash::FxHashMap;

use crate::evaluate::Evaluation;
use crate::terms::{Name, Node, Term, constant, mask, variables};

/// Requirements with the same condition, of which each has the number of its last byte.
pub(super) struct Requirements {
    group: &'static str,
    condition: Condition,
    /// The terms that were compared.
    known: FxHashMap<Term, Option<Meaning>>,
}

pub(super) enum Condition {
    OfOne(fn(u64) -> bool),
    OfTwo(fn(u64, u64) -> bool),
}

/// That a term has this value exactly if the requirement with the number holds, or always if there is none.
#[derive(Clone, Copy)]
struct Meaning {
    requirement: Option<u32>,
    value: u64,
}

/// Returns the values of an integer that is chosen by bits, each with what the case assumes then.
pub(super) fn alternatives(result: Term, assumed: &[(Term, u64)]) -> Vec<Alternative> {
    let (bit, one, zero) = match *result.node() {
        Node::Choose(bit, one, zero) => (bit, one, zero),
        Node::SignExtend(bit) if bit.width() == 1 => {
            let of = |value| constant(result.width(), value);
            (bit, of(mask(result.width())), of(0))
        }
        _ => return vec![(result, assumed.to_vec())],
    };
    let choices = [(one, 1), (zero, 0)].into_iter();
    choices
        .flat_map(|(term, value)| alternatives(term, &[assumed, &[(bit, value)]].concat()))
        .collect()
}

/// A value, and what is assumed.
pub(super) type Alternative = (Term, Vec<(Term, u64)>);

/// Returns values of terms that all hold exactly if the term has its value.
fn conjunction(term: Term, value: u64) -> Vec<(Term, u64)> {
    let mut found = Vec::new();
    let mut left = vec![(term, value)];
    while let Some((term, value)) = left.pop() {
        match (&*term.node(), value) {
            (Node::Not(x), _) => left.push((*x, 1 - value)),
            (Node::Equal(a, b), _) if is_bit_or_zero(*a, *b).is_some() => {
                left.extend(is_bit_or_zero(*a, *b).map(|bit| (bit, 1 - value)));
            }
            (Node::And(a, b), 1) | (Node::Or(a, b), 0) => left.extend([(*a, value), (*b, value)]),
            _ => found.push((term, value)),
        }
    }
    found
}

/// Returns the bit if one of two terms is zero and the other one a bit with zeros above.
fn is_bit_or_zero(a: Term, b: Term) -> Option<Term> {
    let (zero, other) = if a.is_constant() { (a, b) } else { (b, a) };
    let is = zero.value() == Some(0) && other == other.bit(0).zero_extend(other.width());
    is.then(|| other.bit(0))
}

impl Requirements {
    pub(super) fn new(group: &'static str, condition: Condition) -> Self {
        let known = FxHashMap::default();
        Self {
            group,
            condition,
            known,
        }
    }

    /// Checks that all requirements hold in a case that is accepted, and that one does not hold in a case that is
    /// rejected.
    pub(super) fn check(
        &mut self,
        required: Range<u32>,
        is_accepted: bool,
        assumed: &[(Term, u64)],
    ) -> Result<()> {
        if is_accepted {
            let mut holds = vec![false; required.len()];
            for (term, value) in assumed {
                for (term, value) in conjunction(*term, *value) {
                    let meaning = self.meaning(term, &required);
                    if let Some((Some(number), true)) =
                        meaning.map(|meaning| (meaning.requirement, meaning.value == value))
                    {
                        holds[(number - required.start) as usize] = true;
                    }
                }
            }
            let missing = required.zip(holds).find(|(_, holds)| !holds);
            ensure!(
                missing.is_none(),
                "it is accepted, but requirement {} may not hold",
                missing.map_or(0, |(number, _)| number)
            );
            return Ok(());
        }
        // If all requirements held, one of the terms would have its other value.
        let mut terms = assumed.iter().filter(|(term, _)| term.width() == 1);
        let contradiction = terms.find(|(term, value)| {
            let mut parts = conjunction(*term, 1 - value).into_iter();
            parts.all(|(term, value)| {
                let meaning = self.meaning(term, &required);
                meaning.is_some_and(|meaning| meaning.value == value)
            })
        });
        contradiction.context("it is rejected, but all requirements may hold")?;
        Ok(())
    }

    /// Returns what a term says about the requirements.
    fn meaning(&mut self, term: Term, required: &Range<u32>) -> Option<Meaning> {
        let meaning = match self.known.get(&term) {
            Some(known) => *known,
            None => {
                let found = self.find(term);
                self.known.insert(term, found);
                found
            }
        }?;
        let known = |number| required.contains(&number);
        meaning.requirement.is_none_or(known).then_some(meaning)
    }

    /// Compares a term with the requirement of its bytes, for all of their values.
    fn find(&self, term: Term) -> Option<Meaning> {
        let names: Vec<_> = variables(&[term]).into_iter().collect();
        let own = names.iter().all(|name| name.group == self.group);
        let (first, last) = (names.first()?.index, names.last()?.index);
        if term.width() > 1 || !own || names.len() > 2 || last - first > 1 {
            return None;
        }
        // If there is only one byte, both are the same.
        let seconds = |a: u64| if first == last { a..a + 1 } else { 0..256 };
        let bytes = (0..256).flat_map(|a| seconds(a).map(move |b| [a, b]));
        let bytes: Vec<[u64; 2]> = bytes.collect();
        let input = |name: Name| {
            let which = usize::from(name.index == last);
            bytes.iter().map(|bytes| bytes[which]).collect()
        };
        let column = Evaluation::of(&[term]).run(bytes.len(), input).remove(0);
        let is = |value: u64, holds: &dyn Fn([u64; 2]) -> bool| {
            let mut pairs = bytes.iter().zip(&column);
            pairs.all(|(bytes, got)| (*got == value) == holds(*bytes))
        };
        [0, 1].into_iter().find_map(|value| {
            let requirement = match (&self.condition, names.len()) {
                _ if is(value, &|_| true) => None,
                (Condition::OfOne(condition), 1) if is(value, &|[_, b]| condition(b)) => Some(last),
                (Condition::OfTwo(condition), 2) if is(value, &|[a, b]| condition(a, b)) => {
                    Some(last)
                }
                _ => return None,
            };
            Some(Meaning { requirement, value })
        })
    }
}
