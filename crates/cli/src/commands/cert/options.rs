//! Arguments and steps that the subcommands of `moissanite cert` share.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use x509_cert::der::DateTime;
use x509_cert::ext::pkix::NameConstraints;
use x509_cert::ext::pkix::constraints::name::GeneralSubtree;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::name::Name;
use x509_cert::time::{Time, Validity};

use crate::algorithm::scheme::{PrivateKey, PublicKey};
use crate::backend::Backend;
use crate::certificate::build::{Authority, Contents, Published};
use crate::certificate::constraints::parse_base;
use crate::certificate::host::Host;
use crate::certificate::purpose::Purpose;
use crate::certificate::{address, limits};
use crate::clock;
use crate::commands::options::{parse_time, warn_of_unused_backend};
use crate::error::Error;
use crate::fingerprint;
use crate::identity;
use crate::input::Source;
use crate::key_error::What;
use crate::keyfile::{Expected, KeyFile};
use crate::output::{self, Output, Target};
use crate::passphrase::PassphraseArgs;
use crate::pem;
use crate::report::Report;

/// The format of a certificate or a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum CertFormat {
    /// Text in base64
    #[default]
    Pem,
    /// Bytes
    Der,
}

/// The output of a subcommand.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// The output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: CertFormat,
    /// The output file
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(crate) out: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
    /// Sign without randomness
    #[arg(long)]
    pub(crate) deterministic: bool,
}

/// The properties that an authority grants.
#[derive(Debug, Args)]
pub(crate) struct GrantArgs {
    /// The number of days for which the certificate is valid
    #[arg(long, value_name = "DAYS", default_value_t = 365, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) days: u32,
    /// The first second in which the certificate is valid, instead of now, such as 2030-01-01T00:00:00Z or
    /// 2030-01-01
    #[arg(long, alias = "not-before", value_name = "TIME", value_parser = parse_time)]
    pub(crate) from: Option<DateTime>,
    /// The last second in which the certificate is valid, instead of --days
    #[arg(long, alias = "not-after", value_name = "TIME", value_parser = parse_time, conflicts_with = "days")]
    pub(crate) until: Option<DateTime>,
    /// Allow the certificate to issue certificates
    #[arg(long)]
    pub(crate) ca: bool,
    /// The number of further authorities that may follow below it
    #[arg(long, value_name = "N", requires = "ca")]
    pub(crate) path_length: Option<u8>,
    /// Names that certificates below it can have: DNS:a.example is that host and all below it, DNS:.a.example
    /// all below it, IP:10.0.0.0/8 a network, email:a.example a mail host, email:.a.example all below it,
    /// email:name@a.example a mailbox, and name:O=Example,C=DE all names that begin so; can be repeated
    #[arg(long, value_name = "KIND:NAME", value_parser = parse_base, requires = "ca")]
    pub(crate) permit: Vec<GeneralSubtree>,
    /// Names that certificates below it cannot have, in the same notation; can be repeated
    #[arg(long, value_name = "KIND:NAME", value_parser = parse_base, requires = "ca")]
    pub(crate) exclude: Vec<GeneralSubtree>,
    /// Where the issuer publishes its CRL: a URL with http, https, ldap or ldaps; can be repeated for more
    /// places of the same CRL
    #[arg(long, value_name = "URL", value_parser = address::url)]
    pub(crate) crl_url: Vec<GeneralName>,
    /// Where an OCSP responder of the issuer answers; can be repeated
    #[arg(long, value_name = "URL", value_parser = address::url)]
    pub(crate) ocsp_url: Vec<GeneralName>,
    /// Where the issuer publishes its own certificate; can be repeated
    #[arg(long, value_name = "URL", value_parser = address::url)]
    pub(crate) issuer_url: Vec<GeneralName>,
}

