//! Envelopes of DSSE 1.0.2 (Dead Simple Signing Envelope), such as in-toto attestations are in.
//!
//! An envelope contains a payload, the type of the payload, and signatures of both. What is signed is
//! `DSSEv1`, the length and the text of the type, and the length and the bytes of the payload, with a
//! space between any two. The signature is one of pure ML-DSA with an empty context.
//!
//! ```
//! use moissanite_tokens::{Algorithm, SigningKey, SysRng, dsse};
//!
//! const TYPE: &str = "application/vnd.in-toto+json";
//! let [builder, reviewer] = ["builder", "reviewer"].map(|kid| {
//!     SigningKey::try_generate(Algorithm::MlDsa65, &mut SysRng).map(|key| key.with_kid(kid))
//! });
//! let (builder, reviewer) = (builder?, reviewer?);
//!
//! let envelope = builder.sign_dsse(&mut SysRng, TYPE, b"{}")?;
//! let envelope = reviewer.cosign_dsse(&mut SysRng, TYPE, &envelope)?;
//!
//! let keys = [builder.to_verifying_key(), reviewer.to_verifying_key()];
//! assert_eq!(keys[0].verify_dsse(&envelope, TYPE)?, b"{}");
//! assert_eq!(dsse::verify(&envelope, TYPE, &keys, 2)?.signers, [0, 1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use base64::alphabet;
use base64::engine::general_purpose::PAD;
use base64::{DecodeError, Engine, engine::GeneralPurpose};
use moissanite::MuBuilder;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::error::{Error, check_len};
use crate::jose::json::{self, Fault, Members, Object, Text};
use crate::limits;
use crate::randomness::Randomness;
use crate::signing::SigningKey;
use crate::verifying::VerifyingKey;

/// The alphabet in which this crate writes.
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, PAD);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, PAD);

impl SigningKey {
    /// Signs a payload, and returns the envelope in JSON. Its `keyid` is the identifier of this key, if
    /// it has one. `payload_type` should be a media type or a URI.
    ///
    /// # Errors
    /// [`Error::Signing`], [`Error::KeyIdNotText`], [`Error::TooLong`].
    pub fn sign_dsse(
        &self,
        randomness: impl Randomness,
        payload_type: &str,
        payload: &[u8],
    ) -> Result<String, Error> {
        let envelope = Envelope {
            payload_type: payload_type.into(),
            payload: STANDARD.encode(payload).into(),
            signatures: Vec::new(),
        };
        self.add_signature(randomness, envelope, payload)
    }

    /// Adds a signature of this key to an envelope, and returns the new envelope. The other signatures
    /// stay as they are, and are not verified. Members that DSSE does not define are left out, because
    /// nobody signed them.
    ///
    /// # Errors
    /// [`Error::PayloadType`] if the envelope has another type than `payload_type`,
    /// [`Error::TooManySignatures`], and those of [`Self::sign_dsse`] and
    /// [`VerifyingKey::verify_dsse`].
    pub fn cosign_dsse(
        &self,
        randomness: impl Randomness,
        payload_type: &str,
        envelope: &str,
    ) -> Result<String, Error> {
        let envelope = Envelope::read(envelope)?;
        let payload = envelope.payload(payload_type)?;
        if envelope.signatures.len() == limits::SIGNATURES {
            return Err(Error::TooManySignatures);
        }
        self.add_signature(randomness, envelope, &payload)
    }

    fn add_signature<'a>(
        &'a self,
        randomness: impl Randomness,
        mut envelope: Envelope<'a>,
        payload: &[u8],
    ) -> Result<String, Error> {
        let kid = self.kid().map(core::str::from_utf8).transpose();
        let kid = kid.map_err(|_| Error::KeyIdNotText)?;
        let mu = pre_authentication(self.mu()?, &envelope.payload_type, payload);
        envelope.signatures.push(Signature {
            keyid: kid.map(Cow::from),
            sig: STANDARD.encode(self.sign(randomness, mu)?).into(),
        });
        let text = envelope.write();
        check_len("envelope", text.len(), limits::ENVELOPE)?;
        Ok(text)
    }
}

