//! CRLs in decoded form.

use std::time::Duration;

use der::asn1::AnyRef;
use der::{Decode, SliceReader, Tag};
use x509_cert::Certificate;
use x509_cert::crl::{CertificateList, RevokedCert, TbsCertList};
use x509_cert::serial_number::SerialNumber;
use x509_cert::time::Time;

use super::error::CrlError;
use super::strict::{self, CrlExtensions, is_less};
use super::text;
use crate::algorithm::scheme::PublicKey;
use crate::certificate::extensions::Extensions;
use crate::certificate::names::ComparableName;
use crate::certificate::parsed::ParsedCertificate;
use crate::certificate::signed::{is_signature, signed_part};
use crate::error::Error;
use crate::input::Source;
use crate::key_error::KeyError;
use crate::pem;

/// The largest size of a file, in bytes.
const MAX_FILE: u32 = 16 << 20;
/// The largest number of entries and of their extensions in a file. In memory, each one is several times
/// larger than in DER.
const MAX_PARTS: usize = 1 << 20;

/// The PEM label of CRLs.
pub(crate) const LABEL: &str = "X509 CRL";

/// A decoded CRL and its origin.
#[derive(Debug)]
pub(crate) struct ParsedCrl {
    /// The file and, if the file has several CRLs, the number of this one.
    pub(crate) place: String,
    /// The fields.
    pub(crate) list: CertificateList,
    /// The DER of the CRL.
    pub(crate) der: Vec<u8>,
    /// The signed part of `der`.
    message: Vec<u8>,
    /// The issuer, prepared for comparison.
    issuer: ComparableName,
    /// The result of the checks that need no other file.
    checked: Result<CrlExtensions, CrlError>,
}

/// All CRLs in a file: one in DER, or one or several in PEM.
pub(crate) fn read(source: &Source) -> Result<Vec<ParsedCrl>, Error> {
    let place = source.place();
    let bytes = source.read_at_most(1 + u64::from(MAX_FILE))?;
    read_bytes(&place, &bytes)
}

/// All CRLs in these bytes.
pub(crate) fn read_bytes(place: &str, bytes: &[u8]) -> Result<Vec<ParsedCrl>, Error> {
    let malformed = |why: String| Err(Error::file(place, KeyError::Malformed(why)));
    if u32::try_from(bytes.len()).map_or(true, |length| length > MAX_FILE) {
        let most = MAX_FILE >> 20;
        return malformed(format!(
            "the file is too large; CRLs are read up to {most} MiB"
        ));
    }
    // The bytes of a CRL in DER can contain the first line of PEM text.
    let is_der = AnyRef::from_der(bytes).is_ok();
    let several = if is_der {
        vec![]
    } else {
        pem::documents(bytes)
    };
    let crls = if several.len() > 1 {
        let numbered = (1_u32..).zip(several);
        let parse = |(number, text)| ParsedCrl::parse(&format!("{place}, CRL {number}"), text);
        numbered.map(parse).collect::<Result<Vec<_>, _>>()?
    } else {
        vec![ParsedCrl::parse(place, bytes)?]
    };
    if crls.iter().map(ParsedCrl::parts).sum::<usize>() > MAX_PARTS {
        return malformed(format!(
            "its CRLs have more than {MAX_PARTS} entries and extensions of entries"
        ));
    }
    Ok(crls)
}

impl ParsedCrl {
    /// The one CRL in these bytes, in DER or PEM.
    fn parse(place: &str, bytes: &[u8]) -> Result<Self, Error> {
        let decoded = decode(bytes).and_then(|der| Self::of_der(place, der));
        decoded.map_err(|error| Error::file(place, error))
    }

    fn of_der(place: &str, der: Vec<u8>) -> Result<Self, KeyError> {
        let list = CertificateList::from_der(&der);
        let list = list.map_err(|error| undecodable(&der, error))?;
        let checked = strict::check(&list, &der);
        Ok(Self {
            place: place.into(),
            message: signed_part(&der)?.to_vec(),
            issuer: ComparableName::of(&list.tbs_cert_list.issuer),
            checked,
            list,
            der,
        })
    }

    /// The signed fields.
    pub(crate) fn body(&self) -> &TbsCertList {
        &self.list.tbs_cert_list
    }

    /// The number of entries and of their extensions.
    fn parts(&self) -> usize {
        let of_entry =
            |entry: &RevokedCert| 1 + entry.crl_entry_extensions.as_ref().map_or(0, Vec::len);
        text::entries(self.body()).iter().map(of_entry).sum()
    }

