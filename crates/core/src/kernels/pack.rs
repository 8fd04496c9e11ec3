//! Packing and unpacking of coefficients: FIPS 204, Algorithms 16 to 19.

use core::marker::PhantomData;

use crate::bounds::check;
use crate::secret::Secret;
use crate::shape::N;
use crate::simd::{Kernel, Simd, WINDOW};

/// The code of a coefficient: `upper − w` (BitPack, where `upper` is the end of the range), or w
/// itself (SimpleBitPack).
#[derive(Clone, Copy)]
pub(crate) enum Form {
    Simple,
    From { upper: i32 },
}

impl Form {
    /// Returns the code of w, or the w of a code, which is the same computation.
    #[inline(always)]
    fn convert<S: Simd>(self, s: S, x: S::V) -> S::V {
        match self {
            Self::Simple => x,
            Self::From { upper } => s.sub(s.splat(upper), x),
        }
    }
}

/// Returns the number of registers of a unit: those of at least eight coefficients, which fill
/// whole bytes with any number of bits.
const fn registers(lanes: usize) -> usize {
    let mut registers = 1;
    while registers * lanes < 8 {
        registers += 1;
    }
    registers
}
const MOST_REGISTERS: usize = registers(1);

/// A polynomial that can be packed, of coefficients or of bytes.
pub(crate) trait Codes {
    /// Loads register `i`.
    fn load<S: Simd>(&self, s: S, i: usize) -> S::V;
}
impl Codes for [i32; N] {
    #[inline(always)]
    fn load<S: Simd>(&self, s: S, i: usize) -> S::V {
        s.load(&S::chunks(self)[i])
    }
}
impl Codes for [u8; N] {
    #[inline(always)]
    fn load<S: Simd>(&self, s: S, i: usize) -> S::V {
        s.load_bytes(&S::byte_chunks(self).0[i])
    }
}

/// The order in which the bytes of a polynomial are accessed: directly, as long as a whole window
/// is within them, and then in a padded buffer.
struct Plan<const BITS: usize, S>(PhantomData<S>);

impl<const BITS: usize, S: Simd> Plan<BITS, S> {
    const REGISTERS: usize = registers(S::LANES);
    /// The length of a unit in bytes.
    const LEN: usize = (Self::REGISTERS * S::LANES * BITS) >> 3;
    /// The number of bytes that are accessed directly.
    const DIRECT: usize = {
        let mut direct = 0;
        while direct + WINDOW <= 32 * BITS {
            direct += Self::LEN;
        }
        direct
    };

    /// Returns the registers of the unit whose bytes begin at `at`.
    #[inline(always)]
    #[allow(
        clippy::integer_division_remainder_used,
        reason = "an index is divided by a constant"
    )]
    fn registers_at(at: usize) -> core::ops::Range<usize> {
        let first = at / Self::LEN * Self::REGISTERS;
        first..first + Self::REGISTERS
    }
    const _FITS: () = assert!(32 * BITS - Self::DIRECT + WINDOW <= ROOM);
}

/// The length of the padded buffer: the bytes that are not accessed directly, which are less than a
/// window, and the window of the last unit.
const ROOM: usize = 2 * WINDOW;

/// FIPS 204, Algorithms 16 (SimpleBitPack) and 17 (BitPack). In: codes of `BITS` bits.
pub(crate) struct Pack<'a, const BITS: usize, T> {
    pub(crate) w: &'a T,
    pub(crate) form: Form,
    /// 32 · BITS bytes.
    pub(crate) bytes: &'a mut [u8],
}

impl<const BITS: usize, T: Codes> Pack<'_, BITS, T> {
    /// Packs the unit whose bytes begin at `at`. This is not a closure, because closures are not
    /// always inlined.
    #[inline(always)]
    fn unit<S: Simd>(&self, s: S, at: usize, window: &mut [u8; WINDOW]) {
        let mut codes = [s.splat(0); MOST_REGISTERS];
        let codes = &mut codes[..Plan::<BITS, S>::REGISTERS];
        for (code, i) in codes.iter_mut().zip(Plan::<BITS, S>::registers_at(at)) {
            *code = self.form.convert(s, self.w.load(s, i));
        }
        s.pack::<BITS>(codes, window);
    }
}

