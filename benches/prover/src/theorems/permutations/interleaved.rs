//! Keccak-f\[1600\] on words of 32 bits is that of FIPS 202, round by round.
//!
//! A lane is two words in memory: its bits at even positions, and those at odd positions. Each word is rotated to
//! the right by a number of bits that belongs to its place: see [`behind`]. The claim is about this
//! representation of all states, before and after the permutation.
//!
//! As for lanes, words are searched by their values for a few random states, and what is proved is that they are
//! the formulas of the standard in the words before the round.

use anyhow::{Context, Result, ensure};
use rustc_hash::FxHashMap;

use super::formula::Formula;
use crate::evaluate::Evaluation;
use crate::machine::{Argument, Call, Executor};
use crate::random::Random;
use crate::specification::keccak::{Constants, Lane, round};
use crate::terms::{Name, Term, in_order, variable};
use crate::theorems::claim::{Claim, inputs};

/// How many random states the guess is made from.
const STATES: usize = 4;

/// A function permutes one state in this representation.
pub(in crate::theorems) struct Interleaved {
    pub(in crate::theorems) symbol: &'static str,
    /// The standard's constants.
    pub(in crate::theorems) constants: fn() -> Constants,
    /// By how many bits the words of a lane are rotated, with the even and with the odd bits.
    pub(in crate::theorems) behind: fn(&Constants) -> [[u32; 2]; 25],
}

impl Interleaved {
    pub(in crate::theorems) fn new(symbol: &'static str) -> Self {
        Self {
            symbol,
            constants: Constants::new,
            behind,
        }
    }
}

/// Returns the rotations of the words in memory.
///
/// The lane (x, y) is the sum of three lanes, which chi combines. The first of them comes by rho and pi from the
/// lane (x + 3y, x), to which theta adds the sum of column x + 3y − 1. This sum lacks the rotation of the first lane
/// of its column, and the rotation of rho is not done. The lane (0, 0) is not rotated.
pub(super) fn behind(constants: &Constants) -> [[u32; 2]; 25] {
    let mut behind = [[0; 2]; 25];
    for at in 1..25 {
        let (x, y) = (at % 5, at / 5);
        let from = (x + 3 * y) % 5;
        let rho = constants.offsets[from + 5 * x];
        let [even, odd] = behind[(from + 4) % 5];
        let words = if rho.is_multiple_of(2) {
            [even + rho / 2, odd + rho / 2]
        } else {
            [odd + rho / 2 + 1, even + rho / 2]
        };
        behind[at] = words.map(|by| by % 32);
    }
    behind
}

/// A lane as its even and its odd bits.
#[derive(Clone)]
struct Halves<W>([W; 2]);

/// Returns the bits at even positions, or those at odd ones.
pub(super) fn half(bits: u64, odd: usize) -> u64 {
    (0..32).fold(0, |word, at| word | (bits >> (2 * at + odd) & 1) << at)
}

impl<W: Lane> Lane for Halves<W> {
    fn of(bits: u64) -> Self {
        Self([0, 1].map(|odd| W::of(half(bits, odd))))
    }

    fn xor(&self, other: &Self) -> Self {
        let ([a, b], [c, d]) = (&self.0, &other.0);
        Self([a.xor(c), b.xor(d)])
    }

    fn and(&self, other: &Self) -> Self {
        let ([a, b], [c, d]) = (&self.0, &other.0);
        Self([a.and(c), b.and(d)])
    }

    /// Bit z goes to position z + offset, so an odd offset exchanges even and odd positions: bit 2i goes to
    /// 2 (i + (offset − 1) / 2) + 1, and bit 2i + 1 to 2 (i + (offset + 1) / 2).
    fn rotate(&self, offset: u32) -> Self {
        let [even, odd] = &self.0;
        let by = offset / 2;
        Self(match offset % 2 {
            0 => [even.rotate(by), odd.rotate(by)],
            _ => [odd.rotate(by + 1), even.rotate(by)],
        })
    }
}

/// Returns the number of a word in memory.
pub(super) fn number(lane: usize, odd: usize) -> u32 {
    (2 * lane + odd) as u32
}

