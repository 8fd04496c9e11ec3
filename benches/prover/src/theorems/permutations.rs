//! Keccak-f\[1600\] in machine code is that of FIPS 202, round by round.
//!
//! The terms of the permutation are searched, by their values for a few random states, for the lanes after
//! each round, or their complements. That is a guess. What is proved is that each lane after a round is, as a
//! polynomial over GF(2) in rotated lanes, what FIPS 202 makes of the lanes before that round. A wrong guess
//! proves nothing and fails.

mod conversions;
mod formula;
mod interleaved;

use anyhow::{Context, Result, ensure};
use rustc_hash::FxHashMap;

use super::claim::{Claim, inputs};
use crate::evaluate::Evaluation;
use crate::machine::{Argument, Call, Executor};
use crate::random::Random;
use crate::specification::keccak::{Constants, round};
use crate::terms::{Name, Renaming, Term, in_order, variable, variables};
pub(super) use conversions::Conversion;
use formula::Formula;
pub(super) use interleaved::Interleaved;

/// How many random states the guess is made from.
const STATES: usize = 4;

/// A function permutes states whose lanes alternate in memory.
#[derive(Clone, Copy)]
pub(super) struct Permutation {
    pub(super) name: &'static str,
    pub(super) symbol: &'static str,
    /// How many states are permuted.
    pub(super) states: u32,
    /// How many states there are in memory.
    pub(super) stride: u32,
    /// The standard's constants.
    pub(super) constants: fn() -> Constants,
}

const fn permutation(name: &'static str, symbol: &'static str, states: u32) -> Permutation {
    let stride = states;
    Permutation {
        name,
        symbol,
        states,
        stride,
        constants: Constants::new,
    }
}

impl Permutation {
    /// The permutations of each backend.
    pub(super) const X86_64: &[(&str, Self)] = &[
        ("portable", permutation("keccak", "portable_permute", 1)),
        ("bmi2", permutation("keccak", "bmi2_permute", 1)),
        ("avx2", permutation("keccak", "avx2_permute", 4)),
        ("avx512", permutation("keccak", "avx512_permute", 8)),
        (
            "avx512",
            Self {
                stride: 8,
                ..permutation("keccak-half", "avx512_permute_half", 4)
            },
        ),
    ];
    pub(super) const AARCH64: &[(&str, Self)] = &[
        ("portable", permutation("keccak", "portable_permute", 1)),
        ("neon", permutation("keccak", "neon_permute", 2)),
        ("sha3", permutation("keccak", "sha3_permute", 2)),
        (
            "sha3",
            permutation(
                "keccak-one",
                "moissanite_keccak::backend::sha3::permute_sha3::<1>",
                1,
            ),
        ),
    ];

    /// Returns the number of a lane in memory.
    fn at(&self, lane: u32, state: u32) -> u32 {
        self.stride * lane + state
    }

    /// Returns the lanes of the first state after checking that all others are treated like it.
    fn first_state(&self, out: &[Term]) -> Result<[Term; 25]> {
        let of = |state| (0..25).map(move |lane| out[self.at(lane, state) as usize]);
        let first: Vec<_> = of(0).collect();
        for state in 0..self.states {
            let lanes: Vec<_> = of(state).collect();
            for name in variables(&lanes) {
                ensure!(
                    name.group == "lane" && name.index % self.stride == state,
                    "state {state} depends on {name}"
                );
            }
            let renamed = |name: Name| variable(64, name.group, name.index - state);
            let mut renaming = Renaming::new(renamed);
            for (lane, (a, b)) in lanes.into_iter().zip(&first).enumerate() {
                let same = renaming.apply(a) == *b;
                ensure!(
                    same,
                    "state {state} is treated in another way, in lane {lane}"
                );
            }
        }
        first.try_into().ok().context("25 lanes")
    }
}

