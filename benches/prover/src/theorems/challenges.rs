//! Products with concrete challenges, as sums of rotations.
//!
//! A challenge is public, so its positions are addresses, and the theorem is about the challenges that are
//! tried: some random ones for each number of coefficients, and those whose coefficients all have the same
//! sign, at the first or at the last positions, whose sums are the largest. It is about all polynomials s and
//! accumulators.

use anyhow::{Context, Result, ensure};

use super::claim::{Claim, inputs};
use crate::machine::{Argument, Call, Executor};
use crate::numbers::{Form, Monomial, Numbers};
use crate::random::Random;
use crate::specification::N;
use crate::terms::Name;

/// How many challenges of each kind are tried.
const CHALLENGES: u64 = 2;
/// A prime. Two integers of at most 2²⁹ + 2¹⁸ are equal if they are equal modulo it.
const MODULUS: i64 = (1 << 31) - 1;
const ACCUMULATOR: i64 = 1 << 29;
const OUTPUT: i128 = (1 << 29) + (1 << 18);

/// For some challenges c and all |sⱼ| ≤ `largest` and |accⱼ| ≤ 2²⁹, acc becomes acc + c·s in the ring
/// Z[X]/(X²⁵⁶ + 1), or acc − c·s.
pub(super) struct Product {
    pub(super) backend: &'static str,
    pub(super) subtract: bool,
    /// The width of the coefficients of s.
    pub(super) width: u32,
    /// The numbers of coefficients ±1 of c: FIPS 204, table 1.
    pub(super) weights: &'static [usize],
    /// The bounds on s: η, and 2ᵈ⁻¹ of t₀.
    pub(super) largest: &'static [i64],
    /// What is added to `largest` in the claim: 0, but for a wrong claim.
    pub(super) larger: i64,
    /// The power of X by which the product is multiplied in the claim: 0, but for a wrong claim.
    pub(super) shift: usize,
}

impl Product {
    pub(super) fn new(backend: &'static str, subtract: bool, width: u32) -> Self {
        Self {
            backend,
            subtract,
            width,
            weights: &[39, 49, 60],
            largest: if width == 8 { &[2, 4] } else { &[1 << 12] },
            larger: 0,
            shift: 0,
        }
    }

    fn call(&self, challenge: &Challenge, largest: i64) -> Call {
        let n = N as u32;
        let s = inputs("s", n, self.width);
        let mut rotations: Vec<_> = s.iter().map(|s| s.negate()).collect();
        rotations.extend(s);
        let mut positions: Vec<_> = challenge.plus.iter().chain(&challenge.minus).collect();
        positions.resize(64, &0);
        let positions = positions
            .into_iter()
            .map(|at| crate::terms::constant(32, *at as u64));
        let name = if self.subtract { "sub" } else { "add" };
        let arguments = vec![
            Argument::in_place(inputs("acc", n, 32)),
            Argument::read_only(positions.collect()),
            Argument::number(challenge.plus.len() as u64),
            Argument::number(challenge.minus.len() as u64),
            Argument::read_only(rotations),
            Argument::number(largest as u64),
        ];
        Call::new(
            format!("{}_{name}_product{}", self.backend, self.width),
            arguments,
        )
    }

    /// Returns the form of an output: Xᵏ · sᵢXⁱ is sᵢXⁱ⁺ᵏ, and X²⁵⁶ is −1.
    fn expected(&self, challenge: &Challenge, j: usize) -> Form {
        let accumulated = Name {
            group: "acc",
            index: j as u32,
        };
        let mut terms = vec![(Monomial::of(accumulated), 1)];
        let signs = [(&challenge.plus, 1), (&challenge.minus, -1)];
        for (positions, sign) in signs {
            for k in positions {
                let k = k + self.shift;
                let index = (j + 2 * N - k) % N;
                let wraps = if index + k % N == j { 1 } else { -1 };
                let sign = if self.subtract { -sign } else { sign };
                let index = index as u32;
                let name = Name { group: "s", index };
                terms.push((Monomial::of(name), sign * wraps));
            }
        }
        Form::from_terms(terms, MODULUS)
    }

    fn check(
        &self,
        executor: &mut Executor<'_>,
        challenge: &Challenge,
        largest: i64,
    ) -> Result<()> {
        crate::terms::forget();
        let call = self.call(challenge, largest);
        let outputs = executor.call(&call)?.values(&call, 0)?;
        let bound = |name: Name| {
            if name.group == "s" {
                largest + self.larger
            } else {
                ACCUMULATOR
            }
        };
        let mut numbers = Numbers::new(MODULUS, bound);
        for (j, output) in outputs.into_iter().enumerate() {
            let number = numbers.of(output);
            let form = number.form.as_deref();
            let form = form.with_context(|| format!("output {j} is not a known sum: {output}"))?;
            ensure!(
                *form == self.expected(challenge, j),
                "output {j} is another sum"
            );
            ensure!(
                number.most() <= OUTPUT,
                "output {j} may be as large as {}",
                number.most()
            );
        }
        Ok(())
    }
}

/// The positions of +1 and of −1.
struct Challenge {
    plus: Vec<usize>,
    minus: Vec<usize>,
}

impl Challenge {
    /// Returns the challenges whose coefficients all have the same sign, at neighbouring positions.
    fn worst(weight: usize) -> [Self; 4] {
        let positions: [Vec<_>; 2] = [(0..weight).collect(), (N - weight..N).collect()];
        let plus = positions.clone().map(|plus| Self {
            plus,
            minus: Vec::new(),
        });
        let minus = positions.map(|minus| Self {
            plus: Vec::new(),
            minus,
        });
        let ([a, b], [c, d]) = (plus, minus);
        [a, b, c, d]
    }

    /// Returns a random challenge, which has the first and the last position.
    fn new(random: &mut Random, weight: usize) -> Self {
        let (mut plus, mut minus) = (vec![0], vec![N - 1]);
        while plus.len() + minus.len() < weight {
            let position = random.below(N as u64) as usize;
            if !plus.contains(&position) && !minus.contains(&position) {
                let sign = if random.below(2) == 0 {
                    &mut plus
                } else {
                    &mut minus
                };
                sign.push(position);
            }
        }
        Self { plus, minus }
    }
}

impl Claim for Product {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let mut random = Random::new(11);
        let mut tried = 0;
        for weight in self.weights {
            for largest in self.largest {
                let mut challenges = Vec::from(Challenge::worst(*weight));
                let random = (0..CHALLENGES).map(|_| Challenge::new(&mut random, *weight));
                challenges.extend(random);
                for challenge in challenges {
                    self.check(executor, &challenge, *largest)?;
                    tried += 1;
                }
            }
        }
        Ok(format!(
            "for {tried} challenges, each for all s within {:?}",
            self.largest
        ))
    }
}
