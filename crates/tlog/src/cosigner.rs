//! Keys that make and verify ML-DSA-44 cosignatures.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use moissanite::batch::{self, VerifyBatchError};
use moissanite::prelude::*;
use moissanite::rand_core::TryCryptoRng;
use moissanite::{
    MlDsa44, Mu, PreparedSigningKey, PreparedVerifyingKey, Signature, SigningError, SigningKey,
    VerifyingKey,
};

use crate::checkpoint::{Checkpoint, Subtree};
use crate::cosignature::{Cosignature, Statement, checked};
use crate::error::Error;
use crate::key_id::{KeyId, KeyText, cosigner_name};
use crate::note::{NoteVerifier, SignatureLine};

/// The signature type of ML-DSA-44 cosignatures.
const TYPE: u8 = 6;

/// The private key of a log, a witness or a mirror, with its name. It is prepared once, and then makes any number
/// of cosignatures.
///
/// The key is secret: it is wiped when it is dropped, and `Debug` does not show it. What it signs is public.
///
/// Before a cosigner signs, it must check that the checkpoint is consistent with the last one that it signed for
/// the log. This crate does not keep state and does not check consistency proofs.
///
/// ```
/// use moissanite_tlog::{Checkpoint, Cosigner, SigningKey, SysRng};
///
/// let witness = Cosigner::new("witness.example/w1", SigningKey::try_generate(&mut SysRng)?)?;
/// let checkpoint = Checkpoint::new("example.com/log", 42, [1; 32])?;
/// let line = witness.try_cosign_with_rng(&mut SysRng, &checkpoint, 1_795_392_000)?;
/// let note = checkpoint.to_note(vec![line])?;
/// assert!(note.to_string().contains("\u{2014} witness.example/w1 "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Cosigner {
    name: Box<str>,
    id: KeyId,
    key: SigningKey<MlDsa44>,
    prepared: PreparedSigningKey<MlDsa44>,
}

impl Cosigner {
    /// Gives a key of the crate `moissanite` the name of a cosigner.
    ///
    /// # Errors
    /// [`Error::Name`]; [`Error::TooLong`] for a name of more than 255 bytes.
    pub fn new(name: &str, key: SigningKey<MlDsa44>) -> Result<Self, Error> {
        let name = cosigner_name(name)?;
        let id = KeyId::of(&name, TYPE, key.verifying_key().as_ref());
        let prepared = key.prepare();
        Ok(Self {
            name,
            id,
            key,
            prepared,
        })
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The key itself.
    #[must_use]
    pub fn signing_key(&self) -> &SigningKey<MlDsa44> {
        &self.key
    }

    /// Returns the public key. This prepares it.
    #[must_use]
    pub fn key(&self) -> CosignerKey {
        CosignerKey::prepared(self.name.clone(), self.id, self.key.verifying_key())
    }

    /// States that a checkpoint is the largest consistent one of its log at a time, in seconds after 1970-01-01
    /// UTC. The signature is hedged with 32 random bytes, which is the default of FIPS 204.
    ///
    /// # Errors
    /// [`Error::Timestamp`]; [`Error::Extensions`] if the checkpoint has extension lines, which the signature
    /// would not cover; [`Error::Signing`], also if the generator fails.
    pub fn try_cosign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        checkpoint: &Checkpoint,
        timestamp: u64,
    ) -> Result<SignatureLine, Error> {
        let sign = |mu: &Mu| self.prepared.try_sign_mu_with_rng(rng, mu);
        self.sign(&signable(checkpoint, timestamp)?, sign)
    }

    /// The same as [`Self::try_cosign_with_rng`], but deterministic (FIPS 204, section 3.4).
    ///
    /// # Errors
    /// [`Error::Timestamp`], [`Error::Extensions`], [`Error::Signing`].
    pub fn try_cosign(
        &self,
        checkpoint: &Checkpoint,
        timestamp: u64,
    ) -> Result<SignatureLine, Error> {
        let sign = |mu: &Mu| self.prepared.try_sign_mu(mu);
        self.sign(&signable(checkpoint, timestamp)?, sign)
    }

