//! Proves, for all inputs, that the machine code of the kernels and of Keccak computes what FIPS 204 and
//! FIPS 202 say.
//!
//! The functions of the probe are executed with symbolic inputs. The results are terms in a normal form,
//! which are compared with the standard: see [`theorems`]. On the way, every branch and every address must
//! be a constant, every access must be within what the function was given, and the registers that callers
//! rely on must be restored.
//!
//! What must be trusted are the rules of [`terms`] and [`numbers`], the model of the instructions in [`x86`],
//! [`aarch64`] and [`armv7`], [`memory`], and the standard in [`specification`]. The tests compare the rules with plain
//! integers, `cosimulate` the model with a processor, and `mutate` shows that the proofs depend on each
//! instruction and each table.
//!
//! What is proved is about the probe: the functions of one compiler, one profile and one set of features; or
//! about a [`program`]. Functions that are inlined into their callers may be compiled to other instructions
//! there. The arguments in memory do not overlap and are aligned; the calls of `memcpy` and `memset` do what the
//! C standard says. For ARMv7-M the probe contains these two functions, and they are executed.

mod aarch64;
mod armv7;
mod cases;
mod cosimulate;
mod evaluate;
mod flags;
mod image;
mod lanes;
mod machine;
mod memory;
mod mutate;
mod numbers;
mod probe;
mod processor;
mod program;
mod random;
mod specification;
mod terms;
mod theorems;
mod x86;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::{Args, Parser, Subcommand, ValueEnum};

use image::{Architecture, Image};
use probe::Build;
use program::Program;
use theorems::Theorem;

#[derive(Parser)]
#[command(about = "Proves that the machine code of the kernels computes what the standards say")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Prove the theorems
    Prove {
        #[command(flatten)]
        choice: Choice,
        /// Prove them about the kernels of this program, in place of those of the probe
        #[arg(long)]
        program: Option<Program>,
    },
    /// Compare the model of the instructions that the theorems execute with a processor
    Cosimulate {
        #[command(flatten)]
        choice: Choice,
        /// A shared object instead of the compiled probe
        #[arg(long)]
        object: Option<PathBuf>,
    },
    /// Flip bits of the code and of its tables, and check that the theorems fail
    Mutate {
        #[command(flatten)]
        choice: Choice,
        /// The seed that chooses the bits
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How many bits are flipped, one at a time
        #[arg(long, default_value_t = 200)]
        count: usize,
    },
    /// List the theorems
    List(Choice),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    #[value(name = "x86_64")]
    X86_64,
    #[value(name = "aarch64")]
    Aarch64,
    #[value(name = "armv7m")]
    Armv7m,
}

/// What to prove, and of which code.
#[derive(Args)]
struct Choice {
    #[arg(long, default_value = "x86_64")]
    target: Target,
    /// The level of optimisation of the probe: 1, 2, 3, s or z
    #[arg(long, default_value = "3")]
    opt_level: String,
    /// Compile the probe for the CPU at hand
    #[arg(long)]
    native: bool,
    /// Compile the probe with this toolchain of rustup
    #[arg(long)]
    toolchain: Option<String>,
    /// Only these backends
    #[arg(long)]
    backend: Vec<String>,
    /// Only these theorems
    #[arg(long)]
    theorem: Vec<String>,
}

impl Choice {
    fn build(&self) -> Build {
        Build {
            architecture: self.architecture(),
            level: self.opt_level.clone(),
            native: self.native,
            toolchain: self.toolchain.clone(),
        }
    }

    fn architecture(&self) -> Architecture {
        match self.target {
            Target::X86_64 => Architecture::X86_64,
            Target::Aarch64 => Architecture::Aarch64,
            Target::Armv7m => Architecture::Armv7m,
        }
    }

