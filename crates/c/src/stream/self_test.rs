//! Known answers of the streams.

use moissanite::self_test::in_pieces;

use crate::algorithm::{self, Algorithm};
use crate::caller::guarded;
use crate::status::{
    MOISSANITE_ERROR_ALGORITHM, MOISSANITE_ERROR_SELF_TEST, MOISSANITE_ERROR_UNSUPPORTED,
    MOISSANITE_OK, Status,
};

/// Checks that the streams compute known answers of an algorithm of FIPS 204: of key generation, of signing, and of
/// verification, which must refuse changed messages. A cryptographic module of FIPS 140-3 runs such tests.
///
/// Errors: MOISSANITE_ERROR_SELF_TEST, MOISSANITE_ERROR_ALGORITHM; MOISSANITE_ERROR_UNSUPPORTED for round 3.
#[unsafe(no_mangle)]
pub extern "C" fn moissanite_stream_self_test(algorithm: Algorithm) -> Status {
    match guarded(|| test(algorithm)) {
        Ok(()) => MOISSANITE_OK,
        Err(status) => status,
    }
}

fn test(algorithm: Algorithm) -> Result<(), Status> {
    macro_rules! run {
        ($set:ident) => {
            in_pieces::key_generation::<moissanite::$set>()
                .and_then(|()| in_pieces::signing::<moissanite::$set>())
                .and_then(|()| in_pieces::verification::<moissanite::$set>())
                .map_err(|_| MOISSANITE_ERROR_SELF_TEST)
        };
    }
    match algorithm {
        #[cfg(feature = "ml-dsa-44")]
        algorithm::MOISSANITE_ML_DSA_44 => run!(MlDsa44),
        #[cfg(feature = "ml-dsa-65")]
        algorithm::MOISSANITE_ML_DSA_65 => run!(MlDsa65),
        #[cfg(feature = "ml-dsa-87")]
        algorithm::MOISSANITE_ML_DSA_87 => run!(MlDsa87),
        #[cfg(feature = "dilithium")]
        algorithm::MOISSANITE_DILITHIUM2
        | algorithm::MOISSANITE_DILITHIUM3
        | algorithm::MOISSANITE_DILITHIUM5 => Err(MOISSANITE_ERROR_UNSUPPORTED),
        _ => Err(MOISSANITE_ERROR_ALGORITHM),
    }
}
