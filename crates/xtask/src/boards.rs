//! `cargo xtask boards` runs the streams, with and without the feature `tiny`, on boards that QEMU emulates: it
//! builds benches/boards for each processor, and has it check vectors of keys, signatures and verdicts.

mod vectors;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::document::SETS;
use crate::{process, tiny};

const FOLDER: &str = "benches/boards";
/// The features of each form of the program, and its profile.
const FORMS: [(&str, &str, &str); 2] = [("fast", "", "release"), ("tiny", "tiny", "smallest")];

/// A sample has one of this number of vectors.
const SAMPLED: usize = 4;

/// A board in QEMU.
#[derive(Clone, Copy)]
struct Board {
    processor: &'static str,
    target: &'static str,
    /// The name of a file of benches/boards/memory.
    memory: &'static str,
    /// The command of QEMU and its arguments.
    qemu: &'static [&'static str],
}

const ARM: &str = "qemu-system-arm";
/// The boards. The programs for the processors with fewer instructions also run on those with more; here, each
/// processor has the target that its users choose.
const BOARDS: [Board; 9] = [
    Board {
        processor: "cortex-m0",
        target: "thumbv6m-none-eabi",
        memory: "microbit",
        qemu: &[ARM, "-M", "microbit"],
    },
    Board {
        processor: "cortex-m3",
        target: "thumbv7m-none-eabi",
        memory: "mps2",
        qemu: &[ARM, "-M", "mps2-an385"],
    },
    Board {
        processor: "cortex-m4",
        target: "thumbv7em-none-eabi",
        memory: "mps2",
        qemu: &[ARM, "-M", "mps2-an386"],
    },
    Board {
        processor: "cortex-m7",
        target: "thumbv7em-none-eabihf",
        memory: "mps2",
        qemu: &[ARM, "-M", "mps2-an500"],
    },
    Board {
        processor: "cortex-m33",
        target: "thumbv8m.main-none-eabi",
        memory: "mps2-an505",
        qemu: &[ARM, "-M", "mps2-an505"],
    },
    Board {
        processor: "cortex-m55",
        target: "thumbv8m.main-none-eabihf",
        memory: "mps3-an547",
        qemu: &[ARM, "-M", "mps3-an547"],
    },
    Board {
        processor: "rv32imc",
        target: "riscv32imc-unknown-none-elf",
        memory: "virt",
        qemu: &[
            "qemu-system-riscv32",
            "-M",
            "virt",
            "-bios",
            "none",
            "-cpu",
            "rv32,a=false,f=false,d=false",
        ],
    },
    Board {
        processor: "rv32imac",
        target: "riscv32imac-unknown-none-elf",
        memory: "virt",
        qemu: &[
            "qemu-system-riscv32",
            "-M",
            "virt",
            "-bios",
            "none",
            "-cpu",
            "rv32,f=false,d=false",
        ],
    },
    Board {
        processor: "rv64gc",
        target: "riscv64gc-unknown-none-elf",
        memory: "virt",
        qemu: &["qemu-system-riscv64", "-M", "virt", "-bios", "none"],
    },
];

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only this processor: cortex-m0, -m3, -m4, -m7, -m33 or -m55, rv32imc, rv32imac or rv64gc
    #[arg(long)]
    processor: Option<String>,
    /// Only the vectors of one set, such as ML-DSA-65
    #[arg(long)]
    set: Option<String>,
    /// Only one form: fast, or tiny
    #[arg(long)]
    form: Option<String>,
    /// Only every N-th vector; the commit chooses the first. The hundred keys and signatures of
    /// kats/accumulated.json are left out
    #[arg(long, value_name = "N")]
    every: Option<usize>,
    /// One processor, one set, one form and every fourth vector, which the commit chooses
    #[arg(long, conflicts_with_all = ["processor", "set", "form", "every"])]
    sample: bool,
}

/// Runs all boards and forms, or those that the arguments choose.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut boards = BOARDS.to_vec();
    let (mut set, mut only) = (arguments.set.clone(), arguments.form.clone());
    if arguments.sample {
        boards = vec![process::chosen_by_commit(&BOARDS)?];
        // The numbers of boards, sets and forms have common factors, so that one list has all pairs.
        let pairs = SETS.map(|set| FORMS.map(|(form, ..)| (set, form)));
        let (chosen, form) = process::chosen_by_commit(pairs.as_flattened())?;
        (set, only) = (Some(chosen.to_owned()), Some(form.to_owned()));
    }
    if let Some(processor) = &arguments.processor {
        boards.retain(|board| board.processor == processor);
        ensure!(!boards.is_empty(), "there is no board with {processor}");
    }
    let folder = process::target_directory()?.join("boards");
    fs::create_dir_all(&folder)?;
    let every = arguments.every.or(arguments.sample.then_some(SAMPLED));
    let part = match every {
        Some(every) => {
            let firsts: Vec<_> = (0..every).collect();
            Some((process::chosen_by_commit(&firsts)?, every))
        }
        None => None,
    };
    let records = vectors::write(&folder.join("vectors"), set.as_deref(), part)?;
    let mut missing = Vec::new();
    for board in boards {
        if let Some(what) = board.lacks() {
            println!("NOT CHECKED: {}: {what} is missing", board.processor);
            missing.push(board.processor);
            continue;
        }
        for (form, feature, profile) in FORMS {
            if only.as_ref().is_some_and(|only| only != form) {
                continue;
            }
            let program = board.build(&folder, feature, profile)?;
            let report = board.run(&folder, &program)?;
            let report = report.trim();
            ensure!(
                report == format!("{records} records"),
                "{}, {form}: {report}",
                board.processor
            );
            println!("{}, {form}: {report}", board.processor);
        }
    }
    if !missing.is_empty() {
        println!("boards: not checked: {}", missing.join(", "));
    }
    Ok(())
}

impl Board {
    /// Returns what this machine lacks to run the board.
    fn lacks(&self) -> Option<String> {
        let emulator = self.qemu.first().copied().unwrap_or_default();
        if Command::new(emulator).arg("--version").output().is_err() {
            return Some(emulator.to_owned());
        }
        process::compiler_for(self.target)
            .is_none()
            .then(|| format!("the library for {}", self.target))
    }

    fn build(&self, folder: &Path, features: &str, profile: &str) -> Result<PathBuf> {
        // Two boards with one target have different memory, and so different programs.
        let folder = folder.join(self.memory);
        let mut cargo = process::cargo_in(FOLDER, &folder, ["build", "--quiet", "--locked"]);
        cargo.args(["--profile", profile, "--target", self.target]);
        cargo
            .args(["--features", features])
            .env("BOARD", self.memory);
        if !features.is_empty() && self.target.starts_with("riscv32") {
            cargo.env("RUSTFLAGS", tiny::RISCV32_FLAGS);
        }
        let compiler = process::compiler_for(self.target).context("no compiler")?;
        process::run(cargo.env("RUSTC", compiler))?;
        Ok(folder.join(self.target).join(profile).join("vectors"))
    }

    /// Runs the program in the folder with the vectors, and returns its output.
    fn run(&self, folder: &Path, program: &Path) -> Result<String> {
        let (emulator, arguments) = self.qemu.split_first().context("no emulator")?;
        let mut qemu = Command::new(emulator);
        qemu.current_dir(folder).args(arguments);
        qemu.args(process::SEMIHOSTING).arg("-kernel").arg(program);
        process::report(&mut qemu)
    }
}
