//! Descriptions of certificate revocation lists. Signatures are not verified here.

use serde_json::json;

use super::certificate::signed_with;
use super::fields;
use crate::certificate::crl::parsed;
use crate::certificate::crl::text;
use crate::error::Error;
use crate::fingerprint;
use crate::key_error::KeyError;
use crate::keyfile::Encoding;
use crate::pem::{self, PemError};
use crate::report::Report;

/// Describes the list in a file.
pub(super) fn describe(place: &str, bytes: &[u8], report: &mut Report) -> Result<(), Error> {
    let encoding = match pem::is_pem(bytes) {
        true => Encoding::Pem,
        false => Encoding::Der,
    };
    // Each list of a file of at most 1 MiB is described by itself.
    let Ok([crl]) = <[_; 1]>::try_from(parsed::read_bytes(place, bytes)?) else {
        return Err(Error::file(place, KeyError::Pem(PemError::Several)));
    };
    fields::encoding(encoding, "X.509, version 2", report)?;
    let body = crl.body();
    for (name, text) in text::fields(body) {
        report.line(name, &text)?;
    }
    report.data("issuer", body.issuer.to_string());
    report.data("this_update", body.this_update.to_string());
    report.data("next_update", body.next_update.map(|next| next.to_string()));
    let mut entries = Vec::new();
    for entry in text::entries(body) {
        report.line("entry", &text::entry(entry))?;
        entries.push(json!({
            "serial": entry.serial_number.to_string(),
            "date": entry.revocation_date.to_string(),
            "reason": text::reason(entry).map(text::name),
        }));
    }
    report.data("entries", entries);
    let refused = crl.check().err().map(ToString::to_string);
    if let Some(why) = &refused {
        report.line("refused", &format!("by `moissanite cert verify`: {why}"))?;
    }
    report.data("refused", refused);
    report.field("fingerprint", fingerprint::of(&crl.der))?;
    signed_with(crl.list.signature_algorithm.oid, report)?;
    report.line(
        "signature",
        "not verified here; `moissanite cert verify --crl` does, with the issuer's certificate",
    )
}
