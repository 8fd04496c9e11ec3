//! `moissanite cert crl`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use x509_cert::der::DateTime;
use x509_cert::ext::pkix::CrlReason;
use x509_cert::serial_number::SerialNumber;
use x509_cert::time::Time;

use super::issuer;
use super::options::{OutputArgs, private_key, validity, write};
use crate::algorithm::scheme::PublicKey;
use crate::backend::Backend;
use crate::certificate::bundle;
use crate::certificate::crl::build::{Draft, Revocation};
use crate::certificate::crl::parsed::{self, LABEL, ParsedCrl};
use crate::certificate::extensions::Extensions;
use crate::certificate::parsed::ParsedCertificate;
use crate::commands::options::parse_time;
use crate::diagnostics::{note, warn};
use crate::error::Error;
use crate::input::Source;
use crate::passphrase::PassphraseArgs;
use crate::report::Report;

/// Why a certificate is revoked.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Reason {
    /// No reason is stated: the default
    Unspecified,
    /// The private key is, or may be, known to others
    #[value(alias = "keyCompromise")]
    KeyCompromise,
    /// The private key of an authority is, or may be, known to others
    #[value(alias = "cACompromise", alias = "CACompromise")]
    CaCompromise,
    /// The name or other facts about the subject changed
    #[value(alias = "affiliationChanged")]
    AffiliationChanged,
    /// Another certificate replaces it
    Superseded,
    /// It is no longer needed
    #[value(alias = "cessationOfOperation")]
    CessationOfOperation,
    /// It is on hold: it can be released, or revoked for another reason
    #[value(alias = "certificateHold")]
    CertificateHold,
    /// A privilege that it states was withdrawn
    #[value(alias = "privilegeWithdrawn")]
    PrivilegeWithdrawn,
    /// The private key of an authority for attributes is, or may be, known to others
    #[value(alias = "aACompromise", alias = "AACompromise")]
    AaCompromise,
}

