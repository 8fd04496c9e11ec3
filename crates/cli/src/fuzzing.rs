//! What the fuzz targets call: the code that reads files from outside, on bytes in memory. Errors are the
//! messages that the command prints.

pub mod folders;
pub mod signatures;

use std::time::Duration;

use der::Encode;
use moissanite::keys::PrivateKeyForm;
use zeroize::Zeroizing;

use crate::algorithm::ALL;
use crate::backend::Backend;
use crate::certificate::chain::{PathValidator, Required};
use crate::certificate::crl::parsed::{self, ParsedCrl};
use crate::certificate::host::Host;
use crate::certificate::parsed::ParsedCertificate;
use crate::certificate::purpose::Purpose;
use crate::certificate::request::ParsedRequest;
use crate::certificate::{bundle, crl, text};
use crate::commands::{acvp, inspect};
use crate::error::Error;
use crate::examine::{Repair, Verdict, examine};
use crate::key_error::What;
use crate::keyfile::{
    Choice, Encoding, Expected, Key as FoundKey, KeyFile, Reading, encode_private, encode_public,
};
use crate::pem;
use crate::report;
use crate::report::Report;

/// The name of each file in messages.
const PLACE: &str = "the file";

/// A key, or the file of one.
pub type Bytes = Zeroizing<Vec<u8>>;

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn message(error: impl ToString) -> String {
    error.to_string()
}

/// Decodes the one document in PEM text. The label is empty if it is unknown.
///
/// # Errors
/// The text is not one document.
pub fn decode_pem(text: &[u8]) -> Result<(&'static str, Bytes), String> {
    let (label, contents) = pem::decode(text).map_err(message)?;
    Ok((label.as_str(), contents))
}

/// Encodes a document in PEM.
///
/// # Errors
/// The text would be too long.
pub fn encode_pem(label: &'static str, contents: &[u8]) -> Result<Bytes, String> {
    pem::encode(label, contents).map_err(message)
}

/// Splits text with several documents in PEM.
#[must_use]
pub fn split_pem(text: &[u8]) -> Vec<&[u8]> {
    pem::documents(text)
}

/// Answers an ACVP prompt.
///
/// # Errors
/// The prompt is malformed, or one of its tests cannot be answered.
pub fn answer_acvp(prompt: &[u8]) -> Result<String, String> {
    let backend = Backend::choose(None).map_err(message)?;
    acvp::respond(prompt, backend).map_err(message)
}

/// The content of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Recognised {
    /// The kind of content.
    pub what: String,
    /// The encoding.
    pub encoding: String,
    /// The algorithm of the key or the signature.
    pub algorithm: &'static str,
    /// The key, if it is one.
    pub key: Option<Key>,
}

/// A key of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Key {
    /// In the scheme's own encoding.
    pub raw: Bytes,
    /// As the command writes it, in the encoding and the form of the file.
    pub written: Bytes,
}

/// Recognises a file as `moissanite inspect` does, and decodes its content.
///
/// Of `options`, the low four bits choose `--algorithm`, and the others `--kind`; 0 chooses neither.
///
/// # Errors
/// The file is none that the command reads, or its content is invalid.
pub fn recognise(options: u8, file: &[u8]) -> Result<Recognised, String> {
    let chosen = usize::from(options & 15).checked_sub(1);
    let algorithm = chosen.and_then(|index| ALL.get(index).copied());
    let what = match options >> 4 {
        1 => Some(What::PrivateKey),
        2 => Some(What::PublicKey),
        3 => Some(What::Signature),
        _ => None,
    };
    let expected = Expected::anything(what, algorithm);
    let file = KeyFile::recognise(PLACE, Zeroizing::new(file.to_vec()), &expected);
    let file = file.map_err(message)?;
    Ok(Recognised {
        what: file.what.to_string(),
        encoding: file.encoding.to_string(),
        algorithm: file.algorithm.name(),
        key: read(&file).map_err(message)?,
    })
}