    /// Returns the chosen theorems.
    fn theorems(&self) -> Result<Vec<Theorem>> {
        let wanted =
            |list: &[String], name: &str| list.is_empty() || list.iter().any(|one| one == name);
        let mut all = theorems::all(self.architecture());
        all.retain(|theorem| {
            wanted(&self.backend, theorem.backend) && wanted(&self.theorem, &theorem.name)
        });
        ensure!(
            !all.is_empty(),
            "there is no such theorem; `list` shows all of them"
        );
        Ok(all)
    }
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Prove { choice, program } => prove(&choice, program),
        Command::Cosimulate { choice, object } => cosimulate(&choice, object),
        Command::Mutate {
            choice,
            seed,
            count,
        } => mutate(&choice, seed, count),
        Command::List(choice) => {
            for theorem in choice.theorems()? {
                println!("{:9} {}", theorem.backend, theorem.name);
            }
            Ok(())
        }
    }
}

fn prove(choice: &Choice, program: Option<Program>) -> Result<()> {
    let theorems = choice.theorems()?;
    let started = Instant::now();
    let products = numbers::check_rules()?;
    println!(
        "the rules for products hold for {products} products in exact arithmetic; {:.1} s",
        started.elapsed().as_secs_f64()
    );
    let mut image = choice.build().image()?;
    if let Some(program) = program {
        ensure!(
            choice.target == Target::X86_64,
            "programs are built for x86-64 only"
        );
        image.add_program(&program.build()?)?;
    }
    let started = Instant::now();
    let (mut proved, mut failed) = (0, 0);
    for theorem in &theorems {
        let began = Instant::now();
        let said = match program::prove(theorem, &image) {
            Ok((_, trace)) if program.is_some() && trace.replaced.is_empty() => {
                "not about this program, in which these kernels are inlined or missing".to_owned()
            }
            Ok((said, trace)) => {
                proved += 1;
                let functions = match trace.replaced.len() {
                    0 => String::new(),
                    number => format!(", {number} kernels of the program"),
                };
                format!("proved, {} instructions{functions}: {said}", trace.steps)
            }
            Err(error) => {
                failed += 1;
                format!("NOT PROVED: {error:#}")
            }
        };
        println!(
            "{:9} {:20} {:6.2} s  {said}",
            theorem.backend,
            theorem.name,
            began.elapsed().as_secs_f64()
        );
    }
    println!(
        "proved: {proved} theorems, {failed} not proved; {:.1} s",
        started.elapsed().as_secs_f64()
    );
    ensure!(failed == 0, "{failed} theorems are not proved");
    ensure!(proved > 0, "no theorem is about this program");
    Ok(())
}

fn cosimulate(choice: &Choice, object: Option<PathBuf>) -> Result<()> {
    let started = Instant::now();
    let path = object.map_or_else(|| choice.build().path(), Ok)?;
    let image = Image::read(&path)?;
    let compared = cosimulate::compare(&image, &path, &choice.theorems()?)?;
    ensure!(
        compared.missing.is_empty(),
        "the processor has no {}, so that these instructions are not compared; `--backend` chooses others",
        compared.missing.join(", ")
    );
    ensure!(compared.values > 0, "nothing was compared");
    let names: Vec<_> = compared.trace.names.keys().map(String::as_str).collect();
    println!("{}", names.join(" "));
    println!(
        "compared: {} mnemonics, {} instructions, {} values, no difference; {:.1} s",
        names.len(),
        compared.trace.steps,
        compared.values,
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

fn mutate(choice: &Choice, seed: u64, count: usize) -> Result<()> {
    let started = Instant::now();
    let path = choice.build().path()?;
    let image = Image::read(&path)?;
    let theorems = choice.theorems()?;
    let subject = mutate::Subject {
        image: &image,
        path: &path,
        theorems: &theorems,
        target: match choice.target {
            Target::X86_64 => "x86_64",
            Target::Aarch64 => "aarch64",
            Target::Armv7m => "armv7m",
        },
    };
    let mutants = subject.mutate(seed, count)?;
    println!("{:.1} s", started.elapsed().as_secs_f64());
    mutate::report(&mutants, &theorems)
}
