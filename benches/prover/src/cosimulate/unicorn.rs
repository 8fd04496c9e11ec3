//! Unicorn: the processors of QEMU as a library.

use anyhow::{Result, anyhow, ensure};
use unicorn_engine::unicorn_const::{Arch, Mode, Permission};
use unicorn_engine::{Arm64CpuModel, ArmCpuModel, RegisterARM, RegisterARM64, Unicorn, uc_error};

use super::cpu::{Concrete, Cpu};
use crate::image::{Architecture, Image};

const PAGE: u64 = 4096;
/// The stack, well above the program, which is at 0. These addresses are below 2²⁹, because a Cortex-M has devices
/// above.
const STACK: u64 = 0x1000_0000;
const STACK_SIZE: u64 = 1 << 20;
/// The arguments in memory.
const ARGUMENTS: u64 = 0x1800_0000;
const ARGUMENTS_SIZE: u64 = 1 << 20;
/// The return address. The code there is never executed.
const END: u64 = 0x0c00_0000;
/// The instruction `ret` of AArch64.
const RET: [u8; 4] = [0xc0, 0x03, 0x5f, 0xd6];

/// The numbers of an instruction set's registers.
struct Registers {
    /// The register of the first argument and of the result; those of others follow.
    first: i32,
    /// How many arguments are in registers. The others are words on the stack.
    arguments: usize,
    stack: i32,
    link: i32,
    counter: i32,
    /// The lowest bit of the addresses of functions.
    thumb: u64,
}

const AARCH64: Registers = Registers {
    first: RegisterARM64::X0 as i32,
    arguments: 8,
    stack: RegisterARM64::SP as i32,
    link: RegisterARM64::LR as i32,
    counter: RegisterARM64::PC as i32,
    thumb: 0,
};
const ARMV7M: Registers = Registers {
    first: RegisterARM::R0 as i32,
    arguments: 4,
    stack: RegisterARM::SP as i32,
    link: RegisterARM::LR as i32,
    counter: RegisterARM::PC as i32,
    thumb: 1,
};

/// The probe in the emulator's memory.
pub(super) struct Emulator {
    unicorn: Unicorn<'static, ()>,
    registers: &'static Registers,
}

fn error(error: uc_error) -> anyhow::Error {
    anyhow!("Unicorn: {error:?}")
}

impl Emulator {
    pub(super) fn new(image: &Image) -> Result<Self> {
        let (arch, mode, model, registers) = match image.architecture {
            Architecture::Armv7m => (
                Arch::ARM,
                Mode::THUMB | Mode::MCLASS,
                ArmCpuModel::UC_CPU_ARM_CORTEX_M4 as i32,
                &ARMV7M,
            ),
            _ => (
                Arch::ARM64,
                Mode::ARM,
                Arm64CpuModel::UC_CPU_ARM64_MAX as i32,
                &AARCH64,
            ),
        };
        let mut unicorn = Unicorn::new(arch, mode).map_err(error)?;
        unicorn.ctl_set_cpu_model(model).map_err(error)?;
        load(&mut unicorn, image).map_err(error)?;
        Ok(Self { unicorn, registers })
    }
}

