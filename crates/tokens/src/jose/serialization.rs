//! The JSON serializations of JWS (RFC 7515, section 7.2).

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use moissanite::MuBuilder;
use serde_json::{Map, Value};

use crate::error::{Error, check_len};
use crate::jose::compact::{Token, detached};
use crate::jose::header::Header;
use crate::jose::{base64url, json};
use crate::limits;
use crate::randomness::Randomness;
use crate::signing::SigningKey;
use crate::verifying::VerifyingKey;

impl SigningKey {
    /// Signs a JWS in the flattened JSON serialization: an object with `payload`, `protected` and
    /// `signature`, as ACME uses it. The whole header is protected.
    ///
    /// # Errors
    /// As [`Self::sign_jws`].
    pub fn sign_jws_json(
        &self,
        randomness: impl Randomness,
        header: &Header,
        payload: &[u8],
    ) -> Result<String, Error> {
        // The compact serialization has the same parts, which need no escape sequences.
        let compact = self.sign_jws(randomness, header, payload)?;
        let mut parts = compact.split('.');
        let mut part = || parts.next().unwrap_or_default();
        let (protected, payload, signature) = (part(), part(), part());
        let text = [
            r#"{"payload":""#,
            payload,
            r#"","protected":""#,
            protected,
            r#"","signature":""#,
            signature,
            r#""}"#,
        ]
        .concat();
        check_len("token", text.len(), limits::TOKEN_JSON)?;
        Ok(text)
    }

    /// Adds a signature of this key to a JWS in the flattened or the general JSON serialization, and
    /// returns it in the general one, with each signature in the order of the input.
    ///
    /// The other signatures and their headers stay as they are, and are not verified. Other members are left
    /// out, because nobody signed them. The payload must not be detached.
    ///
    /// ```
    /// use moissanite_tokens::{Algorithm, SigningKey, SysRng, jws::Header};
    ///
    /// let [a, b] = [Algorithm::MlDsa44, Algorithm::MlDsa87]
    ///     .map(|algorithm| SigningKey::try_generate(algorithm, &mut SysRng));
    /// let (a, b) = (a?, b?);
    /// let token = a.sign_jws_json(&mut SysRng, &Header::new(), b"payload")?;
    /// let token = b.cosign_jws_json(&mut SysRng, &Header::new(), &token)?;
    /// for key in [a, b] {
    ///     assert_eq!(key.to_verifying_key().verify_jws_json(&token)?.payload, b"payload");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::sign_jws`], and for the input as [`VerifyingKey::verify_jws_json`], as far as they concern
    /// the structure.
    pub fn cosign_jws_json(
        &self,
        randomness: impl Randomness,
        header: &Header,
        token: &str,
    ) -> Result<String, Error> {
        let token = Json::read(token)?;
        let payload = token.payload.ok_or(Error::PayloadDetached)?;
        if token.signatures.len() == limits::SIGNATURES {
            return Err(Error::TooManySignatures);
        }
        let mut protected = String::new();
        header.encode(self.algorithm(), &mut protected)?;
        let mu = signing_input(self.mu()?, &protected, &payload);
        let mut signature = String::new();
        base64url::encode(&self.sign(randomness, mu)?, &mut signature);
        let ours = Signature {
            protected,
            header: Header::new(),
            unprotected: Header::new(),
            signature,
        };
        let signatures = token.signatures.iter().chain([&ours]);
        let signatures: Vec<_> = signatures.map(Signature::write).collect();
        let text = [
            r#"{"payload":"#,
            &json::quoted(&payload),
            r#","signatures":["#,
            &signatures.join(","),
            "]}",
        ]
        .concat();
        check_len("token", text.len(), limits::TOKEN_JSON)?;
        Ok(text)
    }
}

impl VerifyingKey {
    /// Verifies a JWS in the flattened or the general JSON serialization, and returns its payload and
    /// the protected header of the signature that this key verified. The text has at most
    /// [`limits::TOKEN_JSON`] bytes.
    ///
    /// In the general serialization, one of the signatures must be of this key; whether the others are
    /// valid does not matter. There are at most [`limits::SIGNATURES`], and all protected headers must be
    /// JSON. Unprotected headers are checked for names that are also protected, and are not returned,
    /// because nobody signs them.
    ///
    /// # Errors
    /// As [`Self::verify_jws`], with [`Error::UnprotectedAlgorithm`], [`Error::MixedForms`],
    /// [`Error::TooManySignatures`] and [`Error::PayloadDetached`]. If no signature is valid, the error is
    /// that of the first one that names the algorithm of this key.
    pub fn verify_jws_json(&self, token: &str) -> Result<Token, Error> {
        let mut token = Json::read(token)?;
        let payload = token.payload.take().ok_or(Error::PayloadDetached)?;
        let header = self.verify_any(token, |mu, protected| {
            signing_input(mu, protected, &payload)
        })?;
        let payload = base64url::decode("payload", &payload)?;
        Ok(Token { header, payload })
    }

