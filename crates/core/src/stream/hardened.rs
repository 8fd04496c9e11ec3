//! FIPS 204, Algorithm 8, with the steps of [`super::verify`], for a machine that an attacker disturbs.
//!
//! The caller runs [`verify`] twice, with all inputs from their sources, and each run returns another word. A
//! fault of one run leaves the word of the other. Within a run, no step decides: each leaves its flaws in one
//! integer, and the word depends on it without a branch. The flaws also contain what was executed: the key is
//! hashed as the rows read it, which gives tr only if each row read all of t₁; rows, pieces of z and ones of
//! the hint are counted. c̃ and h are read once in a run, and all of z has the same hash in each row. A source
//! whose bytes change is therefore refused, too.

use core::marker::PhantomData;

use moissanite_cpu::value_barrier;

use super::absorb_w1;
use super::challenge::Challenge;
use super::matrix::Matrix;
use super::pieces::CHUNK;
use super::source::Source;
use super::verify::{ReadError, Scratch, Sources, ZCache, challenge, h_offset, hint, is_hint};
use crate::encode::hint::MOST_H;
use crate::encode::signature::MOST_C_TILDE;
use crate::hash::Shake256;
use crate::params::ParameterSet;
use crate::secret::{Zeroed, difference_mask, nonzero_mask};
use crate::shape::{Dim, N};

/// The words of the two runs for a valid signature.
pub const ACCEPTED: [u32; 2] = [0x3c96_a5c3, !0x3c96_a5c3];
/// The word of a run for any other signature. It does not depend on the word that the caller passes, because a
/// fault can change that.
pub const REFUSED: u32 = 0x66cc_0066;
// Each of the three words differs from each other one in half of the bits or more.
const _: () = assert!(
    (ACCEPTED[0] ^ REFUSED).count_ones() == 16
        && (ACCEPTED[1] ^ REFUSED).count_ones() == 16
        && ACCEPTED[0] ^ ACCEPTED[1] == u32::MAX
);

/// The number of pieces in which a polynomial is read.
const PIECES: usize = N >> CHUNK.ilog2();

/// The length of a hash of z. A collision takes 2¹²⁸ steps.
const DIGEST: usize = 32;

/// A source whose bytes are hashed and whose readings are counted.
struct Hashed<'a, S> {
    source: &'a mut S,
    xof: Shake256,
    readings: usize,
}

impl<'a, S> Hashed<'a, S> {
    fn new(source: &'a mut S) -> Self {
        Self {
            source,
            xof: Shake256::new(),
            readings: 0,
        }
    }
}

impl<S: Source> Source for Hashed<'_, S> {
    type Error = S::Error;
    #[inline(never)]
    fn read(&mut self, offset: usize, piece: &mut [u8]) -> Result<(), S::Error> {
        self.source.read(offset, piece)?;
        self.xof.absorb(piece);
        self.readings += 1;
        Ok(())
    }
}

/// A signature whose c̃ and h are read once, and whose z is hashed.
struct Signature<'a, P, S> {
    z: Hashed<'a, S>,
    /// c̃, then h.
    ends: [u8; MOST_C_TILDE + MOST_H],
    set: PhantomData<P>,
}

impl<'a, P: ParameterSet, S: Source> Signature<'a, P, S> {
    #[inline(never)]
    fn new(sigma: &'a mut S) -> Result<Self, S::Error> {
        let mut ends = [0; MOST_C_TILDE + MOST_H];
        let (c_tilde, h) = ends.split_at_mut(P::C_TILDE_LEN);
        sigma.read(0, c_tilde)?;
        sigma.read(h_offset::<P>(), &mut h[..P::OMEGA + P::K::N])?;
        Ok(Self {
            z: Hashed::new(sigma),
            ends,
            set: PhantomData,
        })
    }
}

impl<P: ParameterSet, S: Source> Source for Signature<'_, P, S> {
    type Error = S::Error;
    /// Bytes after the end are not changed.
    #[inline(never)]
    fn read(&mut self, offset: usize, piece: &mut [u8]) -> Result<(), S::Error> {
        let start = if offset < P::C_TILDE_LEN {
            offset
        } else if offset < h_offset::<P>() {
            return self.z.read(offset, piece);
        } else {
            offset - h_offset::<P>() + P::C_TILDE_LEN
        };
        let kept = self.ends.get(start..).unwrap_or_default();
        for (byte, kept) in piece.iter_mut().zip(kept) {
            *byte = *kept;
        }
        Ok(())
    }
}

