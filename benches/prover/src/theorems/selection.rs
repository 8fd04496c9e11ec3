//! Accepted candidates in their order.
//!
//! The outputs are terms of the candidates and of tests of one candidate each, which say whether it is
//! accepted. For each candidate in turn, both results of its test are put in. If it is accepted, the next
//! output must be its coefficient: as soon as the output depends on no other candidate, its value is checked
//! for all inputs.

use std::collections::BTreeSet;

use anyhow::{Result, bail, ensure};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::Evaluation;
use crate::terms::{
    Name, Node, Renaming, Term, constant, in_order, mask, signed, sum, variable, variables,
};

/// How many candidates are evaluated at once.
const AT_ONCE: u64 = 1 << 14;

/// What a term of one bit says about the only candidate that it depends on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Test {
    Accepted,
    Rejected,
    Other,
}

type Renamed = Renaming<Box<dyn Fn(Name) -> Term>>;

/// What is known of the terms of all calls.
pub(super) struct Selection {
    bits: u32,
    standard: fn(i64) -> Option<i64>,
    /// Tests and coefficients of candidate 0.
    tests: FxHashMap<Term, Test>,
    coefficients: FxHashSet<Term>,
    /// The terms where each candidate is rejected, and where it is accepted.
    renamed: Vec<[Renamed; 2]>,
    /// The states from which the outputs were checked.
    done: FxHashSet<State>,
}

/// The next candidate, the outputs that follow, those of accepted candidates that still depend on others, and
/// what is assumed.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    next: usize,
    outputs: Vec<Term>,
    pending: Vec<(usize, Term)>,
    assumed: Vec<(Term, u64)>,
}

/// Returns terms with the same inputs.
fn same(bits: u32) -> Renamed {
    Renaming::new(Box::new(move |name: Name| {
        let width = if name.group == "candidate" { bits } else { 32 };
        variable(width, name.group, name.index)
    }))
}

/// Returns the only candidate that a term depends on.
fn only_candidate(term: Term) -> Option<u32> {
    let mut names = variables(&[term]).into_iter();
    match (names.next(), names.next()) {
        (Some(name), None) if name.group == "candidate" => Some(name.index),
        _ => None,
    }
}

/// Returns the terms of one bit that depend on one candidate alone, with its number.
fn bits_of_one(roots: &[Term]) -> Vec<(Term, u32)> {
    let mut found = Vec::new();
    // For each term that depends on at most one candidate, its number.
    let mut known: FxHashMap<Term, Option<u32>> = FxHashMap::default();
    for term in in_order(roots, |_| false) {
        let node = term.node();
        let mut only = match *node {
            Node::Variable(name) if name.group == "candidate" => Some(name.index),
            _ => None,
        };
        let mut single = true;
        node.each_operand(|operand| match known.get(&operand) {
            Some(Some(candidate)) => {
                single &= only.is_none_or(|only| only == *candidate);
                only = Some(*candidate);
            }
            Some(None) => {}
            None => single = false,
        });
        if !single {
            continue;
        }
        known.insert(term, only);
        if let (Some(candidate), 1) = (only, term.width()) {
            found.push((term, candidate));
        }
    }
    found
}

/// Returns what remains of assumptions, or nothing if no input satisfies them.
fn remaining(assumed: &[(Term, u64)], mut f: impl FnMut(Term) -> Term) -> Option<Vec<(Term, u64)>> {
    let mut left = Vec::new();
    for (term, value) in assumed {
        let term = f(*term);
        match term.value() {
            Some(known) if known == *value => {}
            Some(_) => return None,
            None => {
                let (low, high) = term.range();
                let number = signed(*value, term.width());
                if number < low || high < number {
                    return None;
                }
                left.push((term, *value));
            }
        }
    }
    Some(left)
}

impl Selection {
    pub(super) fn new(bits: u32, standard: fn(i64) -> Option<i64>) -> Self {
        Self {
            bits,
            standard,
            tests: FxHashMap::default(),
            coefficients: FxHashSet::default(),
            renamed: Vec::new(),
            done: FxHashSet::default(),
        }
    }

    /// Returns the numbers of different tests and coefficients that were checked for all candidates.
    pub(super) fn checked(&self) -> [usize; 2] {
        let tests = self.tests.values().filter(|test| **test != Test::Other);
        [tests.count(), self.coefficients.len()]
    }

    /// Checks that the outputs are the coefficients of the accepted candidates, as far as there are outputs,
    /// and that `count` is `total` of their number, for all candidates that satisfy the assumptions.
    pub(super) fn check(
        &mut self,
        candidates: &[Term],
        outputs: &[Term],
        (count, total): (Term, &dyn Fn(usize) -> Term),
        assumed: &[(Term, u64)],
    ) -> Result<()> {
        while self.renamed.len() < candidates.len() {
            self.renamed.push([same(self.bits), same(self.bits)]);
        }
        let mut roots = outputs.to_vec();
        roots.push(count);
        roots.extend(assumed.iter().map(|(term, _)| *term));
        let accepted = self.learn(&roots)?;
        let state = State {
            next: 0,
            outputs: outputs.to_vec(),
            pending: Vec::new(),
            assumed: assumed.to_vec(),
        };
        self.check_outputs(candidates.len(), state)?;
        // The sum of all tests, where the whole register has room.
        let bits = accepted.iter().map(|test| (test.zero_extend(32), 1));
        let first = total(0).value().unwrap_or_default();
        let fits = total(candidates.len()) == constant(32, first + candidates.len() as u64);
        if fits && accepted.len() == candidates.len() && count == sum(32, bits, first) {
            return Ok(());
        }
        let start = (0, 0, count, assumed.to_vec());
        self.check_count(candidates.len(), total, start)
    }

