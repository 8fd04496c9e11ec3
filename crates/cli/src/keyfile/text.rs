//! Reads the outermost layer of a file whose content may be a key, and tolerates what [`super::recognise`]
//! refuses: damaged PEM lines, base64 or hexadecimal digits without them, UTF-16, and bytes after the key.

use base64ct::{Base64Unpadded, Encoding as _};
use zeroize::Zeroizing;

use super::deviation::Deviation;
use super::encoding::Encoding;
use super::recognise::{is_raw, is_whole_sequence, sequence_length};
use crate::key_error::KeyError;
use crate::pem::{self, Label, PemError};

/// The content of a file, without its outermost layer.
pub(super) struct Unwrapped {
    pub(super) encoding: Encoding,
    /// The label of PEM text with correct lines.
    pub(super) label: Option<Label>,
    /// One SEQUENCE in DER, or the bytes of the scheme.
    pub(super) bytes: Zeroizing<Vec<u8>>,
    pub(super) deviations: Vec<Deviation>,
}

impl Unwrapped {
    fn new(encoding: Encoding, bytes: &[u8]) -> Self {
        Self {
            encoding,
            label: None,
            bytes: Zeroizing::new(bytes.to_vec()),
            deviations: Vec::new(),
        }
    }

    fn with(mut self, deviation: Deviation) -> Self {
        self.deviations.insert(0, deviation);
        self
    }
}

/// Every document in a file, or its only content.
pub(super) fn unwrap(bytes: &[u8]) -> Vec<Result<Unwrapped, KeyError>> {
    if bytes.is_empty() {
        return vec![Err(KeyError::Empty)];
    }
    if let Some(text) = from_utf16(bytes) {
        let found = unwrap(&text).into_iter();
        return found
            .map(|one| one.map(|one| one.with(Deviation::Utf16)))
            .collect();
    }
    if !is_whole_sequence(bytes) && pem::is_pem(bytes) {
        return pem::documents(bytes).into_iter().map(document).collect();
    }
    // As in `super::recognise`, text is not mistaken for raw bytes of the same length.
    vec![digits(bytes).map_or_else(|| binary(bytes), Ok)]
}

/// DER or raw bytes, with any number of bytes after the DER and a line break after raw bytes.
fn binary(bytes: &[u8]) -> Result<Unwrapped, KeyError> {
    if is_whole_sequence(bytes) {
        return Ok(Unwrapped::new(Encoding::Der, bytes));
    }
    if is_raw(bytes) {
        return Ok(Unwrapped::new(Encoding::Raw, bytes));
    }
    if let Some(length) = sequence_length(bytes)
        && let Some((der, rest)) = usize::try_from(length)
            .ok()
            .and_then(|length| bytes.split_at_checked(length))
        && der.len() > 16
    {
        return Ok(Unwrapped::new(Encoding::Der, der).with(Deviation::Trailing(rest.len())));
    }
    for end in ["\r\n", "\n"] {
        if let Some(raw) = bytes.strip_suffix(end.as_bytes())
            && is_raw(raw)
        {
            return Ok(Unwrapped::new(Encoding::Raw, raw).with(Deviation::Trailing(end.len())));
        }
    }
    match sequence_length(bytes) {
        Some(expected) if matches!(bytes, [0x30, 0x81..=0x82, ..]) => Err(KeyError::DerLength {
            expected,
            actual: bytes.len(),
        }),
        _ => Err(KeyError::RawLength(bytes.len())),
    }
}

/// A file that is hexadecimal digits or base64 of DER or raw bytes. White space and the separators of
/// hexadecimal digits are left out.
fn digits(bytes: &[u8]) -> Option<Unwrapped> {
    let text = pem::joined(bytes).ok()?;
    let is_separator = |c: char| matches!(c, ':' | '-' | ',');
    let hex: Zeroizing<String> = Zeroizing::new(text.split(is_separator).collect());
    if let Ok(bytes) = hex::decode(hex.as_bytes()).map(Zeroizing::new) {
        return binary(&bytes).ok().map(|one| one.with(Deviation::Hex));
    }
    let bytes = Base64Unpadded::decode_vec(text.trim_end_matches('=')).map(Zeroizing::new);
    let found = binary(&bytes.ok()?).ok()?;
    Some(found.with(Deviation::Base64))
}

/// One document in PEM.
fn document(text: &[u8]) -> Result<Unwrapped, KeyError> {
    match pem::decode(text) {
        Ok((label, der)) => Ok(Unwrapped {
            label: Some(label),
            encoding: Encoding::Pem,
            ..binary(&der)?
        }),
        Err(error) => {
            let deviation = match error {
                PemError::Base64 => Deviation::Padding,
                _ => Deviation::PemLines,
            };
            // Base64 that ends early gives DER that ends early, whose length tells that.
            let der = pem::decode_leniently(text).ok_or(error)?;
            let found = binary(&der)?;
            if found.encoding == Encoding::Raw {
                return Err(KeyError::Pem(error));
            }
            Ok(Unwrapped {
                encoding: Encoding::Pem,
                ..found.with(deviation)
            })
        }
    }
}

/// The ASCII text of UTF-16, with or without its mark.
fn from_utf16(bytes: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let (text, low) = match bytes {
        [0xff, 0xfe, text @ ..] => (text, 0),
        [0xfe, 0xff, text @ ..] => (text, 1),
        [first, 0, ..] if first.is_ascii_graphic() => (bytes, 0),
        [0, first, ..] if first.is_ascii_graphic() => (bytes, 1),
        _ => return None,
    };
    let mut ascii = Zeroizing::new(Vec::with_capacity(text.len()));
    for unit in text.chunks(2) {
        let [one, other] = unit else { return None };
        let (byte, zero) = if low == 0 {
            (*one, *other)
        } else {
            (*other, *one)
        };
        if zero != 0 || !byte.is_ascii() {
            return None;
        }
        ascii.push(byte);
    }
    Some(ascii)
}
