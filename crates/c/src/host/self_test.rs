//! Known answers.

use super::set::Set as _;
use crate::algorithm::{Algorithm, with_set};
use crate::caller::guarded;
use crate::status::{MOISSANITE_OK, Status};

/// Checks that this library computes known answers of an algorithm of FIPS 204: of key generation, of signing, and of
/// verification, which must refuse changed signatures. A cryptographic module of FIPS 140-3 runs such tests.
/// moissanite_stream_self_test does the same for the streams.
///
/// Errors: MOISSANITE_ERROR_SELF_TEST, MOISSANITE_ERROR_ALGORITHM; MOISSANITE_ERROR_UNSUPPORTED for round 3.
#[unsafe(no_mangle)]
pub extern "C" fn moissanite_self_test(algorithm: Algorithm) -> Status {
    match guarded(|| with_set!(algorithm, Set => Set::self_test())) {
        Ok(()) => MOISSANITE_OK,
        Err(status) => status,
    }
}
