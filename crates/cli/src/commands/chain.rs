//! The arguments of a chain of certificates to a root, and its validation.

use std::path::{Path, PathBuf};

use clap::Args;
use x509_cert::der::DateTime;

use crate::backend::Backend;
use crate::certificate::bundle;
use crate::certificate::chain::PathValidator;
use crate::certificate::host::Host;
use crate::certificate::parsed::ParsedCertificate;
use crate::clock;
use crate::diagnostics::warn;
use crate::error::Error;
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
    /// Verify the chain for this time instead of now, such as 2030-12-31T23:59:59Z
    #[arg(long, value_name = "TIME", value_parser = parse_time, requires = "certificate")]
    at: Option<DateTime>,
}

impl ChainArgs {
    /// All files that it names.
    pub(crate) fn sources(&self) -> impl Iterator<Item = Source> {
        let files = self.root.iter().chain(&self.intermediate);
        files.map(|path| Source::new(path))
    }

    /// The path from the first certificate of a file to a root. The other certificates of the file can be
    /// intermediate ones.
    pub(crate) fn verify(
        &self,
        certificate: &Path,
        host: Option<&Host>,
        backend: Backend,
    ) -> Result<Vec<ParsedCertificate>, Error> {
        let mut others = presented([certificate])?;
        let roots = roots(&self.root)?;
        let leaf = others.remove(0);
        others.extend(presented(self.intermediate.iter().map(PathBuf::as_path))?);
        let at = match self.at {
            Some(time) => time.unix_duration(),
            None => clock::since_1970(),
        };
        let validator = PathValidator {
            roots: &roots,
            others: &others,
            at,
            host,
            backend,
        };
        let path = validator.verify(&leaf)?;
        Ok(path.into_iter().cloned().collect())
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

fn parse_time(text: &str) -> Result<DateTime, String> {
    let time = text.parse();
    time.map_err(|_| "it is not a time such as 2030-12-31T23:59:59Z".into())
}
