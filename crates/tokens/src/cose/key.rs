//! Keys as COSE_Key (RFC 9052, section 7) of type AKP (RFC 9964, section 3), and their thumbprints
//! (RFC 9679).

use alloc::vec::Vec;

use moissanite::Seed;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::algorithm::Algorithm;
use crate::cose::cbor::{self, Label, Length, Reader, Sink, Writer};
use crate::error::{Error, check_len};
use crate::limits;
use crate::signing::SigningKey;
use crate::verifying::VerifyingKey;

/// The parameters of a key: RFC 9052, table 4, and RFC 9964, section 8.1.3.
const KTY: i64 = 1;
const KID: i64 = 2;
const ALG: i64 = 3;
const KEY_OPS: i64 = 4;
const PUB: i64 = -1;
const PRIV: i64 = -2;

/// The key type (RFC 9964, section 8.1.2).
const AKP: i64 = 7;

/// What a key is used for: the value of `key_ops` (RFC 9052, table 5).
const SIGN: i64 = 1;
const VERIFY: i64 = 2;

impl VerifyingKey {
    /// Reads a public COSE_Key, and prepares the key.
    ///
    /// The parameters `kty` (1), `alg` (3) and `pub` (-1) are required. `key_ops` (4) must contain
    /// `verify` (2), if they are there. `kid` (2) is kept. Other parameters are ignored. The input has at
    /// most [`limits::KEY`] bytes.
    ///
    /// A private COSE_Key is refused, because a verifier should not have it:
    /// [`SigningKey::to_verifying_key`] and [`Self::to_cose_key`] make a public one.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Cbor`], [`Error::TrailingData`], [`Error::Duplicate`],
    /// [`Error::Missing`], [`Error::WrongType`], [`Error::KeyType`], [`Error::UnknownAlgorithm`],
    /// [`Error::PrivateKeyPresent`], [`Error::KeyOps`], [`Error::PublicKeyLength`].
    pub fn from_cose_key(key: &[u8]) -> Result<Self, Error> {
        let key = CoseKey::read(key)?;
        if key.get(PRIV).is_some() {
            return Err(Error::PrivateKeyPresent);
        }
        key.check_operations(VERIFY)?;
        let kid = key.kid()?;
        Ok(Self::from_bytes(key.algorithm()?, key.public()?)?.with_read_kid(kid))
    }

    /// Writes a public COSE_Key in the deterministic encoding of RFC 8949, section 4.2.1: `kty`, `kid` if
    /// there is one, `alg` and `pub`.
    #[must_use]
    pub fn to_cose_key(&self) -> Vec<u8> {
        let public = (self.algorithm(), self.as_bytes());
        cbor::encoded(|writer| write(writer, public, self.kid(), None))
    }

    /// Returns the thumbprint of the COSE_Key (RFC 9679) with SHA-256. It can be used as `kid`. It
    /// depends on the algorithm and the public key only, and differs from that of the JWK.
    #[must_use]
    pub fn cose_thumbprint(&self) -> [u8; 32] {
        let public = (self.algorithm(), self.as_bytes());
        Sha256::digest(cbor::encoded(|writer| write(writer, public, None, None))).into()
    }
}

impl SigningKey {
    /// Reads a private COSE_Key, and prepares the key.
    ///
    /// The parameters `kty` (1), `alg` (3), `pub` (-1) and `priv` (-2) are required. `priv` is the seed,
    /// and must yield `pub`. `key_ops` (4) must contain `sign` (1), if they are there. `kid` (2) is kept.
    /// Other parameters are ignored. The input has at most [`limits::KEY`] bytes.
    ///
    /// The seed is read in place. The input is the caller's to wipe.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Cbor`], [`Error::TrailingData`], [`Error::Duplicate`],
    /// [`Error::Missing`], [`Error::WrongType`], [`Error::KeyType`], [`Error::UnknownAlgorithm`],
    /// [`Error::KeyOps`], [`Error::SeedLength`], [`Error::PublicKeyLength`],
    /// [`Error::PublicKeyMismatch`].
    pub fn from_cose_key(key: &[u8]) -> Result<Self, Error> {
        let key = CoseKey::read(key)?;
        key.check_operations(SIGN)?;
        let algorithm = key.algorithm()?;
        let seed = key.get(PRIV).ok_or(Error::Missing("priv"))?;
        let seed = Seed::try_from(cbor::bytes("priv", seed)?).map_err(|_| Error::SeedLength)?;
        let (public, kid) = (key.public()?, key.kid()?);
        let key = Self::from_seed(algorithm, &seed).with_read_kid(kid);
        key.check_public_key(public)?;
        Ok(key)
    }

