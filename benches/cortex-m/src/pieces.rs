//! Collects what operations write in pieces.

/// Writes pieces to `bytes`, one after another.
pub fn into(bytes: &mut [u8]) -> impl FnMut(&[u8]) -> Result<(), core::convert::Infallible> {
    let mut out = bytes.iter_mut();
    move |piece| {
        for (byte, out) in piece.iter().zip(out.by_ref()) {
            *out = *byte;
        }
        Ok(())
    }
}
