//! The arguments of a chain of certificates to a root, and its validation.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use x509_cert::der::DateTime;

use super::options::parse_time;
use crate::backend::Backend;
use crate::certificate::bundle;
use crate::certificate::chain::{PathValidator, Required};
use crate::certificate::crl;
use crate::certificate::crl::parsed::ParsedCrl;
use crate::certificate::host::Host;
use crate::certificate::parsed::ParsedCertificate;
use crate::certificate::purpose::Purpose;
use crate::clock;
use crate::diagnostics::warn;
use crate::error::Error;
use crate::fingerprint;
use crate::input::Source;

/// The certificates of a chain above the first one.
#[derive(Debug, Args)]
pub(crate) struct ChainArgs {
    /// A trusted certificate; can be repeated
    #[arg(long, value_name = "FILE", requires = "certificate")]
    root: Vec<PathBuf>,
    /// A certificate that the chain may contain before the root; can be repeated
    #[arg(long, value_name = "FILE", requires = "certificate")]
    intermediate: Vec<PathBuf>,
    /// A certificate revocation list (CRL); can be repeated
    #[arg(long, value_name = "FILE", requires = "certificate")]
    crl: Vec<PathBuf>,
    /// Require a CRL for each certificate of the chain except the root, not only for the first one
    #[arg(long, requires = "crl")]
    require_crls: bool,
    /// Verify the chain for this time instead of now, such as 2030-12-31T23:59:59Z
    #[arg(long, value_name = "TIME", value_parser = parse_time, requires = "certificate")]
    at: Option<DateTime>,
}

impl ChainArgs {
    /// All files that it names.
    pub(crate) fn sources(&self) -> impl Iterator<Item = Source> {
        let files = self.root.iter().chain(&self.intermediate).chain(&self.crl);
        files.map(|path| Source::new(path))
    }

    /// The path from the first certificate of a file to a root. The other certificates of the file can be
    /// intermediate ones.
    pub(crate) fn verify(
        &self,
        certificate: &Path,
        host: Option<&Host>,
        purpose: Option<Purpose>,
        backend: Backend,
    ) -> Result<Vec<Link>, Error> {
        let mut others = presented([certificate])?;
        let roots = roots(&self.root)?;
        let leaf = others.remove(0);
        others.extend(presented(self.intermediate.iter().map(PathBuf::as_path))?);
        let at = match self.at {
            Some(time) => time.unix_duration(),
            None => clock::since_1970(),
        };
        let crls = crls(&self.crl)?;
        let validator = PathValidator {
            roots: &roots,
            others: &others,
            at,
            host,
            purpose,
            crls: &crls,
            crls_required: match () {
                () if self.require_crls => Required::Each,
                () if self.crl.is_empty() => Required::Nothing,
                () => Required::First,
            },
            backend,
        };
        let path = validator.verify(&leaf)?;
        let links = path.iter().enumerate().map(|(index, certificate)| {
            let issuer = path.get(index + 1).copied();
            Link {
                certificate: (*certificate).clone(),
                is_root: issuer.is_none(),
                is_revocation_checked: validator.has_crl(issuer),
            }
        });
        let links: Vec<_> = links.collect();
        if !crls.is_empty() {
            warn_of_unchecked(&links);
        }
        Ok(links)
    }
}

/// A certificate of a valid path.
pub(crate) struct Link {
    pub(crate) certificate: ParsedCertificate,
    is_root: bool,
    is_revocation_checked: bool,
}

impl Link {
    /// The certificate in JSON.
    pub(crate) fn described(&self) -> Value {
        let body = self.certificate.body();
        json!({
            "file": self.certificate.place,
            "subject": body.subject().to_string(),
            "issuer": body.issuer().to_string(),
            "serial": body.serial_number().to_string(),
            "not_before": body.validity().not_before.to_string(),
            "not_after": body.validity().not_after.to_string(),
            "fingerprint": fingerprint::of(&self.certificate.der),
            "revocation_checked": self.is_revocation_checked,
        })
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParsedCertificate { place, .. } = &self.certificate;
        write!(f, "{} ({place})", self.certificate.body().subject())
    }
}

/// Warns of certificates whose issuers have no CRL.
fn warn_of_unchecked(links: &[Link]) {
    let is_unchecked = |link: &&Link| !link.is_root && !link.is_revocation_checked;
    for Link { certificate, .. } in links.iter().filter(is_unchecked) {
        let issuer = certificate.body().issuer();
        warn(&format!(
            "{} was not checked for revocation: there is no CRL of its issuer, {issuer}",
            certificate.title
        ));
    }
}

/// All certificates in these files, of which each has at least one.
fn presented<'a>(
    paths: impl IntoIterator<Item = &'a Path>,
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
    let mut crls = Vec::new();
    for path in paths {
        crls.extend(crl::parsed::read(&Source::new(path))?);
    }
    Ok(crls)
}
