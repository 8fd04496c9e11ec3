//! Signed notes (C2SP signed-note).

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use base64ct::{Base64, Encoding};

use crate::error::Error;
use crate::key_id::{KeyId, check_name};
use crate::limits;

/// The dash and the space at the start of a signature line.
const DASH: &str = "\u{2014} ";
/// The name of a note and of its lines in errors.
const NOTE: &str = "note";

/// A key that verifies signatures of notes.
///
/// [`CosignerKey`](crate::CosignerKey) and [`Ed25519Key`](crate::Ed25519Key) implement it. A program can
/// implement it for other signature types.
pub trait NoteVerifier {
    /// The name of the key.
    fn name(&self) -> &str;

    /// The ID of the key.
    fn key_id(&self) -> KeyId;

    /// Verifies the bytes of a signature line behind the key ID.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`] or the reason why the text or the signature is malformed.
    fn verify(&self, text: &str, signature: &[u8]) -> Result<(), Error>;
}

/// A line with the signature of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureLine {
    name: Box<str>,
    id: KeyId,
    signature: Vec<u8>,
}

impl SignatureLine {
    /// Makes the line of a signature of at least one byte.
    ///
    /// # Errors
    /// [`Error::Name`]; [`Error::SignatureLine`] for an empty signature.
    pub fn new(name: &str, id: KeyId, signature: Vec<u8>) -> Result<Self, Error> {
        check_name(name)?;
        if signature.is_empty() {
            return Err(Error::SignatureLine);
        }
        let name = name.into();
        Ok(Self {
            name,
            id,
            signature,
        })
    }

    /// Reads a line without its line break.
    ///
    /// # Errors
    /// [`Error::SignatureLine`], [`Error::Name`]; [`Error::TooLong`] for more than [`limits::NOTE`] bytes.
    pub fn parse(line: &str) -> Result<Self, Error> {
        limits::check(NOTE, line.len(), limits::NOTE)?;
        let (name, base64) = line
            .strip_prefix(DASH)
            .and_then(|rest| rest.split_once(' '))
            .ok_or(Error::SignatureLine)?;
        let mut bytes = Base64::decode_vec(base64).map_err(|_| Error::SignatureLine)?;
        let (id, _) = bytes.split_first_chunk().ok_or(Error::SignatureLine)?;
        let id = KeyId(*id);
        Self::new(name, id, bytes.split_off(4))
    }

    /// The name of the key.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The ID of the key.
    #[must_use]
    pub fn key_id(&self) -> KeyId {
        self.id
    }

    /// The bytes behind the key ID, whose meaning depends on the signature type of the key.
    #[must_use]
    pub fn signature(&self) -> &[u8] {
        &self.signature
    }

    /// Whether this line has the name and the ID of a key.
    #[must_use]
    pub fn is_of(&self, key: &dyn NoteVerifier) -> bool {
        self.id == key.key_id() && *self.name == *key.name()
    }
}

/// The line without its line break.
impl fmt::Display for SignatureLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [&self.id.0, &*self.signature].concat();
        write!(f, "{DASH}{} {}", self.name, Base64::encode_string(&bytes))
    }
}

/// A text with signature lines, of which none has been verified.
///
/// ```
/// use moissanite_tlog::Note;
///
/// let text = "A text.\n\n\u{2014} example.com/key AAAAAQI=\n";
/// let note = Note::parse(text)?;
/// assert_eq!(note.unverified_text(), "A text.\n");
/// assert_eq!(note.signatures()[0].name(), "example.com/key");
/// assert_eq!(note.to_string(), text);
/// # Ok::<(), moissanite_tlog::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    text: Box<str>,
    signatures: Vec<SignatureLine>,
}

