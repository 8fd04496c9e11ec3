//! `moissanite inspect`.

mod certificate;
mod cms;
mod ssh;

use std::path::PathBuf;

use clap::Args;
use der::oid::ObjectIdentifier;
use moissanite::keys::PrivateKeyForm;
use serde_json::json;
use zeroize::Zeroizing;

use super::options::{Kind, warn_of_unused_backend};
use crate::algorithm;
use crate::algorithm::scheme::{Algorithm, PublicKey};
use crate::backend::Backend;
use crate::certificate::bundle;
use crate::certificate::parsed::ParsedCertificate;
use crate::error::Error;
use crate::fingerprint;
use crate::input::Source;
use crate::key_error::{KeyError, What};
use crate::keyfile::{Encoding, Expected, Foreign, KeyFile, LIMIT, OtherKey, is_older};
use crate::passphrase::PassphraseArgs;
use crate::pem;
use crate::report::Report;

#[derive(Debug, Args)]
#[command(after_help = "\
The fingerprint of a key is the SHA-256 hash of the public key's SubjectPublicKeyInfo in DER, so it is
the same for a private key, its public key and its certificate. For an algorithm without documents, it
is the SHA-256 hash of the raw public key. A certificate has its own fingerprint: the SHA-256 hash of
its DER.

A file with several PEM documents is described document by document, with which certificate signs which.
Messages of CMS and PKCS#7, keys and signatures of OpenSSH, and keys and certificates of algorithms that this
program does not use are described too.")]
pub(crate) struct Inspect {
    /// A key in PEM, DER or raw, certificates, a request or a message of CMS in PEM or DER, a signature, or a
    /// key or a signature of OpenSSH
    pub(crate) file: PathBuf,
    /// The algorithm of a raw key or a signature; required if several algorithms fit its length
    #[arg(long, value_name = "ALGORITHM", value_parser = algorithm::parse)]
    pub(crate) algorithm: Option<Algorithm>,
    /// The kind of raw bytes; required if several kinds have their length, such as 32 bytes of Ed25519
    #[arg(long, value_enum)]
    pub(crate) kind: Option<Kind>,
    #[command(flatten)]
    pub(crate) passphrase: PassphraseArgs,
}

/// The largest number of documents of a file.
const MOST_DOCUMENTS: usize = 256;

/// Runs the command.
pub(crate) fn run(args: &Inspect, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let source = Source::new(&args.file);
    let bytes = Zeroizing::new(source.read_at_most(1 + LIMIT as u64)?);
    let documents = pem::documents(&bytes);
    match documents.as_slice() {
        [_, _, ..] if bytes.len() <= LIMIT && args.kind.is_none() => {
            several(args, &source, &documents, backend, report)
        }
        _ => one(args, &source, &source.place(), &bytes, backend, report).map(drop),
    }
}

/// Describes every document of a file, and which certificates sign which other ones.
fn several(
    args: &Inspect,
    source: &Source,
    documents: &[&[u8]],
    backend: Backend,
    report: &mut Report,
) -> Result<(), Error> {
    let (place, count) = (source.place(), documents.len());
    if count > MOST_DOCUMENTS {
        let text =
            format!("the file has {count} documents; at most {MOST_DOCUMENTS} are described");
        return Err(Error::file(place, KeyError::Malformed(text)));
    }
    report.field("file", place.as_str())?;
    report.line("documents", &count.to_string())?;
    let (mut described, mut certificates) = (Vec::new(), Vec::new());
    for (number, document) in (1_usize..).zip(documents) {
        report.text("\n")?;
        let place = format!("{place}, document {number}");
        let mut part = report.part();
        let found = one(args, source, &place, document, backend, &mut part)?;
        certificates.extend(found.map(|certificate| (number, certificate)));
        described.push(part.into_value());
    }
    report.data("documents", described);
    let mut issuers = Vec::new();
    if !certificates.is_empty() {
        report.text("\n")?;
    }
    for (number, certificate) in &certificates {
        let issuer = issuer_of(certificate, &certificates, backend)?;
        let text = match issuer {
            Some(issuer) if issuer == *number => "itself".into(),
            Some(issuer) => format!("document {issuer}"),
            None => "no certificate of this file".into(),
        };
        report.line(
            "signed by",
            &format!("document {number} is signed by {text}"),
        )?;
        issuers.push(json!({ "document": number, "signed_by": issuer }));
    }
    report.data("signatures", issuers);
    Ok(())
}