    /// Finds the tests that the terms are made of, and returns those that say whether their candidate is
    /// accepted, one for each candidate.
    fn learn(&mut self, roots: &[Term]) -> Result<BTreeSet<Term>> {
        let mut accepted = FxHashMap::default();
        for (term, candidate) in bits_of_one(roots) {
            let test = self.test(term)?;
            if test == Test::Other {
                continue;
            }
            if test == Test::Accepted {
                accepted.insert(candidate, term);
            }
            for (value, renamed) in self.renamed[candidate as usize].iter_mut().enumerate() {
                let holds = (value == 1) == (test == Test::Accepted);
                renamed.set(term, constant(1, holds.into()));
            }
        }
        Ok(accepted.into_values().collect())
    }

    /// Returns what a term of one candidate says about it, by its value for all candidates.
    fn test(&mut self, term: Term) -> Result<Test> {
        let first = self.of_first(term);
        if let Some(known) = self.tests.get(&first) {
            return Ok(*known);
        }
        let (mut accepted, mut rejected) = (true, true);
        self.each_value(first, |candidate, value| {
            let expected = (self.standard)(candidate).is_some();
            accepted &= (value == 1) == expected;
            rejected &= (value == 0) == expected;
            Ok(())
        })?;
        let test = match (accepted, rejected) {
            (true, _) => Test::Accepted,
            (_, true) => Test::Rejected,
            _ => Test::Other,
        };
        self.tests.insert(first, test);
        Ok(test)
    }

    /// Returns a term of one candidate as a term of candidate 0.
    fn of_first(&self, term: Term) -> Term {
        let bits = self.bits;
        Renaming::new(|name: Name| variable(bits, name.group, 0)).apply(term)
    }

    /// Calls a function with all candidates and the values of a term of candidate 0.
    fn each_value(&self, term: Term, mut f: impl FnMut(i64, u64) -> Result<()>) -> Result<()> {
        let evaluation = Evaluation::of(&[term]);
        let end = 1 << self.bits;
        for low in (0..end).step_by(AT_ONCE as usize) {
            let candidates: Vec<u64> = (low..end.min(low + AT_ONCE)).collect();
            let columns = evaluation.run(candidates.len(), |_| candidates.clone());
            for (candidate, value) in candidates.into_iter().zip(&columns[0]) {
                f(candidate as i64, *value)?;
            }
        }
        Ok(())
    }

    fn check_outputs(&mut self, candidates: usize, state: State) -> Result<()> {
        if state.next == candidates
            && let Some((candidate, output)) = state.pending.first()
        {
            bail!("the output of accepted candidate {candidate} is {output}");
        }
        let is_done = state.outputs.is_empty() && state.pending.is_empty();
        if is_done || state.next == candidates || !self.done.insert(state.clone()) {
            return Ok(());
        }
        for accepted in [false, true] {
            let renamed = &mut self.renamed[state.next][usize::from(accepted)];
            let left = remaining(&state.assumed, |term| renamed.apply(term));
            let Some(assumed) = left else {
                continue;
            };
            let outputs = state.outputs.iter().map(|output| renamed.apply(*output));
            let mut outputs: Vec<_> = outputs.collect();
            let pending = state.pending.iter();
            let mut pending: Vec<_> = pending
                .map(|(candidate, output)| (*candidate, renamed.apply(*output)))
                .collect();
            if accepted && !outputs.is_empty() {
                pending.push((state.next, outputs.remove(0)));
            }
            let mut left = Vec::new();
            for (candidate, output) in pending {
                match only_candidate(output) {
                    Some(only) => {
                        ensure!(
                            only == candidate as u32,
                            "the output of accepted candidate {candidate} is that of candidate {only}"
                        );
                        self.check_coefficient(output)?;
                    }
                    None => left.push((candidate, output)),
                }
            }
            let state = State {
                next: state.next + 1,
                outputs,
                pending: left,
                assumed,
            };
            self.check_outputs(candidates, state)?;
        }
        Ok(())
    }

    /// Checks that a term of one candidate is its coefficient, if it is accepted.
    fn check_coefficient(&mut self, term: Term) -> Result<()> {
        let first = self.of_first(term);
        if !self.coefficients.insert(first) {
            return Ok(());
        }
        self.each_value(first, |input, value| {
            if let Some(expected) = (self.standard)(input) {
                let expected = expected as u64 & mask(32);
                ensure!(
                    value == expected,
                    "the coefficient of {input:#x} is {value:#x} instead of {expected:#x}"
                );
            }
            Ok(())
        })
    }

    /// Checks the number of coefficients: from the next candidate on, the number of accepted ones so far, the
    /// term of the number, and what is assumed.
    fn check_count(
        &mut self,
        candidates: usize,
        total: &dyn Fn(usize) -> Term,
        start: (usize, usize, Term, Vec<(Term, u64)>),
    ) -> Result<()> {
        let mut todo = vec![start];
        let mut seen = FxHashSet::default();
        while let Some(state) = todo.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            let (next, so_far, count, assumed) = state;
            if next == candidates {
                ensure!(
                    assumed.is_empty() && count == total(so_far),
                    "after {so_far} accepted candidates, the number is {count}"
                );
                continue;
            }
            for accepted in [0, 1] {
                let renamed = &mut self.renamed[next][accepted];
                if let Some(left) = remaining(&assumed, |term| renamed.apply(term)) {
                    todo.push((next + 1, so_far + accepted, renamed.apply(count), left));
                }
            }
        }
        Ok(())
    }
}
