//! Public keys.

use alloc::boxed::Box;
use core::fmt;

use moissanite::{
    Fips204, InvalidKey, MlDsa44, MlDsa65, MlDsa87, MuBuilder, PreparedVerifyingKey, Signature,
};

use crate::algorithm::{Algorithm, with};
use crate::error::Error;

/// A public key with its algorithm, its optional key identifier, and the values that verification
/// computes from it.
///
/// It is made once, which takes as long as several verifications, and then verifies any number of
/// tokens, also from several threads. It takes 23 to 68 KiB. Nothing in it is secret.
///
/// ```
/// use moissanite_tokens::{Algorithm, SigningKey, SysRng, VerifyingKey, jws};
///
/// let key = SigningKey::try_generate(Algorithm::MlDsa44, &mut SysRng)?;
/// let jwk: String = key.to_verifying_key().to_jwk()?;
///
/// let verifier = VerifyingKey::from_jwk(&jwk)?;
/// let token = key.sign_jws(&mut SysRng, &jws::Header::new(), b"payload")?;
/// assert_eq!(verifier.verify_jws(&token)?.payload, b"payload");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct VerifyingKey {
    inner: Inner,
    kid: Option<Box<[u8]>>,
}

/// The public key of one of the three sets.
enum Inner {
    MlDsa44(Prepared<MlDsa44>),
    MlDsa65(Prepared<MlDsa65>),
    MlDsa87(Prepared<MlDsa87>),
}

/// The bytes of a public key, and the values that are computed from them.
struct Prepared<P: Fips204> {
    key: Box<moissanite::VerifyingKey<P>>,
    prepared: PreparedVerifyingKey<P>,
}

impl VerifyingKey {
    /// Takes the bytes of a public key (FIPS 204, Algorithm 22, pkEncode).
    ///
    /// # Errors
    /// [`Error::PublicKeyLength`].
    pub fn from_bytes(algorithm: Algorithm, bytes: &[u8]) -> Result<Self, Error> {
        let length = |_: InvalidKey| Error::PublicKeyLength {
            expected: algorithm.public_key_len(),
            actual: bytes.len(),
        };
        let inner = match algorithm {
            Algorithm::MlDsa44 => Inner::MlDsa44(Prepared::from_bytes(bytes).map_err(length)?),
            Algorithm::MlDsa65 => Inner::MlDsa65(Prepared::from_bytes(bytes).map_err(length)?),
            Algorithm::MlDsa87 => Inner::MlDsa87(Prepared::from_bytes(bytes).map_err(length)?),
        };
        Ok(Self { inner, kid: None })
    }

