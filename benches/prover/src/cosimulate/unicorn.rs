//! Unicorn: the processors of QEMU as a library.

use anyhow::{Result, anyhow, ensure};
use unicorn_engine::unicorn_const::{Arch, Mode, Permission};
use unicorn_engine::{Arm64CpuModel, RegisterARM64 as R, Unicorn, uc_error};

use super::cpu::{Concrete, Cpu};
use crate::image::Image;

const PAGE: u64 = 4096;
/// The stack, well above the program, which is at 0.
const STACK: u64 = 0x4000_0000;
const STACK_SIZE: u64 = 1 << 20;
/// The arguments in memory.
const ARGUMENTS: u64 = 0x5000_0000;
const ARGUMENTS_SIZE: u64 = 1 << 20;
/// The return address. The code there is never executed.
const END: u64 = 0x6000_0000;
/// The instruction `ret`.
const RET: [u8; 4] = [0xc0, 0x03, 0x5f, 0xd6];

/// The probe in the emulator's memory.
pub(super) struct Emulator {
    unicorn: Unicorn<'static, ()>,
}

fn error(error: uc_error) -> anyhow::Error {
    anyhow!("Unicorn: {error:?}")
}

impl Emulator {
    pub(super) fn new(image: &Image) -> Result<Self> {
        let mut unicorn = Unicorn::new(Arch::ARM64, Mode::ARM).map_err(error)?;
        load(&mut unicorn, image).map_err(error)?;
        Ok(Self { unicorn })
    }
}

fn load(unicorn: &mut Unicorn<'static, ()>, image: &Image) -> Result<(), uc_error> {
    unicorn.ctl_set_cpu_model(Arm64CpuModel::UC_CPU_ARM64_MAX as i32)?;
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
    // Floating-point and vector instructions do not trap.
    unicorn.reg_write(R::CPACR_EL1, 3 << 20)?;
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

/// Does what a function of the C library does.
fn call(unicorn: &mut Unicorn<'_, ()>, name: &str) -> Result<(), uc_error> {
    let to = unicorn.reg_read(R::X0)?;
    let second = unicorn.reg_read(R::X1)?;
    let count = unicorn.reg_read(R::X2)? as usize;
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
        let unicorn = &mut self.unicorn;
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
            let register = R::X0 as i32 + number as i32;
            unicorn.reg_write(register, value).map_err(error)?;
        }
        unicorn.reg_write(R::SP, STACK - PAGE).map_err(error)?;
        unicorn.reg_write(R::LR, END).map_err(error)?;
        let ended = unicorn.emu_start(function, END, 0, 0);
        ended.map_err(error)?;
        let counter = unicorn.reg_read(R::PC).map_err(error)?;
        ensure!(counter == END, "the emulator stopped at {counter:#x}");
        let mut places = places.into_iter();
        for argument in arguments {
            if let Concrete::Memory(bytes) = argument {
                let at = places.next().unwrap_or_default();
                unicorn.mem_read(at, bytes).map_err(error)?;
            }
        }
        unicorn.reg_read(R::X0).map_err(error)
    }
}
