//! What an implementation has to offer to be measured.

use clap::ValueEnum;
use moissanite::{MlDsa44, MlDsa65, MlDsa87};
use moissanite_benches::hashing::{Hashing, Keccak, Permutations};

/// A parameter set. Ed25519 is a side row for scale, not ML-DSA.
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

    /// The number that names the level in the C ABI.
    pub fn number(self) -> u16 {
        match self {
            Self::L44 => 44,
            Self::L65 => 65,
            Self::L87 => 87,
            Self::Ed25519 => 25519,
        }
    }

    /// Bytes of a public key, and of a signature.
    pub fn lengths(self) -> (usize, usize) {
        match self {
            Self::L44 => (1312, 2420),
            Self::L65 => (1952, 3309),
            Self::L87 => (2592, 4627),
            Self::Ed25519 => (32, 64),
        }
    }

    /// How much hashing an operation takes.
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

/// The form in which the key is when the clock starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyForm {
    /// Bytes: FIPS 204's skEncode and pkEncode, or the 32-byte seed for peers whose only private-key
    /// encoding that is. Parsing is inside the clock.
    Encoded,
    /// The object that the API keeps between calls. Parsing, and whatever the peer computes ahead with it,
    /// is outside the clock.
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
    /// In the order of the C ABI.
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

/// An implementation.
pub trait Peer {
    /// Short and unique; the table's first column.
    fn name(&self) -> String;

    /// Version, features, and what its rows hold; printed under the table.
    fn about(&self) -> String;

    /// Of our own: the permutation on the backend, measured.
    fn keccak(&self) -> Option<Keccak> {
        None
    }

    /// Whether its keygen takes the given seed, so that its public key can be compared with the others'.
    fn seeded(&self) -> bool {
        true
    }

    /// Whether it signs by the deterministic variant (rnd = 0), so that its signatures can be compared
    /// with the others'.
    fn deterministic(&self) -> bool {
        true
    }

    /// Whether repeated calls on one input do different work.
    fn is_random(&self, op: Op) -> bool {
        match op {
            Op::Keygen => !self.seeded(),
            Op::Sign(_) => !self.deterministic(),
            Op::Verify(_) => false,
        }
    }

    /// Makes the key of `seed` at `level` ready; `None` where unsupported.
    fn open(&self, level: Level, seed: &[u8; 32]) -> Option<Box<dyn Session>>;
}

/// One key of one peer at one level. The context string is always empty.
pub trait Session {
    /// The operations that this peer has. A row is left out where it is missing.
    fn supports(&self, _op: Op) -> bool {
        true
    }

    fn public_key(&self) -> Vec<u8>;

    /// Seed to whatever the API gives to sign and verify with, and the encoded public key. Must not be
    /// optimised away: end in `black_box`.
    fn keygen(&mut self, seed: &[u8; 32]);

    /// Signs `message` into `signature`, which has exactly the level's length.
    fn sign(&mut self, form: KeyForm, message: &[u8], signature: &mut [u8]);

    fn verify(&mut self, form: KeyForm, message: &[u8], signature: &[u8]) -> bool;
}
