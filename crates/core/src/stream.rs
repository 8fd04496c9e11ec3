//! The three algorithms for microcontrollers. They return the same bytes as [`crate::keygen`],
//! [`crate::sign`] and [`crate::verify`], and use a few KiB.
//!
//! One polynomial is stored in full. Others are packed, with three bytes for each coefficient, and
//! products are added to them while the XOF of an entry of Â is squeezed. Entries of Â, s₁, s₂, t₀,
//! y and z are computed when they are needed, and computed again in the next attempt. Keys,
//! messages and signatures are not copied: they are read and written in pieces.
//!
//! | module | content |
//! | --- | --- |
//! | [`keygen`], [`sign`], [`verify`] | the three algorithms |
//! | [`hardened`] | verification that faults do not turn into an acceptance |
//! | [`key`] | the sources of s₁, s₂ and t₀: a seed, or an encoded key |
//! | [`matrix`] | Â, computed each time or partly stored |
//! | `fast`, `compact` | the inner loops: the fewest cycles, or the least code (feature `tiny`) |
//! | `challenge`, `packed`, `pieces` | products with c; coefficients in three bytes; encoded coefficients |
//!
//! These are the sizes of the variables, which are the largest part of the stack, and of the
//! optional memory, in bytes:
//!
//! | | ML-DSA-44 | ML-DSA-65 | ML-DSA-87 |
//! | --- | --- | --- | --- |
//! | [`verify::Scratch`] of [`verify::Recomputed`], [`keygen::Scratch`] | 1,792 | 1,792 | 1,792 |
//! | [`verify::Scratch`] of [`verify::Cached`] | 7,168 | 8,192 | 10,240 |
//! | [`sign::Scratch`], of [`key::Encoded`] | 4,096 | 5,632 | 7,168 |
//! | [`sign::Scratch`], of [`key::Seeds`] | 4,864 | 6,400 | 7,936 |
//! | [`matrix::CachedMatrix`] | up to 12,288 | up to 23,040 | up to 43,008 |
//!
//! Functions that hold a Keccak state or a piece of a secret are not inlined, so that only the
//! functions that run at the same time are on the stack. All functions run on
//! [`crate::backend::Portable`], except those that a 32-bit ARM core has in assembly.

mod challenge;
#[cfg(tiny)]
mod compact;
#[cfg(not(tiny))]
mod fast;
pub mod hardened;
pub mod key;
pub mod keygen;
pub mod matrix;
mod packed;
mod pieces;
pub mod row;
pub mod sign;
mod source;
pub mod verify;

pub use challenge::Challenge;
pub use packed::Packed;
pub use source::{EndOfSlice, Source};

use crate::backend::Portable;
use crate::field::Field;
use crate::hash::Shake256;
use crate::kernels::{canonical, round};
use crate::params::ParameterSet;
use crate::shape::N;
use crate::simd::Simd;

/// A polynomial of R_q or of T_q.
pub(crate) type Coefficients = [i32; N];

/// x modulo q. In: |x| < 2³⁰. Out: 0 ≤ · < q.
#[cfg_attr(tiny, inline(never))]
#[cfg_attr(not(tiny), inline(always))]
pub(crate) fn reduce<F: Field>(x: i32) -> i32 {
    // Because q = 2²³ − 2¹³ + 1 and t = ⌊x / 2²³⌋ is at most 2⁷, x − tq is between −2²⁰ and
    // 2²³ + 2²⁰.
    let x = Portable.sub(x, Portable.mul(x >> 23, F::Q));
    let x = canonical::<F, _>(Portable, x);
    canonical::<F, _>(Portable, Portable.sub(x, F::Q))
}

/// [`round::decompose`], once in the least code. In: 0 ≤ r < q.
#[cfg_attr(tiny, inline(never))]
#[cfg_attr(not(tiny), inline(always))]
fn decompose<P: ParameterSet>(r: i32) -> (i32, i32) {
    round::decompose::<P, _>(Portable, r)
}

/// FIPS 204, Algorithm 28 (w1Encode), for one polynomial, whose encoding is absorbed by a hash.
#[cfg_attr(tiny, inline(never))]
#[cfg_attr(not(tiny), inline(always))]
fn absorb_w1<P: ParameterSet>(w1: &Coefficients, xof: &mut Shake256) {
    for piece in w1.as_chunks().0 {
        xof.absorb(&pieces::pack(P::W1_BITS, piece)[..P::W1_BITS]);
    }
}
