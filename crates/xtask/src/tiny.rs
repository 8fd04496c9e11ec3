//! `cargo xtask tiny` measures the code of the smallest firmware: the streams of ML-DSA-87 with the feature `tiny`,
//! linked into programs without an operating system or start-up code.
//!
//! The programs are in a scratch project, whose profile is that of a user's firmware. They are not run: their
//! input is at an address that the linker does not allocate.

mod panics;
mod symbols;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use object::LittleEndian;
use object::elf::{FileHeader32, SHF_ALLOC};
use object::read::elf::{FileHeader, SectionHeader};

use crate::baseline::{self, Baseline, OtherCompiler, Section, Sections};
use crate::{document, process};

const BASELINE: Baseline = Baseline {
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
/// The operations of each program.
const PROGRAMS: [(&str, &[&str]); 5] = [
    ("keygen", &["keygen"]),
    ("sign", &["sign"]),
    ("verify", &["verify"]),
    ("keygen and sign", &["keygen", "sign"]),
    ("all", &["keygen", "sign", "verify"]),
];
const PROFILE: &str =
    "[profile.release]\nlto = \"fat\"\ncodegen-units = 1\npanic = \"abort\"\nopt-level = \"z\"\n";
/// The flags with which code for RISC-V with words of 32 bits is smallest: the linker shortens calls, and common
/// functions save and restore registers. Compilers warn that the names of these features are not stable.
pub(crate) const RISCV32_FLAGS: &str = "-C target-feature=+relax,+save-restore";
/// The functions of memory and of registers with the least code.
const ARM: &str = include_str!("tiny/arm.s");
const RISCV32: &str = include_str!("tiny/riscv32.s");
const SOURCE: &str = r#"
#![no_std]
#![no_main]
#![allow(unused)]
use core::convert::Infallible;
use core::hint::black_box;
use moissanite::stream::{Seeds, SigningKey, VerifyingKey};
use moissanite::{MlDsa87 as Set, ParameterSet, Seed};

#[cfg(all(feature = "memory", target_arch = "arm"))]
core::arch::global_asm!(include_str!("../arm.s"));
#[cfg(all(feature = "memory", target_arch = "riscv32"))]
core::arch::global_asm!(include_str!("../riscv32.s"));

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
fn input<const N: usize>() -> &'static [u8; N] {
    unsafe { &*black_box(0x2000_0000 as *const [u8; N]) }
}
fn output(piece: &[u8]) -> Result<(), Infallible> {
    black_box(piece);
    Ok(())
}
fn keygen() -> bool {
    let mut seeds = Seeds::new();
    let key = SigningKey::<Set, _>::from_seed_in(&mut seeds, &Seed::from_bytes(input()));
    key.write_public_key(output).is_ok()
}
fn sign() -> bool {
    let mut seeds = Seeds::new();
    let key = SigningKey::<Set, _>::from_seed_in(&mut seeds, &Seed::from_bytes(input()));
    key.try_sign_pieces(b"", |mu| mu.update(input::<32>()), output).is_ok()
}
fn expanded() -> bool {
    let key = SigningKey::<Set, _>::from_expanded_bytes(input::<{ Set::PRIVATE_KEY_LEN }>());
    key.is_ok_and(|key| key.try_sign_pieces(b"", |mu| mu.update(input::<32>()), output).is_ok())
}
fn source() -> bool {
    let read = |offset: usize, piece: &mut [u8]| -> Result<(), ()> {
        black_box((offset, piece));
        Ok(())
    };
    let key = VerifyingKey::<Set, _>::from_source(read);
    key.is_ok_and(|key| {
        key.cache_z().verify_pieces_source(b"", |mu| mu.update(input::<32>()), read).is_ok()
    })
}
fn verify() -> bool {
    let key = VerifyingKey::<Set, _>::from_bytes(input::<{ Set::PUBLIC_KEY_LEN }>());
    let signature = input::<{ Set::SIGNATURE_LEN }>();
    key.is_ok_and(|mut key| key.verify_pieces(b"", |mu| mu.update(input::<32>()), signature).is_ok())
}
#[unsafe(no_mangle)]
pub extern "C" fn _start() -> ! {
    loop {
        BODY
    }
}
"#;

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print the functions and constants of the program with all operations, the largest first
    #[arg(long)]
    map: bool,
    /// Measure nothing, and check that programs with all operations, with and without `tiny`, contain no panic and
    /// no formatting code, on each target at each level of optimisation
    #[arg(long, conflicts_with_all = ["map", "write"])]
    panics: bool,
    /// With --panics, check only one target and level, which the commit chooses
    #[arg(long, requires = "panics")]
    sample: bool,
    #[command(flatten)]
    baseline: baseline::Arguments,
}

