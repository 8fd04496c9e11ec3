//! Builds CRLs.

use std::collections::HashSet;

use der::Encode;
use der::asn1::{BitString, GeneralizedTime, OctetString, Uint};
use der::oid::db::rfc5280::ID_CE_INVALIDITY_DATE;
use x509_cert::Version;
use x509_cert::crl::{CertificateList, RevokedCert, TbsCertList};
use x509_cert::ext::pkix::{AuthorityKeyIdentifier, CrlNumber, CrlReason};
use x509_cert::ext::{Extension, ToExtension};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::time::{Time, Validity};

use super::parsed::ParsedCrl;
use super::strict::{MAX_NUMBER, is_less};
use super::text::{self, reason};
use crate::certificate::build::{Issuer, fault, signature_of};
use crate::error::Error;

/// The number and the entries of a new CRL.
pub(crate) struct Draft {
    number: CrlNumber,
    entries: Vec<RevokedCert>,
}

/// When and why certificates are revoked.
pub(crate) struct Revocation {
    /// The date; `None` for the beginning of the CRL or, if a certificate was on hold, the beginning of that.
    pub(crate) date: Option<Time>,
    /// The reason; `None` for none.
    pub(crate) reason: Option<CrlReason>,
    /// When the key became untrustworthy.
    pub(crate) invalid_since: Option<Time>,
}

impl Draft {
    /// An empty CRL with the number 1, or the next one after `previous`, with its entries.
    pub(crate) fn after(previous: Option<&ParsedCrl>) -> Result<Self, Error> {
        let last = previous.and_then(|crl| crl.check().ok()?.number.as_ref());
        let last = last.map(|number| number.0.as_bytes());
        let number = next_number(last.unwrap_or_default())
            .ok_or_else(|| Error::Usage("the number of the previous CRL is the largest".into()))?;
        let entries = previous.map(|crl| text::entries(crl.body()).to_vec());
        Ok(Self {
            number,
            entries: entries.unwrap_or_default(),
        })
    }

    /// Sets the number, which has to be larger than that of the previous CRL.
    pub(crate) fn set_number(&mut self, number: u64) -> Result<(), Error> {
        let asked = CrlNumber::try_from(number).map_err(fault)?;
        if is_less(&asked, &self.number) {
            let least = text::number(&self.number);
            return Err(Error::Usage(format!(
                "--number: the number of the next CRL is at least {least}"
            )));
        }
        self.number = asked;
        Ok(())
    }

