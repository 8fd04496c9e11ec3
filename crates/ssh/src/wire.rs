//! Strings of the SSH protocol (RFC 4251, section 5), which are borrowed from the input.

use alloc::vec::Vec;

use crate::error::Error;
use crate::limits;

/// Reads a string.
pub(crate) fn string<'a>(input: &mut &'a [u8]) -> Result<&'a [u8], Error> {
    let length = number(input)? as usize;
    let (string, rest) = input.split_at_checked(length).ok_or(Error::Encoding)?;
    *input = rest;
    Ok(string)
}

/// Reads a number of 32 bits.
pub(crate) fn number(input: &mut &[u8]) -> Result<u32, Error> {
    let (number, rest) = input.split_first_chunk().ok_or(Error::Encoding)?;
    *input = rest;
    Ok(u32::from_be_bytes(*number))
}

/// Checks that nothing is left.
pub(crate) fn end(input: &[u8]) -> Result<(), Error> {
    if input.is_empty() {
        Ok(())
    } else {
        Err(Error::TrailingData)
    }
}

/// Checks that bytes are text of limited length without control characters, so that they fit in one line and do not
/// change a terminal.
pub(crate) fn line(bytes: &[u8], error: Error) -> Result<&str, Error> {
    let text = core::str::from_utf8(bytes).map_err(|_| error)?;
    if text.len() > limits::TEXT || text.chars().any(char::is_control) {
        return Err(error);
    }
    Ok(text)
}

/// Writes a string. No string here has 2^32 bytes.
pub(crate) fn push(to: &mut Vec<u8>, string: &[u8]) {
    push_number(to, string.len() as u32);
    to.extend_from_slice(string);
}

/// Writes a number of 32 bits.
pub(crate) fn push_number(to: &mut Vec<u8>, number: u32) {
    to.extend_from_slice(&number.to_be_bytes());
}