/// The alternative names of a subject.
#[derive(Debug, Args)]
pub(crate) struct NamesArgs {
    /// A host name or an IP address of the subject; can be repeated
    #[arg(long, alias = "dns", value_name = "HOST", value_parser = Host::parse)]
    pub(crate) host: Vec<Host>,
    /// A mail address of the subject; can be repeated
    #[arg(long, value_name = "ADDRESS", value_parser = address::mail)]
    pub(crate) email: Vec<GeneralName>,
    /// A URI of the subject; can be repeated
    #[arg(long, value_name = "URI", value_parser = address::uri)]
    pub(crate) uri: Vec<GeneralName>,
}

impl NamesArgs {
    /// All of them, in the order of the options.
    pub(super) fn all(&self) -> Result<Vec<GeneralName>, Error> {
        let hosts: Result<Vec<_>, _> = self.host.iter().map(Host::to_name).collect();
        let hosts = hosts.map_err(|error: der::Error| Error::Fault(error.to_string()))?;
        Ok([hosts, self.email.clone(), self.uri.clone()].concat())
    }
}

/// The purposes of a key.
#[derive(Debug, Args)]
pub(crate) struct PurposeArgs {
    /// A purpose of the key (extended key usage): server-auth, client-auth, code-signing, email-protection,
    /// time-stamping, ocsp-signing, any, or an object identifier; can be repeated, or be a list with commas
    #[arg(long, value_name = "PURPOSE", value_parser = Purpose::parse, value_delimiter = ',')]
    eku: Vec<Purpose>,
}

impl PurposeArgs {
    /// The purposes of an authority or an end entity, each one once.
    pub(super) fn all(&self, is_authority: bool) -> Result<Vec<Purpose>, Error> {
        let mut seen = BTreeSet::new();
        let each = self.eku.iter().copied();
        let all: Vec<_> = each.filter(|purpose| seen.insert(*purpose)).collect();
        match all.iter().find(|purpose| purpose.is_exclusive()) {
            Some(purpose) if all.len() > 1 && !is_authority => Err(Error::Usage(format!(
                "--eku: {} has to be the only purpose of a key (RFC 3161, section 2.3)",
                purpose.name()
            ))),
            _ => Ok(all),
        }
    }
}

/// The subject of a certificate.
#[derive(Debug, Args)]
pub(crate) struct SubjectArgs {
    /// The name of the subject, such as CN=server,O=Example,C=DE (RFC 4514), within the upper bounds of
    /// RFC 5280
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    pub(crate) subject: Name,
    #[command(flatten)]
    pub(crate) names: NamesArgs,
    #[command(flatten)]
    pub(crate) purposes: PurposeArgs,
}

pub(super) fn parse_name(text: &str) -> Result<Name, String> {
    let name: Option<Name> = text.parse().ok();
    let name = name.filter(|name| !name.is_empty());
    let name = name.ok_or("it is not a name such as CN=server,O=Example,C=DE")?;
    limits::check(&name).map_err(|error| format!("the name {error}"))?;
    Ok(name)
}

/// Reads a private key that can sign certificates, after a check that the output can be written and that it and the
/// inputs, with `others` that are read later, are different files.
pub(super) fn private_key(
    source: &Source,
    others: &[&Source],
    passphrase: &PassphraseArgs,
    output_args: &OutputArgs,
    backend: Backend,
    report: &Report,
) -> Result<Box<dyn PrivateKey>, Error> {
    let text = output_args.format == CertFormat::Pem;
    let target = Target::new(Some(&output_args.out));
    report.check(&target)?;
    let inputs = others.iter().copied().chain([source]).cloned();
    identity::check(inputs.chain(passphrase.source()), &target)?;
    output::check(&target, output_args.force, text)?;
    let expected = Expected::document(Some(What::PrivateKey)).with_passphrase(passphrase);
    let file = KeyFile::read(source, expected)?;
    let (key, _) = file.private_key(backend)?;
    warn_of_unused_backend(backend, file.algorithm);
    let algorithm = key.algorithm();
    match algorithm.oid() {
        Some(_) => Ok(key),
        None => Err(Error::Usage(format!(
            "{}: there are no certificates for {}; see `moissanite algorithms`",
            source.place(),
            algorithm.name()
        ))),
    }
}

