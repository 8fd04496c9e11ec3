//! Private keys that a passphrase protects: `EncryptedPrivateKeyInfo` (RFC 5958, section 3) with PBES2 (RFC 8018).

use der::asn1::{AnyRef, OctetString, OctetStringRef};
use der::{Decode, Encode, ErrorKind, Reader, SliceReader};
use moissanite::SysRng;
use moissanite::rand_core::TryRng;
use pkcs8::pkcs5::pbes2::{Kdf, PBES2_OID, Parameters};
use pkcs8::pkcs5::{self, EncryptionScheme, scrypt};
use pkcs8::{AlgorithmIdentifierRef, EncryptedPrivateKeyInfo, EncryptedPrivateKeyInfoRef};
use zeroize::Zeroizing;

use crate::key_error::KeyError;

/// The cost with which keys are encrypted: N = 2^14, r = 8, p = 5. This takes 16 MiB; OpenSSL does not read keys
/// that take more than 32 MiB.
const LOG_N: u8 = 14;
const BLOCK_SIZE: u32 = 8;
const PARALLELIZATION: u32 = 5;

/// The largest costs of keys that are read, which take seconds: the memory of scrypt in blocks of 128 bytes, these
/// blocks times p, and the iterations of PBKDF2.
const MAX_BLOCKS: u64 = 1 << 21;
const MAX_WORK: u64 = 1 << 24;
const MAX_ITERATIONS: u32 = 10_000_000;

/// Decrypts a document. The result is a PKCS#8 document, which has not been decoded yet.
pub(super) fn decrypt(der: &[u8], passphrase: &str) -> Result<Zeroizing<Vec<u8>>, KeyError> {
    let mut reader = SliceReader::new(AnyRef::from_der(der)?.value())?;
    let algorithm = AlgorithmIdentifierRef::decode(&mut reader)?.oid;
    if algorithm != PBES2_OID {
        return Err(KeyError::Encryption(format!(
            "by the algorithm {algorithm}"
        )));
    }
    <&OctetStringRef>::decode(&mut reader)?;
    reader.finish()?;
    // The document is whole. If it is not read now, it has parameters that the crate `pkcs5` does not read, such as
    // a salt of more than 32 bytes, or those of RFC 5084 for AES-GCM.
    let info = EncryptedPrivateKeyInfoRef::from_der(der).map_err(|error| {
        KeyError::Encryption(match error.kind() {
            ErrorKind::OidUnknown { .. } => error.to_string(),
            _ => format!("the parameters of PBES2 are not supported: {error}"),
        })
    })?;
    let scheme = info.encryption_algorithm;
    check_cost(&scheme)?;
    let mut bytes = Zeroizing::new(info.encrypted_data.as_bytes().to_vec());
    match scheme.decrypt_in_place(passphrase, &mut bytes) {
        Ok(key) => Ok(Zeroizing::new(key.to_vec())),
        Err(pkcs5::Error::DecryptFailed) => Err(KeyError::Passphrase),
        Err(error) => Err(KeyError::Encryption(error.to_string())),
    }
}

fn check_cost(scheme: &EncryptionScheme) -> Result<(), KeyError> {
    let excessive = match scheme.pbes2().map(|parameters| &parameters.kdf) {
        Some(Kdf::Pbkdf2(pbkdf2)) => pbkdf2.iteration_count > MAX_ITERATIONS,
        Some(Kdf::Scrypt(scrypt)) => {
            let blocks = scrypt
                .cost_parameter
                .saturating_mul(scrypt.block_size.into());
            let work = blocks.saturating_mul(scrypt.parallelization.into());
            blocks > MAX_BLOCKS || work > MAX_WORK
        }
        _ => false,
    };
    if excessive {
        return Err(KeyError::Cost);
    }
    Ok(())
}

/// Encrypts a PKCS#8 document with AES-256-CBC and a key that scrypt derives from the passphrase.
pub(super) fn encrypt(document: &[u8], passphrase: &str) -> Result<Zeroizing<Vec<u8>>, KeyError> {
    let random = || {
        let mut bytes = [0; 16];
        let filled = SysRng.try_fill_bytes(&mut bytes);
        filled.map_err(|error| KeyError::Randomness(error.to_string()))?;
        Ok::<_, KeyError>(bytes)
    };
    let wrong = |error: &dyn std::fmt::Display| KeyError::Encryption(error.to_string());
    let cost = scrypt::Params::new(LOG_N, BLOCK_SIZE, PARALLELIZATION);
    let cost = cost.map_err(|error| wrong(&error))?;
    let parameters = Parameters::generate_scrypt_aes256cbc(cost, &random()?, random()?);
    let scheme = EncryptionScheme::Pbes2(parameters.map_err(|error| wrong(&error))?);
    let encrypted = scheme.encrypt(passphrase, document);
    let info = EncryptedPrivateKeyInfo {
        encryption_algorithm: scheme,
        encrypted_data: OctetString::new(encrypted.map_err(|error| wrong(&error))?)?,
    };
    Ok(Zeroizing::new(info.to_der()?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    const KEY: &[u8] = b"any document";

    #[test]
    fn the_passphrase_decides() {
        let der = encrypt(KEY, "right").unwrap();
        assert_eq!(**decrypt(&der, "right").unwrap(), *KEY);
        // One wrong passphrase in 256 gives bytes with a valid padding.
        for wrong in ["", "wrong", "Right", "right "] {
            assert_ne!(
                decrypt(&der, wrong).ok().as_deref().map(|key| &**key),
                Some(KEY)
            );
        }
        let again = encrypt(KEY, "right").unwrap();
        assert_ne!(der, again, "the salt is random");
    }

    #[test]
    fn excessive_costs_are_refused() {
        let of = |log_n, r, p| {
            let cost = scrypt::Params::new(log_n, r, p).unwrap();
            let parameters = Parameters::generate_scrypt_aes256cbc(cost, &[0; 16], [0; 16]);
            check_cost(&EncryptionScheme::Pbes2(parameters.unwrap()))
        };
        assert!(of(17, 8, 1).is_ok());
        assert!(of(18, 8, 8).is_ok());
        assert!(matches!(of(19, 8, 1), Err(KeyError::Cost)));
        assert!(matches!(of(18, 8, 9), Err(KeyError::Cost)));
        let of = |iterations| {
            let parameters =
                Parameters::generate_pbkdf2_sha256_aes256cbc(iterations, &[0; 16], [0; 16]);
            check_cost(&EncryptionScheme::Pbes2(parameters.unwrap()))
        };
        assert!(of(MAX_ITERATIONS).is_ok());
        assert!(matches!(of(MAX_ITERATIONS + 1), Err(KeyError::Cost)));
    }
}
