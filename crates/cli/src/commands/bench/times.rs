//! Statistics of measurements, and the name and clock of the processor. The benches include this file too.

#![allow(unreachable_pub, reason = "the benches include it in a library")]

use std::fs;

/// The times of one operation, in ns.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// The shortest.
    pub min: f64,
    /// The median, which is the 50th percentile.
    pub median: f64,
    /// The mean.
    pub mean: f64,
    /// The 90th percentile.
    pub p90: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

impl Times {
    /// The statistics of these measurements; zeros if there are none. A percentile is the smallest measurement
    /// for which at least this share of all measurements is not larger.
    pub fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at = |index: usize| times.get(index).copied().unwrap_or_default();
        let rank = |share: f64| (times.len() as f64 * share).ceil() as usize;
        let percentile = |share: f64| at(rank(share).saturating_sub(1));
        let sum: f64 = times.iter().sum();
        Self {
            min: at(0),
            median: percentile(0.5),
            mean: sum / times.len().max(1) as f64,
            p90: percentile(0.9),
            p99: percentile(0.99),
            max: percentile(1.0),
        }
    }
}

/// The name of the processor of this machine.
pub fn cpu() -> String {
    let architecture = std::env::consts::ARCH;
    cpu_information("model name").map_or_else(
        || architecture.into(),
        |model| format!("{model} ({architecture})"),
    )
}

/// The clock of the first processor in MHz.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// The present frequency, if the kernel shows it.
    pub now: Option<f64>,
    /// The highest frequency, if the kernel shows it.
    pub max: Option<f64>,
}

impl Clock {
    /// Reads the frequencies from /proc/cpuinfo and from sysfs, which exist on Linux.
    pub fn read() -> Self {
        const MAX_KHZ: &str = "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq";
        let max = fs::read_to_string(MAX_KHZ).ok();
        let max: Option<f64> = max.and_then(|khz| khz.trim().parse().ok());
        Self {
            now: cpu_information("cpu MHz").and_then(|mhz| mhz.parse().ok()),
            max: max.map(|khz| khz / 1e3),
        }
    }
}

/// A value of the first processor in /proc/cpuinfo.
fn cpu_information(name: &str) -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    text.lines().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        (found.trim() == name).then(|| value.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::Times;

    #[test]
    fn percentiles() {
        let of = |n: u32| Times::of((1..=n).rev().map(f64::from).collect());
        let numbers = |times: Times| [times.min, times.median, times.p90, times.p99, times.max];
        assert_eq!(numbers(of(0)), [0.0; 5]);
        assert_eq!(numbers(of(1)), [1.0; 5]);
        assert_eq!(numbers(of(3)), [1.0, 2.0, 3.0, 3.0, 3.0]);
        assert_eq!(numbers(of(1000)), [1.0, 500.0, 900.0, 990.0, 1000.0]);
        assert_eq!(of(4).mean, 2.5);
    }
}