impl Note {
    /// Combines a text and the signatures of it.
    ///
    /// # Errors
    /// [`Error::Note`] if the text does not end in a line break, or without signatures;
    /// [`Error::ControlCharacter`]; [`Error::TooLong`].
    pub fn new(text: &str, signatures: Vec<SignatureLine>) -> Result<Self, Error> {
        limits::check(NOTE, text.len(), limits::NOTE)?;
        if text.contains(is_refused) {
            return Err(Error::ControlCharacter);
        }
        if !text.ends_with('\n') || signatures.is_empty() {
            return Err(Error::Note);
        }
        let count = signatures.len();
        limits::check("number of signatures", count, limits::SIGNATURES)?;
        let text = text.into();
        Ok(Self { text, signatures })
    }

    /// Reads a note of at most [`limits::NOTE`] bytes. The last empty line separates the text from the
    /// signatures.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::ControlCharacter`], [`Error::Note`], [`Error::SignatureLine`],
    /// [`Error::Name`].
    pub fn parse(note: &str) -> Result<Self, Error> {
        limits::check(NOTE, note.len(), limits::NOTE)?;
        if note.contains(is_refused) {
            return Err(Error::ControlCharacter);
        }
        let at = note.rfind("\n\n").ok_or(Error::Note)?;
        let (text, rest) = note.split_at(at + 1);
        let lines = rest
            .strip_prefix('\n')
            .and_then(|rest| rest.strip_suffix('\n'));
        let lines = lines.ok_or(Error::Note)?.split('\n');
        // The limit is checked before the lines are decoded.
        let lines = lines.take(limits::SIGNATURES + 1);
        let signatures = lines.map(SignatureLine::parse);
        Self::new(text, signatures.collect::<Result<_, _>>()?)
    }

    /// The text, which an attacker can have written.
    #[must_use]
    pub fn unverified_text(&self) -> &str {
        &self.text
    }

    /// The signature lines in their order.
    #[must_use]
    pub fn signatures(&self) -> &[SignatureLine] {
        &self.signatures
    }

    /// Adds a signature behind the others.
    ///
    /// # Errors
    /// [`Error::TooLong`].
    pub fn with_signature(mut self, signature: SignatureLine) -> Result<Self, Error> {
        self.signatures.push(signature);
        Self::new(&self.text, self.signatures)
    }

    /// Verifies all signatures of known keys.
    ///
    /// Lines of other keys are ignored. The caller decides how many keys must have signed, and which:
    /// [`Verified::is_signed_by`] tells whether a key has.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`] or another error of a verifier if a signature of a known key is not valid,
    /// even if others are; [`Error::UnknownKeys`] if no signature is of a known key.
    pub fn verify(&self, keys: &[&dyn NoteVerifier]) -> Result<Verified<&str>, Error> {
        let mut signed_by = alloc::vec![false; keys.len()];
        for line in &self.signatures {
            for (key, signed) in keys.iter().zip(&mut signed_by) {
                if line.is_of(*key) {
                    key.verify(&self.text, &line.signature)?;
                    *signed = true;
                }
            }
        }
        if !signed_by.contains(&true) {
            return Err(Error::UnknownKeys);
        }
        let content = &*self.text;
        Ok(Verified { content, signed_by })
    }
}

/// The note as text.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        self.signatures
            .iter()
            .try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// Something that at least one known key has signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified<T> {
    pub(crate) content: T,
    pub(crate) signed_by: Vec<bool>,
}

impl<T> Verified<T> {
    /// What was signed.
    #[must_use]
    pub fn content(&self) -> &T {
        &self.content
    }

    /// Whether the key at this index of the keys has signed it; false if there is no such key.
    #[must_use]
    pub fn is_signed_by(&self, key: usize) -> bool {
        self.signed_by.get(key).copied().unwrap_or(false)
    }

    /// The number of keys that have signed it. A key that signed it several times counts once.
    #[must_use]
    pub fn count(&self) -> usize {
        self.signed_by.iter().filter(|signed| **signed).count()
    }
}

/// Whether a note must not contain a character.
pub(crate) fn is_refused(c: char) -> bool {
    c < ' ' && c != '\n'
}
