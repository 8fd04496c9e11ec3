//! The text of a CRL and of its entries.

use der::Decode;
use der::asn1::GeneralizedTime;
use der::oid::AssociatedOid;
use der::oid::db::rfc5280::ID_CE_INVALIDITY_DATE;
use x509_cert::crl::{RevokedCert, TbsCertList};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::CrlReason;

use crate::certificate::decode::decode;
use crate::certificate::text::line;
use crate::report::text;

pub(super) use crate::certificate::text::number;

/// The label and the text of each field, without the entries.
pub(crate) fn fields(body: &TbsCertList) -> Vec<(&'static str, String)> {
    let next = match body.next_update {
        Some(next) => format!("from {} to {next}", body.this_update),
        None => format!("from {}, without an end", body.this_update),
    };
    let revoked = match entries(body).len() {
        1 => "1 certificate".into(),
        count => format!("{count} certificates"),
    };
    let mut lines = vec![("issuer", body.issuer.to_string()), ("valid", next)];
    let extensions = body.crl_extensions.iter().flatten().map(line);
    lines.extend(extensions.map(|(label, value)| (label, text(&value))));
    lines.push(("revoked", revoked));
    lines
}

/// All entries of a CRL.
pub(crate) fn entries(body: &TbsCertList) -> &[RevokedCert] {
    let entries = body.revoked_certificates.as_deref();
    entries.unwrap_or_default()
}

/// The serial number, the date, the reason and further extensions of an entry.
pub(crate) fn entry(entry: &RevokedCert) -> String {
    let mut says = format!("{} {}", entry.serial_number, revocation(entry));
    let extensions = entry.crl_entry_extensions.iter().flatten();
    for extension in extensions.filter(|one| one.extn_id != CrlReason::OID) {
        says += &match extension.extn_id {
            ID_CE_INVALIDITY_DATE => format!(", invalid since {}", invalidity(extension)),
            _ => {
                let (label, value) = line(extension);
                format!(", {label} {}", text(&value))
            }
        };
    }
    says
}

/// The date and the reason of an entry, such as `on 2030-01-01T00:00:00Z, reason keyCompromise`.
pub(crate) fn revocation(entry: &RevokedCert) -> String {
    let date = entry.revocation_date;
    match reason(entry) {
        None => format!("on {date}, without a reason"),
        Some(reason) => format!("on {date}, reason {}", name(reason)),
    }
}

/// The reason of an entry, if it states one that is well-formed.
pub(crate) fn reason(entry: &RevokedCert) -> Option<CrlReason> {
    let mut extensions = entry.crl_entry_extensions.iter().flatten();
    let extension = extensions.find(|one| one.extn_id == CrlReason::OID)?;
    decode(extension).ok()
}

fn invalidity(extension: &Extension) -> String {
    let time = GeneralizedTime::from_der(extension.extn_value.as_bytes());
    time.map_or_else(
        |_| "malformed".into(),
        |time| time.to_date_time().to_string(),
    )
}

/// The names of RFC 5280, section 5.3.1.
pub(crate) fn name(reason: CrlReason) -> &'static str {
    match reason {
        CrlReason::Unspecified => "unspecified",
        CrlReason::KeyCompromise => "keyCompromise",
        CrlReason::CaCompromise => "cACompromise",
        CrlReason::AffiliationChanged => "affiliationChanged",
        CrlReason::Superseded => "superseded",
        CrlReason::CessationOfOperation => "cessationOfOperation",
        CrlReason::CertificateHold => "certificateHold",
        CrlReason::RemoveFromCRL => "removeFromCRL",
        CrlReason::PrivilegeWithdrawn => "privilegeWithdrawn",
        CrlReason::AaCompromise => "aACompromise",
    }
}
