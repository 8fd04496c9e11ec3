//! `moissanite inspect`.

use der::oid::ObjectIdentifier;
use moissanite::keys::PrivateKeyForm;
use sha2::{Digest, Sha256};
use x509_cert::Version;
use x509_cert::ext::Extension;

use crate::algorithm::{PublicKey, by_oid};
use crate::args::Inspect;
use crate::backend::Backend;
use crate::certificate::extensions::Extensions;
use crate::certificate::{self, text};
use crate::commands::cert::requested;
use crate::error::{Error, one_line};
use crate::keyfile::{Encoding, Expected, KeyError, KeyFile, Signed, What};
use crate::message::Source;
use crate::output::print;

pub(crate) fn run(args: &Inspect, backend: Backend) -> Result<(), Error> {
    let kind = args.kind.map(What::from);
    let expected = Expected::anything(kind, args.algorithm);
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
            public_key(&*file.public_key(backend)?, "fingerprint")
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
            PrivateKeyForm::Seed => "yes, as every seed is".into(),
            PrivateKeyForm::Expanded => {
                format!("yes: s1 and s2 are in range and give its {derived}")
            }
            PrivateKeyForm::Both => "yes: the seed gives the expanded key".into(),
        },
    )
}

/// The fingerprint is called so where it is not the only one.
fn public_key(key: &dyn PublicKey, name: &str) -> Result<(), Error> {
    line("public key", &format!("{} bytes", key.to_raw().len()))?;
    line(
        "signatures",
        &format!("{} bytes", key.algorithm().sizes().signature),
    )?;
    let fault = |error: KeyError| Error::Fault(error.to_string());
    let bytes = match key.algorithm().oid() {
        Some(_) => key.to_spki().map_err(fault)?,
        None => key.to_raw(),
    };
    line(name, &fingerprint(&bytes))
}

fn fingerprint(bytes: &[u8]) -> String {
    format!("sha256:{}", hex::encode(Sha256::digest(bytes)))
}

fn signature(file: &KeyFile) -> Result<(), Error> {
    line("encoding", "raw, told by its length")?;
    line("signature", &format!("{} bytes", file.bytes.len()))?;
    let found = file.algorithm.inspect_signature(&file.bytes);
    line(
        "form",
        &found.map_err(|error| Error::key(&file.place, error))?,
    )
}

fn certificate(file: &KeyFile, backend: Backend) -> Result<(), Error> {
    let link = certificate::read(file)?;
    let contents = link.certificate.tbs_certificate();
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
    if let Err(refusal) = link.check() {
        line(
            "refused",
            &format!("by `moissanite cert verify`: {refusal}"),
        )?;
    }
    line("fingerprint", &fingerprint(&file.bytes))?;
    let oid = link.certificate.signature_algorithm().oid;
    line("signed with", &named(oid))?;
    let key = file.certified_key(backend)?;
    public_key(&*key, "key fingerprint")?;
    let signature = if link.is_signed_by(&*key)? {
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
    let Signed { document, message } = file.request()?;
    line("subject", &document.info.subject.to_string())?;
    let asked = requested(&document).map_err(|error| Error::key(&file.place, error))?;
    extensions(&asked)?;
    if let Err(refusal) = Extensions::read(&asked) {
        line("extensions", &format!("not acceptable: {refusal}"))?;
    }
    let algorithm = &document.algorithm;
    line("signed with", &named(algorithm.oid))?;
    let key = file.requested_key(backend)?;
    public_key(&*key, "key fingerprint")?;
    let signature = document.signature.as_bytes();
    if certificate::is_signature(&*key, algorithm, message, signature)? {
        line("signature", "valid: the request is signed by its own key")
    } else {
        let place = &file.place;
        Err(Error::NotValid(format!(
            "{place} is not signed by its own key"
        )))
    }
}

/// All of them, those that are not understood too.
fn extensions(all: &[Extension]) -> Result<(), Error> {
    all.iter().try_for_each(|extension| {
        let (name, says) = text::line(extension);
        line(name, &says)
    })
}
