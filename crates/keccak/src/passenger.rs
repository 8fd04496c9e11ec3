//! One SHAKE256 that is hashed a block at a time in a state that others do not need.
use crate::backend::{Keccak, Scalar};
use crate::lane::Lane;
use crate::shake::{LAST, SHAKE256_RATE, SUFFIX};
use crate::state::State;
use core::fmt;

/// SHAKE256 of one message, in the last instance of [`Shakes`](crate::Shakes): where that is idle,
/// the permutations cost nothing. Wiped when dropped.
///
/// ```
/// use moissanite_keccak::{Keccak, Lanes, Passenger, Shake256, Shakes};
///
/// let message = [7; 300];
/// let mut passenger = Passenger::new(&message);
/// let mut blocks = Lanes::<4>::blocks::<168>();
/// let mut hashers = Shakes::<_, 168>::absorb(Lanes::<4>, &[b"a", b"b", b"c"]);
/// hashers.squeeze_beside(Some(&mut passenger), &mut blocks);
///
/// let mut expected = [0; 64];
/// let mut hasher = Shake256::new();
/// hasher.absorb(&message);
/// hasher.squeeze().read(&mut expected);
/// assert_eq!(passenger.finish::<64>(), expected);
/// ```
pub struct Passenger<'a> {
    state: State<[u64; 1]>,
    /// What has not been absorbed; none once the padding has been.
    rest: Option<&'a [u8]>,
    /// The last block has been permuted.
    done: bool,
}

impl<'a> Passenger<'a> {
    /// The hash of this message.
    #[must_use]
    pub fn new(message: &'a [u8]) -> Self {
        Self {
            state: State::ZERO,
            rest: Some(message),
            done: false,
        }
    }

    /// Puts the state into instance `seat` of several.
    pub(crate) fn board<L: Lane>(&self, states: &mut State<L>, seat: usize) {
        for (lane, [word]) in states.0.iter_mut().zip(&self.state.0) {
            if let Some(lane) = lane.as_mut().get_mut(seat) {
                *lane = *word;
            }
        }
    }

    /// XORs the next block, if there is one, into instance `seat`, which is then to be permuted.
    pub(crate) fn absorb_block<L: Lane>(&mut self, states: &mut State<L>, seat: usize) {
        if let Some(rest) = self.rest {
            if let Some((block, rest)) = rest.split_first_chunk::<SHAKE256_RATE>() {
                states.xor_bytes(seat, 0, block);
                self.rest = Some(rest);
            } else {
                states.xor_bytes(seat, 0, rest);
                states.xor_byte(seat, rest.len(), SUFFIX);
                states.xor_byte(seat, SHAKE256_RATE - 1, LAST);
                self.rest = None;
            }
        }
    }

    /// Takes the state back from instance `seat`, unless there was nothing left to do there.
    pub(crate) fn leave<L: Lane>(&mut self, states: &State<L>, seat: usize) {
        if !self.done {
            for ([word], lane) in self.state.0.iter_mut().zip(&states.0) {
                if let Some(lane) = lane.as_ref().get(seat) {
                    *word = *lane;
                }
            }
            self.done = self.rest.is_none();
        }
    }

    /// The first `LEN` bytes of the hash, at most a block; the rest of the message is hashed alone.
    #[must_use]
    pub fn finish<const LEN: usize>(mut self) -> [u8; LEN] {
        const { assert!(LEN <= SHAKE256_RATE) }
        while !self.done {
            let mut state = core::mem::take(&mut self.state);
            self.absorb_block(&mut state, 0);
            Scalar::new().permute(&mut state);
            self.leave(&state, 0);
        }
        let mut out = [0; LEN];
        self.state.copy_bytes(0, 0, &mut out);
        out
    }
}

impl fmt::Debug for Passenger<'_> {
    /// Without the contents, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passenger").finish_non_exhaustive()
    }
}