impl Claim for Permutation {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let state = Argument::in_place(inputs("lane", 25 * self.stride, 64));
        let call = Call::new(self.symbol, vec![state]);
        let out = executor.call(&call)?.values(&call, 0)?;
        let out = self.first_state(&out)?;
        let rounds = Rounds::new(self, &out);
        let complemented = rounds.prove(&out)?;
        Ok(format!(
            "24 rounds of 25 lanes in {} states; {complemented} lanes are kept complemented",
            self.states
        ))
    }
}

/// The terms of a permutation, by their values for random states.
struct Rounds {
    constants: Constants,
    /// The values of the lanes before the next round.
    lanes: [[u64; STATES]; 25],
    terms: FxHashMap<[u64; STATES], Term>,
    /// The terms of the lanes before the next round.
    cut: FxHashMap<Term, Formula>,
}

impl Rounds {
    fn new(permutation: &Permutation, out: &[Term; 25]) -> Self {
        let mut random = Random::new(5);
        let lanes: [[u64; STATES]; 25] =
            std::array::from_fn(|_| [0; STATES].map(|_| random.next()));
        let words = in_order(out, |_| false).into_iter();
        let words: Vec<_> = words.filter(|term| term.width() == 64).collect();
        let value = |name: Name| lanes[(name.index / permutation.stride) as usize].to_vec();
        let columns = Evaluation::of(&words).run(STATES, value);
        let mut terms = FxHashMap::default();
        for (term, column) in words.into_iter().zip(columns) {
            if let Ok(values) = column.try_into() {
                terms.entry(values).or_insert(term);
            }
        }
        let mut it = Self {
            constants: (permutation.constants)(),
            lanes,
            terms,
            cut: FxHashMap::default(),
        };
        for lane in 0..25 {
            it.cut_at(
                variable(64, "lane", permutation.at(lane, 0)),
                Formula::word(lane as u8),
            );
        }
        it
    }

    /// Takes a term, and its complement, for a lane or for the complement of one.
    fn cut_at(&mut self, term: Term, is: Formula) {
        self.cut.insert(term.not(), is.complement());
        self.cut.insert(term, is);
    }

    /// Proves all rounds, and returns how many lanes are kept complemented.
    fn prove(mut self, out: &[Term; 25]) -> Result<usize> {
        let before: [Formula; 25] = std::array::from_fn(|lane| Formula::word(lane as u8));
        let mut complemented = 0;
        for number in 0..24 {
            let expected = round(&before, number, &self.constants);
            self.lanes = self.next_values(number);
            let mut after = Vec::new();
            for lane in 0..25 {
                let values = self.lanes[lane];
                let (term, complement) = match self.terms.get(&values) {
                    Some(term) => (*term, false),
                    None => {
                        let found = self.terms.get(&values.map(|value| !value));
                        let message = || format!("lane {lane} after round {number} is no term");
                        (*found.with_context(message)?, true)
                    }
                };
                let mut formula = Formula::of_term(term, &self.cut)?;
                if complement {
                    formula = formula.complement();
                    complemented += 1;
                }
                ensure!(
                    formula.is(&expected[lane]),
                    "lane {lane} after round {number} is another one"
                );
                ensure!(
                    number < 23 || term == out[lane] && !complement,
                    "lane {lane} is not what the last round returns"
                );
                let mut is = Formula::word(lane as u8);
                if complement {
                    is = is.complement();
                }
                after.push((term, is));
            }
            self.cut.clear();
            for (term, is) in after {
                self.cut_at(term, is);
            }
        }
        Ok(complemented)
    }

    /// Returns the values of the lanes after a round.
    fn next_values(&self, number: usize) -> [[u64; STATES]; 25] {
        let mut next = [[0; STATES]; 25];
        for state in 0..STATES {
            let lanes = self.lanes.map(|values| values[state]);
            let lanes = round(&lanes, number, &self.constants);
            for (to, lane) in next.iter_mut().zip(lanes) {
                to[state] = lane;
            }
        }
        next
    }
}
