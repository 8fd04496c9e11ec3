//! The command line of `moissanite cert`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use x509_cert::der::DateTime;
use x509_cert::name::Name;

use crate::certificate::host::Host;
use crate::certificate::limits;

/// Certificates are PEM text, or DER with `--format der`.
#[derive(Debug, Subcommand)]
pub(crate) enum Cert {
    /// Make a certificate of a key, signed by that key
    SelfSign(SelfSign),
    /// Make a request (PKCS#10) that an authority can turn into a certificate
    Request(Request),
    /// Make a certificate of a request, as its authority
    Issue(Issue),
    /// Verify a certificate and the chain to a root; exit status 1 if it is not valid
    Verify(VerifyChain),
}

/// How certificates and requests are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum CertFormat {
    /// Text: base64
    #[default]
    Pem,
    /// Bytes
    Der,
}

/// Where it goes.
#[derive(Debug, Args)]
pub(crate) struct Written {
    /// How to write it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: CertFormat,
    /// Write it here
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(crate) out: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
    /// No randomness in the signature
    #[arg(long)]
    pub(crate) deterministic: bool,
}

/// What an authority grants.
#[derive(Debug, Args)]
pub(crate) struct Granted {
    /// For how long it is valid, from now on
    #[arg(long, value_name = "DAYS", default_value_t = 365, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) days: u32,
    /// It may issue certificates itself
    #[arg(long)]
    pub(crate) ca: bool,
    /// How many further authorities there may be below it
    #[arg(long, value_name = "N", requires = "ca")]
    pub(crate) path_length: Option<u8>,
}

/// Whose it is.
#[derive(Debug, Args)]
pub(crate) struct Subject {
    /// Its name, such as CN=server,O=Example,C=DE (RFC 4514), within the upper bounds of RFC 5280
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    pub(crate) subject: Name,
    /// A name or an IP address by which it is reached; for several, several times
    #[arg(long, value_name = "HOST", value_parser = Host::parse)]
    pub(crate) host: Vec<Host>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  moissanite cert self-sign --key root.key --subject CN=Root --ca --days 3650 --out root.pem")]
pub(crate) struct SelfSign {
    /// The private key
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    #[command(flatten)]
    pub(crate) subject: Subject,
    #[command(flatten)]
    pub(crate) granted: Granted,
    #[command(flatten)]
    pub(crate) written: Written,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  moissanite cert request --key server.key --subject CN=server --host server.example --out server.csr")]
pub(crate) struct Request {
    /// The private key
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    #[command(flatten)]
    pub(crate) subject: Subject,
    #[command(flatten)]
    pub(crate) written: Written,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The request has to be signed by its own key. Its subject goes into the certificate, and those of its
names that --host of `cert request` would take, which is said; whatever else it asks for does not,
and is said too.

Example:
  moissanite cert issue server.csr --issuer root.pem --key root.key --out server.pem")]
pub(crate) struct Issue {
    /// The request
    pub(crate) request: PathBuf,
    /// The certificate of the authority
    #[arg(long, value_name = "FILE")]
    pub(crate) issuer: PathBuf,
    /// The private key of the authority
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    #[command(flatten)]
    pub(crate) granted: Granted,
    #[command(flatten)]
    pub(crate) written: Written,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Each certificate of the chain has to be signed by the next one's key and valid in time; each but the
first has to be an authority, with as many others below it and the names that it allows. The key of
the first one can be of any algorithm. Critical extensions that are not known here are refused.
Revocation is not checked. CERTIFICATES.md beside the command's source says how each case is decided.
With --host, it also has to be a server's: of a key that signs and, unless it is a root itself, not an
authority's.

A file can have several certificates in PEM, up to 64 MiB, and 1 MiB for each; the first one of
CERTIFICATE is verified, its others may be on the way. A root that cannot be read is ignored with a
warning, if its file has others.

Example:
  moissanite cert verify server.pem --root root.pem --host server.example")]
pub(crate) struct VerifyChain {
    /// The certificate
    pub(crate) certificate: PathBuf,
    /// A certificate that is believed; for several, several times
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) root: Vec<PathBuf>,
    /// A certificate that may be on the way to a root
    #[arg(long, value_name = "FILE")]
    pub(crate) intermediate: Vec<PathBuf>,
    /// The name or IP address of a server, which has to be one of the certificate's
    #[arg(long, value_name = "HOST", value_parser = Host::parse_one)]
    pub(crate) host: Option<Host>,
    /// Verify as of this time instead of now, such as 2030-12-31T23:59:59Z
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) at: Option<DateTime>,
}

fn parse_name(text: &str) -> Result<Name, String> {
    let name: Option<Name> = text.parse().ok();
    let name = name.filter(|name| !name.is_empty());
    let name = name.ok_or("it is not a name such as CN=server,O=Example,C=DE")?;
    limits::check(&name).map_err(|error| format!("the name {error}"))?;
    Ok(name)
}

fn parse_time(text: &str) -> Result<DateTime, String> {
    let time = text.parse();
    time.map_err(|_| "it is not a time such as 2030-12-31T23:59:59Z".into())
}
