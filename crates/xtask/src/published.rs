//! `cargo xtask published` makes a table of the recorded figures of ML-DSA-87 on microcontrollers next to those that
//! other projects publish, which crates/xtask/published.toml has with their sources. It measures nothing.

use std::fmt::Write;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::baseline::{self, Section};
use crate::document::{self, MICROCONTROLLERS};
use crate::{cortex_m, process, riscv, tiny};

const JOB: &str = "published";
const FILE: &str = "crates/xtask/published.toml";
const DASH: &str = "–";

/// The figures of other projects.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    row: Vec<Row>,
}

/// What one source says of one implementation. A figure that it does not state is absent, or an empty string.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    implementation: String,
    processor: String,
    /// The document, and its version or date.
    source: String,
    /// How the figures differ from others.
    note: Option<String>,
    /// The bytes of all three operations.
    flash: Option<String>,
    /// The bytes of key generation, signing and verification.
    stack: Option<[String; 3]>,
    /// The bytes of the operation that needs the most.
    stack_of_all: Option<String>,
    cycles: Option<[u64; 3]>,
    milliseconds: Option<[f64; 3]>,
    megahertz: Option<f64>,
}

/// Rows of the recorded figures: a name, the processor, the operations of the figures in the record, and the flash.
struct Ours<'a> {
    name: &'a str,
    processor: &'a str,
    operations: [&'a str; 3],
    flash: &'a str,
    /// The column with the time.
    time: &'a str,
}

const WHOLE: [&str; 3] = ["whole, key from a seed", "whole, sign", "whole, verify"];
const STREAM: [&str; 3] = [
    "stream, key from a seed",
    "stream, sign, expanded key",
    "stream, verify",
];
const TINY: [&str; 3] = [
    "tiny stream, key from a seed",
    "tiny stream, sign, expanded key",
    "tiny stream, verify",
];

/// Compares the page with the figures, or writes it.
pub(crate) fn run(arguments: &baseline::Arguments) -> Result<()> {
    let table = table()?;
    if arguments.write {
        return document::write_page(MICROCONTROLLERS, JOB, &table);
    }
    document::check_page(MICROCONTROLLERS, JOB, &table)?;
    println!("published: the page has the recorded figures");
    Ok(())
}

/// Returns the table.
fn table() -> Result<String> {
    let published: Published = toml::from_str(&process::read(&process::root().join(FILE))?)?;
    let cortex_m = section(&cortex_m::BASELINE, "Cortex-M4")?;
    let riscv = section(&riscv::BASELINE, riscv::SECTION)?;
    let mut text = String::from(
        "\n| ML-DSA-87 | processor | flash, bytes | stack, bytes | millions of cycles | source |\n\
         | --- | --- | ---: | ---: | ---: | --- |\n",
    );
    for (section, processor, time, target) in [
        (
            &cortex_m,
            "Cortex-M4, model",
            "cycles",
            "thumbv7em-none-eabi",
        ),
        (
            &riscv,
            "RV32IMAC, instructions",
            "instructions",
            "riscv32imc-unknown-none-elf",
        ),
    ] {
        let flash = thousands(flash(target)?);
        for (name, operations, flash) in [
            ("whole", WHOLE, DASH),
            ("stream", STREAM, DASH),
            ("tiny stream", TINY, &flash),
        ] {
            let ours = Ours {
                name,
                processor,
                operations,
                flash,
                time,
            };
            ours.write(section, &mut text)?;
        }
    }
    for row in &published.row {
        row.write(&mut text)?;
    }
    text.push('\n');
    Ok(text)
}

fn section(baseline: &baseline::Baseline, name: &str) -> Result<Section> {
    let mut sections = baseline.recorded()?;
    sections
        .remove(name)
        .with_context(|| format!("{} has no {name}", baseline.file))
}

/// Returns the recorded flash of all three operations, with small functions of memory.
fn flash(target: &str) -> Result<u64> {
    let flash = section(&tiny::BASELINE, target)?.get("all", "least");
    flash.context("the program with all operations")
}

impl Ours<'_> {
    fn write(&self, section: &Section, text: &mut String) -> Result<()> {
        let mut stack = Vec::new();
        let mut time = Vec::new();
        for operation in self.operations {
            let name = format!("ML-DSA-87, {operation}");
            let get = |column| section.get(&name, column).with_context(|| name.clone());
            stack.push(thousands(get("stack")?));
            time.push(millions(get(self.time)? as f64));
        }
        writeln!(
            text,
            "| **Moissanite, {}** | {} | {} | {} | {} | this tree |",
            self.name,
            self.processor,
            self.flash,
            stack.join(" / "),
            time.join(" / ")
        )?;
        Ok(())
    }
}

impl Row {
    fn write(&self, text: &mut String) -> Result<()> {
        let clock = self.milliseconds.zip(self.megahertz);
        let times = clock.map(|(times, clock)| times.map(|time| time * clock * 1e3));
        let cycles = self.cycles.map(|cycles| cycles.map(|cycles| cycles as f64));
        ensure!(
            self.milliseconds.is_some() == self.megahertz.is_some()
                && (cycles.is_none() || times.is_none()),
            "{}: the time needs either cycles, or milliseconds and megahertz",
            self.implementation
        );
        ensure!(
            self.source.contains(|c: char| c.is_ascii_digit()),
            "{}: the source has no version and no date",
            self.implementation
        );
        let cycles = cycles
            .or(times)
            .map(|cycles| cycles.map(millions).join(" / "));
        let of_each = self.stack.as_ref().map(|stack| {
            let cells = stack.each_ref().map(|cell| match cell.as_str() {
                "" => DASH,
                cell => cell,
            });
            cells.join(" / ")
        });
        let stack = of_each.or_else(|| self.stack_of_all.clone());
        let or_dash = |cell: Option<String>| cell.unwrap_or_else(|| DASH.to_owned());
        let note = self
            .note
            .as_ref()
            .map_or_else(String::new, |note| format!("; {note}"));
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {}{note} |",
            self.implementation,
            self.processor,
            or_dash(self.flash.clone()),
            or_dash(stack),
            or_dash(cycles),
            self.source
        )?;
        Ok(())
    }
}

fn millions(number: f64) -> String {
    format!("{:.1}", number / 1e6)
}

/// Returns a number with commas between groups of three digits.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_the_figures_of_the_files() -> Result<()> {
        document::check_page(MICROCONTROLLERS, JOB, &table()?)
    }

    #[test]
    fn rows_without_a_figure_have_a_dash() -> Result<()> {
        let row = "implementation = \"x\"\nprocessor = \"y\"\nsource = \"z 1.0\"\n\
                   milliseconds = [1.0, 2.0, 3.0]\nmegahertz = 100";
        let mut text = String::new();
        toml::from_str::<Row>(row)?.write(&mut text)?;
        assert_eq!(text, "| x | y | – | – | 0.1 / 0.2 / 0.3 | z 1.0 |\n");
        let without_date =
            toml::from_str::<Row>("implementation = \"x\"\nprocessor = \"y\"\nsource = \"z\"")?;
        assert!(without_date.write(&mut text).is_err());
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(104), "104");
        Ok(())
    }
}