impl VerifyingKey {
    /// Verifies that this key signed an envelope, and returns the payload. The text has at most
    /// [`limits::ENVELOPE`] bytes and [`limits::SIGNATURES`] signatures.
    ///
    /// The payload must have the type that the caller expects: two types can have the same bytes with
    /// different meanings. `keyid` has no effect. Base64 is of either alphabet and has padding. Members that
    /// DSSE does not define are ignored.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Json`], [`Error::TrailingData`], [`Error::Duplicate`],
    /// [`Error::Missing`], [`Error::WrongType`], [`Error::TooManySignatures`], [`Error::PayloadType`],
    /// [`Error::Base64`], [`Error::TrailingBits`], and [`Error::InvalidSignature`] if no signature is of
    /// this key.
    pub fn verify_dsse(&self, envelope: &str, payload_type: &str) -> Result<Vec<u8>, Error> {
        let verified = verify(envelope, payload_type, [self], 1);
        verified
            .map(|verified| verified.payload)
            .map_err(|error| match error {
                Error::TooFewSignatures { .. } => Error::InvalidSignature,
                error => error,
            })
    }
}

/// The payload of an envelope, and who signed it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// The payload, of the type that the caller expects.
    pub payload: Vec<u8>,
    /// The positions of the keys with a valid signature, among the keys of the caller, in rising order. Of
    /// equal keys, only the first one counts.
    pub signers: Vec<usize>,
}

/// Verifies that at least `threshold` different keys of `keys` signed an envelope. A threshold of zero is
/// one of one.
///
/// A key counts once, however many signatures it made. Signatures by other keys have no effect. The time
/// grows with the number of keys times that of signatures.
///
/// # Errors
/// [`Error::TooFewSignatures`], and those of [`VerifyingKey::verify_dsse`] except
/// [`Error::InvalidSignature`].
pub fn verify<'a>(
    envelope: &str,
    payload_type: &str,
    keys: impl IntoIterator<Item = &'a VerifyingKey>,
    threshold: usize,
) -> Result<Verified, Error> {
    let envelope = Envelope::read(envelope)?;
    let payload = envelope.payload(payload_type)?;
    let signatures = envelope.signatures.iter();
    let signatures = signatures.map(|signature| decode("sig", &signature.sig));
    let signatures: Vec<_> = signatures.collect::<Result<_, _>>()?;
    let (mut signers, mut counted): (_, Vec<&VerifyingKey>) = (Vec::new(), Vec::new());
    for (position, key) in keys.into_iter().enumerate() {
        if counted.contains(&key) {
            continue;
        }
        let mu = pre_authentication(key.mu()?, payload_type, &payload);
        let mut signatures = signatures.iter();
        if signatures.any(|signature| key.verify(mu.clone(), signature).is_ok()) {
            signers.push(position);
            counted.push(key);
        }
    }
    let (required, valid) = (threshold.max(1), signers.len());
    if valid < required {
        return Err(Error::TooFewSignatures { required, valid });
    }
    Ok(Verified { payload, signers })
}

/// Returns `keyid` of each signature of an envelope, and nothing for a signature without it, to find the
/// keys. Nothing is verified, and anybody can write any identifier.
///
/// # Errors
/// As [`VerifyingKey::verify_dsse`], as far as they concern the structure.
pub fn unverified_key_ids(envelope: &str) -> Result<Vec<Option<String>>, Error> {
    let signatures = Envelope::read(envelope)?.signatures.into_iter();
    let ids = signatures.map(|signature| signature.keyid.map(Cow::into_owned));
    Ok(ids.collect())
}

/// Hashes the pre-authentication encoding (PAE) of a payload.
fn pre_authentication(mut mu: MuBuilder, payload_type: &str, payload: &[u8]) -> MuBuilder {
    for part in [
        "DSSEv1 ",
        &payload_type.len().to_string(),
        " ",
        payload_type,
        " ",
        &payload.len().to_string(),
        " ",
    ] {
        mu.update(part.as_bytes());
    }
    mu.update(payload);
    mu
}

/// Decodes base64 of either alphabet.
fn decode(part: &'static str, text: &str) -> Result<Vec<u8>, Error> {
    let engine = match text.contains(['-', '_']) {
        true => &URL_SAFE,
        false => &STANDARD,
    };
    engine.decode(text).map_err(|error| match error {
        DecodeError::InvalidLastSymbol { .. } => Error::TrailingBits(part),
        _ => Error::Base64(part),
    })
}

/// The members of an envelope, which borrow from its text where it has no escape sequences.
struct Envelope<'a> {
    payload_type: Cow<'a, str>,
    /// The payload in base64.
    payload: Cow<'a, str>,
    signatures: Vec<Signature<'a>>,
}

/// A signature of an envelope.
struct Signature<'a> {
    keyid: Option<Cow<'a, str>>,
    /// The signature in base64.
    sig: Cow<'a, str>,
}

