//! The trace of one run: the values that its instructions reveal. The trace of the first run is kept, and
//! those of runs with other secrets are compared with it.

use std::collections::BTreeMap;
use std::rc::Rc;

use anyhow::{Result, ensure};

use crate::code::mix;

/// The ways in which an instruction reveals a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A conditional branch decides on it.
    Branch,
    /// It is the dividend or the divisor of a division.
    Division,
    /// It is the address of a load or a store, or of a jump or a call.
    Address,
}

pub(crate) const KINDS: [Kind; 3] = [Kind::Branch, Kind::Division, Kind::Address];

/// All values that one instruction revealed in one way: their number, and a hash of them in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) count: u32,
    hash: u64,
}

/// The values that each instruction revealed during one operation, by the index of the instruction.
type Step = BTreeMap<u32, [Shown; KINDS.len()]>;

/// The trace of the first run.
#[derive(Default)]
pub(crate) struct Record {
    /// A hash of the branches and their targets, in order.
    path: u64,
    /// The branches and their targets, in order, if other runs are to follow them.
    branches: Vec<(u32, u32)>,
    public: Vec<u8>,
    /// The operations, with the values that each revealed.
    pub(crate) steps: Vec<(String, Step)>,
}

impl Record {
    /// Whether two runs took the same branches.
    pub(crate) fn has_path_of(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

/// What a run does at a branch that an earlier one took to another target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Branches {
    /// It takes its own path. Only a hash of the path is kept.
    OwnPath,
    /// It goes where the earlier run went, so that all that comes after can be compared. The earlier run must
    /// have recorded its branches, with this same value.
    OfFirstRun,
}

/// An instruction that revealed different values for different secrets, the way, and the operation.
pub(crate) type Finding = (u32, Kind, String);

/// The trace of a run that is under way.
pub(crate) struct Trace {
    /// The trace of the first run, if this is another one.
    earlier: Option<Rc<Record>>,
    pub(crate) branches: Branches,
    record: Record,
    now: Vec<[Shown; KINDS.len()]>,
    /// The indexes of the entries of `now` that are not zero.
    touched: Vec<u32>,
    branches_at: usize,
    public_at: usize,
    pub(crate) findings: Vec<Finding>,
    /// The reason why the runs can no longer be compared.
    pub(crate) lost: Option<String>,
}

impl Trace {
    /// Returns an empty trace of a program with this number of instructions.
    pub(crate) fn new(
        instructions: usize,
        branches: Branches,
        earlier: Option<Rc<Record>>,
    ) -> Self {
        Self {
            earlier,
            branches,
            record: Record::default(),
            now: vec![Default::default(); instructions],
            touched: Vec::new(),
            branches_at: 0,
            public_at: 0,
            findings: Vec::new(),
            lost: None,
        }
    }

    /// Begins the next operation.
    pub(crate) fn step(&mut self, name: String) {
        self.end_step();
        self.record.steps.push((name, Step::new()));
    }

    fn end_step(&mut self) {
        let touched = std::mem::take(&mut self.touched);
        let step = touched
            .into_iter()
            .map(|at| (at, std::mem::take(&mut self.now[at as usize])));
        match self.record.steps.last_mut() {
            Some((_, last)) => *last = step.collect(),
            // Before the first operation, the probe makes secrets.
            None => drop(step.collect::<Vec<_>>()),
        }
    }

    /// Records that the instruction `at` reveals `value`.
    #[inline]
    pub(crate) fn shows(&mut self, at: usize, kind: Kind, value: u64) {
        let all = &mut self.now[at];
        if all.iter().all(|shown| shown.count == 0) {
            self.touched.push(at as u32);
        }
        let shown = &mut all[kind as usize];
        shown.count = shown.count.wrapping_add(1);
        shown.hash = mix(shown.hash, value);
    }

    /// Records that the branch `at` goes to `to`, and returns where it has to go.
    #[inline]
    pub(crate) fn went(&mut self, at: usize, to: u32) -> u32 {
        self.record.path = mix(self.record.path, (at as u64) << 32 | u64::from(to));
        if self.branches == Branches::OwnPath {
            return to;
        }
        let Some(earlier) = &self.earlier else {
            self.record.branches.push((at as u32, to));
            return to;
        };
        let expected = earlier.branches.get(self.branches_at);
        self.branches_at += 1;
        match expected {
            Some((branch, expected)) if *branch as usize == at => {
                if *expected != to {
                    let step = self.record.steps.last();
                    let name = step.map(|(name, _)| name.clone()).unwrap_or_default();
                    self.findings.push((at as u32, Kind::Branch, name));
                }
                *expected
            }
            _ => {
                self.lost.get_or_insert_with(|| {
                    format!("the {}th branch is another one", self.branches_at)
                });
                to
            }
        }
    }

