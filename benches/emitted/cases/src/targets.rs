//! The targets of the probe and the machines that execute it.

/// A processor of the emulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of processors")]
pub enum Model {
    CortexM0,
    CortexM3,
    CortexM4,
    Riscv32,
    Riscv64,
    Aarch64,
    I686,
}

/// The machine that executes the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An emulator of a processor.
    Emulator(Model),
    /// This processor.
    Native,
    /// An interpreter of WebAssembly.
    Wasm,
}

/// A target of the compiler.
pub struct Target {
    /// The name on the command line and in the report.
    pub name: &'static str,
    /// The name in the compiler.
    pub triple: &'static str,
    /// What executes the program.
    pub kind: Kind,
    /// The names and the positions in the core's list of backends, whose order is from best to worst.
    pub backends: &'static [(&'static str, u32)],
    /// Flags for the compiler.
    pub flags: &'static [&'static str],
    /// Features of the probe.
    pub features: &'static [&'static str],
}

/// Linker options for targets with an operating system, because the probe runs without one.
const ALONE: &[&str] = &[
    "-Clinker=rust-lld",
    "-Clinker-flavor=ld.lld",
    "-Crelocation-model=static",
];
const PORTABLE: &[(&str, u32)] = &[("portable", 0)];

/// The least code, in which the streams and the transforms of the portable backend are other functions.
const TINY: &[&str] = &["tiny"];

pub const TARGETS: [Target; 13] = [
    Target {
        name: "thumbv6m",
        triple: "thumbv6m-none-eabi",
        kind: Kind::Emulator(Model::CortexM0),
        backends: PORTABLE,
        flags: &[],
        features: &[],
    },
    Target {
        name: "thumbv7m",
        triple: "thumbv7m-none-eabi",
        kind: Kind::Emulator(Model::CortexM3),
        backends: PORTABLE,
        flags: &[],
        features: &[],
    },
    Target {
        name: "thumbv7em",
        triple: "thumbv7em-none-eabi",
        kind: Kind::Emulator(Model::CortexM4),
        backends: &[("armv7", 0), ("portable", 1)],
        flags: &[],
        features: &[],
    },
    Target {
        name: "riscv32imc",
        triple: "riscv32imc-unknown-none-elf",
        kind: Kind::Emulator(Model::Riscv32),
        backends: PORTABLE,
        flags: &[],
        features: &[],
    },
    Target {
        name: "riscv64gc",
        triple: "riscv64gc-unknown-none-elf",
        kind: Kind::Emulator(Model::Riscv64),
        backends: PORTABLE,
        flags: &[],
        features: &[],
    },
    Target {
        name: "aarch64",
        triple: "aarch64-unknown-none",
        kind: Kind::Emulator(Model::Aarch64),
        backends: &[("neon", 1), ("portable", 2)],
        flags: &[],
        features: &[],
    },
    Target {
        name: "aarch64-sha3",
        triple: "aarch64-unknown-none",
        kind: Kind::Emulator(Model::Aarch64),
        backends: &[("neon-sha3", 0)],
        flags: &["-Ctarget-feature=+sha3"],
        features: &[],
    },
    Target {
        name: "i686",
        triple: "i686-unknown-linux-gnu",
        kind: Kind::Emulator(Model::I686),
        backends: PORTABLE,
        flags: ALONE,
        features: &[],
    },
    Target {
        name: "x86_64",
        triple: "x86_64-unknown-linux-gnu",
        kind: Kind::Native,
        backends: &[("avx512", 0), ("avx2", 1), ("portable", 2)],
        flags: ALONE,
        features: &[],
    },
    Target {
        name: "wasm32",
        triple: "wasm32-unknown-unknown",
        kind: Kind::Wasm,
        backends: PORTABLE,
        flags: &[],
        features: &[],
    },
    Target {
        name: "thumbv6m-tiny",
        triple: "thumbv6m-none-eabi",
        kind: Kind::Emulator(Model::CortexM0),
        backends: PORTABLE,
        flags: &[],
        features: TINY,
    },
    Target {
        name: "thumbv7em-tiny",
        triple: "thumbv7em-none-eabi",
        kind: Kind::Emulator(Model::CortexM4),
        backends: PORTABLE,
        flags: &[],
        features: TINY,
    },
    Target {
        name: "riscv32imc-tiny",
        triple: "riscv32imc-unknown-none-elf",
        kind: Kind::Emulator(Model::Riscv32),
        backends: PORTABLE,
        flags: &[],
        features: TINY,
    },
];

/// The levels of optimisation.
pub const LEVELS: [&str; 6] = ["0", "1", "2", "3", "s", "z"];

/// The schemes in the order of their numbers in the probe.
pub const SCHEMES: [&str; 10] = [
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

/// Returns the schemes to execute at a level of optimisation. Unoptimised code is slow, and the other
/// parameter sets are the same code with other numbers, so some are left out unless `whole` is set.
#[must_use]
pub fn schemes(level: &str, whole: bool) -> &'static [u32] {
    match level {
        _ if whole => &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        "0" => &[0, 4, 7, 8, 9],
        _ => &[0, 1, 4, 5, 7, 8, 9],
    }
}

/// Whether the project claims that a scheme is constant-time on a target. Ed25519 is excluded if the time of
/// long multiplications depends on the factors, because curve25519-dalek uses them. The page on security
/// states this.
#[must_use]
pub fn is_claimed(scheme: u32, target: &Target) -> bool {
    scheme != 9 || target.kind != Kind::Emulator(Model::CortexM3)
}

/// Whether a scheme chooses its backend itself, so that the requested backend makes no difference.
#[must_use]
pub fn chooses_backend(scheme: u32) -> bool {
    matches!(scheme, 4..=6 | 8..)
}
