//! Executes a boot loader with invalid signatures and one fault at a time, and counts wrong acceptances.

mod checkpoints;
mod fault;
mod firmware;
mod inputs;
mod it;
mod machine;
mod registers;
mod secret;
mod signing;
mod targets;
mod verification;
mod watch;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;

use crate::firmware::Firmware;
use crate::inputs::Inputs;
use crate::targets::{Part, Random};
use crate::verification::Verification;
use crate::watch::{OUTCOMES, Outcome};

#[derive(Parser)]
struct Arguments {
    /// The firmware
    #[arg(long)]
    firmware: PathBuf,
    /// The parameter set
    #[arg(long)]
    set: String,
    /// The exported function: a boot loader, or `sign`
    #[arg(long)]
    program: String,
    /// The flaw of the signature
    #[arg(long, default_value = "")]
    flaw: String,
    /// At most this number of executions of each instruction of the decision code
    #[arg(long, default_value_t = usize::MAX)]
    executions: usize,
    /// At most this number of executions of each instruction of the loops
    #[arg(long, default_value_t = 0)]
    loops: usize,
    /// The number of random faults in the arithmetic
    #[arg(long, default_value_t = 0)]
    samples: usize,
    /// Print the instructions, and of a verification the bytes of stack and of flash, without faults
    #[arg(long)]
    cost: bool,
    /// Chooses these faults
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let firmware = Firmware::read(&arguments.firmware)?;
    if arguments.program == "sign" {
        if arguments.cost {
            println!("sign\t{}", signing::cost(&firmware)?);
            return Ok(());
        }
        for (released, count) in signing::run(&firmware, arguments.samples, arguments.seed)? {
            println!("{released}\t{count}");
        }
        return Ok(());
    }
    let (valid, invalid) = Inputs::all(&arguments.set)?;
    let invalid = invalid.iter().find(|one| one.name == arguments.flaw);
    let invalid = invalid.context("there is no such flaw")?;
    let mut verification = Verification::new(&firmware, &arguments.program, &valid, invalid)?;
    let trace = verification.trace.clone();
    if arguments.cost {
        let flash: usize = firmware.segments.iter().map(|(_, bytes)| bytes.len()).sum();
        let (program, stack) = (&arguments.program, verification.stack);
        println!("{program}\t{}\t{stack}\t{flash}", trace.len());
        return Ok(());
    }
    let mut random = Random(arguments.seed);
    let limit = targets::most_of_decisions(&arguments.set)?;
    let decisions = |part, most| targets::decisions(&firmware, &trace, limit, part, most);
    let parts = [
        ("decision", decisions(Part::Decision, arguments.executions)),
        ("loops", decisions(Part::Loop, arguments.loops)),
        (
            "arithmetic",
            targets::samples(&firmware, &trace, limit, arguments.samples, &mut random),
        ),
    ];
    for (part, targets) in parts {
        if targets.is_empty() {
            continue;
        }
        let mut counts = [0_u64; OUTCOMES];
        verification.inject(&targets, |target, fault, outcome| {
            counts[outcome as usize] += 1;
            if outcome == Outcome::Accepted {
                let at = trace[target.step].into();
                let text = firmware.instruction(at).map(|found| found.text);
                eprintln!(
                    "{}, {}: accepted after {fault} of `{}` at {at:#x} in {}",
                    arguments.program,
                    arguments.flaw,
                    text.unwrap_or_default(),
                    firmware.name(at)
                );
            }
        })?;
        let counts: Vec<_> = counts.iter().map(u64::to_string).collect();
        println!("{}, {part}\t{}", arguments.program, counts.join("\t"));
    }
    Ok(())
}
