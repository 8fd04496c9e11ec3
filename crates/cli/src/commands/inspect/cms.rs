//! Descriptions of CMS messages (RFC 5652). Signatures are not verified here.

use der::asn1::{AnyRef, GeneralizedTime, UtcTime};
use der::oid::ObjectIdentifier;
use der::{Decode, Encode, Tag, TagNumber};
use serde_json::{Value, json};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;

use super::certificate;
use super::fields::encoding as report_encoding;
use crate::algorithm::by_oid;
use crate::backend::Backend;
use crate::certificate::bundle;
use crate::error::Error;
use crate::key_error::KeyError;
use crate::keyfile::{Encoding, fields};
use crate::oid_names;
use crate::pem;
use crate::report::Report;

const SIGNED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.2");
const SIGNING_TIME: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.5");

/// The largest number of signers and of certificates that are described.
const MOST: usize = 256;

/// Describes a message in PEM or DER.
pub(super) fn describe(
    place: &str,
    bytes: &[u8],
    backend: Backend,
    report: &mut Report,
) -> Result<(), Error> {
    let wrong = |error: KeyError| Error::file(place, error);
    let (encoding, der) = match pem::is_pem(bytes) {
        true => {
            let (_, der) = pem::decode(bytes).map_err(|error| wrong(error.into()))?;
            (Encoding::Pem, der.to_vec())
        }
        false => (Encoding::Der, bytes.to_vec()),
    };
    report_encoding(encoding, "CMS", report)?;
    let outer = || fields(AnyRef::from_der(&der)?);
    let outer = outer().map_err(wrong)?;
    let [kind, content] = outer.as_slice() else {
        return Err(wrong(KeyError::Unrecognised));
    };
    let kind: ObjectIdentifier = kind
        .decode_as()
        .map_err(|error: der::Error| wrong(error.into()))?;
    report.field_as("content_type", kind.to_string(), &oid_names::with_oid(kind))?;
    if kind != SIGNED_DATA {
        return report.line("note", "only signed data is described");
    }
    let signed = Signed::of(*content).map_err(wrong)?;
    let content = signed.content_type;
    report.field_as(
        "signed_type",
        content.to_string(),
        &oid_names::with_oid(content),
    )?;
    report.data("content_length", signed.content_length);
    report.line(
        "content",
        &match signed.content_length {
            Some(length) => format!("{length} bytes"),
            None if signed.signers.is_empty() => "none, and nobody signed".into(),
            None => "in another file (a detached signature)".into(),
        },
    )?;
    let digests = signed.digests.iter().map(|oid| name(*oid));
    report.field("digests", digests.collect::<Vec<_>>())?;
    let mut signers = Vec::new();
    for signer in &signed.signers {
        signers.push(signer.report(report)?);
    }
    report.data("signers", signers);
    let mut certificates = Vec::new();
    for (number, der) in (1_u32..).zip(&signed.certificates) {
        let place = format!("{place}, certificate {number}");
        report.text("\n")?;
        report.line(
            "certificate",
            &format!("{number} of {}", signed.certificates.len()),
        )?;
        let parsed = bundle::parse(&place, der, "")?;
        let mut part = report.part();
        certificate::algorithm(parsed.body().subject_public_key_info(), &mut part)?;
        certificate::certificate(&parsed, Encoding::Der, backend, &mut part)?;
        certificates.push(part.into_value());
    }
    report.data("certificates", certificates);
    Ok(())
}

fn name(oid: ObjectIdentifier) -> String {
    let own = by_oid(oid).map(|algorithm| algorithm.name());
    own.or_else(|| oid_names::of(oid))
        .map_or_else(|| oid.to_string(), str::to_owned)
}

/// The fields of SignedData (RFC 5652, section 5.1).
struct Signed {
    digests: Vec<ObjectIdentifier>,
    content_type: ObjectIdentifier,
    /// `None` for a detached signature.
    content_length: Option<usize>,
    /// Each one in DER.
    certificates: Vec<Vec<u8>>,
    signers: Vec<Signer>,
}

impl Signed {
    fn of(content: AnyRef<'_>) -> Result<Self, KeyError> {
        let [inner] = fields(content)?
            .try_into()
            .map_err(|_| KeyError::Unrecognised)?;
        let all = fields(inner)?;
        let [_version, digests, encapsulated, rest @ .., signers] = all.as_slice() else {
            return Err(KeyError::Unrecognised);
        };
        let encapsulated = fields(*encapsulated)?;
        let content_type = encapsulated.first().ok_or(KeyError::Unrecognised)?;
        let content = encapsulated
            .get(1)
            .map(|content| fields(*content))
            .transpose()?;
        let content = content.and_then(|content| Some(content.first()?.value().len()));
        let certificates = rest.iter().find(|field| is_tagged(field, 0));
        let certificates = certificates.map(|set| fields(*set)).transpose()?;
        let (certificates, signers) = (certificates.unwrap_or_default(), fields(*signers)?);
        if certificates.len() > MOST || signers.len() > MOST {
            let text = format!("the message has more than {MOST} certificates or signers");
            return Err(KeyError::Malformed(text));
        }
        Ok(Self {
            digests: fields(*digests)?
                .into_iter()
                .map(algorithm)
                .collect::<Result<_, _>>()?,
            content_type: content_type.decode_as()?,
            content_length: content,
            // The others are attribute certificates and other formats.
            certificates: certificates
                .iter()
                .filter(|one| one.header().tag() == Tag::Sequence)
                .map(|one| Ok(one.to_der()?))
                .collect::<Result<_, KeyError>>()?,
            signers: signers
                .into_iter()
                .map(Signer::of)
                .collect::<Result<_, _>>()?,
        })
    }
}

