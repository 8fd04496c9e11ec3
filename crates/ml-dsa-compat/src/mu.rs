//! μ of a message that the caller gives to a hash function of the crate `shake`.
//!
//! The computation of μ in `moissanite` has another type, so the frame of FIPS 204, Algorithm 2, line 10, is
//! written here once more.

use hybrid_array::Array;
use hybrid_array::sizes::U64;
use moissanite::Mu;
use shake::Shake256;
use shake::digest::{ExtendableOutput, Update, XofReader};
use signature::Error;

/// 64 bytes.
pub(crate) type B64 = Array<u8, U64>;

/// Computes μ = H(tr ‖ 0 ‖ length of the context ‖ context ‖ message, 64).
///
/// # Errors
/// The context has more than 255 bytes, or `message` returns an error.
pub(crate) fn of_digest(
    tr: &[u8; 64],
    context: &[u8],
    message: impl FnOnce(&mut Shake256) -> Result<(), Error>,
) -> Result<Mu, Error> {
    let length = u8::try_from(context.len()).map_err(|_| Error::new())?;
    let mut digest = Shake256::default();
    digest.update(tr);
    digest.update(&[0, length]);
    digest.update(context);
    message(&mut digest)?;
    let mut mu = [0; 64];
    digest.finalize_xof().read(&mut mu);
    Ok(Mu::from_bytes(mu))
}

/// Takes μ as the caller has it.
pub(crate) fn from_array(mu: &B64) -> Mu {
    Mu::from_bytes(mu.0)
}
