//! `cargo xtask tiny` measures the code of the smallest firmware: the streams of ML-DSA-87 with the feature `tiny`,
//! linked into programs without an operating system or start-up code.
//!
//! The programs are in a scratch project. They are not run: their input is at an address that the linker does not
//! allocate.

mod panics;
mod project;
mod symbols;

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use object::LittleEndian;
use object::elf::{FileHeader32, SHF_ALLOC};
use object::read::elf::{FileHeader, SectionHeader};

use self::project::MEASURED;
use crate::baseline::{self, Baseline, OtherCompiler, Section, Sections};
use crate::{document, process};

pub(crate) const BASELINE: Baseline = Baseline {
    job: "tiny",
    file: "crates/xtask/tiny.txt",
    about: "The bytes of flash of the streams of ML-DSA-87 with the feature `tiny`, at opt-level z.",
    tolerance: 1,
    other_compiler: OtherCompiler::Tolerance(10),
};
/// The program with the compiler's functions of memory and default flags, and the smallest.
const COLUMNS: [&str; 2] = ["default", "least"];
const TARGETS: [&str; 3] = [
    "thumbv6m-none-eabi",
    "thumbv7em-none-eabi",
    "riscv32imc-unknown-none-elf",
];
/// The sections with tables for unwinding.
const UNWINDING: [&[u8]; 2] = [b".eh_frame", b".ARM.exidx"];
/// The flags with which code for RISC-V with words of 32 bits is smallest: the linker shortens calls, and common
/// functions save and restore registers. Compilers warn that the names of these features are not stable.
pub(crate) const RISCV32_FLAGS: &str = "-C target-feature=+relax,+save-restore";

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print the functions and constants of the program with all operations, the largest first
    #[arg(long)]
    map: bool,
    /// Measure nothing, and check that programs with all operations, with and without `tiny`, contain no panic and
    /// no formatting code, on each target and at each level of optimisation
    #[arg(long, conflicts_with_all = ["map", "write"])]
    panics: bool,
    #[command(flatten)]
    panics_of: panics::Choice,
    #[command(flatten)]
    baseline: baseline::Arguments,
}

/// Measures, and compares or records; or searches for panics.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let project = project::write()?;
    if arguments.panics {
        panics::run(&project, &arguments.panics_of)
    } else {
        measure(&project, arguments)
    }
}

/// Measures the programs, and compares or records.
fn measure(project: &Path, arguments: &Arguments) -> Result<()> {
    let compiler = process::version(&process::compiler())?;
    let mut sections = Sections::new();
    for target in TARGETS {
        let mut figures = MEASURED.map(|_| Vec::new());
        for (features, flags) in [("tiny", ""), ("tiny,memory", flags(target))] {
            let folder = project.join("target").join(features);
            let mut cargo = process::cargo(["build", "--quiet", "--release", "--target", target]);
            for program in &MEASURED {
                cargo.args(["--bin", &program.measured_file()]);
            }
            cargo.args(["--features", features]).arg("--target-dir");
            cargo.arg(&folder).current_dir(project);
            process::run(cargo.env("RUSTFLAGS", flags))?;
            for (program, figures) in MEASURED.iter().zip(&mut figures) {
                let release = folder.join(target).join("release");
                let elf = fs::read(release.join(program.measured_file()))?;
                figures.push(flash(&elf)?);
                // The figures of the smallest program are the second ones.
                if arguments.map && program.name == "all" && figures.len() == COLUMNS.len() {
                    print_map(target, &elf)?;
                }
            }
        }
        let mut section = Section::new(compiler.clone(), &COLUMNS);
        let names = MEASURED.iter().map(|program| program.name.to_owned());
        section.rows.extend(names.zip(figures));
        sections.insert(target.to_owned(), section);
    }
    let table = markdown(&sections);
    BASELINE.settle(sections, &arguments.baseline)?;
    if arguments.baseline.write {
        document::write_page(document::MICROCONTROLLERS, BASELINE.job, &table)?;
    }
    Ok(())
}

/// Returns the flags for the smallest code.
fn flags(target: &str) -> &'static str {
    if target.starts_with("riscv32") {
        RISCV32_FLAGS
    } else {
        ""
    }
}

/// Returns the table of the page.
fn markdown(sections: &Sections) -> String {
    let mut text = format!("\n| flash, bytes | {} |\n", TARGETS.join(" | "));
    text.push_str("| --- | ---: | ---: | ---: |\n");
    for (number, program) in MEASURED.iter().enumerate() {
        let figures = TARGETS.iter().map(|target| {
            let row = sections
                .get(*target)
                .and_then(|section| section.rows.get(number));
            row.map_or_else(String::new, |(_, figures)| {
                let figures: Vec<_> = figures.iter().map(u64::to_string).collect();
                figures.join(" / ")
            })
        });
        let cells: Vec<_> = figures.collect();
        text.push_str(&format!("| {} | {} |\n", program.name, cells.join(" | ")));
    }
    text + "\n"
}

/// Returns the bytes of the sections that are loaded. Tables for unwinding have no use with `panic = "abort"`, and
/// the linker scripts of start-up code leave them out.
fn flash(elf: &[u8]) -> Result<u64> {
    let header = FileHeader32::<LittleEndian>::parse(elf)?;
    let sections = header.sections(LittleEndian, elf)?;
    let mut bytes = 0;
    for section in sections.iter() {
        let is_loaded = section.sh_flags(LittleEndian).contains(SHF_ALLOC);
        if is_loaded && !UNWINDING.contains(&sections.section_name(LittleEndian, section)?) {
            bytes += u64::from(section.sh_size(LittleEndian));
        }
    }
    ensure!(bytes > 0, "the program has no code");
    Ok(bytes)
}

/// Prints the sizes and names of all functions and constants, the largest first.
fn print_map(target: &str, elf: &[u8]) -> Result<()> {
    let mut sizes = symbols::of(elf)?;
    sizes.retain(|(size, _)| *size > 0);
    sizes.sort_by(|a, b| b.cmp(a));
    for (size, name) in sizes {
        println!("{target}: {size:5} {name}");
    }
    Ok(())
}