/// The contents of a certificate or a request that the command line describes.
pub(super) fn contents(
    subject: &SubjectArgs,
    granted: Option<&GrantArgs>,
) -> Result<Contents, Error> {
    Ok(Contents {
        subject: subject.subject.clone(),
        names: subject.names.all()?,
        purposes: subject
            .purposes
            .all(granted.is_some_and(|granted| granted.ca))?,
        authority: granted.and_then(GrantArgs::authority),
        published: granted.map(GrantArgs::published).unwrap_or_default(),
    })
}

/// Writes a certificate or a request of a key, or a CRL by it, and reports it. The key belongs to the subject, or to
/// the issuer of a CRL, which is a field of this name.
pub(super) fn write(
    der: &[u8],
    label: &'static str,
    (role, name): (&'static str, &Name),
    key: &dyn PublicKey,
    output_args: &OutputArgs,
    report: &mut Report,
) -> Result<(), Error> {
    let target = Target::new(Some(&output_args.out));
    report.data("file", target.place());
    report.data(role, name.to_string());
    report.data("algorithm", key.algorithm().name());
    report.data("fingerprint", fingerprint::of(der));
    report.data("key_fingerprint", fingerprint::of_key(key)?);
    let pem = match output_args.format {
        CertFormat::Pem => Some(pem::encode(label, der)),
        CertFormat::Der => None,
    };
    let pem = pem.transpose().map_err(|e| Error::Fault(e.to_string()))?;
    let output = Output {
        target,
        bytes: pem.as_ref().map_or(der, |pem| pem.as_slice()),
        secret: false,
        text: pem.is_some(),
    };
    output::write(&[output], output_args.force)
}

impl GrantArgs {
    /// The authority that `--ca` grants.
    pub(super) fn authority(&self) -> Option<Authority> {
        let list = |subtrees: &[GeneralSubtree]| (!subtrees.is_empty()).then(|| subtrees.to_vec());
        let constraints = NameConstraints {
            permitted_subtrees: list(&self.permit),
            excluded_subtrees: list(&self.exclude),
        };
        let is_constrained = !self.permit.is_empty() || !self.exclude.is_empty();
        self.ca.then_some(Authority {
            path_length: self.path_length,
            constraints: is_constrained.then_some(constraints),
        })
    }

    /// The places that the options name.
    pub(super) fn published(&self) -> Published {
        Published {
            crl: self.crl_url.clone(),
            ocsp: self.ocsp_url.clone(),
            issuer: self.issuer_url.clone(),
        }
    }

    /// The validity of the certificate.
    pub(super) fn validity(&self) -> Result<Validity, Error> {
        validity(self.from, self.until, self.days)
    }
}

/// From a time or now, and until another time or for a number of days.
pub(super) fn validity(
    from: Option<DateTime>,
    until: Option<DateTime>,
    days: u32,
) -> Result<Validity, Error> {
    let fault = |error: der::Error| Error::Fault(error.to_string());
    let from = from.map_or_else(|| DateTime::from_unix_duration(clock::since_1970()), Ok);
    let from = from.map_err(fault)?;
    let until = match until {
        Some(until) if until < from => {
            return Err(Error::Usage(format!(
                "--until: {until} is before the beginning, {from}"
            )));
        }
        Some(until) => until,
        None => {
            let length = Duration::from_secs(u64::from(days) * 86_400);
            let end = DateTime::from_unix_duration(from.unix_duration() + length);
            let why = || format!("--days: {days} days end after the year 9999");
            end.map_err(|_| Error::Usage(why()))?
        }
    };
    Ok(Validity::new(Time::from(from), Time::from(until)))
}
