//! Repairs keys: reads what [`super::lenient`] and [`super::text`] understand, and checks the key completely
//! before it is used. An expanded key is recomputed, public keys beside it have to be its own, and a
//! signature is made and verified.

use moissanite::InvalidKey;
use moissanite::keys::{KeyFormatError, PrivateKeyForm};
use zeroize::Zeroizing;

use super::deviation::Deviation;
use super::encoding::Encoding;
use super::encrypted::decrypt;
use super::lenient::{self, Parts, Structure};
use super::recognise::{ENCRYPTED, Expected, LIMIT, labelled_algorithm, promised, recognise_raw};
use super::text::{self, Unwrapped};
use crate::algorithm::scheme::{Algorithm, Framing, PrivateKey, PublicKey};
use crate::backend::Backend;
use crate::error::Error;
use crate::input::{Message, Source};
use crate::key_error::{KeyError, What};
use crate::pem::PemError;

/// A key that was read leniently. It has not been checked yet.
pub(crate) struct Reading {
    parts: Parts,
    /// The encoding of the file.
    pub(crate) encoding: Encoding,
    /// The PKCS#8 document, if it was encrypted.
    pub(crate) decrypted: Option<Zeroizing<Vec<u8>>>,
    /// Whether the key is in a certificate or a request.
    pub(crate) is_signed: bool,
}

/// What decides between the keys of a document that contradicts itself.
#[derive(Clone, Copy, Default)]
pub(crate) struct Choice<'a> {
    /// The half to take, if the seed and the expanded key are different keys.
    pub(crate) half: Option<PrivateKeyForm>,
    /// The public key of the key, in the scheme's own encoding.
    pub(crate) public: Option<&'a [u8]>,
}

/// A checked key.
pub(crate) enum Key {
    Private(Box<dyn PrivateKey>),
    Public(Box<dyn PublicKey>),
}

impl Key {
    /// The public key, or that of the private key.
    pub(crate) fn into_public(self) -> Box<dyn PublicKey> {
        match self {
            Self::Private(key) => key.public_key(),
            Self::Public(key) => key,
        }
    }
}

/// Why a key cannot be repaired.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RepairError {
    /// The key itself is damaged.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The two halves are different keys.
    #[error(
        "the seed does not give the expanded key beside it; --belongs-to names the file of the public key or the certificate, or --form says which half to keep"
    )]
    Halves,
    /// The public key beside the private one is of another key.
    #[error(
        "the public key beside the private key is that of another key; --belongs-to names the file of the right public key or certificate"
    )]
    Public,
    /// The private key does not belong to the public key of the command line.
    #[error("it is not the key that --belongs-to names")]
    NotOf,
    /// Seeds of the draft of FIPS 204 give other keys.
    #[error(
        "the key is a seed of the draft of FIPS 204, which gives another key than in the standard; export the expanded key with the program that made it"
    )]
    DraftSeed,
    /// The check did not end.
    #[error(transparent)]
    Command(#[from] Error),
}

impl RepairError {
    /// The error of the command for a file.
    pub(crate) fn in_file(self, place: &str) -> Error {
        match self {
            Self::Command(error) => error,
            error => Error::file(place, error),
        }
    }
}

impl Reading {
    /// Reads a file of at most [`LIMIT`] bytes.
    pub(crate) fn read(source: &Source, expected: &Expected<'_>) -> Result<Self, Error> {
        let bytes = Zeroizing::new(source.read_at_most(1 + LIMIT as u64)?);
        Self::of(&source.place(), &bytes, expected)
    }

