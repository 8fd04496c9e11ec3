//! `moissanite cert`.

mod crl;
mod issue;
mod issuer;
mod options;
mod request;
mod self_sign;
mod verify;

use clap::Subcommand;

use crate::backend::Backend;
use crate::error::Error;
use crate::report::Report;

/// Certificates, requests and CRLs are written as PEM text, or as DER with `--format der`.
#[derive(Debug, Subcommand)]
pub(crate) enum Cert {
    /// Create a certificate of a key, signed by that key
    SelfSign(self_sign::SelfSign),
    /// Create a request (PKCS#10) for a certificate
    Request(request::Request),
    /// Issue a certificate for a request, as an authority
    Issue(issue::Issue),
    /// Create a list of revoked certificates (CRL), as an authority
    Crl(crl::Crl),
    /// Verify a certificate and its chain to a root; exit status 1 if it is not valid
    Verify(verify::Verify),
}

/// Runs the command.
pub(crate) fn run(args: &Cert, backend: Backend, report: &mut Report) -> Result<(), Error> {
    match args {
        Cert::SelfSign(args) => self_sign::run(args, backend, report),
        Cert::Request(args) => request::run(args, backend, report),
        Cert::Issue(args) => issue::run(args, backend, report),
        Cert::Crl(args) => crl::run(args, backend, report),
        Cert::Verify(args) => verify::run(args, backend, report),
    }
}
