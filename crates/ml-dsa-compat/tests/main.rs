//! The tests, in one program.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod documents;
mod errors;
mod facade;
mod round_trips;

/// Runs a generic function for each parameter set, with the set of the facade.
macro_rules! for_every_set {
    ($function:ident) => {
        $function::<ml_dsa::MlDsa44, moissanite::MlDsa44>();
        $function::<ml_dsa::MlDsa65, moissanite::MlDsa65>();
        $function::<ml_dsa::MlDsa87, moissanite::MlDsa87>();
    };
}
pub(crate) use for_every_set;
