//! One implementation in a run.

use moissanite_benches::Samples;

use crate::peer::{Peer, Session};

/// One peer's part of a run.
pub struct Entry<'a> {
    pub peer: &'a dyn Peer,
    pub session: Box<dyn Session>,
    /// What it is to verify: the reference's signatures, or its own where its key is random.
    pub signatures: Vec<Vec<u8>>,
    /// In the order of the operations.
    pub rows: Vec<Samples>,
}
