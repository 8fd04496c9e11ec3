//! The tables of the page on evidence.

use std::fmt::Write;

use anyhow::Result;

use crate::baseline::{Section, Sections};

/// The start of the name of a section of a fuzz target.
const FUZZ: &str = "fuzz ";

/// The tables of the recorded numbers: a row for each crate that the tests reach, and one for each fuzz target.
pub(super) fn markdown(sections: &Sections) -> Result<String> {
    let mut text = String::new();
    match sections.get("tests") {
        Some(tests) => {
            let rows = tests.rows.iter();
            let rows = rows.map(|(name, figures)| (format!("`crates/{name}`"), figures.clone()));
            table(&mut text, "tests of all crates", rows)?;
        }
        None => text += "\nThe numbers of the tests are not recorded.\n",
    }
    let targets = sections.iter();
    let targets = targets.filter_map(|(name, section)| {
        let target = name.strip_prefix(FUZZ)?;
        Some((format!("`{target}`"), sum(section)))
    });
    let targets: Vec<_> = targets.collect();
    if targets.is_empty() {
        text += "\nThe numbers of the fuzz targets are not recorded.\n";
    } else {
        table(&mut text, "fuzz target", targets)?;
    }
    text.push('\n');
    Ok(text)
}

/// Adds a table of rows with lines, missed lines, branches and missed branches.
fn table(
    text: &mut String,
    about: &str,
    rows: impl IntoIterator<Item = (String, Vec<u64>)>,
) -> Result<()> {
    write!(
        text,
        "\n| {about} | lines | reached | branches | reached |\n| --- | ---: | ---: | ---: | ---: |\n"
    )?;
    for (name, figures) in rows {
        write!(text, "| {name} |")?;
        for pair in figures.chunks_exact(2) {
            write!(text, " {} | {} |", pair[0], reached(pair[0], pair[1]))?;
        }
        text.push('\n');
    }
    Ok(())
}

/// The sums of all crates of a program.
fn sum(section: &Section) -> Vec<u64> {
    let mut sums = vec![0; section.columns.len()];
    for (_, figures) in &section.rows {
        for (sum, figure) in sums.iter_mut().zip(figures) {
            *sum += figure;
        }
    }
    sums
}

#[allow(
    clippy::integer_division_remainder_used,
    reason = "the numbers are not secret"
)]
/// What is reached, in per cent, rounded down to a tenth, so that only all of it is 100.
fn reached(all: u64, missed: u64) -> String {
    match (all.saturating_sub(missed) * 1000).checked_div(all) {
        Some(tenths) => format!("{}.{} %", tenths / 10, tenths % 10),
        None => "—".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Result, markdown};
    use crate::baseline::{Section, Sections};
    use crate::coverage::COLUMNS;

    #[test]
    fn tables_of_sections() -> Result<()> {
        let section = |rows: &[(&str, [u64; 4])]| {
            let mut section = Section::new("rustc".to_owned(), &COLUMNS);
            let rows = rows.iter();
            section.rows = rows
                .map(|(name, all)| ((*name).into(), all.into()))
                .collect();
            section
        };
        let mut sections = Sections::new();
        let nothing = markdown(&sections)?;
        assert!(nothing.contains("of the tests are not") && nothing.contains("targets are not"));
        sections.insert("tests".into(), section(&[("cli", [3000, 1, 0, 0])]));
        let of_target = [("cli", [1, 1, 10, 5]), ("core", [2, 0, 2, 1])];
        sections.insert("fuzz acvp".into(), section(&of_target));
        let text = markdown(&sections)?;
        assert!(
            text.contains("\n| `crates/cli` | 3000 | 99.9 % | 0 | — |\n"),
            "{text}"
        );
        assert!(
            text.contains("\n| `acvp` | 3 | 66.6 % | 12 | 50.0 % |\n"),
            "{text}"
        );
        Ok(())
    }
}
