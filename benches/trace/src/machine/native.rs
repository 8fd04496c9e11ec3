//! Execution on this processor, one instruction at a time, as a debugger does.

mod registers;

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::ptr::{null_mut, without_provenance_mut};

use anyhow::{Context, Result, bail, ensure};
use iced_x86::{Decoder, DecoderOptions, InstructionInfoFactory};
use object::{Object, ObjectSection, SectionKind};

use self::registers::State;
use super::{Ended, Machine, Run};
use crate::program::{Output, Program};
use crate::record::{Event, Recorder, Window};
use crate::x86::Decoded;

/// This processor.
pub(super) struct Native {
    folder: PathBuf,
}

impl Native {
    pub(super) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }
}

/// The most seconds for the program without steps. It takes less than one; after a panic, it does not end.
const SECONDS: libc::rlim_t = 60;

impl Machine for Native {
    fn output(&self, _: &Program, file: &[u8]) -> Result<Output> {
        let mut command = Command::new(super::write_program(&self.folder, file)?);
        command.env_clear().stdin(Stdio::null());
        let limit = || {
            let seconds = libc::rlimit {
                rlim_cur: SECONDS,
                rlim_max: SECONDS,
            };
            // SAFETY: the call only reads its argument.
            match unsafe { libc::setrlimit(libc::RLIMIT_CPU, &raw const seconds) } {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            }
        };
        // SAFETY: the function makes a system call only.
        let output = unsafe { command.pre_exec(limit) }.output();
        let output = output.context("cannot start the probe")?;
        ensure!(
            output.status.success(),
            "the probe panicked or failed: {}",
            output.status
        );
        Output::read(&output.stdout)
    }

    fn run(&self, program: &Program, file: &[u8], window: &Window) -> Result<Run> {
        let path = super::write_program(&self.folder, file)?;
        let mut code = Code::read(file)?;
        stay_on_this_processor()?;
        let stepped = Stepped::start(&path)?;
        let mut recorder = Recorder::new(window.clone());
        let mut state = State::new(stepped.id());
        let mut events = Vec::new();
        let ended = loop {
            let at = state.read()?;
            if at == program.panic {
                break Ended::Panicked;
            }
            recorder.event(Event::executes(at));
            code.at(at)?.events(&mut state, &mut events)?;
            events.drain(..).for_each(|event| recorder.event(event));
            if recorder.is_done() {
                break Ended::Early;
            }
            if !stepped.step()? {
                break Ended::Returned;
            }
        };
        Ok(Run {
            trace: recorder.end(),
            ended,
        })
    }
}

/// Keeps this thread, and the programs that it starts, on one processor. At each instruction, one of two
/// processes waits for the other; waking a process on another processor takes several times as long.
fn stay_on_this_processor() -> Result<()> {
    // SAFETY: the set consists of integers, and both calls get its size.
    let result = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(usize::try_from(libc::sched_getcpu())?, &mut set);
        libc::sched_setaffinity(0, size_of_val(&set), &raw const set)
    };
    ensure!(
        result == 0,
        "sched_setaffinity: {}",
        std::io::Error::last_os_error()
    );
    Ok(())
}

/// A program that stops after each instruction. It is killed when this is dropped.
struct Stepped(Child);

impl Stepped {
    fn start(path: &Path) -> Result<Self> {
        let mut command = Command::new(path);
        command
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        let prepare = || {
            // SAFETY: both calls only change the state of this process.
            unsafe {
                libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
                if libc::ptrace(libc::PTRACE_TRACEME, 0, null_mut::<u8>(), null_mut::<u8>()) != 0 {
                    return Err(std::io::Error::last_os_error());
                }
            }
            Ok(())
        };
        // SAFETY: the function makes system calls only.
        let child = unsafe { command.pre_exec(prepare) };
        let child = Self(child.spawn().context("cannot start the probe")?);
        // The program stops when it begins.
        ensure!(child.stops()?, "the probe did not begin");
        let options = without_provenance_mut::<u8>(libc::PTRACE_O_EXITKILL as usize);
        // SAFETY: the program is a stopped child of this process. It ends when this process does.
        let result = unsafe {
            libc::ptrace(
                libc::PTRACE_SETOPTIONS,
                child.id(),
                null_mut::<u8>(),
                options,
            )
        };
        ensure!(result == 0, "ptrace: {}", std::io::Error::last_os_error());
        Ok(child)
    }

    fn id(&self) -> libc::pid_t {
        self.0.id().cast_signed()
    }

    /// Executes an instruction, and returns whether the program still exists.
    fn step(&self) -> Result<bool> {
        // SAFETY: the program is a stopped child of this process.
        let result = unsafe {
            libc::ptrace(
                libc::PTRACE_SINGLESTEP,
                self.id(),
                null_mut::<u8>(),
                null_mut::<u8>(),
            )
        };
        ensure!(result == 0, "ptrace: {}", std::io::Error::last_os_error());
        self.stops()
    }

    /// Waits until the program stops, and returns whether it still exists.
    fn stops(&self) -> Result<bool> {
        let mut status = 0;
        // SAFETY: `status` is a variable of the type that the call writes.
        let waited = unsafe { libc::waitpid(self.id(), &raw mut status, 0) };
        ensure!(
            waited == self.id(),
            "waitpid: {}",
            std::io::Error::last_os_error()
        );
        if libc::WIFSTOPPED(status) {
            let signal = libc::WSTOPSIG(status);
            ensure!(
                signal == libc::SIGTRAP,
                "the probe received signal {signal}"
            );
            return Ok(true);
        }
        if libc::WIFEXITED(status) {
            return Ok(false);
        }
        bail!("the probe ended with status {status:#x}")
    }
}

impl Drop for Stepped {
    fn drop(&mut self) {
        // Both fail if the program has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The instructions of a program, decoded at their first execution.
struct Code {
    start: u64,
    bytes: Vec<u8>,
    decoded: Vec<Option<Box<Decoded>>>,
    factory: InstructionInfoFactory,
}

impl Code {
    fn read(file: &[u8]) -> Result<Self> {
        let file = object::File::parse(file).context("the probe")?;
        let mut sections = file.sections();
        let text =
            sections.find(|section| section.kind() == SectionKind::Text && section.size() > 0);
        let text = text.context("the probe has no code")?;
        let bytes = text.data()?.to_vec();
        Ok(Self {
            start: text.address(),
            decoded: bytes.iter().map(|_| None).collect(),
            bytes,
            factory: InstructionInfoFactory::new(),
        })
    }

    fn at(&mut self, at: u64) -> Result<&Decoded> {
        let offset = usize::try_from(at.wrapping_sub(self.start))?;
        let decoded = self.decoded.get_mut(offset);
        let decoded = decoded.with_context(|| format!("{at:#x} is not code"))?;
        if decoded.is_none() {
            let bytes = &self.bytes[offset..];
            let instruction = Decoder::with_ip(64, bytes, at, DecoderOptions::NONE).decode();
            ensure!(!instruction.is_invalid(), "{at:#x} is not an instruction");
            *decoded = Some(Box::new(Decoded::new(instruction, &mut self.factory)));
        }
        decoded.as_deref().context("an instruction")
    }
}
