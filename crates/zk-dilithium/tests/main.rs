//! The tests of the public API, as one program. Those of every step, on every backend, are in
//! `src/tests`.

#[cfg(all(feature = "alloc", feature = "getrandom", feature = "hazmat"))]
mod api;
#[cfg(feature = "alloc")]
mod properties;
