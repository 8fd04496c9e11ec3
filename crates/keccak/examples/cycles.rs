//! Prints the time of a permutation in ns for every token of this CPU: minimum and median of many
//! short runs.
//!
//! `cargo run --release -p moissanite-keccak --example cycles`
use moissanite_cpu::Portable;
use moissanite_keccak::{Keccak, Lanes, Scalar, State};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The number of permutations per run: a run takes about 0.1 ms, short enough that some runs are
/// not interrupted.
const PER_RUN: u32 = 400;
const RUNS: usize = 2001;

fn time<K: Keccak>(keccak: K) {
    let mut state = State::<K::Lane>::default();
    let mut runs: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..PER_RUN {
                keccak.permute(black_box(&mut state));
            }
            start.elapsed()
        })
        .collect();
    runs.sort_unstable();
    let ns = |run: Duration| run.as_secs_f64() * 1e9 / f64::from(PER_RUN);
    println!(
        "{:10} x{} {:8.1} {:8.1}",
        K::NAME,
        K::WIDTH,
        ns(runs[0]),
        ns(runs[RUNS >> 1])
    );
}

fn main() {
    println!("token             min   median  (ns per permutation)");
    time(Portable);
    #[cfg(target_arch = "x86_64")]
    match moissanite_cpu::Bmi2::detect() {
        Some(bmi2) => time(bmi2),
        None => println!("bmi2: not on this CPU"),
    }
    time(Scalar::new());
    time(Lanes::<2>);
    time(Lanes::<4>);
    time(Lanes::<8>);
    #[cfg(target_arch = "x86_64")]
    {
        match moissanite_cpu::Avx2::detect() {
            Some(avx2) => time(avx2),
            None => println!("avx2: not on this CPU"),
        }
        match moissanite_cpu::Avx512::detect() {
            Some(avx512) => time(avx512),
            None => println!("avx512: not on this CPU"),
        }
    }
    #[cfg(target_arch = "aarch64")]
    {
        match moissanite_cpu::Neon::detect() {
            Some(neon) => time(neon),
            None => println!("neon: not on this CPU"),
        }
        match moissanite_cpu::Sha3::detect() {
            Some(sha3) => time(sha3),
            None => println!("neon-sha3: not on this CPU"),
        }
    }
}
