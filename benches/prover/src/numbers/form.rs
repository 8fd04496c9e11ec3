//! Polynomials of degree at most two modulo q.

use crate::terms::Name;

/// The product of at most two inputs, in order; those that are missing come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Monomial([Option<Name>; 2]);

impl Monomial {
    const ONE: Self = Self([None; 2]);

    /// Returns an input alone.
    pub(crate) fn of(name: Name) -> Self {
        Self([None, Some(name)])
    }

    /// Returns the product of two inputs.
    pub(crate) fn product(a: Name, b: Name) -> Self {
        Self([Some(a.min(b)), Some(a.max(b))])
    }

    fn times(self, other: Self) -> Option<Self> {
        let mut names = self.0.into_iter().chain(other.0).flatten();
        let monomial = match (names.next(), names.next()) {
            (None, _) => Self::ONE,
            (Some(a), None) => Self::of(a),
            (Some(a), Some(b)) => Self::product(a, b),
        };
        names.next().is_none().then_some(monomial)
    }
}

/// A polynomial with coefficients from 1 to q − 1, in the order of the monomials.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Form(Vec<(Monomial, i64)>);

/// Returns ab modulo q.
fn product(a: i64, b: i64, q: i64) -> i64 {
    match a.checked_mul(b) {
        Some(product) => product % q,
        None => (i128::from(a) * i128::from(b) % i128::from(q)) as i64,
    }
}

impl Form {
    pub(crate) fn constant(value: i128, q: i64) -> Self {
        Self::from_terms([(Monomial::ONE, value)], q)
    }

    pub(crate) fn variable(name: Name) -> Self {
        Self(vec![(Monomial::of(name), 1)])
    }

    /// Returns the sum of terms.
    pub(crate) fn from_terms(terms: impl IntoIterator<Item = (Monomial, i128)>, q: i64) -> Self {
        let reduce = |value: i128| value.rem_euclid(q.into()) as i64;
        let mut all: Vec<_> = terms.into_iter().map(|(m, c)| (m, reduce(c))).collect();
        all.sort_unstable_by_key(|(monomial, _)| *monomial);
        all.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = (kept.1 + next.1) % q;
            }
            same
        });
        all.retain(|(_, coefficient)| *coefficient != 0);
        Self(all)
    }

    /// Returns the sum of this polynomial and a multiple of another one.
    pub(crate) fn plus(&self, other: &Self, factor: i128, q: i64) -> Self {
        let factor = factor.rem_euclid(q.into()) as i64;
        let mut out = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut mine, mut theirs) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            let order = match (mine.peek(), theirs.peek()) {
                (Some(a), Some(b)) => a.0.cmp(&b.0),
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (None, None) => return Self(out),
            };
            let a = mine.next_if(|_| order.is_le());
            let b = theirs.next_if(|_| order.is_ge());
            let coefficient = a.map_or(0, |a| a.1) + b.map_or(0, |b| product(b.1, factor, q));
            if let Some((monomial, _)) = a.or(b)
                && coefficient % q != 0
            {
                out.push((*monomial, coefficient % q));
            }
        }
    }

    /// Returns a multiple of this polynomial.
    pub(crate) fn scaled(&self, factor: i128, q: i64) -> Self {
        Self::default().plus(self, factor, q)
    }

    /// Returns the product if its degree is at most two.
    pub(crate) fn times(&self, other: &Self, q: i64) -> Option<Self> {
        let mut terms = Vec::new();
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                terms.push((a.times(*b)?, i128::from(*x) * i128::from(*y)));
            }
        }
        Some(Self::from_terms(terms, q))
    }
}
