//! The interface of a measured implementation.

use clap::ValueEnum;
use moissanite::{MlDsa44, MlDsa65, MlDsa87};
use moissanite_benches::hashing::{Hashing, Keccak, Permutations};

/// A parameter set of ML-DSA, or Ed25519 for comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Level {
    #[value(name = "44")]
    L44,
    #[value(name = "65")]
    L65,
    #[value(name = "87")]
    L87,
    #[value(name = "25519")]
    Ed25519,
}

impl Level {
    pub fn name(self) -> &'static str {
        match self {
            Self::L44 => "ML-DSA-44",
            Self::L65 => "ML-DSA-65",
            Self::L87 => "ML-DSA-87",
            Self::Ed25519 => "Ed25519",
        }
    }

    /// The number of the level in the C ABI.
    pub fn number(self) -> u16 {
        match self {
            Self::L44 => 44,
            Self::L65 => 65,
            Self::L87 => 87,
            Self::Ed25519 => 25519,
        }
    }

    /// The lengths of a public key and of a signature, in bytes.
    pub fn lengths(self) -> (usize, usize) {
        match self {
            Self::L44 => (1312, 2420),
            Self::L65 => (1952, 3309),
            Self::L87 => (2592, 4627),
            Self::Ed25519 => (32, 64),
        }
    }

    /// The number of Keccak permutations of an operation.
    pub fn hashing(self, op: Op) -> Option<Permutations> {
        let hashing = match self {
            Self::L44 => Hashing::of::<MlDsa44>(),
            Self::L65 => Hashing::of::<MlDsa65>(),
            Self::L87 => Hashing::of::<MlDsa87>(),
            Self::Ed25519 => return None,
        };
        Some(match op {
            Op::Keygen => hashing.keygen(),
            Op::Sign(KeyForm::Encoded) => hashing.sign(),
            Op::Sign(KeyForm::Prepared) => hashing.sign_prepared(),
            Op::Verify(KeyForm::Encoded) => hashing.verify(),
            Op::Verify(KeyForm::Prepared) => hashing.verify_prepared(),
        })
    }
}

/// The form of the key at the start of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyForm {
    /// Bytes: FIPS 204's skEncode and pkEncode, or the 32-byte seed if a peer has no other encoding of
    /// private keys. The time includes parsing.
    Encoded,
    /// The object that the API keeps between calls. The time does not include parsing and what the peer
    /// computes in advance.
    Prepared,
}

impl KeyForm {
    pub const ALL: [Self; 2] = [Self::Encoded, Self::Prepared];
}

/// One timed operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Keygen,
    Sign(KeyForm),
    Verify(KeyForm),
}

impl Op {
    /// All operations in the order of the C ABI.
    pub const ALL: [Self; 5] = [
        Self::Keygen,
        Self::Sign(KeyForm::Encoded),
        Self::Sign(KeyForm::Prepared),
        Self::Verify(KeyForm::Encoded),
        Self::Verify(KeyForm::Prepared),
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Keygen => "keygen",
            Self::Sign(_) => "sign",
            Self::Verify(_) => "verify",
        }
    }

    pub fn key(self) -> &'static str {
        match self {
            Self::Keygen => "seed",
            Self::Sign(KeyForm::Encoded) | Self::Verify(KeyForm::Encoded) => "encoded",
            Self::Sign(KeyForm::Prepared) | Self::Verify(KeyForm::Prepared) => "prepared",
        }
    }
}

/// A signature of a file of vectors.
pub struct Vector<'a> {
    pub public_key: &'a [u8],
    pub context: &'a [u8],
    pub message: &'a [u8],
    pub signature: &'a [u8],
}

/// An implementation.
pub trait Peer {
    /// A short unique name, the first column of the tables.
    fn name(&self) -> String;

    /// The version, the features, and the meaning of the forms of keys, for the list under the tables.
    fn about(&self) -> String;

    /// The measured permutation of the backend, for rows of Moissanite.
    fn keccak(&self) -> Option<Keccak> {
        None
    }

    /// Whether key generation uses the given seed, so that public keys can be compared.
    fn seeded(&self) -> bool {
        true
    }

    /// Whether signing is deterministic (rnd = 0), so that signatures can be compared.
    fn deterministic(&self) -> bool {
        true
    }

    /// Whether repeated calls with the same input do different work.
    fn is_random(&self, op: Op) -> bool {
        match op {
            Op::Keygen => !self.seeded(),
            Op::Sign(_) => !self.deterministic(),
            Op::Verify(_) => false,
        }
    }

    /// Creates the key of `seed`; returns `None` if the peer does not support `level`.
    fn open(&self, level: Level, seed: &[u8; 32]) -> Option<Box<dyn Session>>;

    /// The known defects of verification, by their names in kats/README.md.
    fn known_defects(&self) -> Vec<String> {
        Vec::new()
    }

    /// Verifies a signature with a public key in bytes. Returns `None` if the API has no function for it,
    /// such as one with a context.
    fn verify(&self, _level: Level, _vector: &Vector<'_>) -> Option<bool> {
        None
    }
}

/// One key of one peer at one level. The context string is always empty.
pub trait Session {
    /// Whether the peer has this operation. The tables leave out the row of a missing operation.
    fn supports(&self, _op: Op) -> bool {
        true
    }

    fn public_key(&self) -> Vec<u8>;

    /// Generates from a seed the objects with which the API signs and verifies, and the encoded public
    /// key. The results must pass through `black_box`, so that the compiler keeps the work.
    fn keygen(&mut self, seed: &[u8; 32]);

    /// Signs `message` and writes `signature`, which has the length of the level.
    fn sign(&mut self, form: KeyForm, message: &[u8], signature: &mut [u8]);

    fn verify(&mut self, form: KeyForm, message: &[u8], signature: &[u8]) -> bool;
}
