//! The hash functions of HashML-DSA, by name.

use moissanite::Fips204;
use moissanite::prehash::{
    PreHash, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Sha224, Sha256, Sha384, Sha512, Sha512_224,
    Sha512_256, Shake128, Shake256,
};

use crate::error::Error;

/// An operation with a hash function that is chosen at run time.
pub(crate) trait WithHash {
    /// The result.
    type Output;
    /// Runs the operation.
    fn call<H: PreHash + 'static>(self) -> Self::Output;
}

macro_rules! hashes {
    ($($hash:ident)*) => {
        /// One of the twelve hash functions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(non_camel_case_types, reason = "each variant has the name of its type")]
        pub(crate) enum Hash {
            $(#[doc = "The function of this name."] $hash,)*
        }

        impl Hash {
            /// All functions.
            pub(crate) const ALL: &[Self] = &[$(Self::$hash),*];

            /// Runs an operation with this function.
            pub(crate) fn dispatch<O: WithHash>(self, op: O) -> O::Output {
                match self {
                    $(Self::$hash => op.call::<$hash>(),)*
                }
            }

            /// The name in the standards, which is also ACVP's.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$hash => <$hash as PreHash>::NAME,)*
                }
            }

            /// Bits of collision strength.
            fn strength(self) -> usize {
                match self {
                    $(Self::$hash => <$hash as PreHash>::STRENGTH,)*
                }
            }
        }
    };
}
hashes!(Sha224 Sha256 Sha384 Sha512 Sha512_224 Sha512_256 Sha3_224 Sha3_256 Sha3_384 Sha3_512 Shake128 Shake256);

/// The canonical spelling of a name: `SHA2-512/256`, `sha512-256` and `SHA-512_256` have the same one.
fn plain(name: &str) -> String {
    let name: String = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric())
        .map(|c| c.to_ascii_lowercase())
        .collect();
    // `SHA2-256` is also written SHA256. Only SHA-224 and SHA-256 begin with a 2 after "SHA".
    match name.strip_prefix("sha2") {
        Some(rest) if rest != "24" && rest != "56" => format!("sha{rest}"),
        _ => name,
    }
}

impl Hash {
    /// Finds a function by the exact name of ACVP.
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|hash| hash.name() == name)
    }

    /// Refuses a function that is weaker than a set (FIPS 204, section 5.4).
    pub(crate) fn check<P: Fips204>(self) -> Result<(), Error> {
        let suffices = |hash: &&Self| hash.strength() >= P::LAMBDA;
        if suffices(&&self) {
            return Ok(());
        }
        let names = Self::ALL.iter().filter(suffices).map(|hash| hash.name());
        Err(Error::Usage(format!(
            "--prehash: {} has {} bits of collision strength, and {} needs {}; use one of {}",
            self.name(),
            self.strength(),
            P::NAME,
            P::LAMBDA,
            names.collect::<Vec<_>>().join(", ")
        )))
    }

    /// Finds a function by any usual spelling of its name.
    pub(crate) fn parse(name: &str) -> Result<Self, String> {
        let known = |hash: &&Self| plain(hash.name()) == plain(name);
        Self::ALL.iter().find(known).copied().ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|hash| hash.name()).collect();
            format!(
                "there is no such hash function; there are {}",
                names.join(", ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::Hash;

    #[test]
    fn usual_spellings() {
        for (hash, names) in [
            (Hash::Sha224, &["SHA2-224", "sha224", "SHA-224"][..]),
            (Hash::Sha256, &["SHA2-256", "sha256", "SHA-256", "sha2_256"]),
            (Hash::Sha512, &["SHA2-512", "sha512", "Sha-512"]),
            (
                Hash::Sha512_224,
                &["SHA2-512/224", "sha512-224", "SHA-512/224"],
            ),
            (
                Hash::Sha512_256,
                &["SHA2-512/256", "sha512-256", "sha2-512-256"],
            ),
            (Hash::Sha3_256, &["SHA3-256", "sha3-256", "sha3_256"]),
            (Hash::Shake128, &["SHAKE-128", "shake128", "SHAKE128"]),
        ] {
            for name in names {
                assert_eq!(Hash::parse(name).unwrap(), hash, "{name}");
            }
        }
        for name in [
            "",
            "sha",
            "sha1",
            "md5",
            "sha2",
            "sha24",
            "shake",
            "sha512/257",
        ] {
            assert!(Hash::parse(name).is_err(), "{name}");
        }
        for hash in Hash::ALL {
            assert_eq!(Hash::by_name(hash.name()), Some(*hash));
            assert_eq!(Hash::parse(hash.name()).unwrap(), *hash);
        }
        assert_eq!(Hash::by_name("sha2-256"), None);
    }
}
