//! Headers of JWS (RFC 7515, section 4).

use alloc::string::{String, ToString};

use serde_json::{Map, Value};

use crate::algorithm::Algorithm;
use crate::error::{Error, check_len};
use crate::jose::{base64url, json};
use crate::limits;

/// The header of a JWS: a JSON object.
///
/// To sign, make one with the members that the token needs. The key adds `alg`. In a verified token, it
/// has all members of the protected header, including `alg`.
///
/// ```
/// use moissanite_tokens::jws::Header;
///
/// let header = Header::new().with_kid("2026-11").with_typ("at+jwt").with("nonce", "x8Jf");
/// assert_eq!(header.kid(), Some("2026-11"));
/// assert_eq!(header.get("nonce").and_then(|nonce| nonce.as_str()), Some("x8Jf"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header(Map<String, Value>);

impl Header {
    /// Returns a header without members, which suits most tokens.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `kid`, which helps the verifier to find the key.
    #[must_use]
    pub fn with_kid(self, kid: &str) -> Self {
        self.with("kid", kid)
    }

    /// Sets `typ`, the type of the whole token, such as `JWT` or `at+jwt`.
    #[must_use]
    pub fn with_typ(self, typ: &str) -> Self {
        self.with("typ", typ)
    }

    /// Sets any other member.
    ///
    /// Signing refuses the names `crit` and `b64`, and an `alg` that is not that of the key.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.into(), value.into());
        self
    }

    /// Returns a member.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Returns `kid`, if it is text.
    #[must_use]
    pub fn kid(&self) -> Option<&str> {
        self.get("kid")?.as_str()
    }

    /// Returns `typ`, if it is text.
    #[must_use]
    pub fn typ(&self) -> Option<&str> {
        self.get("typ")?.as_str()
    }

    /// Returns all members.
    #[must_use]
    pub fn members(&self) -> &Map<String, Value> {
        &self.0
    }

    /// Takes an unprotected header, which has not been checked.
    pub(crate) fn of(members: Map<String, Value>) -> Self {
        Self(members)
    }

    /// Decodes a protected header, which has not been checked.
    pub(crate) fn decode(part: &str) -> Result<Self, Error> {
        if part.len() > base64url::encoded_len(limits::HEADER) {
            return Err(Error::TooLong {
                part: "header",
                limit: limits::HEADER,
            });
        }
        let bytes = base64url::decode("protected", part)?;
        let text = core::str::from_utf8(&bytes).map_err(|_| Error::Json)?;
        json::read_map(text).map(Self)
    }

    /// Checks a protected header, and returns its algorithm.
    pub(crate) fn check_protected(&self) -> Result<Algorithm, Error> {
        self.check_extensions()?;
        self.algorithm()?.ok_or(Error::Missing("alg"))
    }

    /// Checks an unprotected header.
    pub(crate) fn check_unprotected(&self) -> Result<(), Error> {
        self.check_extensions()?;
        if self.0.contains_key("alg") {
            return Err(Error::UnprotectedAlgorithm);
        }
        Ok(())
    }

    /// Appends the base64url of the header, with the algorithm of the key and the names in their order.
    pub(crate) fn encode(&self, algorithm: Algorithm, to: &mut String) -> Result<(), Error> {
        self.check_extensions()?;
        match self.algorithm()? {
            Some(own) if own != algorithm => {
                return Err(Error::AlgorithmMismatch {
                    key: algorithm,
                    token: own,
                });
            }
            _ => (),
        }
        let whole = self.clone().with("alg", algorithm.jose_name());
        let mut whole = Value::Object(whole.0);
        // With `preserve_order`, a feature of serde_json that another crate may enable, a map has the order
        // of insertion.
        whole.sort_all_objects();
        let text = whole.to_string();
        check_len("header", text.len(), limits::HEADER)?;
        base64url::encode(text.as_bytes(), to);
        Ok(())
    }

    /// Returns `alg`.
    fn algorithm(&self) -> Result<Option<Algorithm>, Error> {
        match self.get("alg") {
            None => Ok(None),
            Some(Value::String(name)) if name == "none" => Err(Error::AlgorithmNone),
            Some(Value::String(name)) => Algorithm::from_jose_name(name)
                .map(Some)
                .ok_or(Error::UnknownAlgorithm),
            Some(_) => Err(Error::WrongType("alg")),
        }
    }

    /// Checks that the header has no member that changes the meaning of the token. `crit` may appear
    /// with names that are understood only (RFC 7515, section 4.1.11), which are none here.
    fn check_extensions(&self) -> Result<(), Error> {
        if self.0.contains_key("b64") {
            return Err(Error::UnencodedPayload);
        }
        if self.0.contains_key("crit") {
            return Err(Error::Critical);
        }
        Ok(())
    }
}
