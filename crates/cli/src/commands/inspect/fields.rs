//! Fields that the reports of several kinds of files have.

use der::oid::ObjectIdentifier;

use crate::algorithm::scheme::PublicKey;
use crate::error::Error;
use crate::fingerprint;
use crate::keyfile::Encoding;
use crate::report::Report;

/// Reports the encoding of a file and the structure inside of it.
pub(super) fn encoding(
    encoding: Encoding,
    structure: &str,
    report: &mut Report,
) -> Result<(), Error> {
    let text = format!("{encoding}, {structure}");
    report.field_as("encoding", encoding.name(), &text)?;
    report.data("structure", structure);
    Ok(())
}

/// Reports a public key. `name` is that of its fingerprint.
pub(super) fn public_key(
    key: &dyn PublicKey,
    name: &'static str,
    report: &mut Report,
) -> Result<(), Error> {
    let lengths = (key.to_raw().len(), key.algorithm().sizes().signature);
    report.data("public_key_length", lengths.0);
    report.line("public key", &format!("{} bytes", lengths.0))?;
    report.data("signature_length", lengths.1);
    report.line("signatures", &format!("{} bytes", lengths.1))?;
    report.field(name, fingerprint::of_key(key)?)
}

/// The name of an algorithm that this command does not use.
pub(super) fn unused(name: &str, oid: ObjectIdentifier) -> String {
    match name == oid.to_string() {
        true => format!("{oid}, which this program does not use"),
        false => format!("{name} ({oid}), which this program does not use"),
    }
}
