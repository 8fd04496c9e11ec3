//! Cases of public inputs, for code whose branches and addresses depend on them.
//!
//! Such a term decides what the code does next. An execution takes one of the values that the term can have,
//! and remembers this assumption; a proof executes the function again until no value is left. All cases
//! together cover all inputs.
//!
//! A term that decides is a function of some tests: terms of one bit, in which there is no other term of one
//! bit. All combinations of their values are tried, also those that no input has. One bit that depends on more
//! tests than can be tried is taken to have both values.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::Evaluation;
use crate::terms::{Name, Node, Term, in_order, replace, signed, variable, variables};

/// The most tests of a term that decides.
const MOST_TESTS: usize = 17;

/// Returns the terms of one bit that the terms are made of and that contain no other one.
fn tests(roots: &[Term]) -> Vec<Term> {
    let mut with_bits = FxHashSet::default();
    let mut found = Vec::new();
    for term in in_order(roots, |_| false) {
        let mut inner = false;
        term.node().each_operand(|operand| {
            let bit = operand.width() == 1 && !operand.is_constant();
            inner |= bit || with_bits.contains(&operand);
        });
        if inner {
            with_bits.insert(term);
        } else if term.width() == 1 && !term.is_constant() {
            found.push(term);
        }
    }
    found
}

/// Whether a term is made of tests. If not, it can decide nothing.
pub(crate) fn has_tests(term: Term) -> bool {
    !tests(&[term]).is_empty()
}

/// A term a + m · (the number of ones of some different bits).
struct Count {
    bits: usize,
    factor: u64,
    constant: u64,
}

impl Count {
    fn of(term: Term) -> Option<Self> {
        match &*term.node() {
            Node::Join(parts) => match parts[..] {
                [bit, above] if bit.width() == 1 && above.value() == Some(0) => Some(Self {
                    bits: 1,
                    factor: 1,
                    constant: 0,
                }),
                [low, above] if low.range().0 >= 0 && above.value() == Some(0) => Self::of(low),
                _ => None,
            },
            Node::Sum { terms, constant } => {
                let counts: Option<Vec<_>> =
                    terms.iter().map(|(term, _)| Self::of(*term)).collect();
                let (counts, constant) = (counts?, *constant);
                let (_, factor) = terms.first()?;
                match &counts[..] {
                    [one] => Some(Self {
                        bits: one.bits,
                        factor: one.factor.wrapping_mul(*factor),
                        constant: one.constant.wrapping_mul(*factor).wrapping_add(constant),
                    }),
                    all => {
                        let bits = all.iter().all(Self::is_bit);
                        let same = terms.iter().all(|(_, f)| f == factor);
                        (bits && same).then_some(Self {
                            bits: all.len(),
                            factor: *factor,
                            constant,
                        })
                    }
                }
            }
            _ => None,
        }
    }

    fn is_bit(&self) -> bool {
        (self.bits, self.factor, self.constant) == (1, 1, 0)
    }

    /// Returns all values of a term of a width.
    fn values(&self, width: u32) -> BTreeSet<u64> {
        let product = |ones: usize| self.factor.wrapping_mul(ones as u64);
        let value = |ones| self.constant.wrapping_add(product(ones)) & crate::terms::mask(width);
        (0..=self.bits).map(value).collect()
    }
}

/// Returns all values that a term can have where other terms have the given ones.
fn values(term: Term, assumed: &[(Term, u64)]) -> Result<BTreeSet<u64>> {
    if assumed.is_empty()
        && let Some(count) = Count::of(term)
    {
        return Ok(count.values(term.width()));
    }
    if let Some((_, value)) = assumed.iter().find(|(known, _)| *known == term) {
        return Ok(BTreeSet::from([*value]));
    }
    let mut roots = vec![term];
    roots.extend(assumed.iter().map(|(term, _)| *term));
    let tests = tests(&roots);
    if term.width() == 1 && tests.len() > MOST_TESTS {
        return Ok(BTreeSet::from([0, 1]));
    }
    ensure!(
        tests.len() <= MOST_TESTS,
        "it depends on {} tests",
        tests.len()
    );
    let bits = (0..).zip(&tests);
    let by: FxHashMap<_, _> = bits
        .map(|(index, test)| (*test, variable(1, "test", index)))
        .collect();
    let roots = replace(&roots, &by);
    for name in variables(&roots) {
        ensure!(name.group == "test", "it depends on {name}");
    }
    let count = 1 << tests.len();
    let input = |name: Name| (0..count as u64).map(|all| all >> name.index & 1).collect();
    let columns = Evaluation::of(&roots).run(count, input);
    let holds = |at: &usize| {
        let mut pairs = columns[1..].iter().zip(assumed);
        pairs.all(|(column, (_, value))| column[*at] == *value)
    };
    Ok((0..count).filter(holds).map(|at| columns[0][at]).collect())
}

/// Returns an equivalent assumption with the smallest constants: that a + m · x is v, as x = (v − a) / m.
fn simplest((term, value): (Term, u64)) -> (Term, u64) {
    let (width, node) = (term.width(), term.node());
    if let Node::Sum { terms, constant } = &*node
        && let Some((_, factor)) = terms.first()
        && terms.iter().all(|(_, f)| f == factor)
    {
        let rest = signed(
            value.wrapping_sub(*constant) & crate::terms::mask(width),
            width,
        );
        let factor = signed(*factor, width);
        let unscaled = crate::terms::sum(width, terms.iter().map(|(term, _)| (*term, 1)), 0);
        let (low, high) = unscaled.range();
        // Without a wrap, m · x = v − a holds for integers, and x is not more than it may be.
        let product = |x: i64| i128::from(x) * i128::from(factor);
        let fits = |x: i64| (product(x) >> (width - 1)) == 0;
        if factor > 0 && low >= 0 && fits(high) && rest >= 0 && rest % factor == 0 {
            return (unscaled, (rest / factor) as u64);
        }
    }
    (term, value)
}

/// The cases of a function: the values that this execution takes, and those that are left.
#[derive(Clone, Default)]
pub(crate) struct Cases {
    script: Vec<u64>,
    left: Vec<Vec<u64>>,
    /// What this execution assumed so far.
    taken: Vec<(Term, u64)>,
}

impl Cases {
    /// Returns the value of a term in this case.
    pub(crate) fn decide(&mut self, term: Term) -> Result<u64> {
        let number = self.taken.len();
        let value = match self.script.get(number) {
            Some(value) => *value,
            None => {
                let values = values(term, &self.taken)?;
                let mut left: Vec<_> = values.into_iter().rev().collect();
                let value = left.pop().context("no input reaches it")?;
                self.script.push(value);
                self.left.push(left);
                value
            }
        };
        self.taken.push((term, value));
        Ok(value)
    }

    /// Returns what this execution assumed.
    pub(crate) fn assumed(&self) -> Vec<(Term, u64)> {
        self.taken.iter().copied().map(simplest).collect()
    }

    /// Goes to the next case, and returns whether there is one.
    pub(crate) fn next(&mut self) -> bool {
        self.taken.clear();
        while let Some(left) = self.left.last_mut() {
            self.script.pop();
            if let Some(value) = left.pop() {
                self.script.push(value);
                return true;
            }
            self.left.pop();
        }
        false
    }
}
