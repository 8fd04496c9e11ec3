//! PEM (RFC 7468).

use alloc::string::String;
use alloc::vec::Vec;

use der::pem::{LineEnding, decode_vec, encode_string};

use crate::error::Error;

/// Decodes a text with this label.
pub(crate) fn decode(text: &[u8], label: &str) -> Result<Vec<u8>, Error> {
    let (actual, der) = decode_vec(text).map_err(|_| Error::Pem)?;
    if actual != label {
        return Err(Error::Pem);
    }
    Ok(der)
}

/// Encodes bytes under a label, with line feeds.
pub(crate) fn encode(label: &str, der: &[u8]) -> Result<String, Error> {
    encode_string(label, LineEnding::LF, der).map_err(|_| Error::Pem)
}
