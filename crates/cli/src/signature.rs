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
    /// The algorithm of the label and the text before it, if it was armored.
    armor: Option<(Algorithm, ExplanatoryText)>,
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

    /// The signature for keys of these algorithms. Anything else is not a valid signature.
    pub(crate) fn recognise(&self, algorithms: &[Algorithm]) -> Result<Signature, Error> {
        let fits = |bytes: &[u8]| algorithms.iter().any(|one| length(one) == bytes.len());
        if !fits(&self.bytes) && pem::is_pem(&self.bytes) {
            return self.armored(algorithms);
        }
        let mut decodings = text::decodings(&self.bytes);
        let decoded = match fits(&self.bytes) {
            true => None,
            false => decodings.find(|decoded| fits(decoded)),
        };
        let bytes = decoded.map_or_else(|| self.bytes.clone(), |decoded| decoded.to_vec());
        self.check_length(&bytes, algorithms)?;
        Ok(Signature { bytes, armor: None })
    }

    fn armored(&self, algorithms: &[Algorithm]) -> Result<Signature, Error> {
        let armored = armor::decode(&self.bytes);
        let armored = armored.map_err(|error| self.not_valid(&format!(": {error}")))?;
        let labelled = armored.algorithm;
        if algorithms.iter().all(|one| one.name() != labelled.name()) {
            let names: Vec<_> = algorithms.iter().map(|one| one.name()).collect();
            return Err(self.not_valid(&format!(
                " is a signature of {}, and the key is one of {}",
                labelled.name(),
                names.join(" or ")
            )));
        }
        self.check_length(&armored.signature, &[labelled])?;
        Ok(Signature {
            bytes: armored.signature,
            armor: Some((labelled, armored.text)),
        })
    }

    /// Checks the length. The error says what the file may hold instead.
    fn check_length(&self, bytes: &[u8], algorithms: &[Algorithm]) -> Result<(), Error> {
        let actual = bytes.len();
        if algorithms.iter().any(|one| length(one) == actual) {
            return Ok(());
        }
        let found = match ALL.iter().find(|other| length(other) == actual) {
            Some(other) => {
                let name = other.name();
                format!("{actual} bytes, the length of a signature of {name}")
            }
            None if actual >= Self::LIMIT => format!("{actual} bytes or more"),
            None => format!("{actual} bytes"),
        };
        let expected = algorithms.iter();
        let expected =
            expected.map(|one| format!("a signature of {} has {}", one.name(), length(one)));
        let expected = expected.collect::<Vec<_>>().join(", ");
        Err(self.not_valid(&format!(" has {found}; {expected}")))
    }

    fn not_valid(&self, why: &str) -> Error {
        Error::NotValid(format!("{}{why}", self.place))
    }
}

impl Signature {
    /// Whether a key of this algorithm can have made it.
    pub(crate) fn can_be_of(&self, algorithm: Algorithm) -> bool {
        match &self.armor {
            Some((labelled, _)) => labelled.name() == algorithm.name(),
            None => length(&algorithm) == self.bytes.len(),
        }
    }

    /// The fingerprint in its text, if that is none of these.
    pub(crate) fn other_key(&self, fingerprints: &[&str]) -> Option<&str> {
        let (_, text) = self.armor.as_ref()?;
        let stated = text.fingerprint()?;
        (!fingerprints.contains(&stated)).then_some(stated)
    }

    /// Whether its text states another context or hash function.
    pub(crate) fn has_other_framing(&self, framing: &Framing) -> bool {
        let armor = self.armor.as_ref();
        armor.is_some_and(|(_, text)| !text.agrees(framing))
    }
}

fn length(algorithm: &Algorithm) -> usize {
    algorithm.sizes().signature
}
