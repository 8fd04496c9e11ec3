//! A hash in a state that parallel hashes do not use.
use crate::hashing::Hashing;
use crate::lane::Lane;
use crate::state::State;

/// A [`Hashing`] that continues in an idle state of [`Shakes`](crate::Shakes), so that its
/// permutations cost nothing.
#[derive(Debug)]
pub struct IdleLaneHash<'a, const PARTS: usize> {
    hashing: &'a mut Hashing,
    message: [&'a [u8]; PARTS],
    /// The number of blocks that can be absorbed.
    ready: usize,
}

impl<'a, const PARTS: usize> IdleLaneHash<'a, PARTS> {
    /// The hash of a complete message.
    #[must_use]
    pub fn new(hashing: &'a mut Hashing, message: [&'a [u8]; PARTS]) -> Self {
        let ready = hashing.blocks_left(message);
        Self {
            hashing,
            message,
            ready,
        }
    }

    /// The hash of a message with this beginning.
    #[must_use]
    pub fn so_far(hashing: &'a mut Hashing, message: [&'a [u8]; PARTS]) -> Self {
        let ready = hashing.blocks_ready(message);
        Self {
            hashing,
            message,
            ready,
        }
    }

    /// Returns the number of blocks that can be absorbed, which is the number of useful
    /// permutations.
    #[must_use]
    pub fn ready(&self) -> usize {
        self.ready
    }

    pub(crate) fn load<L: Lane>(&self, states: &mut State<L>, instance: usize) {
        self.hashing.load(states, instance);
    }

    pub(crate) fn absorb_block<L: Lane>(&mut self, states: &mut State<L>, instance: usize) {
        self.hashing.absorb_block(self.message, states, instance);
    }

    pub(crate) fn store<L: Lane>(&mut self, states: &State<L>, instance: usize) {
        self.hashing.store(states, instance);
    }
}
