//! Files with several certificates in PEM, one after the other.

use der::asn1::AnyRef;
use der::{Decode, SliceReader, Tag};
use x509_cert::name::Name;

use super::Link;
use crate::error::Error;
use crate::keyfile::{self, KeyError, Signed};
use crate::message::Source;
use crate::pem;

/// Bytes of a file.
const MAX_BUNDLE: u32 = 64 << 20;
/// Bytes of one certificate, with the text around it.
const MAX_CERTIFICATE: usize = 1 << 20;
/// How the PEM text of a certificate begins, even if the line is damaged.
const BEGIN: &[u8] = b"-----BEGIN CERTIFICATE-";

/// All certificates in a file, in the order that they have there, of whatever keys: one or, in PEM,
/// several. One of several that cannot be read is an error in its place; anything else than a
/// certificate is an error for the whole file.
pub(crate) fn read(source: &Source) -> Result<Vec<Result<Link, Error>>, Error> {
    let place = source.place();
    let bytes = source.read_at_most(1 + u64::from(MAX_BUNDLE))?;
    if u32::try_from(bytes.len()).map_or(true, |length| length > MAX_BUNDLE) {
        let most = MAX_BUNDLE >> 20;
        let why = format!("the file is too large; certificates are read up to {most} MiB");
        return Err(Error::key(place, KeyError::Malformed(why)));
    }
    match pem::documents(&bytes) {
        several if several.len() > 1 => {
            let numbered = (1_u32..).zip(several);
            numbered
                .map(|(number, text)| one_of(&place, number, text))
                .collect()
        }
        _ => Ok(vec![Ok(link(&place, &bytes, "")?)]),
    }
}

/// `number` counts from 1.
fn one_of(place: &str, number: u32, text: &[u8]) -> Result<Result<Link, Error>, Error> {
    let hint = "; keep nothing but certificates in this file";
    if !text.starts_with(BEGIN) {
        return link(&format!("{place}, document {number}"), text, hint).map(Ok);
    }
    let link = link(&format!("{place}, certificate {number}"), text, hint);
    Ok(link.map(|link| {
        let subject = link.certificate.tbs_certificate().subject();
        let title = format!("{} ({subject})", link.place);
        Link { title, ..link }
    }))
}

fn link(place: &str, text: &[u8], hint: &'static str) -> Result<Link, Error> {
    let read = || {
        if text.len() > MAX_CERTIFICATE {
            let most = MAX_CERTIFICATE >> 20;
            let why = format!("the certificate is too large; one has at most {most} MiB");
            return Err(KeyError::Malformed(why));
        }
        let der = keyfile::certificate(text, hint)?;
        let signed = Signed::parse(&der)?;
        Ok(Link::new(place.into(), &der, signed))
    };
    read().map_err(|error| match subject(text) {
        Some(subject) => Error::key(format!("{place} ({subject})"), error),
        None => Error::key(place, error),
    })
}

/// The subject of a certificate of which something else may not be readable.
fn subject(text: &[u8]) -> Option<Name> {
    let (_, der) = pem::decode(text).ok()?;
    let certificate = AnyRef::from_der(&der).ok()?;
    let mut reader = SliceReader::new(certificate.value()).ok()?;
    let body = AnyRef::decode(&mut reader).ok()?;
    let mut reader = SliceReader::new(body.value()).ok()?;
    // The version can be left out; the number, the algorithm, the issuer and the times cannot.
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
