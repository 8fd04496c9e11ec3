//! Skipped instructions in signing, and what the signatures reveal.
//!
//! The signature is deterministic, so that an attacker can compare it with the right one of the same message.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use anyhow::{Context, Result, ensure};
use moissanite::prelude::*;
use moissanite::{MlDsa44, ParameterSet, Seed, Signature, SigningKey};
use unicorn_engine::Unicorn;

use crate::fault::{Before, Fault};
use crate::firmware::Firmware;
use crate::it;
use crate::machine::{END, INPUTS, Machine, RAM, RAM_LEN, State, error};
use crate::registers::FLAGS;
use crate::secret::{Leak, Secret};
use crate::targets::spread;

const SEED: [u8; 32] = [7; 32];
const MESSAGE: [u8; 32] = [1; 32];
/// The program executes fewer blocks than this without a fault.
const MOST_BLOCKS: u32 = 2_000_000;
const STATES: usize = 500;
const LENGTH: usize = MlDsa44::SIGNATURE_LEN;

/// What an attacker gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Released {
    Nothing,
    Right,
    Other(Leak, bool),
}

impl fmt::Display for Released {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (leak, valid) = match self {
            Self::Nothing => return write!(f, "nothing"),
            Self::Right => return write!(f, "the right signature"),
            Self::Other(leak, valid) => (leak, valid),
        };
        let valid = if *valid { "valid" } else { "invalid" };
        let leak = match leak {
            Leak::None => "no leak is found",
            Leak::NoMask => "y is missing",
            Leak::SameMask => "the same y for another challenge",
            Leak::TooLong => "z is too long",
        };
        write!(f, "{valid}, {leak}")
    }
}

/// Skips instructions, and returns the number of each result, with an example.
pub(crate) fn run(
    firmware: &Firmware,
    executions: usize,
) -> Result<BTreeMap<Released, (u64, String)>> {
    let key = SigningKey::<MlDsa44>::from_seed(&Seed::from_bytes(&SEED));
    let message = MESSAGE;
    let right = key.try_sign(&message).context("the key does not sign")?;
    let right: &[u8] = right.as_ref();
    let known = Secret::new(key.as_expanded_bytes().as_ref(), right);

    let (mut walker, mut runner) = (Machine::new(firmware)?, Machine::new(firmware)?);
    let blocks = Rc::new(RefCell::new(0));
    let counted = Rc::clone(&blocks);
    let each = move |unicorn: &mut Unicorn<'_, ()>, _: u64, _: u32| {
        let mut blocks = counted.borrow_mut();
        *blocks += 1;
        if *blocks > MOST_BLOCKS {
            let _ = unicorn.emu_stop();
        }
    };
    runner.unicorn.add_block_hook(1, 0, each).map_err(error)?;
    let inputs = [SEED, message].concat();
    for machine in [&mut walker, &mut runner] {
        machine.flash(INPUTS, &inputs)?;
    }
    let arguments = [INPUTS, INPUTS + 32, RAM];
    let start = State::call(
        firmware.symbol("sign")?,
        &arguments,
        vec![0; RAM_LEN].into(),
    );
    let trace = walker.trace(&start, END)?;
    let conditions = firmware.conditions(&trace);
    let ready = u32::try_from(firmware.symbol("moissanite_signing")?)?;
    let ready = trace.iter().position(|at| *at == ready);
    let ready = ready.context("signing does not begin")?;
    let mut released = |state: &State| -> Result<Vec<u8>> {
        *blocks.borrow_mut() = 0;
        runner.set(state)?;
        // After an exception, the sink has what was written before it.
        let _ = runner.execute()?;
        let state = runner.state()?;
        Ok(state.ram[..LENGTH].to_vec())
    };
    ensure!(
        released(&start)? == right,
        "the program does not sign as the library"
    );

    let mut steps = BTreeMap::<u32, Vec<usize>>::new();
    // The last instruction returns to where nothing is executed.
    let end = trace.len() - 1;
    for (step, at) in trace.iter().enumerate().take(end).skip(ready + 2) {
        steps.entry(*at).or_default().push(step);
    }
    let mut steps: Vec<usize> = steps
        .values()
        .flat_map(|all| spread(all, executions))
        .collect();
    steps.sort_unstable();
    let mut results = BTreeMap::new();
    for steps in steps.chunks(STATES) {
        for mut state in walker.states(&start, steps)? {
            let condition = conditions.get(&state.pc()).copied().unwrap_or(0);
            it::set(&mut state.registers[FLAGS], condition);
            let instruction = firmware.instruction(state.pc())?;
            let before = Before::new(&mut walker, &state, &instruction)?;
            let after = before.disturbed(&mut walker, Fault::Skip)?;
            let result = match after {
                None => Released::Nothing,
                Some(after) => {
                    let signature = released(&after)?;
                    if signature == right {
                        Released::Right
                    } else if signature.iter().all(|byte| *byte == 0) {
                        Released::Nothing
                    } else {
                        let parsed = Signature::<MlDsa44>::from_bytes(&signature);
                        let valid = parsed.is_ok_and(|parsed| {
                            key.verifying_key().verify(&message, &parsed).is_ok()
                        });
                        Released::Other(known.leak(&signature), valid)
                    }
                }
            };
            let example = format!(
                "`{}` at {:#x} in {}",
                instruction.text,
                state.pc(),
                firmware.name(state.pc())
            );
            if matches!(result, Released::Other(leak, true) if leak != Leak::None) {
                eprintln!("{result}: {example}");
            }
            results.entry(result).or_insert((0, example)).0 += 1;
        }
    }
    Ok(results)
}
