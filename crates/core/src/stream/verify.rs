//! FIPS 204, Algorithm 8, for a public key and a signature in pieces. All data in this module is
//! public.

use super::challenge::Challenge;
use super::matrix::Matrix;
use super::packed::Packed;
use super::pieces::{CHUNK, piece, unpack};
use super::source::Source;
use super::{Coefficients, absorb_w1, reduce};
use crate::backend::{Portable, inverse_ntt_in_place, montgomery_product, ntt_in_place};
use crate::encode::hint::{MOST_H, check_row, unpack_rest};
use crate::encode::keys::T1_LEN;
use crate::encode::signature::MOST_C_TILDE;
use crate::hash::Shake256;
use crate::kernels::canonical;
use crate::kernels::round::use_hint;
use crate::params::{D, ParameterSet};
use crate::secret::Zeroed;
use crate::shape::Dim;
use crate::shape::N;

/// The values that are kept between the rows: [`Recomputed`] or [`Cached`]. Both give the same
/// verdict.
pub trait ZCache<P: ParameterSet> {
    /// The scratch memory besides one polynomial.
    type Room: Zeroed;
    /// The number of rows, from the first on, that read z.
    const Z_READINGS: usize;
    /// w ← NTT⁻¹(Â ∘ NTT(z) − NTT(c) ∘ NTT(t₁ 2^d)) of line 9, row `i`, modulo q. Returns whether z
    /// is short. Rows are computed in order.
    ///
    /// # Errors
    /// [`ReadError`] if a source cannot be read.
    fn row<K: Source, S: Source>(
        sources: &mut Sources<'_, P, K, S>,
        i: usize,
        c: &Challenge,
        w: &mut Coefficients,
        room: &mut Self::Room,
    ) -> Result<bool, ReadError<K::Error, S::Error>>;
}

/// The inputs of a row.
pub struct Sources<'a, P, K, S> {
    pub(super) a_hat: &'a Matrix<'a, P>,
    pub(super) pk: &'a mut K,
    pub(super) sigma: &'a mut S,
}

/// Each row reads and transforms all of z, and c t₁ is a sum. This takes the least memory.
#[derive(Clone, Copy, Debug)]
pub struct Recomputed;

/// NTT(z) and NTT(c) are computed once. This takes 5, 6 or 8 KiB more, and the fewest cycles.
#[derive(Clone, Copy, Debug)]
pub struct Cached;

/// The memory of [`Cached`].
pub struct CachedTransforms<P: ParameterSet> {
    z: <P::L as Dim>::Array<Coefficients>,
    c: Coefficients,
    /// NTT(t₁) of one row.
    t1: Coefficients,
}

impl<P: ParameterSet> Zeroed for CachedTransforms<P> {
    const ZERO: Self = Self {
        z: Zeroed::ZERO,
        c: Zeroed::ZERO,
        t1: Zeroed::ZERO,
    };
}

/// The polynomials of verification.
pub struct Scratch<P: ParameterSet, R: ZCache<P>> {
    /// One polynomial of z, then c, then one polynomial of w'.
    pub(super) poly: Coefficients,
    pub(super) room: R::Room,
}

impl<P: ParameterSet, R: ZCache<P>> Zeroed for Scratch<P, R> {
    const ZERO: Self = Self {
        poly: Zeroed::ZERO,
        room: Zeroed::ZERO,
    };
}

/// The number of bytes of a public key or of c̃ that are hashed at a time.
const PIECE: usize = 16;

/// tr = H(pk, 64).
///
/// # Errors
/// The error of the source.
#[inline(never)]
pub fn public_key_hash<P: ParameterSet, K: Source>(pk: &mut K) -> Result<[u8; 64], K::Error> {
    const { assert!(P::PUBLIC_KEY_LEN.is_multiple_of(PIECE)) };
    let mut xof = Shake256::new();
    absorb_start(pk, P::PUBLIC_KEY_LEN, &mut xof)?;
    let mut tr = [0; 64];
    xof.squeeze_in_place().read(&mut tr);
    Ok(tr)
}

/// The source that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError<K, S> {
    /// The source of the public key.
    Key(K),
    /// The source of the signature.
    Signature(S),
}

/// FIPS 204, Algorithm 8 (ML-DSA.Verify_internal), from line 8 on. `xof` has absorbed μ of line 7
/// and no other data, and `a_hat` is the result of line 5 for the ρ at the start of the key.
///
/// t₁ is read once; z is read once, or in each of the K rows.
///
/// # Errors
/// [`ReadError`] if a source cannot be read. The validity of the signature is then unknown.
pub fn verify<P: ParameterSet, R: ZCache<P>, K: Source, S: Source>(
    a_hat: &Matrix<'_, P>,
    pk: &mut K,
    xof: &mut Shake256,
    sigma: &mut S,
    scratch: &mut Scratch<P, R>,
) -> Result<bool, ReadError<K::Error, S::Error>> {
    if !is_hint::<P, S>(sigma).map_err(ReadError::Signature)? {
        return Ok(false);
    }
    let Scratch { poly, room } = scratch;
    let mut c = Challenge::ZERO;
    challenge::<P, S>(sigma, &mut c, poly).map_err(ReadError::Signature)?;
    let mut sources = Sources { a_hat, pk, sigma };
    let mut ones = 0;
    for i in 0..P::K::N {
        if !R::row(&mut sources, i, &c, poly, room)? {
            return Ok(false);
        }
        hint::<P, S>(sources.sigma, i, &mut ones, poly).map_err(ReadError::Signature)?;
        absorb_w1::<P>(poly, xof);
    }
    is_c_tilde::<P, S>(sources.sigma, xof).map_err(ReadError::Signature)
}

