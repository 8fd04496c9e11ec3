//! The loop that measures, and the times that it records.

use std::ops::Range;
use std::time::Instant;

use crate::times::Times;

/// The times of one operation, in ns: of each input, one in every round.
///
/// Inputs need different amounts of work: each message takes its own number of attempts to sign. Other work
/// of the machine only adds time, so the shortest time of an input is the best estimate.
pub struct Samples(Vec<Vec<f64>>);

impl Samples {
    /// Of so many inputs, none measured yet.
    pub fn new(inputs: usize) -> Self {
        Self(vec![Vec::new(); inputs])
    }

    /// Measures some of the inputs once more, after two untimed calls that bring code and data back into
    /// the caches. `clock` times one call in ns; returned is the sum.
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

    /// How many times were taken.
    pub fn count(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Of all times.
    pub fn all(&self) -> Times {
        Times::of(self.0.concat())
    }

    /// Of the shortest time of each input.
    pub fn quiet(&self) -> Times {
        let shortest = |times: &Vec<f64>| times.iter().copied().min_by(f64::total_cmp);
        Times::of(self.0.iter().filter_map(shortest).collect())
    }
}

/// The time of the system's monotonic clock.
pub fn wall(call: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    call();
    start.elapsed().as_nanos() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three inputs, the second the slowest; the machine disturbs another one in each round.
    #[test]
    fn the_shortest_times_leave_the_machine_out() {
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
        } = samples.all();
        assert_eq!((min, median, max), (10.0, 30.0, 1010.0));
        assert_eq!(mean, (2.0 * 10.0 + 2.0 * 30.0 + 2.0 * 1010.0) / 6.0);
        let Times {
            min,
            median,
            mean,
            max,
        } = samples.quiet();
        assert_eq!((min, median, max), (10.0, 10.0, 30.0));
        assert_eq!(mean, 50.0 / 3.0);
    }
}
