//! `moissanite inspect`.

use std::path::PathBuf;

use clap::Args;
use der::oid::ObjectIdentifier;
use moissanite::keys::PrivateKeyForm;
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
use crate::output::print;
use crate::passphrase::PassphraseArgs;
use crate::report::one_line;

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
pub(crate) fn run(args: &Inspect, backend: Backend) -> Result<(), Error> {
    let kind = args.kind.map(What::from);
    let expected = Expected::anything(kind, args.algorithm).with_passphrase(&args.passphrase);
    let file = KeyFile::read(&Source::new(&args.file), expected)?;
    if let Some(kind) = kind {
        file.expect(kind, " as --kind says")?;
    }
    line("file", &file.place)?;
    line("what", &file.what.to_string())?;
    let name = file.algorithm.name();
    match file.algorithm.oid() {
        Some(oid) => line("algorithm", &format!("{name} ({oid})"))?,
        None => line("algorithm", name)?,
    }
    match file.what {
        What::PrivateKey => private_key(&file, backend),
        What::PublicKey => {
            line(
                "encoding",
                &format!(
                    "{}, {}",
                    file.encoding,
                    match file.encoding {
                        Encoding::Raw => "the scheme's own",
                        _ => "SubjectPublicKeyInfo",
                    }
                ),
            )?;
            let key = file.public_key(backend)?;
            warn_of_unused_backend(backend, file.algorithm);
            public_key(&*key, "fingerprint")
        }
        What::Certificate => certificate(&file, backend),
        What::Request => request(&file, backend),
        What::Signature => signature(&file),
    }
}

fn line(name: &str, value: &str) -> Result<(), Error> {
    print(&format!("{name:<12} {}\n", one_line(value)))
}

fn private_key(file: &KeyFile, backend: Backend) -> Result<(), Error> {
    let kind = match file.encoding {
        Encoding::Raw => "the scheme's own",
        _ => "PKCS#8",
    };
    line("encoding", &format!("{}, {kind}", file.encoding))?;
    let (key, form) = file.private_key(backend)?;
    warn_of_unused_backend(backend, file.algorithm);
    line("form", &form.to_string())?;
    let (seed, private) = (file.algorithm.seed_len(), file.algorithm.sizes().private);
    line(
        "private key",
        &match form {
            PrivateKeyForm::Seed if seed == private => format!("{seed} bytes"),
            PrivateKeyForm::Seed => format!("{seed} bytes, which give {private}"),
            PrivateKeyForm::Expanded => format!("{private} bytes"),
            PrivateKeyForm::Both => format!("{seed} and {private} bytes"),
        },
    )?;
    public_key(&*key.public_key(), "fingerprint")?;
    let derived = file.algorithm.derived();
    line(
        "consistent",
        &match form {
            PrivateKeyForm::Seed => "yes: every seed is valid".into(),
            PrivateKeyForm::Expanded => {
                format!("yes: s1 and s2 are in range and give its {derived}")
            }
            PrivateKeyForm::Both => "yes: the seed gives the expanded key".into(),
        },
    )
}

/// Prints a public key. `name` is the label of its fingerprint.
fn public_key(key: &dyn PublicKey, name: &str) -> Result<(), Error> {
    line("public key", &format!("{} bytes", key.to_raw().len()))?;
    line(
        "signatures",
        &format!("{} bytes", key.algorithm().sizes().signature),
    )?;
    line(name, &fingerprint::of_key(key)?)
}

fn signature(file: &KeyFile) -> Result<(), Error> {
    match file.encoding {
        Encoding::Raw => line("encoding", "raw, recognised by its length")?,
        encoding => line("encoding", &format!("{encoding}, armored"))?,
    }
    line("signature", &format!("{} bytes", file.bytes.len()))?;
    let found = file.algorithm.inspect_signature(&file.bytes);
    line(
        "form",
        &found.map_err(|error| Error::file(&file.place, error))?,
    )
}

fn certificate(file: &KeyFile, backend: Backend) -> Result<(), Error> {
    let certificate = ParsedCertificate::in_file(file)?;
    let contents = certificate.body();
    let version = match contents.version() {
        Version::V1 => 1,
        Version::V2 => 2,
        Version::V3 => 3,
    };
    line(
        "encoding",
        &format!("{}, X.509, version {version}", file.encoding),
    )?;
    let (subject, issuer) = (contents.subject(), contents.issuer());
    let validity = contents.validity();
    line("subject", &subject.to_string())?;
    line("issuer", &issuer.to_string())?;
    line("serial", &contents.serial_number().to_string())?;
    line(
        "valid",
        &format!("from {} to {}", validity.not_before, validity.not_after),
    )?;
    extensions(contents.extensions().map(Vec::as_slice).unwrap_or_default())?;
    if let Err(error) = certificate.check() {
        line("refused", &format!("by `moissanite cert verify`: {error}"))?;
    }
    line("fingerprint", &fingerprint::of(&file.bytes))?;
    let oid = certificate.certificate.signature_algorithm().oid;
    line("signed with", &named(oid))?;
    let key = certificate.key(backend);
    let key = key.map_err(|error| Error::file(&file.place, error))?;
    public_key(&*key, "key fingerprint")?;
    let signature = if certificate.is_signed_by(&*key)? {
        "valid: the certificate is signed by its own key"
    } else {
        "not by its own key; `moissanite cert verify` checks it with the issuer's certificate"
    };
    line("signature", signature)
}

fn named(oid: ObjectIdentifier) -> String {
    match by_oid(oid) {
        Some(algorithm) => format!("{} ({oid})", algorithm.name()),
        None => oid.to_string(),
    }
}

fn request(file: &KeyFile, backend: Backend) -> Result<(), Error> {
    line("encoding", &format!("{}, PKCS#10", file.encoding))?;
    let request = ParsedRequest::in_file(file)?;
    line("subject", &request.request.info.subject.to_string())?;
    let asked = request.extensions()?;
    extensions(&asked)?;
    if let Err(error) = Extensions::read(&asked) {
        line("extensions", &format!("not acceptable: {error}"))?;
    }
    line("signed with", &named(request.request.algorithm.oid))?;
    let key = request.key(backend)?;
    public_key(&*key, "key fingerprint")?;
    request.check_signature(&*key)?;
    line("signature", "valid: the request is signed by its own key")
}

/// Prints all extensions, including unknown ones.
fn extensions(all: &[Extension]) -> Result<(), Error> {
    all.iter().try_for_each(|extension| {
        let (name, says) = text::line(extension);
        line(name, &says)
    })
}
