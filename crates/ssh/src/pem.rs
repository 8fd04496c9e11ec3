//! PEM as OpenSSH writes it, with 70 characters in a line.

use alloc::string::String;
use alloc::vec::Vec;

use pem_rfc7468::{Decoder, Encoder, LineEnding};
use zeroize::Zeroizing;

use crate::error::Error;

const WIDTH: usize = 70;

/// Decodes a text with this label. Its lines can have any equal length.
pub(crate) fn decode(text: &str, label: &str) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut decoder = Decoder::new_detect_wrap(text.as_bytes()).map_err(|_| Error::Pem)?;
    if decoder.type_label() != label {
        return Err(Error::Pem);
    }
    let mut bytes = Zeroizing::new(alloc::vec![0; decoder.remaining_len()]);
    decoder.decode(&mut bytes).map_err(|_| Error::Pem)?;
    Ok(bytes)
}

/// Encodes bytes under a label. The memory of the text never grows, because that would leave a copy behind.
pub(crate) fn encode(label: &str, bytes: &[u8]) -> Result<Zeroizing<String>, Error> {
    let ending = LineEnding::LF;
    let length = pem_rfc7468::encapsulated_len_wrapped(label, WIDTH, ending, bytes.len());
    let mut text = Zeroizing::new(alloc::vec![0; length.map_err(|_| Error::Pem)?]);
    let mut encoder = Encoder::new_wrapped(label, WIDTH, ending, &mut text);
    let written = encoder.as_mut().map_err(|_| Error::Pem)?.encode(bytes);
    written.map_err(|_| Error::Pem)?;
    let length = encoder.and_then(Encoder::finish).map_err(|_| Error::Pem)?;
    text.truncate(length);
    let text = String::from_utf8(core::mem::take(&mut *text));
    text.map(Zeroizing::new).map_err(|_| Error::Pem)
}
