//! `moissanite cert`.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use der::asn1::OctetString;
use der::oid::AssociatedOid;
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::name::GeneralNames;
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
use crate::keyfile::{KeyFile, Signed};
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
    let sources = sources([&args.request, &args.issuer, &args.key])?;
    output::check(&Target::new(Some(&written.out)), written.force)?;
    let [request, issuer, key] = sources.map(|source| KeyFile::read(&source, None));
    let (request, issuer) = (request?, certificate::read(&issuer?)?);
    let (key, _) = key?.private_key(backend)?;
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
    let spki = subject_key.to_spki();
    let spki = spki.map_err(|error| Error::key(&request.place, error))?;
    let issuer = Issuer {
        name: issuer.certificate.tbs_certificate().subject().clone(),
        key_identifier: Some(key_identifier(&issuer, &*key)?),
        key: &*key,
        deterministic: written.deterministic,
    };
    let certificate = issuer.certificate(contents, &spki, args.granted.days)?;
    write(&certificate, "CERTIFICATE", written)
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
    match Extensions::of(&issuer.certificate) {
        Err(refusal) => refuse(format!("issues nothing that is valid: {refusal}")),
        Ok(extensions) if !extensions.may_issue() => {
            refuse("may not issue certificates; one made with --ca may".into())
        }
        Ok(extensions) if granted.ca && extensions.path_length() == Some(0) => {
            refuse("may not issue certificates of authorities; leave --ca out".into())
        }
        Ok(_) => Ok(()),
    }
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

/// The names of hosts that a request asks for.
fn requested_hosts(request: &CertReq, place: &str) -> Result<GeneralNames, Error> {
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
    let mut text = String::from("valid\n");
    for link in judge.verify(&leaf)? {
        let subject = link.certificate.tbs_certificate().subject().to_string();
        text += &format!("  {} ({})\n", one_line(&subject), one_line(&link.place));
    }
    output::print(&text)
}

/// All certificates in these files; at least one in each.
fn links<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<Vec<Link>, Error> {
    let mut links = Vec::new();
    for path in paths {
        for file in KeyFile::read_all(&Source::new(path))? {
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
