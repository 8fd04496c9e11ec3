//! The differences between FIPS 204 and the specification of the third round (version of
//! 2021-02-08).
//!
//! In addition, c̃ has 32 bytes in all sets of round 3, and the sizes of keys and signatures follow
//! from this and from [`Scheme::TR_LEN`]: see the sets in [`crate::params`].

use crate::sealed::Sealed;

/// The parts of a scheme that differ between the two.
pub trait Scheme: Sealed + Copy + core::fmt::Debug + Eq + Send + Sync + 'static {
    /// The length of tr, the hash of the public key, in bytes.
    const TR_LEN: usize;
    /// The bytes that replace the random bytes in the hash that gives ρ'' of a deterministic
    /// signature (FIPS 204, Algorithm 2, line 5, and Algorithm 7, line 7).
    const NO_RND: &'static [u8];
    /// Returns the bytes that follow ξ in the hash that gives a key (FIPS 204, Algorithm 6, line
    /// 1).
    fn dimensions(k: u8, l: u8) -> impl AsRef<[u8]>;
    /// Returns the bytes before the context in M' (FIPS 204, Algorithm 2, line 10).
    fn frame(domain: u8, context_len: u8) -> impl AsRef<[u8]>;
}

/// The scheme of FIPS 204.
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

/// The scheme of the third round of NIST's process.
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
