//! Bits of coefficients in and out of bytes: FIPS 204, Algorithms 16 to 19.

use core::marker::PhantomData;

use crate::bounds::check;
use crate::secret::Secret;
use crate::shape::N;
use crate::simd::{Kernel, Simd, WINDOW};

/// A coefficient of so many bits as its encoding has it: `upper − w` (BitPack,
/// whose range ends with `upper`), or w itself (SimpleBitPack).
#[derive(Clone, Copy)]
pub(crate) enum Form {
    Simple,
    From { upper: i32 },
}

impl Form {
    /// The code of w, and the w of a code: both ways alike.
    #[inline(always)]
    fn convert<S: Simd>(self, s: S, x: S::V) -> S::V {
        match self {
            Self::Simple => x,
            Self::From { upper } => s.sub(s.splat(upper), x),
        }
    }
}

/// Registers of a unit: at least eight coefficients, which fill whole bytes at any width.
const fn registers(lanes: usize) -> usize {
    let mut registers = 1;
    while registers * lanes < 8 {
        registers += 1;
    }
    registers
}
const MOST_REGISTERS: usize = registers(1);

/// What can be packed: coefficients, and bytes.
pub(crate) trait Codes {
    /// Register `i`.
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

/// How the bytes of a polynomial are gone through: as far as there is a whole
/// window in them, and then in a room with space behind.
struct Plan<const BITS: usize, S>(PhantomData<S>);

impl<const BITS: usize, S: Simd> Plan<BITS, S> {
    const REGISTERS: usize = registers(S::LANES);
    /// Bytes of a unit.
    const LEN: usize = (Self::REGISTERS * S::LANES * BITS) >> 3;
    /// Bytes of the units that have a window.
    const DIRECT: usize = {
        let mut direct = 0;
        while direct + WINDOW <= 32 * BITS {
            direct += Self::LEN;
        }
        direct
    };

    /// The registers of the unit whose bytes begin at `at`.
    #[inline(always)]
    #[allow(
        clippy::integer_division_remainder_used,
        reason = "an index, and by a constant"
    )]
    fn registers_at(at: usize) -> core::ops::Range<usize> {
        let first = at / Self::LEN * Self::REGISTERS;
        first..first + Self::REGISTERS
    }
    const _FITS: () = assert!(32 * BITS - Self::DIRECT + WINDOW <= ROOM);
}

/// Space for what has no window left, less than one, and the window of its last unit.
const ROOM: usize = 2 * WINDOW;

/// FIPS 204, Algorithms 16 (SimpleBitPack) and 17 (BitPack). In: codes of `BITS` bits.
pub(crate) struct Pack<'a, const BITS: usize, T> {
    pub(crate) w: &'a T,
    pub(crate) form: Form,
    /// 32 · BITS bytes.
    pub(crate) bytes: &'a mut [u8],
}

impl<const BITS: usize, T: Codes> Pack<'_, BITS, T> {
    /// The unit whose bytes begin at `at`. Not a closure: those are not inlined for sure.
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
        // The compiler shall know the length.
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
    /// The unit whose bytes begin at `at`.
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

/// The codes of a unit side by side: [`Simd::pack`] in plain integers.
#[inline(always)]
pub(crate) fn pack_integers<const BITS: usize>(codes: &[i32], window: &mut [u8; WINDOW]) {
    // The fewest that fill whole bytes, or eight: at most 104 bits.
    let group = const { if BITS.is_multiple_of(2) { 4 } else { 8 } };
    let places = (0..).step_by((group * BITS) >> 3);
    for (at, codes) in places.zip(codes.chunks_exact(group)) {
        let mut bits = 0;
        for (i, code) in codes.iter().enumerate() {
            let code = code.cast_unsigned();
            check(|| code >> BITS == 0);
            bits |= u128::from(code) << (i * BITS);
        }
        // Past its end are zeros, which the next group overwrites.
        if let Some(bytes) = window[at..].first_chunk_mut() {
            *bytes = bits.to_le_bytes();
        }
    }
}

/// The code of each lane of a unit: [`Simd::unpack`] in plain integers.
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
