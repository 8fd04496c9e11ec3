//! μ, the message representative, for messages in pieces and for messages that are hashed on
//! another machine than the key.

use core::marker::PhantomData;

use moissanite_core::hash;
use moissanite_core::scheme::{Round3, Scheme, Standard};

use crate::error::ContextTooLong;

/// The message representative that ML-DSA signs: μ = H(tr ‖ M', 64), in 64 bytes. It is as secret
/// as the message.
///
/// It depends on a public key and a context: sign and verify it with the same key that it was
/// computed with. See [`VerifyingKey::mu`](crate::VerifyingKey::mu).
///
/// `S` is the scheme, because round-3 Dilithium has another μ: H(tr ‖ M, 64), which
/// [`VerifyingKey::message_mu`](crate::VerifyingKey::message_mu) computes.
#[derive(Clone, PartialEq, Eq)]
pub struct Mu<S = Standard>([u8; 64], PhantomData<S>);

impl<S: Scheme> core::fmt::Debug for Mu<S> {
    /// The bytes are not shown, because they can reveal the message.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Mu(..)")
    }
}

impl<S: Scheme> Mu<S> {
    pub(crate) const fn new(mu: [u8; 64]) -> Self {
        Self(mu, PhantomData)
    }

    /// Takes a μ that was computed elsewhere. The bytes do not show whether it was computed with
    /// the right public key; with another one, its signature never verifies.
    #[cfg(feature = "hazmat")]
    #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
    pub const fn from_bytes(mu: [u8; 64]) -> Self {
        Self::new(mu)
    }

    /// The 64 bytes.
    pub const fn as_bytes(&self) -> &[u8; 64] {
        &self.0
    }
}

/// The computation of μ from a message of any length, piece by piece, with a state of less than 400
/// bytes.
///
/// ```
/// use moissanite::{prelude::*, MlDsa65, SigningKey, SysRng};
///
/// let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
/// let mut mu = key.verifying_key().mu(b"context")?;
/// assert!(size_of_val(&mu) < 400);
/// mu.update(b"a long ");
/// mu.update(b"message");
/// let mu = mu.finish();
///
/// let signature = key.try_sign_mu(&mu)?;
/// key.verifying_key().verify_mu(&mu, &signature)?;
/// // This is the same as the message in one piece.
/// key.verifying_key().with_context(b"context")?.verify(b"a long message", &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct MuBuilder<S = Standard>(pub(crate) hash::MuBuilder<S>);

impl MuBuilder {
    pub(crate) fn new(tr: &[u8; 64], context: &[u8]) -> Result<Self, ContextTooLong> {
        ContextTooLong::check(context)?;
        let mut mu = hash::MuBuilder::new(tr);
        mu.pure(context);
        Ok(Self(mu))
    }
}

impl<S: Scheme> MuBuilder<S> {
    /// Takes the next piece of the message.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// Ends the message and returns μ.
    #[must_use]
    pub fn finish(self) -> Mu<S> {
        Mu::new(self.0.finish())
    }
}

impl MuBuilder<Round3> {
    /// There is no context.
    pub(crate) fn of_message(tr: &[u8; 64]) -> Self {
        Self(hash::MuBuilder::new(tr))
    }
}

impl<S: Scheme> core::fmt::Debug for MuBuilder<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("MuBuilder { .. }")
    }
}
