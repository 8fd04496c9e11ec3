//! States of the execution without a fault, with which an execution after a fault is compared.
//!
//! An execution whose state is again that without the fault has its verdict, too. So has one that differs only
//! in hashes of what the signature is compared with: nothing but their value depends on them, and another
//! value is not the expected one.

use crate::machine::State;
use crate::registers::{LR, PC, SP};

/// The state at the entry of a function.
pub(crate) struct Checkpoint {
    /// The index in the trace.
    pub(crate) step: usize,
    registers: [u32; PC + 1],
    /// The memory from the stack pointer on.
    live: Box<[u8]>,
    hashes: Option<Hashes>,
}

/// The number of readings of a piece after a fault with which the execution is compared. After them, it is
/// compared where it reads the next polynomial of z.
const READINGS: usize = 2;

/// The checkpoints of an execution, in order.
#[derive(Default)]
pub(crate) struct Checkpoints {
    /// The readings of a piece of z or t₁.
    pub(crate) readings: Vec<Checkpoint>,
    /// The readings of a polynomial of z.
    pub(crate) polynomials: Vec<Checkpoint>,
}

impl Checkpoints {
    /// Those for a fault at a step, before the end of its run.
    pub(crate) fn after(&self, step: usize, end: usize) -> impl Iterator<Item = &Checkpoint> {
        let readings = between(&self.readings, step, end);
        let readings = readings[..readings.len().min(READINGS)].iter();
        let from = readings.clone().next_back().map_or(step, |last| last.step);
        readings.chain(between(&self.polynomials, from, end))
    }
}

/// The checkpoints after a step and before another one.
fn between(checkpoints: &[Checkpoint], from: usize, end: usize) -> &[Checkpoint] {
    let first = checkpoints.partition_point(|checkpoint| checkpoint.step <= from);
    let last = checkpoints.partition_point(|checkpoint| checkpoint.step < end);
    checkpoints.get(first..last).unwrap_or_default()
}

/// The hashes among the memory.
struct Hashes {
    /// The bytes of the hash of μ and w₁, of the hash of the key, and of tr: those that differ if the message
    /// or a bit of t₁ is another.
    of_all: Vec<bool>,
    /// The bytes of the hash of μ and w₁, and their values if the signature were valid, if these are known.
    right: Option<Vec<(usize, u8)>>,
}

/// What an execution after a fault is at a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// That without the fault.
    Same,
    /// The same, except for hashes that are not the right ones.
    OtherHash,
    Other,
}

impl Checkpoint {
    pub(crate) fn new(step: usize, state: &State) -> Self {
        let mut registers = [0; PC + 1];
        registers.copy_from_slice(&state.registers[..=PC]);
        Self {
            step,
            registers,
            live: state.live().into(),
            hashes: None,
        }
    }

    /// The address and the stack pointer.
    pub(crate) fn place(&self) -> (u64, u32) {
        (self.registers[PC].into(), self.registers[SP])
    }

    /// Finds the hashes: by the states at the same checkpoint with two other messages, with two other keys, and
    /// with the valid signature.
    pub(crate) fn learn(&mut self, messages: &[&State], keys: &[&State], valid: Option<&State>) {
        let is_comparable = |state: &&&State| state.live().len() == self.live.len();
        let differs = |states: &[&State], at: usize| {
            let mut states = states.iter().filter(is_comparable);
            states.any(|state| state.live()[at] != self.live[at])
        };
        let indices = 0..self.live.len();
        let of_all = indices
            .clone()
            .map(|at| differs(messages, at) || differs(keys, at))
            .collect();
        let right = valid.as_ref().filter(is_comparable).map(|valid| {
            let hash = indices.filter(|at| differs(messages, *at));
            hash.map(|at| (at, valid.live()[at])).collect()
        });
        self.hashes = Some(Hashes { of_all, right });
    }

    pub(crate) fn compare(&self, state: &State) -> Comparison {
        // The other register, r12, and the flags are not read at the entry of a function (AAPCS32).
        let same = |range: std::ops::RangeInclusive<usize>| {
            state.registers[range.clone()] == self.registers[range]
        };
        if !same(0..=11) || !same(SP..=LR) {
            return Comparison::Other;
        }
        let live = state.live();
        if *live == *self.live {
            return Comparison::Same;
        }
        let Some(hashes) = &self.hashes else {
            return Comparison::Other;
        };
        let mut all = live.iter().zip(&self.live).zip(&hashes.of_all);
        let only_hashes = all.all(|((found, expected), is_hash)| found == expected || *is_hash);
        let right = hashes.right.as_ref();
        let is_right = right.is_some_and(|right| right.iter().all(|(at, byte)| live[*at] == *byte));
        if only_hashes && !is_right {
            Comparison::OtherHash
        } else {
            Comparison::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{RAM, RAM_LEN};

    fn state(first: [u8; 4]) -> State {
        let mut ram = vec![0; RAM_LEN];
        ram[RAM_LEN - 4..].copy_from_slice(&first);
        let mut state = State::call(8, &[], ram.into());
        state.registers[SP] = (RAM as usize + RAM_LEN - 4) as u32;
        state
    }

    #[test]
    fn a_right_hash_and_other_memory_are_not_passed_over() {
        let mut checkpoint = Checkpoint::new(0, &state([1, 2, 3, 4]));
        assert_eq!(checkpoint.compare(&state([1, 2, 3, 4])), Comparison::Same);
        assert_eq!(checkpoint.compare(&state([9, 2, 3, 4])), Comparison::Other);
        // The first byte is of the hash of the message, and the second one is of the key.
        checkpoint.learn(
            &[&state([5, 2, 3, 4])],
            &[&state([1, 6, 3, 4])],
            Some(&state([7, 2, 3, 4])),
        );
        assert_eq!(
            checkpoint.compare(&state([9, 2, 3, 4])),
            Comparison::OtherHash
        );
        assert_eq!(
            checkpoint.compare(&state([1, 9, 3, 4])),
            Comparison::OtherHash
        );
        assert_eq!(checkpoint.compare(&state([7, 9, 3, 4])), Comparison::Other);
        assert_eq!(checkpoint.compare(&state([9, 2, 9, 4])), Comparison::Other);
        let mut register = state([9, 2, 3, 4]);
        register.registers[4] = 1;
        assert_eq!(checkpoint.compare(&register), Comparison::Other);
    }
}
