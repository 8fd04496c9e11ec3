//! What stops the execution of a program, and what that means.

use std::cell::RefCell;
use std::rc::Rc;

use anyhow::{Result, bail};
use unicorn_engine::{RegisterARM, Unicorn};

use crate::machine::{Machine, error};

/// The address of the image in the firmware.
pub(crate) const ENTRY: u32 = 0x0804_0001;
/// What a program does with an invalid signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The state is the same as without the fault.
    NoEffect,
    Refused,
    /// The processor stops at an invalid access or instruction, or jumps to another address than the image's.
    Crashed,
    /// The program does not end.
    Hung,
    Accepted,
}

/// The number of outcomes.
pub(crate) const OUTCOMES: usize = 5;

enum Event {
    Boot(u32),
    Stop,
    Checkpoint,
    End,
    TooLong,
}

pub(crate) struct Watch {
    boot: u64,
    stop: u64,
    /// The address and the stack pointer of the next checkpoint.
    pub(crate) checkpoint: Option<(u64, u32)>,
    /// The same of the end of the run.
    pub(crate) end: Option<(u64, u32)>,
    /// The execution goes on at a checkpoint.
    pub(crate) resumes: bool,
    pub(crate) blocks: u32,
    most_blocks: u32,
    event: Option<Event>,
}

impl Watch {
    /// The addresses of an acceptance and of a refusal, and the most blocks.
    pub(crate) fn new(boot: u64, stop: u64, most_blocks: u32) -> Self {
        Self {
            boot,
            stop,
            checkpoint: None,
            end: None,
            resumes: false,
            blocks: 0,
            most_blocks,
            event: None,
        }
    }

    fn block(&mut self, at: u64, unicorn: &mut Unicorn<'_, ()>) {
        self.blocks += 1;
        if std::mem::take(&mut self.resumes) {
            return;
        }
        let read = |register: i32| unicorn.reg_read(register).unwrap_or_default() as u32;
        self.event = if at == self.boot {
            Some(Event::Boot(read(RegisterARM::R0 as i32)))
        } else if at == self.stop {
            Some(Event::Stop)
        } else if let Some((place, sp)) = self.end
            && place == at
            && read(RegisterARM::SP as i32) == sp
        {
            Some(Event::End)
        } else if let Some((place, sp)) = self.checkpoint
            && place == at
            && read(RegisterARM::SP as i32) == sp
        {
            Some(Event::Checkpoint)
        } else if self.blocks > self.most_blocks {
            Some(Event::TooLong)
        } else {
            return;
        };
        let _ = unicorn.emu_stop();
    }
}

/// Lets a machine stop at what is watched for.
pub(crate) fn install(watch: &Rc<RefCell<Watch>>, runner: &mut Machine) -> Result<()> {
    let watching = Rc::clone(watch);
    let each = move |unicorn: &mut Unicorn<'_, ()>, at: u64, _: u32| {
        watching.borrow_mut().block(at, unicorn);
    };
    runner.unicorn.add_block_hook(1, 0, each).map_err(error)?;
    Ok(())
}

/// Executes up to the next event.
pub(crate) fn run(watch: &RefCell<Watch>, runner: &mut Machine) -> Result<Stopped> {
    watch.borrow_mut().event = None;
    let _ = runner.execute()?;
    let mut watch = watch.borrow_mut();
    let event = watch.event.take();
    watch.resumes = matches!(event, Some(Event::Checkpoint | Event::End));
    Ok(match event {
        Some(Event::Boot(ENTRY)) => Stopped::With(Outcome::Accepted),
        Some(Event::Boot(_)) => Stopped::With(Outcome::Crashed),
        Some(Event::Stop) => Stopped::With(Outcome::Refused),
        Some(Event::TooLong) => Stopped::With(Outcome::Hung),
        Some(Event::Checkpoint) => Stopped::Checkpoint,
        Some(Event::End) => Stopped::End,
        // The processor stops, or the program returns from its first function.
        None => Stopped::With(Outcome::Crashed),
    })
}

/// Where an execution stops.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stopped {
    Checkpoint,
    /// At the end of a run.
    End,
    With(Outcome),
}

impl Stopped {
    pub(crate) fn outcome(self) -> Result<Outcome> {
        match self {
            Self::With(outcome) => Ok(outcome),
            Self::Checkpoint | Self::End => bail!("a state to compare is unknown"),
        }
    }
}
