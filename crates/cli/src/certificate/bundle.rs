//! Files with one certificate, or with several in PEM.

use der::asn1::AnyRef;
use der::{Decode, SliceReader, Tag};
use x509_cert::name::Name;

use super::parsed::ParsedCertificate;
use crate::error::Error;
use crate::input::Source;
use crate::key_error::KeyError;
use crate::keyfile;
use crate::pem;

/// The largest size of a file, in bytes.
const MAX_BUNDLE: u32 = 64 << 20;
/// The largest number of certificates in a file.
const MAX_CERTIFICATES: usize = 1 << 14;
/// The largest number of attributes of names and extensions in all certificates of a file. In memory,
/// each one is many times larger than in DER.
const MAX_PARTS: usize = 1 << 17;
/// The largest size of one certificate with the text around it, in bytes.
const MAX_CERTIFICATE: usize = 1 << 20;
/// The beginning of the PEM text of a certificate, even if the rest of the line is damaged.
const BEGIN: &[u8] = b"-----BEGIN CERTIFICATE-";

/// All certificates in a file, in their order there, with keys of any algorithm. If one of several
/// cannot be read, its entry is an error. Any other content is an error for the whole file.
pub(crate) fn read(source: &Source) -> Result<Vec<Result<ParsedCertificate, Error>>, Error> {
    let place = source.place();
    let bytes = source.read_at_most(1 + u64::from(MAX_BUNDLE))?;
    if u32::try_from(bytes.len()).map_or(true, |length| length > MAX_BUNDLE) {
        let most = MAX_BUNDLE >> 20;
        let why = format!("the file is too large; certificates are read up to {most} MiB");
        return Err(Error::file(place, KeyError::Malformed(why)));
    }
    match pem::documents(&bytes) {
        several if several.len() > MAX_CERTIFICATES => {
            let why = format!("the file has more than {MAX_CERTIFICATES} certificates");
            Err(Error::file(place, KeyError::Malformed(why)))
        }
        several if several.len() > 1 => all_of(&place, &several),
        _ => Ok(vec![Ok(parse(&place, &bytes, "")?)]),
    }
}

/// Reads the documents of a file with several.
fn all_of(place: &str, several: &[&[u8]]) -> Result<Vec<Result<ParsedCertificate, Error>>, Error> {
    let mut all = Vec::new();
    let mut count = 0;
    for (number, text) in (1_u32..).zip(several) {
        let one = one_of(place, number, text)?;
        count += one.as_ref().map_or(0, parts);
        if count > MAX_PARTS {
            let why = format!(
                "its certificates have more than {MAX_PARTS} extensions and attributes of names"
            );
            return Err(Error::file(place, KeyError::Malformed(why)));
        }
        all.push(one);
    }
    Ok(all)
}

/// The number of attributes of names and extensions.
fn parts(certificate: &ParsedCertificate) -> usize {
    let body = certificate.body();
    let names = [body.issuer(), body.subject()].map(|name| name.iter().count());
    names.iter().sum::<usize>() + body.extensions().map_or(0, Vec::len)
}

/// Reads the document with this number, counted from 1, of a file with several.
fn one_of(
    place: &str,
    number: u32,
    text: &[u8],
) -> Result<Result<ParsedCertificate, Error>, Error> {
    let hint = "; this file may hold certificates only";
    if !text.starts_with(BEGIN) {
        return parse(&format!("{place}, document {number}"), text, hint).map(Ok);
    }
    let parsed = parse(&format!("{place}, certificate {number}"), text, hint);
    Ok(parsed.map(|mut parsed| {
        let subject = parsed.body().subject();
        parsed.title = format!("{} ({subject})", parsed.place);
        parsed
    }))
}

/// Reads one certificate. `hint` ends the error for other content.
pub(crate) fn parse(
    place: &str,
    text: &[u8],
    hint: &'static str,
) -> Result<ParsedCertificate, Error> {
    let read = || {
        if text.len() > MAX_CERTIFICATE {
            let most = MAX_CERTIFICATE >> 20;
            let why = format!("the certificate is too large; one has at most {most} MiB");
            return Err(KeyError::Malformed(why));
        }
        let (certificate, der) = keyfile::certificate(text, hint)?;
        ParsedCertificate::new(place.into(), &der, certificate)
    };
    read().map_err(|error| match subject(text) {
        Some(subject) => Error::file(format!("{place} ({subject})"), error),
        None => Error::file(place, error),
    })
}

/// The subject of a certificate, even if its other fields cannot be read.
fn subject(text: &[u8]) -> Option<Name> {
    let (_, der) = pem::decode(text).ok()?;
    let certificate = AnyRef::from_der(&der).ok()?;
    let mut reader = SliceReader::new(certificate.value()).ok()?;
    let body = AnyRef::decode(&mut reader).ok()?;
    let mut reader = SliceReader::new(body.value()).ok()?;
    // The version is optional. The serial number, the algorithm, the issuer and the validity precede
    // the subject.
    let first = AnyRef::decode(&mut reader).ok()?;
    let before = if first.header().tag() == Tag::Integer {
        3
    } else {
        4
    };
    for _ in 0..before {
        AnyRef::decode(&mut reader).ok()?;
    }
    Name::decode(&mut reader).ok()
}
