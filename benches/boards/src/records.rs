//! The records of the file with the vectors, which `crates/xtask/src/boards/vectors.rs` writes: a kind, a set
//! and parts, each after its length. All lengths are four little-endian bytes.

use crate::host::File;

/// The number of bytes that are read at once.
const MOST_PIECE: usize = 32;

/// The kind of a record.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// There are no more records.
    End,
    /// A verification that must succeed: public key, context, message, signature.
    Accepted,
    /// A verification that must fail, with the same parts.
    Refused,
    /// A signature: private key, context, message, rnd or nothing, public key or nothing, signature.
    Signed,
    /// The same with μ in place of context and message, the first of which is empty.
    SignedMu,
    /// A signature with an expanded private key whose parts need not match, with the same parts.
    SignedTrusted,
    /// A signature that must not be made, with the same parts.
    NotSigned,
    /// The digest of a number of keys and signatures, whose seeds follow from each other.
    Accumulated,
}

/// A parameter set.
#[derive(Clone, Copy)]
pub enum Set {
    /// ML-DSA-44.
    MlDsa44,
    /// ML-DSA-65.
    MlDsa65,
    /// ML-DSA-87.
    MlDsa87,
}

/// Reads records one after another.
pub struct Records {
    file: File,
    offset: usize,
}

impl Records {
    /// Begins with the first record.
    pub fn new(file: File) -> Self {
        Self { file, offset: 0 }
    }

    /// Reads the begin of the next record.
    pub fn next(&mut self) -> (Kind, Set) {
        let kind = match self.byte() {
            0 => Kind::End,
            1 => Kind::Accepted,
            2 => Kind::Refused,
            3 => Kind::Signed,
            4 => Kind::SignedMu,
            5 => Kind::SignedTrusted,
            6 => Kind::NotSigned,
            7 => Kind::Accumulated,
            _ => panic!("a record of another kind"),
        };
        let set = match self.byte() {
            0 => Set::MlDsa44,
            1 => Set::MlDsa65,
            2 => Set::MlDsa87,
            _ => panic!("a record of another set"),
        };
        (kind, set)
    }

    /// Returns the place of the next part.
    pub fn part(&mut self) -> Part {
        let mut len = [0; 4];
        self.file.read(self.offset, &mut len);
        let part = Part {
            file: self.file,
            offset: self.offset + len.len(),
            len: u32::from_le_bytes(len) as usize,
        };
        self.offset = part.offset + part.len;
        part
    }

    fn byte(&mut self) -> u8 {
        let mut byte = [0];
        self.file.read(self.offset, &mut byte);
        self.offset += 1;
        byte[0]
    }
}

/// Bytes in the file.
#[derive(Clone, Copy)]
pub struct Part {
    file: File,
    offset: usize,
    /// The number of bytes.
    pub len: usize,
}

impl Part {
    /// Reads the bytes from an offset on.
    pub fn read(&self, offset: usize, bytes: &mut [u8]) {
        assert!(offset + bytes.len() <= self.len, "bytes after a part");
        self.file.read(self.offset + offset, bytes);
    }

    /// Reads a part of exactly this length.
    pub fn array<const N: usize>(&self) -> [u8; N] {
        assert!(self.len == N, "a part of another length");
        let mut bytes = [0; N];
        self.read(0, &mut bytes);
        bytes
    }

    /// Reads all bytes. Of a part that is longer than the memory for it, it reads as many as fit: such a part
    /// is too long in any case.
    pub fn bytes<'a>(&self, memory: &'a mut [u8]) -> &'a [u8] {
        let len = self.len.min(memory.len());
        let bytes = &mut memory[..len];
        self.read(0, bytes);
        bytes
    }

    /// Reads all bytes in pieces.
    pub fn pieces(&self, mut take: impl FnMut(&[u8])) {
        let mut piece = [0; MOST_PIECE];
        let mut offset = 0;
        while offset < self.len {
            let piece = &mut piece[..usize::min(MOST_PIECE, self.len - offset)];
            self.read(offset, piece);
            take(piece);
            offset += piece.len();
        }
    }

    /// Returns a function that compares pieces with the bytes, one after another, and fails at the first
    /// difference.
    pub fn comparison(&self, compared: &mut usize) -> impl FnMut(&[u8]) -> Result<(), Different> {
        |piece| {
            let mut expected = [0; MOST_PIECE];
            for piece in piece.chunks(MOST_PIECE) {
                let expected = &mut expected[..piece.len()];
                if *compared + piece.len() > self.len {
                    return Err(Different);
                }
                self.read(*compared, expected);
                if expected != piece {
                    return Err(Different);
                }
                *compared += piece.len();
            }
            Ok(())
        }
    }
}

/// A byte is not the expected one.
#[derive(Debug)]
pub struct Different;
