//! The traits of an algorithm and its keys. A scheme does not depend on the commands that use it.

use std::fmt;

use der::oid::ObjectIdentifier;
use moissanite::keys::PrivateKeyForm;
use moissanite::rand_core::TryRng;
use moissanite::{Seed, SysRng};
use zeroize::Zeroizing;

use crate::backend::Backend;
use crate::error::Error;
use crate::hash::Hash;
use crate::input::Message;
use crate::key_error::KeyError;

/// An algorithm with its parameter set.
pub(crate) type Algorithm = &'static dyn Scheme;

/// Lengths of encoded keys and signatures, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Public key.
    pub(crate) public: usize,
    /// Private key, in the scheme's own encoding.
    pub(crate) private: usize,
    /// Signature.
    pub(crate) signature: usize,
}

/// Length of a seed of most algorithms, in bytes.
pub(crate) const SEED: usize = 32;

/// Length of μ, in bytes.
pub(crate) const MU: usize = 64;

/// The inputs of signing besides the key and the message.
#[derive(Debug, Default)]
pub(crate) struct Framing {
    /// The context, of at most 255 bytes.
    pub(crate) context: Vec<u8>,
    /// The hash function of HashML-DSA.
    pub(crate) prehash: Option<Hash>,
}

impl Framing {
    /// Refuses both for an algorithm that has neither.
    pub(crate) fn refuse(&self, name: &str) -> Result<(), Error> {
        let option = match (self.context.is_empty(), self.prehash) {
            (true, None) => return Ok(()),
            (false, _) => "contexts; leave out --context",
            (true, Some(_)) => "pre-hashing; leave out --prehash",
        };
        Err(Error::Usage(format!("{name} has no {option}")))
    }
}

/// An algorithm with its parameter set.
pub(crate) trait Scheme: Sync {
    /// The name in the standard.
    fn name(&self) -> &'static str;
    /// NIST's security category, if it has one.
    fn category(&self) -> Option<u8>;
    /// The lengths of encoded keys and signatures.
    fn sizes(&self) -> Sizes;
    /// The length of a seed, in bytes.
    fn seed_len(&self) -> usize {
        SEED
    }
    /// The parts of an expanded private key that are computed from s1 and s2; empty for a scheme whose
    /// private keys are seeds.
    fn derived(&self) -> &'static str {
        ""
    }
    /// The identifier of keys and signatures. A scheme without one has no documents.
    fn oid(&self) -> Option<ObjectIdentifier>;
    /// The private key of a seed.
    fn private_from_seed(
        &self,
        backend: Backend,
        seed: &[u8],
    ) -> Result<Box<dyn PrivateKey>, Error>;
    /// A private key in the scheme's own encoding.
    fn private_from_raw(
        &self,
        backend: Backend,
        bytes: &[u8],
    ) -> Result<Box<dyn PrivateKey>, KeyError>;
    /// A private key in the scheme's own encoding with tr computed again, if tr alone is wrong.
    fn with_right_tr(&self, _: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        None
    }
    /// A private key in PKCS#8 (DER).
    fn private_from_pkcs8(
        &self,
        backend: Backend,
        der: &[u8],
    ) -> Result<(Box<dyn PrivateKey>, PrivateKeyForm), KeyError>;
    /// A public key in the scheme's own encoding.
    fn public_from_raw(
        &self,
        backend: Backend,
        bytes: &[u8],
    ) -> Result<Box<dyn PublicKey>, KeyError>;
    /// A public key in a SubjectPublicKeyInfo (DER).
    fn public_from_spki(
        &self,
        backend: Backend,
        der: &[u8],
    ) -> Result<Box<dyn PublicKey>, KeyError>;
    /// Describes a signature, or returns an error if no key can have made it.
    fn inspect_signature(&self, bytes: &[u8]) -> Result<String, KeyError>;
}