/// FIPS 204, Algorithm 8 (ML-DSA.Verify_internal), from line 8 on: one of two runs. Returns `accepted`, which
/// is one of [`ACCEPTED`], for a valid signature, and otherwise [`REFUSED`].
///
/// The sources are as for [`super::verify::verify`], and `tr` is the hash of the key with which μ was computed.
///
/// # Errors
/// [`ReadError`] if a source cannot be read. The validity of the signature is then unknown.
pub fn verify<P: ParameterSet, R: ZCache<P>, K: Source, S: Source>(
    a_hat: &Matrix<'_, P>,
    tr: &[u8; 64],
    pk: &mut K,
    xof: &mut Shake256,
    sigma: &mut S,
    scratch: &mut Scratch<P, R>,
    accepted: u32,
) -> Result<u32, ReadError<K::Error, S::Error>> {
    let mut sigma = Signature::<P, S>::new(sigma).map_err(ReadError::Signature)?;
    if !is_hint::<P, _>(&mut sigma).map_err(ReadError::Signature)? {
        return Ok(REFUSED);
    }
    let mut pk = Hashed::new(pk);
    pk.xof.absorb(a_hat.rho());
    let mut c = Challenge::ZERO;
    let Scratch { poly, room } = scratch;
    challenge::<P, _>(&mut sigma, &mut c, poly).map_err(ReadError::Signature)?;
    let mut sources = Sources {
        a_hat,
        pk: &mut pk,
        sigma: &mut sigma,
    };
    let (mut flaws, mut rows, mut ones) = (0, 0, 0);
    let mut z = [0; DIGEST];
    for i in 0..P::K::N {
        let short = R::row(&mut sources, i, &c, poly, room)?;
        flaws |= i32::from(!short);
        flaws |= another_z(&mut sources.sigma.z.xof, i, R::Z_READINGS, &mut z);
        hint::<P, _>(sources.sigma, i, &mut ones, poly).map_err(ReadError::Signature)?;
        absorb_w1::<P>(poly, xof);
        rows = value_barrier(rows + 1);
    }
    flaws |= rows ^ P::K::N as i32;
    flaws |= differs(sigma.z.readings, P::L::N * R::Z_READINGS * PIECES);
    flaws |= differs(pk.readings, P::K::N * PIECES);
    let ends = &sigma.ends[..P::C_TILDE_LEN + P::OMEGA + P::K::N];
    flaws |= differs(ones, ends.last().copied().unwrap_or_default().into());
    flaws |= another_hash(xof, &ends[..P::C_TILDE_LEN]);
    flaws |= another_hash(&mut pk.xof, &tr[..]);
    let refuses = nonzero_mask(flaws.cast_unsigned()).cast_unsigned();
    Ok(accepted & !refuses | REFUSED & refuses)
}

/// Returns zero if two numbers are equal.
#[inline(always)]
fn differs(a: usize, b: usize) -> i32 {
    // The numbers are at most 2¹¹.
    value_barrier((a ^ b) as i32)
}

/// Ends the hash of the bytes of z that a row read. Returns zero if it is the hash of row 0, or if this row does
/// not read z.
#[inline(never)]
fn another_z(xof: &mut Shake256, row: usize, readings: usize, first: &mut [u8; DIGEST]) -> i32 {
    let mut digest = [0; DIGEST];
    xof.squeeze_in_place().read(&mut digest);
    if row == 0 {
        *first = digest;
    }
    if row < readings {
        difference_mask(first, &digest)
    } else {
        0
    }
}

/// Ends a hash. Returns zero if it is the expected one, of at most 64 bytes.
#[inline(never)]
fn another_hash(xof: &mut Shake256, expected: &[u8]) -> i32 {
    let mut hash = [0; MOST_C_TILDE];
    xof.squeeze_in_place().read(&mut hash);
    difference_mask(hash.get(..expected.len()).unwrap_or_default(), expected)
}
