//! Private keys.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use moissanite::rand_core::TryCryptoRng;
use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87, MuBuilder, PreparedSigningKey, Seed};

use crate::algorithm::{Algorithm, with};
use crate::error::Error;
use crate::randomness::{self, Randomness};
use crate::verifying::{Text, VerifyingKey};

/// A private key with its algorithm, its optional key identifier, and the values that signing computes
/// from it.
///
/// It is made once, and then signs any number of tokens, also from several threads. It takes 30 to 83
/// KiB. Everything except the public key and the key identifier is secret: it is wiped when the key is
/// dropped, and `Debug` does not show it.
///
/// ```
/// use moissanite_tokens::{Algorithm, SigningKey, SysRng, jws};
///
/// let key = SigningKey::try_generate(Algorithm::MlDsa65, &mut SysRng)?.with_kid("2026-11");
/// let header = jws::Header::new().with_kid("2026-11").with_typ("JWT");
/// let token: String = key.sign_jws(&mut SysRng, &header, br#"{"sub":"1234"}"#)?;
/// assert!(token.starts_with("eyJ"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SigningKey {
    inner: Inner,
    kid: Option<Box<[u8]>>,
}

/// The private key of one of the three sets.
enum Inner {
    MlDsa44(Prepared<MlDsa44>),
    MlDsa65(Prepared<MlDsa65>),
    MlDsa87(Prepared<MlDsa87>),
}

/// A private key with its seed, and the values that are computed from them.
struct Prepared<P: Fips204> {
    key: moissanite::SigningKey<P>,
    prepared: PreparedSigningKey<P>,
}

impl SigningKey {
    /// Generates a key (FIPS 204, Algorithm 1) with a random number generator that can fail, such as
    /// that of the operating system.
    ///
    /// # Errors
    /// The error of the generator.
    pub fn try_generate<R: TryCryptoRng + ?Sized>(
        algorithm: Algorithm,
        rng: &mut R,
    ) -> Result<Self, R::Error> {
        let mut seed = Box::new(Seed::zero());
        seed.try_fill(rng)?;
        Ok(Self::from_seed(algorithm, &seed))
    }

    /// Generates the key of a seed of 32 secret bytes (FIPS 204, Algorithm 6). Every seed gives a key.
    #[must_use]
    pub fn from_seed(algorithm: Algorithm, seed: &Seed) -> Self {
        let inner = match algorithm {
            Algorithm::MlDsa44 => Inner::MlDsa44(Prepared::from_seed(seed)),
            Algorithm::MlDsa65 => Inner::MlDsa65(Prepared::from_seed(seed)),
            Algorithm::MlDsa87 => Inner::MlDsa87(Prepared::from_seed(seed)),
        };
        Self { inner, kid: None }
    }

    /// The algorithm, which the tokens name.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        match self.inner {
            Inner::MlDsa44(_) => Algorithm::MlDsa44,
            Inner::MlDsa65(_) => Algorithm::MlDsa65,
            Inner::MlDsa87(_) => Algorithm::MlDsa87,
        }
    }

    /// The seed, which is secret.
    ///
    /// # Errors
    /// [`Error::SeedUnknown`] if the key was made from an expanded private key.
    pub fn as_seed(&self) -> Result<&Seed, Error> {
        with!(&self.inner, key => key.key.as_seed()).ok_or(Error::SeedUnknown)
    }

    /// The bytes of the public key: 1,312, 1,952 or 2,592.
    #[must_use]
    pub fn public_key_bytes(&self) -> &[u8] {
        with!(&self.inner, key => key.key.verifying_key().as_ref())
    }

    /// Returns the public key with the key identifier. This prepares it.
    #[must_use]
    pub fn to_verifying_key(&self) -> VerifyingKey {
        with!(&self.inner, key => VerifyingKey::from(key.key.verifying_key()))
            .with_read_kid(self.kid())
    }

    /// The key identifier, `kid` of the JWK or of the COSE_Key. A token contains it only if its header
    /// is given it.
    #[must_use]
    pub fn kid(&self) -> Option<&[u8]> {
        self.kid.as_deref()
    }

    /// Sets the key identifier. A JWK requires text.
    #[must_use]
    pub fn with_kid(mut self, kid: impl AsRef<[u8]>) -> Self {
        self.kid = Some(kid.as_ref().into());
        self
    }

    /// Sets the key identifier of a document.
    pub(crate) fn with_read_kid(mut self, kid: Option<&[u8]>) -> Self {
        self.kid = kid.map(Box::from);
        self
    }

    /// Checks the public key of a document.
    pub(crate) fn check_public_key(&self, public: &[u8]) -> Result<(), Error> {
        let (expected, actual) = (self.algorithm().public_key_len(), public.len());
        if actual != expected {
            return Err(Error::PublicKeyLength { expected, actual });
        }
        if public != self.public_key_bytes() {
            return Err(Error::PublicKeyMismatch);
        }
        Ok(())
    }

    /// Starts the computation of μ, with the empty context that RFC 9964, section 5, requires.
    pub(crate) fn mu(&self) -> Result<MuBuilder, Error> {
        // An empty context is never too long.
        with!(&self.inner, key => key.prepared.mu(b"")).map_err(|_| Error::InvalidSignature)
    }

    /// Signs μ.
    pub(crate) fn sign(
        &self,
        randomness: impl Randomness,
        mu: MuBuilder,
    ) -> Result<Vec<u8>, Error> {
        with!(&self.inner, key => {
            let signature = randomness::sign(randomness, &key.prepared, &mu.finish())?;
            Ok(signature.as_bytes().as_ref().to_vec())
        })
    }
}

impl<P: Fips204> Prepared<P> {
    fn from_seed(seed: &Seed) -> Self {
        Self::new(moissanite::SigningKey::from_seed(seed))
    }

    fn new(key: moissanite::SigningKey<P>) -> Self {
        let prepared = key.prepare();
        Self { key, prepared }
    }
}

macro_rules! from_facade {
    ($($set:ident),*) => {
        $(
            /// Takes a private key of the facade, and prepares it.
            impl From<moissanite::SigningKey<$set>> for SigningKey {
                fn from(key: moissanite::SigningKey<$set>) -> Self {
                    Self { inner: Inner::$set(Prepared::new(key)), kid: None }
                }
            }
        )*
    };
}
from_facade!(MlDsa44, MlDsa65, MlDsa87);

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("algorithm", &self.algorithm())
            .field("kid", &self.kid().map(Text))
            .finish_non_exhaustive()
    }
}

impl zeroize::ZeroizeOnDrop for SigningKey {}
