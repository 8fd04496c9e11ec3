//! Private keys.

use alloc::string::String;
use core::fmt;

use moissanite_composite::rand_core::TryCryptoRng;
use moissanite_composite::{MlDsa44Ed25519, Seed, SigningKey};
use moissanite_core::scrub::scrubbed;
use zeroize::Zeroizing;

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::file::{Decrypted, File, Section};
use crate::public::PublicKey;

/// The stack of decoding and encryption in bytes, which is overwritten after them. The code of other crates leaves
/// parts of keys there.
const DEPTH: usize = 32 << 10;

/// A private key with its public key and comment: a file `id_mldsa44_ed25519`.
///
/// It takes 6 KB. Everything except the public key and the comment is secret: it is wiped when the key is
/// dropped, and `Debug` does not show it.
pub struct PrivateKey {
    key: SigningKey<MlDsa44Ed25519>,
    public: PublicKey,
}

impl PrivateKey {
    /// Generates a key with a random number generator that can fail, such as that of the operating system.
    ///
    /// # Errors
    /// The error of the generator.
    pub fn try_generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let key = SigningKey::try_generate(rng)?;
        Ok(Self::new(Algorithm::default(), key))
    }

    /// Generates the key of 64 secret bytes: the seed of ML-DSA, then the private key of Ed25519. Every seed
    /// gives a key.
    #[must_use]
    pub fn from_seed(seed: &Seed<64>) -> Self {
        Self::new(Algorithm::default(), SigningKey::from_seed(seed))
    }

    /// Makes a key of the crate `moissanite-composite` one of OpenSSH, without a comment.
    #[must_use]
    pub fn new(algorithm: Algorithm, key: SigningKey<MlDsa44Ed25519>) -> Self {
        let public = PublicKey::new(algorithm, key.verifying_key().clone());
        Self { key, public }
    }

    /// Sets the comment, which is in both files.
    ///
    /// # Errors
    /// [`Error::Comment`] for a control character, such as a line break.
    pub fn with_comment(mut self, comment: &str) -> Result<Self, Error> {
        self.public = self.public.with_comment(comment)?;
        Ok(self)
    }

    /// Reads a private key that is not encrypted, as `ssh-keygen` writes it: PEM with the label
    /// `OPENSSH PRIVATE KEY`. The private key must yield the public key beside it. The text has at most
    /// [`limits::KEY`](crate::limits::KEY) bytes; it is the caller's to wipe.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Pem`], [`Error::Encoding`], [`Error::TrailingData`],
    /// [`Error::NumberOfKeys`], [`Error::UnknownAlgorithm`], [`Error::PublicKey`], [`Error::Encrypted`],
    /// [`Error::Contradiction`], [`Error::SeedLength`], [`Error::PublicKeyMismatch`], [`Error::Comment`].
    pub fn from_openssh(pem: &str) -> Result<Self, Error> {
        scrubbed::<DEPTH, _>(|| Self::of(&File::from_pem(pem)?.section(None)?))
    }

    /// Reads a private key that may be encrypted. The passphrase of one that is not encrypted is ignored.
    ///
    /// The derivation of the key takes some milliseconds for each round that the file names, and at most
    /// [`limits::ROUNDS`](crate::limits::ROUNDS).
    ///
    /// # Errors
    /// As [`Self::from_openssh`], with [`Error::UnsupportedEncryption`], [`Error::Rounds`],
    /// [`Error::EmptyPassphrase`] and [`Error::Passphrase`], and without [`Error::Encrypted`].
    #[cfg(feature = "encryption")]
    #[cfg_attr(docsrs, doc(cfg(feature = "encryption")))]
    pub fn from_encrypted_openssh(pem: &str, passphrase: &[u8]) -> Result<Self, Error> {
        scrubbed::<DEPTH, _>(|| {
            let file = File::from_pem(pem)?;
            Self::of(&file.section(Some((crate::encryption::decrypt, passphrase)))?)
        })
    }

    /// Whether the text is that of an encrypted private key, so that a program can ask for a passphrase.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Pem`], [`Error::Encoding`], [`Error::TrailingData`],
    /// [`Error::NumberOfKeys`].
    pub fn is_encrypted(pem: &str) -> Result<bool, Error> {
        Ok(File::from_pem(pem)?.is_encrypted())
    }

    /// Writes the private key without encryption. The text is secret, and is wiped when it is dropped.
    ///
    /// # Errors
    /// None occurs, because the lengths of keys and comments are limited.
    pub fn to_openssh(&self) -> Result<Zeroizing<String>, Error> {
        scrubbed::<DEPTH, _>(|| File::plain(self.section()).to_pem())
    }

    /// Writes the private key, encrypted with AES-256 in counter mode under a key that bcrypt derives from the
    /// passphrase, as `ssh-keygen` does. `rounds` is the cost of a guess; OpenSSH makes 24.
    ///
    /// # Errors
    /// [`Error::EmptyPassphrase`], [`Error::Rounds`], and [`Error::Signing`] if the generator fails.
    #[cfg(feature = "encryption")]
    #[cfg_attr(docsrs, doc(cfg(feature = "encryption")))]
    pub fn to_encrypted_openssh<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        passphrase: &[u8],
        rounds: u32,
    ) -> Result<String, Error> {
        scrubbed::<DEPTH, _>(|| {
            let file = crate::encryption::encrypt(self.section(), rng, passphrase, rounds)?;
            // The text is not secret.
            Ok(core::mem::take(&mut *file.to_pem()?))
        })
    }

    /// The public key.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// The key itself.
    #[must_use]
    pub fn signing_key(&self) -> &SigningKey<MlDsa44Ed25519> {
        &self.key
    }

    /// Checks that the private key of a file yields its public key.
    fn of(file: &Decrypted) -> Result<Self, Error> {
        let (public, seed) = file.open()?;
        let key = SigningKey::from_seed(&Seed::from_bytes(seed));
        if key.verifying_key() != public.verifying_key() {
            return Err(Error::PublicKeyMismatch);
        }
        Ok(Self { key, public })
    }

    fn section(&self) -> Section<'_> {
        Section {
            public: &self.public,
            seed: self.key.as_seed(),
        }
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey")
            .field("public", &self.public)
            .finish_non_exhaustive()
    }
}
