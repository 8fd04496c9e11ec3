//! The permutation, with several implementations over one arithmetic for different numbers of
//! states.
//!
//! Signing permutes many states: [`StatesInLanes`](super::states_in_lanes) has a state in each word
//! of a wide register. Verification permutes one state at a time:
//! [`StateInTwoWords`](super::state_in_two_words) has one half of its elements in each of two
//! words, and [the third](super::state_in_registers) has the elements in five registers of eight
//! words. The first two invert with the products of all other elements and one power, which is
//! computed in parallel with the matrix. The third computes the power of each element, because
//! dependent steps from one element to the next would take longer.

use moissanite_core::backend::{Kernel, Portable, Simd};
use moissanite_core::secret::wipe;

use super::arithmetic::MAX_STATES;
use super::constants::WIDTH;
use super::state_in_registers::permute;
use super::state_in_two_words::StateInTwoWords;

/// The permutation of one state. In: elements less than 2q. Out: less than q.
pub(crate) struct Permute<'a>(pub(crate) &'a mut [u32; WIDTH]);

impl Kernel for Permute<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        if S::WORDS == MAX_STATES {
            return permute(s, self.0);
        }
        let mut state = self.0.map(u64::from);
        if S::WORDS == 2 {
            StateInTwoWords::permute(s, &mut state);
        } else {
            StateInTwoWords::permute(Portable, &mut state);
        }
        for (element, word) in self.0.iter_mut().zip(&state) {
            *element = *word as u32;
        }
        wipe(&mut state);
    }
}
