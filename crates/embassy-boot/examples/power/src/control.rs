//! The list of cuts, which the device works through.

use core::cell::Cell;

use crate::flash::{Cut, Power, Tear, WORD};

/// The number of a run without a cut.
const NO_CUT: u32 = u32::MAX;
/// The number of kinds of cuts of each operation.
const KINDS: u32 = 4;
/// More starts than any run needs.
const STARTS: u32 = 8;

/// What outlives a reset. The job fills it with zeros, and reads the figures in the end.
#[repr(C)]
pub struct Control {
    /// 0: the new image works. 1: it does not. 2: the end.
    pub scenario: u32,
    /// 0: the run without a cut. Otherwise, 1 more than the number of the cut.
    pub run: u32,
    /// The starts of this run.
    pub starts: u32,
    /// The operations of this run.
    pub operations: Cell<u32>,
    /// For each scenario: the operations without a cut, the runs that ended with the new image, and those that
    /// ended with the old one.
    pub figures: [[u32; 3]; 2],
}

impl Control {
    /// Begins a start, and returns whether it is the first of its run. There is none if a run does not end.
    pub fn begin(&mut self) -> Option<bool> {
        let first = self.starts == 0;
        if first {
            self.operations.set(0);
        }
        self.starts += 1;
        (self.starts <= STARTS).then_some(first)
    }

    /// Whether the new image of this scenario works.
    pub fn works(&self) -> bool {
        self.scenario == 0
    }

    /// Ends a run, with the new image or the old one, and chooses the next. There is none after the last one.
    pub fn end(&mut self, new: bool) -> Option<()> {
        let figures = self.figures.get_mut(self.scenario as usize)?;
        if self.run == 0 {
            figures[0] = self.operations.get();
        }
        figures[if new { 1 } else { 2 }] += 1;
        self.starts = 0;
        self.run += 1;
        if self.run > figures[0] * KINDS {
            self.run = 0;
            self.scenario += 1;
        }
        (self.scenario < 2).then_some(())
    }

    /// The power of this run.
    pub fn power(&self) -> Supply<'_> {
        let cut = self.run.checked_sub(1);
        Supply {
            operations: &self.operations,
            at: cut.map_or(NO_CUT, |cut| cut / KINDS),
            kind: cut.map_or(0, |cut| cut % KINDS),
        }
    }
}

/// Resets the board at one operation.
pub struct Supply<'a> {
    operations: &'a Cell<u32>,
    at: u32,
    kind: u32,
}

impl Power for Supply<'_> {
    fn next(&mut self, length: usize) -> Option<Cut> {
        let operation = self.operations.get();
        self.operations.set(operation + 1);
        let middle = (length / 2).next_multiple_of(WORD);
        let (done, tear) = match self.kind {
            0 => (0, Tear::Clean),
            1 => (middle.min(length - WORD), Tear::Word(1)),
            2 => (middle, Tear::Noise),
            _ => (length, Tear::Clean),
        };
        (operation == self.at).then_some(Cut { done, tear })
    }

    fn lost(&mut self) {
        crate::reset::reset();
    }
}
