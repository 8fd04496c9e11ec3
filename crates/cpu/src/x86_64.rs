//! The tokens of x86-64.

cpufeatures::new!(bmi, "bmi1", "bmi2");
cpufeatures::new!(avx2, "avx2", "bmi1", "bmi2", "popcnt");
cpufeatures::new!(
    avx512,
    "avx2",
    "bmi1",
    "bmi2",
    "popcnt",
    "avx512f",
    "avx512vl",
    "avx512bw",
    "avx512dq",
    "avx512ifma",
    "avx512vbmi",
    "avx512vbmi2"
);

/// This CPU has `bmi1,bmi2`: `andn`, and rotations into another register (`rorx`).
#[derive(Clone, Copy, Debug)]
pub struct Bmi2(());

/// This CPU has `avx2`, and `bmi1,bmi2,popcnt`, as every CPU with `avx2` does.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

/// This CPU has `avx512f,avx512vl,avx512bw,avx512dq,avx512ifma,avx512vbmi,avx512vbmi2`, and the
/// features of [`Avx2`].
///
/// - F, VL: three-input logic (`vpternlog`), rotations, and compressing a register's accepted
///   32-bit elements, in all three register sizes;
/// - BW, DQ: masks and arithmetic on 8, 16 and 64-bit elements;
/// - IFMA: products of 52-bit integers;
/// - VBMI, VBMI2: byte permutations across the register, and compressing bytes and 16-bit words.
///
/// Every Intel core with AVX-512 since Ice Lake and every AMD core since Zen 4 has these features.
/// Older cores (Skylake-X, Cascade Lake) cannot compress bytes in a register, and use [`Avx2`].
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Bmi2 {
    /// The name in tests, benches and the command.
    pub const NAME: &str = "bmi2";

    /// Returns the token if this CPU has the features.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<Self> {
        bmi::get().then_some(Self(()))
    }
}

impl Avx2 {
    /// The name in tests, benches and the command.
    pub const NAME: &str = "avx2";

    /// Returns the token if this CPU has the features.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<Self> {
        avx2::get().then_some(Self(()))
    }
}

impl Avx512 {
    /// The name in tests, benches and the command.
    pub const NAME: &str = "avx512";

    /// Returns the token if this CPU has the features.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<Self> {
        avx512::get().then_some(Self(()))
    }
}

impl From<Avx512> for Avx2 {
    /// AVX-512 includes AVX2.
    #[inline]
    fn from(_: Avx512) -> Self {
        Self(())
    }
}
