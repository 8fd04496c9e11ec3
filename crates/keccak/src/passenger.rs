//! SHAKE256 a block at a time: in states that others do not need, and many in as many states.
use crate::backend::{Keccak, Scalar, inward, outward};
use crate::lane::Lane;
use crate::shake::{LAST, SHAKE256_RATE, SUFFIX};
use crate::state::State;
use core::fmt;

/// No token permutes more states at once.
const MOST_LANES: usize = 8;

/// A SHAKE256 that is under way. Its message, which need not be whole yet, stays with the caller,
/// in `PARTS` parts one after the other. Wiped when dropped.
///
/// ```
/// use moissanite_keccak::{Hashing, Keccak, Lanes, Passenger, Shake256, Shakes};
///
/// let message = [7; 300];
/// let mut hashing = Hashing::new();
/// let mut blocks = Lanes::<4>::blocks::<168>();
/// let mut hashers = Shakes::<_, 168>::absorb(Lanes::<4>, &[b"a", b"b", b"c"]);
/// // The first two blocks, of 136 bytes each, are known; and then all of it.
/// hashers.squeeze_beside(&mut [Passenger::so_far(&mut hashing, [&message[..280]])], &mut blocks);
/// hashers.squeeze_beside(&mut [Passenger::new(&mut hashing, [&message])], &mut blocks);
/// let mut hash = [0; 64];
/// hashing.finish([&message], &mut hash);
///
/// let mut expected = [0; 64];
/// let mut hasher = Shake256::new();
/// hasher.absorb(&message);
/// hasher.squeeze().read(&mut expected);
/// assert_eq!(hash, expected);
/// ```
#[derive(Clone, Default)]
pub struct Hashing {
    state: State<[u64; 1]>,
    /// Blocks that were absorbed and permuted.
    blocks: usize,
}

impl Hashing {
    /// Nothing absorbed.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            state: State::ZERO,
            blocks: 0,
        }
    }

    /// Blocks of a whole message that are left, the padding included.
    fn blocks_left<const PARTS: usize>(&self, message: [&[u8]; PARTS]) -> usize {
        (whole_blocks(message) + 1).saturating_sub(self.blocks)
    }

    /// Blocks that can be absorbed where this much of the message is known, and more follows.
    fn blocks_ready<const PARTS: usize>(&self, so_far: [&[u8]; PARTS]) -> usize {
        whole_blocks(so_far).saturating_sub(self.blocks)
    }

    /// Puts the state into instance `seat` of several.
    fn board<L: Lane>(&self, states: &mut State<L>, seat: usize) {
        for (at, (lane, [word])) in states.0.iter_mut().zip(&self.state.0).enumerate() {
            if let Some(lane) = lane.as_mut().get_mut(seat) {
                *lane = L::inward(at, outward(at, *word));
            }
        }
    }

    /// XORs the next block into instance `seat`, which is then to be permuted.
    fn absorb_block<L: Lane, const PARTS: usize>(
        &mut self,
        message: [&[u8]; PARTS],
        states: &mut State<L>,
        seat: usize,
    ) {
        xor_block(message, self.blocks, states, seat);
        self.blocks += 1;
    }

    /// Takes the state back from instance `seat`.
    fn leave<L: Lane>(&mut self, states: &State<L>, seat: usize) {
        for (at, ([word], lane)) in self.state.0.iter_mut().zip(&states.0).enumerate() {
            if let Some(lane) = lane.as_ref().get(seat) {
                *word = inward(at, L::outward(at, *lane));
            }
        }
    }

    /// The first `LEN` bytes of the hash, at most a block; what is left of the message is hashed
    /// alone.
    pub fn finish<const PARTS: usize, const LEN: usize>(
        &mut self,
        message: [&[u8]; PARTS],
        hash: &mut [u8; LEN],
    ) {
        const { assert!(LEN <= SHAKE256_RATE) }
        for _ in 0..self.blocks_left(message) {
            xor_block(message, self.blocks, &mut self.state, 0);
            self.blocks += 1;
            Scalar::new().permute(&mut self.state);
        }
        self.state.copy_bytes(0, 0, hash);
    }
}

