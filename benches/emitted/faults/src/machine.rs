//! A Cortex-M4 in Unicorn, whose whole state is saved and restored.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use anyhow::{Result, anyhow, ensure};
use unicorn_engine::unicorn_const::{Arch, HookType, Mode, Permission};
use unicorn_engine::{ArmCpuModel, Context, RegisterARM as Arm, Unicorn, uc_error};

use crate::firmware::Firmware;
use crate::it;
use crate::registers::{FLAGS, LR, PC, SP};

pub(crate) const RAM: u64 = 0x2000_0000;
pub(crate) const RAM_LEN: usize = 16 << 10;
/// The inputs in flash.
pub(crate) const INPUTS: u64 = 0x0810_0000;
const INPUTS_LEN: usize = 16 << 10;
/// The return address of the program. The code there is never executed.
pub(crate) const END: u64 = 0x0c00_0000;
const PAGE: u64 = 4096;

/// r0 to r15 and the flags.
const REGISTERS: [Arm; 17] = [
    Arm::R0,
    Arm::R1,
    Arm::R2,
    Arm::R3,
    Arm::R4,
    Arm::R5,
    Arm::R6,
    Arm::R7,
    Arm::R8,
    Arm::R9,
    Arm::R10,
    Arm::R11,
    Arm::R12,
    Arm::SP,
    Arm::LR,
    Arm::PC,
    Arm::XPSR_NZCVQG,
];

/// Registers and memory.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) registers: [u32; REGISTERS.len()],
    pub(crate) ram: Box<[u8]>,
}

impl State {
    /// The state at the start of a function, with another state's memory.
    pub(crate) fn call(entry: u64, arguments: &[u64], ram: Box<[u8]>) -> Self {
        let mut registers = [0; REGISTERS.len()];
        for (register, argument) in registers.iter_mut().zip(arguments) {
            *register = *argument as u32;
        }
        registers[SP] = (RAM as usize + RAM_LEN) as u32;
        registers[LR] = END as u32 | 1;
        registers[PC] = entry as u32;
        // The state of the instruction set, Thumb.
        registers[FLAGS] = 1 << 24;
        Self { registers, ram }
    }

    pub(crate) fn pc(&self) -> u64 {
        self.registers[PC].into()
    }

    fn at(mut self, pc: u64) -> Self {
        self.registers[PC] = pc as u32;
        self
    }

    /// The memory that is in use: from the stack pointer on.
    pub(crate) fn live(&self) -> &[u8] {
        let from = u64::from(self.registers[SP]).saturating_sub(RAM) as usize;
        self.ram.get(from..).unwrap_or(&self.ram)
    }
}

/// A state at an address, and its index in a trace.
pub(crate) struct Visit {
    pub(crate) step: usize,
    pub(crate) state: State,
}

