//! Keys and signatures of TUF (The Update Framework), as its proposal 21 (TAP 21) defines them for
//! ML-DSA: type `ml-dsa`, and schemes `ml-dsa-44/1`, `ml-dsa-65/1` and `ml-dsa-87/1`.
//!
//! What is signed is `tuf`, the byte 1 and the SHA-512 hash of the canonical JSON of the member `signed`
//! of a metadata file. This crate does not make canonical JSON: a library of TUF does, as it does
//! everything else about metadata.
//!
//! ```
//! use moissanite_tokens::{Algorithm, SigningKey, SysRng, VerifyingKey};
//!
//! let key = SigningKey::try_generate(Algorithm::MlDsa65, &mut SysRng)?;
//! let public: String = key.to_verifying_key().to_tuf_key()?;
//!
//! let canonical = br#"{"_type":"timestamp","version":1}"#;
//! let signature: String = key.sign_tuf(&mut SysRng, canonical)?;
//!
//! let key = VerifyingKey::from_tuf_key(&public)?;
//! key.verify_tuf(canonical, &signature)?;
//! assert_eq!(key.tuf_key_id()?.len(), 64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use alloc::string::String;

use moissanite::MuBuilder;
use serde_json::Value;
use sha2::{Digest, Sha256, Sha512};

use crate::algorithm::Algorithm;
use crate::error::{Error, check_len};
use crate::jose::json;
use crate::limits;
use crate::randomness::Randomness;
use crate::signing::SigningKey;
use crate::verifying::VerifyingKey;

const KEY_TYPE: &str = "ml-dsa";

impl SigningKey {
    /// Signs the canonical JSON of the member `signed` of a metadata file. Returns the member `sig`:
    /// 4,840, 6,618 or 9,254 characters of hex.
    ///
    /// # Errors
    /// [`Error::Signing`].
    pub fn sign_tuf(&self, randomness: impl Randomness, canonical: &[u8]) -> Result<String, Error> {
        let signature = self.sign(randomness, pre_hash(self.mu()?, canonical))?;
        Ok(hex::encode(signature))
    }
}

impl VerifyingKey {
    /// Reads a key of a metadata file, and prepares it: an object with the members `keytype`, `scheme`
    /// and `keyval`, in which `public` is PEM text (RFC 9881). Other members are read and ignored. The
    /// text has at most [`limits::KEY`] bytes.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Json`], [`Error::TrailingData`], [`Error::Duplicate`],
    /// [`Error::Missing`], [`Error::WrongType`], [`Error::KeyType`], [`Error::UnknownAlgorithm`],
    /// [`Error::Pem`].
    pub fn from_tuf_key(key: &str) -> Result<Self, Error> {
        check_len("TUF key", key.len(), limits::KEY)?;
        let mut key = json::read_map(key)?;
        let key_type = json::take_text(&mut key, "keytype")?.ok_or(Error::Missing("keytype"))?;
        if key_type != KEY_TYPE {
            return Err(Error::KeyType);
        }
        let named = json::take_text(&mut key, "scheme")?.ok_or(Error::Missing("scheme"))?;
        let algorithm = Algorithm::ALL.into_iter().find(|&one| scheme(one) == named);
        let algorithm = algorithm.ok_or(Error::UnknownAlgorithm)?;
        let public = match key.remove("keyval").ok_or(Error::Missing("keyval"))? {
            Value::Object(mut values) => json::take_text(&mut values, "public")?,
            _ => return Err(Error::WrongType("keyval")),
        };
        Self::from_pem(
            "public",
            algorithm,
            &public.ok_or(Error::Missing("public"))?,
        )
    }

    /// Writes a key for a metadata file, in one line.
    ///
    /// # Errors
    /// [`Error::Pem`], which does not occur for a key that was read or made here.
    pub fn to_tuf_key(&self) -> Result<String, Error> {
        Ok(key_object(self.algorithm(), &json::quoted(&self.to_pem()?)))
    }

    /// Returns the identifier of the key: the SHA-256 hash of the canonical JSON of the key, in 64
    /// characters of hex.
    ///
    /// # Errors
    /// As [`Self::to_tuf_key`].
    pub fn tuf_key_id(&self) -> Result<String, Error> {
        // Canonical JSON contains line breaks as they are.
        let public = ["\"", &self.to_pem()?, "\""].concat();
        let canonical = key_object(self.algorithm(), &public);
        Ok(hex::encode(Sha256::digest(canonical)))
    }

    /// Verifies the member `sig` of a signature of the canonical JSON of the member `signed`.
    ///
    /// # Errors
    /// [`Error::Hex`], [`Error::EmptySignature`], [`Error::SignatureLength`],
    /// [`Error::InvalidSignature`].
    pub fn verify_tuf(&self, canonical: &[u8], signature: &str) -> Result<(), Error> {
        // A text of any other length is not decoded.
        if !signature.len().is_multiple_of(2) {
            return Err(Error::Hex("sig"));
        }
        self.check_signature_len(signature.len() >> 1)?;
        let signature = hex::decode(signature).map_err(|_| Error::Hex("sig"))?;
        self.verify(pre_hash(self.mu()?, canonical), &signature)
    }
}

/// The scheme of an algorithm, of version 1 of the pre-hash.
fn scheme(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::MlDsa44 => "ml-dsa-44/1",
        Algorithm::MlDsa65 => "ml-dsa-65/1",
        Algorithm::MlDsa87 => "ml-dsa-87/1",
    }
}

/// Writes a key, whose names are in the order of canonical JSON.
fn key_object(algorithm: Algorithm, public: &str) -> String {
    [
        r#"{"keytype":"ml-dsa","keyval":{"public":"#,
        public,
        r#"},"scheme":""#,
        scheme(algorithm),
        r#""}"#,
    ]
    .concat()
}

/// Hashes the pre-hash of version 1.
fn pre_hash(mut mu: MuBuilder, canonical: &[u8]) -> MuBuilder {
    mu.update(b"tuf\x01");
    mu.update(&Sha512::digest(canonical));
    mu
}
