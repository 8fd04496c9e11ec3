//! `moissanite cert verify`.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};
use x509_cert::der::DateTime;

use super::options::{now, parse_time};
use crate::backend::Backend;
use crate::certificate::bundle;
use crate::certificate::chain::{PathValidator, Required};
use crate::certificate::crl;
use crate::certificate::crl::parsed::ParsedCrl;
use crate::certificate::host::Host;
use crate::certificate::parsed::ParsedCertificate;
use crate::certificate::purpose::Purpose;
use crate::diagnostics::warn;
use crate::display::one_line;
use crate::error::Error;
use crate::fingerprint;
use crate::identity;
use crate::input::Source;
use crate::report::Report;

#[derive(Debug, Args)]
#[command(after_help = "\
Each certificate of the chain has to be signed by the key of the next one, and valid at the time of
verification. Each one but the first has to be an authority that allows the number of authorities and
the names below it. The key of the first certificate can be of any algorithm. Unknown critical extensions
are refused. CERTIFICATES.md in the source directory of the command lists the decision for each case.

With --purpose, each certificate that lists purposes (extended key usage) has to list this one or any. The
key of the first certificate may sign and, unless it is a root itself, it is not an authority. Certificates
for code-signing, time-stamping and ocsp-signing have to list that purpose, those for time-stamping it alone
in a critical extension. --host implies server-auth. Without both, and with any, purposes are not checked.

Without --crl, revocation is not checked. With it, the issuer of the first certificate needs a CRL that is
valid at the time of verification; so do all other issuers with --require-crls. A certificate further up
whose issuer has no CRL is accepted otherwise, with a warning. The root is not checked. A CRL is signed by
the issuer itself and lists all its revoked certificates: delta CRLs, indirect CRLs and those of a part of
the certificates are refused. The newest valid CRL of an issuer counts.

A file can have several certificates in PEM, up to 64 MiB in total and 1 MiB each, or several CRLs of up to
16 MiB in total. The first certificate of CERTIFICATE is verified; the other ones can be intermediate
certificates. A root that cannot be read is ignored with a warning if its file has other roots.

Examples:
  moissanite cert verify server.pem --root root.pem --host server.example
  moissanite cert verify server.pem --root root.pem --crl root.crl")]
pub(crate) struct Verify {
    /// The file of the certificate
    certificate: PathBuf,
    /// A trusted certificate; can be repeated
    #[arg(long, value_name = "FILE", required = true)]
    root: Vec<PathBuf>,
    /// A certificate that the chain may contain before the root; can be repeated
    #[arg(long, value_name = "FILE")]
    intermediate: Vec<PathBuf>,
    /// The name or the IP address of a server, which the certificate has to contain
    #[arg(long, value_name = "HOST", value_parser = Host::parse_one)]
    host: Option<Host>,
    /// What the certificate is for: server-auth, client-auth, code-signing, email-protection, time-stamping,
    /// ocsp-signing, any, or an object identifier
    #[arg(long, value_name = "PURPOSE", value_parser = Purpose::parse)]
    purpose: Option<Purpose>,
    /// A certificate revocation list (CRL); can be repeated
    #[arg(long, value_name = "FILE")]
    crl: Vec<PathBuf>,
    /// Require a CRL for each certificate of the chain except the root, not only for the first one
    #[arg(long, requires = "crl")]
    require_crls: bool,
    /// Verify for this time instead of now, such as 2030-12-31T23:59:59Z
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    at: Option<DateTime>,
}

/// Runs the command.
pub(crate) fn run(args: &Verify, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let others = args.root.iter().chain(&args.intermediate).chain(&args.crl);
    let all = [&args.certificate].into_iter().chain(others);
    let all: Vec<_> = all.map(|path| Source::new(path)).collect();
    identity::refuse_shared(&all)?;
    let mut others = presented([&args.certificate])?;
    let roots = roots(&args.root)?;
    let leaf = others.remove(0);
    others.extend(presented(&args.intermediate)?);
    let crls = crls(&args.crl)?;
    let at = match args.at {
        Some(time) => time.unix_duration(),
        None => now(),
    };
    let validator = PathValidator {
        roots: &roots,
        others: &others,
        at,
        host: args.host.as_ref(),
        purpose: match (args.purpose, &args.host) {
            (Some(Purpose::ANY), _) | (None, None) => None,
            (None, Some(_)) => Some(Purpose::SERVER),
            (asked, _) => asked,
        },
        crls: &crls,
        crls_required: match () {
            () if args.require_crls => Required::Each,
            () if args.crl.is_empty() => Required::Nothing,
            () => Required::First,
        },
        backend,
    };
    let path = validator.verify(&leaf)?;
    if !crls.is_empty() {
        warn_of_unchecked(&validator, &path);
    }
    report.valid()?;
    for certificate in &path {
        let (subject, place) = (certificate.body().subject(), &certificate.place);
        report.text(&format!(
            "  {} ({})\n",
            one_line(&subject.to_string()),
            one_line(place)
        ))?;
    }
    let described: Vec<_> = path
        .iter()
        .enumerate()
        .map(|(index, certificate)| {
            described(certificate, validator.has_crl(path.get(index + 1).copied()))
        })
        .collect();
    report.data("path", described);
    Ok(())
}

/// Warns of certificates whose issuers have no CRL.
fn warn_of_unchecked(validator: &PathValidator<'_>, path: &[&ParsedCertificate]) {
    for (certificate, issuer) in path.iter().zip(path.iter().skip(1)) {
        if !validator.has_crl(Some(issuer)) {
            let issuer = certificate.body().issuer();
            warn(&format!(
                "{} was not checked for revocation: there is no CRL of its issuer, {issuer}",
                certificate.title
            ));
        }
    }
}

/// A certificate of the path in JSON.
fn described(certificate: &ParsedCertificate, is_checked: bool) -> Value {
    let body = certificate.body();
    json!({
        "file": certificate.place,
        "subject": body.subject().to_string(),
        "issuer": body.issuer().to_string(),
        "serial": body.serial_number().to_string(),
        "not_before": body.validity().not_before.to_string(),
        "not_after": body.validity().not_after.to_string(),
        "fingerprint": fingerprint::of(&certificate.der),
        "revocation_checked": is_checked,
    })
}

/// All certificates in these files, of which each has at least one.
fn presented<'a>(
    paths: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<Vec<ParsedCertificate>, Error> {
    let mut certificates = Vec::new();
    for path in paths {
        for certificate in bundle::read(&Source::new(path))? {
            certificates.push(certificate?);
        }
    }
    Ok(certificates)
}

/// All readable certificates in these files, of which each has at least one. An unreadable root is
/// ignored with a warning, because a missing root can only make fewer paths valid.
fn roots(paths: &[PathBuf]) -> Result<Vec<ParsedCertificate>, Error> {
    let mut certificates = Vec::new();
    for path in paths {
        let (readable, unreadable): (Vec<_>, Vec<_>) = bundle::read(&Source::new(path))?
            .into_iter()
            .partition(Result::is_ok);
        for error in unreadable.into_iter().filter_map(Result::err) {
            if readable.is_empty() {
                return Err(error);
            }
            warn(&format!("{error}; this root is ignored"));
        }
        certificates.extend(readable.into_iter().flatten());
    }
    Ok(certificates)
}

/// All CRLs in these files, of which each has at least one.
fn crls(paths: &[PathBuf]) -> Result<Vec<ParsedCrl>, Error> {
    let read = paths
        .iter()
        .map(|path| crl::parsed::read(&Source::new(path)));
    Ok(read
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect())
}
