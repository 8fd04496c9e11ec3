//! Files that hold a key, a certificate or a signature, in PEM, DER or the
//! scheme's own bytes, and what is in it.

mod error;
mod recognise;

use der::asn1::AnyRef;
use der::{Decode, DecodeOwned, Encode, Reader, SliceReader};
use moissanite::keys::PrivateKeyForm;
use x509_cert::Certificate;
use x509_cert::request::CertReq;
use x509_cert::spki::SubjectPublicKeyInfoOwned;
use zeroize::Zeroizing;

use self::recognise::{Document, LIMIT, recognise_raw};
use crate::algorithm::{self, Algorithm, PrivateKey, PublicKey};
use crate::backend::Backend;
use crate::error::Error;
use crate::message::Source;
use crate::{standard, warn};

pub(crate) use error::KeyError;
pub(crate) use recognise::{Encoding, Expected, What};

/// A file, as far as it can be told without checking the key in it.
pub(crate) struct KeyFile {
    /// What messages call it.
    pub(crate) place: String,
    /// What it holds.
    pub(crate) what: What,
    /// How.
    pub(crate) encoding: Encoding,
    /// Whose.
    pub(crate) algorithm: Algorithm,
    /// DER or raw.
    pub(crate) bytes: Zeroizing<Vec<u8>>,
    /// Other users can read it too.
    exposed: bool,
}

impl KeyFile {
    /// Reads a file of any kind.
    pub(crate) fn read(source: &Source, expected: Expected) -> Result<Self, Error> {
        let place = source.place();
        let bytes = Zeroizing::new(source.read_at_most(1 + LIMIT as u64)?);
        let file = Self::recognise(&place, bytes, &expected);
        let file = file.map_err(|error| Error::key(place, error))?;
        let metadata = source.metadata();
        let exposed = metadata.is_some_and(|metadata| standard::is_readable_by_others(&metadata));
        Ok(Self { exposed, ..file })
    }

    fn recognise(
        place: &str,
        bytes: Zeroizing<Vec<u8>>,
        expected: &Expected,
    ) -> Result<Self, KeyError> {
        let (encoding, what, algorithm, bytes) = match Document::of(&bytes)? {
            Some(Document {
                encoding,
                what,
                oid,
                der,
            }) => {
                let algorithm = algorithm::by_oid(oid).ok_or(KeyError::Foreign(oid))?;
                (encoding, what, algorithm, der)
            }
            None => {
                let (what, algorithm) = recognise_raw(&bytes, expected)?;
                (Encoding::Raw, what, algorithm, bytes)
            }
        };
        match expected.algorithm {
            Some(asked) if asked.name() != algorithm.name() => Err(KeyError::OtherAlgorithm {
                found: algorithm,
                asked,
            }),
            _ => Ok(Self {
                place: place.into(),
                what,
                encoding,
                algorithm,
                bytes,
                exposed: false,
            }),
        }
    }

    /// Whether it is `wanted`; `hint` says how to make that of it.
    pub(crate) fn expect(&self, wanted: What, hint: &'static str) -> Result<(), Error> {
        if self.what == wanted {
            return Ok(());
        }
        let found = self.what;
        let error = KeyError::Other {
            found,
            wanted,
            hint,
        };
        Err(Error::key(&self.place, error))
    }

    /// The private key in it, checked, and its form in PKCS#8, or as raw bytes
    /// the one that comes closest.
    pub(crate) fn private_key(
        &self,
        backend: Backend,
    ) -> Result<(Box<dyn PrivateKey>, PrivateKeyForm), Error> {
        self.expect(What::PrivateKey, "; signing takes the private key")?;
        backend.remark(self.algorithm);
        if self.exposed {
            let place = &self.place;
            warn(&format!(
                "other users can read {place}, which has a private key; make it the owner's with `chmod 600`"
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
        key.map_err(|error| Error::key(&self.place, error))
    }

    /// The public key in it.
    pub(crate) fn public_key(&self, backend: Backend) -> Result<Box<dyn PublicKey>, Error> {
        let hint = match self.what {
            What::PrivateKey => "; `moissanite convert --public` makes the public key from it",
            What::Certificate | What::Request => {
                "; `moissanite convert` takes the public key out of it"
            }
            _ => "",
        };
        self.expect(What::PublicKey, hint)?;
        backend.remark(self.algorithm);
        let key = match self.encoding {
            Encoding::Raw => self.algorithm.public_from_raw(backend, &self.bytes),
            _ => self.algorithm.public_from_spki(backend, &self.bytes),
        };
        key.map_err(|error| Error::key(&self.place, error))
    }
}

/// The DER of the one certificate in `bytes`, of whatever algorithm. `hint` ends the error that
/// something else is there.
pub(crate) fn certificate(
    bytes: &[u8],
    hint: &'static str,
) -> Result<Zeroizing<Vec<u8>>, KeyError> {
    let found = match Document::of(bytes)? {
        Some(Document {
            what: What::Certificate,
            der,
            ..
        }) => return Ok(der),
        Some(Document { what, .. }) => what,
        None => recognise_raw(bytes, &Expected::document(Some(What::Certificate)))?.0,
    };
    let wanted = What::Certificate;
    Err(KeyError::Other {
        found,
        wanted,
        hint,
    })
}

/// A certificate or a request, with what in it is signed.
pub(crate) struct Signed<'a, T> {
    /// All of it.
    pub(crate) document: T,
    /// What is signed, in the bytes that are there.
    pub(crate) message: &'a [u8],
}

impl<'a, T: DecodeOwned<Error = der::Error>> Signed<'a, T> {
    /// From DER.
    pub(crate) fn parse(der: &'a [u8]) -> Result<Self, KeyError> {
        let mut reader = SliceReader::new(AnyRef::from_der(der)?.value())?;
        let message = reader.tlv_bytes()?;
        let document = T::from_der(der)?;
        Ok(Self { document, message })
    }
}

impl KeyFile {
    /// The certificate in it.
    pub(crate) fn certificate(&self) -> Result<Signed<'_, Certificate>, Error> {
        self.expect(What::Certificate, "")?;
        Signed::parse(&self.bytes).map_err(|error| Error::key(&self.place, error))
    }

    /// The request in it.
    pub(crate) fn request(&self) -> Result<Signed<'_, CertReq>, Error> {
        self.expect(What::Request, "")?;
        Signed::parse(&self.bytes).map_err(|error| Error::key(&self.place, error))
    }

    /// The public key that it certifies.
    pub(crate) fn certified_key(&self, backend: Backend) -> Result<Box<dyn PublicKey>, Error> {
        let signed = self.certificate()?;
        let body = signed.document.tbs_certificate();
        self.key_of(body.subject_public_key_info(), backend)
    }

    /// The public key for which it asks for a certificate.
    pub(crate) fn requested_key(&self, backend: Backend) -> Result<Box<dyn PublicKey>, Error> {
        self.key_of(&self.request()?.document.info.public_key, backend)
    }

    fn key_of(
        &self,
        info: &SubjectPublicKeyInfoOwned,
        backend: Backend,
    ) -> Result<Box<dyn PublicKey>, Error> {
        let key = || self.algorithm.public_from_spki(backend, &info.to_der()?);
        key().map_err(|error| Error::key(&self.place, error))
    }
}
