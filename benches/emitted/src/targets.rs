//! What the probe is compiled for, and what executes it.

use crate::isa::Isa;

/// A processor that the emulator knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Model {
    CortexM0,
    CortexM3,
    CortexM4,
    Riscv32,
    Riscv64,
    Aarch64,
    I686,
}

/// What executes the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Emulator(Model),
    Native,
    Wasm,
}

/// A target of the compiler's.
pub(crate) struct Target {
    /// What the command line and the report call it.
    pub(crate) name: &'static str,
    pub(crate) triple: &'static str,
    pub(crate) isa: Isa,
    pub(crate) kind: Kind,
    /// Names, and where they stand in the core's list, best first.
    pub(crate) backends: &'static [(&'static str, u32)],
    /// Flags for the compiler.
    pub(crate) flags: &'static [&'static str],
}

const THUMB: Isa = Isa::Thumb {
    slow_products: false,
};
/// What the library of a target with an operating system is linked with when there is none.
const ALONE: &[&str] = &[
    "-Clinker=rust-lld",
    "-Clinker-flavor=ld.lld",
    "-Crelocation-model=static",
];
const PORTABLE: &[(&str, u32)] = &[("portable", 0)];

pub(crate) const TARGETS: [Target; 10] = [
    Target {
        name: "thumbv6m",
        triple: "thumbv6m-none-eabi",
        isa: THUMB,
        kind: Kind::Emulator(Model::CortexM0),
        backends: PORTABLE,
        flags: &[],
    },
    Target {
        name: "thumbv7m",
        triple: "thumbv7m-none-eabi",
        isa: Isa::Thumb {
            slow_products: true,
        },
        kind: Kind::Emulator(Model::CortexM3),
        backends: PORTABLE,
        flags: &[],
    },
    Target {
        name: "thumbv7em",
        triple: "thumbv7em-none-eabi",
        isa: THUMB,
        kind: Kind::Emulator(Model::CortexM4),
        backends: &[("armv7", 0), ("portable", 1)],
        flags: &[],
    },
    Target {
        name: "riscv32imc",
        triple: "riscv32imc-unknown-none-elf",
        isa: Isa::Riscv32,
        kind: Kind::Emulator(Model::Riscv32),
        backends: PORTABLE,
        flags: &[],
    },
    Target {
        name: "riscv64gc",
        triple: "riscv64gc-unknown-none-elf",
        isa: Isa::Riscv64,
        kind: Kind::Emulator(Model::Riscv64),
        backends: PORTABLE,
        flags: &[],
    },
    Target {
        name: "aarch64",
        triple: "aarch64-unknown-none",
        isa: Isa::Aarch64,
        kind: Kind::Emulator(Model::Aarch64),
        backends: &[("neon", 1), ("portable", 2)],
        flags: &[],
    },
    Target {
        name: "aarch64-sha3",
        triple: "aarch64-unknown-none",
        isa: Isa::Aarch64,
        kind: Kind::Emulator(Model::Aarch64),
        backends: &[("neon-sha3", 0)],
        flags: &["-Ctarget-feature=+sha3"],
    },
    Target {
        name: "i686",
        triple: "i686-unknown-linux-gnu",
        isa: Isa::I686,
        kind: Kind::Emulator(Model::I686),
        backends: PORTABLE,
        flags: ALONE,
    },
    Target {
        name: "x86_64",
        triple: "x86_64-unknown-linux-gnu",
        isa: Isa::X86_64,
        kind: Kind::Native,
        backends: &[("avx512", 0), ("avx2", 1), ("portable", 2)],
        flags: ALONE,
    },
    Target {
        name: "wasm32",
        triple: "wasm32-unknown-unknown",
        isa: Isa::Wasm,
        kind: Kind::Wasm,
        backends: PORTABLE,
        flags: &[],
    },
];

pub(crate) const LEVELS: [&str; 6] = ["0", "1", "2", "3", "s", "z"];

/// Schemes, as the probe numbers them.
pub(crate) const SCHEMES: [&str; 10] = [
    "ML-DSA-44",
    "ML-DSA-65",
    "ML-DSA-87",
    "Dilithium2",
    "ML-DSA-44 in pieces",
    "ML-DSA-65 in pieces",
    "ML-DSA-87 in pieces",
    "zkDilithium",
    "documents of ML-DSA-44",
    "ML-DSA-44-Ed25519",
];

/// What runs at an optimisation level: what is not optimised takes long, and what another set has in
/// addition is the same code with other numbers.
pub(crate) fn schemes(level: &str, whole: bool) -> &'static [u32] {
    match level {
        _ if whole => &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        "0" => &[0, 4, 7, 8, 9],
        _ => &[0, 1, 4, 5, 7, 8, 9],
    }
}

/// Whether a scheme is constant-time on a target. Ed25519 is not where the time of long products depends
/// on the factors: curve25519-dalek is made of them. The page on security says so.
pub(crate) fn is_claimed(scheme: u32, target: &Target) -> bool {
    let slow_products = Isa::Thumb {
        slow_products: true,
    };
    scheme != 9 || target.isa != slow_products
}

/// Whether a scheme chooses its backend itself, and so is the same whichever is asked for.
pub(crate) fn chooses_backend(scheme: u32) -> bool {
    matches!(scheme, 4..=6 | 8..)
}
