//! base64url without padding (RFC 7515, section 2).
//!
//! Public data has the fast code, which takes table look-ups or vector instructions, and secrets the
//! code that takes constant time.

use alloc::string::String;
use alloc::vec::Vec;

use base64::engine::general_purpose::NO_PAD;
use base64::{DecodeError, DecodeSliceError, Engine, decoded_len_estimate};
use base64ct::{Base64UrlUnpadded, Encoding};
use moissanite::Seed;
use zeroize::Zeroizing;

use crate::error::Error;

/// The characters of a seed.
pub(crate) const SEED: usize = 43;

/// The fastest code for this CPU. The type with vector instructions exists on these architectures only.
#[cfg(all(feature = "std", any(target_arch = "aarch64", target_arch = "x86_64")))]
fn engine() -> impl Engine {
    base64::engine::Simd::url_safe(NO_PAD)
}
#[cfg(not(all(feature = "std", any(target_arch = "aarch64", target_arch = "x86_64"))))]
fn engine() -> impl Engine {
    base64::engine::GeneralPurpose::new(&base64::alphabet::URL_SAFE, NO_PAD)
}

/// The number of characters of so many bytes.
pub(crate) const fn encoded_len(bytes: usize) -> usize {
    (bytes * 4).div_ceil(3)
}

/// Appends public bytes to a text.
pub(crate) fn encode(bytes: &[u8], text: &mut String) {
    engine().encode_string(bytes, text);
}

/// Decodes public bytes. `part` names them in errors.
pub(crate) fn decode(part: &'static str, text: &str) -> Result<Vec<u8>, Error> {
    let mut bytes = alloc::vec![0; decoded_len_estimate(text.len())];
    let length = decode_to(part, text, &mut bytes)?;
    bytes.truncate(length);
    Ok(bytes)
}

/// Decodes public bytes to a buffer that is large enough, and returns their number.
pub(crate) fn decode_to(part: &'static str, text: &str, to: &mut [u8]) -> Result<usize, Error> {
    engine()
        .decode_slice(text, to)
        .map_err(|error| match error {
            DecodeSliceError::DecodeError(DecodeError::InvalidByte(_, b'='))
            | DecodeSliceError::DecodeError(DecodeError::InvalidPadding) => Error::Padding(part),
            DecodeSliceError::DecodeError(DecodeError::InvalidLastSymbol { .. }) => {
                Error::TrailingBits(part)
            }
            _ => Error::Base64(part),
        })
}

/// Decodes a seed in constant time, as far as its length allows.
pub(crate) fn decode_seed(text: &str) -> Result<Seed, Error> {
    const PART: &str = "priv";
    if text.ends_with('=') {
        return Err(Error::Padding(PART));
    }
    if text.len() != SEED {
        return Err(Error::SeedLength);
    }
    let mut bytes = Zeroizing::new([0; 32]);
    let decoded = Base64UrlUnpadded::decode(text, &mut *bytes);
    decoded.map_err(|_| Error::Base64(PART))?;
    Ok(Seed::from_bytes(&bytes))
}

/// Appends a seed to a text that has enough capacity, in constant time.
pub(crate) fn encode_seed(seed: &Seed, text: &mut String) -> Result<(), Error> {
    let mut characters = Zeroizing::new([0; SEED]);
    let encoded = Base64UrlUnpadded::encode(seed.as_bytes(), &mut *characters);
    text.push_str(encoded.map_err(|_| Error::SeedLength)?);
    Ok(())
}