fn load(unicorn: &mut Unicorn<'static, ()>, image: &Image) -> Result<(), uc_error> {
    let end = image
        .segments
        .iter()
        .map(|s| s.start + s.bytes.len() as u64);
    let end = end.max().unwrap_or_default().next_multiple_of(PAGE);
    unicorn.mem_map(0, end as usize, Permission::ALL)?;
    for segment in &image.segments {
        unicorn.mem_write(segment.start, &segment.bytes)?;
    }
    let data = Permission::READ | Permission::WRITE;
    unicorn.mem_map(STACK - STACK_SIZE, STACK_SIZE as usize, data)?;
    unicorn.mem_map(ARGUMENTS, ARGUMENTS_SIZE as usize, data)?;
    unicorn.mem_map(END, PAGE as usize, Permission::ALL)?;
    if image.architecture == Architecture::Aarch64 {
        // Floating-point and vector instructions do not trap.
        unicorn.reg_write(RegisterARM64::CPACR_EL1, 3 << 20)?;
    }
    let functions: Vec<(u64, String)> = image.externals().collect();
    for (at, _) in &functions {
        let page = at & !(PAGE - 1);
        if unicorn.mem_read_as_vec(page, 1).is_err() {
            unicorn.mem_map(page, PAGE as usize, Permission::ALL)?;
        }
        unicorn.mem_write(*at, &RET)?;
    }
    let (Some(first), Some(last)) = (functions.first(), functions.last()) else {
        return Ok(());
    };
    let range = (first.0, last.0);
    let called = move |unicorn: &mut Unicorn<'_, ()>, at: u64, _: u32| {
        let name = functions.iter().find(|function| function.0 == at);
        let done = name.map(|(_, name)| call(unicorn, name));
        if !matches!(done, Some(Ok(()))) {
            // The run does not reach its end, which is an error.
            let _ = unicorn.emu_stop();
        }
    };
    unicorn.add_code_hook(range.0, range.1, called)?;
    Ok(())
}

/// Does what a function of the C library does. A program for bare metal contains these functions.
fn call(unicorn: &mut Unicorn<'_, ()>, name: &str) -> Result<(), uc_error> {
    let to = unicorn.reg_read(RegisterARM64::X0)?;
    let second = unicorn.reg_read(RegisterARM64::X1)?;
    let count = unicorn.reg_read(RegisterARM64::X2)? as usize;
    match name {
        "memset" => unicorn.mem_write(to, &vec![second as u8; count]),
        "memcpy" | "memmove" => {
            let bytes = unicorn.mem_read_as_vec(second, count)?;
            unicorn.mem_write(to, &bytes)
        }
        _ => Err(uc_error::INSN_INVALID),
    }
}

impl Cpu for Emulator {
    fn has(&self, _: &str) -> bool {
        true
    }

    fn run(&mut self, function: u64, arguments: &mut [Concrete]) -> Result<u64> {
        ensure!(arguments.len() <= 8, "there are too many arguments");
        let Self { unicorn, registers } = self;
        let stack = STACK - PAGE;
        let mut on_stack = stack;
        let mut places = Vec::new();
        let mut at = ARGUMENTS;
        for (number, argument) in arguments.iter().enumerate() {
            let value = match argument {
                Concrete::Value(value) => *value,
                Concrete::Memory(bytes) => {
                    unicorn.mem_write(at, bytes).map_err(error)?;
                    places.push(at);
                    at = (at + bytes.len() as u64).next_multiple_of(PAGE);
                    places[places.len() - 1]
                }
            };
            if number < registers.arguments {
                let register = registers.first + number as i32;
                unicorn.reg_write(register, value).map_err(error)?;
            } else {
                let word = (value as u32).to_le_bytes();
                unicorn.mem_write(on_stack, &word).map_err(error)?;
                on_stack += 4;
            }
        }
        unicorn.reg_write(registers.stack, stack).map_err(error)?;
        let thumb = registers.thumb;
        let end = END | thumb;
        unicorn.reg_write(registers.link, end).map_err(error)?;
        let ended = unicorn.emu_start(function | thumb, END, 0, 0);
        ended.map_err(error)?;
        let counter = unicorn.reg_read(registers.counter).map_err(error)?;
        ensure!(
            counter & !thumb == END,
            "the emulator stopped at {counter:#x}"
        );
        let mut places = places.into_iter();
        for argument in arguments {
            if let Concrete::Memory(bytes) = argument {
                let at = places.next().unwrap_or_default();
                unicorn.mem_read(at, bytes).map_err(error)?;
            }
        }
        unicorn.reg_read(registers.first).map_err(error)
    }
}