impl From<Reason> for CrlReason {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Unspecified => Self::Unspecified,
            Reason::KeyCompromise => Self::KeyCompromise,
            Reason::CaCompromise => Self::CaCompromise,
            Reason::AffiliationChanged => Self::AffiliationChanged,
            Reason::Superseded => Self::Superseded,
            Reason::CessationOfOperation => Self::CessationOfOperation,
            Reason::CertificateHold => Self::CertificateHold,
            Reason::PrivilegeWithdrawn => Self::PrivilegeWithdrawn,
            Reason::AaCompromise => Self::AaCompromise,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
The CRL lists all certificates of the previous CRL, and those that are revoked now with one reason and one
date. Its number is one larger than that of the previous CRL, or 1. The issuer signs it with the key that
signs its certificates, so its key usage has to include cRLSign, as that of --ca does.

Examples:
  moissanite cert crl --issuer root.pem --key root.key --out empty.crl
  moissanite cert crl --issuer root.pem --key root.key --previous empty.crl --revoke server.pem \\
    --reason key-compromise --out root.crl")]
pub(crate) struct Crl {
    /// The certificate of the authority
    #[arg(long, value_name = "FILE")]
    issuer: PathBuf,
    /// The private key of the authority
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The CRL that the new one replaces
    #[arg(long, value_name = "FILE")]
    previous: Option<PathBuf>,
    /// A certificate to revoke; can be repeated
    #[arg(long, value_name = "FILE")]
    revoke: Vec<PathBuf>,
    /// The serial number of a certificate to revoke, in hex as `inspect` prints it; can be repeated
    #[arg(long, value_name = "HEX", value_parser = parse_serial)]
    revoke_serial: Vec<SerialNumber>,
    /// Why these certificates are revoked
    #[arg(long, value_enum, value_name = "REASON")]
    reason: Option<Reason>,
    /// When these certificates were revoked, instead of the beginning of the CRL. A certificate that was on
    /// hold keeps its date otherwise
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    date: Option<DateTime>,
    /// When their private keys became known to others, or the certificates invalid otherwise
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    invalid_since: Option<DateTime>,
    /// A certificate on hold to release; can be repeated
    #[arg(long, value_name = "FILE", requires = "previous")]
    release: Vec<PathBuf>,
    /// The serial number of a certificate on hold to release; can be repeated
    #[arg(long, value_name = "HEX", value_parser = parse_serial, requires = "previous")]
    release_serial: Vec<SerialNumber>,
    /// The number of the CRL, which is larger than that of the previous one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,
    /// The number of days for which the CRL is valid
    #[arg(long, value_name = "DAYS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    days: u32,
    /// The first second in which the CRL is valid, instead of now
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    from: Option<DateTime>,
    /// The last second in which the CRL is valid, when the next one is due, instead of --days
    #[arg(long, value_name = "TIME", value_parser = parse_time, conflicts_with = "days")]
    until: Option<DateTime>,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Runs the command.
pub(crate) fn run(args: &Crl, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let named = args.revoke.len() + args.revoke_serial.len();
    if named == 0 && (args.reason.is_some() || args.date.is_some() || args.invalid_since.is_some())
    {
        let why = "--reason, --date and --invalid-since are for certificates that --revoke or --revoke-serial names";
        return Err(Error::Usage(why.into()));
    }
    let source = |path: &PathBuf| Source::new(path);
    let others = [&args.issuer].into_iter().chain(&args.previous);
    let others = others.chain(&args.revoke).chain(&args.release);
    let others: Vec<_> = others.map(source).collect();
    let key = private_key(
        &source(&args.key),
        &others.iter().collect::<Vec<_>>(),
        &args.passphrase,
        &args.output,
        backend,
        report,
    )?;
    let issuer = issuer::read(&source(&args.issuer), &*key, backend)?;
    let valid = validity(args.from, args.until, args.days)?;
    let extensions = issuer::check(&issuer, "CRL", valid.not_before)?;
    if !extensions.may_sign_crls() {
        let place = &issuer.place;
        let why = format!("{place} may not issue CRLs; one made with --ca may");
        return Err(Error::Usage(why));
    }
    let public = key.public_key();
    let previous = args.previous.as_ref();
    let previous =
        previous.map(|path| previous_crl(path, &issuer, &extensions, &*public, valid.not_before));
    let mut draft = Draft::after(previous.transpose()?.as_ref())?;
    if let Some(number) = args.number {
        draft.set_number(number)?;
    }
    let serials = |paths: &[PathBuf], given: &[SerialNumber]| {
        let read = paths.iter().map(|path| serial_in(path, &issuer, &*public));
        let given = given.iter().cloned().map(Ok);
        read.chain(given).collect::<Result<Vec<_>, Error>>()
    };
    draft.release(&serials(&args.release, &args.release_serial)?)?;
    let revocation = Revocation {
        date: args.date.map(Time::from),
        reason: args.reason.map(CrlReason::from),
        invalid_since: args.invalid_since.map(Time::from),
    };
    let revoked = serials(&args.revoke, &args.revoke_serial)?;
    draft.revoke(&revoked, &revocation, valid.not_before)?;
    if issuer
        .check_time(valid.not_after.to_unix_duration())
        .is_err()
    {
        let (place, end) = (&issuer.place, issuer.body().validity().not_after);
        let until = valid.not_after;
        warn(&format!(
            "the CRL ends on {until}, but {place} expires on {end}"
        ));
    }
    let (number, count) = (draft.number(), draft.len());
    let signing = issuer::signing(&issuer, &*key, args.output.deterministic)?;
    let crl = signing.crl(draft, valid)?;
    let name = ("issuer", issuer.body().subject());
    write(&crl, LABEL, name, &*public, &args.output, report)?;
    report.data("number", number.as_str());
    report.data("this_update", valid.not_before.to_string());
    report.data("next_update", valid.not_after.to_string());
    report.data("revoked", count);
    let listed = match count {
        1 => "1 certificate".into(),
        count => format!("{count} certificates"),
    };
    note(&format!(
        "the CRL has the number {number} and lists {listed}"
    ));
    Ok(())
}

/// Reads the CRL of this issuer that the new one replaces. It may have expired.
fn previous_crl(
    path: &Path,
    issuer: &ParsedCertificate,
    extensions: &Extensions,
    key: &dyn PublicKey,
    begin: Time,
) -> Result<ParsedCrl, Error> {
    let mut crls = parsed::read(&Source::new(path))?;
    let crl = crls.remove(0);
    let place = &crl.place;
    if !crls.is_empty() {
        return Err(Error::Usage(format!(
            "{place} is one of several; name a file with one CRL"
        )));
    }
    if !crl.is_named_after(issuer) {
        let (other, place_of) = (&crl.body().issuer, &issuer.place);
        return Err(Error::Usage(format!(
            "{place} is a CRL of {other}, not of {place_of}"
        )));
    }
    if let Err(why) = crl.check_issuer(issuer, extensions, key)? {
        return Err(Error::NotValid(format!("{place}: {why}")));
    }
    let last = crl.body().this_update;
    if begin.to_unix_duration() < last.to_unix_duration() {
        return Err(Error::Usage(format!(
            "{place} begins on {last}, after the new CRL"
        )));
    }
    Ok(crl)
}

/// The serial number of the one certificate in a file, which has to be one of this issuer.
fn serial_in(
    path: &Path,
    issuer: &ParsedCertificate,
    key: &dyn PublicKey,
) -> Result<SerialNumber, Error> {
    let mut certificates = bundle::read(&Source::new(path))?;
    let certificate = certificates.remove(0)?;
    let (place, of) = (&certificate.place, &issuer.place);
    if !certificates.is_empty() {
        return Err(Error::Usage(format!(
            "{place} is one of several; name a file with one certificate"
        )));
    }
    let is_issued = issuer.is_named_as_issuer_of(&certificate) && certificate.is_signed_by(key)?;
    if is_issued {
        Ok(certificate.body().serial_number().clone())
    } else {
        Err(Error::Usage(format!("{place} is not issued by {of}")))
    }
}

/// A serial number in hex, with or without colons. It is positive and has at most 20 bytes.
fn parse_serial(text: &str) -> Result<SerialNumber, String> {
    let bytes = hex::decode(text.replace(':', "")).ok();
    let bytes = bytes.filter(|bytes| bytes.iter().any(|byte| *byte != 0));
    let serial = bytes.and_then(|bytes| SerialNumber::new(&bytes).ok());
    serial.ok_or_else(|| "it is not a serial number, of at most 20 bytes in hex".into())
}
