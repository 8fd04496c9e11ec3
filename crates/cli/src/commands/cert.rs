//! `moissanite cert`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use der::Decode;
use der::asn1::OctetString;
use der::oid::AssociatedOid;
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::name::{GeneralName, GeneralNames};
use x509_cert::ext::pkix::{SubjectAltName, SubjectKeyIdentifier};
use x509_cert::request::{CertReq, ExtensionReq};

use crate::algorithm::{PrivateKey, PublicKey};
use crate::args::cert::{
    Cert, CertFormat, Granted, Issue, Request, SelfSign, Subject, VerifyChain, Written,
};
use crate::args::sources;
use crate::backend::Backend;
use crate::certificate::build::{self, Authority, Contents, Issuer, computed_identifier};
use crate::certificate::chain::{self, Judge};
use crate::certificate::host::Host;
use crate::certificate::limits;
use crate::certificate::names::ComparableName;
use crate::certificate::refusal::Refusal;
use crate::certificate::{self, Link, bundle, text};
use crate::error::{Error, one_line};
use crate::identity;
use crate::keyfile::{Expected, KeyError, KeyFile, Signed, What};
use crate::message::Source;
use crate::output::{self, Output, Target};
use crate::{note, pem, warn};

pub(crate) fn run(args: &Cert, backend: Backend) -> Result<(), Error> {
    match args {
        Cert::SelfSign(args) => self_sign(args, backend),
        Cert::Request(args) => request(args, backend),
        Cert::Issue(args) => issue(args, backend),
        Cert::Verify(args) => verify(args, backend),
    }
}

fn self_sign(args: &SelfSign, backend: Backend) -> Result<(), Error> {
    let written = &args.written;
    let source = Source::new(&args.key);
    let key = private_key(&source, written, backend)?;
    let contents = contents(&args.subject, Some(&args.granted))?;
    let issuer = Issuer {
        name: contents.subject.clone(),
        key_identifier: None,
        key: &*key,
        deterministic: written.deterministic,
    };
    let spki = key.public_key().to_spki();
    let spki = spki.map_err(|error| Error::key(source.place(), error))?;
    let certificate = issuer.certificate(contents, &spki, args.granted.days)?;
    write(&certificate, "CERTIFICATE", written)
}

fn request(args: &Request, backend: Backend) -> Result<(), Error> {
    let written = &args.written;
    let key = private_key(&Source::new(&args.key), written, backend)?;
    let contents = contents(&args.subject, None)?;
    let request = build::request(contents, &*key, written.deterministic)?;
    write(&request, "CERTIFICATE REQUEST", written)
}

fn issue(args: &Issue, backend: Backend) -> Result<(), Error> {
    let written = &args.written;
    let [request, issuer, key] = sources([&args.request, &args.issuer, &args.key])?;
    identity::refuse_inputs(&[&request, &issuer], &Target::new(Some(&written.out)))?;
    let key = private_key(&key, written, backend)?;
    let request = KeyFile::read(&request, Expected::document(Some(What::Request)))?;
    let issuer = certificate::read(&KeyFile::read(
        &issuer,
        Expected::document(Some(What::Certificate)),
    )?)?;
    check_issuer(&issuer, &*key, &args.granted, backend)?;

    let Signed { document, message } = request.request()?;
    let subject_key = request.requested_key(backend)?;
    let signature = document.signature.as_bytes();
    if !certificate::is_signature(&*subject_key, &document.algorithm, message, signature)? {
        return Err(Error::NotValid(format!(
            "{} is not signed by its own key",
            request.place
        )));
    }
    let contents = Contents {
        subject: document.info.subject.clone(),
        hosts: requested_hosts(&document, &request.place)?,
        authority: authority(&args.granted),
    };
    check_subject(&contents, &issuer, &*subject_key, &*key, &request.place)?;
    let subject = GeneralName::DirectoryName(contents.subject.clone());
    let granted = [&subject].into_iter().chain(&contents.hosts);
    let granted: Vec<_> = granted.map(text::name).collect();
    let spki = subject_key.to_spki();
    let spki = spki.map_err(|error| Error::key(&request.place, error))?;
    let issuer = Issuer {
        name: issuer.certificate.tbs_certificate().subject().clone(),
        key_identifier: Some(key_identifier(&issuer, &*key)?),
        key: &*key,
        deterministic: written.deterministic,
    };
    let certificate = issuer.certificate(contents, &spki, args.granted.days)?;
    write(&certificate, "CERTIFICATE", written)?;
    note(&format!("the certificate is for {}", granted.join(", ")));
    Ok(())
}

