//! Instruction sets, and the decoding of instructions from their text.

mod aarch64;
mod arm;
mod operands;
mod riscv;
mod x86;

use anyhow::Result;
use capstone::prelude::*;
use moissanite_emitted_cases::targets::{Kind, Model, Target};

use crate::code::{Instruction, Value};

/// An instruction set whose instructions can be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Isa {
    /// Thumb. With `slow_products`, the time of long multiplications depends on the operands.
    Thumb {
        slow_products: bool,
    },
    Aarch64,
    Riscv32,
    Riscv64,
    I686,
    X86_64,
    Wasm,
}

impl Isa {
    pub(crate) fn of(target: &Target) -> Self {
        match target.kind {
            Kind::Emulator(Model::CortexM0 | Model::CortexM4) => Self::Thumb {
                slow_products: false,
            },
            Kind::Emulator(Model::CortexM3) => Self::Thumb {
                slow_products: true,
            },
            Kind::Emulator(Model::Riscv32) => Self::Riscv32,
            Kind::Emulator(Model::Riscv64) => Self::Riscv64,
            Kind::Emulator(Model::Aarch64) => Self::Aarch64,
            Kind::Emulator(Model::I686) => Self::I686,
            Kind::Native => Self::X86_64,
            Kind::Wasm => Self::Wasm,
        }
    }

    pub(crate) fn is_thumb(self) -> bool {
        matches!(self, Self::Thumb { .. })
    }

    pub(crate) fn word_bits(self) -> u32 {
        match self {
            Self::Aarch64 | Self::Riscv64 | Self::X86_64 => 64,
            Self::Thumb { .. } | Self::Riscv32 | Self::I686 | Self::Wasm => 32,
        }
    }

    /// The registers or stack slots with the arguments of the division functions of the compiler's library.
    pub(crate) fn arguments(self) -> Vec<Value> {
        let registers = match self {
            Self::Thumb { .. } => 0..4,
            Self::Aarch64 => 0..4,
            Self::Riscv32 | Self::Riscv64 => 10..14,
            Self::I686 => {
                let at = |offset| {
                    let stack = Value::Register(x86::STACK).boxed();
                    let at = Value::Add(stack, Value::Constant(offset).boxed());
                    Value::Memory(at.boxed(), 4)
                };
                return (0..4).map(|word| at(4 * word)).collect();
            }
            Self::Wasm => return Vec::new(),
            Self::X86_64 => return [7, 6, 2, 1].map(Value::Register).into(),
        };
        registers.map(Value::Register).collect()
    }

    /// Decodes code.
    pub(crate) fn decode(self, code: &[u8], at: u64, out: &mut Vec<Instruction>) -> Result<()> {
        let bits = match self {
            Self::I686 => 32,
            Self::X86_64 => 64,
            _ => return self.decode_with_capstone(code, at, out),
        };
        x86::decode(bits, code, at, out)
    }

    fn decode_with_capstone(self, code: &[u8], at: u64, out: &mut Vec<Instruction>) -> Result<()> {
        let new = Capstone::new();
        use capstone::arch::{arm as arm_mode, arm64, riscv as riscv_mode};
        let capstone = match self {
            Self::Thumb { .. } => {
                let thumb = new.arm().mode(arm_mode::ArchMode::Thumb);
                thumb
                    .extra_mode([arm_mode::ArchExtraMode::MClass].into_iter())
                    .detail(true)
                    .build()
            }
            Self::Aarch64 => new.arm64().mode(arm64::ArchMode::Arm).build(),
            Self::Riscv32 | Self::Riscv64 => {
                let mode = if self == Self::Riscv32 {
                    riscv_mode::ArchMode::RiscV32
                } else {
                    riscv_mode::ArchMode::RiscV64
                };
                let compressed = [riscv_mode::ArchExtraMode::RiscVC].into_iter();
                new.riscv().mode(mode).extra_mode(compressed).build()
            }
            Self::I686 | Self::X86_64 | Self::Wasm => return Ok(()),
        };
        let mut capstone = capstone.map_err(anyhow::Error::msg)?;
        capstone.set_skipdata(true).map_err(anyhow::Error::msg)?;
        let decoded = capstone.disasm_all(code, at).map_err(anyhow::Error::msg)?;
        for one in decoded.as_ref() {
            let mnemonic = one.mnemonic().unwrap_or_default();
            let text = one.op_str().unwrap_or_default();
            let plain = Instruction::plain(
                one.address(),
                one.bytes().len(),
                format!("{mnemonic} {text}"),
            );
            out.push(match self {
                Self::Thumb { slow_products } => {
                    let condition = arm::condition(&capstone, one)?;
                    arm::instruction(plain, mnemonic, text, condition, slow_products)
                }
                Self::Aarch64 => aarch64::instruction(plain, mnemonic, text),
                _ => riscv::instruction(plain, mnemonic, text),
            });
        }
        Ok(())
    }
}
