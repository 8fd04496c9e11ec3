//! Files with a signature: raw, armored, or as base64 or hex.

use std::path::{Path, PathBuf};

use crate::algorithm::ALL;
use crate::algorithm::scheme::{Algorithm, Framing};
use crate::armor::{self, ExplanatoryText};
use crate::error::Error;
use crate::input::Source;
use crate::{pem, text};

/// The name of the file with the signature of a file: FILE.sig.
pub(crate) fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".sig");
    name.into()
}

/// A file with a signature, which has not been recognised yet.
pub(crate) struct SignatureFile {
    /// The name in messages.
    pub(crate) place: String,
    bytes: Vec<u8>,
}

/// A signature of the length that an algorithm has.
pub(crate) struct Signature {
    /// The signature.
    pub(crate) bytes: Vec<u8>,
    /// The text before an armored one.
    text: Option<ExplanatoryText>,
}

impl SignatureFile {
    /// The number of bytes that are read of a file. Every signature is shorter in every encoding.
    pub(crate) const LIMIT: usize = 1 << 16;

    /// Reads a file.
    pub(crate) fn read(source: &Source) -> Result<Self, Error> {
        Ok(Self::new(
            source.place(),
            source.read_at_most(Self::LIMIT as u64)?,
        ))
    }

    /// The first bytes of a file.
    pub(crate) fn new(place: String, bytes: Vec<u8>) -> Self {
        Self { place, bytes }
    }

    /// The signature for a key of this algorithm. Anything else is not a valid signature.
    pub(crate) fn recognise(&self, algorithm: Algorithm) -> Result<Signature, Error> {
        let length = algorithm.sizes().signature;
        let (bytes, text) = if self.bytes.len() == length {
            (self.bytes.clone(), None)
        } else if pem::is_pem(&self.bytes) {
            let armored = armor::decode(&self.bytes);
            let armored = armored.map_err(|error| self.not_valid(&format!(": {error}")))?;
            if armored.algorithm.name() != algorithm.name() {
                return Err(self.not_valid(&format!(
                    " is a signature of {}, and the key is one of {}",
                    armored.algorithm.name(),
                    algorithm.name()
                )));
            }
            (armored.signature, Some(armored.text))
        } else {
            let mut decodings = text::decodings(&self.bytes);
            match decodings.find(|decoded| decoded.len() == length) {
                Some(decoded) => (decoded.to_vec(), None),
                None => (self.bytes.clone(), None),
            }
        };
        if bytes.len() != length {
            return Err(self.wrong_length(bytes.len(), algorithm));
        }
        Ok(Signature { bytes, text })
    }

    /// The error for a wrong length. It says what the file may hold instead.
    fn wrong_length(&self, length: usize, algorithm: Algorithm) -> Error {
        let mut all = ALL.iter();
        let found = match all.find(|other| other.sizes().signature == length) {
            Some(other) => {
                let name = other.name();
                format!("{length} bytes, the length of a signature of {name}")
            }
            None if length >= Self::LIMIT => format!("{length} bytes or more"),
            None => format!("{length} bytes"),
        };
        let (name, expected) = (algorithm.name(), algorithm.sizes().signature);
        self.not_valid(&format!(
            " has {found}; a signature of {name} has {expected}"
        ))
    }

    fn not_valid(&self, why: &str) -> Error {
        Error::NotValid(format!("{}{why}", self.place))
    }
}

impl Signature {
    /// The fingerprint in its text, if that is not the fingerprint of the key.
    pub(crate) fn other_key(&self, fingerprint: &str) -> Option<&str> {
        let stated = self.text.as_ref().and_then(ExplanatoryText::fingerprint);
        stated.filter(|stated| *stated != fingerprint)
    }

    /// Whether its text states another context or hash function.
    pub(crate) fn has_other_framing(&self, framing: &Framing) -> bool {
        let text = self.text.as_ref();
        text.is_some_and(|text| !text.agrees(framing))
    }
}
