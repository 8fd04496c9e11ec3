//! `moissanite cert`.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use der::Encode;
use der::oid::AssociatedOid;
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::{SubjectAltName, SubjectKeyIdentifier};
use x509_cert::request::{CertReq, ExtensionReq};

use crate::algorithm::PrivateKey;
use crate::args::cert::{
    Cert, CertFormat, Granted, Issue, Request, SelfSign, Subject, VerifyChain, Written,
};
use crate::args::sources;
use crate::backend::Backend;
use crate::certificate::build::{self, Authority, Contents, Issuer, computed_identifier};
use crate::certificate::chain::Judge;
use crate::certificate::extensions::Extensions;
use crate::certificate::host::Host;
use crate::certificate::{self, Link};
use crate::error::{Error, one_line};
use crate::keyfile::{KeyFile, What};
use crate::message::Source;
use crate::output::{self, Output, Target};
use crate::{pem, warn};

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
    let key = private_key(&args.key, written, backend)?;
    let contents = contents(&args.subject, Some(&args.granted))?;
    let issuer = Issuer {
        name: contents.subject.clone(),
        key_identifier: None,
        key: &*key,
        deterministic: written.deterministic,
    };
    let spki = key.public_key().to_spki();
    let spki = spki.map_err(|error| Error::key(args.key.display().to_string(), error))?;
    let certificate = issuer.certificate(contents, &spki, args.granted.days)?;
    write(&certificate, "CERTIFICATE", written)
}

fn request(args: &Request, backend: Backend) -> Result<(), Error> {
    let written = &args.written;
    let key = private_key(&args.key, written, backend)?;
    let contents = contents(&args.subject, None)?;
    let request = build::request(contents, &*key, written.deterministic)?;
    write(&request, "CERTIFICATE REQUEST", written)
}

fn issue(args: &Issue, backend: Backend) -> Result<(), Error> {
    let written = &args.written;
    let [request, issuer, key] = sources([&args.request, &args.issuer, &args.key])?;
    let place = issuer.place();
    output::check(&Target::new(Some(&written.out)), written.force)?;
    let (key, _) = KeyFile::read(&key, None)?.private_key(backend)?;
    let request = KeyFile::read(&request, None)?;
    let (info, subject_key) = (request.request()?, request.requested_key(backend)?);
    let asked = &info.document.info;
    let signature = info.document.signature.as_bytes();
    let algorithm = &info.document.algorithm;
    if !certificate::is_signature(&*subject_key, algorithm, info.message, signature)? {
        return Err(Error::NotValid(format!(
            "{} is not signed by its own key",
            request.place
        )));
    }
    let issuer = certificate::read(&KeyFile::read(&issuer, None)?)?;
    let own = issuer.certificate.tbs_certificate();
    let issuer_key = issuer.key(backend);
    let issuer_key = issuer_key.map_err(|error| Error::key(&place, error))?;
    if issuer_key.to_raw() != key.public_key().to_raw() {
        return Err(Error::Usage(format!(
            "{} is not the private key of {place}",
            args.key.display()
        )));
    }
    may_issue(&issuer, &args.granted)?;
    let malformed = |error: der::Error| Error::key(&place, error);
    let identifier = own.get_extension::<SubjectKeyIdentifier>();
    let identifier = match identifier.map_err(malformed)? {
        Some((_, identifier)) => identifier.0,
        None => computed_identifier(&*issuer_key)?,
    };
    let contents = Contents {
        subject: asked.subject.clone(),
        hosts: requested_hosts(&info.document, &request.place)?,
        authority: authority(&args.granted),
    };
    let issuer = Issuer {
        name: own.subject().clone(),
        key_identifier: Some(identifier),
        key: &*key,
        deterministic: written.deterministic,
    };
    let spki = asked.public_key.to_der().map_err(malformed)?;
    let certificate = issuer.certificate(contents, &spki, args.granted.days)?;
    write(&certificate, "CERTIFICATE", written)
}

/// What nobody would believe is not made.
fn may_issue(issuer: &Link, granted: &Granted) -> Result<(), Error> {
    let place = &issuer.place;
    let extensions = Extensions::of(&issuer.certificate);
    let extensions = extensions.map_err(|refusal| Error::Usage(format!("{place}: {refusal}")))?;
    let may_sign = extensions.usage.is_none_or(|usage| usage.key_cert_sign());
    if !extensions.is_authority() || !may_sign {
        return Err(Error::Usage(format!(
            "{place} may not issue certificates; one made with --ca may"
        )));
    }
    match extensions.path_length() {
        Some(0) if granted.ca => Err(Error::Usage(format!(
            "{place} may not issue certificates of authorities; leave --ca out"
        ))),
        _ => Ok(()),
    }
}

/// The names of hosts that a request asks for.
fn requested_hosts(
    request: &CertReq,
    place: &str,
) -> Result<Vec<x509_cert::ext::pkix::name::GeneralName>, Error> {
    let malformed = |error: der::Error| Error::key(place, error);
    let mut hosts = Vec::new();
    for extension in requested(request).map_err(malformed)? {
        if extension.extn_id == SubjectAltName::OID {
            let names: SubjectAltName =
                der::Decode::from_der(extension.extn_value.as_bytes()).map_err(malformed)?;
            hosts.extend(names.0);
        } else {
            let oid = extension.extn_id;
            warn(&format!(
                "{place} asks for the extension {oid}, which it does not get"
            ));
        }
    }
    Ok(hosts)
}

/// The extensions that a request asks for.
pub(crate) fn requested(request: &CertReq) -> Result<Vec<Extension>, der::Error> {
    let mut extensions = Vec::new();
    for attribute in request.info.attributes.iter() {
        if attribute.oid == ExtensionReq::OID {
            for value in attribute.values.iter() {
                extensions.extend(value.decode_as::<ExtensionReq>()?.0);
            }
        }
    }
    Ok(extensions)
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
    let mut chain = links([&args.certificate])?;
    let roots = links(&args.root)?;
    let leaf = chain.remove(0);
    chain.extend(links(&args.intermediate)?);
    let at = match args.at {
        Some(time) => time.unix_duration(),
        None => SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default(),
    };
    let judge = Judge {
        roots: &roots,
        others: &chain,
        at,
        host: args.host.as_ref(),
        backend,
    };
    match judge.verify(&leaf)? {
        Ok(path) => {
            let mut text = String::from("valid\n");
            for link in path {
                let subject = link.certificate.tbs_certificate().subject().to_string();
                text += &format!("  {} ({})\n", one_line(&subject), one_line(&link.place));
            }
            output::print(&text)
        }
        Err((link, refusal)) => Err(Error::NotValid(format!("{}: {refusal}", link.place))),
    }
}

/// All certificates in these files; at least one in each.
fn links<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<Vec<Link>, Error> {
    let mut links = Vec::new();
    for path in paths {
        for file in KeyFile::read_all(&Source::new(path))? {
            file.expect(What::Certificate, "")?;
            links.push(certificate::read(&file)?);
        }
    }
    Ok(links)
}

fn private_key(
    path: &Path,
    written: &Written,
    backend: Backend,
) -> Result<Box<dyn PrivateKey>, Error> {
    output::check(&Target::new(Some(&written.out)), written.force)?;
    let (key, _) = KeyFile::read(&Source::new(path), None)?.private_key(backend)?;
    Ok(key)
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
