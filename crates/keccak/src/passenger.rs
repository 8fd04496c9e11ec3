//! SHAKE256 a block at a time: in a state that others do not need, and many in as many states.
use crate::backend::{Keccak, Scalar};
use crate::lane::Lane;
use crate::shake::{LAST, SHAKE256_RATE, SUFFIX};
use crate::state::State;
use core::fmt;

/// No token permutes more states at once.
const MOST_LANES: usize = 8;

/// SHAKE256 of one message, in `PARTS` parts one after the other, in the last instance of
/// [`Shakes`](crate::Shakes): where that is idle, the permutations cost nothing. Wiped when dropped.
///
/// ```
/// use moissanite_keccak::{Keccak, Lanes, Passenger, Shake256, Shakes};
///
/// let message = [7; 300];
/// let mut passenger = Passenger::new([&message]);
/// let mut blocks = Lanes::<4>::blocks::<168>();
/// let mut hashers = Shakes::<_, 168>::absorb(Lanes::<4>, &[b"a", b"b", b"c"]);
/// hashers.squeeze_beside(Some(&mut passenger), &mut blocks);
/// let mut hash = [0; 64];
/// passenger.finish(&mut hash);
///
/// let mut expected = [0; 64];
/// let mut hasher = Shake256::new();
/// hasher.absorb(&message);
/// hasher.squeeze().read(&mut expected);
/// assert_eq!(hash, expected);
/// ```
pub struct Passenger<'a, const PARTS: usize = 1> {
    state: State<[u64; 1]>,
    /// What has not been absorbed.
    rest: [&'a [u8]; PARTS],
    /// The padding has been absorbed.
    padded: bool,
    /// The last block has been permuted.
    done: bool,
}

impl<'a, const PARTS: usize> Passenger<'a, PARTS> {
    /// The hash of this message.
    #[must_use]
    pub fn new(message: [&'a [u8]; PARTS]) -> Self {
        Self {
            state: State::ZERO,
            rest: message,
            padded: false,
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
        if self.padded {
            return;
        }
        let mut at = 0;
        for part in &mut self.rest {
            let (head, rest) = part.split_at(part.len().min(SHAKE256_RATE - at));
            states.xor_bytes(seat, at, head);
            at += head.len();
            *part = rest;
        }
        if at < SHAKE256_RATE {
            states.xor_byte(seat, at, SUFFIX);
            states.xor_byte(seat, SHAKE256_RATE - 1, LAST);
            self.padded = true;
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
            self.done = self.padded;
        }
    }

    /// The first `LEN` bytes of the hash, at most a block; the rest of the message is hashed alone.
    pub fn finish<const LEN: usize>(&mut self, hash: &mut [u8; LEN]) {
        const { assert!(LEN <= SHAKE256_RATE) }
        while !self.done {
            let mut state = core::mem::take(&mut self.state);
            self.absorb_block(&mut state, 0);
            Scalar::new().permute(&mut state);
            self.leave(&state, 0);
        }
        self.state.copy_bytes(0, 0, hash);
    }
}

impl<const PARTS: usize> fmt::Debug for Passenger<'_, PARTS> {
    /// Without the contents, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passenger").finish_non_exhaustive()
    }
}

/// SHAKE256 of any number of messages of any lengths, each in `PARTS` parts one after the other:
/// writes the first `LEN` bytes of each hash, at most a block.
///
/// Every state hashes a message of its own and then the next, until there is none; the last one
/// left is hashed alone. Lengths are public.
///
/// ```
/// use moissanite_keccak::{Lanes, Shake256, hash_many};
///
/// let messages = [[&b"prefix"[..], b"one"], [b"", b"two"], [b"prefix", &[7; 300]]];
/// let mut hashes = [[0; 64]; 3];
/// hash_many(Lanes::<4>, messages.into_iter().zip(&mut hashes));
///
/// for (message, hash) in messages.iter().zip(hashes) {
///     let mut hasher = Shake256::new();
///     hasher.absorb(message[0]);
///     hasher.absorb(message[1]);
///     let mut expected = [0; 64];
///     hasher.squeeze().read(&mut expected);
///     assert_eq!(hash, expected);
/// }
/// ```
pub fn hash_many<'m, K: Keccak, const PARTS: usize, const LEN: usize>(
    keccak: K,
    messages: impl IntoIterator<Item = ([&'m [u8]; PARTS], &'m mut [u8; LEN])>,
) {
    const { assert!(K::WIDTH <= MOST_LANES) }
    let mut messages = messages.into_iter();
    let mut states = State::ZERO;
    let mut seats = [const { None::<(Passenger<'m, PARTS>, &mut [u8; LEN])> }; MOST_LANES];
    loop {
        let mut taken = 0;
        for (seat, passenger) in seats.iter_mut().take(K::WIDTH).enumerate() {
            if passenger.is_none()
                && let Some((message, hash)) = messages.next()
            {
                let (passenger, _) = passenger.insert((Passenger::new(message), hash));
                passenger.board(&mut states, seat);
            }
            taken += usize::from(passenger.is_some());
        }
        if taken == 0 {
            return;
        }
        if taken > 1 {
            for (seat, passenger) in seats.iter_mut().enumerate() {
                if let Some((passenger, _)) = passenger {
                    passenger.absorb_block(&mut states, seat);
                }
            }
            keccak.permute(&mut states);
        }
        for (seat, place) in seats.iter_mut().enumerate() {
            if let Some((passenger, hash)) = place
                && (passenger.padded || taken == 1)
            {
                passenger.leave(&states, seat);
                passenger.finish(hash);
                *place = None;
            }
        }
    }
}