/// The key of a file that `moissanite doctor` examined.
#[derive(Debug, PartialEq, Eq)]
pub struct Examined {
    /// Everything that the report says.
    pub texts: Vec<String>,
    /// The state: healthy, defective or no key.
    pub state: &'static str,
    /// The key in the file that the repair writes, if there is one.
    pub repaired: Option<Bytes>,
}

/// Examines a file as `moissanite doctor` does, and repairs the key in it.
///
/// # Errors
/// The file cannot be examined without an option or a passphrase.
pub fn doctor(file: &[u8]) -> Result<Examined, String> {
    let backend = Backend::choose(None).map_err(message)?;
    let expected = Expected::anything(None, None);
    let found = examine(PLACE, file, &expected, backend).map_err(message)?;
    let mut texts: Vec<String> = found.what.into_iter().collect();
    texts.extend(found.notes.into_iter().chain(found.advice));
    let state = match found.verdict {
        Verdict::Healthy(checks) => {
            texts.extend(checks);
            "healthy"
        }
        Verdict::Defects { error, found } => {
            texts.push(error);
            texts.extend(found.iter().map(ToString::to_string));
            "defective"
        }
        Verdict::NoKey { error, readers } => {
            texts.push(error);
            texts.extend(readers);
            "no key"
        }
    };
    let is_repaired = found.repairs.contains(&Repair::Whole);
    let repaired = is_repaired.then(|| {
        let reading = Reading::of(PLACE, file, &expected)?;
        let (key, _) = reading
            .key(backend, Choice::default())
            .map_err(|error| error.in_file(PLACE))?;
        let malformed = |error| Error::file(PLACE, error);
        let encoding = Encoding::default_for(reading.algorithm());
        match key {
            FoundKey::Private(key) => {
                let form = match (encoding, key.to_seed()) {
                    (Encoding::Raw, _) | (_, None) => PrivateKeyForm::Expanded,
                    (_, Some(_)) => PrivateKeyForm::Seed,
                };
                encode_private(&*key, form, encoding, None).map_err(malformed)
            }
            FoundKey::Public(key) => encode_public(&*key, encoding).map_err(malformed),
        }
    });
    Ok(Examined {
        texts,
        state,
        repaired: repaired.transpose().map_err(message)?,
    })
}

/// Describes a file as `moissanite inspect` does, and returns the report in JSON.
///
/// # Errors
/// The file is none that the command reads, or its content is invalid.
pub fn inspect(file: &[u8]) -> Result<String, String> {
    let backend = Backend::choose(None).map_err(message)?;
    let mut report = Report::new(true, false);
    let context = inspect::Context {
        source: None,
        expected: Expected::anything(None, None),
        backend,
    };
    inspect::describe(PLACE, file, &context, &mut report).map_err(message)?;
    Ok(report.into_value().to_string())
}

/// Decodes the content of a file, and returns the key if it is one.
fn read(file: &KeyFile) -> Result<Option<Key>, Error> {
    let backend = Backend::choose(None)?;
    let malformed = |error| Error::file(PLACE, error);
    match file.what {
        What::PrivateKey => {
            let (key, form) = file.private_key(backend)?;
            let written = encode_private(&*key, form, file.encoding, None).map_err(malformed)?;
            let raw = key.to_raw();
            Ok(Some(Key { raw, written }))
        }
        What::PublicKey => {
            let key = file.public_key(backend)?;
            let written = encode_public(&*key, file.encoding).map_err(malformed)?;
            let raw = key.to_raw().into();
            Ok(Some(Key { raw, written }))
        }
        What::Signature => {
            let described = file.algorithm.inspect_signature(&file.bytes);
            described.map(|_| None).map_err(malformed)
        }
        What::Certificate => {
            let key = ParsedCertificate::in_file(file)?.key(backend);
            key.map(|_| None).map_err(malformed)
        }
        What::Request => {
            let request = ParsedRequest::in_file(file)?;
            request.check_signature(&*request.key(backend)?)?;
            request.extensions().map(|_| None)
        }
    }
}

/// Certificates of several files.
pub struct Certificates(Vec<ParsedCertificate>);