    /// Records bytes that become public, or replaces them by those of the first run.
    pub(crate) fn public(&mut self, bytes: &mut [u8]) {
        let end = self.public_at + bytes.len();
        match &self.earlier {
            None => self.record.public.extend_from_slice(bytes),
            Some(earlier) => match earlier.public.get(self.public_at..end) {
                Some(public) => bytes.copy_from_slice(public),
                None => self.lost = Some("more is made public than before".to_owned()),
            },
        }
        self.public_at = end;
    }

    /// Ends the run, and returns its trace and the differences from the first run. They mean something only if
    /// both runs took the same branches.
    pub(crate) fn end(mut self) -> Result<(Record, Vec<Finding>)> {
        self.end_step();
        let Some(earlier) = self.earlier.take() else {
            return Ok((self.record, Vec::new()));
        };
        for ((name, before), (_, now)) in earlier.steps.iter().zip(&self.record.steps) {
            let unlike = before
                .keys()
                .chain(now.keys().filter(|at| !before.contains_key(at)));
            for at in unlike {
                let (a, b) = (before.get(at), now.get(at));
                let [a, b] = [a, b].map(|shown| shown.copied().unwrap_or_default());
                let kinds = KINDS.into_iter().zip(a.iter().zip(&b));
                let unlike = kinds.filter(|(_, (a, b))| a != b);
                self.findings
                    .extend(unlike.map(|(kind, _)| (*at, kind, name.clone())));
            }
        }
        self.findings.sort();
        self.findings.dedup();
        ensure!(
            self.branches == Branches::OwnPath || self.lost.is_none() || !self.findings.is_empty(),
            "nothing differs, but {}",
            self.lost.unwrap_or_default()
        );
        Ok((self.record, self.findings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program of three instructions: a loop over a public length, a branch on a secret bit if `branches`,
    /// and a load whose index is secret if `indexes`.
    fn program(mut trace: Trace, secret: u64, branches: bool, indexes: bool) -> Trace {
        trace.step("step".to_owned());
        for i in (0..4).rev() {
            if branches {
                let bit = secret >> i & 1;
                trace.shows(1, Kind::Branch, bit);
                trace.went(1, bit as u32);
            }
            trace.shows(2, Kind::Address, if indexes { secret } else { i });
            trace.shows(0, Kind::Branch, i);
            trace.went(0, u32::from(i != 0));
        }
        trace
    }

    fn findings(branches: bool, indexes: bool) -> Vec<(u32, Kind)> {
        let trace = |earlier| Trace::new(3, Branches::OfFirstRun, earlier);
        let first = program(trace(None), 5, branches, indexes);
        let (record, nothing) = first.end().unwrap();
        assert_eq!(nothing, []);
        let second = trace(Some(Rc::new(record)));
        let (_, findings) = program(second, 6, branches, indexes).end().unwrap();
        findings
            .into_iter()
            .map(|(at, kind, _)| (at, kind))
            .collect()
    }

    #[test]
    fn a_secret_branch_and_a_secret_index_are_found() {
        assert_eq!(findings(false, false), []);
        assert_eq!(findings(true, false), [(1, Kind::Branch)]);
        assert_eq!(findings(false, true), [(2, Kind::Address)]);
        let both = [(1, Kind::Branch), (2, Kind::Address)];
        assert_eq!(findings(true, true), both);
    }

    #[test]
    fn what_is_public_is_that_of_the_first_run() {
        let mut first = Trace::new(1, Branches::OwnPath, None);
        first.step("step".to_owned());
        let mut bytes = [1, 2];
        first.public(&mut bytes);
        let (record, _) = first.end().unwrap();
        let mut second = Trace::new(1, Branches::OwnPath, Some(Rc::new(record)));
        let mut bytes = [3, 4];
        second.public(&mut bytes);
        assert_eq!(bytes, [1, 2]);
        second.public(&mut bytes);
        assert!(second.lost.is_some());
    }

    #[test]
    fn another_path_has_another_hash() {
        let record = |secret| {
            let trace = Trace::new(3, Branches::OwnPath, None);
            program(trace, secret, true, false).end().unwrap().0
        };
        assert!(record(5).has_path_of(&record(5)));
        assert!(!record(5).has_path_of(&record(6)));
        assert!(record(5).branches.is_empty());
    }

    /// A branch with another target continues at that of the first run.
    #[test]
    fn runs_take_the_path_of_the_first_one() {
        let mut first = Trace::new(1, Branches::OfFirstRun, None);
        assert_eq!(first.went(0, 7), 7);
        let (record, _) = first.end().unwrap();
        let mut second = Trace::new(1, Branches::OfFirstRun, Some(Rc::new(record)));
        assert_eq!(second.went(0, 8), 7);
        assert_eq!(second.findings.len(), 1);
        assert_eq!(second.went(0, 8), 8);
        assert!(second.lost.is_some());
    }
}