    /// Verifies a JWS in a JSON serialization with a detached payload (RFC 7515, appendix F): without
    /// the member `payload`. Returns the protected header of the signature that this key verified.
    ///
    /// # Errors
    /// As [`Self::verify_jws_json`], with [`Error::PayloadPresent`] instead of
    /// [`Error::PayloadDetached`].
    pub fn verify_jws_json_detached(&self, token: &str, payload: &[u8]) -> Result<Header, Error> {
        let token = Json::read(token)?;
        if token.payload.is_some() {
            return Err(Error::PayloadPresent);
        }
        self.verify_any(token, |mu, protected| detached(mu, protected, payload))
    }

    /// Returns the header of the first signature that is valid for this key. `hash` hashes a protected
    /// header in base64url, and the payload.
    fn verify_any(
        &self,
        token: Json,
        hash: impl Fn(MuBuilder, &str) -> MuBuilder,
    ) -> Result<Header, Error> {
        let mut refused = Error::Missing("signatures");
        for signature in token.signatures {
            match self.verify_one(&signature, &hash) {
                Ok(()) => return Ok(signature.header),
                // A signature by another key says less than one that could be by this key.
                Err(error) if is_by_another_key(refused) => refused = error,
                Err(_) => (),
            }
        }
        Err(refused)
    }

    fn verify_one(
        &self,
        signature: &Signature,
        hash: impl Fn(MuBuilder, &str) -> MuBuilder,
    ) -> Result<(), Error> {
        signature.unprotected.check_unprotected()?;
        self.check_algorithm(signature.header.check_protected()?)?;
        let mu = hash(self.mu()?, &signature.protected);
        self.verify_encoded(mu, &signature.signature)
    }
}

/// Returns whether an error means that a signature is not by the key, or that there was none.
fn is_by_another_key(error: Error) -> bool {
    use Error::{AlgorithmMismatch, Missing, UnknownAlgorithm};
    matches!(
        error,
        AlgorithmMismatch { .. } | UnknownAlgorithm | Missing("signatures")
    )
}

/// A JWS in a JSON serialization.
struct Json {
    payload: Option<String>,
    signatures: Vec<Signature>,
}

/// A signature with its headers, which have not been checked.
struct Signature {
    /// The protected header in base64url.
    protected: String,
    header: Header,
    unprotected: Header,
    /// The signature in base64url.
    signature: String,
}

impl Json {
    fn read(text: &str) -> Result<Self, Error> {
        check_len("token", text.len(), limits::TOKEN_JSON)?;
        let mut object = json::read_map(text)?;
        let payload = json::take_text(&mut object, "payload")?;
        let signatures = match object.remove("signatures") {
            None => alloc::vec![Signature::take(object)?],
            Some(Value::Array(all)) => {
                // The members of the flattened form must not be there (RFC 7515, section 7.2.2).
                let flattened = ["protected", "header", "signature"];
                if flattened.iter().any(|name| object.contains_key(*name)) {
                    return Err(Error::MixedForms);
                }
                if all.len() > limits::SIGNATURES {
                    return Err(Error::TooManySignatures);
                }
                let each = all.into_iter().map(|each| match each {
                    Value::Object(members) => Signature::take(members),
                    _ => Err(Error::WrongType("signatures")),
                });
                each.collect::<Result<_, _>>()?
            }
            Some(_) => return Err(Error::WrongType("signatures")),
        };
        Ok(Self {
            payload,
            signatures,
        })
    }
}

impl Signature {
    /// Takes the members of a signature. Others are ignored (RFC 7515, section 7.2.1).
    fn take(mut members: Map<String, Value>) -> Result<Self, Error> {
        let signature = json::take_text(&mut members, "signature")?;
        let signature = signature.ok_or(Error::Missing("signature"))?;
        let unprotected = match members.remove("header") {
            None => Header::new(),
            Some(Value::Object(members)) => Header::of(members),
            Some(_) => return Err(Error::WrongType("header")),
        };
        let protected = json::take_text(&mut members, "protected")?;
        let protected = protected.ok_or(Error::Missing("protected"))?;
        let header = Header::decode(&protected)?;
        let names = unprotected.members().keys();
        if names.into_iter().any(|name| header.get(name).is_some()) {
            return Err(Error::Duplicate);
        }
        Ok(Self {
            protected,
            header,
            unprotected,
            signature,
        })
    }

    /// Writes a signature of the general serialization.
    fn write(&self) -> String {
        let members = self.unprotected.members();
        let unprotected = match members.is_empty() {
            true => String::new(),
            false => [r#","header":"#, &Value::from(members.clone()).to_string()].concat(),
        };
        [
            r#"{"protected":"#,
            &json::quoted(&self.protected),
            r#","signature":"#,
            &json::quoted(&self.signature),
            &unprotected,
            "}",
        ]
        .concat()
    }
}

/// Hashes what is signed (RFC 7515, section 5.1): a header and a payload, both in base64url.
fn signing_input(mut mu: MuBuilder, protected: &str, payload: &str) -> MuBuilder {
    for part in [protected, ".", payload] {
        mu.update(part.as_bytes());
    }
    mu
}