/// The operations of the program of --panics.
const ALL: &[&str] = &["keygen", "sign", "expanded", "verify", "source"];

/// Measures, and compares or records; or searches for panics.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let project = write_project()?;
    if arguments.panics {
        panics::run(&project, arguments.sample)
    } else {
        measure(&project, arguments)
    }
}

/// Writes the scratch project, and returns its folder.
fn write_project() -> Result<PathBuf> {
    let project = process::target_directory()?.join("tiny");
    fs::create_dir_all(project.join("src/bin"))?;
    let facade = process::root().join("crates/moissanite");
    let manifest = format!(
        "[package]\nname = \"tiny\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         moissanite = {{ path = {facade:?}, default-features = false }}\n\
         [features]\ntiny = [\"moissanite/tiny\"]\nmemory = []\n{PROFILE}"
    );
    fs::write(project.join("Cargo.toml"), manifest)?;
    fs::write(project.join("src/arm.s"), ARM)?;
    fs::write(project.join("src/riscv32.s"), RISCV32)?;
    fs::copy(
        process::root().join("Cargo.lock"),
        project.join("Cargo.lock"),
    )?;
    for (name, operations) in PROGRAMS.into_iter().chain([("operations", ALL)]) {
        let body: String = operations
            .iter()
            .map(|operation| format!("black_box({operation}());"))
            .collect();
        let path = project.join("src/bin").join(file_name(name));
        fs::write(path.with_extension("rs"), SOURCE.replace("BODY", &body))?;
    }
    Ok(project)
}

/// Measures the programs, and compares or records.
fn measure(project: &Path, arguments: &Arguments) -> Result<()> {
    let compiler = process::version(&process::compiler())?;
    let mut sections = Sections::new();
    for target in TARGETS {
        let mut figures = PROGRAMS.map(|_| Vec::new());
        for (features, flags) in [("tiny", ""), ("tiny,memory", flags(target))] {
            let folder = project.join("target").join(features);
            let mut cargo = process::cargo(["build", "--quiet", "--release", "--target", target]);
            cargo.args(["--features", features]).arg("--target-dir");
            cargo.arg(&folder).current_dir(project);
            process::run(cargo.env("RUSTFLAGS", flags))?;
            for ((name, _), figures) in PROGRAMS.iter().zip(&mut figures) {
                let program = folder.join(target).join("release").join(file_name(name));
                let elf = fs::read(program)?;
                figures.push(flash(&elf)?);
                // The figures of the smallest program are the second ones.
                if arguments.map && *name == "all" && figures.len() == COLUMNS.len() {
                    print_map(target, &elf)?;
                }
            }
        }
        let mut section = Section::new(compiler.clone(), &COLUMNS);
        let names = PROGRAMS.iter().map(|(name, _)| (*name).to_owned());
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
    for (number, (name, _)) in PROGRAMS.into_iter().enumerate() {
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
        text.push_str(&format!("| {name} | {} |\n", cells.join(" | ")));
    }
    text + "\n"
}

fn file_name(program: &str) -> String {
    program.replace(' ', "_")
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