    /// The algorithm, which a token must name.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        match self.inner {
            Inner::MlDsa44(_) => Algorithm::MlDsa44,
            Inner::MlDsa65(_) => Algorithm::MlDsa65,
            Inner::MlDsa87(_) => Algorithm::MlDsa87,
        }
    }

    /// The bytes of the public key: 1,312, 1,952 or 2,592.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        with!(&self.inner, key => key.key.as_ref().as_ref())
    }

    /// The key identifier: `kid` of the JWK or of the COSE_Key. It only helps to find a key;
    /// verification does not compare it with that of a token.
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
    pub(crate) fn with_read_kid(self, kid: Option<&[u8]>) -> Self {
        Self {
            kid: kid.map(Box::from),
            ..self
        }
    }

    /// Reads a public key of this algorithm as PEM text (RFC 9881). `part` names it in errors.
    #[cfg(feature = "tuf")]
    pub(crate) fn from_pem(
        part: &'static str,
        algorithm: Algorithm,
        pem: &str,
    ) -> Result<Self, Error> {
        use moissanite::pkcs8::DecodePublicKey;
        fn read<P: Fips204>(pem: &str) -> Option<Prepared<P>>
        where
            moissanite::VerifyingKey<P>: DecodePublicKey,
        {
            let key = moissanite::VerifyingKey::<P>::from_public_key_pem(pem);
            key.ok().map(|key| Prepared::new(&key))
        }
        let inner = match algorithm {
            Algorithm::MlDsa44 => read(pem).map(Inner::MlDsa44),
            Algorithm::MlDsa65 => read(pem).map(Inner::MlDsa65),
            Algorithm::MlDsa87 => read(pem).map(Inner::MlDsa87),
        };
        let inner = inner.ok_or(Error::Pem(part))?;
        Ok(Self { inner, kid: None })
    }

    /// Writes PEM text (RFC 9881).
    #[cfg(feature = "tuf")]
    pub(crate) fn to_pem(&self) -> Result<alloc::string::String, Error> {
        use moissanite::pkcs8::{EncodePublicKey, LineEnding};
        with!(&self.inner, key => key.key.to_public_key_pem(LineEnding::LF))
            .map_err(|_| Error::Pem("public"))
    }

    /// Starts the computation of μ, with the empty context that RFC 9964, section 5, requires.
    pub(crate) fn mu(&self) -> Result<MuBuilder, Error> {
        // An empty context is never too long.
        with!(&self.inner, key => key.prepared.mu(b"")).map_err(|_| Error::InvalidSignature)
    }

    /// Verifies a signature of μ.
    pub(crate) fn verify(&self, mu: MuBuilder, signature: &[u8]) -> Result<(), Error> {
        with!(&self.inner, key => key.verify(mu, signature))
    }

    /// Checks the algorithm that a token names.
    pub(crate) fn check_algorithm(&self, token: Algorithm) -> Result<(), Error> {
        let key = self.algorithm();
        if key != token {
            return Err(Error::AlgorithmMismatch { key, token });
        }
        Ok(())
    }

    /// Checks the number of bytes of a signature.
    pub(crate) fn check_signature_len(&self, actual: usize) -> Result<(), Error> {
        let expected = self.algorithm().signature_len();
        match actual {
            0 => Err(Error::EmptySignature),
            _ if actual != expected => Err(Error::SignatureLength { expected, actual }),
            _ => Ok(()),
        }
    }
}

impl<P: Fips204> Prepared<P> {
    fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidKey> {
        moissanite::VerifyingKey::from_bytes(bytes).map(|key| Self::new(&key))
    }

    fn new(key: &moissanite::VerifyingKey<P>) -> Self {
        Self {
            key: Box::new(key.clone()),
            prepared: key.prepare(),
        }
    }

    fn verify(&self, mu: MuBuilder, signature: &[u8]) -> Result<(), Error> {
        let length = |_| Error::SignatureLength {
            expected: Signature::<P>::LEN,
            actual: signature.len(),
        };
        let signature = Signature::<P>::from_bytes(signature).map_err(length)?;
        let verified = self.prepared.verify_mu(&mu.finish(), &signature);
        verified.map_err(|_| Error::InvalidSignature)
    }
}

macro_rules! from_facade {
    ($($set:ident),*) => {
        $(
            /// Takes a public key of the facade, and prepares it.
            impl From<&moissanite::VerifyingKey<$set>> for VerifyingKey {
                fn from(key: &moissanite::VerifyingKey<$set>) -> Self {
                    Self { inner: Inner::$set(Prepared::new(key)), kid: None }
                }
            }
        )*
    };
}
from_facade!(MlDsa44, MlDsa65, MlDsa87);

/// The algorithms and the bytes are compared, and the key identifiers are not.
impl PartialEq for VerifyingKey {
    fn eq(&self, other: &Self) -> bool {
        self.algorithm() == other.algorithm() && self.as_bytes() == other.as_bytes()
    }
}
impl Eq for VerifyingKey {}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VerifyingKey")
            .field("algorithm", &self.algorithm())
            .field("kid", &self.kid().map(Text))
            .finish_non_exhaustive()
    }
}

/// Shows a key identifier as text.
pub(crate) struct Text<'a>(pub(crate) &'a [u8]);

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}