fn is_tagged(field: &AnyRef<'_>, wanted: u32) -> bool {
    matches!(field.header().tag(), Tag::ContextSpecific { number, .. } if number == TagNumber(wanted))
}

/// The identifier of an AlgorithmIdentifier.
fn algorithm(identifier: AnyRef<'_>) -> Result<ObjectIdentifier, KeyError> {
    let fields = fields(identifier)?;
    let oid = fields.first().ok_or(KeyError::Unrecognised)?;
    Ok(oid.decode_as()?)
}

/// A SignerInfo (RFC 5652, section 5.3).
struct Signer {
    /// The issuer and the serial number of the certificate, or the identifier of the key in hex.
    identifier: Value,
    digest: ObjectIdentifier,
    attributes: Vec<ObjectIdentifier>,
    time: Option<String>,
    algorithm: ObjectIdentifier,
    signature_length: usize,
}

impl Signer {
    fn of(info: AnyRef<'_>) -> Result<Self, KeyError> {
        let all = fields(info)?;
        let [_version, identifier, digest, rest @ ..] = all.as_slice() else {
            return Err(KeyError::Unrecognised);
        };
        let attributes = rest.first().filter(|field| is_tagged(field, 0));
        let after = rest.get(usize::from(attributes.is_some())..);
        let Some([by, signature, ..]) = after else {
            return Err(KeyError::Unrecognised);
        };
        let identifier = match identifier.header().tag() {
            Tag::Sequence => {
                let parts = fields(*identifier)?;
                let [issuer, serial] = parts.as_slice() else {
                    return Err(KeyError::Unrecognised);
                };
                let issuer = Name::from_der(&issuer.to_der()?)?.to_string();
                let serial =
                    SerialNumber::<x509_cert::certificate::Rfc5280>::from_der(&serial.to_der()?)?;
                json!({ "issuer": issuer, "serial": serial.to_string() })
            }
            _ => json!({ "key_identifier": hex::encode(identifier.value()) }),
        };
        let attributes = attributes.map(|set| fields(*set)).transpose()?;
        let (mut kinds, mut time) = (Vec::new(), None);
        for attribute in attributes.unwrap_or_default() {
            let parts = fields(attribute)?;
            let [kind, values] = parts.as_slice() else {
                return Err(KeyError::Unrecognised);
            };
            let kind: ObjectIdentifier = kind.decode_as()?;
            if kind == SIGNING_TIME {
                time = fields(*values)?.first().and_then(|time| date(*time));
            }
            kinds.push(kind);
        }
        Ok(Self {
            identifier,
            digest: algorithm(*digest)?,
            attributes: kinds,
            time,
            algorithm: algorithm(*by)?,
            signature_length: signature.value().len(),
        })
    }

    /// Reports the signer in text, and returns it for JSON.
    fn report(&self, report: &Report) -> Result<Value, Error> {
        report.line("signer", &crate::report::text(&self.identifier))?;
        let (with, digest) = (name(self.algorithm), name(self.digest));
        report.line("signed with", &format!("{with}, digest {digest}"))?;
        let attributes: Vec<_> = self.attributes.iter().map(|oid| name(*oid)).collect();
        let text = match attributes.as_slice() {
            [] => "none".into(),
            all => all.join(", "),
        };
        report.line("attributes", &text)?;
        if let Some(time) = &self.time {
            report.line("signing time", time)?;
        }
        report.line(
            "signature",
            &format!("{} bytes, not verified here", self.signature_length),
        )?;
        Ok(json!({
            "identifier": self.identifier,
            "signature_algorithm": with,
            "digest": digest,
            "attributes": attributes,
            "signing_time": self.time,
            "signature_length": self.signature_length,
        }))
    }
}

/// A time in UTC.
fn date(time: AnyRef<'_>) -> Option<String> {
    let date = match time.header().tag() {
        Tag::UtcTime => time.decode_as::<UtcTime>().ok()?.to_date_time(),
        _ => time.decode_as::<GeneralizedTime>().ok()?.to_date_time(),
    };
    Some(date.to_string())
}
