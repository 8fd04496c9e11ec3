//! The measurement loop and its recorded times.

use std::ops::Range;
use std::time::Instant;

use crate::times::Times;

/// The times of one operation in ns, for each input one of every round.
///
/// Inputs need different amounts of work: each message takes its own number of attempts to sign. Other load
/// on the machine only adds time, so the shortest time of an input is the best estimate of its own time.
pub struct Samples(Vec<Vec<f64>>);

impl Samples {
    /// Returns a record without times for this number of inputs.
    pub fn new(inputs: usize) -> Self {
        Self(vec![Vec::new(); inputs])
    }

    /// Measures some of the inputs once more, after two untimed calls that bring code and data back into
    /// the caches. `clock` returns the time of one call in ns. Returns the sum of the times.
    pub fn turn(
        &mut self,
        inputs: Range<usize>,
        mut clock: impl FnMut(&mut dyn FnMut()) -> f64,
        mut run: impl FnMut(usize),
    ) -> f64 {
        for input in inputs.clone().take(2) {
            run(input);
        }
        let mut sum = 0.0;
        for (input, times) in (self.0.iter_mut().enumerate())
            .take(inputs.end)
            .skip(inputs.start)
        {
            let time = clock(&mut || run(input));
            sum += time;
            times.push(time);
        }
        sum
    }

    /// The number of measurements.
    pub fn count(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// The statistics over all measurements.
    pub fn all(&self) -> Times {
        Times::of(self.0.concat())
    }

    /// The statistics over the inputs, where each input counts with its shortest time.
    pub fn shortest(&self) -> Times {
        let shortest = |times: &Vec<f64>| times.iter().copied().min_by(f64::total_cmp);
        Times::of(self.0.iter().filter_map(shortest).collect())
    }
}

/// The time of a call in ns, by the system's monotonic clock.
pub fn wall(call: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    call();
    start.elapsed().as_nanos() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second of three inputs is the slowest, and each round delays another one.
    #[test]
    fn the_shortest_times_exclude_delays() {
        let mut samples = Samples::new(3);
        let mut calls = Vec::new();
        for (round, disturbed) in [(0, 2), (1, 0)] {
            for turn in [0..2, 2..3] {
                let mut input = turn.start;
                let clock = |call: &mut dyn FnMut()| {
                    call();
                    let noise = if input == disturbed { 1000.0 } else { 0.0 };
                    input += 1;
                    if input == 2 { 30.0 } else { 10.0 + noise }
                };
                samples.turn(turn, clock, |input| calls.push((round, input)));
            }
        }
        let turns = [0, 1, 0, 1, 2, 2];
        let rounds = [0, 1].map(|round| turns.map(|input| (round, input)));
        assert_eq!(calls, rounds.concat());
        assert_eq!(samples.count(), 6);

        let Times {
            min,
            median,
            mean,
            max,
            ..
        } = samples.all();
        assert_eq!((min, median, max), (10.0, 30.0, 1010.0));
        assert_eq!(mean, (2.0 * 10.0 + 2.0 * 30.0 + 2.0 * 1010.0) / 6.0);
        let Times {
            min,
            median,
            mean,
            max,
            ..
        } = samples.shortest();
        assert_eq!((min, median, max), (10.0, 10.0, 30.0));
        assert_eq!(mean, 50.0 / 3.0);
    }
}