/// What nobody would believe is not made.
fn check_issuer(
    issuer: &Link,
    key: &dyn PrivateKey,
    granted: &Granted,
    backend: Backend,
) -> Result<(), Error> {
    let place = &issuer.place;
    let refuse = |why: String| Err(Error::Usage(format!("{place} {why}")));
    let public_key = issuer.key(backend);
    let public_key = public_key.map_err(|error| Error::key(place, error))?;
    if public_key.to_raw() != key.public_key().to_raw() {
        return refuse("is not the certificate of that private key".into());
    }
    match issuer.check() {
        Err(refusal) => refuse(format!("issues nothing that is valid: {refusal}")),
        Ok(extensions) if !extensions.may_issue() => {
            refuse("may not issue certificates; one made with --ca may".into())
        }
        Ok(extensions) if granted.ca && extensions.path_length() == Some(0) => {
            refuse("may not issue certificates of authorities; leave --ca out".into())
        }
        Ok(_) => check_times(issuer, granted),
    }
}

/// No certificate is valid while that of its issuer is not.
fn check_times(issuer: &Link, granted: &Granted) -> Result<(), Error> {
    let place = &issuer.place;
    let check = |at| chain::check_time(&issuer.certificate, at);
    let now = now();
    if let Err(refusal) = check(now) {
        let why = format!("{place} issues nothing that is valid: {refusal}");
        return Err(Error::Usage(why));
    }
    let days = Duration::from_secs(u64::from(granted.days) * 86_400);
    if check(now + days).is_err() {
        let end = issuer.certificate.tbs_certificate().validity().not_after;
        warn(&format!(
            "the certificate is not valid for all of its {} days, as {place} expires on {end}",
            granted.days
        ));
    }
    Ok(())
}

/// Nor who would be taken for somebody else.
fn check_subject(
    contents: &Contents,
    issuer: &Link,
    subject_key: &dyn PublicKey,
    key: &dyn PrivateKey,
    place: &str,
) -> Result<(), Error> {
    let subject = &contents.subject;
    let refuse = |why: String| Err(Error::Usage(format!("{place} {why}")));
    if let Err(why) = limits::check(subject) {
        return refuse(format!("asks for a name that {why}"));
    }
    let own = issuer.certificate.tbs_certificate().subject();
    let same = ComparableName::of(subject) == ComparableName::of(own);
    let is_issuer = subject_key.to_raw() == key.public_key().to_raw();
    let why = match (subject.is_empty(), &contents.authority) {
        // It would count as the issuer's own, on which path lengths do not bear.
        _ if same && !is_issuer => "asks for the name of the issuer, with another key",
        (true, Some(_)) => "names no subject, which an authority has to have; leave --ca out",
        (true, None) if contents.hosts.is_empty() => "names neither a subject nor a host",
        _ => return check_constraints(contents, issuer, place),
    };
    refuse(why.into())
}

/// Refuses names that the name constraints of the issuer do not permit.
fn check_constraints(contents: &Contents, issuer: &Link, place: &str) -> Result<(), Error> {
    let extensions = issuer.check();
    let extensions = extensions.map_err(|refusal| Error::Usage(refusal.to_string()))?;
    let Some(constraints) = extensions.name_constraints else {
        return Ok(());
    };
    let checked = constraints.check(&issuer.place, &contents.subject, &contents.hosts);
    checked.map_err(|refusal| Error::Usage(format!("{place}: {refusal}")))
}

/// What its own certificate calls the issuer's key.
fn key_identifier(issuer: &Link, key: &dyn PrivateKey) -> Result<OctetString, Error> {
    let body = issuer.certificate.tbs_certificate();
    let identifier = body.get_extension::<SubjectKeyIdentifier>();
    match identifier.map_err(|error| Error::key(&issuer.place, error))? {
        Some((_, identifier)) => Ok(identifier.0),
        None => computed_identifier(&*key.public_key()),
    }
}

/// The hosts that a request asks for.
fn requested_hosts(request: &CertReq, place: &str) -> Result<GeneralNames, Error> {
    let malformed = |error: der::Error| Error::key(place, error);
    let mut hosts = Vec::new();
    let refuse = |what: &str| warn(&format!("{place} asks for {what}, which it does not get"));
    for extension in requested(request).map_err(|error| Error::key(place, error))? {
        if extension.extn_id != SubjectAltName::OID {
            refuse(&format!("the extension {}", extension.extn_id));
            continue;
        }
        let all = SubjectAltName::from_der(extension.extn_value.as_bytes());
        let all = all.map_err(malformed)?.0;
        if all.is_empty() {
            let none = KeyError::Malformed("it asks for names, and names none".into());
            return Err(Error::key(place, none));
        }
        for name in all {
            match Host::of(&name) {
                Some(host) => hosts.push(host.to_name().map_err(malformed)?),
                None => refuse(&format!("the name {}", text::name(&name))),
            }
        }
    }
    Ok(hosts)
}

