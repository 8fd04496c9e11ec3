//! Checkpoints of logs (C2SP tlog-checkpoint) and ranges of their leaves.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use base64ct::{Base64, Encoding};
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::limits;
use crate::note::{Note, NoteVerifier, SignatureLine, Verified, is_refused};

/// The number of bytes of a root hash.
pub const HASH_LEN: usize = 32;

/// The head of the Merkle tree of a log: its origin, its size and its root hash.
///
/// ```
/// use moissanite_tlog::Checkpoint;
///
/// let checkpoint = Checkpoint::new("example.com/log", 42, [1; 32])?;
/// let text = "example.com/log\n42\nAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=\n";
/// assert_eq!(checkpoint.to_string(), text);
/// assert_eq!(Checkpoint::parse(text)?, checkpoint);
/// # Ok::<(), moissanite_tlog::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    origin: Box<str>,
    size: u64,
    root: [u8; HASH_LEN],
    /// The lines behind the hash, each with its line break.
    extensions: Box<str>,
}

impl Checkpoint {
    /// Makes a checkpoint without extension lines.
    ///
    /// # Errors
    /// [`Error::Origin`]; [`Error::TooLong`] for an origin of more than 255 bytes, which no cosigner could sign;
    /// [`Error::Checkpoint`] if the tree is empty and the root is not SHA-256 of nothing.
    pub fn new(origin: &str, size: u64, root: [u8; HASH_LEN]) -> Result<Self, Error> {
        check_origin(origin)?;
        // RFC 6962, section 2.1.
        if size == 0 && root != <[u8; HASH_LEN]>::from(Sha256::digest(b"")) {
            return Err(Error::Checkpoint);
        }
        Ok(Self {
            origin: origin.into(),
            size,
            root,
            extensions: Box::default(),
        })
    }

    /// Reads the text of a note: three lines or more, none of which is empty.
    ///
    /// # Errors
    /// [`Error::Origin`], [`Error::TooLong`], [`Error::Checkpoint`], [`Error::ControlCharacter`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut parts = text.splitn(4, '\n');
        let mut line = || parts.next().ok_or(Error::Checkpoint);
        let (origin, size, root, extensions) = (line()?, line()?, line()?, line()?);
        let mut decoded = [0; HASH_LEN];
        let root = Base64::decode(root, &mut decoded).map_err(|_| Error::Checkpoint)?;
        let root = <[u8; HASH_LEN]>::try_from(root).map_err(|_| Error::Checkpoint)?;
        let checkpoint = Self::new(origin, decimal(size)?, root)?;
        checkpoint.with_extensions(extensions)
    }

    /// Sets the extension lines, each with its line break. An ML-DSA-44 key does not sign such a checkpoint, because
    /// the signature would not cover these lines.
    ///
    /// # Errors
    /// [`Error::Checkpoint`] for an empty line or text behind the last line break;
    /// [`Error::ControlCharacter`].
    pub fn with_extensions(mut self, lines: &str) -> Result<Self, Error> {
        if lines.contains(is_refused) {
            return Err(Error::ControlCharacter);
        }
        let is_line = |line: &str| line.len() > 1 && line.ends_with('\n');
        if !lines.split_inclusive('\n').all(is_line) {
            return Err(Error::Checkpoint);
        }
        self.extensions = lines.into();
        Ok(self)
    }

    /// Reads a note, verifies it with [`Note::verify`], and returns the checkpoint if it is of the log with this
    /// origin. Keys of cosigners sign for many logs, so the origin is required.
    ///
    /// # Errors
    /// Those of [`Note::parse`], [`Note::verify`] and [`Self::parse`]; [`Error::OtherLog`].
    ///
    /// ```
    /// use moissanite_tlog::{Checkpoint, Cosigner, SigningKey, SysRng};
    ///
    /// let witness = Cosigner::new("witness.example/w1", SigningKey::try_generate(&mut SysRng)?)?;
    /// let checkpoint = Checkpoint::new("example.com/log", 42, [1; 32])?;
    /// let line = witness.try_cosign_with_rng(&mut SysRng, &checkpoint, 1_795_392_000)?;
    /// let note = checkpoint.to_note(vec![line])?.to_string();
    ///
    /// let known = witness.key();
    /// let opened = Checkpoint::open(&note, "example.com/log", &[&known])?;
    /// assert_eq!(opened.content(), &checkpoint);
    /// assert!(opened.is_signed_by(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(
        note: &str,
        origin: &str,
        keys: &[&dyn NoteVerifier],
    ) -> Result<Verified<Self>, Error> {
        let note = Note::parse(note)?;
        let checkpoint = Self::parse(note.unverified_text())?;
        if *checkpoint.origin != *origin {
            return Err(Error::OtherLog);
        }
        let signed_by = note.verify(keys)?.signed_by;
        Ok(Verified {
            content: checkpoint,
            signed_by,
        })
    }

    /// Combines the checkpoint and its signatures to a note.
    ///
    /// # Errors
    /// Those of [`Note::new`].
    pub fn to_note(&self, signatures: Vec<SignatureLine>) -> Result<Note, Error> {
        Note::new(&self.to_string(), signatures)
    }

    /// The name of the log.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The number of leaves.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The root hash.
    #[must_use]
    pub fn root(&self) -> &[u8; HASH_LEN] {
        &self.root
    }

    /// The lines behind the root hash, each with its line break.
    #[must_use]
    pub fn extensions(&self) -> &str {
        &self.extensions
    }
}

/// The text of the checkpoint, without signatures.
impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let root: String = Base64::encode_string(&self.root);
        write!(
            f,
            "{}\n{}\n{root}\n{}",
            self.origin, self.size, self.extensions
        )
    }
}

/// A range of the leaves of a log, and the hash of this subtree.
///
/// It begins at a multiple of the smallest power of two that is at least its length, as Merkle tree
/// certificates require.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subtree {
    pub(crate) origin: Box<str>,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) hash: [u8; HASH_LEN],
}

impl Subtree {
    /// Makes the subtree of the leaves from `start` to `end - 1`.
    ///
    /// # Errors
    /// [`Error::Origin`], [`Error::TooLong`], [`Error::Subtree`].
    pub fn new(origin: &str, start: u64, end: u64, hash: [u8; HASH_LEN]) -> Result<Self, Error> {
        check_origin(origin)?;
        let length = end.checked_sub(start).filter(|length| *length != 0);
        let length = length.ok_or(Error::Subtree)?;
        // The range from 0 to more than 2^63 begins at a multiple of 2^64.
        let begins_a_tree = match length.checked_next_power_of_two() {
            Some(power) => start & (power - 1) == 0,
            None => start == 0,
        };
        if !begins_a_tree {
            return Err(Error::Subtree);
        }
        Ok(Self {
            origin: origin.into(),
            start,
            end,
            hash,
        })
    }
}

fn check_origin(origin: &str) -> Result<(), Error> {
    if origin.is_empty() || origin.contains(|c: char| c < ' ') {
        return Err(Error::Origin);
    }
    limits::check("origin", origin.len(), limits::NAME)
}

/// Reads a decimal number without a sign and without zeros in front.
fn decimal(text: &str) -> Result<u64, Error> {
    let digits = text.bytes().all(|digit| digit.is_ascii_digit());
    if !digits || (text.starts_with('0') && text != "0") {
        return Err(Error::Checkpoint);
    }
    text.parse().map_err(|_| Error::Checkpoint)
}