/// Returns the lane of each word, and whether the word has the odd bits.
fn places() -> impl Iterator<Item = (usize, usize)> {
    (0..25).flat_map(|lane| [(lane, 0), (lane, 1)])
}

impl Claim for Interleaved {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let state = Argument::in_place(inputs("word", 50, 32));
        let call = Call::new(self.symbol, vec![state]);
        let out = executor.call(&call)?.values(&call, 0)?;
        let constants = (self.constants)();
        let behind = (self.behind)(&constants);
        let mut random = Random::new(5);
        let mut lanes: [[u64; STATES]; 25] =
            std::array::from_fn(|_| [0; STATES].map(|_| random.next()));
        let terms = by_value(&out, |name| {
            let (lane, odd) = (name.index as usize / 2, name.index as usize % 2);
            word(&lanes[lane], odd, behind[lane][odd]).to_vec()
        });
        let before: [Halves<Formula<32>>; 25] = std::array::from_fn(|lane| {
            Halves([0, 1].map(|odd| Formula::word(number(lane, odd) as u8)))
        });
        let stored = |formula: &Formula<32>, by: u32| formula.rotate(32 - by);
        let mut cut = FxHashMap::default();
        for (lane, odd) in places() {
            let term = variable(32, "word", number(lane, odd));
            cut.insert(term, stored(&before[lane].0[odd], behind[lane][odd]));
        }
        for step in 0..24 {
            let expected = round(&before, step, &constants);
            lanes = next(&lanes, step, &constants);
            let mut after = FxHashMap::default();
            for (lane, odd) in places() {
                let by = behind[lane][odd];
                let name = || format!("word {odd} of lane {lane} after round {step}");
                let found = terms.get(&word(&lanes[lane], odd, by));
                let term = *found.with_context(|| format!("{} is no term", name()))?;
                let formula = Formula::of_term(term, &cut)?;
                ensure!(
                    formula.is(&stored(&expected[lane].0[odd], by)),
                    "{} is another one",
                    name()
                );
                ensure!(
                    step < 23 || term == out[number(lane, odd) as usize],
                    "word {odd} of lane {lane} is not what the last round returns"
                );
                after.insert(term, stored(&before[lane].0[odd], by));
            }
            cut = after;
        }
        Ok("24 rounds of 25 lanes, each as its even and its odd bits".to_owned())
    }
}

/// Returns the values of a word in memory for the values of its lane.
fn word(lane: &[u64; STATES], odd: usize, behind: u32) -> [u64; STATES] {
    lane.map(|bits| (half(bits, odd) as u32).rotate_right(behind).into())
}

/// Returns the terms of 32 bits by their values.
fn by_value(out: &[Term], value: impl Fn(Name) -> Vec<u64>) -> FxHashMap<[u64; STATES], Term> {
    let words = in_order(out, |_| false).into_iter();
    let words: Vec<_> = words.filter(|term| term.width() == 32).collect();
    let columns = Evaluation::of(&words).run(STATES, value);
    let mut terms = FxHashMap::default();
    for (term, column) in words.into_iter().zip(columns) {
        if let Ok(values) = column.try_into() {
            terms.entry(values).or_insert(term);
        }
    }
    terms
}

/// Returns the values of the lanes after a round.
fn next(lanes: &[[u64; STATES]; 25], step: usize, constants: &Constants) -> [[u64; STATES]; 25] {
    let mut next = [[0; STATES]; 25];
    for state in 0..STATES {
        let lanes = round(&lanes.map(|values| values[state]), step, constants);
        for (to, lane) in next.iter_mut().zip(lanes) {
            to[state] = lane;
        }
    }
    next
}

#[test]
fn halves_are_rotated_like_lanes() {
    let mut random = Random::new(3);
    for offset in 0..64 {
        let lane = random.next();
        let halves = Halves::<Formula<32>>::of(lane).rotate(offset);
        for (odd, found) in halves.0.iter().enumerate() {
            let expected = half(lane.rotate_left(offset), odd);
            assert!(found.is(&Formula::of(expected)), "{offset}");
        }
    }
}
