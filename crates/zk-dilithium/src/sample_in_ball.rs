//! SampleInBall. All of it is public.

#![allow(
    clippy::integer_division_remainder_used,
    reason = "c̃ is public, and so is c"
)]

use moissanite_core::ParameterSet;
use moissanite_core::backend::Backend;
use moissanite_core::poly::Poly;
use moissanite_core::shape::N;

use crate::params::{C_TILDE, Q, ZkDilithium, ZkField};
use crate::poseidon::WIDTH;
use crate::poseidon::permutation::Permute;

/// The number of permutations, and the number of coefficients that each of them places.
pub(crate) const CYCLES: usize = 5;
const PER_CYCLE: usize = 8;
const _: () = assert!(CYCLES * PER_CYCLE == ZkDilithium::TAU);

/// The number of elements that are taken from a state: a position for each coefficient, and the
/// signs of all.
pub(crate) const TAKEN: usize = PER_CYCLE + 1;

/// The elements before c̃ in the sponge.
const DOMAIN: u32 = 2;

/// The elements that the sponge has absorbed.
pub(crate) fn absorbed(c_tilde: &[u32; C_TILDE]) -> impl Iterator<Item = u32> {
    [DOMAIN].into_iter().chain(*c_tilde)
}

/// Computes c from c̃, and fails if its numbers are too large, which happens for about one of
/// 1,770. In: elements less than q.
pub(crate) fn sample_in_ball<B: Backend>(
    backend: B,
    c_tilde: &[u32; C_TILDE],
    c: &mut Poly<ZkField>,
) -> Option<()> {
    let mut state = [0; WIDTH];
    for (state, element) in state.iter_mut().zip(absorbed(c_tilde)) {
        *state = element;
    }
    c.0.fill(0);
    for cycle in 0..CYCLES {
        backend.run(Permute(&mut state));
        place(cycle, state.first_chunk()?, c)?;
    }
    Some(())
}

/// One cycle. Each element f gives a number below n, f mod n, which is uniform if f is less than
/// the largest multiple of n below q.
pub(crate) fn place(cycle: usize, taken: &[u32; TAKEN], c: &mut Poly<ZkField>) -> Option<()> {
    let below = |f: u32, n: usize| {
        let n = n as u32;
        (f / n != Q / n).then_some((f % n) as usize)
    };
    let [places @ .., signs] = taken;
    let signs = below(*signs, 1 << PER_CYCLE)?;
    let first = N - ZkDilithium::TAU + PER_CYCLE * cycle;
    for (bit, f) in places.iter().enumerate() {
        let i = first + bit;
        let j = below(*f, i + 1)?;
        c.0[i] = c.0[j];
        c.0[j] = 1 - 2 * (signs >> bit & 1) as i32;
    }
    Some(())
}
