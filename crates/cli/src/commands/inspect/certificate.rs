//! Descriptions of certificates and requests.

use der::Encode;
use der::oid::ObjectIdentifier;
use serde_json::{Value, json};
use x509_cert::Version;
use x509_cert::ext::Extension;
use x509_cert::spki::SubjectPublicKeyInfoOwned;

use super::fields;
use crate::algorithm::by_oid;
use crate::backend::Backend;
use crate::certificate::extensions::Extensions;
use crate::certificate::parsed::ParsedCertificate;
use crate::certificate::request::ParsedRequest;
use crate::certificate::text;
use crate::error::Error;
use crate::fingerprint;
use crate::keyfile::{Encoding, KeyFile, public_key_name};
use crate::oid_names;
use crate::report::{self, Report};

/// Describes a certificate with a key of any algorithm.
pub(super) fn certificate(
    certificate: &ParsedCertificate,
    encoding: Encoding,
    backend: Backend,
    report: &mut Report,
) -> Result<(), Error> {
    let contents = certificate.body();
    let version = match contents.version() {
        Version::V1 => 1,
        Version::V2 => 2,
        Version::V3 => 3,
    };
    fields::encoding(encoding, &format!("X.509, version {version}"), report)?;
    let (subject, issuer) = (contents.subject(), contents.issuer());
    let validity = contents.validity();
    report.field("subject", subject.to_string())?;
    report.field("issuer", issuer.to_string())?;
    report.field("serial", contents.serial_number().to_string())?;
    let (from, to) = (
        validity.not_before.to_string(),
        validity.not_after.to_string(),
    );
    report.line("valid", &format!("from {from} to {to}"))?;
    report.data("not_before", from);
    report.data("not_after", to);
    extensions(
        contents.extensions().map(Vec::as_slice).unwrap_or_default(),
        report,
    )?;
    let refused = certificate.check().err().map(|error| error.to_string());
    if let Some(why) = &refused {
        report.line("refused", &format!("by `moissanite cert verify`: {why}"))?;
    }
    report.data("refused", refused);
    report.field("fingerprint", fingerprint::of(&certificate.der))?;
    signed_with(certificate.certificate.signature_algorithm().oid, report)?;
    if !certificate.is_key_known() {
        let key = contents.subject_public_key_info();
        report.data(
            "public_key_length",
            key.subject_public_key.raw_bytes().len(),
        );
        report.data("signature_length", Value::Null);
        let der = key.to_der().unwrap_or_default();
        report.field("key_fingerprint", fingerprint::of(&der))?;
        report.data("self_signed", Value::Null);
        return report.line(
            "signature",
            "not checked with its own key, which this program does not use",
        );
    }
    let key = certificate.key(backend);
    let key = key.map_err(|error| Error::file(&certificate.place, error))?;
    fields::public_key(&*key, "key_fingerprint", report)?;
    let is_self_signed = certificate.is_signed_by(&*key)?;
    report.data("self_signed", is_self_signed);
    let signature = if is_self_signed {
        "valid: the certificate is signed by its own key"
    } else {
        "not by its own key; `moissanite cert verify` checks it with the issuer's certificate"
    };
    report.line("signature", signature)
}

/// Reports the algorithm of a public key, and its size if this command does not use it.
pub(super) fn algorithm(key: &SubjectPublicKeyInfoOwned, report: &mut Report) -> Result<(), Error> {
    let oid = key.algorithm.oid;
    if let Some(algorithm) = by_oid(oid) {
        let name = algorithm.name();
        report.field_as("algorithm", name, &format!("{name} ({oid})"))?;
    } else {
        let name = public_key_name(&key.to_der().unwrap_or_default());
        let name = name.unwrap_or_else(|| oid.to_string());
        report.field_as("algorithm", name.as_str(), &fields::unused(&name, oid))?;
    }
    report.data("oid", oid.to_string());
    Ok(())
}

/// Reports the algorithm of a signature.
pub(super) fn signed_with(oid: ObjectIdentifier, report: &mut Report) -> Result<(), Error> {
    let text = match by_oid(oid) {
        Some(algorithm) => format!("{} ({oid})", algorithm.name()),
        None => oid_names::with_oid(oid),
    };
    let name = by_oid(oid).map(|algorithm| algorithm.name());
    let name = name.or_else(|| oid_names::of(oid));
    report.data("signature_algorithm", name);
    report.data("signature_oid", oid.to_string());
    report.line("signed with", &text)
}

/// Describes a request, and checks its signature.
pub(super) fn request(file: &KeyFile, backend: Backend, report: &mut Report) -> Result<(), Error> {
    fields::encoding(file.encoding, "PKCS#10", report)?;
    let request = ParsedRequest::in_file(file)?;
    report.field("subject", request.request.info.subject.to_string())?;
    let asked = request.extensions()?;
    extensions(&asked, report)?;
    let refused = Extensions::read(&asked)
        .err()
        .map(|error| error.to_string());
    if let Some(why) = &refused {
        report.line("extensions", &format!("not acceptable: {why}"))?;
    }
    report.data("refused", refused);
    signed_with(request.request.algorithm.oid, report)?;
    let key = request.key(backend)?;
    fields::public_key(&*key, "key_fingerprint", report)?;
    request.check_signature(&*key)?;
    report.data("self_signed", true);
    report.line("signature", "valid: the request is signed by its own key")
}

/// Reports all extensions, including unknown ones.
fn extensions(all: &[Extension], report: &mut Report) -> Result<(), Error> {
    let mut described = Vec::new();
    for extension in all {
        let (name, value) = text::line(extension);
        described.push(json!({
            "name": name,
            "oid": extension.extn_id.to_string(),
            "critical": extension.critical,
            "value": value,
        }));
        report.line(name, &report::text(&value))?;
    }
    report.data("extensions", described);
    Ok(())
}