impl<P: ParameterSet> ZCache<P> for Recomputed {
    type Room = Packed;
    const Z_READINGS: usize = P::K::N;
    #[inline(always)]
    fn row<K: Source, S: Source>(
        sources: &mut Sources<'_, P, K, S>,
        i: usize,
        c: &Challenge,
        w: &mut Coefficients,
        w_hat: &mut Packed,
    ) -> Result<bool, ReadError<K::Error, S::Error>> {
        let Sources { a_hat, pk, sigma } = sources;
        w_hat.clear();
        for j in 0..P::L::N {
            if !z::<P, S>(sigma, j, w).map_err(ReadError::Signature)? {
                return Ok(false);
            }
            ntt_in_place::<P::Field>(w);
            a_hat.add_product(i, j, w, w_hat);
        }
        w_hat.unpack(w);
        inverse_ntt_in_place::<P::Field>(w);
        subtract_key::<P, K>(pk, i, c, w).map_err(ReadError::Key)?;
        Ok(true)
    }
}

impl<P: ParameterSet> ZCache<P> for Cached {
    type Room = CachedTransforms<P>;
    const Z_READINGS: usize = 1;
    #[inline(always)]
    fn row<K: Source, S: Source>(
        sources: &mut Sources<'_, P, K, S>,
        i: usize,
        c: &Challenge,
        w: &mut Coefficients,
        cached: &mut CachedTransforms<P>,
    ) -> Result<bool, ReadError<K::Error, S::Error>> {
        let Sources { a_hat, pk, sigma } = sources;
        if i == 0 {
            for (j, z_hat) in cached.z.as_mut().iter_mut().enumerate() {
                if !z::<P, S>(sigma, j, z_hat).map_err(ReadError::Signature)? {
                    return Ok(false);
                }
                ntt_in_place::<P::Field>(z_hat);
            }
            // The factor 2^d is multiplied into c once, instead of into each of the K polynomials
            // of t₁.
            c.write::<P>(1 << D, &mut cached.c);
            ntt_in_place::<P::Field>(&mut cached.c);
        }
        w.fill(0);
        for (j, z_hat) in cached.z.as_ref().iter().enumerate() {
            a_hat.add_unreduced(i, j, z_hat, w);
        }
        t1(*pk, i, &mut cached.t1).map_err(ReadError::Key)?;
        ntt_in_place::<P::Field>(&mut cached.t1);
        // A product of two numbers up to 9q adds at most 0.66q, so that a sum is below 5q.
        for ((w, t1), c) in w.iter_mut().zip(&cached.t1).zip(&cached.c) {
            *w = reduce::<P::Field>(*w - montgomery_product::<P::Field>(*t1, *c));
        }
        inverse_ntt_in_place::<P::Field>(w);
        for w in w {
            *w = canonical::<P::Field, _>(Portable, *w);
        }
        Ok(true)
    }
}

/// Returns the offset of z.
const fn z_offset<P: ParameterSet>() -> usize {
    P::C_TILDE_LEN
}

/// Returns the offset of h.
pub(super) const fn h_offset<P: ParameterSet>() -> usize {
    P::SIGNATURE_LEN - P::OMEGA - P::K::N
}

/// Reads one byte.
fn byte<S: Source>(source: &mut S, offset: usize) -> Result<u8, S::Error> {
    let mut byte = [0];
    source.read(offset, &mut byte)?;
    Ok(byte[0])
}

/// Only the checks of FIPS 204, Algorithm 21 (HintBitUnpack).
#[inline(never)]
pub(crate) fn is_hint<P: ParameterSet, S: Source>(sigma: &mut S) -> Result<bool, S::Error> {
    const { assert!(P::OMEGA + P::K::N <= MOST_H) };
    let mut bytes = [0; MOST_H];
    // Cuts of constant lengths contain a panic if one function makes those of several sets.
    let bytes = bytes.get_mut(..P::OMEGA + P::K::N).unwrap_or_default();
    sigma.read(h_offset::<P>(), bytes)?;
    let Some((positions, counters)) = bytes.split_at_checked(P::OMEGA) else {
        return Ok(false);
    };
    let row = |index, counter: &u8| check_row(positions, index, *counter);
    let index = counters.iter().try_fold(0, row);
    Ok(index.is_some_and(|index| unpack_rest(positions, index).is_some()))
}

