//! COSE_Sign1 (RFC 9052, sections 4.2 and 4.4), also with a detached payload.

use alloc::vec::Vec;

use moissanite::MuBuilder;

use crate::algorithm::Algorithm;
use crate::cose::cbor::{self, Reader, Writer};
use crate::cose::header::Header;
use crate::error::{Error, check_len};
use crate::limits;
use crate::randomness::Randomness;
use crate::signing::SigningKey;
use crate::verifying::VerifyingKey;

/// The CBOR tag of COSE_Sign1 (RFC 9052, table 1).
const TAG: u64 = 18;

/// A verified COSE_Sign1. The payload is borrowed from the message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message<'a> {
    /// The protected header.
    pub header: Header,
    /// The unprotected header. Nobody signs it: anybody can have changed it.
    pub unprotected: Header,
    /// The payload, for example the claims of a CWT. This crate does not read claims: the caller checks
    /// them.
    pub payload: &'a [u8],
}

impl SigningKey {
    /// Signs a COSE_Sign1 with its tag, 18.
    ///
    /// `aad` is external data that is signed but not part of the message (RFC 9052, section 4.3): the
    /// verifier must have the same. It is usually empty.
    ///
    /// ```
    /// use moissanite_tokens::{Algorithm, SigningKey, SysRng, cose::Header};
    ///
    /// let key = SigningKey::try_generate(Algorithm::MlDsa44, &mut SysRng)?;
    /// let message = key.sign_sign1(&mut SysRng, &Header::new(), b"payload", b"")?;
    /// let verified = key.to_verifying_key();
    /// assert_eq!(verified.verify_sign1(&message, b"")?.payload, b"payload");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Signing`], and for a header that verification would refuse:
    /// [`Error::AlgorithmMismatch`], [`Error::UnknownAlgorithm`], [`Error::WrongType`],
    /// [`Error::Critical`], [`Error::TooLong`].
    pub fn sign_sign1(
        &self,
        randomness: impl Randomness,
        header: &Header,
        payload: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let message = self.sign1(randomness, header, payload, aad, Some(payload))?;
        check_len("COSE_Sign1", message.len(), limits::TOKEN)?;
        Ok(message)
    }

    /// Signs a COSE_Sign1 with a detached payload: `nil` is in its place, and the verifier gets the
    /// payload in another way. The payload can have any length; no copy of it is made.
    ///
    /// # Errors
    /// As [`Self::sign_sign1`].
    pub fn sign_sign1_detached(
        &self,
        randomness: impl Randomness,
        header: &Header,
        payload: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Error> {
        self.sign1(randomness, header, payload, aad, None)
    }

    /// Signs a payload, and writes a message with this content in its place.
    fn sign1(
        &self,
        randomness: impl Randomness,
        header: &Header,
        payload: &[u8],
        aad: &[u8],
        content: Option<&[u8]>,
    ) -> Result<Vec<u8>, Error> {
        let protected = header.encode(self.algorithm())?;
        let mu = to_be_signed(self.mu()?, &protected, aad, payload);
        let signature = self.sign(randomness, mu)?;
        Ok(message(&protected, content, &signature))
    }
}

impl VerifyingKey {
    /// Verifies a COSE_Sign1 with or without its tag, 18, and returns its payload and headers.
    ///
    /// `aad` is external data that was signed with the message; it is usually empty. The message has at
    /// most [`limits::TOKEN`] bytes, and each header [`limits::HEADER`]. Its protected `alg` must be that
    /// of this key. Parameters that this crate does not know are ignored, and a header with `crit` is
    /// refused. `kid` is not compared with that of the key. Values of indefinite length are refused
    /// where this crate reads them.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Cbor`], [`Error::TrailingData`], [`Error::Tag`],
    /// [`Error::Duplicate`], [`Error::Missing`], [`Error::WrongType`], [`Error::UnknownAlgorithm`],
    /// [`Error::AlgorithmMismatch`], [`Error::UnprotectedAlgorithm`], [`Error::Critical`],
    /// [`Error::PayloadDetached`], [`Error::EmptySignature`], [`Error::SignatureLength`],
    /// [`Error::InvalidSignature`].
    pub fn verify_sign1<'a>(&self, message: &'a [u8], aad: &[u8]) -> Result<Message<'a>, Error> {
        let message = Sign1::read(message)?;
        let payload = message.payload.ok_or(Error::PayloadDetached)?;
        message.verify(self, payload, aad)
    }

    /// Verifies a COSE_Sign1 with a detached payload, and returns its headers with the payload. The
    /// payload can have any length; no copy of it is made.
    ///
    /// # Errors
    /// As [`Self::verify_sign1`], with [`Error::PayloadPresent`] instead of [`Error::PayloadDetached`].
    pub fn verify_sign1_detached<'a>(
        &self,
        message: &[u8],
        payload: &'a [u8],
        aad: &[u8],
    ) -> Result<Message<'a>, Error> {
        let message = Sign1::read(message)?;
        if message.payload.is_some() {
            return Err(Error::PayloadPresent);
        }
        message.verify(self, payload, aad)
    }
}

