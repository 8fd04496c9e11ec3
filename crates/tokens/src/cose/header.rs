//! Headers of COSE (RFC 9052, section 3).

use alloc::vec::Vec;

use crate::algorithm::Algorithm;
use crate::cose::cbor::{self, Label, Reader};
use crate::error::{Error, check_len};
use crate::limits;

/// The parameters of a header: RFC 9052, table 3.
const ALG: i64 = 1;
const CRIT: i64 = 2;
const CONTENT_TYPE: i64 = 3;
const KID: i64 = 4;

/// A header of a COSE message: labels with values.
///
/// To sign, make one with the parameters that the message needs. The key adds `alg`, and the whole
/// header is protected.
///
/// ```
/// use moissanite_tokens::cose::Header;
///
/// let header = Header::new().with_kid(b"2026-11").with_content_format(60);
/// assert_eq!(header.kid(), Some(&b"2026-11"[..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Labels with encoded values, in ascending order of the labels.
    parameters: Vec<(Label, Vec<u8>)>,
}

impl Header {
    /// Returns a header without parameters, which suits most messages.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `kid` (4), which helps the verifier to find the key.
    #[must_use]
    pub fn with_kid(self, kid: impl AsRef<[u8]>) -> Self {
        self.set(
            KID.into(),
            cbor::encoded(|writer| writer.bytes(kid.as_ref())),
        )
    }

    /// Sets the content type (3) as a number of CoAP Content-Formats, such as 60 for CBOR.
    #[must_use]
    pub fn with_content_format(self, format: u16) -> Self {
        let value = cbor::encoded(|writer| writer.int(format.into()));
        self.set(CONTENT_TYPE.into(), value)
    }

    /// Sets the content type (3) as a media type, such as `text/plain`.
    #[must_use]
    pub fn with_content_type(self, media_type: &str) -> Self {
        let value = cbor::encoded(|writer| writer.text(media_type));
        self.set(CONTENT_TYPE.into(), value)
    }

    /// Sets any other parameter to a value that is encoded in CBOR.
    ///
    /// Signing refuses `crit` (2), and an `alg` (1) that is not that of the key.
    ///
    /// # Errors
    /// [`Error::Cbor`] or [`Error::TrailingData`] if the bytes are not one value.
    pub fn with(self, label: impl Into<Label>, encoded: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(encoded);
        reader.skip()?;
        reader.end()?;
        Ok(self.set(label.into(), encoded.into()))
    }

    /// Returns the value of a parameter, encoded in CBOR.
    #[must_use]
    pub fn get(&self, label: impl Into<Label>) -> Option<&[u8]> {
        let label = label.into();
        let mut parameters = self.parameters.iter();
        let found = parameters.find(|(each, _)| *each == label);
        found.map(|(_, value)| value.as_slice())
    }

    /// Returns `kid` (4).
    #[must_use]
    pub fn kid(&self) -> Option<&[u8]> {
        self.get(KID).and_then(|kid| cbor::bytes("kid", kid).ok())
    }

    /// Returns all labels with their values, encoded in CBOR.
    pub fn parameters(&self) -> impl Iterator<Item = (&Label, &[u8])> {
        let parameters = self.parameters.iter();
        parameters.map(|(label, value)| (label, value.as_slice()))
    }

    fn set(mut self, label: Label, value: Vec<u8>) -> Self {
        match self
            .parameters
            .binary_search_by(|(each, _)| each.cmp(&label))
        {
            Ok(there) => self.parameters[there].1 = value,
            Err(place) => self.parameters.insert(place, (label, value)),
        }
        self
    }

    /// Decodes the contents of a protected header, which has not been checked. Without parameters, they
    /// are empty (RFC 9052, section 3).
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.is_empty() {
            return Ok(Self::new());
        }
        Self::of_map("protected", bytes)
    }

    /// Reads a map, which has not been checked.
    pub(crate) fn of_map(name: &'static str, bytes: &[u8]) -> Result<Self, Error> {
        check_len("header", bytes.len(), limits::HEADER)?;
        let mut reader = Reader::new(bytes);
        let parameters = reader.map(name)?.into_iter();
        let parameters = parameters.map(|(label, value)| (label, value.into()));
        let header = Self {
            parameters: parameters.collect(),
        };
        reader.end()?;
        Ok(header)
    }

    /// Checks a protected header, and returns its algorithm.
    pub(crate) fn check_protected(&self) -> Result<Algorithm, Error> {
        self.check_extensions()?;
        self.algorithm()?.ok_or(Error::Missing("alg"))
    }

    /// Checks the unprotected header beside a protected one.
    pub(crate) fn check_unprotected(&self, protected: &Self) -> Result<(), Error> {
        self.check_extensions()?;
        if self.get(ALG).is_some() {
            return Err(Error::UnprotectedAlgorithm);
        }
        let mut labels = self.parameters.iter().map(|(label, _)| label);
        if labels.any(|label| protected.get(label.clone()).is_some()) {
            return Err(Error::Duplicate);
        }
        Ok(())
    }

    /// Encodes the contents of the protected header, with the algorithm of the key, in the deterministic
    /// encoding of RFC 8949, section 4.2.1.
    pub(crate) fn encode(&self, algorithm: Algorithm) -> Result<Vec<u8>, Error> {
        self.check_extensions()?;
        match self.algorithm()? {
            Some(token) if token != algorithm => {
                let key = algorithm;
                return Err(Error::AlgorithmMismatch { key, token });
            }
            _ => (),
        }
        let id = cbor::encoded(|writer| writer.int(algorithm.cose_id()));
        let whole = self.clone().set(ALG.into(), id);
        let encoded = |(label, value): &(Label, Vec<u8>)| {
            (cbor::encoded(|writer| writer.label(label)), value.clone())
        };
        let mut parameters: Vec<_> = whole.parameters.iter().map(encoded).collect();
        parameters.sort_unstable();
        let bytes = cbor::encoded(|writer| {
            writer.map(parameters.len());
            for (label, value) in &parameters {
                writer.encoded(label);
                writer.encoded(value);
            }
        });
        check_len("header", bytes.len(), limits::HEADER)?;
        Ok(bytes)
    }

    /// Returns `alg`.
    fn algorithm(&self) -> Result<Option<Algorithm>, Error> {
        let Some(value) = self.get(ALG) else {
            return Ok(None);
        };
        match cbor::label("alg", value)? {
            Label::Int(id) => Algorithm::from_cose_id(id),
            Label::Text(_) => None,
        }
        .map(Some)
        .ok_or(Error::UnknownAlgorithm)
    }

    /// Checks that the header names no extension that has to be understood (RFC 9052, section 3.1).
    fn check_extensions(&self) -> Result<(), Error> {
        if self.get(CRIT).is_some() {
            return Err(Error::Critical);
        }
        // `kid` has one type only, so that `Self::kid` never hides one.
        if let Some(kid) = self.get(KID) {
            cbor::bytes("kid", kid)?;
        }
        Ok(())
    }
}
