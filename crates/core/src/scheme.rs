//! Where FIPS 204 and the third round's specification (version of 2021-02-08) part.
//!
//! Besides this, round 3's c̃ has 32 bytes in all sets, and less is encoded: see the sets in
//! [`crate::params`].

use crate::params::Bytes;

/// What one of the two does where they differ.
pub trait Scheme: Copy + core::fmt::Debug + Eq + Send + Sync + 'static {
    /// Bytes of tr, the hash of the public key.
    const TR_LEN: usize;
    /// Random bytes of a signature that is not deterministic.
    type Rnd: Bytes;
    /// What follows ξ in the hash that gives a key (FIPS 204, Algorithm 6, line 1).
    fn dimensions(k: u8, l: u8) -> impl AsRef<[u8]>;
    /// What stands before the context in M' (FIPS 204, Algorithm 2, line 10).
    fn frame(domain: u8, context_len: u8) -> impl AsRef<[u8]>;
    /// What these, or their absence, make of ρ''.
    fn rho_second(rnd: Option<&Self::Rnd>) -> RhoSecond<'_>;
}

/// What ρ'' is, the seed of the masks (FIPS 204, Algorithm 7, line 7).
#[derive(Clone, Copy)]
pub enum RhoSecond<'a> {
    /// H(K ‖ these bytes ‖ μ).
    Hashed(&'a [u8]),
    /// These bytes.
    Given(&'a [u8; 64]),
}

/// FIPS 204.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standard;

impl Scheme for Standard {
    const TR_LEN: usize = 64;
    type Rnd = [u8; 32];
    fn dimensions(k: u8, l: u8) -> impl AsRef<[u8]> {
        [k, l]
    }
    fn frame(domain: u8, context_len: u8) -> impl AsRef<[u8]> {
        [domain, context_len]
    }
    fn rho_second(rnd: Option<&[u8; 32]>) -> RhoSecond<'_> {
        RhoSecond::Hashed(rnd.unwrap_or(&[0; 32]))
    }
}

/// The third round of NIST's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round3;

impl Scheme for Round3 {
    const TR_LEN: usize = 32;
    type Rnd = [u8; 64];
    fn dimensions(_: u8, _: u8) -> impl AsRef<[u8]> {
        []
    }
    fn frame(_: u8, _: u8) -> impl AsRef<[u8]> {
        []
    }
    fn rho_second(rnd: Option<&[u8; 64]>) -> RhoSecond<'_> {
        rnd.map_or(RhoSecond::Hashed(&[]), RhoSecond::Given)
    }
}