/// Reads the headers of a COSE_Sign1 without verifying it, the protected one first: for finding the key
/// by its `kid`. Anybody can write anything into these headers.
///
/// # Errors
/// As [`VerifyingKey::verify_sign1`], as far as they do not concern the key and the signature.
pub fn unverified_headers(message: &[u8]) -> Result<(Header, Header), Error> {
    let message = Sign1::read(message)?;
    let (_, header) = message.header()?;
    Ok((header, message.unprotected))
}

/// The parts of a COSE_Sign1.
struct Sign1<'a> {
    /// The contents of the protected header, as they were signed.
    protected: &'a [u8],
    unprotected: Header,
    payload: Option<&'a [u8]>,
    signature: &'a [u8],
}

impl<'a> Sign1<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        check_len("COSE_Sign1", bytes.len(), limits::TOKEN)?;
        let mut reader = Reader::new(bytes);
        if reader.tag()?.is_some_and(|tag| tag != TAG) {
            return Err(Error::Tag);
        }
        if reader.array("COSE_Sign1")? != 4 {
            return Err(Error::WrongType("COSE_Sign1"));
        }
        let protected = reader.bytes("protected")?;
        // Parameters take more memory than their encoding, so the length is checked first.
        let unprotected = Header::of_map("unprotected", reader.skip()?)?;
        let message = Self {
            protected,
            unprotected,
            payload: reader.bytes_or_nil("payload")?,
            signature: reader.bytes("signature")?,
        };
        reader.end()?;
        Ok(message)
    }

    /// Checks the headers, and returns the algorithm and the protected header.
    fn header(&self) -> Result<(Algorithm, Header), Error> {
        let header = Header::decode(self.protected)?;
        self.unprotected.check_unprotected(&header)?;
        Ok((header.check_protected()?, header))
    }

    fn verify<'p>(
        self,
        key: &VerifyingKey,
        payload: &'p [u8],
        aad: &[u8],
    ) -> Result<Message<'p>, Error> {
        let (algorithm, header) = self.header()?;
        key.check_algorithm(algorithm)?;
        key.check_signature_len(self.signature.len())?;
        let mu = to_be_signed(key.mu()?, self.protected, aad, payload);
        key.verify(mu, self.signature)?;
        Ok(Message {
            header,
            unprotected: self.unprotected,
            payload,
        })
    }
}

/// Encodes a message with an empty unprotected header.
fn message(protected: &[u8], payload: Option<&[u8]>, signature: &[u8]) -> Vec<u8> {
    cbor::encoded(|writer| {
        writer.tag(TAG);
        writer.array(4);
        writer.bytes(protected);
        writer.map(0);
        match payload {
            Some(payload) => writer.bytes(payload),
            None => writer.nil(),
        }
        writer.bytes(signature);
    })
}

/// Hashes the Sig_structure (RFC 9052, section 4.4) without building it.
fn to_be_signed(mut mu: MuBuilder, protected: &[u8], aad: &[u8], payload: &[u8]) -> MuBuilder {
    let mut writer = Writer(&mut mu);
    writer.array(4);
    writer.text("Signature1");
    writer.bytes(protected);
    writer.bytes(aad);
    writer.bytes(payload);
    mu
}
