//! The Poseidon instance of zkDilithium: a permutation of 35 elements of Z_q, q = 7,340,033, with
//! 21 full rounds whose S-box is the inverse, and a sponge over it. A prover of zkDilithium
//! signatures must arithmetise it.
//!
//! A round adds [`ROUND_CONSTANTS`], replaces each x by x^(q − 2), which is 1/x or 0 for 0, and
//! multiplies by the matrix whose entry in row i and column j is 1/(i + j + 1)
//! ([`MDS_INVERSES`]). There are no partial rounds, and nothing follows the last one.
//!
//! ```
//! use moissanite_zk_dilithium::poseidon::{Sponge, bytes_to_elements};
//!
//! let mut sponge = Sponge::new();
//! sponge.write([0]);
//! sponge.write(bytes_to_elements(*b"sponges absorb"));
//! let mut digest = [0; 12];
//! sponge.read(&mut digest);
//! assert_eq!(digest[..2], [1_404_166, 3_789_503]);
//! ```
//!
//! The sponge neither pads nor counts, so the absorbed input must encode its own end. All
//! operations run in constant time, so the input may be secret. Only lengths are public.

pub(crate) mod arithmetic;
mod constants;
mod matrix;
pub(crate) mod permutation;
mod product_tree;
mod state_in_registers;
mod state_in_two_words;
pub(crate) mod states_in_lanes;

use core::fmt;

use moissanite_core::backend::{Backend, Portable, Simd, WithBackend, dispatch};
use moissanite_core::secret::Secret;

pub use constants::{MDS_INVERSES, RATE, ROUND_CONSTANTS, ROUNDS, WIDTH};
use permutation::Permute;

pub use crate::params::Q;

/// The permutation. In: any integers, taken modulo q. Out: less than q.
///
/// ```
/// use moissanite_zk_dilithium::poseidon;
///
/// let mut state = [0; poseidon::WIDTH];
/// poseidon::permute(&mut state);
/// assert_eq!(state[..3], [2_920_311, 150_621, 4_042_159]);
/// ```
pub fn permute(state: &mut [u32; WIDTH]) {
    for element in &mut *state {
        *element = reduce((*element).into());
    }
    dispatch(Permutation(state));
}

/// The same as [`permute`], for elements less than 2q, on any backend.
struct Permutation<'a>(&'a mut [u32; WIDTH]);
impl WithBackend for Permutation<'_> {
    type Output = ();
    fn call<B: Backend>(self, backend: B) {
        backend.run(Permute(self.0));
    }
}

/// Returns x modulo q. In: less than 2³³. It uses no products of more than 32 bits.
pub(crate) fn reduce(x: u64) -> u32 {
    const SHIFT: u32 = 20;
    const { assert!(Q == (7 << SHIFT) + 1) };
    // ⌊⌊x / 2²⁰⌋ / 7⌋ = ⌊x / (q − 1)⌋, which is at most 1,170: as 9,363 / 2¹⁶ is 1/7 and less than
    // 1/91,000 more, the product with a number below 2¹³ is off by less than 1/7.
    let quotient = ((x >> SHIFT) as u32).wrapping_mul(9_363) >> 16;
    // From −1,170 to q − 2.
    let multiple = u64::from(quotient.wrapping_mul(7)) << SHIFT;
    let rest = x.wrapping_sub(multiple).wrapping_sub(quotient.into()) as i32;
    let below_zero = Portable.and(Portable.is_negative(rest), Q.cast_signed());
    rest.wrapping_add(below_zero).cast_unsigned()
}

/// The sponge. It is secret, and wiped when it is dropped.
///
/// Absorbing adds each element to the next of the first 24 elements of the state, and permutes the
/// state when these are full. No element can be absorbed after reading has begun.
#[derive(Clone)]
pub struct Sponge {
    state: Secret<[u32; WIDTH]>,
    /// The position of the next element that is written or read.
    at: usize,
    reading: bool,
}

