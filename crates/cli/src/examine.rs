//! Examines files that may hold a key: which check fails, how the file deviates from the standards, and how
//! it can be repaired.

use moissanite::InvalidKey;
use moissanite::keys::{KeyFormatError, PrivateKeyForm};
use zeroize::Zeroizing;

use crate::algorithm::scheme::Algorithm;
use crate::backend::Backend;
use crate::certificate::parsed::ParsedCertificate;
use crate::certificate::request::ParsedRequest;
use crate::error::Error;
use crate::fingerprint;
use crate::key_error::{KeyError, What};
use crate::keyfile::{
    Choice, Deviation, Encoding, Expected, Foreign, KeyFile, Reading, RepairError,
};
use crate::oid_names;
use crate::pem;

/// The state of a file.
pub(crate) struct Diagnosis {
    /// What the file is, if that is known.
    pub(crate) what: Option<String>,
    /// The algorithm of the key.
    pub(crate) algorithm: Option<Algorithm>,
    /// Whether the file holds a private key.
    pub(crate) is_secret: bool,
    /// Whether the key is encrypted.
    pub(crate) is_encrypted: bool,
    /// Whether the algorithm has documents in PEM and DER.
    pub(crate) has_documents: bool,
    pub(crate) verdict: Verdict,
    /// Properties that are no defects.
    pub(crate) notes: Vec<String>,
    /// The fingerprint of the key, if there is only one.
    pub(crate) fingerprint: Option<String>,
    /// The repairs, each of which succeeds.
    pub(crate) repairs: Vec<Repair>,
    /// What the user can do besides.
    pub(crate) advice: Vec<String>,
}

impl Diagnosis {
    /// A diagnosis without any property of a key.
    fn new(verdict: Verdict) -> Self {
        Self {
            what: None,
            algorithm: None,
            is_secret: false,
            is_encrypted: false,
            has_documents: false,
            verdict,
            notes: vec![],
            fingerprint: None,
            repairs: vec![],
            advice: vec![],
        }
    }
}

/// Whether a file is a key.
pub(crate) enum Verdict {
    /// It is, and these checks succeeded.
    Healthy(Vec<String>),
    /// It is one with defects.
    Defects {
        /// The error of every other subcommand.
        error: String,
        /// The known deviations, of which there may be none.
        found: Vec<Deviation>,
    },
    /// It is none of the keys that this command reads.
    NoKey {
        /// The error of every other subcommand.
        error: String,
        /// What reads such files.
        readers: Vec<String>,
    },
}

/// How `moissanite convert` repairs a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repair {
    /// Without an option: the file is read as it is.
    Rewrite,
    /// With `--repair`.
    Whole,
    /// With `--repair` and the choice of one half.
    Half(PrivateKeyForm),
}

/// Examines the content of a file.
///
/// # Errors
/// The content cannot be examined without a passphrase or an option that is missing or wrong.
pub(crate) fn examine(
    place: &str,
    bytes: &[u8],
    expected: &Expected<'_>,
    backend: Backend,
) -> Result<Diagnosis, Error> {
    let alone = Expected {
        passphrase: None,
        ..*expected
    };
    let refused = strict(place, bytes, &alone, backend).err();
    if refused.is_some()
        && let Some(foreign) = Foreign::of(bytes)
    {
        return Ok(of_foreign(foreign, refused.as_ref()));
    }
    let reading = match Reading::of(place, bytes, expected) {
        Ok(reading) => reading,
        Err(error) => return unreadable(error, refused.as_ref()),
    };
    let refused = match (&reading.decrypted, refused) {
        (Some(der), Some(error)) if matches!(error.reason(), Some(KeyError::Encrypted)) => {
            strict(place, der, &alone, backend).err()
        }
        (_, refused) => refused,
    };
    let error = refused.as_ref().map(text);
    let algorithm = reading.algorithm();
    let mut diagnosis = Diagnosis {
        what: Some(describe(&reading)),
        algorithm: Some(algorithm),
        is_secret: reading.what() == What::PrivateKey,
        is_encrypted: reading.decrypted.is_some(),
        has_documents: algorithm.oid().is_some(),
        notes: notes(bytes, &reading),
        ..Diagnosis::new(Verdict::Healthy(checks(&reading)))
    };
    let found = match reading.key(backend, Choice::default()) {
        Ok((key, found)) => {
            diagnosis.fingerprint = Some(fingerprint::of_key(&*key.into_public())?);
            diagnosis.repairs = match (&error, diagnosis.notes.is_empty()) {
                (Some(_), _) => vec![Repair::Whole],
                (None, false) => vec![Repair::Rewrite],
                (None, true) => vec![],
            };
            found
        }
        Err(RepairError::Command(error)) => return Err(error),
        Err(failure) => {
            contradiction(&failure, &reading, backend, &mut diagnosis)?;
            diagnosis.verdict = Verdict::Defects {
                error: error.unwrap_or_else(|| failure.to_string()),
                found: reading.deviations().to_vec(),
            };
            return Ok(diagnosis);
        }
    };
    match error {
        Some(error) => {
            let unused_bits = |one: &Deviation| matches!(one, Deviation::UnusedBits(_));
            if found.iter().any(unused_bits) {
                diagnosis.advice.push(
                    "compare the fingerprint with that of the private key or of a certificate: bits may have been lost"
                        .into(),
                );
            }
            let found = match found.is_empty() {
                true => vec![Deviation::Other],
                false => found,
            };
            diagnosis.verdict = Verdict::Defects { error, found };
        }
        None => {
            if !found.is_empty() {
                diagnosis.repairs = vec![Repair::Rewrite];
            }
            let found = found.iter().map(ToString::to_string);
            diagnosis.notes.extend(found);
        }
    }
    Ok(diagnosis)
}