/// XORs this block of a message into instance `seat`: the last one, which ends within a block, with
/// the padding.
fn xor_block<L: Lane, const PARTS: usize>(
    message: [&[u8]; PARTS],
    block: usize,
    states: &mut State<L>,
    seat: usize,
) {
    let mut skip = block * SHAKE256_RATE;
    let mut at = 0;
    for part in message {
        let rest = part.get(skip..).unwrap_or_default();
        skip = skip.saturating_sub(part.len());
        // Of a length known to the compiler.
        if at == 0
            && let Some(whole) = rest.first_chunk::<SHAKE256_RATE>()
        {
            return states.xor_bytes(seat, 0, whole);
        }
        let head = rest.get(..SHAKE256_RATE - at).unwrap_or(rest);
        states.xor_bytes(seat, at, head);
        at += head.len();
    }
    if at < SHAKE256_RATE {
        states.xor_byte(seat, at, SUFFIX);
        states.xor_byte(seat, SHAKE256_RATE - 1, LAST);
    }
}

/// In all parts together.
#[expect(
    clippy::integer_division_remainder_used,
    reason = "lengths are public, and the divisor is constant"
)]
fn whole_blocks<const PARTS: usize>(message: [&[u8]; PARTS]) -> usize {
    message.iter().map(|part| part.len()).sum::<usize>() / SHAKE256_RATE
}

impl fmt::Debug for Hashing {
    /// Without the contents, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hashing").finish_non_exhaustive()
    }
}

/// A [`Hashing`] that goes on in a state that [`Shakes`](crate::Shakes) leave idle: its permutations
/// then cost nothing.
#[derive(Debug)]
pub struct Passenger<'a, const PARTS: usize> {
    hashing: &'a mut Hashing,
    message: [&'a [u8]; PARTS],
    /// Blocks that can be absorbed.
    ready: usize,
}

impl<'a, const PARTS: usize> Passenger<'a, PARTS> {
    /// The hash of this message.
    #[must_use]
    pub fn new(hashing: &'a mut Hashing, message: [&'a [u8]; PARTS]) -> Self {
        let ready = hashing.blocks_left(message);
        Self {
            hashing,
            message,
            ready,
        }
    }

    /// The hash of a message that starts so.
    #[must_use]
    pub fn so_far(hashing: &'a mut Hashing, message: [&'a [u8]; PARTS]) -> Self {
        let ready = hashing.blocks_ready(message);
        Self {
            hashing,
            message,
            ready,
        }
    }

    /// Blocks that can be absorbed: permutations that it has use for.
    #[must_use]
    pub fn ready(&self) -> usize {
        self.ready
    }

    pub(crate) fn board<L: Lane>(&self, states: &mut State<L>, seat: usize) {
        self.hashing.board(states, seat);
    }

    pub(crate) fn absorb_block<L: Lane>(&mut self, states: &mut State<L>, seat: usize) {
        self.hashing.absorb_block(self.message, states, seat);
    }

    pub(crate) fn leave<L: Lane>(&mut self, states: &State<L>, seat: usize) {
        self.hashing.leave(states, seat);
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
    hash_waiting(keccak, &mut messages.into_iter());
}

/// [`hash_many`], one text for all iterators.
fn hash_waiting<'m, K: Keccak, const PARTS: usize, const LEN: usize>(
    keccak: K,
    waiting: &mut dyn Iterator<Item = ([&'m [u8]; PARTS], &'m mut [u8; LEN])>,
) {
    const { assert!(K::WIDTH <= MOST_LANES) }
    let mut states = State::ZERO;
    let mut seats = [const { None::<(Hashing, [&'m [u8]; PARTS], &'m mut [u8; LEN])> }; MOST_LANES];
    loop {
        let (mut taken, mut width) = (0, 0);
        for (seat, place) in seats.iter_mut().take(K::WIDTH).enumerate() {
            if place.is_none()
                && let Some((message, hash)) = waiting.next()
            {
                let (hashing, ..) = place.insert((Hashing::new(), message, hash));
                hashing.board(&mut states, seat);
            }
            if place.is_some() {
                taken += 1;
                width = seat + 1;
            }
        }
        if taken == 0 {
            return;
        }
        let alone = taken == 1;
        if !alone {
            for (seat, place) in seats.iter_mut().enumerate() {
                if let Some((hashing, message, _)) = place {
                    hashing.absorb_block(*message, &mut states, seat);
                }
            }
            keccak.permute_first(width, &mut states);
        }
        for (seat, place) in seats.iter_mut().enumerate() {
            if let Some((hashing, message, hash)) = place
                && (alone || hashing.blocks_left(*message) == 0)
            {
                hashing.leave(&states, seat);
                hashing.finish(*message, hash);
                *place = None;
            }
        }
    }
}
