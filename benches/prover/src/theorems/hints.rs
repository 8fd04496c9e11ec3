//! The steps of HintBitPack and HintBitUnpack: FIPS 204, Algorithms 20 and 21.
//!
//! An encoding is public, also the one that a signature becomes: branches and addresses may depend on it.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};

use super::claim::{Claim, inputs};
use super::requirements::{Condition, Requirements, alternatives};
use crate::evaluate::Evaluation;
use crate::machine::{Argument, Call, Executor};
use crate::specification::{N, hints};
use crate::terms::{Term, choose, constant, join, mask, variable};

/// What a step returns if the encoding is malformed.
const MALFORMED: u64 = mask(32);

/// For each eight coefficients, which are 8g to 8g + 7 for all g, and each number of positions before them: the
/// positions of the ones follow in their order, as far as there is room, and the number of all of them is
/// returned. The other positions stay, except for the one after the last.
pub(super) struct PackEight {
    /// The number of positions that there is room for.
    pub(super) omega: usize,
    /// What is added to each position, and to the number: 0, but for a wrong claim.
    pub(super) shift: u64,
    pub(super) more: u64,
    /// Whether the last position comes first: only in a wrong claim.
    pub(super) reversed: bool,
}

impl PackEight {
    pub(super) fn new(omega: usize) -> Self {
        Self {
            omega,
            shift: 0,
            more: 0,
            reversed: false,
        }
    }

    /// Returns the ones among eight coefficients.
    fn ones(&self, eight: u64) -> Vec<u64> {
        let mut ones: Vec<_> = (0..8).filter(|bit| eight >> bit & 1 == 1).collect();
        if self.reversed {
            ones.reverse();
        }
        ones
    }
}

impl Claim for PackEight {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let first = join(&[constant(3, 0), variable(5, "group", 0)]);
        let old = inputs("old", self.omega as u32, 8);
        let mut checked = BTreeSet::new();
        let mut cases = 0;
        for eight in 0..256 {
            let coefficients = (0..8).map(|bit| constant(8, eight >> bit & 1));
            let coefficients: Vec<_> = coefficients.collect();
            let ones = self.ones(eight);
            for index in 0..=self.omega {
                let arguments = vec![
                    Argument::read_only(coefficients.clone()),
                    Argument::Value(first.zero_extend(64)),
                    Argument::in_place(old.clone()),
                    Argument::number(self.omega as u64),
                    Argument::number(index as u64),
                ];
                let call = Call::with_result("steps_pack_eight", arguments);
                let mut outcome = executor.call(&call)?;
                let number = outcome.result.slice(0, 32).value();
                let end = index + ones.len();
                ensure!(
                    number == Some(end as u64 + self.more),
                    "after {} ones and {index} positions, the number is {number:?}",
                    ones.len()
                );
                let positions = outcome.values(&call, 2)?;
                for (at, position) in positions.into_iter().enumerate() {
                    if at < index || at > end {
                        ensure!(position == old[at], "position {at} is changed");
                    } else if at < end {
                        let one = ones[at - index] + self.shift;
                        if checked.insert((position, one)) {
                            check_position(position, one)?;
                        }
                    }
                }
                cases += 1;
            }
        }
        Ok(format!(
            "{cases} cases; {} different terms, each for all 32 groups of eight",
            checked.len()
        ))
    }
}

/// Checks that a term is 8g and a number, for all g.
fn check_position(term: Term, number: u64) -> Result<()> {
    let name = crate::terms::Name {
        group: "group",
        index: 0,
    };
    let names = crate::terms::variables(&[term]);
    ensure!(
        names.iter().all(|other| *other == name),
        "a position is {term}"
    );
    let groups: Vec<u64> = (0..32).collect();
    let columns = Evaluation::of(&[term]).run(groups.len(), |_| groups.clone());
    for (group, position) in groups.iter().zip(&columns[0]) {
        ensure!(
            *position == 8 * group + number,
            "a position of group {group} is {position} instead of {}",
            8 * group + number
        );
    }
    Ok(())
}

/// For each number of positions of the polynomials before, each counter and all positions: the polynomial is
/// accepted exactly if the counter is valid and its positions increase. Then the coefficients at its positions
/// are ones, the others stay, and the counter is returned.
pub(super) struct UnpackRow {
    pub(super) omega: usize,
    pub(super) is_counter: fn(usize, usize, usize) -> bool,
    pub(super) may_follow: fn(u64, u64) -> bool,
    /// What is written: 1, but for a wrong claim.
    pub(super) one: u64,
}