/// Reads a file as every other subcommand does.
fn strict(
    place: &str,
    bytes: &[u8],
    expected: &Expected<'_>,
    backend: Backend,
) -> Result<(), Error> {
    let file = KeyFile::recognise(place, Zeroizing::new(bytes.to_vec()), expected)?;
    match file.what {
        What::PrivateKey => file.private_key(backend).map(drop),
        What::Certificate => {
            let key = ParsedCertificate::in_file(&file)?.key(backend);
            key.map(drop).map_err(|error| Error::file(place, error))
        }
        What::Request => ParsedRequest::in_file(&file)?.key(backend).map(drop),
        What::PublicKey | What::Signature => file.public_key(backend).map(drop),
    }
}

/// The reason of an error without the name of the file.
fn text(error: &Error) -> String {
    match error {
        Error::File { reason, .. } => reason.to_string(),
        other => other.to_string(),
    }
}

fn describe(reading: &Reading) -> String {
    let name = reading.algorithm().name();
    let (encoding, what) = (reading.encoding, reading.what());
    let encrypted = if reading.decrypted.is_some() {
        ", encrypted"
    } else {
        ""
    };
    match what {
        What::PrivateKey => {
            format!(
                "{what} of {name}, {encoding}{encrypted}, form {}",
                reading.form()
            )
        }
        _ if reading.is_signed => {
            format!("a certificate or a request with a public key of {name}, {encoding}")
        }
        _ => format!("{what} of {name}, {encoding}"),
    }
}

/// What was checked of a healthy key.
fn checks(reading: &Reading) -> Vec<String> {
    let algorithm = reading.algorithm();
    let mut checks: Vec<String> = Vec::new();
    if reading.encoding == Encoding::Pem {
        checks.push("the lines of the PEM text, its label and its base64".into());
    }
    checks.push(match reading.encoding {
        Encoding::Raw => "the length".into(),
        _ => "the DER from its first to its last byte, and the identifier of the algorithm, without parameters".into(),
    });
    if reading.what() != What::PrivateKey {
        checks.push("the length and the encoding of the public key".into());
        if reading.is_signed {
            checks.push("only the public key in it; `moissanite cert verify` and `moissanite inspect` check signatures".into());
        }
        return checks;
    }
    let derived = algorithm.derived();
    checks.push(match reading.form() {
        PrivateKeyForm::Seed => "the length of the seed; every seed is valid".into(),
        PrivateKeyForm::Expanded => format!("s1 and s2 are in range and give its {derived}"),
        PrivateKeyForm::Both => "the seed gives the expanded key".into(),
    });
    if reading.has_public() {
        checks.push("the public key beside the private key is its own".into());
    }
    checks.push("a signature, made and verified".into());
    checks
}

