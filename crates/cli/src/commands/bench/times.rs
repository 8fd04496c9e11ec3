//! Statistics of measurements, and the name of the processor. The benches include this file too.

#![allow(unreachable_pub, reason = "the benches include it in a library")]

use std::fs;

/// The times of one operation, in ns.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// The shortest.
    pub min: f64,
    /// The median.
    pub median: f64,
    /// The mean.
    pub mean: f64,
    /// The longest.
    pub max: f64,
}

impl Times {
    /// The statistics of these measurements; zeros if there are none.
    pub fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at = |index: usize| times.get(index).copied().unwrap_or_default();
        let sum: f64 = times.iter().sum();
        Self {
            min: at(0),
            median: at(times.len() >> 1),
            mean: sum / times.len().max(1) as f64,
            max: at(times.len().saturating_sub(1)),
        }
    }
}

/// The name of the processor of this machine.
pub fn cpu() -> String {
    let described = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = described.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == "model name").then(|| value.trim().to_owned())
    });
    let architecture = std::env::consts::ARCH;
    model.map_or_else(
        || architecture.into(),
        |model| format!("{model} ({architecture})"),
    )
}
