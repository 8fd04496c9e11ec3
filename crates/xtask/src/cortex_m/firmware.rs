//! Builds benches/cortex-m, runs it, and reads its output.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::{elf, process};

const FOLDER: &str = "benches/cortex-m";
pub(crate) const TARGET: &str = "thumbv7em-none-eabihf";
/// Cargo's profiles for opt-level 3 and s.
const PROFILES: [&str; 2] = ["release", "size"];
const OPERATIONS: [&str; 4] = ["keygen", "sign-expanded", "sign-seed", "verify"];

/// The cost of an operation over all inputs.
#[derive(Clone, PartialEq)]
pub(crate) struct Cost {
    /// Set, form, operation.
    pub(crate) what: String,
    /// The largest number of bytes.
    pub(crate) stack: u64,
    /// The mean number.
    pub(crate) instructions: u64,
    /// The cycles of each run, sorted.
    cycles: Vec<u64>,
}

impl Cost {
    /// The stack, the instructions, and mean, minimum, median and maximum of the cycles.
    pub(crate) fn numbers(&self) -> [u64; 6] {
        let cycles = &self.cycles;
        let at = |i: usize| cycles.get(i).copied().unwrap_or(0);
        let [least, median, most] = [0, cycles.len() >> 1, cycles.len().saturating_sub(1)].map(at);
        let mean = cycles.iter().sum::<u64>().div_ceil(cycles.len() as u64);
        [self.stack, self.instructions, mean, least, median, most]
    }
}

/// The flash of a program with one operation of one set, at opt-level 3 and s.
pub(crate) struct Size {
    /// Set, form, operation.
    pub(crate) what: String,
    /// Bytes.
    pub(crate) flash: [u64; 2],
}

/// Builds a program for a Cortex-M, with these features.
pub(crate) fn build(program: &str, profile: &str, features: &[&str]) -> Result<PathBuf> {
    build_for(TARGET, program, profile, features)
}

/// Builds a program, with these features.
pub(crate) fn build_for(
    target: &str,
    program: &str,
    profile: &str,
    features: &[&str],
) -> Result<PathBuf> {
    let folder = process::target_directory()?.join("cortex-m");
    let features = features.join(",").to_lowercase();
    let arguments = ["build", "--quiet", "--locked", "--bin", program];
    let mut cargo = process::cargo_in(FOLDER, &folder, arguments);
    cargo.args(["--profile", profile, "--features", &features]);
    process::run(cargo.args(["--target", target]))?;
    let profile = if profile == "dev" { "debug" } else { profile };
    Ok(folder.join(target).join(profile).join(program))
}

/// Runs a program, which has to succeed, and returns its output.
pub(crate) fn run(board: &str, program: &Path, plugin: Option<&Path>) -> Result<String> {
    let mut qemu = Command::new("qemu-system-arm");
    qemu.args(["-M", board]).args(process::SEMIHOSTING);
    qemu.args(["-icount", "shift=0,sleep=off", "-kernel"])
        .arg(program);
    if let Some(plugin) = plugin {
        qemu.arg("-plugin").arg(plugin);
    }
    process::report(&mut qemu)
}

/// Reads a report, which has a line `name: stack ticks` for each run of each operation. The line before
/// has the plugin's instructions and cycles, or its instructions only, which are the cycles then; without the plugin,
/// the ticks are cycles.
pub(crate) fn parse(report: &str) -> Result<Vec<Cost>> {
    let mut costs: Vec<Cost> = Vec::new();
    let mut places = HashMap::new();
    let mut counted = None;
    for line in report.lines() {
        let Some((name, numbers)) = line.split_once(": ") else {
            counted = pair(line).or_else(|| line.parse().ok().map(|count| (count, count)));
            continue;
        };
        let (stack, ticks) = pair(numbers).with_context(|| line.to_owned())?;
        let (instructions, cycles) = counted.take().unwrap_or((0, ticks));
        let place = *places.entry(name).or_insert(costs.len());
        if place == costs.len() {
            costs.push(Cost {
                what: name.to_owned(),
                stack: 0,
                instructions: 0,
                cycles: Vec::new(),
            });
        }
        let cost = costs.get_mut(place).context("places")?;
        cost.stack = cost.stack.max(stack);
        cost.instructions += instructions;
        cost.cycles.push(cycles);
    }
    for cost in &mut costs {
        cost.instructions = cost.instructions.div_ceil(cost.cycles.len() as u64);
        cost.cycles.sort_unstable();
    }
    ensure!(report.trim_end().ends_with("done"), "the report has no end");
    ensure!(!costs.is_empty(), "the report is empty");
    Ok(costs)
}

fn pair(text: &str) -> Option<(u64, u64)> {
    let (first, second) = text.split_once(' ')?;
    Some((first.parse().ok()?, second.trim().parse().ok()?))
}

/// Returns the flash of a program for each operation, none of which uses static memory.
pub(crate) fn sizes(sets: &[&str]) -> Result<Vec<Size>> {
    let mut sizes = Vec::new();
    for set in sets {
        for form in ["stream", "whole"] {
            for operation in OPERATIONS {
                let features = match form {
                    "whole" => vec![*set, operation, form],
                    _ => vec![*set, operation],
                };
                let what = format!("{set}, {form}, {operation}");
                let mut flash = [0; 2];
                for (flash, profile) in flash.iter_mut().zip(PROFILES) {
                    let [in_flash, in_ram] = memory(&build("flash_size", profile, &features)?)?;
                    ensure!(in_ram == 0, "{what}: {in_ram} bytes of statics");
                    *flash = in_flash;
                }
                sizes.push(Size { what, flash });
            }
        }
    }
    Ok(sizes)
}

/// Returns the bytes of flash and of RAM that a program uses. RAM begins at 2²⁹.
fn memory(program: &Path) -> Result<[u64; 2]> {
    let mut bytes = [0; 2];
    for segment in elf::segments(program)? {
        bytes[0] += segment.bytes.len() as u64;
        if segment.used_at >= 1 << 29 {
            bytes[1] += u64::from(segment.size);
        }
    }
    Ok(bytes)
}
