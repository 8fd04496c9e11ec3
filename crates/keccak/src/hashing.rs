//! SHAKE256 of a message that the caller keeps, one block at a time.
use crate::backend::{Keccak, Scalar};
use crate::interleave::{inward, outward};
use crate::lane::Lane;
use crate::shake::{LAST, SHAKE256_RATE, SUFFIX};
use crate::state::State;
use core::fmt;

/// An unfinished SHAKE256. The caller keeps the message, which can be incomplete, in `PARTS`
/// consecutive parts. The state is wiped when it is dropped.
///
/// ```
/// use moissanite_keccak::{Hashing, Keccak, Lanes, IdleLaneHash, Shake256, Shakes};
///
/// let message = [7; 300];
/// let mut hashing = Hashing::new();
/// let mut blocks = Lanes::<4>::blocks::<168>();
/// let mut hashers = Shakes::<_, 168>::absorb(Lanes::<4>, &[b"a", b"b", b"c"]);
/// // The first two blocks, of 136 bytes each, are known; and then all of it.
/// hashers.squeeze_alongside(&mut [IdleLaneHash::so_far(&mut hashing, [&message[..280]])], &mut blocks);
/// hashers.squeeze_alongside(&mut [IdleLaneHash::new(&mut hashing, [&message])], &mut blocks);
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
    /// The number of blocks that were absorbed and permuted.
    blocks: usize,
}

impl Hashing {
    /// Returns the state before the first block.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            state: State::ZERO,
            blocks: 0,
        }
    }

    /// Returns the number of remaining blocks of a complete message, including the padding.
    pub(crate) fn blocks_left<const PARTS: usize>(&self, message: [&[u8]; PARTS]) -> usize {
        (whole_blocks(message) + 1).saturating_sub(self.blocks)
    }

    /// Returns the number of blocks that can be absorbed from this beginning of a longer message.
    pub(crate) fn blocks_ready<const PARTS: usize>(&self, so_far: [&[u8]; PARTS]) -> usize {
        whole_blocks(so_far).saturating_sub(self.blocks)
    }

    /// Copies the state into instance `instance` of several.
    pub(crate) fn load<L: Lane>(&self, states: &mut State<L>, instance: usize) {
        for (at, (lane, [word])) in states.0.iter_mut().zip(&self.state.0).enumerate() {
            if let Some(lane) = lane.as_mut().get_mut(instance) {
                *lane = L::inward(at, outward(at, *word));
            }
        }
    }

    /// XORs the next block into instance `instance`, which the caller permutes afterwards.
    pub(crate) fn absorb_block<L: Lane, const PARTS: usize>(
        &mut self,
        message: [&[u8]; PARTS],
        states: &mut State<L>,
        instance: usize,
    ) {
        xor_block(message, self.blocks, states, instance);
        self.blocks += 1;
    }

    /// Copies the state back from instance `instance`.
    pub(crate) fn store<L: Lane>(&mut self, states: &State<L>, instance: usize) {
        for (at, ([word], lane)) in self.state.0.iter_mut().zip(&states.0).enumerate() {
            if let Some(lane) = lane.as_ref().get(instance) {
                *word = inward(at, L::outward(at, *lane));
            }
        }
    }

    /// Returns the first `LEN` bytes of the hash, at most a block. The remaining blocks of the
    /// message are hashed in a single state.
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

/// XORs this block of a message into instance `instance`. The last block, which is incomplete, gets
/// the padding.
fn xor_block<L: Lane, const PARTS: usize>(
    message: [&[u8]; PARTS],
    block: usize,
    states: &mut State<L>,
    instance: usize,
) {
    let mut skip = block * SHAKE256_RATE;
    let mut at = 0;
    for part in message {
        let rest = part.get(skip..).unwrap_or_default();
        skip = skip.saturating_sub(part.len());
        // The length is known at compile time.
        if at == 0
            && let Some(whole) = rest.first_chunk::<SHAKE256_RATE>()
        {
            return states.xor_bytes(instance, 0, whole);
        }
        let head = rest.get(..SHAKE256_RATE - at).unwrap_or(rest);
        states.xor_bytes(instance, at, head);
        at += head.len();
    }
    if at < SHAKE256_RATE {
        states.xor_byte(instance, at, SUFFIX);
        states.xor_byte(instance, SHAKE256_RATE - 1, LAST);
    }
}

/// Returns the length of all parts.
#[expect(
    clippy::integer_division_remainder_used,
    reason = "lengths are public, and the divisor is constant"
)]
fn whole_blocks<const PARTS: usize>(message: [&[u8]; PARTS]) -> usize {
    message.iter().map(|part| part.len()).sum::<usize>() / SHAKE256_RATE
}

impl fmt::Debug for Hashing {
    /// The contents are not shown, because they can be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hashing").finish_non_exhaustive()
    }
}
