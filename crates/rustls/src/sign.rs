//! Private keys, and the signatures of handshakes.

use alloc::boxed::Box;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use moissanite::keys::oid;
use moissanite::pkcs8::{EncodePublicKey, PrivateKeyInfoRef};
use moissanite::prelude::*;
use moissanite::rand_core::{TryCryptoRng, TryRng};
use moissanite::{MlDsa44, MlDsa65, MlDsa87};
use rustls::crypto::{GetRandomFailed, KeyProvider, SecureRandom};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer, SubjectPublicKeyInfoDer};
use rustls::sign::{Signer, SigningKey};
use rustls::{Error, SignatureAlgorithm, SignatureScheme};

use crate::verify::Tls;

/// Reads ML-DSA keys, and passes all other keys to the [`KeyProvider`] of the provider.
#[derive(Debug)]
pub struct KeyLoader {
    others: &'static dyn KeyProvider,
    random: &'static dyn SecureRandom,
}

impl KeyLoader {
    /// `others` reads keys of other algorithms, and `random` hedges signatures.
    pub const fn new(others: &'static dyn KeyProvider, random: &'static dyn SecureRandom) -> Self {
        Self { others, random }
    }
}

impl KeyProvider for KeyLoader {
    fn load_private_key(&self, key: PrivateKeyDer<'static>) -> Result<Arc<dyn SigningKey>, Error> {
        if let PrivateKeyDer::Pkcs8(document) = &key
            && let Some(key) = signing_key(document, self.random)
        {
            return key;
        }
        self.others.load_private_key(key)
    }
}

/// Returns the key in a PKCS#8 document, which signs with this randomness. The result is `None` if
/// the document does not contain an ML-DSA key.
///
/// # Errors
/// The key is malformed or inconsistent.
pub fn signing_key(
    document: &PrivatePkcs8KeyDer<'_>,
    random: &'static dyn SecureRandom,
) -> Option<Result<Arc<dyn SigningKey>, Error>> {
    let info = PrivateKeyInfoRef::try_from(document.secret_pkcs8_der()).ok()?;
    let id = info.algorithm.oid;
    let key = if id == oid::<MlDsa44>() {
        Key::<MlDsa44>::read(document, random)
    } else if id == oid::<MlDsa65>() {
        Key::<MlDsa65>::read(document, random)
    } else if id == oid::<MlDsa87>() {
        Key::<MlDsa87>::read(document, random)
    } else {
        return None;
    };
    Some(key)
}

struct Key<P: Tls> {
    key: P::Prepared,
    spki: Vec<u8>,
    random: &'static dyn SecureRandom,
}

impl<P: Tls> Key<P> {
    fn read(
        document: &PrivatePkcs8KeyDer<'_>,
        random: &'static dyn SecureRandom,
    ) -> Result<Arc<dyn SigningKey>, Error> {
        let key = moissanite::SigningKey::<P>::from_pkcs8(document.secret_pkcs8_der());
        let (key, _) = key.map_err(general)?;
        let spki = key.verifying_key().to_public_key_der().map_err(general)?;
        let key = Self {
            key: P::prepare(&key),
            spki: spki.into_vec(),
            random,
        };
        Ok(Arc::new(Shared(Arc::new(key))))
    }
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn general(error: impl fmt::Display) -> Error {
    Error::General(format!("ML-DSA: {error}"))
}

/// A key that many handshakes can use at once.
struct Shared<P: Tls>(Arc<Key<P>>);

impl<P: Tls> SigningKey for Shared<P> {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        let is_offered = offered.contains(&P::SCHEME);
        is_offered.then(|| Box::new(Self(Arc::clone(&self.0))) as Box<dyn Signer>)
    }
    fn public_key(&self) -> Option<SubjectPublicKeyInfoDer<'_>> {
        Some(self.0.spki.as_slice().into())
    }
    /// Only TLS 1.2 uses this value, and it has none for ML-DSA.
    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::Unknown(0)
    }
}

impl<P: Tls> Signer for Shared<P> {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let Key { key, random, .. } = &*self.0;
        let signature = key.try_sign_with_rng(&mut Random(*random), message);
        Ok(signature.map_err(general)?.as_ref().to_vec())
    }
    fn scheme(&self) -> SignatureScheme {
        P::SCHEME
    }
}

impl<P: Tls> fmt::Debug for Shared<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0.key, f)
    }
}

/// The provider's randomness, for a signature.
struct Random(&'static dyn SecureRandom);

/// The provider's random number generator failed.
#[derive(Debug)]
struct Failed;
impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the provider returned no random bytes")
    }
}
impl core::error::Error for Failed {}
impl From<GetRandomFailed> for Failed {
    fn from(_: GetRandomFailed) -> Self {
        Self
    }
}

impl TryRng for Random {
    type Error = Failed;
    fn try_next_u32(&mut self) -> Result<u32, Failed> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_ne_bytes(bytes))
    }
    fn try_next_u64(&mut self) -> Result<u64, Failed> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_ne_bytes(bytes))
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Failed> {
        Ok(self.0.fill(bytes)?)
    }
}
impl TryCryptoRng for Random {}
