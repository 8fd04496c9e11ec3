//! The tokens of AArch64.

// Rust's `sha3` feature implies `sha2`, so both are asked for. It also stands for SHA-512, and on
// Linux cpufeatures is content with either bit of the two; the architecture has both or neither
// (ARM DDI 0487, ID_AA64ISAR0_EL1: SHA2 is 0b0010 if and only if SHA3 is 0b0001).
cpufeatures::new!(sha3, "sha2", "sha3");

/// This CPU has `neon` (Advanced SIMD), and is little-endian, as the code for it is.
///
/// Nothing is asked at run time: it is part of every AArch64 target but the soft-float ones, which
/// promise that the registers are not touched.
#[derive(Clone, Copy, Debug)]
pub struct Neon(());

/// This CPU has `neon,sha3`: `eor3`, `rax1`, `xar` and `bcax`, made for Keccak.
#[derive(Clone, Copy, Debug)]
pub struct Sha3(());

impl Neon {
    /// What tests, benches and the command call it.
    pub const NAME: &str = "neon";

    /// The token, if this CPU has the features.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<Self> {
        cfg!(all(target_feature = "neon", target_endian = "little")).then_some(Self(()))
    }
}

impl Sha3 {
    /// What tests, benches and the command call it.
    pub const NAME: &str = "neon-sha3";

    /// The token, if this CPU has the features.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<Self> {
        (Neon::detect().is_some() && sha3::get()).then_some(Self(()))
    }
}

impl From<Sha3> for Neon {
    /// The SHA-3 instructions work on NEON's registers.
    #[inline]
    fn from(_: Sha3) -> Self {
        Self(())
    }
}
