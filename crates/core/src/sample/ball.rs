//! SampleInBall: the challenge.

use moissanite_keccak::Shake256;

use super::batches::H_RATE;
use crate::params::ParameterSet;
use crate::poly::Poly;
use crate::shape::N;

/// FIPS 204, Algorithm 29 (SampleInBall). Both c̃ and c are public.
pub fn sample_in_ball<P: ParameterSet>(c_tilde: &[u8], c: &mut Poly<P::Field>) {
    let mut xof = Shake256::new();
    xof.absorb(c_tilde);
    let mut xof = xof.squeeze();
    fill_ball::<P>(bytes(|block| xof.read(block)), &mut c.0);
}

/// [`sample_in_ball`] with a known first block of H(c̃).
pub(crate) fn sample_in_ball_from<P: ParameterSet>(
    first: &[u8; H_RATE],
    c_tilde: &[u8],
    c: &mut Poly<P::Field>,
) {
    let mut squeezed = 0;
    let squeeze = |block: &mut [u8; H_RATE]| {
        block.clone_from(first);
        if squeezed > 0 {
            // This case is rare, so that the cost of a restart does not matter.
            let mut xof = Shake256::new();
            xof.absorb(c_tilde);
            let mut xof = xof.squeeze();
            (0..=squeezed).for_each(|_| xof.read(block));
        }
        squeezed += 1;
    };
    fill_ball::<P>(bytes(squeeze), &mut c.0);
}

/// Returns a function that returns the bytes of the blocks one by one.
pub(crate) fn bytes(mut squeeze: impl FnMut(&mut [u8; H_RATE])) -> impl FnMut() -> u8 {
    let mut block = [0; H_RATE];
    let mut at = H_RATE;
    move || {
        loop {
            if let Some(byte) = block.get(at) {
                at += 1;
                return *byte;
            }
            squeeze(&mut block);
            at = 0;
        }
    }
}

/// Lines 4 to 13 of [`sample_in_ball`], which take the bytes of the XOF from `next`. Only tests
/// reach the second block.
///
/// In: τ ≤ 64, because the signs are the bits of one word.
#[inline(always)]
pub(crate) fn fill_ball<P: ParameterSet>(mut next: impl FnMut() -> u8, c: &mut [i32; N]) {
    const { assert!(P::TAU <= 64) };
    let mut signs = u64::from_le_bytes(core::array::from_fn(|_| next()));
    *c = [0; N];
    for i in N - P::TAU..N {
        while !insert(c, i, next(), &mut signs) {}
    }
}

/// The step of SampleInBall for a byte: lines 9 to 12 with j, and the next sign, unless j > i.
/// Returns whether j ≤ i. In: i < N.
#[inline(always)]
pub fn insert(c: &mut [i32; N], i: usize, j: u8, signs: &mut u64) -> bool {
    let j = usize::from(j);
    if j > i {
        return false;
    }
    c[i] = c[j];
    c[j] = 1 - 2 * (*signs & 1) as i32;
    *signs >>= 1;
    true
}
