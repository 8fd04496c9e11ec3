//! `moissanite inspect`.

use std::path::PathBuf;

use clap::Args;
use der::oid::ObjectIdentifier;
use moissanite::keys::PrivateKeyForm;
use serde_json::json;
use x509_cert::Version;
use x509_cert::ext::Extension;

use super::options::{Kind, warn_of_unused_backend};
use crate::algorithm::scheme::{Algorithm, PublicKey};
use crate::algorithm::{self, by_oid};
use crate::backend::Backend;
use crate::certificate::extensions::Extensions;
use crate::certificate::parsed::ParsedCertificate;
use crate::certificate::request::ParsedRequest;
use crate::certificate::text;
use crate::error::Error;
use crate::fingerprint;
use crate::input::Source;
use crate::key_error::What;
use crate::keyfile::{Encoding, Expected, KeyFile};
use crate::passphrase::PassphraseArgs;
use crate::report::{self, Report};

#[derive(Debug, Args)]
#[command(after_help = "\
The fingerprint of a key is the SHA-256 hash of the public key's SubjectPublicKeyInfo in DER, so it is
the same for a private key, its public key and its certificate. For an algorithm without documents, it
is the SHA-256 hash of the raw public key. A certificate has its own fingerprint: the SHA-256 hash of
its DER.")]
pub(crate) struct Inspect {
    /// A key in PEM, DER or raw, a certificate or a request in PEM or DER, or a signature
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

/// Runs the command.
pub(crate) fn run(args: &Inspect, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let kind = args.kind.map(What::from);
    let expected = Expected::anything(kind, args.algorithm).with_passphrase(&args.passphrase);
    let file = KeyFile::read(&Source::new(&args.file), expected)?;
    if let Some(kind) = kind {
        file.expect(kind, " as --kind says")?;
    }
    report.field("file", file.place.as_str())?;
    report.field_as("what", file.what.name(), &file.what.to_string())?;
    algorithm_field(&file, report)?;
    match file.what {
        What::PrivateKey => private_key(&file, backend, report),
        What::PublicKey => {
            let structure = match file.encoding {
                Encoding::Raw => "the scheme's own",
                _ => "SubjectPublicKeyInfo",
            };
            encoding(&file, structure, report)?;
            let key = file.public_key(backend)?;
            warn_of_unused_backend(backend, file.algorithm);
            public_key(&*key, "fingerprint", report)
        }
        What::Certificate => certificate(&file, backend, report),
        What::Request => request(&file, backend, report),
        What::Signature => signature(&file, report),
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
fn encoding(file: &KeyFile, structure: &str, report: &mut Report) -> Result<(), Error> {
    let text = format!("{}, {structure}", file.encoding);
    report.field_as("encoding", file.encoding.name(), &text)?;
    report.data("structure", structure);
    Ok(())
}

fn private_key(file: &KeyFile, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let structure = match file.encoding {
        Encoding::Raw => "the scheme's own",
        _ => "PKCS#8",
    };
    encoding(file, structure, report)?;
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
    match file.encoding {
        Encoding::Raw => report.field_as("encoding", "raw", "raw, recognised by its length")?,
        _ => encoding(file, "armored", report)?,
    }
    let length = file.bytes.len();
    report.data("signature_length", length);
    report.line("signature", &format!("{length} bytes"))?;
    let found = file.algorithm.inspect_signature(&file.bytes);
    let found = found.map_err(|error| Error::file(&file.place, error))?;
    report.field("form", found)
}

fn certificate(file: &KeyFile, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let certificate = ParsedCertificate::in_file(file)?;
    let contents = certificate.body();
    let version = match contents.version() {
        Version::V1 => 1,
        Version::V2 => 2,
        Version::V3 => 3,
    };
    encoding(file, &format!("X.509, version {version}"), report)?;
    let (subject, issuer) = (contents.subject(), contents.issuer());
    let validity = contents.validity();
    report.field("subject", subject.to_string())?;
    report.field("issuer", issuer.to_string())?;
    report.field("serial", contents.serial_number().to_string())?;
    let (from, to) = (
        validity.not_before.to_string(),
        validity.not_after.to_string(),
    );
    report.line("valid", &format!("from {from} to {to}"))?;
    report.data("not_before", from);
    report.data("not_after", to);
    extensions(
        contents.extensions().map(Vec::as_slice).unwrap_or_default(),
        report,
    )?;
    let refused = certificate.check().err().map(|error| error.to_string());
    if let Some(why) = &refused {
        report.line("refused", &format!("by `moissanite cert verify`: {why}"))?;
    }
    report.data("refused", refused);
    report.field("fingerprint", fingerprint::of(&file.bytes))?;
    signed_with(certificate.certificate.signature_algorithm().oid, report)?;
    let key = certificate.key(backend);
    let key = key.map_err(|error| Error::file(&file.place, error))?;
    public_key(&*key, "key_fingerprint", report)?;
    let is_self_signed = certificate.is_signed_by(&*key)?;
    report.data("self_signed", is_self_signed);
    let signature = if is_self_signed {
        "valid: the certificate is signed by its own key"
    } else {
        "not by its own key; `moissanite cert verify` checks it with the issuer's certificate"
    };
    report.line("signature", signature)
}

fn signed_with(oid: ObjectIdentifier, report: &mut Report) -> Result<(), Error> {
    let text = match by_oid(oid) {
        Some(algorithm) => format!("{} ({oid})", algorithm.name()),
        None => oid.to_string(),
    };
    let name = by_oid(oid).map(|algorithm| algorithm.name());
    report.data("signature_algorithm", name);
    report.data("signature_oid", oid.to_string());
    report.line("signed with", &text)
}

fn request(file: &KeyFile, backend: Backend, report: &mut Report) -> Result<(), Error> {
    encoding(file, "PKCS#10", report)?;
    let request = ParsedRequest::in_file(file)?;
    report.field("subject", request.request.info.subject.to_string())?;
    let asked = request.extensions()?;
    extensions(&asked, report)?;
    let refused = Extensions::read(&asked)
        .err()
        .map(|error| error.to_string());
    if let Some(why) = &refused {
        report.line("extensions", &format!("not acceptable: {why}"))?;
    }
    report.data("refused", refused);
    signed_with(request.request.algorithm.oid, report)?;
    let key = request.key(backend)?;
    public_key(&*key, "key_fingerprint", report)?;
    request.check_signature(&*key)?;
    report.data("self_signed", true);
    report.line("signature", "valid: the request is signed by its own key")
}

/// Reports all extensions, including unknown ones.
fn extensions(all: &[Extension], report: &mut Report) -> Result<(), Error> {
    let mut described = Vec::new();
    for extension in all {
        let (name, value) = text::line(extension);
        described.push(json!({
            "name": name,
            "oid": extension.extn_id.to_string(),
            "critical": extension.critical,
            "value": value,
        }));
        report.line(name, &report::text(&value))?;
    }
    report.data("extensions", described);
    Ok(())
}
