//! FIPS 204, Algorithms 16 to 19, for the widths of the parameter sets: 3 and 4 bits (s₁ and s₂), 4
//! and 6 (w₁), 10 (t₁), 13 (t₀), 18 and 20 (z); and for 24 bits, the width of field elements that
//! are stored in three bytes each.

use crate::backend::Backend;
use crate::kernels::pack::{Codes, Form, Pack, Unpack};
use crate::poly::{BytePoly, Poly};
use crate::shape::N;

/// FIPS 204, Algorithm 16 (SimpleBitPack): encodes w_j < 2^bits as 32 · bits bytes.
#[inline]
pub fn simple_bit_pack<B: Backend, F>(backend: B, bits: usize, w: &Poly<F>, bytes: &mut [u8]) {
    pack(backend, bits, &w.0, Form::Simple, bytes);
}

/// [`simple_bit_pack`] for w₁.
#[inline]
pub fn simple_bit_pack_bytes<B: Backend>(backend: B, bits: usize, w: &BytePoly, bytes: &mut [u8]) {
    pack(backend, bits, &w.0, Form::Simple, bytes);
}

/// FIPS 204, Algorithm 17 (BitPack): encodes upper − 2^bits < w_j ≤ upper as 32 · bits bytes.
#[inline]
pub fn bit_pack<B: Backend, F>(backend: B, bits: usize, upper: u32, w: &Poly<F>, bytes: &mut [u8]) {
    pack(
        backend,
        bits,
        &w.0,
        Form::From {
            upper: upper as i32,
        },
        bytes,
    );
}

/// FIPS 204, Algorithm 18 (SimpleBitUnpack), for 32 · bits bytes.
#[inline]
pub fn simple_bit_unpack<B: Backend, F>(backend: B, bits: usize, bytes: &[u8], w: &mut Poly<F>) {
    unpack(backend, bits, bytes, Form::Simple, &mut w.0);
}

/// FIPS 204, Algorithm 19 (BitUnpack), for 32 · bits bytes. If the encoded range has fewer than
/// 2^bits values, the result may be below that range.
#[inline]
pub fn bit_unpack<B: Backend, F>(
    backend: B,
    bits: usize,
    upper: u32,
    bytes: &[u8],
    w: &mut Poly<F>,
) {
    unpack(
        backend,
        bits,
        bytes,
        Form::From {
            upper: upper as i32,
        },
        &mut w.0,
    );
}

/// Contains one instance of the kernel for each width, because the shifts are cheap only if the
/// compiler knows the width.
#[inline]
fn pack<B: Backend, T: Codes>(backend: B, bits: usize, w: &T, form: Form, bytes: &mut [u8]) {
    match bits {
        3 => backend.run(Pack::<3, T> { w, form, bytes }),
        4 => backend.run(Pack::<4, T> { w, form, bytes }),
        6 => backend.run(Pack::<6, T> { w, form, bytes }),
        10 => backend.run(Pack::<10, T> { w, form, bytes }),
        13 => backend.run(Pack::<13, T> { w, form, bytes }),
        18 => backend.run(Pack::<18, T> { w, form, bytes }),
        20 => backend.run(Pack::<20, T> { w, form, bytes }),
        24 => backend.run(Pack::<24, T> { w, form, bytes }),
        _ => debug_assert!(false, "no parameter set has this width"),
    }
}

#[inline]
fn unpack<B: Backend>(backend: B, bits: usize, bytes: &[u8], form: Form, w: &mut [i32; N]) {
    match bits {
        3 => backend.run(Unpack::<3> { bytes, form, w }),
        4 => backend.run(Unpack::<4> { bytes, form, w }),
        6 => backend.run(Unpack::<6> { bytes, form, w }),
        10 => backend.run(Unpack::<10> { bytes, form, w }),
        13 => backend.run(Unpack::<13> { bytes, form, w }),
        18 => backend.run(Unpack::<18> { bytes, form, w }),
        20 => backend.run(Unpack::<20> { bytes, form, w }),
        24 => backend.run(Unpack::<24> { bytes, form, w }),
        _ => debug_assert!(false, "no parameter set has this width"),
    }
}
