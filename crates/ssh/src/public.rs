//! Public keys.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use base64ct::{Base64, Base64Unpadded, Encoding};
use moissanite_composite::{MlDsa44Ed25519, VerifyingKey};
use sha2::{Digest, Sha256};

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::{limits, wire};

/// A public key with its comment: a line of `id_mldsa44_ed25519.pub`.
///
/// Two keys are equal if their algorithms and bytes are; the comment does not count.
///
/// ```
/// use moissanite_ssh::{PrivateKey, PublicKey, SysRng};
///
/// let key = PrivateKey::try_generate(&mut SysRng)?.with_comment("alice@laptop")?;
/// let line = key.public_key().to_openssh();
/// assert!(line.starts_with("ssh-mldsa44-ed25519 AAAA") && line.ends_with(" alice@laptop"));
/// assert_eq!(&PublicKey::from_openssh(&line)?, key.public_key());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct PublicKey {
    algorithm: Algorithm,
    key: VerifyingKey<MlDsa44Ed25519>,
    comment: String,
}

impl PublicKey {
    /// The number of bytes of a public key without the name of its algorithm.
    pub(crate) const LEN: usize = 1344;

    /// Makes a key of the crate `moissanite-composite` one of OpenSSH, without a comment.
    #[must_use]
    pub fn new(algorithm: Algorithm, key: VerifyingKey<MlDsa44Ed25519>) -> Self {
        Self {
            algorithm,
            key,
            comment: String::new(),
        }
    }

    /// Reads a line of a file `.pub` or of `authorized_keys` without options: the algorithm, base64, and
    /// optionally a comment. White space around it is ignored. The line has at most [`limits::KEY`] bytes.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Line`], [`Error::UnknownAlgorithm`], [`Error::Contradiction`],
    /// [`Error::Encoding`], [`Error::TrailingData`], [`Error::PublicKey`], [`Error::Comment`].
    pub fn from_openssh(line: &str) -> Result<Self, Error> {
        limits::check("key", line, limits::KEY)?;
        let (name, rest) = word(line);
        let (base64, comment) = word(rest);
        let algorithm = Algorithm::from_name(name.as_bytes())?;
        let blob = Base64::decode_vec(base64).map_err(|_| Error::Line)?;
        let key = Self::from_blob(&blob)?;
        if key.algorithm != algorithm {
            return Err(Error::Contradiction);
        }
        key.with_comment(comment.trim())
    }

    /// Writes the line, without a line break. It has 1,854 bytes and the comment.
    #[must_use]
    pub fn to_openssh(&self) -> String {
        let mut line = String::from(self.algorithm.name());
        line.push(' ');
        line.push_str(&Base64::encode_string(&self.to_blob()));
        if !self.comment.is_empty() {
            line.push(' ');
            line.push_str(&self.comment);
        }
        line
    }

    /// Reads the encoding of the SSH protocol, in which keys are exchanged: the name of the algorithm, and
    /// 1,344 bytes.
    ///
    /// # Errors
    /// [`Error::UnknownAlgorithm`], [`Error::Encoding`], [`Error::TrailingData`], [`Error::PublicKey`].
    pub fn from_blob(mut blob: &[u8]) -> Result<Self, Error> {
        let algorithm = Algorithm::from_name(wire::string(&mut blob)?)?;
        let bytes = wire::string(&mut blob)?;
        wire::end(blob)?;
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| Error::PublicKey)?;
        Ok(Self::new(algorithm, key))
    }

    /// Writes the encoding of the SSH protocol.
    #[must_use]
    pub fn to_blob(&self) -> Vec<u8> {
        let mut blob = Vec::with_capacity(8 + self.algorithm.name().len() + Self::LEN);
        wire::push(&mut blob, self.algorithm.name().as_bytes());
        wire::push(&mut blob, &self.key.to_bytes());
        blob
    }

    /// The name of the algorithm.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The key itself.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey<MlDsa44Ed25519> {
        &self.key
    }

    /// The comment, which nobody signs. It is empty if there is none.
    #[must_use]
    pub fn comment(&self) -> &str {
        &self.comment
    }

    /// Sets the comment.
    ///
    /// # Errors
    /// [`Error::Comment`] for a control character, such as a line break.
    pub fn with_comment(mut self, comment: &str) -> Result<Self, Error> {
        self.comment = wire::line(comment.as_bytes(), Error::Comment)?.into();
        Ok(self)
    }

    /// Returns the fingerprint that `ssh-keygen -l` shows: `SHA256:` and 43 characters of base64.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let digest = Sha256::digest(self.to_blob());
        let mut text = String::from("SHA256:");
        text.push_str(&Base64Unpadded::encode_string(&digest));
        text
    }
}

/// Returns the first word of a text, and what follows it.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once([' ', '\t'])
        .unwrap_or((text.trim_end(), ""))
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        (self.algorithm, &self.key) == (other.algorithm, &other.key)
    }
}

impl Eq for PublicKey {}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKey")
            .field("algorithm", &self.algorithm)
            .field("fingerprint", &self.fingerprint())
            .field("comment", &self.comment)
            .finish()
    }
}
