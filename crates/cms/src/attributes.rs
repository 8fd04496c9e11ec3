//! Signed attributes: content-type, message-digest, signing-time (RFC 5652, section 11), and
//! CMSAlgorithmProtection (RFC 6211).

use alloc::vec::Vec;
use core::time::Duration;

use der::asn1::{
    Any, GeneralizedTime, ObjectIdentifier, OctetString, OctetStringRef, SetOfVec, UtcTime,
};
use der::{DateTime, Decode, DecodeValue, Encode, FixedTag, Sequence, Tagged};
use x509_cert::attr::{Attribute, Attributes};
use x509_cert::spki::AlgorithmIdentifierOwned;
use x509_cert::time::Time;

use crate::error::Error;

const CONTENT_TYPE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.3");
const MESSAGE_DIGEST: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.4");
const SIGNING_TIME: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.5");
const ALGORITHM_PROTECTION: ObjectIdentifier =
    ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.52");
/// The last year that is written as UTCTime.
const LAST_UTC_YEAR: u16 = 2049;

/// The algorithms that a signer used (RFC 6211, section 2).
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct Algorithms {
    pub(crate) digest: AlgorithmIdentifierOwned,
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", optional = "true")]
    pub(crate) signature: Option<AlgorithmIdentifierOwned>,
    #[asn1(context_specific = "2", tag_mode = "IMPLICIT", optional = "true")]
    pub(crate) mac: Option<AlgorithmIdentifierOwned>,
}

/// What the attributes state that this crate knows.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) content_type: ObjectIdentifier,
    pub(crate) message_digest: Vec<u8>,
    /// Seconds after 1970.
    pub(crate) signing_time: Option<u64>,
    pub(crate) algorithms: Option<Algorithms>,
}

impl Statement {
    /// Reads attributes. Each has one value and occurs once, and the first two are required (RFC 5652, sections
    /// 5.3 and 11). Unknown attributes are ignored.
    pub(crate) fn read(attributes: &Attributes) -> Result<Self, Error> {
        if attributes
            .iter()
            .any(|attribute| attribute.values.is_empty())
        {
            return Err(Error::Attribute);
        }
        let content_type: Option<ObjectIdentifier> = single(attributes, CONTENT_TYPE)?;
        let message_digest: Option<OctetString> = single(attributes, MESSAGE_DIGEST)?;
        Ok(Self {
            content_type: content_type.ok_or(Error::ContentType)?,
            message_digest: message_digest
                .ok_or(Error::NoMessageDigest)?
                .as_bytes()
                .into(),
            signing_time: signing_time(attributes)?,
            algorithms: single(attributes, ALGORITHM_PROTECTION)?,
        })
    }

    /// Writes the attributes, sorted as DER requires.
    pub(crate) fn write(&self) -> Result<Attributes, Error> {
        let digest = OctetStringRef::new(&self.message_digest).map_err(|_| Error::Der)?;
        let mut attributes = alloc::vec![
            attribute(CONTENT_TYPE, &self.content_type)?,
            attribute(MESSAGE_DIGEST, &digest)?,
        ];
        if let Some(seconds) = self.signing_time {
            attributes.push(attribute(SIGNING_TIME, &time(seconds)?)?);
        }
        if let Some(algorithms) = &self.algorithms {
            attributes.push(attribute(ALGORITHM_PROTECTION, algorithms)?);
        }
        SetOfVec::try_from(attributes).map_err(|_| Error::Der)
    }
}

/// The time of the attribute signing-time, in seconds after 1970.
pub(crate) fn signing_time(attributes: &Attributes) -> Result<Option<u64>, Error> {
    let Some(value) = single_value(attributes, SIGNING_TIME)? else {
        return Ok(None);
    };
    let time = match value.tag() {
        UtcTime::TAG => Time::UtcTime(decode(value)?),
        _ => Time::GeneralTime(decode(value)?),
    };
    match time {
        // RFC 5652, section 11.3: dates through 2049 are written as UTCTime.
        Time::GeneralTime(time) if time.to_date_time().year() <= LAST_UTC_YEAR => {
            Err(Error::Attribute)
        }
        _ => Ok(Some(time.to_unix_duration().as_secs())),
    }
}

/// Whether a content is a set of attributes with those that are required. Its signature could then be that of
/// signed attributes.
pub(crate) fn is_encoding_of_attributes(content: &[u8]) -> bool {
    Attributes::from_der(content).is_ok_and(|attributes| {
        let has = |oid| attributes.iter().any(|attribute| attribute.oid == oid);
        has(CONTENT_TYPE) && has(MESSAGE_DIGEST)
    })
}

fn time(seconds: u64) -> Result<Time, Error> {
    let time = DateTime::from_unix_duration(Duration::from_secs(seconds));
    let time = time.map_err(|_| Error::SigningTime)?;
    if time.year() <= LAST_UTC_YEAR {
        let time = UtcTime::from_date_time(time).map_err(|_| Error::SigningTime)?;
        return Ok(Time::UtcTime(time));
    }
    Ok(Time::GeneralTime(GeneralizedTime::from_date_time(time)))
}

fn attribute(oid: ObjectIdentifier, value: &impl Encode) -> Result<Attribute, Error> {
    let value = value.to_der().and_then(|der| Any::from_der(&der));
    let values = value.and_then(|value| SetOfVec::try_from(alloc::vec![value]));
    let values = values.map_err(|_| Error::Der)?;
    Ok(Attribute { oid, values })
}

/// The value of an attribute that occurs at most once, and then with one value.
fn single_value(attributes: &Attributes, oid: ObjectIdentifier) -> Result<Option<&Any>, Error> {
    let mut found = attributes.iter().filter(|attribute| attribute.oid == oid);
    match (found.next(), found.next()) {
        (None, _) => Ok(None),
        (Some(attribute), None) if attribute.values.len() == 1 => Ok(attribute.values.get(0)),
        _ => Err(Error::Attribute),
    }
}

fn single<T>(attributes: &Attributes, oid: ObjectIdentifier) -> Result<Option<T>, Error>
where
    T: for<'a> DecodeValue<'a> + FixedTag + Encode,
{
    single_value(attributes, oid)?.map(decode).transpose()
}

/// Decodes a value that is in DER throughout.
fn decode<T>(value: &Any) -> Result<T, Error>
where
    T: for<'a> DecodeValue<'a> + FixedTag + Encode,
{
    let decoded: T = value.decode_as().map_err(|_| Error::Attribute)?;
    match (decoded.to_der(), value.to_der()) {
        (Ok(canonical), Ok(der)) if canonical == der => Ok(decoded),
        _ => Err(Error::Attribute),
    }
}
