//! `cargo xtask killers` makes the vectors that detect defects of verifiers, kats/killers.json.
//!
//! `defects` lists the defects, and `verifier` is a verifier that can have each of them. Each vector of
//! `cases` is checked with the verifiers that it is for when it is made.

#![allow(
    clippy::integer_division_remainder_used,
    reason = "the keys and signatures of vectors are public"
)]

mod cases;
mod defects;
mod file;
mod published;
mod verifier;

use anyhow::{Context, Result, ensure};
use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87};

use self::cases::{Case, TOPICS};
use self::defects::TABLE;
use crate::document::{self, SETS};
use crate::process;

const FILE: &str = "kats/killers.json";
const README: &str = "kats/README.md";
const JOB: &str = "killers";

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write the vectors and the table of the README, instead of comparing them
    #[arg(long)]
    write: bool,
    /// Make no vectors: print the defects that the vectors of Wycheproof and ACVP do not detect
    #[arg(long, conflicts_with = "write")]
    published: bool,
}

/// Compares the vectors and the table with those that are made, or writes them.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.published {
        print_undetected::<MlDsa44>()?;
        print_undetected::<MlDsa65>()?;
        return print_undetected::<MlDsa87>();
    }
    let cases = [
        cases::all::<MlDsa44>()?,
        cases::all::<MlDsa65>()?,
        cases::all::<MlDsa87>()?,
    ];
    let [of_44, of_65, of_87] = &cases;
    let sets = [
        file::set::<MlDsa44>(of_44)?,
        file::set::<MlDsa65>(of_65)?,
        file::set::<MlDsa87>(of_87)?,
    ];
    let text = serde_json::to_string_pretty(&sets)? + "\n";
    let path = process::root().join(FILE);
    if arguments.write {
        std::fs::write(path, text).context(FILE)?;
        document::write_page(README, JOB, &table(&cases))?;
    } else {
        ensure!(
            process::read(&path)? == text,
            "{FILE} is not what `cargo xtask {JOB} --write` writes"
        );
        document::check_page(README, JOB, &table(&cases))?;
    }
    for (set, cases) in SETS.iter().zip(&cases) {
        let of_topic = |(topic, name): &(_, &str)| {
            let count = cases.iter().filter(|case| case.topic == *topic).count();
            format!("{count} {name}")
        };
        let topics: Vec<_> = TOPICS.iter().map(of_topic).collect();
        println!(
            "killers: {set}: {} vectors: {}",
            cases.len(),
            topics.join(", ")
        );
    }
    Ok(())
}

/// The table of the defects, with the number of vectors of each set.
fn table(cases: &[Vec<Case>; 3]) -> String {
    let mut table = format!("| defect | a verifier with it | {} |\n", SETS.join(" | "));
    table += "| --- | --- | --- | --- | --- |\n";
    for (defect, name, what) in TABLE {
        table += &format!("| {name} | {what} |");
        for cases in cases {
            let count = cases
                .iter()
                .filter(|case| case.defects.contains(defect))
                .count();
            table += &if count == 0 {
                " - |".to_owned()
            } else {
                format!(" {count} |")
            };
        }
        table.push('\n');
    }
    table
}

/// Prints what the published vectors of a set do not detect.
fn print_undetected<P: Fips204>() -> Result<()> {
    let mut of_all: Option<Vec<_>> = None;
    for published in published::read::<P>()? {
        let undetected = published.undetected::<P>()?;
        println!(
            "{}: not detected by {}: {}",
            P::NAME,
            published.describe(),
            names(&undetected)
        );
        of_all = Some(match of_all {
            None => undetected,
            Some(before) => before
                .into_iter()
                .filter(|defect| undetected.contains(defect))
                .collect(),
        });
    }
    println!(
        "{}: not detected by any: {}",
        P::NAME,
        names(&of_all.unwrap_or_default())
    );
    Ok(())
}

fn names(defects: &[defects::Defect]) -> String {
    let names: Vec<_> = defects.iter().map(|defect| defect.described().0).collect();
    names.join(", ")
}
