//! Files that hold a key, a certificate, a request or a signature, in PEM, DER or the encoding of the
//! scheme.

mod deviation;
mod encoding;
mod encrypted;
mod foreign;
mod known;
mod lenient;
mod other;
mod recognise;
mod repair;
mod text;
mod write;

use moissanite::keys::PrivateKeyForm;
use zeroize::Zeroizing;

use self::encrypted::decrypt;
use self::recognise::{Content, Document, recognise_raw, without_text};
use crate::algorithm;
use crate::algorithm::scheme::{Algorithm, PrivateKey, PublicKey};
use crate::backend::Backend;
use crate::diagnostics::warn;
use crate::error::Error;
use crate::input::Source;
use crate::key_error::{KeyError, What};
use crate::standard;

pub(crate) use deviation::Deviation;
pub(crate) use encoding::Encoding;
pub(crate) use foreign::Foreign;
pub(crate) use known::is_older;
pub(crate) use lenient::fields;
pub(crate) use other::{OtherKey, public_key_name};
pub(crate) use recognise::{Body, Expected, LIMIT, certificate};
pub(crate) use repair::{Choice, Key, Reading, RepairError};
pub(crate) use write::{encode_private, encode_public};

/// A file of a known kind. A key in it has not been checked yet.
pub(crate) struct KeyFile {
    /// The name in messages.
    pub(crate) place: String,
    /// The kind of content.
    pub(crate) what: What,
    /// The encoding.
    pub(crate) encoding: Encoding,
    /// The algorithm of the key or the signature.
    pub(crate) algorithm: Algorithm,
    /// The DER or the raw bytes.
    pub(crate) bytes: Zeroizing<Vec<u8>>,
    /// The content of a document; `None` for raw bytes.
    pub(crate) body: Option<Body>,
    /// The fingerprint that the text before an armored signature names, and that is not signed.
    pub(crate) claimed_fingerprint: Option<String>,
    /// Whether other users can read the file.
    exposed: bool,
}

impl KeyFile {
    /// Reads a file of any kind.
    pub(crate) fn read(source: &Source, expected: Expected<'_>) -> Result<Self, Error> {
        let bytes = Zeroizing::new(source.read_at_most(1 + LIMIT as u64)?);
        let file = Self::recognise(&source.place(), bytes, &expected)?;
        Ok(file.exposed_as(source))
    }

    /// The file with the permissions of its source.
    pub(crate) fn exposed_as(self, source: &Source) -> Self {
        let metadata = source.metadata();
        let exposed = metadata.is_some_and(|metadata| standard::is_readable_by_others(&metadata));
        Self { exposed, ..self }
    }

    /// Recognises the content of a file that was read.
    pub(crate) fn recognise(
        place: &str,
        bytes: Zeroizing<Vec<u8>>,
        expected: &Expected<'_>,
    ) -> Result<Self, Error> {
        let wrong = |error| Error::file(place, error);
        let bytes = without_text(bytes);
        let content = match Content::of(&bytes).map_err(wrong)? {
            Content::Encrypted(encoding, der) => {
                let passphrase = expected.passphrase.ok_or(KeyError::Encrypted);
                let passphrase = passphrase.map_err(wrong)?.ask(place)?;
                let document = decrypt(&der, &passphrase)
                    .and_then(|der| Document::decrypted(encoding, der))
                    .map_err(wrong)?;
                Content::Document(document)
            }
            other => other,
        };
        Self::of(place, bytes, content, expected).map_err(wrong)
    }

    /// The file with this content, in which nothing is encrypted.
    fn of(
        place: &str,
        bytes: Zeroizing<Vec<u8>>,
        content: Content,
        expected: &Expected<'_>,
    ) -> Result<Self, KeyError> {
        let mut claimed_fingerprint = None;
        let (encoding, what, algorithm, bytes, body) = match content {
            Content::Document(Document {
                encoding,
                body,
                der,
            }) => {
                let oid = body.oid();
                let algorithm = algorithm::by_oid(oid).ok_or(KeyError::Foreign(oid))?;
                (encoding, body.what(), algorithm, der, Some(body))
            }
            Content::Signature(algorithm, signature, claimed) => {
                claimed_fingerprint = claimed;
                (Encoding::Pem, What::Signature, algorithm, signature, None)
            }
            Content::Encrypted(..) => return Err(KeyError::Encrypted),
            Content::Raw => {
                let (what, algorithm) = recognise_raw(&bytes, expected)?;
                (Encoding::Raw, what, algorithm, bytes, None)
            }
        };
        match expected.algorithm {
            Some(asked) if asked.name() != algorithm.name() => Err(KeyError::OtherAlgorithm {
                found: algorithm.name(),
                asked: asked.name(),
            }),
            _ => Ok(Self {
                place: place.into(),
                what,
                encoding,
                algorithm,
                bytes,
                body,
                claimed_fingerprint,
                exposed: false,
            }),
        }
    }

    /// Checks that the content is of the kind `wanted`. `hint` says how to get that from this file.
    pub(crate) fn expect(&self, wanted: What, hint: &'static str) -> Result<(), Error> {
        if self.what == wanted {
            Ok(())
        } else {
            Err(self.unexpected(wanted, hint))
        }
    }

    /// The error for content that is not of the kind `wanted`.
    pub(crate) fn unexpected(&self, wanted: What, hint: &'static str) -> Error {
        let found = self.what;
        let error = KeyError::Other {
            found,
            wanted,
            hint,
        };
        Error::file(&self.place, error)
    }

    /// The private key in it, checked, and its form in PKCS#8. The form of raw bytes is the closest
    /// of those.
    pub(crate) fn private_key(
        &self,
        backend: Backend,
    ) -> Result<(Box<dyn PrivateKey>, PrivateKeyForm), Error> {
        self.expect(What::PrivateKey, "; signing requires the private key")?;
        if self.exposed {
            let place = &self.place;
            warn(&format!(
                "other users can read {place}, which has a private key; restrict it to the owner with `chmod 600`"
            ));
        }
        let key = match self.encoding {
            Encoding::Raw if self.bytes.len() == self.algorithm.seed_len() => {
                let key = self.algorithm.private_from_seed(backend, &self.bytes)?;
                return Ok((key, PrivateKeyForm::Seed));
            }
            Encoding::Raw => self
                .algorithm
                .private_from_raw(backend, &self.bytes)
                .map(|key| (key, PrivateKeyForm::Expanded)),
            _ => self.algorithm.private_from_pkcs8(backend, &self.bytes),
        };
        key.map_err(|error| Error::file(&self.place, error))
    }

    /// The public key in it.
    pub(crate) fn public_key(&self, backend: Backend) -> Result<Box<dyn PublicKey>, Error> {
        let hint = match self.what {
            What::PrivateKey => "; `moissanite convert --public` makes the public key from it",
            What::Certificate | What::Request => {
                "; `moissanite convert` extracts the public key from it"
            }
            _ => "",
        };
        self.expect(What::PublicKey, hint)?;
        let key = match self.encoding {
            Encoding::Raw => self.algorithm.public_from_raw(backend, &self.bytes),
            _ => self.algorithm.public_from_spki(backend, &self.bytes),
        };
        key.map_err(|error| Error::file(&self.place, error))
    }
}
