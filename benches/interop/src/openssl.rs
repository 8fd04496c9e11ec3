//! OpenSSL 4, through the crate `openssl`.

use openssl::md_ctx::MdCtx;
use openssl::pkey::{KeyType, PKey, PKeyRef, Private};

use crate::peer::{Peer, PeerError, Set};

/// OpenSSL 4.
#[derive(Debug)]
pub struct OpenSsl;

impl OpenSsl {
    /// Returns the version of the library.
    pub fn version() -> &'static str {
        openssl::version::version()
    }
}

fn key_type(set: Set) -> KeyType {
    match set {
        Set::MlDsa44 => KeyType::ML_DSA_44,
        Set::MlDsa65 => KeyType::ML_DSA_65,
        Set::MlDsa87 => KeyType::ML_DSA_87,
    }
}

fn of_set<T>(set: Set, key: &PKeyRef<T>) -> Result<(), PeerError> {
    key.is_a(key_type(set))
        .then_some(())
        .ok_or_else(|| "a key of another algorithm".into())
}

impl Peer for OpenSsl {
    const NAME: &'static str = "OpenSSL";
    const CONTEXTS: bool = true;
    type PrivateKey = PKey<Private>;

    fn generate(set: Set) -> Result<PKey<Private>, PeerError> {
        let mut seed = [0; 32];
        openssl::rand::rand_bytes(&mut seed)?;
        Ok(PKey::private_key_from_seed(
            None,
            key_type(set),
            None,
            &seed,
        )?)
    }

    fn read_private(set: Set, pem: &str) -> Result<PKey<Private>, PeerError> {
        let key = PKey::private_key_from_pem(pem.as_bytes())?;
        of_set(set, &key)?;
        Ok(key)
    }

    fn write_private(key: &PKey<Private>) -> Result<String, PeerError> {
        Ok(String::from_utf8(key.private_key_to_pem_pkcs8()?)?)
    }

    fn write_public(key: &PKey<Private>) -> Result<String, PeerError> {
        Ok(String::from_utf8(key.public_key_to_pem()?)?)
    }

    fn sign(key: &PKey<Private>, context: &[u8], message: &[u8]) -> Result<Vec<u8>, PeerError> {
        let mut signing = MdCtx::new()?;
        signing
            .digest_sign_init(None, key)?
            .set_context_string(context)?;
        let mut signature = Vec::new();
        signing.digest_sign_to_vec(message, &mut signature)?;
        Ok(signature)
    }

    fn verify(
        set: Set,
        public_pem: &str,
        context: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), PeerError> {
        let key = PKey::public_key_from_pem(public_pem.as_bytes())?;
        of_set(set, &key)?;
        let mut verifying = MdCtx::new()?;
        verifying
            .digest_verify_init(None, &key)?
            .set_context_string(context)?;
        let valid = verifying.digest_verify(message, signature)?;
        valid
            .then_some(())
            .ok_or_else(|| "the signature is not valid".into())
    }
}
