//! `moissanite inspect`.

mod certificate;
mod cms;
mod crl;
mod fields;
mod ssh;

use std::path::PathBuf;

use clap::Args;
use der::Decode;
use der::asn1::AnyRef;
use moissanite::keys::PrivateKeyForm;
use serde_json::json;
use zeroize::Zeroizing;

use self::fields::{encoding, public_key, unused};
use super::options::{Kind, warn_of_unused_backend};
use crate::algorithm;
use crate::algorithm::scheme::Algorithm;
use crate::backend::Backend;
use crate::certificate::bundle;
use crate::certificate::parsed::ParsedCertificate;
use crate::error::Error;
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

/// The largest size of a file, which only a revocation list can have.
const LARGEST: u64 = 16 << 20;

/// The largest number of documents of a file.
const MOST_DOCUMENTS: usize = 256;

/// Runs the command.
pub(crate) fn run(args: &Inspect, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let source = Source::new(&args.file);
    let bytes = Zeroizing::new(source.read_at_most(1 + LARGEST)?);
    let kind = args.kind.map(What::from);
    let context = Context {
        source: Some(&source),
        expected: Expected::anything(kind, args.algorithm).with_passphrase(&args.passphrase),
        backend,
    };
    describe(&source.place(), &bytes, &context, report)
}

/// What is known besides the content of a file.
pub(crate) struct Context<'a> {
    /// The source, whose permissions are checked.
    pub(crate) source: Option<&'a Source>,
    /// The options of the command line. A kind is the only one that is accepted.
    pub(crate) expected: Expected<'a>,
    pub(crate) backend: Backend,
}

/// Describes the content of a file.
pub(crate) fn describe(
    place: &str,
    bytes: &[u8],
    context: &Context<'_>,
    report: &mut Report,
) -> Result<(), Error> {
    // DER can contain the first lines of PEM text.
    let is_pem = bytes.len() <= LIMIT && AnyRef::from_der(bytes).is_err();
    match pem::documents(bytes).as_slice() {
        documents @ [_, _, ..] if is_pem && context.expected.what.is_none() => {
            several(place, documents, context, report)
        }
        _ => one(place, bytes, context, report).map(drop),
    }
}

/// Describes every document of a file, and which certificates sign which other ones.
fn several(
    place: &str,
    documents: &[&[u8]],
    context: &Context<'_>,
    report: &mut Report,
) -> Result<(), Error> {
    let count = documents.len();
    if count > MOST_DOCUMENTS {
        let text =
            format!("the file has {count} documents; at most {MOST_DOCUMENTS} are described");
        return Err(Error::file(place, KeyError::Malformed(text)));
    }
    report.field("file", place)?;
    report.line("documents", &count.to_string())?;
    let (mut described, mut certificates) = (Vec::new(), Vec::new());
    for (number, document) in (1_usize..).zip(documents) {
        report.text("\n")?;
        let place = format!("{place}, document {number}");
        let mut part = report.part();
        let found = one(&place, document, context, &mut part)?;
        certificates.extend(found.map(|certificate| (number, certificate)));
        described.push(part.into_value());
    }
    report.data("documents", described);
    let mut issuers = Vec::new();
    if !certificates.is_empty() {
        report.text("\n")?;
    }
    for (number, certificate) in &certificates {
        let issuer = issuer_of(certificate, &certificates, context.backend)?;
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
    place: &str,
    bytes: &[u8],
    context: &Context<'_>,
    report: &mut Report,
) -> Result<Option<ParsedCertificate>, Error> {
    let backend = context.backend;
    if context.expected.what.is_none()
        && let Some(foreign) = Foreign::of(bytes)
    {
        return of_foreign(place, foreign, bytes, backend, report).map(|()| None);
    }
    let copy = Zeroizing::new(bytes.to_vec());
    let file = match (
        KeyFile::recognise(place, copy, &context.expected),
        context.source,
    ) {
        (Ok(file), Some(source)) => file.exposed_as(source),
        (Ok(file), None) => file,
        (Err(error), _) => return unused_key(place, error, bytes, backend, report),
    };
    if let Some(kind) = context.expected.what {
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
        Foreign::Crl => crl::describe(place, bytes, report),
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
        report.field_as("algorithm", key.name.as_str(), &unused(&key.name, key.oid))?;
        report.data("oid", key.oid.to_string());
        let structure = match key.what {
            What::PrivateKey => "PKCS#8",
            _ => "SubjectPublicKeyInfo",
        };
        encoding(key.encoding, structure, report)?;
        match &key.fingerprint {
            Some(fingerprint) => report.field("fingerprint", fingerprint.as_str())?,
            None => report.data("fingerprint", None::<String>),
        }
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
    certificate::algorithm(parsed.body().subject_public_key_info(), report)?;
    let encoding = match pem::is_pem(bytes) {
        true => Encoding::Pem,
        false => Encoding::Der,
    };
    certificate::certificate(&parsed, encoding, backend, report)?;
    Ok(Some(parsed))
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

fn signature(file: &KeyFile, report: &mut Report) -> Result<(), Error> {
    match file.encoding {
        Encoding::Raw => report.field_as("encoding", "raw", "raw, recognised by its length")?,
        armored => encoding(armored, "armored", report)?,
    }
    let length = file.bytes.len();
    report.data("signature_length", length);
    report.line("signature", &format!("{length} bytes"))?;
    let found = file.algorithm.inspect_signature(&file.bytes);
    let found = found.map_err(|error| Error::file(&file.place, error))?;
    report.field("form", found)?;
    let claimed = file.claimed_fingerprint.as_deref();
    report.data("claimed_fingerprint", claimed);
    match claimed {
        Some(key) => report.line("claimed key", &format!("{key}, which nobody signed")),
        None => Ok(()),
    }
}
