//! The table of a bench that measures with its own loop instead of criterion's.

use crate::arguments::{check_filter, is_measuring};
use crate::samples::{Samples, wall};
use crate::times::cpu;

/// Rows with the statistics over the inputs, where each input counts with its shortest time, the mean of all
/// measurements, and the number of items per second.
pub struct Table {
    target: &'static str,
    filter: String,
    rounds: usize,
    ran: bool,
}

impl Table {
    /// Prints the head of the table of a target of `cargo bench`, which counts items with the name `item`. The
    /// argument of the process selects rows by a part of their names.
    pub fn new(target: &'static str, item: &str) -> Self {
        let mut arguments = std::env::args().skip(1);
        let filter = arguments.rfind(|argument| !argument.starts_with('-'));
        let backends: Vec<_> = moissanite::backend::available().collect();
        println!("{}; backends of this CPU: {}", cpu(), backends.join(", "));
        println!("Microseconds for each of the {item}, which counts with its shortest time;");
        println!(
            "all: the mean of all measurements; per s: from the mean of the shortest times.\n"
        );
        let heads = ["min", "median", "mean", "max", "all", "per s"];
        let heads = heads.map(|head| format!("{head:>9}")).concat();
        println!("{:42}{heads}", "");
        Self {
            target,
            filter: filter.unwrap_or_default(),
            rounds: if is_measuring() { 9 } else { 1 },
            ran: false,
        }
    }

    /// Measures a number of calls, each of which processes `items` items and returns whether its result is
    /// right, unless the filter leaves the row out.
    ///
    /// # Panics
    /// Panics if a result is wrong.
    pub fn row(&mut self, name: &str, items: usize, calls: usize, run: impl Fn(usize) -> bool) {
        if !name.contains(&self.filter) {
            return;
        }
        let mut samples = Samples::new(calls);
        for _ in 0..self.rounds {
            samples.turn(0..calls, wall, |i| assert!(run(i), "{name} went wrong"));
        }
        let (times, all) = (samples.shortest(), samples.all());
        let items = items as f64;
        let numbers = [times.min, times.median, times.mean, times.max, all.mean];
        let numbers = numbers.map(|ns| format!("{:9.2}", ns / 1e3 / items));
        let per_second = 1e9 * items / times.mean;
        println!("{name:42}{}{per_second:9.0}", numbers.concat());
        self.ran = true;
    }

    /// Ends the process with exit status 1 if the filter has left out all rows.
    pub fn end(self) {
        check_filter(self.target, self.ran);
    }
}
