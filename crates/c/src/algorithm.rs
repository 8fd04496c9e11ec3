//! The parameter sets.

use core::ffi::c_char;
use core::ptr;

use moissanite::ParameterSet;
use moissanite::{Dilithium2, Dilithium3, Dilithium5, MlDsa44, MlDsa65, MlDsa87};

/// A parameter set: MOISSANITE_ML_DSA_44, _65 or _87 of FIPS 204, or MOISSANITE_DILITHIUM2, 3 or 5 of round 3.
pub type Algorithm = u32;

/// ML-DSA-44 of FIPS 204, of NIST category 2.
pub const MOISSANITE_ML_DSA_44: u32 = 44;
/// ML-DSA-65 of FIPS 204, of NIST category 3. Use this one unless there is a reason for another.
pub const MOISSANITE_ML_DSA_65: u32 = 65;
/// ML-DSA-87 of FIPS 204, of NIST category 5.
pub const MOISSANITE_ML_DSA_87: u32 = 87;
/// Dilithium2 of round 3, for old signatures. It has no contexts, documents and hash functions.
pub const MOISSANITE_DILITHIUM2: u32 = 2;
/// Dilithium3 of round 3, for old signatures. It has no contexts, documents and hash functions.
pub const MOISSANITE_DILITHIUM3: u32 = 3;
/// Dilithium5 of round 3, for old signatures. It has no contexts, documents and hash functions.
pub const MOISSANITE_DILITHIUM5: u32 = 5;

/// The bytes of the seed of a private key, of every algorithm. A seed is secret.
pub const MOISSANITE_SEED_LENGTH: usize = 32;
/// The bytes of a message representative, of every algorithm. It is as secret as the message.
pub const MOISSANITE_MU_LENGTH: usize = 64;
/// The most bytes of a context.
#[allow(dead_code, reason = "this is for the header; the facade checks it")]
pub const MOISSANITE_MAX_CONTEXT_LENGTH: usize = 255;

/// The bytes of a public key of ML-DSA-44, and of Dilithium2.
pub const MOISSANITE_ML_DSA_44_PUBLIC_KEY_LENGTH: usize = 1312;
/// The bytes of an expanded private key of ML-DSA-44.
pub const MOISSANITE_ML_DSA_44_EXPANDED_KEY_LENGTH: usize = 2560;
/// The bytes of a signature of ML-DSA-44, and of Dilithium2.
pub const MOISSANITE_ML_DSA_44_SIGNATURE_LENGTH: usize = 2420;
/// The bytes of a public key of ML-DSA-65, and of Dilithium3.
pub const MOISSANITE_ML_DSA_65_PUBLIC_KEY_LENGTH: usize = 1952;
/// The bytes of an expanded private key of ML-DSA-65.
pub const MOISSANITE_ML_DSA_65_EXPANDED_KEY_LENGTH: usize = 4032;
/// The bytes of a signature of ML-DSA-65.
pub const MOISSANITE_ML_DSA_65_SIGNATURE_LENGTH: usize = 3309;
/// The bytes of a public key of ML-DSA-87, and of Dilithium5. No other algorithm has longer ones.
pub const MOISSANITE_ML_DSA_87_PUBLIC_KEY_LENGTH: usize = 2592;
/// The bytes of an expanded private key of ML-DSA-87. No other algorithm has longer ones.
pub const MOISSANITE_ML_DSA_87_EXPANDED_KEY_LENGTH: usize = 4896;
/// The bytes of a signature of ML-DSA-87. No other algorithm has longer ones.
pub const MOISSANITE_ML_DSA_87_SIGNATURE_LENGTH: usize = 4627;
/// The bytes of an expanded private key of Dilithium2.
pub const MOISSANITE_DILITHIUM2_EXPANDED_KEY_LENGTH: usize = 2528;
/// The bytes of an expanded private key of Dilithium3.
pub const MOISSANITE_DILITHIUM3_EXPANDED_KEY_LENGTH: usize = 4000;
/// The bytes of a signature of Dilithium3.
pub const MOISSANITE_DILITHIUM3_SIGNATURE_LENGTH: usize = 3293;
/// The bytes of an expanded private key of Dilithium5.
pub const MOISSANITE_DILITHIUM5_EXPANDED_KEY_LENGTH: usize = 4864;
/// The bytes of a signature of Dilithium5.
pub const MOISSANITE_DILITHIUM5_SIGNATURE_LENGTH: usize = 4595;

