//! The findings, and the numbers of checked instructions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::code::Flow;
use crate::program::Program;
use crate::trace::{Finding, KINDS, Kind, Record};

/// The numbers of instructions of one kind.
#[derive(Default)]
struct Count {
    /// All instructions in functions that were at least partly executed.
    there: usize,
    executed: usize,
    unexplained: usize,
}

/// The report on one program and backend.
#[derive(Default)]
pub(crate) struct Report {
    /// The kinds of values that were recorded at each instruction.
    shown: BTreeMap<u32, [bool; KINDS.len()]>,
    /// The operations in which each finding occurred.
    findings: BTreeMap<(u32, Kind), BTreeSet<String>>,
}

impl Report {
    pub(crate) fn saw(&mut self, record: &Record) {
        for (at, all) in record.steps.iter().flat_map(|(_, step)| step) {
            let shown = self.shown.entry(*at).or_default();
            for (shown, now) in shown.iter_mut().zip(all) {
                *shown |= now.count > 0;
            }
        }
    }

    pub(crate) fn found(&mut self, scheme: &str, findings: Vec<Finding>) {
        for (at, kind, step) in findings {
            let places = self.findings.entry((at, kind)).or_default();
            places.insert(format!("{scheme}, {step}"));
        }
    }

    /// Returns the functions with findings and the kinds of these.
    pub(crate) fn functions(&self, program: &Program) -> BTreeSet<(String, Kind)> {
        let function = |(at, kind): &(u32, Kind)| {
            let at = program.instructions[*at as usize].at;
            let name = program.function(at).map(|function| function.name.clone());
            (name.unwrap_or_default(), *kind)
        };
        self.findings.keys().map(function).collect()
    }

    /// Returns one line for each finding.
    pub(crate) fn lines(&self, program: &Program) -> Vec<String> {
        let line = |((at, kind), places): (&(u32, Kind), &BTreeSet<String>)| {
            let instruction = &program.instructions[*at as usize];
            let function = program.function(instruction.at);
            let name = function.map_or("?", |function| &function.name);
            let offset = instruction.at - function.map_or(0, |function| function.code.start);
            let first = places.first().map_or("", |place| place);
            let more = match places.len() {
                1 => String::new(),
                places => format!(" and {} more", places - 1),
            };
            format!(
                "{kind}: {name} + {offset:#x}: {}  [{first}{more}]",
                instruction.text
            )
        };
        self.findings.iter().map(line).collect()
    }

    /// Returns the numbers of instructions of each kind, in words.
    pub(crate) fn sums(&self, program: &Program) -> String {
        let entered: BTreeSet<u64> = self
            .shown
            .keys()
            .filter_map(|at| program.function(program.instructions[*at as usize].at))
            .map(|function| function.code.start)
            .collect();
        let mut counts: [Count; KINDS.len()] = Default::default();
        let mut calls = 0;
        for (index, instruction) in program.instructions.iter().enumerate() {
            let function = program.function(instruction.at);
            if !function.is_some_and(|function| entered.contains(&function.code.start)) {
                continue;
            }
            calls += usize::from(matches!(
                instruction.flow,
                Flow::Call(_) | Flow::Indirect { call: true, .. }
            ));
            let is = [
                instruction.is_branch(),
                instruction.divides.is_some(),
                instruction.accesses || matches!(instruction.flow, Flow::Indirect { .. }),
            ];
            let shown = self.shown.get(&(index as u32)).copied().unwrap_or_default();
            for (kind, count) in KINDS.into_iter().zip(&mut counts) {
                count.there += usize::from(is[kind as usize]);
                count.executed += usize::from(is[kind as usize] && shown[kind as usize]);
                count.unexplained += usize::from(self.findings.contains_key(&(index as u32, kind)));
            }
        }
        let [branches, divisions, addresses] = counts;
        format!(
            "{} functions; branches {branches}; divisions {divisions}; loads, stores and jumps {addresses}; \
             {calls} calls",
            entered.len()
        )
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            there,
            executed,
            unexplained,
        } = self;
        write!(
            f,
            "{there} ({executed} executed, {} explained, {unexplained} unexplained)",
            executed - unexplained.min(executed)
        )
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Branch => "branch on a secret",
            Self::Division => "division of a secret",
            Self::Address => "address from a secret",
        })
    }
}