/// Is called before each instruction, with its address, and returns whether the execution goes on.
type Watcher = Box<dyn FnMut(&Unicorn<'_, ()>, u64) -> bool>;

/// An emulator.
pub(crate) struct Machine {
    pub(crate) unicorn: Unicorn<'static, ()>,
    /// The processor after a reset.
    reset: Context,
    /// What the only hook for instructions calls: with another hook, all code would be translated again.
    watcher: Option<Rc<RefCell<Watcher>>>,
    replaced: Option<Replaced>,
}

/// Code that can be replaced.
struct Replaced {
    /// The addresses and contents of flash.
    flash: Vec<(u64, Vec<u8>)>,
    /// Whether an instruction has written there.
    is_written: Rc<Cell<bool>>,
}

pub(crate) fn error(error: uc_error) -> anyhow::Error {
    anyhow!("Unicorn: {error:?}")
}

impl Machine {
    pub(crate) fn new(firmware: &Firmware) -> Result<Self> {
        Self::load(firmware, false).map_err(error)
    }

    /// A machine whose code is replaced often. Where flash is not writable, Unicorn builds the map of the
    /// memory again for each replacement.
    pub(crate) fn with_replaced_code(firmware: &Firmware) -> Result<Self> {
        Self::load(firmware, true).map_err(error)
    }

    fn load(firmware: &Firmware, is_replaced: bool) -> Result<Self, uc_error> {
        let mut unicorn = Unicorn::new(Arch::ARM, Mode::THUMB | Mode::MCLASS)?;
        unicorn.ctl_set_cpu_model(ArmCpuModel::UC_CPU_ARM_CORTEX_M4 as i32)?;
        let flash = Permission::READ | Permission::EXEC;
        let code = if is_replaced { Permission::ALL } else { flash };
        let written = Rc::new(Cell::new(false));
        for (at, bytes) in &firmware.segments {
            let (start, end) = (at & !(PAGE - 1), at + bytes.len() as u64);
            let length = end.next_multiple_of(PAGE) - start;
            unicorn.mem_map(start, length as usize, code)?;
            unicorn.mem_write(*at, bytes)?;
            if is_replaced {
                let written = Rc::clone(&written);
                let each = move |unicorn: &mut Unicorn<'_, ()>, _, _, _, _| {
                    written.set(true);
                    unicorn.emu_stop().is_ok()
                };
                unicorn.add_mem_hook(HookType::MEM_WRITE, start, start + length - 1, each)?;
            }
        }
        unicorn.mem_map(INPUTS, INPUTS_LEN, Permission::READ)?;
        unicorn.mem_map(RAM, RAM_LEN, Permission::READ | Permission::WRITE)?;
        unicorn.mem_map(END, PAGE as usize, flash)?;
        let reset = unicorn.context_init()?;
        Ok(Self {
            unicorn,
            reset,
            watcher: None,
            replaced: is_replaced.then(|| Replaced {
                flash: firmware.segments.clone(),
                is_written: written,
            }),
        })
    }

    /// Writes bytes to flash.
    pub(crate) fn flash(&mut self, at: u64, bytes: &[u8]) -> Result<()> {
        self.unicorn.mem_write(at, bytes).map_err(error)
    }

    /// Replaces code, also where it is already translated, and resets the processor: after some faults, it
    /// cannot find the code.
    pub(crate) fn patch(&mut self, at: u64, code: &[u8]) -> Result<()> {
        self.unicorn.context_restore(&self.reset).map_err(error)?;
        self.flash(at, code)?;
        let end = at + code.len() as u64;
        self.unicorn.ctl_remove_cache(at, end).map_err(error)
    }

    /// The processor is reset first, because a fault can change more than the registers.
    pub(crate) fn set(&mut self, state: &State) -> Result<()> {
        self.unicorn.context_restore(&self.reset).map_err(error)?;
        for (register, value) in REGISTERS.into_iter().zip(state.registers) {
            self.unicorn
                .reg_write(register, value.into())
                .map_err(error)?;
        }
        self.unicorn.mem_write(RAM, &state.ram).map_err(error)
    }

    pub(crate) fn state(&self) -> Result<State> {
        let state = read(&self.unicorn).map_err(error)?;
        Ok(state)
    }

    /// Executes the program from the current state on. The error is that of the processor.
    pub(crate) fn execute(&mut self) -> Result<Result<(), uc_error>> {
        let pc = self.unicorn.reg_read(Arm::PC).map_err(error)?;
        Ok(self.unicorn.emu_start(pc | 1, END, 0, 0))
    }

    /// Calls `each` before each instruction, with its address, until it returns false. The error is that of the
    /// processor.
    fn watch(
        &mut self,
        each: impl FnMut(&Unicorn<'_, ()>, u64) -> bool + 'static,
    ) -> Result<Result<(), uc_error>> {
        let each: Watcher = Box::new(each);
        if let Some(watcher) = &self.watcher {
            *watcher.borrow_mut() = each;
        } else {
            let watcher = Rc::new(RefCell::new(each));
            self.watcher = Some(Rc::clone(&watcher));
            let before = move |unicorn: &mut Unicorn<'_, ()>, at: u64, _: u32| {
                if !watcher.borrow_mut()(unicorn, at) {
                    let _ = unicorn.emu_stop();
                }
            };
            self.unicorn.add_code_hook(1, 0, before).map_err(error)?;
        }
        let executed = self.execute()?;
        Ok(executed)
    }

    /// Executes the program from a state on until it is at an address. Returns the address of each instruction.
    pub(crate) fn trace(&mut self, from: &State, stop: u64) -> Result<Vec<u32>> {
        let trace = Rc::new(RefCell::new(Vec::new()));
        let recorded = Rc::clone(&trace);
        self.set(from)?;
        self.watch(move |_, at| {
            recorded.borrow_mut().push(at as u32);
            at != stop
        })?
        .map_err(error)?;
        Ok(trace.take())
    }

    /// Returns the states before these steps, in order, of the program from a state on.
    ///
    /// They are read while the program runs: where it is stopped, Unicorn executes IT blocks to their ends.
    pub(crate) fn states(&mut self, from: &State, steps: &[usize]) -> Result<Vec<State>> {
        let states = Rc::new(RefCell::new(Vec::new()));
        let (found, wanted) = (Rc::clone(&states), steps.to_vec());
        let mut step = 0;
        self.set(from)?;
        self.watch(move |unicorn, at| {
            let mut found = found.borrow_mut();
            if wanted.get(found.len()) == Some(&step)
                && let Ok(state) = read(unicorn)
            {
                found.push(state.at(at));
            }
            step += 1;
            found.len() < wanted.len()
        })?
        .map_err(error)?;
        let states = states.take();
        ensure!(states.len() == steps.len(), "a step is not reached");
        Ok(states)
    }

    /// Executes the program from a state on until it is at an address. Returns the states at `place`.
    pub(crate) fn visits(&mut self, from: &State, place: u64, stop: u64) -> Result<Vec<Visit>> {
        let visits = Rc::new(RefCell::new(Vec::new()));
        let found = Rc::clone(&visits);
        let mut step = 0;
        self.set(from)?;
        self.watch(move |unicorn, at| {
            if at == place
                && let Ok(state) = read(unicorn)
            {
                let state = state.at(at);
                found.borrow_mut().push(Visit { step, state });
            }
            step += 1;
            at != stop
        })?
        .map_err(error)?;
        Ok(visits.take())
    }

    /// Executes one instruction outside of IT blocks. Returns `None` if the processor stops.
    pub(crate) fn step(&mut self, from: &State) -> Result<Option<State>> {
        let next = Rc::new(RefCell::new(None));
        let found = Rc::clone(&next);
        let mut first = true;
        self.set(from)?;
        let _ = self.watch(move |unicorn, at| {
            let mut found = found.borrow_mut();
            if !first && found.is_none() {
                *found = read(unicorn).ok().map(|state| state.at(at));
            }
            first = false;
            found.is_none()
        })?;
        if let Some(replaced) = &self.replaced
            && replaced.is_written.replace(false)
        {
            for (at, bytes) in replaced.flash.clone() {
                self.patch(at, &bytes)?;
            }
            return Ok(None);
        }
        Ok(next.take())
    }
}

fn read(unicorn: &Unicorn<'_, ()>) -> Result<State, uc_error> {
    let mut state = State {
        registers: [0; REGISTERS.len()],
        ram: vec![0; RAM_LEN].into(),
    };
    for (register, value) in REGISTERS.into_iter().zip(&mut state.registers).take(FLAGS) {
        *value = unicorn.reg_read(register)? as u32;
    }
    state.registers[FLAGS] = unicorn.reg_read(Arm::XPSR)? as u32;
    // Unicorn does not keep these where the program is not in an IT block.
    it::set(&mut state.registers[FLAGS], 0);
    unicorn.mem_read(RAM, &mut state.ram)?;
    Ok(state)
}