/// The number of the certificate whose subject is the issuer and whose key signed this one.
fn issuer_of(
    certificate: &ParsedCertificate,
    all: &[(usize, ParsedCertificate)],
    backend: Backend,
) -> Result<Option<usize>, Error> {
    for (number, issuer) in all {
        if issuer.is_named_as_issuer_of(certificate)
            && let Ok(key) = issuer.key(backend)
            && certificate.is_signed_by(&*key)?
        {
            return Ok(Some(*number));
        }
    }
    Ok(None)
}

/// Describes the only content of `bytes`, and returns it if it is a certificate.
fn one(
    args: &Inspect,
    source: &Source,
    place: &str,
    bytes: &[u8],
    backend: Backend,
    report: &mut Report,
) -> Result<Option<ParsedCertificate>, Error> {
    if let Some(foreign) = Foreign::of(bytes) {
        return of_foreign(place, foreign, bytes, backend, report).map(|()| None);
    }
    let kind = args.kind.map(What::from);
    let expected = Expected::anything(kind, args.algorithm).with_passphrase(&args.passphrase);
    let file = match KeyFile::of_source(source, place, Zeroizing::new(bytes.to_vec()), &expected) {
        Ok(file) => file,
        Err(error) => return unused_key(place, error, bytes, backend, report),
    };
    if let Some(kind) = kind {
        file.expect(kind, " as --kind says")?;
    }
    report.field("file", place)?;
    report.field_as("what", file.what.name(), &file.what.to_string())?;
    algorithm_field(&file, report)?;
    match file.what {
        What::PrivateKey => private_key(&file, backend, report)?,
        What::PublicKey => {
            let structure = match file.encoding {
                Encoding::Raw => "the scheme's own",
                _ => "SubjectPublicKeyInfo",
            };
            encoding(file.encoding, structure, report)?;
            let key = file.public_key(backend)?;
            warn_of_unused_backend(backend, file.algorithm);
            public_key(&*key, "fingerprint", report)?;
        }
        What::Certificate => {
            let parsed = ParsedCertificate::in_file(&file)?;
            certificate::certificate(&parsed, file.encoding, backend, report)?;
            return Ok(Some(parsed));
        }
        What::Request => certificate::request(&file, backend, report)?,
        What::Signature => signature(&file, report)?,
    }
    Ok(None)
}

/// Describes a file in a format of its own.
fn of_foreign(
    place: &str,
    foreign: Foreign,
    bytes: &[u8],
    backend: Backend,
    report: &mut Report,
) -> Result<(), Error> {
    report.field("file", place)?;
    report.field_as("what", foreign.name(), foreign.describe())?;
    match foreign {
        Foreign::SshPrivate | Foreign::SshPublic | Foreign::SshSignature => {
            ssh::describe(place, foreign, bytes, report)
        }
        Foreign::Cms => cms::describe(place, bytes, backend, report),
        _ => {
            for reader in foreign.readers() {
                report.line("read by", reader)?;
            }
            report.data("read_by", json!(foreign.readers()));
            Ok(())
        }
    }
}

/// Describes a key or a certificate of an algorithm that this command does not use.
fn unused_key(
    place: &str,
    error: Error,
    bytes: &[u8],
    backend: Backend,
    report: &mut Report,
) -> Result<Option<ParsedCertificate>, Error> {
    if !matches!(error.reason(), Some(KeyError::Foreign(_))) {
        return Err(error);
    }
    if let Some(key) = OtherKey::of(bytes) {
        report.field("file", place)?;
        report.field_as("what", key.what.name(), &key.what.to_string())?;
        report.data("algorithm", key.name.as_str());
        report.data("oid", key.oid.to_string());
        report.line("algorithm", &unused(&key.name, key.oid))?;
        let structure = match key.what {
            What::PrivateKey => "PKCS#8",
            _ => "SubjectPublicKeyInfo",
        };
        encoding(key.encoding, structure, report)?;
        if is_older(key.oid) {
            report.line(
                "note",
                "an older encoding: `moissanite doctor` says which programs write it and how to repair it",
            )?;
        }
        return Ok(None);
    }
    let Ok(parsed) = bundle::parse(place, bytes, "") else {
        return Err(error);
    };
    report.field("file", place)?;
    report.field_as(
        "what",
        What::Certificate.name(),
        &What::Certificate.to_string(),
    )?;
    let encoding = match pem::is_pem(bytes) {
        true => Encoding::Pem,
        false => Encoding::Der,
    };
    certificate::certificate(&parsed, encoding, backend, report)?;
    Ok(Some(parsed))
}