impl Certificates {
    /// Reads files with one certificate each, and leaves out those that cannot be read.
    #[must_use]
    pub fn read(files: &[&[u8]]) -> Self {
        let parsed = files.iter().map(|file| bundle::parse(PLACE, file, ""));
        Self(parsed.filter_map(Result::ok).collect())
    }

    /// The DER of each certificate that is valid without its path, and its fields encoded again.
    pub fn sound(&self) -> impl Iterator<Item = (&[u8], Vec<u8>)> {
        let sound = self.0.iter().filter(|one| one.check().is_ok());
        sound.filter_map(|one| Some((one.der.as_slice(), one.certificate.to_der().ok()?)))
    }

    /// The text of each extension.
    pub fn texts(&self) -> impl Iterator<Item = String> {
        let all = self.0.iter().flat_map(|one| one.body().extensions());
        all.flatten()
            .map(|extension| report::text(&text::line(extension).1))
    }

    /// For each certificate and each that has name constraints, whether these permit its names. This does
    /// not need a signature.
    pub fn permitted(&self) -> impl Iterator<Item = bool> {
        let pairs = self
            .0
            .iter()
            .flat_map(|one| self.0.iter().map(move |other| (one, other)));
        pairs.filter_map(|(authority, other)| {
            let constraints = authority.check().ok()?.name_constraints?;
            let names = other.check().ok()?.names.map(|names| names.0);
            let subject = other.body().subject();
            let verdict = constraints.check(PLACE, subject, &names.unwrap_or_default());
            Some(verdict.is_ok())
        })
    }

    /// The DER of the path from the first certificate to one of `roots`, at a time in seconds since 1970.
    /// If there are CRLs, each certificate but the root needs one.
    ///
    /// # Errors
    /// There is no valid path.
    pub fn path<'a>(
        &'a self,
        roots: &'a Self,
        at: u64,
        host: Option<&str>,
        crls: &'a Crls,
    ) -> Result<Vec<&'a [u8]>, String> {
        let host = host.map(Host::parse_one).transpose()?;
        let (leaf, others) = self.0.split_first().ok_or("there is no certificate")?;
        let validator = PathValidator {
            roots: &roots.0,
            others,
            at: Duration::from_secs(at),
            purpose: host.as_ref().map(|_| Purpose::SERVER),
            host: host.as_ref(),
            crls: &crls.0,
            crls_required: if crls.is_empty() {
                Required::Nothing
            } else {
                Required::Each
            },
            backend: Backend::choose(None).map_err(message)?,
        };
        let path = validator.verify(leaf).map_err(message)?;
        // The path borrows the host too, so its certificates are looked up.
        let of_path = |one: &&ParsedCertificate| path.iter().any(|other| one.is(other));
        let all = self.0.iter().chain(&roots.0).filter(of_path);
        Ok(all.map(|one| one.der.as_slice()).collect())
    }
}

/// CRLs of several files.
#[derive(Default)]
pub struct Crls(Vec<ParsedCrl>);

impl Crls {
    /// Reads files of CRLs, and leaves out those that cannot be read.
    #[must_use]
    pub fn read(files: &[&[u8]]) -> Self {
        let parsed = files.iter().map(|file| parsed::read_bytes(PLACE, file));
        Self(parsed.filter_map(Result::ok).flatten().collect())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The DER of each CRL that is valid without its signature, and its fields encoded again.
    pub fn sound(&self) -> impl Iterator<Item = (&[u8], Vec<u8>)> {
        let sound = self.0.iter().filter(|one| one.check().is_ok());
        sound.filter_map(|one| Some((one.der.as_slice(), one.list.to_der().ok()?)))
    }

    /// The text of each field and each entry.
    pub fn texts(&self) -> impl Iterator<Item = String> {
        let bodies = self.0.iter().map(ParsedCrl::body);
        bodies.flat_map(|body| {
            let fields = crl::text::fields(body).into_iter();
            let entries = crl::text::entries(body).iter();
            fields
                .map(|(_, says)| says)
                .chain(entries.map(crl::text::entry))
        })
    }
}
