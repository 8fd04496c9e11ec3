//! An implementation in a run.

use moissanite_benches::Samples;

use crate::peer::{Peer, Session};

/// A peer with its key, its signatures and its times.
pub struct Entry<'a> {
    pub peer: &'a dyn Peer,
    pub session: Box<dyn Session>,
    /// The signatures to verify: those of the reference, or the peer's own if its key is random.
    pub signatures: Vec<Vec<u8>>,
    /// The times, in the order of the operations.
    pub rows: Vec<Samples>,
}