impl<const BITS: usize, T: Codes> Kernel for Pack<'_, BITS, T> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        debug_assert!(self.bytes.len() == 32 * BITS);
        let direct = Plan::<BITS, S>::DIRECT;
        // This makes the length known to the compiler.
        let Some(bytes) = core::mem::take(&mut self.bytes).get_mut(..32 * BITS) else {
            return;
        };
        for at in (0..direct).step_by(Plan::<BITS, S>::LEN) {
            if let Some(window) = bytes[at..].first_chunk_mut() {
                self.unit(s, at, window);
            }
        }
        let rest = &mut bytes[direct..];
        let mut room = Secret::new([0; ROOM]);
        for at in (0..rest.len()).step_by(Plan::<BITS, S>::LEN) {
            if let Some(window) = room[at..].first_chunk_mut() {
                self.unit(s, direct + at, window);
            }
        }
        rest.copy_from_slice(&room[..rest.len()]);
    }
}

/// FIPS 204, Algorithms 18 (SimpleBitUnpack) and 19 (BitUnpack). Out: any code of `BITS` bits.
pub(crate) struct Unpack<'a, const BITS: usize> {
    /// 32 · BITS bytes.
    pub(crate) bytes: &'a [u8],
    pub(crate) form: Form,
    pub(crate) w: &'a mut [i32; N],
}

impl<const BITS: usize> Unpack<'_, BITS> {
    /// Unpacks the unit whose bytes begin at `at`.
    #[inline(always)]
    fn unit<S: Simd>(&mut self, s: S, at: usize, window: &[u8; WINDOW]) {
        let mut codes = [s.splat(0); MOST_REGISTERS];
        let codes = &mut codes[..Plan::<BITS, S>::REGISTERS];
        s.unpack::<BITS>(window, codes);
        for (code, i) in codes.iter().zip(Plan::<BITS, S>::registers_at(at)) {
            s.store(self.form.convert(s, *code), &mut S::chunks_mut(self.w)[i]);
        }
    }
}

impl<const BITS: usize> Kernel for Unpack<'_, BITS> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        debug_assert!(self.bytes.len() == 32 * BITS);
        let Some(bytes) = self.bytes.get(..32 * BITS) else {
            return;
        };
        let (direct, rest) = bytes.split_at(Plan::<BITS, S>::DIRECT);
        for at in (0..direct.len()).step_by(Plan::<BITS, S>::LEN) {
            if let Some(window) = bytes[at..].first_chunk() {
                self.unit(s, at, window);
            }
        }
        let mut room = Secret::new([0; ROOM]);
        room[..rest.len()].copy_from_slice(rest);
        for at in (0..rest.len()).step_by(Plan::<BITS, S>::LEN) {
            if let Some(window) = room[at..].first_chunk() {
                self.unit(s, direct.len() + at, window);
            }
        }
    }
}

/// Packs the codes of a unit: [`Simd::pack`] with plain integers.
#[inline(always)]
pub(crate) fn pack_integers<const BITS: usize>(codes: &[i32], window: &mut [u8; WINDOW]) {
    // A group of codes fills whole bytes, and has at most 104 bits.
    let group = const { if BITS.is_multiple_of(2) { 4 } else { 8 } };
    let places = (0..).step_by((group * BITS) >> 3);
    for (at, codes) in places.zip(codes.chunks_exact(group)) {
        let mut bits = 0;
        for (i, code) in codes.iter().enumerate() {
            let code = code.cast_unsigned();
            check(|| code >> BITS == 0);
            bits |= u128::from(code) << (i * BITS);
        }
        // The bytes after the group are zeros, which the next group overwrites.
        if let Some(bytes) = window[at..].first_chunk_mut() {
            *bytes = bits.to_le_bytes();
        }
    }
}

/// Unpacks the code of each lane of a unit: [`Simd::unpack`] with plain integers.
#[inline(always)]
pub(crate) fn unpack_integers<const BITS: usize>(window: &[u8; WINDOW], codes: &mut [i32]) {
    const { assert!(BITS + 7 <= 32) };
    for (bit, code) in (0..).step_by(BITS).zip(codes) {
        if let Some(bytes) = window[bit >> 3..].first_chunk() {
            let bits = u32::from_le_bytes(*bytes) >> (bit & 7);
            *code = (bits & ((1 << BITS) - 1)).cast_signed();
        }
    }
}