    /// States that a subtree is consistent with all that the cosigner has seen of the log, and, unless the time
    /// is zero, that it is the largest tree. The time must be zero if the subtree does not begin at the first
    /// leaf. The signature is hedged.
    ///
    /// # Errors
    /// Those of [`Self::try_cosign_with_rng`].
    pub fn try_cosign_subtree_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        subtree: &Subtree,
        timestamp: u64,
    ) -> Result<SignatureLine, Error> {
        let sign = |mu: &Mu| self.prepared.try_sign_mu_with_rng(rng, mu);
        self.sign(&Statement::of_subtree(subtree, checked(timestamp)?)?, sign)
    }

    /// The same as [`Self::try_cosign_subtree_with_rng`], but deterministic.
    ///
    /// # Errors
    /// Those of [`Self::try_cosign`].
    pub fn try_cosign_subtree(
        &self,
        subtree: &Subtree,
        timestamp: u64,
    ) -> Result<SignatureLine, Error> {
        let sign = |mu: &Mu| self.prepared.try_sign_mu(mu);
        self.sign(&Statement::of_subtree(subtree, checked(timestamp)?)?, sign)
    }

    fn sign(
        &self,
        statement: &Statement<'_>,
        sign: impl FnOnce(&Mu) -> Result<Signature<MlDsa44>, SigningError>,
    ) -> Result<SignatureLine, Error> {
        // An empty context is never too long.
        let mu = self.prepared.mu(b"");
        let mut mu = mu.map_err(|_| Error::InvalidSignature)?;
        mu.update(&statement.message(&self.name));
        let cosignature = Cosignature {
            timestamp: statement.timestamp,
            signature: sign(&mu.finish())?,
        };
        SignatureLine::new(&self.name, self.id, cosignature.to_bytes())
    }
}

/// Returns the statement about a checkpoint that an ML-DSA-44 key can sign.
fn signable(checkpoint: &Checkpoint, timestamp: u64) -> Result<Statement<'_>, Error> {
    if !checkpoint.extensions().is_empty() {
        return Err(Error::Extensions);
    }
    Ok(Statement::of_checkpoint(checkpoint, checked(timestamp)?))
}

impl fmt::Debug for Cosigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cosigner")
            .field("name", &self.name)
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// The public key of a cosigner, with its name. It is prepared once, which takes as long as several
/// verifications, and takes 18 KiB.
pub struct CosignerKey {
    name: Box<str>,
    id: KeyId,
    key: Box<VerifyingKey<MlDsa44>>,
    prepared: PreparedVerifyingKey<MlDsa44>,
}

/// A key, the checkpoint that it signed, and its cosignature.
pub type Item<'a> = (&'a CosignerKey, &'a Checkpoint, &'a Cosignature);

impl CosignerKey {
    /// Gives a key of the crate `moissanite` the name of a cosigner.
    ///
    /// # Errors
    /// [`Error::Name`]; [`Error::TooLong`] for a name of more than 255 bytes.
    pub fn new(name: &str, key: &VerifyingKey<MlDsa44>) -> Result<Self, Error> {
        let name = cosigner_name(name)?;
        let id = KeyId::of(&name, TYPE, key.as_ref());
        Ok(Self::prepared(name, id, key))
    }

    fn prepared(name: Box<str>, id: KeyId, key: &VerifyingKey<MlDsa44>) -> Self {
        Self {
            name,
            id,
            key: Box::new(key.clone()),
            prepared: key.prepare(),
        }
    }

    /// Reads the text of a public key: `name+id+base64`, as log operators publish it ("vkey").
    ///
    /// # Errors
    /// [`Error::Key`], [`Error::Name`], [`Error::KeyId`], [`Error::SignatureType`], [`Error::PublicKey`],
    /// [`Error::TooLong`].
    pub fn from_vkey(text: &str) -> Result<Self, Error> {
        let text = KeyText::parse(text)?;
        if text.signature_type != TYPE {
            return Err(Error::SignatureType);
        }
        let (name, key) = (
            cosigner_name(text.name)?,
            VerifyingKey::from_bytes(&text.public_key)?,
        );
        Ok(Self::prepared(name, text.id, &key))
    }

