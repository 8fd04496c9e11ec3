//! The hash functions of HashML-DSA.

use moissanite::prehash::{self, PreHash, PreHashed};

use crate::algorithm::MOISSANITE_MU_LENGTH;
use crate::status::{MOISSANITE_ERROR_HASH, MOISSANITE_ERROR_LENGTH, Status};

/// The bytes of μ.
pub(crate) type MuBytes = [u8; MOISSANITE_MU_LENGTH];

/// A hash function of HashML-DSA: MOISSANITE_SHA2_256 and so on. FIPS 204 allows those whose collision strength is
/// not below that of the algorithm: 128 bits for ML-DSA-44, 192 for ML-DSA-65 and 256 for ML-DSA-87.
pub type Hash = u32;

/// SHA2-256, with digests of 32 bytes, for ML-DSA-44.
pub const MOISSANITE_SHA2_256: u32 = 1;
/// SHA2-384, with digests of 48 bytes, for ML-DSA-44 and ML-DSA-65.
pub const MOISSANITE_SHA2_384: u32 = 2;
/// SHA2-512, with digests of 64 bytes, for all algorithms of FIPS 204.
pub const MOISSANITE_SHA2_512: u32 = 3;
/// SHA2-224, with digests of 28 bytes, which is too weak for all algorithms.
pub const MOISSANITE_SHA2_224: u32 = 4;
/// SHA2-512/224, with digests of 28 bytes, which is too weak for all algorithms.
pub const MOISSANITE_SHA2_512_224: u32 = 5;
/// SHA2-512/256, with digests of 32 bytes, for ML-DSA-44.
pub const MOISSANITE_SHA2_512_256: u32 = 6;
/// SHA3-224, with digests of 28 bytes, which is too weak for all algorithms.
pub const MOISSANITE_SHA3_224: u32 = 7;
/// SHA3-256, with digests of 32 bytes, for ML-DSA-44.
pub const MOISSANITE_SHA3_256: u32 = 8;
/// SHA3-384, with digests of 48 bytes, for ML-DSA-44 and ML-DSA-65.
pub const MOISSANITE_SHA3_384: u32 = 9;
/// SHA3-512, with digests of 64 bytes, for all algorithms of FIPS 204.
pub const MOISSANITE_SHA3_512: u32 = 10;
/// SHAKE128 with an output of 32 bytes, for ML-DSA-44.
pub const MOISSANITE_SHAKE128: u32 = 11;
/// SHAKE256 with an output of 64 bytes, for all algorithms of FIPS 204.
pub const MOISSANITE_SHAKE256: u32 = 12;

/// A key with a context, which computes the μ of a digest.
pub(crate) trait OfDigest {
    fn mu<H: PreHash>(&mut self, digest: &PreHashed<H>) -> Result<MuBytes, Status>;
}

/// Computes the μ of a digest. The numbers are the last arcs of the object identifiers.
pub(crate) fn mu(key: &mut impl OfDigest, hash: Hash, digest: &[u8]) -> Result<MuBytes, Status> {
    macro_rules! find {
        ($($number:ident $hash:ident),*) => {
            match hash {
                $($number => {
                    const { assert!(prehash::$hash::OID_ARC as u32 == $number) };
                    mu_of::<prehash::$hash>(key, digest)
                })*
                _ => Err(MOISSANITE_ERROR_HASH),
            }
        };
    }
    find!(
        MOISSANITE_SHA2_256 Sha256,
        MOISSANITE_SHA2_384 Sha384,
        MOISSANITE_SHA2_512 Sha512,
        MOISSANITE_SHA2_224 Sha224,
        MOISSANITE_SHA2_512_224 Sha512_224,
        MOISSANITE_SHA2_512_256 Sha512_256,
        MOISSANITE_SHA3_224 Sha3_224,
        MOISSANITE_SHA3_256 Sha3_256,
        MOISSANITE_SHA3_384 Sha3_384,
        MOISSANITE_SHA3_512 Sha3_512,
        MOISSANITE_SHAKE128 Shake128,
        MOISSANITE_SHAKE256 Shake256
    )
}

fn mu_of<H: PreHash>(key: &mut impl OfDigest, digest: &[u8]) -> Result<MuBytes, Status> {
    let digest = PreHashed::<H>::from_digest(digest).map_err(|_| MOISSANITE_ERROR_LENGTH)?;
    key.mu(&digest)
}
