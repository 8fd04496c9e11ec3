//! Files with signatures, as `verify` reads them, and armored signatures, as `sign --armor` writes them.

use super::{PLACE, message};
use crate::algorithm::ALL;
use crate::algorithm::scheme::{Algorithm, Framing};
use crate::armor::{self, ExplanatoryText};
use crate::hash::Hash;
use crate::signature::SignatureFile;

/// What a signature is made with besides the key and the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// The context.
    pub context: Vec<u8>,
    /// The name of the hash function of HashML-DSA.
    pub prehash: Option<&'static str>,
}

impl Stated {
    /// With a context, and the hash function that `number` chooses: 0 is none.
    #[must_use]
    pub fn new(context: &[u8], number: u8) -> Self {
        let index = usize::from(number).checked_sub(1);
        let hash = index.and_then(|index| Hash::ALL.get(index));
        Self {
            context: context.to_vec(),
            prehash: hash.map(|hash| hash.name()),
        }
    }

    fn framing(&self) -> Framing {
        Framing {
            context: self.context.clone(),
            prehash: self.prehash.and_then(Hash::by_name),
        }
    }
}

/// A file with a signature.
pub struct Found {
    /// The signature.
    pub signature: Vec<u8>,
    /// The names of the algorithms whose keys can have made it.
    pub algorithms: Vec<&'static str>,
    /// The fingerprint in its text.
    pub fingerprint: Option<String>,
    /// Whether its text states something other than what it is to be verified with.
    pub has_other_framing: bool,
}

/// The algorithm that `number` chooses.
fn algorithm(number: u8) -> Option<Algorithm> {
    ALL.get(usize::from(number).checked_sub(1)?).copied()
}

/// Reads a signature for keys of the algorithm that `number` chooses, which is any for 0, to be verified with
/// what is `stated`.
///
/// # Errors
/// The file is not such a signature.
pub fn read(number: u8, stated: &Stated, file: &[u8]) -> Result<Found, String> {
    let chosen = algorithm(number);
    let algorithms = chosen.as_ref().map_or(ALL, std::slice::from_ref);
    let file = SignatureFile::new(PLACE.to_owned(), file.to_vec());
    let found = file.recognise(algorithms).map_err(message)?;
    let possible = algorithms.iter().filter(|one| found.can_be_of(**one));
    Ok(Found {
        algorithms: possible.map(|one| one.name()).collect(),
        fingerprint: found.other_key(&[]).map(str::to_owned),
        has_other_framing: found.has_other_framing(&stated.framing()),
        signature: found.bytes,
    })
}

/// The name of the algorithm that `number` chooses, and the bytes of its signatures.
#[must_use]
pub fn length(number: u8) -> Option<(&'static str, usize)> {
    let algorithm = algorithm(number)?;
    Some((algorithm.name(), algorithm.sizes().signature))
}

/// Armors a signature with the text that `sign` writes.
#[must_use]
pub fn armor(number: u8, stated: &Stated, fingerprint: &str, signature: &[u8]) -> Option<String> {
    let algorithm = algorithm(number)?;
    let text = ExplanatoryText::new(algorithm, fingerprint, Some(&stated.framing()));
    Some(armor::encode(algorithm, signature, &text))
}