    /// Writes the text.
    #[must_use]
    pub fn to_vkey(&self) -> String {
        KeyText::write(&self.name, self.id, TYPE, self.key.as_ref().as_ref())
    }

    /// The key itself.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey<MlDsa44> {
        &self.key
    }

    /// Verifies a cosignature of a checkpoint.
    ///
    /// The caller checks the origin, and, if old checkpoints must not be accepted, the time.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`]; [`Error::Extensions`] if the checkpoint has extension lines, which the
    /// signature would not cover.
    pub fn verify_checkpoint(
        &self,
        checkpoint: &Checkpoint,
        cosignature: &Cosignature,
    ) -> Result<(), Error> {
        let statement = signable(checkpoint, cosignature.timestamp)?;
        self.verify_statement(&statement, cosignature)
    }

    /// Verifies a cosignature of a subtree.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`]; [`Error::Timestamp`] if the time is not zero although the subtree does not begin at the first leaf.
    pub fn verify_subtree(
        &self,
        subtree: &Subtree,
        cosignature: &Cosignature,
    ) -> Result<(), Error> {
        let statement = Statement::of_subtree(subtree, cosignature.timestamp)?;
        self.verify_statement(&statement, cosignature)
    }

    fn verify_statement(
        &self,
        statement: &Statement<'_>,
        cosignature: &Cosignature,
    ) -> Result<(), Error> {
        let message = statement.message(&self.name);
        let verified = self.prepared.verify(&message, &cosignature.signature);
        verified.map_err(|_| Error::InvalidSignature)
    }
}

/// Verifies cosignatures of checkpoints together, which takes less time than one after the other. `Ok` means
/// that all are valid; the result for no items is `Ok`.
///
/// ```
/// use moissanite_tlog::{
///     Checkpoint, Cosignature, Cosigner, SigningKey, SysRng, VerifyBatchError, verify_batch,
/// };
///
/// let witness = Cosigner::new("witness.example/w1", SigningKey::try_generate(&mut SysRng)?)?;
/// let checkpoint = Checkpoint::new("example.com/log", 42, [1; 32])?;
/// let line = witness.try_cosign_with_rng(&mut SysRng, &checkpoint, 1_795_392_000)?;
///
/// let (key, cosignature) = (witness.key(), Cosignature::from_bytes(line.signature())?);
/// let later = Checkpoint::new("example.com/log", 43, [2; 32])?;
/// verify_batch(&[(&key, &checkpoint, &cosignature)])?;
/// let items = [(&key, &checkpoint, &cosignature), (&key, &later, &cosignature)];
/// let Err(VerifyBatchError::Invalid(error)) = verify_batch(&items) else {
///     unreachable!()
/// };
/// assert!(error.invalid().eq([1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`VerifyBatchError::Invalid`] with the verdict on each item, if one of them is not valid.
pub fn verify_batch(items: &[Item<'_>]) -> Result<(), VerifyBatchError> {
    let message = |(key, checkpoint, cosignature): &Item<'_>| {
        let statement = Statement::of_checkpoint(checkpoint, cosignature.timestamp);
        let mut message = statement.message(&key.name);
        // No cosigner signs a message with extension lines, so that its signature is not valid.
        message.extend_from_slice(checkpoint.extensions().as_bytes());
        message
    };
    let messages: Vec<_> = items.iter().map(message).collect();
    let items = items.iter().zip(&messages);
    let items = items.map(|((key, _, cosignature), message)| {
        (&key.prepared, message.as_slice(), &cosignature.signature)
    });
    batch::verify_batch(b"", &items.collect::<Vec<_>>())
}

impl NoteVerifier for CosignerKey {
    fn name(&self) -> &str {
        &self.name
    }

    fn key_id(&self) -> KeyId {
        self.id
    }

    fn verify(&self, text: &str, signature: &[u8]) -> Result<(), Error> {
        let cosignature = Cosignature::from_bytes(signature)?;
        self.verify_checkpoint(&Checkpoint::parse(text)?, &cosignature)
    }
}

/// The names and the bytes are compared.
impl PartialEq for CosignerKey {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.key == other.key
    }
}

impl Eq for CosignerKey {}

impl fmt::Debug for CosignerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CosignerKey")
            .field("name", &self.name)
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
