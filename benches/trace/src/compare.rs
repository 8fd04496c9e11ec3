//! Executes a scheme with several secrets, and compares the traces with that of the first one.

use anyhow::{Context, Result, bail, ensure};
use moissanite_emitted_cases::probe::NO_SUCH_BACKEND;

use crate::machine::{Ended, Machine, Run};
use crate::program::{Input, Output, Program};
use crate::record::{self, Difference, Window, differing_window};

/// The result of a comparison.
pub(crate) enum Compared {
    /// All traces are equal, and have this number of instructions and accesses.
    Equal(u64),
    Different(Difference),
    NoSuchBackend,
}

/// The program, and what the runs have in common.
pub(crate) struct Case<'a> {
    pub(crate) program: &'a Program,
    pub(crate) machine: &'a dyn Machine,
    pub(crate) backend: u32,
    pub(crate) scheme: u32,
    /// The number of secrets, of which the first is the reference for the others.
    pub(crate) secrets: u32,
    /// The number of events to compare, if not all.
    pub(crate) limit: Option<u64>,
}

impl Case<'_> {
    /// Compares the traces of several secrets. The values that become public are those of the first one.
    pub(crate) fn compare(&self) -> Result<Compared> {
        let output = self.machine.output(self.program, &self.file(0, None)?)?;
        match output.status {
            0 => {}
            NO_SUCH_BACKEND => return Ok(Compared::NoSuchBackend),
            status => bail!("the results are wrong ({status})"),
        }
        ensure!(!output.public.is_empty(), "no value became public");
        // A machine stops after the last event that it keeps.
        let window = self.limit.map_or(0..0, |limit| limit - 1..limit);
        let first = self.run(0, &output, &window)?;
        ensure!(first.ended != Ended::Panicked, "the probe panicked");
        for secret in 1..self.secrets {
            let other = self.run(secret, &output, &window)?;
            if let Some(window) = differing_window(&first.trace, &other.trace) {
                let difference = self.first_difference(&output, secret, &window)?;
                return Ok(Compared::Different(difference));
            }
        }
        Ok(Compared::Equal(first.trace.count))
    }

    fn first_difference(
        &self,
        public: &Output,
        secret: u32,
        window: &Window,
    ) -> Result<Difference> {
        let [a, b] = [
            self.run(0, public, window)?,
            self.run(secret, public, window)?,
        ];
        let found = record::difference(&a.trace.events, &b.trace.events);
        found.context("two runs with the same input have different traces")
    }

    fn run(&self, secret: u32, public: &Output, window: &Window) -> Result<Run> {
        let file = self.file(secret, Some(public))?;
        self.machine.run(self.program, &file, window)
    }

    fn file(&self, secret: u32, public: Option<&Output>) -> Result<Vec<u8>> {
        self.program.with(Input {
            backend: self.backend,
            scheme: self.scheme,
            secret,
            public: public.map(|output| &*output.public),
        })
    }
}

impl Difference {
    /// The place and the two events, in words.
    pub(crate) fn describe(&self, program: &Program) -> String {
        let [a, b] = self.events.map(|event| match event {
            Some(event) if event.kind() == record::Kind::Executes => {
                format!("{event}, {}", program.place(event.address()))
            }
            Some(event) => event.to_string(),
            None => "the end".to_owned(),
        });
        let at = self.after;
        format!(
            "after {at:#x}, {}: {a}, but {b} with another secret",
            program.place(at)
        )
    }
}
