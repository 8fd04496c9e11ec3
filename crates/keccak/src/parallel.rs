//! Several instances of SHAKE in parallel, which take short messages and return whole blocks.
use crate::backend::Keccak;
use crate::idle_lane::IdleLaneHash;
use crate::shake::{LAST, SHAKE128_RATE, SHAKE256_RATE, SUFFIX};
use crate::state::State;
use core::fmt;

/// Up to [`K::WIDTH`](Keccak::WIDTH) instances of SHAKE with one short message each. They are wiped
/// when they are dropped.
#[derive(Clone)]
pub struct Shakes<K: Keccak, const RATE: usize> {
    keccak: K,
    /// The number of instances that have a message.
    instances: usize,
    pub(crate) state: State<K::Lane>,
}

impl<K: Keccak, const RATE: usize> Shakes<K, RATE> {
    /// Takes one message for each instance: at most `WIDTH` messages, each shorter than `RATE`
    /// bytes.
    ///
    /// More or longer messages are a bug of the caller, which a debug assertion reports: messages
    /// after the first `WIDTH` are ignored, and a longer message is cut after `RATE - 1` bytes.
    #[must_use]
    pub fn absorb(keccak: K, messages: &[&[u8]]) -> Self {
        const { assert!(RATE == SHAKE128_RATE || RATE == SHAKE256_RATE) }
        debug_assert!(messages.len() <= K::WIDTH);
        let mut state = State::ZERO;
        for (instance, message) in messages.iter().enumerate() {
            debug_assert!(message.len() < RATE);
            let message = message.get(..RATE - 1).unwrap_or(message);
            state.xor_bytes(instance, 0, message);
            state.xor_byte(instance, message.len(), SUFFIX);
            state.xor_byte(instance, RATE - 1, LAST);
        }
        Self {
            keccak,
            instances: messages.len().min(K::WIDTH),
            state,
        }
    }

    /// Writes the next `LEN` bytes of each instance. They are whole blocks, so `LEN` is a multiple
    /// of `RATE`. `blocks` without an instance are not changed.
    pub fn squeeze<const LEN: usize>(&mut self, blocks: &mut K::Blocks<LEN>) {
        self.squeeze_alongside::<0, LEN>(&mut [], blocks);
    }

    /// The same as [`Self::squeeze`], but also continues hashes in the idle states, with one block
    /// of a message for each block of output. Hashes without an idle state are not continued.
    pub fn squeeze_alongside<const PARTS: usize, const LEN: usize>(
        &mut self,
        hashes: &mut [IdleLaneHash<'_, PARTS>],
        blocks: &mut K::Blocks<LEN>,
    ) {
        const { assert!(LEN.is_multiple_of(RATE)) }
        let (instances, width) = (self.instances, self.instances + hashes.len());
        let idle = || instances..K::WIDTH;
        for (instance, hash) in idle().zip(&mut *hashes) {
            hash.load(&mut self.state, instance);
        }
        for at in (0..LEN).step_by(RATE) {
            for (instance, hash) in idle().zip(&mut *hashes) {
                if at < hash.ready() * RATE {
                    hash.absorb_block(&mut self.state, instance);
                }
            }
            self.keccak.permute_first(width, &mut self.state);
            for (instance, hash) in idle().zip(&mut *hashes) {
                if at + RATE == LEN.min(hash.ready() * RATE) {
                    hash.store(&self.state, instance);
                }
            }
            for (instance, bytes) in blocks.as_mut().iter_mut().take(instances).enumerate() {
                if let Some(block) = bytes[at..].first_chunk_mut::<RATE>() {
                    self.state.copy_bytes(instance, 0, block);
                }
            }
        }
    }
}

impl<K: Keccak, const RATE: usize> fmt::Debug for Shakes<K, RATE> {
    /// The contents are not shown, because they can be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shakes").finish_non_exhaustive()
    }
}