    /// Reads the content of a file. The passphrase is asked for at most once.
    pub(crate) fn of(place: &str, bytes: &[u8], expected: &Expected<'_>) -> Result<Self, Error> {
        if bytes.len() > LIMIT {
            return Err(Error::file(place, KeyError::TooLarge));
        }
        let documents = text::unwrap(bytes);
        let several = documents.len() > 1;
        let (mut private, mut public, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for document in documents {
            let read = document
                .map_err(|error| Error::file(place, error))
                .and_then(|document| Self::document(place, document, expected));
            match read {
                Ok(one) if one.parts.what == What::PrivateKey => private.push(one),
                Ok(one) => public.push(one),
                Err(error) => errors.push(error),
            }
        }
        let wanted = match expected.what {
            Some(What::PublicKey) => public,
            Some(_) => private,
            None if private.is_empty() => public,
            None => private,
        };
        let wrong = |error: KeyError| Error::file(place, error);
        let mut wanted = wanted.into_iter();
        match (wanted.next(), wanted.next(), errors.into_iter().next()) {
            (Some(mut one), None, _) => {
                if several {
                    one.parts.deviations.insert(0, Deviation::Several);
                }
                Ok(one)
            }
            (Some(_), Some(_), _) => Err(wrong(KeyError::Pem(PemError::Several))),
            (None, _, Some(error)) => Err(error),
            (None, _, None) => Err(wrong(KeyError::Other {
                found: match expected.what {
                    Some(What::PublicKey) => What::PrivateKey,
                    _ => What::PublicKey,
                },
                wanted: expected.what.unwrap_or(What::PrivateKey),
                hint: "",
            })),
        }
    }

    fn document(place: &str, document: Unwrapped, expected: &Expected<'_>) -> Result<Self, Error> {
        let wrong = |error: KeyError| Error::file(place, error);
        let Unwrapped {
            encoding,
            label,
            bytes,
            deviations: outer,
        } = document;
        let mut is_signed = false;
        let (mut parts, decrypted) = match encoding {
            Encoding::Raw => (raw(&bytes, expected).map_err(wrong)?, None),
            _ => match Structure::of(&bytes).map_err(wrong)? {
                Structure::Encrypted => {
                    let passphrase = expected.passphrase.ok_or(KeyError::Encrypted);
                    let passphrase = passphrase.map_err(wrong)?.ask(place)?;
                    let der = decrypt(&bytes, &passphrase).map_err(wrong)?;
                    (decrypted(&der, expected).map_err(wrong)?, Some(der))
                }
                structure => {
                    is_signed = matches!(structure, Structure::Signed(_));
                    (plain(structure, expected).map_err(wrong)?, None)
                }
            },
        };
        let label = label.filter(|label| match promised(*label) {
            _ if is_signed => false,
            Some(what) => {
                let says_encrypted = label.as_str() == ENCRYPTED;
                let is_other = |name| name != parts.algorithm.name();
                what != parts.what
                    || says_encrypted != decrypted.is_some()
                    || labelled_algorithm(*label).is_some_and(is_other)
            }
            None => true,
        });
        let label = label.map(|_| Deviation::Label);
        parts
            .deviations
            .splice(0..0, outer.into_iter().chain(label));
        Ok(Self {
            parts,
            encoding,
            decrypted,
            is_signed,
        })
    }

    /// The kind of key.
    pub(crate) fn what(&self) -> What {
        self.parts.what
    }

    /// The algorithm of the key.
    pub(crate) fn algorithm(&self) -> Algorithm {
        self.parts.algorithm
    }

    /// The form of a private key.
    pub(crate) fn form(&self) -> PrivateKeyForm {
        match (&self.parts.seed, &self.parts.expanded) {
            (Some(_), Some(_)) => PrivateKeyForm::Both,
            (None, Some(_)) => PrivateKeyForm::Expanded,
            _ => PrivateKeyForm::Seed,
        }
    }

    /// Whether a public key is stored beside the private one.
    pub(crate) fn has_public(&self) -> bool {
        self.parts.what == What::PrivateKey && !self.parts.public.is_empty()
    }

    /// How the file deviates from the standards.
    pub(crate) fn deviations(&self) -> &[Deviation] {
        &self.parts.deviations
    }

    /// Checks the key, and returns it with the deviations that this corrects.
    pub(crate) fn key(
        &self,
        backend: Backend,
        choice: Choice<'_>,
    ) -> Result<(Key, Vec<Deviation>), RepairError> {
        let mut deviations = self.parts.deviations.clone();
        let key = match self.parts.what {
            What::PrivateKey => {
                let key = private(&self.parts, backend, choice, &mut deviations)?;
                check_pair(&*key)?;
                Key::Private(key)
            }
            _ => Key::Public(public(&self.parts, backend, choice)?),
        };
        Ok((key, deviations))
    }
}

/// Signs a message with a private key, and verifies the signature with its public key.
fn check_pair(key: &dyn PrivateKey) -> Result<(), Error> {
    let message = b"the test message of a repaired key";
    let framing = Framing::default();
    let signature = key.sign(Message::of(message), &framing, false)?;
    let public = key.public_key();
    match public.verify(Message::of(message), &framing, &signature)? {
        true => Ok(()),
        false => Err(Error::Fault(
            "the public key does not verify a signature of its private key".into(),
        )),
    }
}

fn decrypted(der: &[u8], expected: &Expected<'_>) -> Result<Parts, KeyError> {
    // A wrong passphrase that is not detected earlier gives random bytes.
    match Structure::of(der) {
        Ok(Structure::Private(fields)) => lenient::private(&fields, expected.algorithm),
        _ => Err(KeyError::Passphrase),
    }
}

fn plain(structure: Structure<'_>, expected: &Expected<'_>) -> Result<Parts, KeyError> {
    match structure {
        Structure::Private(fields) => lenient::private(&fields, expected.algorithm),
        Structure::Public(algorithm, key) => lenient::public(algorithm, key, expected.algorithm),
        Structure::Signed(der) => match Structure::of(&der)? {
            Structure::Public(algorithm, key) => {
                lenient::public(algorithm, key, expected.algorithm)
            }
            _ => Err(KeyError::Unrecognised),
        },
        Structure::Encrypted => Err(KeyError::Encrypted),
    }
}

fn raw(bytes: &[u8], expected: &Expected<'_>) -> Result<Parts, KeyError> {
    let (what, algorithm) = recognise_raw(bytes, expected)?;
    let mut parts = Parts {
        algorithm,
        what,
        seed: None,
        expanded: None,
        public: vec![],
        deviations: vec![],
    };
    match what {
        What::PrivateKey if bytes.len() == algorithm.seed_len() => {
            parts.seed = Some(Zeroizing::new(bytes.to_vec()));
        }
        What::PrivateKey => parts.expanded = Some(Zeroizing::new(bytes.to_vec())),
        What::PublicKey => parts.public.push(bytes.to_vec()),
        found => {
            return Err(KeyError::Other {
                found,
                wanted: What::PrivateKey,
                hint: "",
            });
        }
    }
    Ok(parts)
}

fn public(
    parts: &Parts,
    backend: Backend,
    choice: Choice<'_>,
) -> Result<Box<dyn PublicKey>, RepairError> {
    let bytes = parts.public.first().map(Vec::as_slice).unwrap_or_default();
    if choice.public.is_some_and(|public| public != bytes) {
        return Err(RepairError::NotOf);
    }
    let key = parts.algorithm.public_from_raw(backend, bytes);
    Ok(key?)
}

/// The private key of which all parts of the document are, or else the one that `choice` names.
fn private(
    parts: &Parts,
    backend: Backend,
    choice: Choice<'_>,
    deviations: &mut Vec<Deviation>,
) -> Result<Box<dyn PrivateKey>, RepairError> {
    let is_draft = deviations.contains(&Deviation::DraftOid);
    let mut halves = Vec::new();
    let mut has_bad_half = false;
    if let Some(seed) = parts.seed.as_ref().filter(|_| !is_draft) {
        let key = parts.algorithm.private_from_seed(backend, seed)?;
        halves.push((PrivateKeyForm::Seed, key));
    }
    match parts
        .expanded
        .as_deref()
        .map(|bytes| expanded(parts.algorithm, backend, bytes))
    {
        Some(Ok((key, deviation))) => {
            // The tr of a half that the seed gives again is of no importance.
            deviations.extend(deviation);
            halves.push((PrivateKeyForm::Expanded, key));
        }
        Some(Err(error)) if halves.is_empty() => return Err(error.into()),
        Some(Err(_)) => has_bad_half = true,
        None if halves.is_empty() => return Err(RepairError::DraftSeed),
        None => {}
    }
    let is_of = |key: &dyn PrivateKey, public: &[u8]| key.public_key().to_raw() == public;
    if let Some(public) = choice.public {
        halves.retain(|(_, key)| is_of(&**key, public));
        if halves.is_empty() {
            return Err(RepairError::NotOf);
        }
    } else {
        if let Some(half) = choice.half
            && disagree(&halves, has_bad_half)
        {
            halves.retain(|(form, _)| *form == half);
            has_bad_half = false;
        }
        if disagree(&halves, has_bad_half)
            && let [public, ..] = parts.public.as_slice()
        {
            halves.retain(|(_, key)| is_of(&**key, public));
            has_bad_half = false;
        }
        if disagree(&halves, has_bad_half) || halves.is_empty() {
            return Err(RepairError::Halves);
        }
        let is_foreign = |public: &Vec<u8>| !halves.iter().any(|(_, key)| is_of(&**key, public));
        if parts.public.iter().any(is_foreign) {
            return Err(RepairError::Public);
        }
    }
    let mut halves = halves.into_iter();
    let key = halves.next().map(|(_, key)| key);
    key.ok_or(RepairError::Halves)
}

/// Whether the halves of a document are not the same key.
fn disagree(halves: &[(PrivateKeyForm, Box<dyn PrivateKey>)], has_bad_half: bool) -> bool {
    let mut publics = halves.iter().map(|(_, key)| key.public_key().to_raw());
    let first = publics.next();
    has_bad_half || publics.any(|other| Some(other) != first)
}

/// The expanded key of these bytes. Its tr is corrected if everything else is right.
fn expanded(
    algorithm: Algorithm,
    backend: Backend,
    bytes: &[u8],
) -> Result<(Box<dyn PrivateKey>, Option<Deviation>), KeyError> {
    match algorithm.private_from_raw(backend, bytes) {
        Err(error @ KeyError::Format(KeyFormatError::Key(InvalidKey::TrMismatch))) => {
            let corrected = algorithm.with_right_tr(bytes).ok_or(error)?;
            let key = algorithm.private_from_raw(backend, &corrected)?;
            Ok((key, Some(Deviation::Tr)))
        }
        other => other.map(|key| (key, None)),
    }
}
