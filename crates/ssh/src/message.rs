//! Messages, which are hashed before they are signed.

use core::fmt;

use sha2::{Digest as _, Sha256, Sha512};

use crate::error::Error;

/// A hash function of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hash {
    /// SHA-256.
    Sha256,
    /// SHA-512, which `ssh-keygen` uses by default.
    #[default]
    Sha512,
}

impl Hash {
    /// The name in signatures.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sha256 => "sha256",
            Self::Sha512 => "sha512",
        }
    }

    pub(crate) fn from_name(name: &[u8]) -> Result<Self, Error> {
        let mut both = [Self::Sha256, Self::Sha512].into_iter();
        both.find(|hash| hash.name().as_bytes() == name)
            .ok_or(Error::UnknownHash)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A message that is hashed in pieces, so that it need not fit in memory.
///
/// ```
/// use moissanite_ssh::{Hash, Message, MessageHash};
///
/// let mut message = Message::new(Hash::Sha512);
/// message.update(b"a message ");
/// message.update(b"in pieces");
/// assert_eq!(message.finish(), MessageHash::of(Hash::Sha512, b"a message in pieces"));
/// ```
#[derive(Clone)]
pub struct Message(State);

#[derive(Clone)]
enum State {
    Sha256(Sha256),
    Sha512(Sha512),
}

impl Message {
    /// Begins a message.
    #[must_use]
    pub fn new(hash: Hash) -> Self {
        Self(match hash {
            Hash::Sha256 => State::Sha256(Sha256::new()),
            Hash::Sha512 => State::Sha512(Sha512::new()),
        })
    }

    /// Appends a piece.
    pub fn update(&mut self, piece: &[u8]) {
        match &mut self.0 {
            State::Sha256(state) => state.update(piece),
            State::Sha512(state) => state.update(piece),
        }
    }

    /// Returns the hash of the whole message.
    #[must_use]
    pub fn finish(self) -> MessageHash {
        let mut bytes = [0; 64];
        match self.0 {
            State::Sha256(state) => {
                let digest = state.finalize();
                bytes.split_at_mut(digest.len()).0.copy_from_slice(&digest);
                MessageHash {
                    function: Hash::Sha256,
                    bytes,
                }
            }
            State::Sha512(state) => MessageHash {
                function: Hash::Sha512,
                bytes: state.finalize().into(),
            },
        }
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message").finish_non_exhaustive()
    }
}

/// The hash of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MessageHash {
    function: Hash,
    /// Unused bytes are zero.
    bytes: [u8; 64],
}

impl MessageHash {
    /// Hashes a message.
    #[must_use]
    pub fn of(function: Hash, message: &[u8]) -> Self {
        let mut whole = Message::new(function);
        whole.update(message);
        whole.finish()
    }

    /// The hash function.
    #[must_use]
    pub fn function(&self) -> Hash {
        self.function
    }

    /// The 32 or 64 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match self.function {
            Hash::Sha256 => self.bytes.split_at(32).0,
            Hash::Sha512 => &self.bytes,
        }
    }
}

impl fmt::Debug for MessageHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MessageHash").field(&self.function).finish()
    }
}
