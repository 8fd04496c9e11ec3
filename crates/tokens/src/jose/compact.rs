//! The compact serialization of JWS (RFC 7515, section 7.1), also with a detached payload (appendix F).

use alloc::string::String;
use alloc::vec::Vec;

use moissanite::MuBuilder;

use crate::algorithm::Algorithm;
use crate::error::{Error, check_len};
use crate::jose::base64url;
use crate::jose::header::Header;
use crate::limits;
use crate::randomness::Randomness;
use crate::signing::SigningKey;
use crate::verifying::VerifyingKey;

/// The payload of a verified JWS, and its header.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Token {
    /// The protected header.
    pub header: Header,
    /// The payload, for example the JSON text of the claims of a JWT. This crate does not read claims:
    /// the caller checks them, such as `exp` and `aud`.
    pub payload: Vec<u8>,
}

/// The memory for the largest signature, and what base64 may write behind it.
const SIGNATURE: usize = Algorithm::MlDsa87.signature_len() + 4;

impl SigningKey {
    /// Signs a JWS in the compact serialization, such as a JWT: `header.payload.signature`.
    ///
    /// With an empty header, it takes 3.3, 4.5 or 6.2 KB and the payload in base64url.
    ///
    /// ```
    /// use moissanite_tokens::{Algorithm, SigningKey, SysRng, jws::Header};
    ///
    /// let key = SigningKey::try_generate(Algorithm::MlDsa44, &mut SysRng)?;
    /// let token = key.sign_jws(&mut SysRng, &Header::new().with_typ("JWT"), br#"{"sub":"me"}"#)?;
    /// assert_eq!(token.split('.').count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Signing`], and for a header that verification would refuse:
    /// [`Error::AlgorithmMismatch`], [`Error::AlgorithmNone`], [`Error::UnknownAlgorithm`],
    /// [`Error::WrongType`], [`Error::Critical`], [`Error::UnencodedPayload`], [`Error::TooLong`].
    pub fn sign_jws(
        &self,
        randomness: impl Randomness,
        header: &Header,
        payload: &[u8],
    ) -> Result<String, Error> {
        let signature = base64url::encoded_len(self.algorithm().signature_len());
        let content = base64url::encoded_len(payload.len());
        let mut token = String::with_capacity(HEADER_LEN + content + 1 + signature);
        header.encode(self.algorithm(), &mut token)?;
        token.push('.');
        base64url::encode(payload, &mut token);
        let mut mu = self.mu()?;
        mu.update(token.as_bytes());
        token.push('.');
        base64url::encode(&self.sign(randomness, mu)?, &mut token);
        check_len("token", token.len(), limits::TOKEN)?;
        Ok(token)
    }

    /// Signs a JWS with a detached payload (RFC 7515, appendix F): `header..signature`. The verifier
    /// gets the payload in another way.
    ///
    /// The payload can have any length; no copy of it is made.
    ///
    /// # Errors
    /// As [`Self::sign_jws`].
    pub fn sign_jws_detached(
        &self,
        randomness: impl Randomness,
        header: &Header,
        payload: &[u8],
    ) -> Result<String, Error> {
        let mut token = String::new();
        header.encode(self.algorithm(), &mut token)?;
        let signature = self.sign(randomness, detached(self.mu()?, &token, payload))?;
        token.push_str("..");
        base64url::encode(&signature, &mut token);
        Ok(token)
    }
}

