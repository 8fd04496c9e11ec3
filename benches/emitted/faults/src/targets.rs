//! Where faults are injected.
//!
//! The arithmetic and Keccak, which are the functions of [`ARITHMETIC`], are sampled. All other code decides.
//! There, all faults are injected into each execution of an instruction, or into some of the executions if
//! there are many: the first, the last, and others at equal distances.

use std::collections::BTreeMap;

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

pub(crate) fn is_arithmetic(function: &str) -> bool {
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

/// The executions of each instruction that decides, at most this number of each.
pub(crate) fn decisions(firmware: &Firmware, trace: &[u32], most: usize) -> Vec<Target> {
    let mut steps: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    // The last instruction is that of `moissanite_stop`.
    for (step, at) in trace[..trace.len() - 1].iter().enumerate() {
        if !is_arithmetic(firmware.name((*at).into())) {
            steps.entry(*at).or_default().push(step);
        }
    }
    let mut chosen: Vec<usize> = steps.values().flat_map(|steps| spread(steps, most)).collect();
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
    (0..most).map(|i| steps[i * (steps.len() - 1) / last]).collect()
}

/// Random faults of random executions in the arithmetic.
pub(crate) fn samples(
    firmware: &Firmware,
    trace: &[u32],
    count: usize,
    random: &mut Random,
) -> Vec<Target> {
    let is_sampled = |at: u32| is_arithmetic(firmware.name(at.into()));
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
    targets.map(|(step, chosen)| Target { step, chosen }).collect()
}