    /// Writes a private COSE_Key in the deterministic encoding of RFC 8949, section 4.2.1: `kty`, `kid` if
    /// there is one, `alg`, `pub` and `priv`.
    ///
    /// The bytes are secret, and are wiped when they are dropped. No other copy of the seed is left.
    ///
    /// # Errors
    /// [`Error::SeedUnknown`].
    pub fn to_private_cose_key(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let public = (self.algorithm(), self.public_key_bytes());
        let seed = Some(self.as_seed()?);
        let mut length = Length::default();
        write(&mut Writer(&mut length), public, self.kid(), seed);
        // The buffer never grows, because that would leave a copy behind.
        let mut bytes = Zeroizing::new(Vec::with_capacity(length.0));
        write(&mut Writer(&mut *bytes), public, self.kid(), seed);
        Ok(bytes)
    }
}

/// Writes a key: its labels are in the order of their encodings.
fn write<S: Sink>(
    writer: &mut Writer<'_, S>,
    (algorithm, public): (Algorithm, &[u8]),
    kid: Option<&[u8]>,
    seed: Option<&Seed>,
) {
    writer.map(3 + usize::from(kid.is_some()) + usize::from(seed.is_some()));
    writer.int(KTY);
    writer.int(AKP);
    if let Some(kid) = kid {
        writer.int(KID);
        writer.bytes(kid);
    }
    writer.int(ALG);
    writer.int(algorithm.cose_id());
    writer.int(PUB);
    writer.bytes(public);
    if let Some(seed) = seed {
        writer.int(PRIV);
        writer.bytes(seed.as_bytes());
    }
}

/// The parameters of a COSE_Key.
struct CoseKey<'a>(Vec<(Label, &'a [u8])>);

impl<'a> CoseKey<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        check_len("COSE_Key", bytes.len(), limits::KEY)?;
        let mut reader = Reader::new(bytes);
        let key = Self(reader.map("COSE_Key")?);
        reader.end()?;
        match cbor::label("kty", key.get(KTY).ok_or(Error::Missing("kty"))?)? {
            Label::Int(AKP) => Ok(key),
            _ => Err(Error::KeyType),
        }
    }

    /// Returns the encoded value of a parameter.
    fn get(&self, label: i64) -> Option<&'a [u8]> {
        cbor::find(&self.0, label)
    }

    fn algorithm(&self) -> Result<Algorithm, Error> {
        let value = self.get(ALG).ok_or(Error::Missing("alg"))?;
        match cbor::label("alg", value)? {
            Label::Int(id) => Algorithm::from_cose_id(id).ok_or(Error::UnknownAlgorithm),
            Label::Text(_) => Err(Error::UnknownAlgorithm),
        }
    }

    fn public(&self) -> Result<&'a [u8], Error> {
        cbor::bytes("pub", self.get(PUB).ok_or(Error::Missing("pub"))?)
    }

    fn kid(&self) -> Result<Option<&'a [u8]>, Error> {
        self.get(KID).map(|kid| cbor::bytes("kid", kid)).transpose()
    }

    /// Checks that `key_ops` permit an operation.
    fn check_operations(&self, operation: i64) -> Result<(), Error> {
        let Some(value) = self.get(KEY_OPS) else {
            return Ok(());
        };
        let operations = cbor::labels("key_ops", value)?;
        if !operations.contains(&Label::Int(operation)) {
            return Err(Error::KeyOps);
        }
        Ok(())
    }
}