    /// The checks of the fields, the extensions and the entries, without the signature and the time.
    pub(crate) fn check(&self) -> Result<&CrlExtensions, &CrlError> {
        self.checked.as_ref()
    }

    /// Whether it replaces another CRL of its issuer: its number is larger. Without numbers, the later one
    /// replaces the other.
    pub(crate) fn is_newer_than(&self, other: &Self) -> bool {
        let number = |crl: &Self| crl.check().ok()?.number.clone();
        let begin = |crl: &Self| crl.body().this_update.to_unix_duration();
        match (number(self), number(other)) {
            (Some(own), Some(other)) if own != other => is_less(&other, &own),
            _ => begin(self) > begin(other),
        }
    }

    /// Whether its issuer has the name of the subject of this certificate.
    pub(crate) fn is_named_after(&self, issuer: &ParsedCertificate) -> bool {
        issuer.is_named(&self.issuer)
    }

    /// Checks that the key of this certificate, whose extensions these are, signed the CRL and may sign CRLs.
    pub(crate) fn check_issuer(
        &self,
        issuer: &ParsedCertificate,
        extensions: &Extensions,
        key: &dyn PublicKey,
    ) -> Result<Result<(), String>, Error> {
        let place = || issuer.title.clone();
        let refused = |error: CrlError| Ok(Err(error.to_string()));
        let found = match self.check() {
            Ok(found) => found,
            Err(error) => return Ok(Err(error.to_string())),
        };
        if !extensions.may_sign_crls() {
            return refused(CrlError::NotForCrls(place()));
        }
        if let (Some(stated), Some(own)) = (&found.key, &extensions.key)
            && *stated != own.0
        {
            return refused(CrlError::OtherKey(place()));
        }
        let (algorithm, signature) = (&self.list.signature_algorithm, &self.list.signature);
        if !is_signature(&self.message, key, algorithm, signature)? {
            return refused(CrlError::Signature(place()));
        }
        Ok(Ok(()))
    }

    /// RFC 5280, section 6.3.3 (a): checks the time, which includes both ends.
    pub(crate) fn check_time(&self, at: Duration) -> Result<(), String> {
        let body = self.body();
        let is_over = |end: &Time| at.as_secs() > end.to_unix_duration().as_secs();
        let error = match body.next_update {
            _ if at < body.this_update.to_unix_duration() => CrlError::Early(body.this_update),
            None => CrlError::NoNextUpdate,
            // The end is written in whole seconds.
            Some(next) if is_over(&next) => CrlError::Late(next),
            Some(_) => return Ok(()),
        };
        Err(error.to_string())
    }

    /// The entry of a certificate of the issuer.
    pub(crate) fn entry(&self, serial: &SerialNumber) -> Option<&RevokedCert> {
        let mut entries = text::entries(self.body()).iter();
        entries.find(|entry| entry.serial_number == *serial)
    }
}

/// The DER of a file with one CRL.
fn decode(bytes: &[u8]) -> Result<Vec<u8>, KeyError> {
    match bytes {
        [] => return Err(KeyError::Empty),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return Err(KeyError::Utf16),
        _ if AnyRef::from_der(bytes).is_err() && pem::is_pem(bytes) => {}
        _ => return Ok(bytes.to_vec()),
    }
    let (label, der) = pem::decode(bytes)?;
    if label.as_str() == LABEL {
        return Ok(der.to_vec());
    }
    let why = format!("it is PEM of the type '{label}'; a CRL has the type {LABEL}");
    Err(KeyError::Malformed(why))
}

/// The error for DER that is not that of a CRL of version 2.
fn undecodable(der: &[u8], error: der::Error) -> KeyError {
    if Certificate::from_der(der).is_ok() {
        return KeyError::Malformed("it is a certificate, not a CRL".into());
    }
    match first_fields(der) {
        // The version is an INTEGER. The algorithm and the name of the issuer follow it.
        Ok([Tag::Sequence, Tag::Sequence]) => {
            KeyError::Malformed("it is a CRL of version 1, which is not supported".into())
        }
        _ => error.into(),
    }
}

/// The types of the first two fields of the signed part.
fn first_fields(der: &[u8]) -> der::Result<[Tag; 2]> {
    let mut reader = SliceReader::new(AnyRef::from_der(signed_part(der)?)?.value())?;
    let mut next = || AnyRef::decode(&mut reader).map(|field| field.header().tag());
    Ok([next()?, next()?])
}
