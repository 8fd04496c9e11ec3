//! What one run shows, kept or compared with what an earlier run with another secret showed.

use std::collections::BTreeMap;
use std::rc::Rc;

use anyhow::{Result, ensure};

use crate::code::mix;

/// Ways in which an instruction shows a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A conditional branch decides on it.
    Branch,
    /// It is divided, or divides.
    Division,
    /// It is the address of a load or a store, or of a jump or a call.
    Address,
}

pub(crate) const KINDS: [Kind; 3] = [Kind::Branch, Kind::Division, Kind::Address];

/// All values that one instruction showed in one way: how many, and a hash of them in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) count: u32,
    hash: u64,
}

/// Of each instruction that showed something.
type Step = BTreeMap<u32, [Shown; KINDS.len()]>;

/// What the first run did.
#[derive(Default)]
pub(crate) struct Record {
    /// Branches, and where they went, in order.
    path: Vec<(u32, u32)>,
    public: Vec<u8>,
    /// The operations, and what was shown in each.
    pub(crate) steps: Vec<(String, Step)>,
}

/// An instruction that showed different values for different secrets, and the operation.
pub(crate) type Finding = (u32, Kind, String);

/// What a run does with what it sees.
pub(crate) struct Trace {
    /// Of an earlier run.
    earlier: Option<Rc<Record>>,
    record: Record,
    now: Vec<[Shown; KINDS.len()]>,
    /// Those in `now` that are not zero.
    touched: Vec<u32>,
    path_at: usize,
    public_at: usize,
    pub(crate) findings: Vec<Finding>,
    /// Why nothing more can be compared.
    pub(crate) lost: Option<String>,
}

impl Trace {
    /// Of a program with so many instructions.
    pub(crate) fn new(instructions: usize, earlier: Option<Rc<Record>>) -> Self {
        Self {
            earlier,
            record: Record::default(),
            now: vec![Default::default(); instructions],
            touched: Vec::new(),
            path_at: 0,
            public_at: 0,
            findings: Vec::new(),
            lost: None,
        }
    }

    /// The next operation begins.
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
            // Before the first one, secrets are made.
            None => drop(step.collect::<Vec<_>>()),
        }
    }

    /// Instruction `at` shows `value`.
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

    /// The branch `at` went to `to`; to where it went in the first run.
    #[inline]
    pub(crate) fn went(&mut self, at: usize, to: u32) -> u32 {
        let Some(earlier) = &self.earlier else {
            self.record.path.push((at as u32, to));
            return to;
        };
        let expected = earlier.path.get(self.path_at);
        self.path_at += 1;
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
                self.lost
                    .get_or_insert_with(|| format!("the {}th branch is another one", self.path_at));
                to
            }
        }
    }

    /// These bytes are made public: those of the first run are.
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

    /// The end of the run: what it showed, and what it found.
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
            self.lost.is_none() || !self.findings.is_empty(),
            "nothing differs, but {}",
            self.lost.unwrap_or_default()
        );
        Ok((self.record, self.findings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program of three instructions: a loop over a public length; a branch on a secret bit, if it
    /// has one; a load at a secret index, if it has one.
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
        let first = program(Trace::new(3, None), 5, branches, indexes);
        let (record, nothing) = first.end().unwrap();
        assert_eq!(nothing, []);
        let second = Trace::new(3, Some(Rc::new(record)));
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
        let mut first = Trace::new(1, None);
        first.step("step".to_owned());
        let mut bytes = [1, 2];
        first.public(&mut bytes);
        let (record, _) = first.end().unwrap();
        let mut second = Trace::new(1, Some(Rc::new(record)));
        let mut bytes = [3, 4];
        second.public(&mut bytes);
        assert_eq!(bytes, [1, 2]);
        second.public(&mut bytes);
        assert!(second.lost.is_some());
    }

    /// A branch that goes elsewhere is sent where it went.
    #[test]
    fn runs_take_the_path_of_the_first_one() {
        let mut first = Trace::new(1, None);
        assert_eq!(first.went(0, 7), 7);
        let (record, _) = first.end().unwrap();
        let mut second = Trace::new(1, Some(Rc::new(record)));
        assert_eq!(second.went(0, 8), 7);
        assert_eq!(second.findings.len(), 1);
        assert_eq!(second.went(0, 8), 8);
        assert!(second.lost.is_some());
    }
}
