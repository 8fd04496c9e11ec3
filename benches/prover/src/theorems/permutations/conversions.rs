//! The conversions between the bytes of SHAKE and the words of [`super::Interleaved`].
//!
//! The results are affine over GF(2): by the nodes that they are made of, each bit is a sum of some bits of the
//! inputs and a constant. Such functions are equal if they are equal for zero and for each input with one bit.

use anyhow::{Result, bail, ensure};
use rustc_hash::FxHashMap;

use super::interleaved::{behind, half, number};
use crate::evaluate::Evaluation;
use crate::machine::{Argument, Call, Executor};
use crate::specification::keccak::Constants;
use crate::terms::{Name, Node, Term, constant, in_order};
use crate::theorems::claim::{Claim, inputs};

/// The bytes of a block of SHAKE128.
const RATE: usize = 168;
/// The words of a state.
const WORDS: usize = 50;

/// For all states and messages: SHAKE128 adds 167 bytes to the state, from its first byte on, or returns the 168
/// bytes of a block.
pub(in crate::theorems) struct Conversion {
    symbol: String,
    absorbs: bool,
    /// See [`super::Interleaved`].
    pub(in crate::theorems) behind: fn(&Constants) -> [[u32; 2]; 25],
}

impl Conversion {
    pub(in crate::theorems) fn absorb(backend: &str) -> Self {
        Self {
            symbol: format!("{backend}_absorb"),
            absorbs: true,
            behind,
        }
    }

    pub(in crate::theorems) fn squeeze(backend: &str) -> Self {
        Self {
            symbol: format!("{backend}_squeeze"),
            absorbs: false,
            behind,
        }
    }

    /// Returns the results for words and bytes: the words of the state, or the bytes as lanes.
    fn expected(&self, words: &[u64], bytes: &[u64]) -> Vec<u64> {
        let behind = (self.behind)(&Constants::new());
        let mut state = words.to_vec();
        let mut lanes = Vec::new();
        for (lane, behind) in behind.into_iter().enumerate() {
            let word = |odd: usize| number(lane, odd) as usize;
            let message = (0..8).fold(0, |bits, byte| {
                bits | bytes.get(8 * lane + byte).unwrap_or(&0) << (8 * byte)
            });
            let mut joined = 0;
            for (odd, by) in behind.into_iter().enumerate() {
                let bits = (words[word(odd)] as u32).rotate_left(by);
                for at in 0..32 {
                    joined |= u64::from(bits >> at & 1) << (2 * at + odd as u32);
                }
                let added = (half(message, odd) as u32).rotate_right(by);
                state[word(odd)] ^= u64::from(added);
            }
            lanes.push(joined);
        }
        lanes.truncate(RATE / 8);
        if self.absorbs { state } else { lanes }
    }
}

/// Checks that each bit of the terms is a sum of bits of inputs and a constant.
fn check_affine(terms: &[Term]) -> Result<()> {
    for term in in_order(terms, |_| false) {
        let affine = match &*term.node() {
            Node::Constant(_)
            | Node::Variable(_)
            | Node::Slice { .. }
            | Node::Join(_)
            | Node::SignExtend(_)
            | Node::Xor(..)
            | Node::Not(_)
            | Node::Rotate(..) => true,
            Node::And(a, b) | Node::Or(a, b) => a.is_constant() || b.is_constant(),
            _ => false,
        };
        ensure!(affine, "a conversion computes {term}");
    }
    Ok(())
}

impl Claim for Conversion {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let count = if self.absorbs { RATE - 1 } else { 0 };
        let (words, bytes) = (inputs("word", 50, 32), inputs("byte", count as u32, 8));
        // The number of bytes of the block so far follows the state.
        let mut state = words.clone();
        state.extend([constant(32, 0); 2]);
        let other = match self.absorbs {
            true => Argument::read_only(bytes.clone()),
            false => Argument::Output {
                count: RATE as u32 / 8,
                width: 64,
            },
        };
        let call = Call::new(&self.symbol, vec![Argument::in_place(state), other]);
        let mut outcome = executor.call(&call)?;
        let after = outcome.values(&call, 0)?;
        let results = match self.absorbs {
            true => after[..WORDS].to_vec(),
            false => outcome.values(&call, 1)?,
        };
        ensure!(
            after[WORDS].value() == Some(if self.absorbs { count } else { RATE } as u64),
            "the number of bytes is {}",
            after[WORDS]
        );
        check_affine(&results)?;
        // Zero, and each input with one bit.
        let terms: Vec<_> = words.iter().chain(&bytes).copied().collect();
        let mut units = vec![vec![0; terms.len()]];
        for (at, term) in terms.iter().enumerate() {
            for bit in 0..term.width() {
                let mut unit = vec![0; terms.len()];
                unit[at] = 1 << bit;
                units.push(unit);
            }
        }
        let mut places = FxHashMap::default();
        for (at, term) in terms.iter().enumerate() {
            let Node::Variable(name) = *term.node() else {
                bail!("an input is no variable");
            };
            places.insert(name, at);
        }
        let input = |name: Name| units.iter().map(|unit| unit[places[&name]]).collect();
        let columns = Evaluation::of(&results).run(units.len(), input);
        for (number, unit) in units.iter().enumerate() {
            let (words, bytes) = unit.split_at(WORDS);
            let expected = self.expected(words, bytes);
            for (at, (column, expected)) in columns.iter().zip(&expected).enumerate() {
                ensure!(
                    column[number] == *expected,
                    "result {at} of input {number} is {:#x} instead of {expected:#x}",
                    column[number]
                );
            }
        }
        Ok(format!(
            "{} results, each affine and equal for {} inputs",
            results.len(),
            units.len()
        ))
    }
}
