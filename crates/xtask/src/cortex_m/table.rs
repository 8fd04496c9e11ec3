//! The tables of the page on microcontrollers.

use std::fmt::Write;

use anyhow::{Context, Result};

use super::firmware::{Cost, Size};
use crate::document::SETS;

/// Returns the tables of costs and sizes, with all sets in each cell.
pub(crate) fn markdown(costs: &[Cost], sizes: &[Size]) -> Result<String> {
    // The stack is in a table of its own.
    let rows: Vec<_> = costs
        .iter()
        .map(|cost| {
            let [_, times @ ..] = cost.numbers();
            (cost.what.as_str(), times)
        })
        .collect();
    let mut text = String::from(
        "\n| | instructions | cycles, mean | least | median | most |\n\
         | --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    lines(&mut text, &rows, |number| format!("{:.1}", number / 1e6))?;
    text.push_str("\n| flash, KiB | opt-level 3 | opt-level s |\n| --- | ---: | ---: |\n");
    let rows: Vec<_> = sizes
        .iter()
        .map(|size| (size.what.as_str(), size.flash))
        .collect();
    lines(&mut text, &rows, |number| format!("{:.1}", number / 1024.0))?;
    text.push('\n');
    Ok(text)
}

/// Adds a line for each row of the first set.
fn lines<const N: usize>(
    text: &mut String,
    rows: &[(&str, [u64; N])],
    cell: impl Fn(f64) -> String,
) -> Result<()> {
    let [first, ..] = SETS;
    let names = rows
        .iter()
        .filter_map(|(what, _)| what.strip_prefix(first)?.strip_prefix(", "));
    for name in names {
        write!(text, "| {name} |")?;
        for column in 0..N {
            let mut cells = Vec::new();
            for set in SETS {
                let row = rows
                    .iter()
                    .find(|(what, _)| *what == format!("{set}, {name}"));
                let (_, numbers) = row.with_context(|| format!("{set}: no {name}"))?;
                cells.push(cell(numbers[column] as f64));
            }
            write!(text, " {} |", cells.join(" / "))?;
        }
        text.push('\n');
    }
    Ok(())
}
