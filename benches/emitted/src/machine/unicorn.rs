//! Unicorn: the processors of QEMU as a library.

use std::cell::RefCell;
use std::rc::Rc;

use anyhow::{Context, Result, ensure};
use moissanite_emitted_cases::targets::Model;
use unicorn_engine::unicorn_const::{Arch, HookType, Mode, Permission};
use unicorn_engine::{
    Arm64CpuModel, ArmCpuModel, RegisterARM, RegisterARM64, RegisterRISCV, RegisterX86, Unicorn,
    uc_error,
};

use super::{Arguments, Machine};
use crate::code::{Cpu, Register};
use crate::program::Program;
use crate::trace::Trace;
use crate::watch::{Then, Watch};

/// The stack is well above the program, which is at 16 MiB.
const STACK: u64 = 0x0800_0000;
const STACK_LEN: u64 = 32 << 20;
/// The return address of the program. The code there is never executed.
const END: u64 = 0x0400_0000;
const PAGE: u64 = 4096;

/// Unicorn with a model of a processor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Emulator(pub(super) Model);

impl Machine for Emulator {
    fn run(
        &mut self,
        program: &Program,
        arguments: Arguments,
        trace: Trace,
    ) -> Result<(Option<u32>, Trace)> {
        let model = *self;
        let watch = Rc::new(RefCell::new(Watch::new(program, trace)));
        let returned = {
            let mut unicorn = model.load(program).map_err(error)?;
            model.call(&mut unicorn, arguments).map_err(error)?;
            let watching = Rc::clone(&watch);
            let each = move |unicorn: &mut Unicorn<'_, ()>, at: u64, _: u32| {
                let then = watching.borrow_mut().before(at, &mut On(model, unicorn));
                match then {
                    Then::Execute => {}
                    Then::GoTo(at) => {
                        let thumb = u64::from(program.isa.is_thumb());
                        let _ = unicorn.reg_write(model.counter(), at | thumb);
                    }
                    Then::Stop => {
                        let _ = unicorn.emu_stop();
                    }
                }
            };
            let code = &program.code;
            unicorn
                .add_code_hook(code.start, code.end, each)
                .map_err(error)?;
            let watching = Rc::clone(&watch);
            let access = move |_: &mut Unicorn<'_, ()>, _, at: u64, _, _| {
                watching.borrow_mut().accesses(at);
                true
            };
            let accesses = HookType::MEM_READ | HookType::MEM_WRITE;
            unicorn
                .add_mem_hook(accesses, 1, 0, access)
                .map_err(error)?;
            let thumb = u64::from(program.isa.is_thumb());
            let ended = unicorn.emu_start(program.entry | thumb, END, 0, 0);
            let at = unicorn.reg_read(model.counter()).map_err(error)?;
            ended.map_err(error).with_context(|| {
                let function = program.function(at).map_or("?", |function| &function.name);
                format!("the emulator stopped at {at:#x} in {function}")
            })?;
            let returned = unicorn.reg_read(model.result()).map_err(error)?;
            (at & !1 == END).then_some(returned as u32)
        };
        let watch = Rc::into_inner(watch)
            .context("the emulator is gone")?
            .into_inner();
        ensure!(
            returned.is_some() || watch.panicked || watch.trace.lost.is_some(),
            "the emulator stopped for no reason"
        );
        Ok((returned, watch.trace))
    }
}

fn error(error: uc_error) -> anyhow::Error {
    anyhow::anyhow!("Unicorn: {error:?}")
}

impl Emulator {
    fn load<'a>(self, program: &Program) -> Result<Unicorn<'a, ()>, uc_error> {
        let (arch, mode, cpu) = match self.0 {
            Model::CortexM0 => (
                Arch::ARM,
                Mode::THUMB | Mode::MCLASS,
                Some(ArmCpuModel::UC_CPU_ARM_CORTEX_M0 as i32),
            ),
            Model::CortexM3 => (
                Arch::ARM,
                Mode::THUMB | Mode::MCLASS,
                Some(ArmCpuModel::UC_CPU_ARM_CORTEX_M3 as i32),
            ),
            Model::CortexM4 => (
                Arch::ARM,
                Mode::THUMB | Mode::MCLASS,
                Some(ArmCpuModel::UC_CPU_ARM_CORTEX_M4 as i32),
            ),
            Model::Riscv32 => (Arch::RISCV, Mode::RISCV32, None),
            Model::Riscv64 => (Arch::RISCV, Mode::RISCV64, None),
            Model::Aarch64 => (
                Arch::ARM64,
                Mode::ARM,
                Some(Arm64CpuModel::UC_CPU_ARM64_MAX as i32),
            ),
            Model::I686 => (Arch::X86, Mode::MODE_32, None),
        };
        let mut unicorn = Unicorn::new(arch, mode)?;
        if let Some(cpu) = cpu {
            unicorn.ctl_set_cpu_model(cpu)?;
        }
        let memory = program.memory();
        let (start, end) = (
            memory.start & !(PAGE - 1),
            memory.end.next_multiple_of(PAGE),
        );
        unicorn.mem_map(start, (end - start) as usize, Permission::ALL)?;
        for (range, data) in &program.segments {
            unicorn.mem_write(range.start, data)?;
        }
        unicorn.mem_map(
            STACK,
            STACK_LEN as usize,
            Permission::READ | Permission::WRITE,
        )?;
        unicorn.mem_map(END, PAGE as usize, Permission::ALL)?;
        if self.0 == Model::Aarch64 {
            // Floating-point and vector instructions do not trap.
            unicorn.reg_write(RegisterARM64::CPACR_EL1, 3 << 20)?;
        }
        if matches!(self.0, Model::Riscv32 | Model::Riscv64) {
            unicorn.reg_write(RegisterRISCV::MSTATUS, 1 << 13)?;
        }
        Ok(unicorn)
    }

