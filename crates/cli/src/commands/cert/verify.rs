//! `moissanite cert verify`.

use std::path::PathBuf;

use clap::Args;

use crate::backend::Backend;
use crate::certificate::host::Host;
use crate::certificate::purpose::Purpose;
use crate::commands::chain::{ChainArgs, Link};
use crate::display::one_line;
use crate::error::Error;
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
    #[arg(requires = "root")]
    certificate: PathBuf,
    #[command(flatten)]
    chain: ChainArgs,
    /// The name or the IP address of a server, which the certificate has to contain
    #[arg(long, value_name = "HOST", value_parser = Host::parse_one)]
    host: Option<Host>,
    /// What the certificate is for: server-auth, client-auth, code-signing, email-protection, time-stamping,
    /// ocsp-signing, any, or an object identifier
    #[arg(long, value_name = "PURPOSE", value_parser = Purpose::parse)]
    purpose: Option<Purpose>,
}

/// Runs the command.
pub(crate) fn run(args: &Verify, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let first = Source::new(&args.certificate);
    let all: Vec<_> = [first].into_iter().chain(args.chain.sources()).collect();
    identity::refuse_shared(&all)?;
    let (host, certificate) = (args.host.as_ref(), &args.certificate);
    let purpose = match (args.purpose, host) {
        (Some(Purpose::ANY), _) | (None, None) => None,
        (None, Some(_)) => Some(Purpose::SERVER),
        (asked, _) => asked,
    };
    let path = args.chain.verify(certificate, host, purpose, backend)?;
    report.valid()?;
    for link in &path {
        report.text(&format!("  {}\n", one_line(&link.to_string())))?;
    }
    let path: Vec<_> = path.iter().map(Link::described).collect();
    report.data("path", path);
    Ok(())
}