/// The name of an algorithm that this command does not use.
fn unused(name: &str, oid: ObjectIdentifier) -> String {
    match name == oid.to_string() {
        true => format!("{oid}, which this program does not use"),
        false => format!("{name} ({oid}), which this program does not use"),
    }
}

fn algorithm_field(file: &KeyFile, report: &mut Report) -> Result<(), Error> {
    let name = file.algorithm.name();
    let oid = file.algorithm.oid().map(|oid| oid.to_string());
    let text = match &oid {
        Some(oid) => format!("{name} ({oid})"),
        None => name.into(),
    };
    report.field_as("algorithm", name, &text)?;
    report.data("oid", oid);
    Ok(())
}

/// Reports the encoding of a file and the structure inside of it.
fn encoding(encoding: Encoding, structure: &str, report: &mut Report) -> Result<(), Error> {
    let text = format!("{encoding}, {structure}");
    report.field_as("encoding", encoding.name(), &text)?;
    report.data("structure", structure);
    Ok(())
}

fn private_key(file: &KeyFile, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let structure = match file.encoding {
        Encoding::Raw => "the scheme's own",
        _ => "PKCS#8",
    };
    encoding(file.encoding, structure, report)?;
    let (key, form) = file.private_key(backend)?;
    warn_of_unused_backend(backend, file.algorithm);
    let name = match form {
        PrivateKeyForm::Seed => "seed",
        PrivateKeyForm::Expanded => "expanded",
        PrivateKeyForm::Both => "both",
    };
    report.field_as("form", name, &form.to_string())?;
    let (seed, private) = (file.algorithm.seed_len(), file.algorithm.sizes().private);
    report.data("seed_length", seed);
    report.data("private_key_length", private);
    report.line(
        "private key",
        &match form {
            PrivateKeyForm::Seed if seed == private => format!("{seed} bytes"),
            PrivateKeyForm::Seed => format!("{seed} bytes, which give {private}"),
            PrivateKeyForm::Expanded => format!("{private} bytes"),
            PrivateKeyForm::Both => format!("{seed} and {private} bytes"),
        },
    )?;
    public_key(&*key.public_key(), "fingerprint", report)?;
    let derived = file.algorithm.derived();
    let why = match form {
        PrivateKeyForm::Seed => "yes: every seed is valid".into(),
        PrivateKeyForm::Expanded => {
            format!("yes: s1 and s2 are in range and give its {derived}")
        }
        PrivateKeyForm::Both => "yes: the seed gives the expanded key".into(),
    };
    report.field_as("consistent", true, &why)
}

/// Reports a public key. `name` is that of its fingerprint.
fn public_key(key: &dyn PublicKey, name: &'static str, report: &mut Report) -> Result<(), Error> {
    let lengths = (key.to_raw().len(), key.algorithm().sizes().signature);
    report.data("public_key_length", lengths.0);
    report.line("public key", &format!("{} bytes", lengths.0))?;
    report.data("signature_length", lengths.1);
    report.line("signatures", &format!("{} bytes", lengths.1))?;
    report.field(name, fingerprint::of_key(key)?)
}

fn signature(file: &KeyFile, report: &mut Report) -> Result<(), Error> {
    report.field_as("encoding", "raw", "raw, recognised by its length")?;
    let length = file.bytes.len();
    report.data("signature_length", length);
    report.line("signature", &format!("{length} bytes"))?;
    let found = file.algorithm.inspect_signature(&file.bytes);
    let found = found.map_err(|error| Error::file(&file.place, error))?;
    report.field("form", found)
}
