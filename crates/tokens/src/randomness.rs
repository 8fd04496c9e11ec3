//! The choice between hedged and deterministic signatures.

use moissanite::rand_core::TryCryptoRng;
use moissanite::{Fips204, Mu, PreparedSigningKey, Signature, SigningError};

/// What a signature is made with, besides the key and the message: `&mut SysRng` or another generator,
/// or [`Deterministic`].
///
/// With a generator, signatures are hedged (FIPS 204, section 3.4), which is better where an attacker
/// could measure the signing device or disturb it. The trait is sealed.
pub trait Randomness: sealed::Sign {}

/// The same key, header and payload give the same token (FIPS 204, section 3.4). No generator is
/// needed.
#[derive(Clone, Copy, Debug)]
pub struct Deterministic;

impl Randomness for Deterministic {}
impl<R: TryCryptoRng + ?Sized> Randomness for &mut R {}

/// Signs μ with a prepared key.
pub(crate) fn sign<P: Fips204>(
    randomness: impl Randomness,
    key: &PreparedSigningKey<P>,
    mu: &Mu,
) -> Result<Signature<P>, SigningError> {
    randomness.sign(key, mu)
}

mod sealed {
    use super::{Deterministic, Fips204, Mu, PreparedSigningKey, Signature, SigningError};
    use moissanite::rand_core::TryCryptoRng;

    pub trait Sign {
        #[doc(hidden)]
        fn sign<P: Fips204>(
            self,
            key: &PreparedSigningKey<P>,
            mu: &Mu,
        ) -> Result<Signature<P>, SigningError>;
    }

    impl Sign for Deterministic {
        fn sign<P: Fips204>(
            self,
            key: &PreparedSigningKey<P>,
            mu: &Mu,
        ) -> Result<Signature<P>, SigningError> {
            key.try_sign_mu(mu)
        }
    }

    impl<R: TryCryptoRng + ?Sized> Sign for &mut R {
        fn sign<P: Fips204>(
            self,
            key: &PreparedSigningKey<P>,
            mu: &Mu,
        ) -> Result<Signature<P>, SigningError> {
            key.try_sign_mu_with_rng(self, mu)
        }
    }
}