impl VerifyingKey {
    /// Verifies a JWS in the compact serialization, such as a JWT, and returns its payload and header.
    ///
    /// The token has at most [`limits::TOKEN`] bytes, and its header [`limits::HEADER`]. Its `alg` must
    /// be that of this key. Parameters that this crate does not know are ignored, and those that `crit`
    /// names are refused. `kid` is not compared with that of the key.
    ///
    /// A token with a detached payload looks like one with an empty payload, and is refused as
    /// [`Error::InvalidSignature`].
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Parts`], [`Error::Base64`], [`Error::Padding`],
    /// [`Error::TrailingBits`], [`Error::Json`], [`Error::TrailingData`], [`Error::Duplicate`],
    /// [`Error::Missing`], [`Error::WrongType`], [`Error::AlgorithmNone`],
    /// [`Error::UnknownAlgorithm`], [`Error::AlgorithmMismatch`], [`Error::Critical`],
    /// [`Error::UnencodedPayload`], [`Error::EmptySignature`], [`Error::SignatureLength`],
    /// [`Error::InvalidSignature`].
    pub fn verify_jws(&self, token: &str) -> Result<Token, Error> {
        let parts = Parts::of(token)?;
        let header = self.header_of(parts.protected)?;
        let mut mu = self.mu()?;
        mu.update(parts.signed.as_bytes());
        self.verify_encoded(mu, parts.signature)?;
        let payload = base64url::decode("payload", parts.payload)?;
        Ok(Token { header, payload })
    }

    /// Verifies a JWS in the compact serialization with a detached payload (RFC 7515, appendix F), and
    /// returns its header. The payload can have any length; no copy of it is made.
    ///
    /// # Errors
    /// As [`Self::verify_jws`], and [`Error::PayloadPresent`].
    pub fn verify_jws_detached(&self, token: &str, payload: &[u8]) -> Result<Header, Error> {
        let parts = Parts::of(token)?;
        if !parts.payload.is_empty() {
            return Err(Error::PayloadPresent);
        }
        let header = self.header_of(parts.protected)?;
        let mu = detached(self.mu()?, parts.protected, payload);
        self.verify_encoded(mu, parts.signature)?;
        Ok(header)
    }

    /// Decodes a protected header, and checks its algorithm.
    fn header_of(&self, protected: &str) -> Result<Header, Error> {
        let header = Header::decode(protected)?;
        self.check_algorithm(header.check_protected()?)?;
        Ok(header)
    }

    /// Verifies a signature in base64url.
    pub(crate) fn verify_encoded(&self, mu: MuBuilder, signature: &str) -> Result<(), Error> {
        let expected = base64url::encoded_len(self.algorithm().signature_len());
        if signature.len() != expected {
            // The decoding only serves the error.
            let bytes = base64url::decode("signature", signature)?;
            self.check_signature_len(bytes.len())?;
        }
        let mut bytes = [0; SIGNATURE];
        let length = base64url::decode_to("signature", signature, &mut bytes)?;
        self.verify(mu, bytes.get(..length).unwrap_or_default())
    }
}

/// Reads the header of a JWS in the compact serialization without verifying the token: for finding the
/// key by its `kid`. Anybody can write anything into this header.
///
/// # Errors
/// As [`VerifyingKey::verify_jws`], as far as they concern the header.
pub fn unverified_header(token: &str) -> Result<Header, Error> {
    let parts = Parts::of(token)?;
    let header = Header::decode(parts.protected)?;
    header.check_protected()?;
    Ok(header)
}

/// A usual length of a header and its dot.
const HEADER_LEN: usize = 128;

/// The parts of a token, in base64url.
struct Parts<'a> {
    protected: &'a str,
    payload: &'a str,
    signature: &'a str,
    /// The header and the payload, with the dot between them.
    signed: &'a str,
}

impl<'a> Parts<'a> {
    fn of(token: &'a str) -> Result<Self, Error> {
        check_len("token", token.len(), limits::TOKEN)?;
        let (signed, signature) = token.rsplit_once('.').ok_or(Error::Parts)?;
        let (protected, payload) = signed.split_once('.').ok_or(Error::Parts)?;
        if payload.contains('.') {
            return Err(Error::Parts);
        }
        Ok(Self {
            protected,
            payload,
            signature,
            signed,
        })
    }
}

/// Hashes a header that is in base64url and a payload that is not.
pub(crate) fn detached(mut mu: MuBuilder, protected: &str, payload: &[u8]) -> MuBuilder {
    /// A multiple of three bytes, so that the base64url of the pieces is that of the whole.
    const PIECE: usize = 3 << 10;
    mu.update(protected.as_bytes());
    mu.update(b".");
    let mut text = String::new();
    for piece in payload.chunks(PIECE) {
        text.clear();
        base64url::encode(piece, &mut text);
        mu.update(text.as_bytes());
    }
    mu
}
