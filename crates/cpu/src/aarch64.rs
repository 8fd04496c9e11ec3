//! The tokens of AArch64.

// Rust's `sha3` feature implies `sha2`, so both are detected. It also includes SHA-512, and on
// Linux cpufeatures accepts either of the two bits; the architecture has both or neither (ARM DDI
// 0487, ID_AA64ISAR0_EL1: SHA2 is 0b0010 if and only if SHA3 is 0b0001).
cpufeatures::new!(sha3, "sha2", "sha3");

/// This CPU has `neon` (Advanced SIMD), and is little-endian, as the code for it is.
///
/// There is no detection at run time: NEON is part of every AArch64 target except the soft-float
/// targets, which must not use the registers.
#[derive(Clone, Copy, Debug)]
pub struct Neon(());

/// This CPU has `neon,sha3`: `eor3`, `rax1`, `xar` and `bcax`, made for Keccak.
#[derive(Clone, Copy, Debug)]
pub struct Sha3(());

impl Neon {
    /// The name in tests, benches and the command.
    pub const NAME: &str = "neon";

    /// Returns the token if this CPU has the features.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<Self> {
        cfg!(all(target_feature = "neon", target_endian = "little")).then_some(Self(()))
    }
}

impl Sha3 {
    /// The name in tests, benches and the command.
    pub const NAME: &str = "neon-sha3";

    /// Returns the token if this CPU has the features.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<Self> {
        (Neon::detect().is_some() && sha3::get()).then_some(Self(()))
    }
}

impl From<Sha3> for Neon {
    /// The SHA-3 instructions use the registers of NEON.
    #[inline]
    fn from(_: Sha3) -> Self {
        Self(())
    }
}
