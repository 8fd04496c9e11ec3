//! The permutation, in texts over one arithmetic, for as many states at once as there are.
//!
//! Signing has many states to permute: [`StatesInLanes`](super::states_in_lanes) has a state in each word of a wide
//! register. Verifying has one at a time: [`StateInTwoWords`](super::state_in_two_words) has its elements in two words, a
//! half in each; [the third](super::state_in_registers) has them in five registers of eight words. The first
//! two invert by products of all others and one power, and what waits for that power does so beside
//! the matrix. The last raises each element to the power, since steps from one element to the next
//! would take longer.

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
