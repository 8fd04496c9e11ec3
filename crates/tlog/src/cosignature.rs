//! The signed message of ML-DSA-44 cosignatures and their bytes (C2SP tlog-cosignature).

use alloc::vec::Vec;

use moissanite::{MlDsa44, Signature};

use crate::checkpoint::{Checkpoint, HASH_LEN, Subtree};
use crate::error::Error;

/// The label at the start of the signed message.
const LABEL: &[u8; 12] = b"subtree/v1\n\0";
/// The number of bytes of a cosignature: the time and the signature.
pub const COSIGNATURE_LEN: usize = 8 + Signature::<MlDsa44>::LEN;

/// A cosignature: its time and an ML-DSA-44 signature. It is the part of a signature line behind the key ID.
#[derive(Clone, Debug)]
pub struct Cosignature {
    pub(crate) timestamp: u64,
    pub(crate) signature: Signature<MlDsa44>,
}

impl Cosignature {
    /// Reads the time, as a number of 64 bits in big-endian order, and the signature: [`COSIGNATURE_LEN`] bytes.
    ///
    /// # Errors
    /// [`Error::SignatureLength`]; [`Error::Timestamp`] for a time after 2^63 - 1.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let length = || Error::SignatureLength {
            expected: COSIGNATURE_LEN,
            actual: bytes.len(),
        };
        let (timestamp, signature) = bytes.split_first_chunk().ok_or_else(length)?;
        let timestamp = u64::from_be_bytes(*timestamp);
        let signature = Signature::from_bytes(signature).map_err(|_| length())?;
        Ok(Self {
            timestamp: checked(timestamp)?,
            signature,
        })
    }

    /// Writes it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        [
            &self.timestamp.to_be_bytes(),
            self.signature.as_bytes().as_ref(),
        ]
        .concat()
    }

    /// The time of the signature in seconds after 1970-01-01 UTC, which the cosigner states. Zero means that it
    /// does not say that the tree was the largest one it had seen.
    #[must_use]
    pub fn timestamp(&self) -> u64 {
        self.timestamp
    }
}

/// What a cosigner states: a tree or a subtree, and the time.
pub(crate) struct Statement<'a> {
    origin: &'a str,
    pub(crate) timestamp: u64,
    start: u64,
    end: u64,
    hash: &'a [u8; HASH_LEN],
}

impl<'a> Statement<'a> {
    /// The statement that a checkpoint is the largest one at a time.
    pub(crate) fn of_checkpoint(checkpoint: &'a Checkpoint, timestamp: u64) -> Self {
        Self {
            origin: checkpoint.origin(),
            timestamp,
            start: 0,
            end: checkpoint.size(),
            hash: checkpoint.root(),
        }
    }

    /// The statement that a subtree is consistent with the log.
    pub(crate) fn of_subtree(subtree: &'a Subtree, timestamp: u64) -> Result<Self, Error> {
        if subtree.start != 0 && timestamp != 0 {
            return Err(Error::Timestamp);
        }
        Ok(Self {
            origin: &subtree.origin,
            timestamp,
            start: subtree.start,
            end: subtree.end,
            hash: &subtree.hash,
        })
    }

    /// The bytes that are signed: `cosigned_message`. The name and the origin have at most 255 bytes.
    pub(crate) fn message(&self, cosigner: &str) -> Vec<u8> {
        let (name_len, origin_len) = (cosigner.len() as u8, self.origin.len() as u8);
        [
            LABEL.as_slice(),
            &[name_len],
            cosigner.as_bytes(),
            &self.timestamp.to_be_bytes(),
            &[origin_len],
            self.origin.as_bytes(),
            &self.start.to_be_bytes(),
            &self.end.to_be_bytes(),
            self.hash,
        ]
        .concat()
    }
}

/// Returns a time that is at most 2^63 - 1.
pub(crate) fn checked(timestamp: u64) -> Result<u64, Error> {
    match i64::try_from(timestamp) {
        Ok(_) => Ok(timestamp),
        Err(_) => Err(Error::Timestamp),
    }
}