    /// Sets registers and stack for a call of the program's entry.
    fn call(self, unicorn: &mut Unicorn<'_, ()>, arguments: Arguments) -> Result<(), uc_error> {
        let mut stack = STACK + STACK_LEN - PAGE;
        let thumb = matches!(self.0, Model::CortexM0 | Model::CortexM3 | Model::CortexM4);
        let end = END | u64::from(thumb);
        match self.0 {
            Model::I686 => {
                let words = [END as u32].into_iter().chain(arguments);
                let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
                stack -= 4;
                unicorn.mem_write(stack, &bytes)?;
            }
            Model::Riscv32 | Model::Riscv64 => unicorn.reg_write(RegisterRISCV::X1, end)?,
            Model::Aarch64 => unicorn.reg_write(RegisterARM64::LR, end)?,
            _ => unicorn.reg_write(RegisterARM::LR, end)?,
        }
        if self.0 != Model::I686 {
            for (number, argument) in arguments.into_iter().enumerate() {
                unicorn.reg_write(self.argument(number), argument.into())?;
            }
        }
        unicorn.reg_write(self.stack(), stack)
    }

    fn stack(self) -> i32 {
        match self.0 {
            Model::Riscv32 | Model::Riscv64 => RegisterRISCV::X2 as i32,
            Model::Aarch64 => RegisterARM64::SP as i32,
            Model::I686 => RegisterX86::ESP as i32,
            _ => RegisterARM::SP as i32,
        }
    }

    fn counter(self) -> i32 {
        match self.0 {
            Model::Riscv32 | Model::Riscv64 => RegisterRISCV::PC as i32,
            Model::Aarch64 => RegisterARM64::PC as i32,
            Model::I686 => RegisterX86::EIP as i32,
            _ => RegisterARM::PC as i32,
        }
    }

    fn result(self) -> i32 {
        match self.0 {
            Model::I686 => self.register(0),
            _ => self.argument(0),
        }
    }

    /// The register of an argument.
    fn argument(self, number: usize) -> i32 {
        let number = number as Register;
        self.register(match self.0 {
            Model::Riscv32 | Model::Riscv64 => 10 + number,
            _ => number,
        })
    }

    /// Unicorn's number of a register.
    fn register(self, number: Register) -> i32 {
        use RegisterARM as A;
        use RegisterARM64 as B;
        use RegisterX86 as X;
        let at = usize::from(number);
        match self.0 {
            Model::Riscv32 | Model::Riscv64 => RegisterRISCV::X0 as i32 + i32::from(number),
            Model::Aarch64 => match number {
                29 => B::X29 as i32,
                30 => B::X30 as i32,
                31 => B::SP as i32,
                _ => B::X0 as i32 + i32::from(number),
            },
            Model::I686 => [
                X::EAX,
                X::ECX,
                X::EDX,
                X::EBX,
                X::ESP,
                X::EBP,
                X::ESI,
                X::EDI,
            ][at & 7] as i32,
            _ => match number {
                13 => A::SP as i32,
                14 => A::LR as i32,
                15 => A::PC as i32,
                _ => A::R0 as i32 + i32::from(number),
            },
        }
    }

    fn flags(self) -> i32 {
        match self.0 {
            Model::Aarch64 => RegisterARM64::NZCV as i32,
            Model::I686 => RegisterX86::EFLAGS as i32,
            _ => RegisterARM::APSR as i32,
        }
    }
}

/// A processor before an instruction.
struct On<'u, 'a>(Emulator, &'u mut Unicorn<'a, ()>);

impl Cpu for On<'_, '_> {
    fn register(&mut self, register: Register) -> u64 {
        self.1
            .reg_read(self.0.register(register))
            .unwrap_or_default()
    }
    fn memory(&mut self, at: u64, bytes: usize) -> u64 {
        let mut word = [0; 8];
        self.read(at, &mut word[..bytes.min(8)]);
        u64::from_le_bytes(word)
    }
    fn flags(&mut self) -> u64 {
        self.1.reg_read(self.0.flags()).unwrap_or_default()
    }
    fn argument(&mut self, number: usize) -> u64 {
        if self.0.0 == Model::I686 {
            let stack = self.register(4);
            return self.memory(stack + 4 + 4 * number as u64, 4);
        }
        self.1.reg_read(self.0.argument(number)).unwrap_or_default()
    }
    fn read(&mut self, at: u64, bytes: &mut [u8]) {
        let _ = self.1.mem_read(at, bytes);
    }
    fn write(&mut self, at: u64, bytes: &[u8]) {
        let _ = self.1.mem_write(at, bytes);
    }
}