impl Default for Sponge {
    fn default() -> Self {
        Self::new()
    }
}

impl Sponge {
    /// All zeros.
    pub const fn new() -> Self {
        Self {
            state: Secret::new([0; WIDTH]),
            at: 0,
            reading: false,
        }
    }

    /// Absorbs elements: any integers, taken modulo q.
    ///
    /// After [`Self::read`], nothing is absorbed, and debug builds panic.
    pub fn write(&mut self, elements: impl IntoIterator<Item = u32>) {
        self.write_by(|state| dispatch(Permutation(state)), elements);
    }

    /// Permutes if an element was written since the last permutation, so that the next element
    /// begins a block.
    pub fn flush(&mut self) {
        self.flush_by(|state| dispatch(Permutation(state)));
    }

    /// Fills `elements` with numbers less than q. If a block is incomplete, the first call permutes
    /// as [`Self::flush`] does. Each call continues after the last one.
    pub fn read(&mut self, elements: &mut [u32]) {
        self.read_by(|state| dispatch(Permutation(state)), elements);
    }

    /// The methods of the sponge on an explicit backend.
    pub(crate) fn write_on<B: Backend>(
        &mut self,
        backend: B,
        elements: impl IntoIterator<Item = u32>,
    ) {
        self.write_by(|state| backend.run(Permute(state)), elements);
    }
    pub(crate) fn flush_on<B: Backend>(&mut self, backend: B) {
        self.flush_by(|state| backend.run(Permute(state)));
    }
    pub(crate) fn read_on<B: Backend>(&mut self, backend: B, elements: &mut [u32]) {
        self.read_by(|state| backend.run(Permute(state)), elements);
    }

    fn write_by(
        &mut self,
        permute: impl Fn(&mut [u32; WIDTH]),
        elements: impl IntoIterator<Item = u32>,
    ) {
        debug_assert!(!self.reading, "the sponge is being read");
        for element in elements {
            if self.reading {
                return;
            }
            let sum = &mut self.state[self.at];
            *sum = reduce(u64::from(*sum).wrapping_add(element.into()));
            self.advance(&permute);
        }
    }

    fn flush_by(&mut self, permute: impl Fn(&mut [u32; WIDTH])) {
        if !self.reading && self.at != 0 {
            permute(&mut self.state);
            self.at = 0;
        }
    }

    fn read_by(&mut self, permute: impl Fn(&mut [u32; WIDTH]), elements: &mut [u32]) {
        self.flush_by(&permute);
        self.reading = true;
        for element in elements {
            *element = self.state[self.at];
            self.advance(&permute);
        }
    }

    /// After the last element of a block, the next block follows.
    fn advance(&mut self, permute: impl Fn(&mut [u32; WIDTH])) {
        self.at += 1;
        if self.at == RATE {
            permute(&mut self.state);
            self.at = 0;
        }
    }
}

impl fmt::Debug for Sponge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sponge").finish_non_exhaustive()
    }
}

/// Converts bytes to elements: b₀ + 1 + 257 (b₁ + 1) for each pair, and b + 1 for a single last
/// byte.
///
/// ```
/// use moissanite_zk_dilithium::poseidon::bytes_to_elements;
///
/// assert!(bytes_to_elements(*b"h\0").eq([104 + 1 + 257]));
/// assert!(bytes_to_elements(*b"h").eq([104 + 1]));
/// ```
pub fn bytes_to_elements(bytes: impl IntoIterator<Item = u8>) -> impl Iterator<Item = u32> {
    let mut digits = bytes
        .into_iter()
        .map(|byte| u32::from(byte).wrapping_add(1))
        .fuse();
    core::iter::from_fn(move || {
        let (first, second) = (digits.next()?, digits.next().unwrap_or(0));
        Some(257_u32.wrapping_mul(second).wrapping_add(first))
    })
}
