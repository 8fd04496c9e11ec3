//! Key documents in DER, built by the tests, so that a test can damage any part.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use moissanite::keys::{KeyFormatError, PrivateKeyForm};
use moissanite::pkcs8::{self, DecodePrivateKey};
use moissanite::{Fips204, SigningKey};

pub(crate) const SEQUENCE: u8 = 0x30;
pub(crate) const OCTET_STRING: u8 = 0x04;
pub(crate) const BIT_STRING: u8 = 0x03;
pub(crate) const NULL: [u8; 2] = [5, 0];

/// A value in DER, written independently of the crate under test.
pub(crate) fn der(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let value = parts.concat();
    let len = u16::try_from(value.len()).unwrap();
    let mut out = vec![tag];
    match len {
        0..128 => out.push(len.to_be_bytes()[1]),
        128..256 => out.extend([0x81, len.to_be_bytes()[1]]),
        256.. => {
            out.push(0x82);
            out.extend(len.to_be_bytes());
        }
    }
    out.extend(value);
    out
}

/// The parts of a private key document, which tests damage.
pub(crate) struct Document {
    pub(crate) version: u8,
    pub(crate) oid_arc: u8,
    pub(crate) parameters: Vec<u8>,
    /// The content of the OCTET STRING of the private key.
    pub(crate) key: Vec<u8>,
    /// After the private key: attributes, the public key.
    pub(crate) rest: Vec<u8>,
}

impl Document {
    pub(crate) fn new<P: Fips204>(key: Vec<u8>) -> Self {
        Self {
            version: 0,
            oid_arc: P::OID_ARC,
            parameters: vec![],
            key,
            rest: vec![],
        }
    }
    /// The seed form of [`key`].
    pub(crate) fn seed<P: Fips204>() -> Self {
        Self::new::<P>(der(0x80, &[&SEED]))
    }
    pub(crate) fn to_der(&self) -> Vec<u8> {
        der(
            SEQUENCE,
            &[
                &[2, 1, self.version],
                &algorithm(self.oid_arc, &self.parameters),
                &der(OCTET_STRING, &[&self.key]),
                &self.rest,
            ],
        )
    }
    pub(crate) fn read<P: Fips204>(
        &self,
    ) -> Result<(SigningKey<P>, PrivateKeyForm), KeyFormatError> {
        SigningKey::from_pkcs8(&self.to_der())
    }
    /// The error, by name and through the trait.
    pub(crate) fn error<P: Fips204>(&self) -> KeyFormatError {
        let error = self.read::<P>().unwrap_err();
        let coarse = SigningKey::<P>::from_pkcs8_der(&self.to_der()).unwrap_err();
        assert_eq!(coarse, pkcs8::Error::from(error));
        error
    }
}

pub(crate) fn algorithm(oid_arc: u8, parameters: &[u8]) -> Vec<u8> {
    let oid = [0x60, 0x86, 0x48, 1, 101, 3, 4, 3, oid_arc];
    der(SEQUENCE, &[&der(6, &[&oid]), parameters])
}

pub(crate) const SEED: [u8; 32] = [42; 32];

pub(crate) fn key<P: Fips204>() -> SigningKey<P> {
    SigningKey::from_seed(&SEED.into())
}

/// The key of [`key`], read from its expanded form.
pub(crate) fn expanded_key<P: Fips204>() -> SigningKey<P> {
    SigningKey::from_expanded_bytes(key::<P>().as_expanded_bytes().as_ref()).unwrap()
}

pub(crate) fn expanded_bytes<P: Fips204>() -> Vec<u8> {
    key::<P>().as_expanded_bytes().as_ref().to_vec()
}

pub(crate) const FORMS: [PrivateKeyForm; 3] = [
    PrivateKeyForm::Seed,
    PrivateKeyForm::Expanded,
    PrivateKeyForm::Both,
];
