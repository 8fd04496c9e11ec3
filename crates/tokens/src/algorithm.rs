//! The three algorithms of RFC 9964.

use core::fmt;

use moissanite::{MlDsa44, MlDsa65, MlDsa87, Signature, VerifyingKey};

/// Evaluates an expression with the key of whichever set. `Inner` is the enumeration of keys in the file that calls
/// this.
macro_rules! with {
    ($inner:expr, $key:ident => $result:expr) => {
        match $inner {
            Inner::MlDsa44($key) => $result,
            Inner::MlDsa65($key) => $result,
            Inner::MlDsa87($key) => $result,
        }
    };
}
pub(crate) use with;

/// An algorithm of RFC 9964: pure ML-DSA (FIPS 204, Algorithms 2 and 3) with an empty context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Algorithm {
    /// ML-DSA-44, of NIST category 2.
    MlDsa44,
    /// ML-DSA-65, of NIST category 3: the one to use without a reason for another.
    MlDsa65,
    /// ML-DSA-87, of NIST category 5.
    MlDsa87,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Self; 3] = [Self::MlDsa44, Self::MlDsa65, Self::MlDsa87];

    /// The value of `alg` in JOSE: `ML-DSA-44`, `ML-DSA-65` or `ML-DSA-87`.
    #[must_use]
    pub const fn jose_name(self) -> &'static str {
        match self {
            Self::MlDsa44 => "ML-DSA-44",
            Self::MlDsa65 => "ML-DSA-65",
            Self::MlDsa87 => "ML-DSA-87",
        }
    }

    /// The value of `alg` in COSE: -48, -49 or -50.
    #[must_use]
    pub const fn cose_id(self) -> i64 {
        match self {
            Self::MlDsa44 => -48,
            Self::MlDsa65 => -49,
            Self::MlDsa87 => -50,
        }
    }

    /// Returns the algorithm with this name in JOSE.
    #[must_use]
    pub fn from_jose_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.jose_name() == name)
    }

    /// Returns the algorithm with this number in COSE.
    #[must_use]
    pub fn from_cose_id(id: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.cose_id() == id)
    }

    /// The number of bytes of a public key: 1,312, 1,952 or 2,592.
    #[must_use]
    pub const fn public_key_len(self) -> usize {
        match self {
            Self::MlDsa44 => VerifyingKey::<MlDsa44>::LEN,
            Self::MlDsa65 => VerifyingKey::<MlDsa65>::LEN,
            Self::MlDsa87 => VerifyingKey::<MlDsa87>::LEN,
        }
    }

    /// The number of bytes of a signature: 2,420, 3,309 or 4,627.
    #[must_use]
    pub const fn signature_len(self) -> usize {
        match self {
            Self::MlDsa44 => Signature::<MlDsa44>::LEN,
            Self::MlDsa65 => Signature::<MlDsa65>::LEN,
            Self::MlDsa87 => Signature::<MlDsa87>::LEN,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.jose_name())
    }
}