/// The extensions that a request asks for, each once.
pub(crate) fn requested(request: &CertReq) -> Result<Vec<Extension>, KeyError> {
    let attributes = request.info.attributes.iter();
    let asking = attributes.filter(|attribute| attribute.oid == ExtensionReq::OID);
    let lists: Vec<_> = asking
        .flat_map(|attribute| attribute.values.iter())
        .collect();
    let extensions = match lists.as_slice() {
        [] => return Ok(Vec::new()),
        [list] => list.decode_as::<ExtensionReq>()?.0,
        _ => return Err(KeyError::Malformed("it asks for extensions twice".into())),
    };
    let mut seen = BTreeSet::new();
    match extensions
        .iter()
        .find(|extension| !seen.insert(extension.extn_id))
    {
        Some(extension) => {
            let refusal = Refusal::RepeatedExtension(extension.extn_id);
            Err(KeyError::Malformed(refusal.to_string()))
        }
        None => Ok(extensions),
    }
}

fn verify(args: &VerifyChain, backend: Backend) -> Result<(), Error> {
    let mut all = vec![args.certificate.as_path()];
    all.extend(
        args.root
            .iter()
            .chain(&args.intermediate)
            .map(PathBuf::as_path),
    );
    if all.iter().filter(|path| **path == Path::new("-")).count() > 1 {
        return Err(Error::Usage(
            "only one input can come from standard input".into(),
        ));
    }
    let mut others = presented([&args.certificate])?;
    let roots = roots(&args.root)?;
    let leaf = others.remove(0);
    others.extend(presented(&args.intermediate)?);
    let at = match args.at {
        Some(time) => time.unix_duration(),
        None => now(),
    };
    let judge = Judge {
        roots: &roots,
        others: &others,
        at,
        host: args.host.as_ref(),
        backend,
    };
    let mut text = String::from("valid\n");
    for link in judge.verify(&leaf)? {
        let subject = link.certificate.tbs_certificate().subject().to_string();
        text += &format!("  {} ({})\n", one_line(&subject), one_line(&link.place));
    }
    output::print(&text)
}

/// Since 1970.
fn now() -> Duration {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.unwrap_or_default()
}

/// All certificates in these files; at least one in each.
fn presented<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<Vec<Link>, Error> {
    let mut links = Vec::new();
    for path in paths {
        for link in bundle::read(&Source::new(path))? {
            links.push(link?);
        }
    }
    Ok(links)
}

/// All certificates in these files that can be read; at least one in each. A root that is missing can
/// only make fewer paths valid, so an unreadable root is ignored with a warning.
fn roots(paths: &[PathBuf]) -> Result<Vec<Link>, Error> {
    let mut links = Vec::new();
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
        links.extend(readable.into_iter().flatten());
    }
    Ok(links)
}

/// A key for certificates, which can be written where they are to be.
fn private_key(
    source: &Source,
    written: &Written,
    backend: Backend,
) -> Result<Box<dyn PrivateKey>, Error> {
    let text = written.format == CertFormat::Pem;
    let target = Target::new(Some(&written.out));
    identity::refuse_inputs(&[source], &target)?;
    output::check(&target, written.force, text)?;
    let (key, _) =
        KeyFile::read(source, Expected::document(Some(What::PrivateKey)))?.private_key(backend)?;
    let algorithm = key.algorithm();
    match algorithm.oid() {
        Some(_) => Ok(key),
        None => Err(Error::Usage(format!(
            "{}: certificates have no identifier for {}; see `moissanite algorithms`",
            source.place(),
            algorithm.name()
        ))),
    }
}

fn contents(subject: &Subject, granted: Option<&Granted>) -> Result<Contents, Error> {
    let hosts: Result<_, _> = subject.host.iter().map(Host::to_name).collect();
    Ok(Contents {
        subject: subject.subject.clone(),
        hosts: hosts.map_err(|error: der::Error| Error::Fault(error.to_string()))?,
        authority: granted.and_then(authority),
    })
}

fn authority(granted: &Granted) -> Option<Authority> {
    let path_length = granted.path_length;
    granted.ca.then_some(Authority { path_length })
}

fn write(der: &[u8], label: &'static str, written: &Written) -> Result<(), Error> {
    let pem = match written.format {
        CertFormat::Pem => Some(pem::encode(label, der)),
        CertFormat::Der => None,
    };
    let pem = pem.transpose().map_err(|e| Error::Fault(e.to_string()))?;
    let output = Output {
        target: Target::new(Some(&written.out)),
        bytes: pem.as_ref().map_or(der, |pem| pem.as_slice()),
        secret: false,
        text: pem.is_some(),
    };
    output::write(&[output], written.force)
}
