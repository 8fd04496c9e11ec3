//! A key with a context.

use moissanite::ContextTooLong;

/// A key and a context of at most 255 bytes, under which it signs or verifies.
///
/// ```
/// use moissanite_composite::{prelude::*, MlDsa65Ed25519, SigningKey, SysRng};
///
/// let key = SigningKey::<MlDsa65Ed25519>::try_generate(&mut SysRng)?;
/// let signature = key.with_context(b"invoice")?.try_sign(b"message")?;
/// key.verifying_key().with_context(b"invoice")?.verify(b"message", &signature)?;
/// assert!(key.verifying_key().with_context(b"offer")?.verify(b"message", &signature).is_err());
/// assert!(key.with_context(&[0; 256]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WithContext<'a, K> {
    pub(crate) key: &'a K,
    pub(crate) context: &'a [u8],
}

impl<'a, K> WithContext<'a, K> {
    pub(crate) fn new(key: &'a K, context: &'a [u8]) -> Result<Self, ContextTooLong> {
        match context.len() {
            0..256 => Ok(Self { key, context }),
            _ => Err(ContextTooLong),
        }
    }

    /// The empty context, which is the default.
    pub(crate) fn without(key: &'a K) -> Self {
        Self { key, context: &[] }
    }

    /// The context: at most 255 bytes.
    pub fn context(&self) -> &'a [u8] {
        self.context
    }
}