impl UnpackRow {
    pub(super) fn new(omega: usize) -> Self {
        Self {
            omega,
            is_counter: hints::is_counter,
            may_follow: hints::may_follow,
            one: 1,
        }
    }
}

impl Claim for UnpackRow {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let positions = inputs("position", self.omega as u32, 8);
        let old = inputs("old", N as u32, 8);
        let mut requirements = Requirements::new("position", Condition::OfTwo(self.may_follow));
        let mut cases = 0;
        for index in 0..=self.omega {
            let mut expected = old.clone();
            for counter in 0..256 {
                if let Some(position) = positions.get(..counter).and_then(<[Term]>::last)
                    && counter > index
                {
                    set(&mut expected, *position, constant(8, self.one));
                }
                let arguments = vec![
                    Argument::read_only(positions.clone()),
                    Argument::number(self.omega as u64),
                    Argument::number(index as u64),
                    Argument::number(counter as u64),
                    Argument::in_place(old.clone()),
                ];
                let call = Call::with_result("steps_unpack_row", arguments);
                let is_counter = (self.is_counter)(index, counter, self.omega);
                cases += executor.each_case(&call, |outcome| {
                    let result = outcome.result.slice(0, 32);
                    for (result, assumed) in alternatives(result, &outcome.assumed) {
                        let accepted = is_accepted(result, counter as u64)?;
                        if !is_counter {
                            ensure!(!accepted, "counter {counter} after {index} is accepted");
                            continue;
                        }
                        let required = (index as u32 + 1)..counter as u32;
                        let checked = requirements.check(required, accepted, &assumed);
                        checked.with_context(|| format!("counter {counter} after {index}"))?;
                        if accepted {
                            let h = outcome.values(&call, 4)?;
                            let other = (0..N).find(|j| h[*j] != expected[*j]);
                            let text = || other.map(|j| format!("coefficient {j} is {}", h[j]));
                            ensure!(other.is_none(), "{}", text().unwrap_or_default());
                        }
                    }
                    Ok(())
                })?;
            }
        }
        Ok(format!("{cases} cases, each for all positions"))
    }
}

/// Writes a value at an index.
fn set(table: &mut [Term], index: Term, value: Term) {
    for (at, entry) in table.iter_mut().enumerate() {
        let is_this = index.equals(constant(index.width(), at as u64));
        *entry = choose(is_this, value, *entry);
    }
}

/// Whether a step returns what it returns for a valid encoding.
fn is_accepted(result: Term, valid: u64) -> Result<bool> {
    match result.value() {
        Some(MALFORMED) => Ok(false),
        Some(value) if value == valid => Ok(true),
        _ => anyhow::bail!("it returns {result} instead of {valid}"),
    }
}

/// For each number of positions of all polynomials: the encoding is accepted exactly if all bytes after them are
/// zero.
pub(super) struct UnpackRest {
    pub(super) omega: usize,
    pub(super) may_be_unused: fn(u64) -> bool,
    /// How many of the bytes are not checked: 0, but for a wrong claim.
    pub(super) unchecked: usize,
}

impl UnpackRest {
    pub(super) fn new(omega: usize) -> Self {
        Self {
            omega,
            may_be_unused: hints::may_be_unused,
            unchecked: 0,
        }
    }
}

impl Claim for UnpackRest {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let positions = inputs("position", self.omega as u32, 8);
        let mut requirements = Requirements::new("position", Condition::OfOne(self.may_be_unused));
        let mut cases = 0;
        for index in 0..=self.omega {
            let arguments = vec![
                Argument::read_only(positions.clone()),
                Argument::number(self.omega as u64),
                Argument::number(index as u64),
            ];
            let call = Call::with_result("steps_unpack_rest", arguments);
            let required = (index + self.unchecked).min(self.omega) as u32..self.omega as u32;
            cases += executor.each_case(&call, |outcome| {
                let result = outcome.result.slice(0, 32);
                for (result, assumed) in alternatives(result, &outcome.assumed) {
                    let accepted = is_accepted(result, 0)?;
                    let checked = requirements.check(required.clone(), accepted, &assumed);
                    checked.with_context(|| format!("from position {index} on"))?;
                }
                Ok(())
            })?;
        }
        Ok(format!("{cases} cases, each for all positions"))
    }
}
