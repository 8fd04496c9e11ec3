//! One lane of many states: in memory, and in a register.

/// The same 64-bit lane of `W` states side by side in memory: `[u64; W]`, whose first element
/// belongs to the first state. The trait is sealed.
pub trait Lane: Copy + AsRef<[u64]> + AsMut<[u64]> + sealed::Sealed {
    /// All bits zero.
    const ZERO: Self;
}

impl<const W: usize> Lane for [u64; W] {
    const ZERO: Self = [0; W];
}

pub(crate) mod sealed {
    /// The representation of a lane in memory: the lane itself, or the form that the permutation of
    /// the backend uses.
    pub trait Sealed {
        /// Converts a word of lane `at` to its form in memory. The function is linear.
        fn inward(at: usize, word: u64) -> u64;
        /// Converts a word from its form in memory.
        fn outward(at: usize, word: u64) -> u64;
    }
    impl<const W: usize> Sealed for [u64; W] {
        #[inline(always)]
        fn inward(at: usize, word: u64) -> u64 {
            if W == 1 {
                crate::interleave::inward(at, word)
            } else {
                word
            }
        }
        #[inline(always)]
        fn outward(at: usize, word: u64) -> u64 {
            if W == 1 {
                crate::interleave::outward(at, word)
            } else {
                word
            }
        }
    }
}

/// A register that holds the same lane of `W` states, and the operations of Keccak on it.
///
/// `self` is a token, which proves that the CPU has the instructions, so the methods are safe. They
/// must be `#[inline(always)]`, so that they are compiled inside the `#[target_feature]` function
/// of the module `backend` that calls them.
///
/// The methods are chosen so that each is one instruction on CPUs that have a suitable instruction.
///
/// | | u64 | BMI | AVX-512 | SHA-3 of ARM |
/// | --- | --- | --- | --- | --- |
/// | `xor5` | 4 `xor` | 4 `xor` | 2 `vpternlog` | 2 `eor3` |
/// | `effect` | `rol`, `xor` | `rorx`, `xor` | `vprol` | `rax1` |
/// | `add_effect` | `xor` | `xor` | `vpternlog` | `eor` |
/// | `add_effect_rotate` | `xor`, `rol` | `xor`, `rorx` | `vpternlog`, `vprol` | `xar` |
/// | `chi` | `not`, `and`, `xor` | `andn`, `xor` | `vpternlog` | `bcax` |
pub(crate) trait Simd64: Copy {
    /// The register's image in memory.
    type Lane: Lane;
    /// The register.
    type V: Copy;
    /// The value that theta adds to every lane of a column: one register, or, if one instruction
    /// can XOR three inputs, the two registers of which it is the sum.
    type Effect: Copy;
    /// Whether pi is completed before chi, instead of row by row. This is 4 % faster on AVX-512,
    /// saves 11 % of the instructions with the SHA-3 instructions, and is slower on all other
    /// backends.
    const PI_FIRST: bool = false;
    /// Whether an iteration has one round instead of two.
    const ONE_ROUND: bool = false;

    /// Loads a register from memory.
    fn load(self, lane: &Self::Lane) -> Self::V;
    /// Stores a register to memory.
    fn store(self, v: Self::V, lane: &mut Self::Lane);
    /// Returns the same lane for every state.
    fn splat(self, x: u64) -> Self::V;
    /// a ⊕ b.
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// The parity of a column: a ⊕ b ⊕ c ⊕ d ⊕ e.
    #[inline(always)]
    fn xor5(self, [a, b, c, d, e]: [Self::V; 5]) -> Self::V {
        self.xor(self.xor(self.xor(self.xor(a, b), c), d), e)
    }
    /// left ⊕ (right <<< 1).
    fn effect(self, left: Self::V, right: Self::V) -> Self::Effect;
    /// a ⊕ effect.
    fn add_effect(self, a: Self::V, effect: Self::Effect) -> Self::V;
    /// (a ⊕ effect) <<< LEFT, which equals a rotation to the right by RIGHT. 0 < LEFT, and LEFT +
    /// RIGHT = 64. Both are parameters because intrinsics take constants, and a const generic
    /// cannot be computed from another.
    fn add_effect_rotate<const LEFT: i32, const RIGHT: i32>(
        self,
        a: Self::V,
        effect: Self::Effect,
    ) -> Self::V;
    /// a ⊕ (¬b ∧ c).
    fn chi(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
}
