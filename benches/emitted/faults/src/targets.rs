//! Where faults are injected.
//!
//! All functions other than those of [`ARITHMETIC`] decide. Their instructions that are executed at most once
//! for each polynomial of the matrix, in each of the two runs, are *decision code*: all faults are injected
//! into each execution. Those that are executed more often are in loops over bytes and coefficients. All faults
//! are injected there into some of the executions: the first, the last, and others at equal distances. These
//! loops are also sampled, with the arithmetic and Keccak.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Result, bail};
use moissanite::{MlDsa44, MlDsa65, MlDsa87, ParameterSet};
use moissanite_core::shape::Dim;

use crate::fault::Fault;
use crate::firmware::{Firmware, Instruction};

/// Parts of the names of functions that compute with coefficients, hash or copy, and do not decide. The
/// functions that decode z and apply the hint are not among them, because they also check.
const ARITHMETIC: [&str; 14] = [
    "moissanite_keccak::",
    "ntt_in_place",
    "::add_product",
    "take_accepted",
    "subtract_key",
    "stream::verify::challenge",
    "call_mut",
    "memcpy",
    "memset",
    "memclr",
    "unpack",
    "absorb_w1",
    "stream::fast",
    "sample::",
];

/// The most executions of an instruction of the decision code in both runs, for ML-DSA-44, -65 or -87.
pub(crate) fn most_of_decisions(set: &str) -> Result<usize> {
    fn most<P: ParameterSet>() -> usize {
        2 * P::K::N * P::L::N
    }
    Ok(match set {
        "ML-DSA-44" => most::<MlDsa44>(),
        "ML-DSA-65" => most::<MlDsa65>(),
        "ML-DSA-87" => most::<MlDsa87>(),
        _ => bail!("there is no parameter set {set}"),
    })
}

fn is_arithmetic(function: &str) -> bool {
    ARITHMETIC.iter().any(|part| function.contains(part))
}

/// An execution of an instruction.
pub(crate) struct Target {
    /// Its index in the trace.
    pub(crate) step: usize,
    /// The numbers of the faults, which are all faults if this is empty.
    chosen: Vec<u64>,
}

impl Target {
    pub(crate) fn faults(&self, instruction: &Instruction) -> Vec<Fault> {
        let all = Fault::all(instruction);
        if self.chosen.is_empty() {
            return all;
        }
        let index = |number: &u64| all[(number % all.len() as u64) as usize];
        self.chosen.iter().map(index).collect()
    }
}

/// Random numbers (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// The parts of the code that decides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Decision,
    Loop,
}

/// The executions of each instruction of a part of the code that decides, at most `most` of each.
pub(crate) fn decisions(
    firmware: &Firmware,
    trace: &[u32],
    most_of_decisions: usize,
    part: Part,
    most: usize,
) -> Vec<Target> {
    let mut steps: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    // The last instruction is that of `moissanite_stop`.
    for (step, at) in trace[..trace.len() - 1].iter().enumerate() {
        steps.entry(*at).or_default().push(step);
    }
    steps.retain(|at, steps| {
        let is_loop = steps.len() > most_of_decisions;
        !is_arithmetic(firmware.name((*at).into())) && is_loop == (part == Part::Loop)
    });
    let mut chosen: Vec<usize> = steps
        .values()
        .flat_map(|steps| spread(steps, most))
        .collect();
    chosen.sort_unstable();
    let target = |step| Target {
        step,
        chosen: Vec::new(),
    };
    chosen.into_iter().map(target).collect()
}

/// The first, the last, and others at equal distances.
pub(crate) fn spread(steps: &[usize], most: usize) -> Vec<usize> {
    if steps.len() <= most {
        return steps.to_vec();
    }
    if most == 0 {
        return Vec::new();
    }
    let last = (most - 1).max(1);
    (0..most)
        .map(|i| steps[i * (steps.len() - 1) / last])
        .collect()
}

/// Random faults of random executions in the arithmetic and in the loops.
pub(crate) fn samples(
    firmware: &Firmware,
    trace: &[u32],
    most_of_decisions: usize,
    count: usize,
    random: &mut Random,
) -> Vec<Target> {
    let mut executions = HashMap::<u32, usize>::new();
    for at in trace {
        *executions.entry(*at).or_default() += 1;
    }
    executions.retain(|at, count| {
        *count > most_of_decisions || is_arithmetic(firmware.name((*at).into()))
    });
    let is_sampled = |at: u32| executions.contains_key(&at);
    let mut steps = BTreeMap::<usize, Vec<u64>>::new();
    let mut left = count;
    while left > 0 {
        let step = random.below(trace.len());
        if is_sampled(trace[step]) {
            steps.entry(step).or_default().push(random.next());
            left -= 1;
        }
    }
    let targets = steps.into_iter();
    targets
        .map(|(step, chosen)| Target { step, chosen })
        .collect()
}
