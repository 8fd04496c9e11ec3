//! What a term is as an integer: an interval, and a polynomial of the inputs modulo q.
//!
//! Both are about the signed value of a term. They follow from these rules alone:
//!
//! - a linear combination whose interval fits the width does not wrap, so it is this integer;
//! - so is a product;
//! - a sign extension has the same value, and so has an extension with zeros if the value is not negative;
//! - the products of Montgomery, also with 52 bits, of Plantard and of Barrett: see [`rules`].
//!
//! Of any other term only the interval of its width is known, and nothing modulo q.

mod form;
mod rules;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use rustc_hash::FxHashMap;

pub(crate) use form::{Form, Monomial};
pub(crate) use rules::check as check_rules;

use crate::terms::{Name, Node, Term, in_order, signed};

/// An integer that is known by an interval and modulo q.
#[derive(Clone)]
pub(crate) struct Number {
    pub(crate) low: i128,
    pub(crate) high: i128,
    pub(crate) form: Option<Rc<Form>>,
}

impl Number {
    /// Returns what is known of every term of a width.
    fn any(width: u32) -> Self {
        let half = 1 << (width - 1);
        Self {
            low: -half,
            high: half - 1,
            form: None,
        }
    }

    fn fits(&self, width: u32) -> bool {
        let any = Self::any(width);
        any.low <= self.low && self.high <= any.high
    }

    /// Returns the largest absolute value.
    pub(crate) fn most(&self) -> i128 {
        self.low.abs().max(self.high.abs())
    }
}

/// How often each rule was applied.
#[derive(Clone, Copy, Default)]
pub(crate) struct Applied {
    pub(crate) montgomery: usize,
    pub(crate) plantard: usize,
    pub(crate) barrett: usize,
}

/// The integers that terms are, for inputs within bounds.
pub(crate) struct Numbers<F> {
    q: i64,
    /// The largest absolute value of an input.
    bound: F,
    /// Whether no input is negative.
    unsigned: bool,
    known: FxHashMap<Term, Number>,
    pub(crate) applied: Applied,
}

impl<F: Fn(Name) -> i64> Numbers<F> {
    pub(crate) fn new(q: i64, bound: F) -> Self {
        Self {
            q,
            bound,
            unsigned: false,
            known: FxHashMap::default(),
            applied: Applied::default(),
        }
    }

    /// Returns the integers for inputs that are not negative.
    pub(crate) fn of_unsigned(q: i64, bound: F) -> Self {
        let unsigned = true;
        Self {
            unsigned,
            ..Self::new(q, bound)
        }
    }

    pub(crate) fn of(&mut self, term: Term) -> Number {
        for term in in_order(&[term], |term| self.known.contains_key(&term)) {
            let number = self.one(term);
            self.known.insert(term, number);
        }
        self.known[&term].clone()
    }

    /// Returns the integer of a term whose operands are done.
    fn one(&mut self, term: Term) -> Number {
        let width = term.width();
        let number = match &*term.node() {
            Node::Constant(value) => {
                let value = signed(*value, width).into();
                Some(Number {
                    low: value,
                    high: value,
                    form: Some(Rc::new(Form::constant(value, self.q))),
                })
            }
            Node::Variable(name) => {
                let bound = i128::from((self.bound)(*name));
                Some(Number {
                    low: if self.unsigned { 0 } else { -bound },
                    high: bound,
                    form: Some(Rc::new(Form::variable(*name))),
                })
            }
            Node::SignExtend(x) => Some(self.known[x].clone()),
            Node::Join(parts) => self.zero_extension(parts),
            Node::Sum { terms, constant } => Some(self.sum(width, terms, *constant)),
            Node::Product(a, b) => Some(self.product(&self.known[a], &self.known[b])),
            Node::Slice { of, low: 32 } if width == 32 && of.width() == 64 => self.upper_half(*of),
            Node::Barrett(x, by) => self.barrett(*x, *by),
            Node::High52(x, by) => self.montgomery_52(*x, *by),
            _ => None,
        };
        number
            .filter(|number| number.fits(width))
            .unwrap_or(Number::any(width))
    }

    /// Returns the integer of a term that is extended with zeros.
    fn zero_extension(&self, parts: &[Term]) -> Option<Number> {
        let [term, above] = parts else {
            return None;
        };
        let number = (above.value() == Some(0)).then(|| self.known[term].clone())?;
        let all = (1 << term.width()) - 1;
        let (low, high, form) = match number.low {
            0.. => (number.low, number.high, number.form),
            _ => (0, all, None),
        };
        Some(Number { low, high, form })
    }

    fn sum(&self, width: u32, terms: &[(Term, u64)], constant: u64) -> Number {
        let free = i128::from(signed(constant, width));
        let (mut low, mut high) = (free, free);
        let mut form = Some(Form::constant(free, self.q));
        for (term, factor) in terms {
            let factor = i128::from(signed(*factor, width));
            let number = &self.known[term];
            let ends = [factor * number.low, factor * number.high];
            low += ends[0].min(ends[1]);
            high += ends[0].max(ends[1]);
            // Nothing need be known of a multiple of q.
            if factor % i128::from(self.q) != 0 {
                form = match (form, &number.form) {
                    (Some(sum), Some(form)) => Some(sum.plus(form, factor, self.q)),
                    _ => None,
                };
            }
        }
        let form = form.map(Rc::new);
        Number { low, high, form }
    }

    fn product(&self, a: &Number, b: &Number) -> Number {
        let ends = [
            a.low * b.low,
            a.low * b.high,
            a.high * b.low,
            a.high * b.high,
        ];
        let form = match (&a.form, &b.form) {
            (Some(a), Some(b)) => a.times(b, self.q),
            _ => None,
        };
        Number {
            low: ends.into_iter().min().unwrap_or_default(),
            high: ends.into_iter().max().unwrap_or_default(),
            form: form.map(Rc::new),
        }
    }
}