impl fmt::Debug for dyn Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A private key, checked.
pub(crate) trait PrivateKey {
    /// Its algorithm.
    fn algorithm(&self) -> Algorithm;
    /// Its public key.
    fn public_key(&self) -> Box<dyn PublicKey>;
    /// Signs, hedged with fresh randomness unless `deterministic`.
    fn sign(
        &self,
        message: Message,
        framing: &Framing,
        deterministic: bool,
    ) -> Result<Vec<u8>, Error>;
    /// Signs μ of a message (FIPS 204, Algorithm 7, from line 7 on) that was computed elsewhere. Only ML-DSA
    /// takes it.
    fn sign_mu(&self, _mu: &[u8; MU], _deterministic: bool) -> Result<Vec<u8>, Error> {
        Err(no_mu(self.algorithm().name()))
    }
    /// Computes the values that are the same for every message, before several are signed.
    fn prepare(&mut self) {}
    /// The seed; `None` for a key that was read in expanded form.
    fn to_seed(&self) -> Option<Zeroizing<Vec<u8>>>;
    /// The scheme's own encoding.
    fn to_raw(&self) -> Zeroizing<Vec<u8>>;
    /// PKCS#8 (DER).
    fn to_pkcs8(&self, form: PrivateKeyForm) -> Result<Zeroizing<Vec<u8>>, KeyError>;
}

/// A public key.
pub(crate) trait PublicKey {
    /// Its algorithm.
    fn algorithm(&self) -> Algorithm;
    /// Begins to verify a signature of the right length.
    fn verification<'a>(
        &'a self,
        framing: &'a Framing,
        signature: &'a [u8],
    ) -> Result<Box<dyn Verification + 'a>, Error>;
    /// Whether a signature of the right length is valid.
    fn verify(&self, message: Message, framing: &Framing, signature: &[u8]) -> Result<bool, Error> {
        let mut verification = self.verification(framing, signature)?;
        message.absorb(|piece| verification.update(piece))?;
        verification.finish()
    }
    /// μ of a message (FIPS 204, Algorithm 7, line 6). Only ML-DSA has it.
    fn mu(&self, _message: Message, _framing: &Framing) -> Result<Zeroizing<[u8; MU]>, Error> {
        Err(no_mu(self.algorithm().name()))
    }
    /// Whether a signature of the right length is valid for this μ.
    fn verify_mu(&self, _mu: &[u8; MU], _signature: &[u8]) -> Result<bool, Error> {
        Err(no_mu(self.algorithm().name()))
    }
    /// The scheme's own encoding.
    fn to_raw(&self) -> Vec<u8>;
    /// SubjectPublicKeyInfo (DER).
    fn to_spki(&self) -> Result<Vec<u8>, KeyError>;
}

/// The error for an algorithm that does not sign μ.
pub(crate) fn no_mu(name: &str) -> Error {
    Error::Usage(format!(
        "{name} does not sign a mu that is computed elsewhere; only ML-DSA does"
    ))
}

/// A verification that takes the message piece by piece, with a state of a few hundred bytes.
pub(crate) trait Verification {
    /// Takes the next piece.
    fn update(&mut self, piece: &[u8]);
    /// Whether the signature is valid.
    fn finish(self: Box<Self>) -> Result<bool, Error>;
}

/// The verification of a signature whose form alone shows that it is not valid.
pub(crate) struct NeverValid;

impl Verification for NeverValid {
    fn update(&mut self, _: &[u8]) {}
    fn finish(self: Box<Self>) -> Result<bool, Error> {
        Ok(false)
    }
}

/// Copies a seed of [`Scheme::seed_len`] bytes to the heap.
pub(crate) fn seed<const N: usize>(bytes: &[u8]) -> Result<Box<Seed<N>>, Error> {
    let mut seed = Box::new(Seed::zero());
    let bytes = bytes.try_into();
    seed.set(bytes.map_err(|_| Error::Fault("a seed has the wrong length".into()))?);
    Ok(seed)
}

/// Refuses any form but the seed: private keys of Ed25519 and of the composites have no other form.
pub(crate) fn only_seed(form: PrivateKeyForm) -> Result<(), KeyError> {
    match form {
        PrivateKeyForm::Seed => Ok(()),
        _ => Err(KeyError::OneForm),
    }
}

/// A new seed from the operating system.
pub(crate) fn random_seed(algorithm: Algorithm) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut seed = Zeroizing::new(vec![0; algorithm.seed_len()]);
    SysRng
        .try_fill_bytes(&mut seed)
        .map_err(|error| Error::Randomness(error.to_string()))?;
    Ok(seed)
}