    /// The number.
    pub(crate) fn number(&self) -> String {
        text::number(&self.number)
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds entries of certificates. One that is on hold can be revoked; any other one is in the list only once.
    pub(crate) fn revoke(
        &mut self,
        serials: &[SerialNumber],
        revocation: &Revocation,
        begin: Time,
    ) -> Result<(), Error> {
        let held = self.held(serials, "is revoked already", |entry| {
            is_on_hold(entry) && revocation.reason != Some(CrlReason::CertificateHold)
        })?;
        for serial in serials {
            let since = held.iter().find(|entry| entry.serial_number == *serial);
            let since = since.map_or(begin, |entry| entry.revocation_date);
            self.entries.push(RevokedCert {
                serial_number: serial.clone(),
                revocation_date: revocation.date.unwrap_or(since),
                crl_entry_extensions: revocation.extensions()?,
            });
        }
        Ok(())
    }

    /// Removes the entries of certificates, which are on hold.
    pub(crate) fn release(&mut self, serials: &[SerialNumber]) -> Result<(), Error> {
        let refusal = "is revoked for another reason than certificateHold, which is final";
        let released = self.held(serials, refusal, is_on_hold)?;
        let is_released =
            |serial: &&SerialNumber| released.iter().any(|entry| entry.serial_number == **serial);
        match serials.iter().find(|serial| !is_released(serial)) {
            Some(serial) => Err(Error::Usage(format!(
                "the previous CRL does not list the certificate {serial}"
            ))),
            None => Ok(()),
        }
    }

    /// Takes out the entries with these serial numbers, of which each has to be one that `is_right`.
    fn held(
        &mut self,
        serials: &[SerialNumber],
        refusal: &str,
        is_right: impl Fn(&RevokedCert) -> bool,
    ) -> Result<Vec<RevokedCert>, Error> {
        let mut wanted = HashSet::new();
        for serial in serials {
            if !wanted.insert(serial.as_bytes()) {
                let why = format!("the certificate {serial} is named twice");
                return Err(Error::Usage(why));
            }
        }
        let is_wanted = |entry: &RevokedCert| wanted.contains(entry.serial_number.as_bytes());
        let mut found = self.entries.iter().filter(|entry| is_wanted(entry));
        if let Some(wrong) = found.find(|entry| !is_right(entry)) {
            let serial = &wrong.serial_number;
            let why = format!("the certificate {serial} {refusal}");
            return Err(Error::Usage(why));
        }
        let entries = std::mem::take(&mut self.entries);
        let (found, rest) = entries.into_iter().partition(is_wanted);
        self.entries = rest;
        Ok(found)
    }
}

fn is_on_hold(entry: &RevokedCert) -> bool {
    reason(entry) == Some(CrlReason::CertificateHold)
}

/// The number after one of these bytes, unless that would be too long.
fn next_number(bytes: &[u8]) -> Option<CrlNumber> {
    let mut bytes = [&[0], bytes].concat();
    for byte in bytes.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            break;
        }
    }
    let number = Uint::new(&bytes).ok()?;
    (number.as_bytes().len() <= MAX_NUMBER).then_some(CrlNumber(number))
}

impl Revocation {
    /// The extensions of an entry. RFC 5280, section 5.3.1, omits the reason `unspecified`.
    fn extensions(&self) -> Result<Option<Vec<Extension>>, Error> {
        let mut extensions = Vec::new();
        if let Some(reason) = self.reason.filter(|one| *one != CrlReason::Unspecified) {
            extensions.push(
                (&reason)
                    .to_extension(&Name::default(), &[])
                    .map_err(fault)?,
            );
        }
        if let Some(time) = self.invalid_since {
            let time = GeneralizedTime::from_date_time(time.to_date_time());
            extensions.push(Extension {
                extn_id: ID_CE_INVALIDITY_DATE,
                critical: false,
                extn_value: OctetString::new(time.to_der().map_err(fault)?).map_err(fault)?,
            });
        }
        Ok(Some(extensions).filter(|all| !all.is_empty()))
    }
}

impl Issuer<'_> {
    /// Builds and signs a CRL in DER.
    pub(crate) fn crl(&self, draft: Draft, valid: Validity) -> Result<Vec<u8>, Error> {
        let key = AuthorityKeyIdentifier {
            key_identifier: self.key_identifier.clone(),
            ..AuthorityKeyIdentifier::default()
        };
        let extensions = [
            (&key).to_extension(&self.name, &[]).map_err(fault)?,
            (&draft.number)
                .to_extension(&self.name, &[])
                .map_err(fault)?,
        ];
        let body = TbsCertList {
            version: Version::V2,
            signature: self.algorithm()?,
            issuer: self.name.clone(),
            this_update: valid.not_before,
            next_update: Some(valid.not_after),
            revoked_certificates: Some(draft.entries).filter(|entries| !entries.is_empty()),
            crl_extensions: Some(extensions.into()),
        };
        let message = body.to_der().map_err(fault)?;
        let signature = signature_of(&message, self.key, self.deterministic)?;
        let list = CertificateList {
            signature_algorithm: body.signature.clone(),
            tbs_cert_list: body,
            signature: BitString::from_bytes(&signature).map_err(fault)?,
        };
        list.to_der().map_err(fault)
    }
}
