//! Where FIPS 204 and the third round's specification (version of 2021-02-08) part.
//!
//! Besides this, round 3's c̃ has 32 bytes in all sets, and less is encoded: see the sets in
//! [`crate::params`].

use crate::sealed::Sealed;

/// What one of the two does where they differ.
pub trait Scheme: Sealed + Copy + core::fmt::Debug + Eq + Send + Sync + 'static {
    /// Bytes of tr, the hash of the public key.
    const TR_LEN: usize;
    /// What stands for the random bytes in the hash that gives ρ'' of a deterministic signature
    /// (FIPS 204, Algorithm 2, line 5, and Algorithm 7, line 7).
    const NO_RND: &'static [u8];
    /// What follows ξ in the hash that gives a key (FIPS 204, Algorithm 6, line 1).
    fn dimensions(k: u8, l: u8) -> impl AsRef<[u8]>;
    /// What stands before the context in M' (FIPS 204, Algorithm 2, line 10).
    fn frame(domain: u8, context_len: u8) -> impl AsRef<[u8]>;
}

/// FIPS 204.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standard;

impl Sealed for Standard {}
impl Scheme for Standard {
    const TR_LEN: usize = 64;
    const NO_RND: &'static [u8] = &[0; 32];
    fn dimensions(k: u8, l: u8) -> impl AsRef<[u8]> {
        [k, l]
    }
    fn frame(domain: u8, context_len: u8) -> impl AsRef<[u8]> {
        [domain, context_len]
    }
}

/// The third round of NIST's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round3;

impl Sealed for Round3 {}
impl Scheme for Round3 {
    const TR_LEN: usize = 32;
    const NO_RND: &'static [u8] = &[];
    fn dimensions(_: u8, _: u8) -> impl AsRef<[u8]> {
        []
    }
    fn frame(_: u8, _: u8) -> impl AsRef<[u8]> {
        []
    }
}
