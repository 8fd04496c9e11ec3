//! SHAKE256 a block at a time, of a message that stays with the caller.
use crate::backend::{Keccak, Scalar};
use crate::interleave::{inward, outward};
use crate::lane::Lane;
use crate::shake::{LAST, SHAKE256_RATE, SUFFIX};
use crate::state::State;
use core::fmt;

/// A SHAKE256 that is under way. Its message, which need not be whole yet, stays with the caller,
/// in `PARTS` parts one after the other. Wiped when dropped.
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
    pub(crate) fn blocks_left<const PARTS: usize>(&self, message: [&[u8]; PARTS]) -> usize {
        (whole_blocks(message) + 1).saturating_sub(self.blocks)
    }

    /// Blocks that can be absorbed where this much of the message is known, and more follows.
    pub(crate) fn blocks_ready<const PARTS: usize>(&self, so_far: [&[u8]; PARTS]) -> usize {
        whole_blocks(so_far).saturating_sub(self.blocks)
    }

    /// Puts the state into instance `instance` of several.
    pub(crate) fn load<L: Lane>(&self, states: &mut State<L>, instance: usize) {
        for (at, (lane, [word])) in states.0.iter_mut().zip(&self.state.0).enumerate() {
            if let Some(lane) = lane.as_mut().get_mut(instance) {
                *lane = L::inward(at, outward(at, *word));
            }
        }
    }

    /// XORs the next block into instance `instance`, which is then to be permuted.
    pub(crate) fn absorb_block<L: Lane, const PARTS: usize>(
        &mut self,
        message: [&[u8]; PARTS],
        states: &mut State<L>,
        instance: usize,
    ) {
        xor_block(message, self.blocks, states, instance);
        self.blocks += 1;
    }

    /// Takes the state back from instance `instance`.
    pub(crate) fn store<L: Lane>(&mut self, states: &State<L>, instance: usize) {
        for (at, ([word], lane)) in self.state.0.iter_mut().zip(&states.0).enumerate() {
            if let Some(lane) = lane.as_ref().get(instance) {
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

/// XORs this block of a message into instance `instance`: the last one, which ends within a block, with
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
        // Of a length known to the compiler.
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
