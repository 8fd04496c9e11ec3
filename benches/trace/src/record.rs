//! What is recorded of a run, and the first difference of two runs.

use std::fmt;

/// The number of events between two checkpoints. The plugin has the same number.
pub(crate) const INTERVAL: u64 = 1 << 16;
/// The number of equal events to keep before a difference, among which is the instruction that accesses
/// other memory.
const BEFORE: u64 = 1 << 8;

/// An observable event in one word, as the plugin writes it: the address in the lower bits, then the
/// logarithm of the number of bytes, then the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Event(pub(crate) u64);

const ADDRESS: u64 = (1 << 56) - 1;
const SIZE: u32 = 56;
const KIND: u32 = 60;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Executes,
    Loads,
    Stores,
}

impl Event {
    pub(crate) fn executes(at: u64) -> Self {
        Self(at & ADDRESS | 1 << KIND)
    }

    /// An access to this number of bytes.
    pub(crate) fn accesses(address: u64, bytes: usize, stores: bool) -> Self {
        let logarithm = u64::from(bytes.max(1).next_power_of_two().trailing_zeros());
        let kind = if stores { 3 } else { 2 };
        Self(address & ADDRESS | (logarithm & 15) << SIZE | kind << KIND)
    }

    pub(crate) fn kind(self) -> Kind {
        match self.0 >> KIND {
            1 => Kind::Executes,
            2 => Kind::Loads,
            _ => Kind::Stores,
        }
    }

    pub(crate) fn address(self) -> u64 {
        self.0 & ADDRESS
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = 1 << (self.0 >> SIZE & 15);
        let address = self.address();
        match self.kind() {
            Kind::Executes => write!(f, "the instruction at {address:#x}"),
            Kind::Loads => write!(f, "a load of {bytes} bytes at {address:#x}"),
            Kind::Stores => write!(f, "a store of {bytes} bytes at {address:#x}"),
        }
    }
}

/// The trace of a run: the number of events, hashes of all events up to each checkpoint and up to the end,
/// and the events between two of them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    pub(crate) count: u64,
    pub(crate) hashes: Vec<u64>,
    pub(crate) events: Vec<Event>,
}

/// The numbers of the events to keep.
pub(crate) type Window = std::ops::Range<u64>;

/// Records a trace.
pub(crate) struct Recorder {
    trace: Trace,
    hash: u64,
    window: Window,
}

impl Recorder {
    pub(crate) fn new(window: Window) -> Self {
        Self {
            trace: Trace::default(),
            hash: 0,
            window,
        }
    }

    /// Records an event.
    pub(crate) fn event(&mut self, event: Event) {
        // For each hash before, different events have different hashes.
        self.hash = (self.hash ^ event.0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.hash ^= self.hash >> 32;
        let trace = &mut self.trace;
        if self.window.contains(&trace.count) {
            trace.events.push(event);
        }
        trace.count += 1;
        if trace.count.is_multiple_of(INTERVAL) {
            trace.hashes.push(self.hash);
        }
    }

    /// Whether all events to keep are recorded.
    pub(crate) fn is_done(&self) -> bool {
        !self.window.is_empty() && self.trace.count >= self.window.end
    }

    pub(crate) fn end(mut self) -> Trace {
        self.trace.hashes.push(self.hash);
        self.trace
    }
}

/// Returns a range of events that contains the first difference of two traces and some events before it, if
/// they differ.
pub(crate) fn differing_window(a: &Trace, b: &Trace) -> Option<Window> {
    if (a.count, &a.hashes) == (b.count, &b.hashes) {
        return None;
    }
    let pairs = a.hashes.iter().zip(&b.hashes);
    let equal = pairs.take_while(|(a, b)| a == b).count() as u64;
    let start = equal * INTERVAL;
    Some(start.saturating_sub(BEFORE)..start + INTERVAL)
}

/// The first difference of two runs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The instruction that was executed last before the difference.
    pub(crate) after: u64,
    /// What each run did next; nothing if it ended.
    pub(crate) events: [Option<Event>; 2],
}

/// Returns the first difference of the events that two runs kept.
pub(crate) fn difference(a: &[Event], b: &[Event]) -> Option<Difference> {
    let equal = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let events = [a.get(equal).copied(), b.get(equal).copied()];
    if events == [None, None] {
        return None;
    }
    let before = a[..equal].iter().rev();
    let mut executed = before.filter(|event| event.kind() == Kind::Executes);
    let after = executed.next().map_or(0, |event| event.address());
    Some(Difference { after, events })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events of a program of three instructions in a loop, in which the index of a load and the end of
    /// the loop can differ.
    fn program(rounds: u64, index: impl Fn(u64) -> u64) -> Vec<Event> {
        let round = |i| {
            [
                Event::executes(0x100),
                Event::accesses(0x8000 + index(i), 4, false),
                Event::executes(0x104),
                Event::accesses(0x9000, 8, true),
                Event::executes(0x106),
            ]
        };
        (0..rounds).flat_map(round).collect()
    }

    fn record(events: &[Event], window: Window) -> Trace {
        let mut recorder = Recorder::new(window);
        for event in events {
            if recorder.is_done() {
                break;
            }
            recorder.event(*event);
        }
        recorder.end()
    }

    /// As for a machine: the window first, then the events in it.
    fn compare(a: &[Event], b: &[Event]) -> Option<Difference> {
        let window = differing_window(&record(a, 0..0), &record(b, 0..0))?;
        let [a, b] = [a, b].map(|events| record(events, window.clone()).events);
        difference(&a, &b)
    }

    const ROUNDS: u64 = 60_000;

    #[test]
    fn equal_runs_are_equal() {
        let run = program(ROUNDS, |i| 4 * (i % 8));
        assert_eq!(compare(&run, &run.clone()), None);
        assert_eq!(compare(&[], &[]), None);
    }

    #[test]
    fn one_other_address_is_found() {
        let a = program(ROUNDS, |i| 4 * (i % 8));
        for at in [0, 13_106, 13_107, 13_108, 50_000, ROUNDS - 1] {
            let b = program(ROUNDS, |i| if i == at { 0x40 } else { 4 * (i % 8) });
            let found = compare(&a, &b).unwrap();
            let expected = Difference {
                after: 0x100,
                events: [
                    Some(Event::accesses(0x8000 + 4 * (at % 8), 4, false)),
                    Some(Event::accesses(0x8040, 4, false)),
                ],
            };
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn another_instruction_and_an_earlier_end_are_found() {
        let a = program(ROUNDS, |_| 0);
        let mut b = a.clone();
        b[250_002] = Event::executes(0x200);
        let found = compare(&a, &b).unwrap();
        assert_eq!(found.events[1], Some(Event::executes(0x200)));
        let found = compare(&a, &a[..a.len() - 1]).unwrap();
        assert_eq!(found.events, [Some(Event::executes(0x106)), None]);
    }

    #[test]
    fn loads_and_stores_and_sizes_differ() {
        let load = Event::accesses(0x8000, 4, false);
        assert_ne!(load, Event::accesses(0x8000, 4, true));
        assert_ne!(load, Event::accesses(0x8000, 8, false));
        assert_eq!(load.to_string(), "a load of 4 bytes at 0x8000");
        assert_eq!(load.address(), 0x8000);
    }
}