/// Properties of the text that other programs may refuse.
fn notes(bytes: &[u8], reading: &Reading) -> Vec<String> {
    let mut notes = Vec::new();
    if reading.encoding != Encoding::Pem {
        return notes;
    }
    let mut note = |is: bool, text: &str| {
        if is {
            notes.push(text.to_owned());
        }
    };
    let contains = |wanted: &[u8]| bytes.windows(wanted.len()).any(|found| found == wanted);
    note(
        bytes.starts_with(b"\xef\xbb\xbf"),
        "the text begins with a byte order mark, which other programs may refuse",
    );
    note(
        contains(b"\r"),
        "the lines end with CR LF or CR, as on Windows; some programs refuse that",
    );
    note(
        !contains(b"\n") && !contains(b"\r"),
        "the text is on one line, as in an environment variable; other programs refuse that",
    );
    if let Some(label) = pem::first_label(bytes)
        && label.starts_with(reading.algorithm().name().as_bytes())
    {
        // https://github.com/cloudflare/circl: MarshalPEMPrivateKey in pki/pki.go.
        notes.push(
            "the PEM label names the algorithm, as CIRCL writes it; other programs may refuse that"
                .into(),
        );
    }
    notes
}

fn of_foreign(foreign: Foreign, refused: Option<&Error>) -> Diagnosis {
    let error = refused.map(text);
    let readers = foreign.readers().iter().map(|&reader| reader.into());
    let verdict = Verdict::NoKey {
        error: error.unwrap_or_else(|| "it is no key that this command reads".into()),
        readers: readers.collect(),
    };
    Diagnosis {
        what: Some(foreign.describe().into()),
        is_secret: foreign.is_secret(),
        ..Diagnosis::new(verdict)
    }
}

/// A file that not even the lenient reader understands.
fn unreadable(error: Error, refused: Option<&Error>) -> Result<Diagnosis, Error> {
    let Some(reason) = error.reason::<KeyError>() else {
        return Err(error);
    };
    let mut what = None;
    let mut advice = Vec::new();
    match reason {
        KeyError::Passphrase
        | KeyError::Encrypted
        | KeyError::Encryption(_)
        | KeyError::Cost
        | KeyError::Ambiguous { .. }
        | KeyError::OtherAlgorithm { .. } => return Err(error),
        KeyError::Foreign(oid) => {
            what = oid_names::of(*oid)
                .map(|name| format!("a key of {name}, which this program does not use"));
        }
        KeyError::Der(_) | KeyError::DerLength { .. } | KeyError::Pem(_) => {
            let refused = refused.and_then(Error::reason::<KeyError>);
            // A whole document of another kind, such as a signature, is no damaged key.
            if !matches!(refused, Some(KeyError::Other { .. })) {
                advice.push(RESTORE.into());
            }
        }
        _ => {}
    }
    let verdict = Verdict::NoKey {
        error: text(refused.unwrap_or(&error)),
        readers: vec![],
    };
    Ok(Diagnosis {
        what,
        advice,
        ..Diagnosis::new(verdict)
    })
}

const RESTORE: &str =
    "a part of the key is lost or changed; restore the file from a backup, or generate a new key";

/// Adds what can be said of a key that contradicts itself or is damaged.
fn contradiction(
    failure: &RepairError,
    reading: &Reading,
    backend: Backend,
    diagnosis: &mut Diagnosis,
) -> Result<(), Error> {
    let owner = "add --belongs-to with the file of the public key or of the certificate, so that the right key is kept: `moissanite convert --repair`";
    match failure {
        RepairError::Halves => {
            for half in [PrivateKeyForm::Seed, PrivateKeyForm::Expanded] {
                let choice = Choice {
                    half: Some(half),
                    public: None,
                };
                if let Ok((key, _)) = reading.key(backend, choice) {
                    let fingerprint = fingerprint::of_key(&*key.into_public())?;
                    diagnosis
                        .notes
                        .push(format!("the {half} key has the fingerprint {fingerprint}"));
                    diagnosis.repairs.push(Repair::Half(half));
                }
            }
            diagnosis.advice.push(owner.into());
        }
        RepairError::Public => diagnosis.advice.push(owner.into()),
        RepairError::Key(KeyError::Format(KeyFormatError::Key(
            InvalidKey::SecretOutOfRange | InvalidKey::T0Mismatch,
        ))) => diagnosis.advice.push(RESTORE.into()),
        _ => {}
    }
    Ok(())
}