const _: () = {
    const fn same<P: ParameterSet>(public_key: usize, expanded_key: usize, signature: usize) {
        assert!(P::PUBLIC_KEY_LEN == public_key);
        assert!(P::PRIVATE_KEY_LEN == expanded_key);
        assert!(P::SIGNATURE_LEN == signature);
    }
    same::<MlDsa44>(
        MOISSANITE_ML_DSA_44_PUBLIC_KEY_LENGTH,
        MOISSANITE_ML_DSA_44_EXPANDED_KEY_LENGTH,
        MOISSANITE_ML_DSA_44_SIGNATURE_LENGTH,
    );
    same::<MlDsa65>(
        MOISSANITE_ML_DSA_65_PUBLIC_KEY_LENGTH,
        MOISSANITE_ML_DSA_65_EXPANDED_KEY_LENGTH,
        MOISSANITE_ML_DSA_65_SIGNATURE_LENGTH,
    );
    same::<MlDsa87>(
        MOISSANITE_ML_DSA_87_PUBLIC_KEY_LENGTH,
        MOISSANITE_ML_DSA_87_EXPANDED_KEY_LENGTH,
        MOISSANITE_ML_DSA_87_SIGNATURE_LENGTH,
    );
    same::<Dilithium2>(
        MOISSANITE_ML_DSA_44_PUBLIC_KEY_LENGTH,
        MOISSANITE_DILITHIUM2_EXPANDED_KEY_LENGTH,
        MOISSANITE_ML_DSA_44_SIGNATURE_LENGTH,
    );
    same::<Dilithium3>(
        MOISSANITE_ML_DSA_65_PUBLIC_KEY_LENGTH,
        MOISSANITE_DILITHIUM3_EXPANDED_KEY_LENGTH,
        MOISSANITE_DILITHIUM3_SIGNATURE_LENGTH,
    );
    same::<Dilithium5>(
        MOISSANITE_ML_DSA_87_PUBLIC_KEY_LENGTH,
        MOISSANITE_DILITHIUM5_EXPANDED_KEY_LENGTH,
        MOISSANITE_DILITHIUM5_SIGNATURE_LENGTH,
    );
};

/// Evaluates an expression with the type of the algorithm, or returns MOISSANITE_ERROR_ALGORITHM.
macro_rules! with_set {
    ($algorithm:expr, $set:ident => $body:expr) => {
        match $algorithm {
            #[cfg(feature = "ml-dsa-44")]
            $crate::algorithm::MOISSANITE_ML_DSA_44 => {
                type $set = moissanite::MlDsa44;
                $body
            }
            #[cfg(feature = "ml-dsa-65")]
            $crate::algorithm::MOISSANITE_ML_DSA_65 => {
                type $set = moissanite::MlDsa65;
                $body
            }
            #[cfg(feature = "ml-dsa-87")]
            $crate::algorithm::MOISSANITE_ML_DSA_87 => {
                type $set = moissanite::MlDsa87;
                $body
            }
            #[cfg(feature = "dilithium")]
            $crate::algorithm::MOISSANITE_DILITHIUM2 => {
                type $set = moissanite::Dilithium2;
                $body
            }
            #[cfg(feature = "dilithium")]
            $crate::algorithm::MOISSANITE_DILITHIUM3 => {
                type $set = moissanite::Dilithium3;
                $body
            }
            #[cfg(feature = "dilithium")]
            $crate::algorithm::MOISSANITE_DILITHIUM5 => {
                type $set = moissanite::Dilithium5;
                $body
            }
            _ => Err($crate::status::MOISSANITE_ERROR_ALGORITHM),
        }
    };
}
pub(crate) use with_set;

/// The lengths of an algorithm, in bytes.
struct Lengths {
    public_key: usize,
    expanded_key: usize,
    signature: usize,
}

fn lengths(algorithm: Algorithm) -> Lengths {
    let lengths = with_set!(algorithm, Set => Ok(Lengths {
        public_key: Set::PUBLIC_KEY_LEN,
        expanded_key: Set::PRIVATE_KEY_LEN,
        signature: Set::SIGNATURE_LEN,
    }));
    lengths.unwrap_or(Lengths {
        public_key: 0,
        expanded_key: 0,
        signature: 0,
    })
}

/// Returns the bytes of a public key, or zero if this library does not have the algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn moissanite_public_key_length(algorithm: Algorithm) -> usize {
    lengths(algorithm).public_key
}

/// Returns the bytes of an expanded private key, or zero if this library does not have the algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn moissanite_expanded_key_length(algorithm: Algorithm) -> usize {
    lengths(algorithm).expanded_key
}

/// Returns the bytes of a signature, or zero if this library does not have the algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn moissanite_signature_length(algorithm: Algorithm) -> usize {
    lengths(algorithm).signature
}

/// Returns the name of an algorithm, such as "ML-DSA-65", which is a constant string; or null if it is unknown.
#[unsafe(no_mangle)]
pub extern "C" fn moissanite_algorithm_name(algorithm: Algorithm) -> *const c_char {
    let name = match algorithm {
        MOISSANITE_ML_DSA_44 => c"ML-DSA-44",
        MOISSANITE_ML_DSA_65 => c"ML-DSA-65",
        MOISSANITE_ML_DSA_87 => c"ML-DSA-87",
        MOISSANITE_DILITHIUM2 => c"Dilithium2",
        MOISSANITE_DILITHIUM3 => c"Dilithium3",
        MOISSANITE_DILITHIUM5 => c"Dilithium5",
        _ => return ptr::null(),
    };
    name.as_ptr()
}
