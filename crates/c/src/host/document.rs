//! Keys as documents: PKCS#8 and SubjectPublicKeyInfo (RFC 9881), in DER and PEM.

use std::boxed::Box;

use moissanite::keys::{KeyFormatError, PrivateKeyForm};
use moissanite::pkcs8::der::pem::PemLabel;
use moissanite::pkcs8::der::{Document, SecretDocument};
use moissanite::pkcs8::{LineEnding, PrivateKeyInfoRef, spki::SubjectPublicKeyInfoRef};
use moissanite::{InvalidKey, SigningKey, VerifyingKey};

use super::handle::copy_out;
use super::private_key::{Private, PrivateKey};
use super::public_key::{Public, PublicKey};
use crate::status::{
    MOISSANITE_ERROR_DOCUMENT, MOISSANITE_ERROR_FORM, MOISSANITE_ERROR_INTERNAL,
    MOISSANITE_ERROR_KEY, Status,
};

/// The encoding of a document: MOISSANITE_DER or MOISSANITE_PEM.
pub type Encoding = u32;

/// DER, in bytes.
pub const MOISSANITE_DER: u32 = 1;
/// PEM, in text of ASCII with lines that end in a line feed. Texts that functions write do not end with a zero byte.
pub const MOISSANITE_PEM: u32 = 2;

/// The form of a private key in a document: MOISSANITE_FORM_SEED and so on.
pub type Form = u32;

/// The seed only, in 54 bytes of DER. This is the form to use, if the seed is known.
pub const MOISSANITE_FORM_SEED: u32 = 1;
/// The expanded key only.
pub const MOISSANITE_FORM_EXPANDED: u32 = 2;
/// The seed and the expanded key, for programs that need the expanded key.
pub const MOISSANITE_FORM_BOTH: u32 = 3;

/// The form with this number.
pub(super) fn form(form: Form) -> Result<PrivateKeyForm, Status> {
    match form {
        MOISSANITE_FORM_SEED => Ok(PrivateKeyForm::Seed),
        MOISSANITE_FORM_EXPANDED => Ok(PrivateKeyForm::Expanded),
        MOISSANITE_FORM_BOTH => Ok(PrivateKeyForm::Both),
        _ => Err(MOISSANITE_ERROR_FORM),
    }
}

/// Returns nothing if the key is of another set.
fn of_set<T>(result: Result<T, KeyFormatError>) -> Result<Option<T>, Status> {
    match result {
        Ok(key) => Ok(Some(key)),
        Err(KeyFormatError::WrongAlgorithm { .. }) => Ok(None),
        Err(KeyFormatError::Key(InvalidKey::Length { .. })) => Err(MOISSANITE_ERROR_DOCUMENT),
        Err(KeyFormatError::Key(_) | KeyFormatError::PublicKeyMismatch) => {
            Err(MOISSANITE_ERROR_KEY)
        }
        Err(_) => Err(MOISSANITE_ERROR_DOCUMENT),
    }
}

/// Reads a private key of the set that the document names.
pub(super) fn read_private(
    document: &[u8],
    encoding: Encoding,
) -> Result<Box<dyn PrivateKey>, Status> {
    match encoding {
        MOISSANITE_DER => private_from_der(document),
        MOISSANITE_PEM => {
            let document = SecretDocument::from_pem(text(document)?);
            let (label, document) = document.map_err(|_| MOISSANITE_ERROR_DOCUMENT)?;
            check_label(label, PrivateKeyInfoRef::PEM_LABEL)?;
            private_from_der(document.as_bytes())
        }
        _ => Err(MOISSANITE_ERROR_FORM),
    }
}

/// Reads a public key of the set that the document names.
pub(super) fn read_public(
    document: &[u8],
    encoding: Encoding,
) -> Result<Box<dyn PublicKey>, Status> {
    match encoding {
        MOISSANITE_DER => public_from_der(document),
        MOISSANITE_PEM => {
            let document = Document::from_pem(text(document)?);
            let (label, document) = document.map_err(|_| MOISSANITE_ERROR_DOCUMENT)?;
            check_label(label, SubjectPublicKeyInfoRef::PEM_LABEL)?;
            public_from_der(document.as_bytes())
        }
        _ => Err(MOISSANITE_ERROR_FORM),
    }
}

/// Writes a private key.
pub(super) fn write_private(
    document: &SecretDocument,
    encoding: Encoding,
    output: (&mut [u8], &mut usize),
) -> Result<(), Status> {
    match encoding {
        MOISSANITE_DER => copy_out(output, document.as_bytes()),
        MOISSANITE_PEM => {
            let text = document.to_pem(PrivateKeyInfoRef::PEM_LABEL, LineEnding::LF);
            copy_out(
                output,
                text.map_err(|_| MOISSANITE_ERROR_INTERNAL)?.as_bytes(),
            )
        }
        _ => Err(MOISSANITE_ERROR_FORM),
    }
}

/// Writes a public key.
pub(super) fn write_public(
    document: &Document,
    encoding: Encoding,
    output: (&mut [u8], &mut usize),
) -> Result<(), Status> {
    match encoding {
        MOISSANITE_DER => copy_out(output, document.as_bytes()),
        MOISSANITE_PEM => {
            let text = document.to_pem(SubjectPublicKeyInfoRef::PEM_LABEL, LineEnding::LF);
            copy_out(
                output,
                text.map_err(|_| MOISSANITE_ERROR_INTERNAL)?.as_bytes(),
            )
        }
        _ => Err(MOISSANITE_ERROR_FORM),
    }
}

fn text(document: &[u8]) -> Result<&str, Status> {
    std::str::from_utf8(document).map_err(|_| MOISSANITE_ERROR_DOCUMENT)
}

fn check_label(label: &str, expected: &str) -> Result<(), Status> {
    if label == expected {
        Ok(())
    } else {
        Err(MOISSANITE_ERROR_DOCUMENT)
    }
}

fn private_from_der(der: &[u8]) -> Result<Box<dyn PrivateKey>, Status> {
    macro_rules! read {
        ($($feature:literal $set:ident),*) => { $(
            #[cfg(feature = $feature)]
            if let Some((key, _)) = of_set(SigningKey::<moissanite::$set>::from_pkcs8(der))? {
                return Ok(Private::of(key));
            }
        )* };
    }
    read!("ml-dsa-44" MlDsa44, "ml-dsa-65" MlDsa65, "ml-dsa-87" MlDsa87);
    Err(MOISSANITE_ERROR_DOCUMENT)
}

fn public_from_der(der: &[u8]) -> Result<Box<dyn PublicKey>, Status> {
    macro_rules! read {
        ($($feature:literal $set:ident),*) => { $(
            #[cfg(feature = $feature)]
            if let Some(key) = of_set(VerifyingKey::<moissanite::$set>::from_spki(der))? {
                return Ok(Public::of(key));
            }
        )* };
    }
    read!("ml-dsa-44" MlDsa44, "ml-dsa-65" MlDsa65, "ml-dsa-87" MlDsa87);
    Err(MOISSANITE_ERROR_DOCUMENT)
}
