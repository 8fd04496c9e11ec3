//! `moissanite inspect`.

use moissanite::keys::PrivateKeyForm;
use sha2::{Digest, Sha256};

use crate::algorithm::{Framing, PublicKey, SEED, by_oid};
use crate::args::Inspect;
use crate::backend::Backend;
use crate::error::{Error, one_line};
use crate::keyfile::{Encoding, KeyError, KeyFile, Signed, What};
use crate::message::{Message, Source};
use crate::output::print;

pub(crate) fn run(args: &Inspect, backend: Backend) -> Result<(), Error> {
    let file = KeyFile::read(&Source::new(&args.file), args.algorithm)?;
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
            public_key(&*file.public_key(backend)?)
        }
        What::Certificate => certificate(&file, backend),
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
    let private = file.algorithm.sizes().private;
    line(
        "private key",
        &match form {
            PrivateKeyForm::Seed => format!("{SEED} bytes, which give {private}"),
            PrivateKeyForm::Expanded => format!("{private} bytes"),
            PrivateKeyForm::Both => format!("{SEED} and {private} bytes"),
        },
    )?;
    public_key(&*key.public_key())?;
    line(
        "consistent",
        match form {
            PrivateKeyForm::Seed => "yes, as every seed is",
            PrivateKeyForm::Expanded => "yes: s1 and s2 are in range and give its t0 and tr",
            PrivateKeyForm::Both => "yes: the seed gives the expanded key",
        },
    )
}

fn public_key(key: &dyn PublicKey) -> Result<(), Error> {
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
    let digest = hex::encode(Sha256::digest(bytes));
    line("fingerprint", &format!("sha256:{digest}"))
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
    line("encoding", &format!("{}, X.509", file.encoding))?;
    let signed = file.certificate()?;
    let contents = signed.certificate.tbs_certificate();
    let (subject, issuer) = (contents.subject(), contents.issuer());
    let validity = contents.validity();
    line("subject", &subject.to_string())?;
    line("issuer", &issuer.to_string())?;
    line("serial", &contents.serial_number().to_string())?;
    line(
        "valid",
        &format!("from {} to {}", validity.not_before, validity.not_after),
    )?;
    let oid = signed.certificate.signature_algorithm().oid;
    line(
        "signed with",
        &match by_oid(oid) {
            Some(algorithm) => format!("{} ({oid})", algorithm.name()),
            None => oid.to_string(),
        },
    )?;
    let key = file.certified_key(backend)?;
    public_key(&*key)?;
    if subject != issuer {
        return line(
            "signature",
            "not checked, which takes the issuer's certificate",
        );
    }
    if Some(oid) != key.algorithm().oid() {
        return line(
            "signature",
            "not checked, as it is not by the key in the certificate",
        );
    }
    self_signature(&signed, &*key, file)
}

/// A signature by the key in the certificate itself.
fn self_signature(signed: &Signed<'_>, key: &dyn PublicKey, file: &KeyFile) -> Result<(), Error> {
    let certificate = &signed.certificate;
    // RFC 5280, section 4.1.1.2: what is not signed has to say the same as what is.
    let algorithms_agree =
        certificate.signature_algorithm() == certificate.tbs_certificate().signature();
    let valid = match certificate.signature().as_bytes() {
        Some(signature) if algorithms_agree => {
            key.verify(Message::of(signed.message), &Framing::default(), signature)?
        }
        _ => false,
    };
    if valid {
        line(
            "signature",
            "valid: the certificate is signed by its own key",
        )
    } else {
        Err(Error::NotValid(format!(
            "{} is issued by its own subject and not signed by its own key",
            file.place
        )))
    }
}
