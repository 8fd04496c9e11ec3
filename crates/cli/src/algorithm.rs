//! The algorithms, chosen when the command runs.
//!
//! A new one is an implementation of [`Scheme`] with its keys, and a line in
//! [`ALL`]; the commands know the traits only.

use std::fmt;

use der::oid::ObjectIdentifier;
use moissanite::keys::PrivateKeyForm;
use moissanite::{Dilithium2, Dilithium3, Dilithium5, MlDsa44, MlDsa65, MlDsa87, Seed};
use moissanite_composite::{MlDsa44Ed25519, MlDsa65Ed25519};
use zeroize::Zeroizing;

use crate::backend::Backend;
use crate::commands::acvp;
use crate::commands::bench;
use crate::composite::Combined;
use crate::ed25519::Ed25519;
use crate::error::Error;
use crate::hash::Hash;
use crate::keyfile::KeyError;
use crate::lattice::Lattice;
use crate::message::Message;
use crate::zk_dilithium::ZkDilithium;

/// An algorithm with its parameter set.
pub(crate) type Algorithm = &'static dyn Scheme;

/// All that the command knows.
pub(crate) const ALL: &[Algorithm] = &[
    &Lattice::<MlDsa44>::NEW,
    &Lattice::<MlDsa65>::NEW,
    &Lattice::<MlDsa87>::NEW,
    &Lattice::<Dilithium2>::NEW,
    &Lattice::<Dilithium3>::NEW,
    &Lattice::<Dilithium5>::NEW,
    &ZkDilithium,
    &Ed25519,
    &Combined::<MlDsa44Ed25519>::NEW,
    &Combined::<MlDsa65Ed25519>::NEW,
];

/// Bytes of encoded keys and signatures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Public key.
    pub(crate) public: usize,
    /// Private key, in the scheme's own encoding.
    pub(crate) private: usize,
    /// Signature.
    pub(crate) signature: usize,
}

/// Bytes of most seeds.
pub(crate) const SEED: usize = 32;

/// What is signed besides the message.
#[derive(Debug, Default)]
pub(crate) struct Framing {
    /// At most 255 bytes.
    pub(crate) context: Vec<u8>,
    /// Hash the message first.
    pub(crate) prehash: Option<Hash>,
}

impl Framing {
    /// For an algorithm that signs a message as it is.
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
    /// Bytes of encoded keys and signatures.
    fn sizes(&self) -> Sizes;
    /// Bytes of a seed.
    fn seed_len(&self) -> usize {
        SEED
    }
    /// What s1 and s2 of an expanded private key give of it; nothing where there is only a seed.
    fn derived(&self) -> &'static str {
        ""
    }
    /// Of keys and signatures. Without one, they are never in a document.
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
    /// Whether some key could have made these bytes; what there is to say of them.
    fn inspect_signature(&self, bytes: &[u8]) -> Result<String, KeyError>;
    /// Whether it computes on the backend that it is given.
    fn has_backends(&self) -> bool {
        true
    }
    /// Measures all operations.
    fn bench(&self, backend: Backend, n: usize) -> Result<bench::Measured, Error>;
    /// The answers to NIST's test vectors, if there are any for this algorithm.
    fn acvp(&self) -> Option<&dyn acvp::Answers>;
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
    /// Signs; hedged with fresh randomness unless it is to be deterministic.
    fn sign(
        &self,
        message: Message,
        framing: &Framing,
        deterministic: bool,
    ) -> Result<Vec<u8>, Error>;
    /// The seed, unless the key came without.
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
    /// Whether a signature of the right length is valid.
    fn verify(&self, message: Message, framing: &Framing, signature: &[u8]) -> Result<bool, Error>;
    /// The scheme's own encoding.
    fn to_raw(&self) -> Vec<u8>;
    /// SubjectPublicKeyInfo (DER).
    fn to_spki(&self) -> Result<Vec<u8>, KeyError>;
}

/// A seed, whose number of bytes the caller has from [`Scheme::seed_len`], in memory of its own.
pub(crate) fn seed<const N: usize>(bytes: &[u8]) -> Result<Box<Seed<N>>, Error> {
    let mut seed = Box::new(Seed::zero());
    let bytes = bytes.try_into();
    seed.set(bytes.map_err(|_| Error::Fault("a seed has the wrong length".into()))?);
    Ok(seed)
}

/// The algorithm of this name, in upper or lower case.
pub(crate) fn parse(name: &str) -> Result<Algorithm, String> {
    let known = |algorithm: &&Algorithm| algorithm.name().eq_ignore_ascii_case(name);
    ALL.iter().find(known).copied().ok_or_else(|| {
        let names: Vec<_> = ALL.iter().map(|a| a.name().to_ascii_lowercase()).collect();
        format!("there is no such algorithm; there are {}", names.join(", "))
    })
}

/// The algorithm of this identifier.
pub(crate) fn by_oid(oid: ObjectIdentifier) -> Option<Algorithm> {
    let found = |algorithm: &&Algorithm| algorithm.oid() == Some(oid);
    ALL.iter().find(found).copied()
}