/// Line 8: samples c.
#[inline(never)]
pub(super) fn challenge<P: ParameterSet, S: Source>(
    sigma: &mut S,
    c: &mut Challenge,
    room: &mut Coefficients,
) -> Result<(), S::Error> {
    const { assert!(P::C_TILDE_LEN.is_multiple_of(PIECE)) };
    let mut xof = Shake256::new();
    absorb_start(sigma, P::C_TILDE_LEN, &mut xof)?;
    c.sample_from::<P>(&mut xof, room);
    Ok(())
}

/// Absorbs the first `len` bytes of a source, a multiple of [`PIECE`].
#[inline(never)]
fn absorb_start<S: Source>(source: &mut S, len: usize, xof: &mut Shake256) -> Result<(), S::Error> {
    let mut piece = [0; PIECE];
    for offset in (0..len).step_by(PIECE) {
        source.read(offset, &mut piece)?;
        xof.absorb(&piece);
    }
    Ok(())
}

/// [`unpack`], for the bytes of a source from an offset on.
#[inline(always)]
fn unpack_from<S: Source>(
    bits: usize,
    source: &mut S,
    offset: usize,
    take: &mut dyn FnMut(usize, &mut [i32; CHUNK]),
) -> Result<(), S::Error> {
    let mut result = Ok(());
    let mut read = |at: usize, piece: &mut [u8]| {
        result = source.read(offset + at, piece);
        result.is_ok()
    };
    unpack(bits, &mut read, take);
    result
}

/// Decodes polynomial `j` of z, and returns whether it is short.
#[inline(never)]
fn z<P: ParameterSet, S: Source>(
    sigma: &mut S,
    j: usize,
    z: &mut Coefficients,
) -> Result<bool, S::Error> {
    let offset = z_offset::<P>() + 32 * P::Z_BITS * j;
    let mut short = true;
    unpack_from(P::Z_BITS, sigma, offset, &mut |at, codes| {
        if let Some(z) = piece(z, at) {
            *z = codes.map(|code| P::GAMMA1 as i32 - code);
            short &= z.iter().all(|z| z.unsigned_abs() < P::GAMMA1 - P::BETA);
        }
    })?;
    Ok(short)
}

/// w ← w − c t₁ 2^d of row `i`, modulo q, in line 9. The sums are at most ¾q + τ 2²³.
#[inline(never)]
fn subtract_key<P: ParameterSet, K: Source>(
    pk: &mut K,
    i: usize,
    c: &Challenge,
    w: &mut Coefficients,
) -> Result<(), K::Error> {
    let offset = 32 + T1_LEN * i;
    unpack_from(10, pk, offset, &mut |at, t1| {
        c.add_product::<P>(w, at, &t1.map(|t1| -(t1 << D)));
    })?;
    for w in w {
        *w = reduce::<P::Field>(*w);
    }
    Ok(())
}

/// Decodes t₁ of row `i`.
#[inline(never)]
fn t1<K: Source>(pk: &mut K, i: usize, t1: &mut Coefficients) -> Result<(), K::Error> {
    let offset = 32 + T1_LEN * i;
    unpack_from(10, pk, offset, &mut |at, codes| {
        if let Some(t1) = piece(t1, at) {
            *t1 = *codes;
        }
    })
}

/// Line 10 for row `i`: w becomes w₁. `ones` is the number of ones of h in the rows before.
#[inline(never)]
pub(super) fn hint<P: ParameterSet, S: Source>(
    sigma: &mut S,
    i: usize,
    ones: &mut usize,
    w: &mut Coefficients,
) -> Result<(), S::Error> {
    let positions = h_offset::<P>();
    let end = usize::from(byte(sigma, positions + P::OMEGA + i)?);
    let mut next = || -> Result<usize, S::Error> {
        if *ones >= end {
            return Ok(N);
        }
        *ones += 1;
        byte(sigma, positions + *ones - 1).map(usize::from)
    };
    let mut position = next()?;
    for (k, w) in w.iter_mut().enumerate() {
        let h = k == position;
        if h {
            position = next()?;
        }
        *w = use_hint::<P, _>(Portable, *w, h.into());
    }
    Ok(())
}

/// Lines 12 and 13, after w₁ has been absorbed.
#[inline(never)]
fn is_c_tilde<P: ParameterSet, S: Source>(
    sigma: &mut S,
    xof: &mut Shake256,
) -> Result<bool, S::Error> {
    let (mut expected, mut c_tilde) = ([0; MOST_C_TILDE], [0; MOST_C_TILDE]);
    xof.squeeze_in_place().read(&mut expected);
    // Not an index, whose check remains at opt-level z.
    sigma.read(0, c_tilde.get_mut(..P::C_TILDE_LEN).unwrap_or_default())?;
    // A comparison of slices is a call of the C library.
    let pairs = c_tilde.iter().zip(&expected).take(P::C_TILDE_LEN);
    Ok(pairs.fold(0, |all, (a, b)| all | (a ^ b)) == 0)
}
