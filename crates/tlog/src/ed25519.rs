//! Ed25519 keys of logs and witnesses, which verify only.

use alloc::boxed::Box;
use alloc::string::String;

use moissanite_composite::ed25519::{Signature, VerifyingKey};
use moissanite_composite::prelude::*;

use crate::checkpoint::Checkpoint;
use crate::cosignature::checked;
use crate::error::Error;
use crate::key_id::{KeyId, KeyText};
use crate::note::NoteVerifier;

/// The signature types of keys that sign the text, and of keys that cosign checkpoints.
const NOTES: u8 = 1;
const COSIGNATURES: u8 = 4;

/// An Ed25519 public key with its name. It verifies signatures of notes (type 1), or cosignatures with a time
/// (type 4). New keys should be ML-DSA-44: attackers with quantum computers can forge signatures of Ed25519.
///
/// ```
/// use moissanite_tlog::{Ed25519Key, Note};
///
/// let key = Ed25519Key::from_vkey("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")?;
/// assert_eq!(key.to_vkey().len(), 66);
/// # Ok::<(), moissanite_tlog::Error>(())
/// ```
#[derive(Debug)]
pub struct Ed25519Key {
    name: Box<str>,
    id: KeyId,
    signature_type: u8,
    key: VerifyingKey,
}

impl Ed25519Key {
    /// Reads the text of a public key: `name+id+base64`, as log operators publish it ("vkey").
    ///
    /// # Errors
    /// [`Error::Key`], [`Error::Name`], [`Error::KeyId`], [`Error::SignatureType`], [`Error::PublicKey`],
    /// [`Error::TooLong`].
    pub fn from_vkey(text: &str) -> Result<Self, Error> {
        let text = KeyText::parse(text)?;
        if !matches!(text.signature_type, NOTES | COSIGNATURES) {
            return Err(Error::SignatureType);
        }
        Ok(Self {
            name: text.name.into(),
            id: text.id,
            signature_type: text.signature_type,
            key: VerifyingKey::from_bytes(&text.public_key).map_err(|_| Error::PublicKey)?,
        })
    }

    /// Writes the text.
    #[must_use]
    pub fn to_vkey(&self) -> String {
        KeyText::write(&self.name, self.id, self.signature_type, self.key.as_ref())
    }

    /// Whether the key makes cosignatures with a time, which are of checkpoints only.
    #[must_use]
    pub fn is_cosigner(&self) -> bool {
        self.signature_type == COSIGNATURES
    }
}

impl NoteVerifier for Ed25519Key {
    fn name(&self) -> &str {
        &self.name
    }

    fn key_id(&self) -> KeyId {
        self.id
    }

    fn verify(&self, text: &str, signature: &[u8]) -> Result<(), Error> {
        let (header, signature) = if self.is_cosigner() {
            // A cosignature says nothing about texts that are not checkpoints.
            Checkpoint::parse(text)?;
            let parts = signature.split_first_chunk();
            let (timestamp, signature) = parts.ok_or(Error::InvalidSignature)?;
            let timestamp = checked(u64::from_be_bytes(*timestamp))?;
            (
                alloc::format!("cosignature/v1\ntime {timestamp}\n"),
                signature,
            )
        } else {
            (String::new(), signature)
        };
        let signature = Signature::from_slice(signature).map_err(|_| Error::InvalidSignature)?;
        let message = [header.as_str(), text].concat();
        let verified = self.key.verify(message.as_bytes(), &signature);
        verified.map_err(|_| Error::InvalidSignature)
    }
}