impl<'a> Envelope<'a> {
    fn read(text: &'a str) -> Result<Self, Error> {
        check_len("envelope", text.len(), limits::ENVELOPE)?;
        let mut members = EnvelopeMembers::default();
        json::read(text, &mut members)?;
        Ok(Self {
            payload_type: members.payload_type.ok_or(Error::Missing("payloadType"))?,
            payload: members.payload.ok_or(Error::Missing("payload"))?,
            signatures: members.signatures.ok_or(Error::Missing("signatures"))?,
        })
    }

    /// Decodes the payload, which must have this type.
    fn payload(&self, payload_type: &str) -> Result<Vec<u8>, Error> {
        if self.payload_type != payload_type {
            return Err(Error::PayloadType);
        }
        decode("payload", &self.payload)
    }

    fn write(&self) -> String {
        let signatures: Vec<_> = self.signatures.iter().map(Signature::write).collect();
        [
            r#"{"payload":"#,
            &json::quoted(&self.payload),
            r#","payloadType":"#,
            &json::quoted(&self.payload_type),
            r#","signatures":["#,
            &signatures.join(","),
            "]}",
        ]
        .concat()
    }
}

impl Signature<'_> {
    fn write(&self) -> String {
        let sig = json::quoted(&self.sig);
        match self.keyid.as_deref().map(json::quoted) {
            Some(keyid) => [r#"{"keyid":"#, &keyid, r#","sig":"#, &sig, "}"].concat(),
            None => [r#"{"sig":"#, &sig, "}"].concat(),
        }
    }
}

/// The members of an envelope that have been read.
#[derive(Default)]
struct EnvelopeMembers<'a> {
    payload_type: Option<Cow<'a, str>>,
    payload: Option<Cow<'a, str>>,
    signatures: Option<Vec<Signature<'a>>>,
}

impl<'de> Members<'de> for EnvelopeMembers<'de> {
    fn member<A: MapAccess<'de>>(
        &mut self,
        name: Cow<'de, str>,
        object: &mut A,
        fault: &Fault,
    ) -> Result<(), A::Error> {
        let mut text = |of| object.next_value_seed(Text { of, fault });
        let repeated = match name.as_ref() {
            "payloadType" => self.payload_type.replace(text("payloadType")?).is_some(),
            "payload" => self.payload.replace(text("payload")?).is_some(),
            "signatures" => {
                let signatures = object.next_value_seed(Signatures(fault))?;
                self.signatures.replace(signatures).is_some()
            }
            // A value that has no effect is not kept: it could take much more memory than its text.
            _ => return object.next_value::<IgnoredAny>().map(|_| ()),
        };
        fault.stop_if(repeated, Error::Duplicate)
    }
}

/// The members of a signature that have been read.
#[derive(Default)]
struct SignatureMembers<'a> {
    keyid: Option<Cow<'a, str>>,
    sig: Option<Cow<'a, str>>,
}

impl<'de> Members<'de> for SignatureMembers<'de> {
    fn member<A: MapAccess<'de>>(
        &mut self,
        name: Cow<'de, str>,
        object: &mut A,
        fault: &Fault,
    ) -> Result<(), A::Error> {
        let mut text = |of| object.next_value_seed(Text { of, fault });
        let repeated = match name.as_ref() {
            "keyid" => self.keyid.replace(text("keyid")?).is_some(),
            "sig" => self.sig.replace(text("sig")?).is_some(),
            _ => return object.next_value::<IgnoredAny>().map(|_| ()),
        };
        fault.stop_if(repeated, Error::Duplicate)
    }
}

/// The array of signatures.
struct Signatures<'a>(&'a Fault);

impl<'de> DeserializeSeed<'de> for Signatures<'_> {
    type Value = Vec<Signature<'de>>;
    fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<Self::Value, D::Error> {
        reader.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Signatures<'_> {
    type Value = Vec<Signature<'de>>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of signatures")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let fault = self.0;
        let mut signatures = Vec::new();
        let mut members = SignatureMembers::default();
        while let Some(()) = sequence.next_element_seed(Object {
            members: &mut members,
            fault,
        })? {
            let SignatureMembers { keyid, sig } = core::mem::take(&mut members);
            let Some(sig) = sig else {
                return Err(fault.stop(Error::Missing("sig")));
            };
            let too_many = signatures.len() == limits::SIGNATURES;
            fault.stop_if(too_many, Error::TooManySignatures)?;
            signatures.push(Signature { keyid, sig });
        }
        Ok(signatures)
    }
}
