//! Names, identifiers and texts of keys.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use base64ct::{Base64, Encoding};
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::limits;

/// The first four bytes of SHA-256 of a name, a line break, a signature type and a public key. Together with the
/// name, they choose the key that verifies a signature line. Other keys with the same ID are easy to find: the ID
/// proves nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId(pub [u8; 4]);

impl KeyId {
    /// Computes the ID of a key.
    pub(crate) fn of(name: &str, signature_type: u8, public_key: &[u8]) -> Self {
        let hash = Sha256::new()
            .chain_update(name)
            .chain_update([b'\n', signature_type])
            .chain_update(public_key)
            .finalize();
        let [a, b, c, d, ..] = <[u8; 32]>::from(hash);
        Self([a, b, c, d])
    }
}

/// The ID as eight hexadecimal digits.
impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", u32::from_be_bytes(self.0))
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyId({self})")
    }
}

/// Checks the name of a key.
pub(crate) fn check_name(name: &str) -> Result<(), Error> {
    let refused = |c: char| c == '+' || c.is_whitespace() || c.is_ascii_control();
    if name.is_empty() || name.contains(refused) {
        return Err(Error::Name);
    }
    Ok(())
}

/// Checks and copies the name of a key whose signatures contain it.
pub(crate) fn cosigner_name(name: &str) -> Result<Box<str>, Error> {
    check_name(name)?;
    limits::check("name", name.len(), limits::NAME)?;
    Ok(name.into())
}

/// The text of a public key: its name, its ID, its signature type and its bytes.
pub(crate) struct KeyText<'a> {
    pub(crate) name: &'a str,
    pub(crate) id: KeyId,
    pub(crate) signature_type: u8,
    pub(crate) public_key: Vec<u8>,
}

impl<'a> KeyText<'a> {
    /// Reads `name+id+base64`.
    pub(crate) fn parse(text: &'a str) -> Result<Self, Error> {
        limits::check("text of a key", text.len(), limits::NOTE)?;
        let (name, rest) = text.split_once('+').ok_or(Error::Key)?;
        let (id, base64) = rest.split_once('+').ok_or(Error::Key)?;
        check_name(name)?;
        let is_id = id.len() == 8 && id.bytes().all(|digit| digit.is_ascii_hexdigit());
        let id = u32::from_str_radix(id, 16).ok().filter(|_| is_id);
        let id = KeyId(id.ok_or(Error::Key)?.to_be_bytes());
        let bytes = Base64::decode_vec(base64).map_err(|_| Error::Key)?;
        let (signature_type, public_key) = bytes.split_first().ok_or(Error::Key)?;
        if KeyId::of(name, *signature_type, public_key) != id {
            return Err(Error::KeyId);
        }
        Ok(Self {
            name,
            id,
            signature_type: *signature_type,
            public_key: public_key.to_vec(),
        })
    }

    /// Writes it.
    pub(crate) fn write(name: &str, id: KeyId, signature_type: u8, public_key: &[u8]) -> String {
        let bytes = [&[signature_type], public_key].concat();
        alloc::format!("{name}+{id}+{}", Base64::encode_string(&bytes))
    }
}
