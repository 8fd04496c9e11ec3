//! Encodes keys as they are written to files.

use moissanite::keys::PrivateKeyForm;
use zeroize::Zeroizing;

use super::encoding::Encoding;
use super::encrypted::encrypt;
use super::recognise::ENCRYPTED;
use crate::algorithm::scheme::{PrivateKey, PublicKey};
use crate::key_error::KeyError;
use crate::pem;

/// Encodes a private key, which is encrypted if there is a passphrase.
pub(crate) fn encode_private(
    key: &dyn PrivateKey,
    form: PrivateKeyForm,
    encoding: Encoding,
    passphrase: Option<&str>,
) -> Result<Zeroizing<Vec<u8>>, KeyError> {
    if let Some(passphrase) = passphrase {
        let encrypted = || encrypt(&key.to_pkcs8(form)?, passphrase);
        return match encoding {
            Encoding::Pem => Ok(pem::encode(ENCRYPTED, &encrypted()?)?),
            Encoding::Der => encrypted(),
            Encoding::Raw => Err(KeyError::RawEncrypted),
        };
    }
    match (encoding, form) {
        (Encoding::Pem, _) => Ok(pem::encode("PRIVATE KEY", &key.to_pkcs8(form)?)?),
        (Encoding::Der, _) => key.to_pkcs8(form),
        (Encoding::Raw, PrivateKeyForm::Expanded) => Ok(key.to_raw()),
        (Encoding::Raw, PrivateKeyForm::Seed) => key.to_seed().ok_or(KeyError::NoSeed),
        (Encoding::Raw, PrivateKeyForm::Both) => Err(KeyError::RawBoth),
    }
}

/// Encodes a public key.
pub(crate) fn encode_public(
    key: &dyn PublicKey,
    encoding: Encoding,
) -> Result<Zeroizing<Vec<u8>>, KeyError> {
    match encoding {
        Encoding::Pem => Ok(pem::encode("PUBLIC KEY", &key.to_spki()?)?),
        Encoding::Der => key.to_spki().map(Zeroizing::new),
        Encoding::Raw => Ok(Zeroizing::new(key.to_raw())),
    }
}
