//! `moissanite cert issue`.

use std::path::PathBuf;

use clap::Args;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::name::Name;
use x509_cert::time::Validity;

use super::issuer;
use super::options::{
    GrantArgs, NamesArgs, OutputArgs, PurposeArgs, parse_name, private_key, write,
};
use crate::algorithm::scheme::{PrivateKey, PublicKey};
use crate::backend::Backend;
use crate::certificate::build::Contents;
use crate::certificate::names::ComparableName;
use crate::certificate::parsed::ParsedCertificate;
use crate::certificate::purpose::Purpose;
use crate::certificate::request::ParsedRequest;
use crate::certificate::{limits, text};
use crate::diagnostics::{note, warn};
use crate::error::Error;
use crate::input::Source;
use crate::key_error::What;
use crate::keyfile::{Expected, KeyFile};
use crate::passphrase::PassphraseArgs;
use crate::report::Report;

#[derive(Debug, Args)]
#[command(after_help = "\
The request has to be signed by its own key, which is always copied. --subject replaces its subject. --host,
--email or --uri replace all its names; without them, the certificate gets those that --host of `cert
request` accepts. Notes list the names and what is copied. The certificate gets nothing else that the
request asks for, such as purposes without --eku; a warning names each such item.

Examples:
  moissanite cert issue server.csr --issuer root.pem --key root.key --out server.pem
  moissanite cert issue any.csr --issuer root.pem --key root.key --subject CN=Server --host a.example \\
    --eku server-auth,client-auth --crl-url http://root.example/root.crl --out server.pem")]
pub(crate) struct Issue {
    /// The file of the request
    request: PathBuf,
    /// The certificate of the authority
    #[arg(long, value_name = "FILE")]
    issuer: PathBuf,
    /// The private key of the authority
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The name of the subject, instead of that of the request
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    subject: Option<Name>,
    #[command(flatten)]
    names: NamesArgs,
    #[command(flatten)]
    purposes: PurposeArgs,
    #[command(flatten)]
    grant: GrantArgs,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Runs the command.
pub(crate) fn run(args: &Issue, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let output = &args.output;
    let paths = [&args.request, &args.issuer, &args.key];
    let [request, issuer, key] = paths.map(|path| Source::new(path));
    let key = private_key(
        &key,
        &[&request, &issuer],
        &args.passphrase,
        output,
        backend,
        report,
    )?;
    let request = KeyFile::read(&request, Expected::document(Some(What::Request)))?;
    let issuer = issuer::read(&issuer, &*key, backend)?;
    let valid = args.grant.validity()?;
    let (purposes, chosen) = (args.purposes.all(args.grant.ca)?, args.names.all()?);
    check_issuer(&issuer, &args.grant, &purposes, &valid)?;

    let request = ParsedRequest::in_file(&request)?;
    let subject_key = request.key(backend)?;
    request.check_signature(&*subject_key)?;
    let requested = request.names(!chosen.is_empty(), &purposes)?;
    let copied = copied(args, chosen.is_empty() && !requested.is_empty());
    let subject = args.subject.as_ref();
    let contents = Contents {
        subject: subject.unwrap_or(&request.request.info.subject).clone(),
        names: [chosen, requested].concat(),
        purposes,
        authority: args.grant.authority(),
        published: args.grant.published(),
    };
    let asking = subject.map_or(request.place.as_str(), |_| "--subject");
    check_subject(&contents, &issuer, &*subject_key, &*key, asking)?;
    let subject = contents.subject.clone();
    let name = GeneralName::DirectoryName(subject.clone());
    let granted = [&name].into_iter().chain(&contents.names);
    let granted: Vec<_> = granted.map(text::name).collect();
    let spki = subject_key.to_spki();
    let spki = spki.map_err(|error| Error::file(&request.place, error))?;
    let issuer = issuer::signing(&issuer, &*key, output.deterministic)?;
    let certificate = issuer.certificate(contents, &spki, valid)?;
    write(
        &certificate,
        "CERTIFICATE",
        ("subject", &subject),
        &*subject_key,
        output,
        report,
    )?;
    report.data("names", granted.as_slice());
    report.data("copied", copied.as_slice());
    note(&format!("the certificate is for {}", granted.join(", ")));
    let place = &request.place;
    note(&format!("copied from {place}: {}", copied.join(", ")));
    Ok(())
}

/// What a certificate has from its request.
fn copied(args: &Issue, has_names: bool) -> Vec<&'static str> {
    let mut copied = vec!["key"];
    if args.subject.is_none() {
        copied.push("subject");
    }
    if has_names {
        copied.push("names");
    }
    copied
}

/// Refuses to issue a certificate that no verifier would accept.
fn check_issuer(
    issuer: &ParsedCertificate,
    granted: &GrantArgs,
    purposes: &[Purpose],
    valid: &Validity,
) -> Result<(), Error> {
    let extensions = issuer::check(issuer, "certificate", valid.not_before)?;
    let place = &issuer.place;
    let refuse = |why: &str| Err(Error::Usage(format!("{place} {why}")));
    if !extensions.may_issue() {
        return refuse("may not issue certificates; one made with --ca may");
    }
    if granted.ca && extensions.path_length() == Some(0) {
        return refuse("may not issue certificates of authorities; leave out --ca");
    }
    if let Some(purpose) = purposes.iter().find(|one| !extensions.is_for(**one)) {
        return refuse(&format!("is not for the purpose {}", purpose.name()));
    }
    if issuer
        .check_time(valid.not_after.to_unix_duration())
        .is_err()
    {
        let end = issuer.body().validity().not_after;
        let until = match granted.until {
            Some(until) => format!("until {until}"),
            None => format!("for all of its {} days", granted.days),
        };
        warn(&format!(
            "the certificate is not valid {until}, as {place} expires on {end}"
        ));
    }
    Ok(())
}

/// Refuses a subject that could be mistaken for another one, or that has no name.
fn check_subject(
    contents: &Contents,
    issuer: &ParsedCertificate,
    subject_key: &dyn PublicKey,
    key: &dyn PrivateKey,
    place: &str,
) -> Result<(), Error> {
    let subject = &contents.subject;
    let refuse = |why: String| Err(Error::Usage(format!("{place} {why}")));
    if let Err(why) = limits::check(subject) {
        return refuse(format!("asks for a name that {why}"));
    }
    let own = issuer.body().subject();
    let same = ComparableName::of(subject) == ComparableName::of(own);
    let is_issuer = subject_key.to_raw() == key.public_key().to_raw();
    let why = match (subject.is_empty(), &contents.authority) {
        // The certificate would count as self-issued, which path lengths ignore.
        _ if same && !is_issuer => "asks for the name of the issuer, with another key",
        (true, Some(_)) => "names no subject, which an authority requires; leave out --ca",
        (true, None) if contents.names.is_empty() => "names neither a subject nor a host",
        _ => return check_constraints(contents, issuer, place),
    };
    refuse(why.into())
}

/// Refuses names that the name constraints of the issuer do not permit.
fn check_constraints(
    contents: &Contents,
    issuer: &ParsedCertificate,
    place: &str,
) -> Result<(), Error> {
    let extensions = issuer.check();
    let extensions = extensions.map_err(|error| Error::Usage(error.to_string()))?;
    let Some(constraints) = extensions.name_constraints else {
        return Ok(());
    };
    let checked = constraints.check(&issuer.place, &contents.subject, &contents.names);
    checked.map_err(|error| Error::Usage(format!("{place}: {error}")))
}
