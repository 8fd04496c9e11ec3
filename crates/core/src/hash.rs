//! H and G of FIPS 204, section 3.7, and the message representative μ.

use core::marker::PhantomData;

pub use moissanite_keccak::{Shake128, Shake256};

use crate::scheme::{Scheme, Standard};
use crate::secret::Secret;

/// H = SHAKE256 of the concatenated parts.
#[inline(always)]
pub fn h<const LEN: usize>(parts: &[&[u8]]) -> Secret<[u8; LEN]> {
    let mut out = Secret::new([0; LEN]);
    let mut xof = Shake256::new();
    for part in parts {
        xof.absorb(part);
    }
    xof.squeeze_in_place().read(&mut *out);
    out
}

/// H(pk, 64), which is tr. In round 3, tr is the first half of it. A buffer for tr has room for all
/// of it, and [`MuBuilder::start`] uses the first [`Scheme::TR_LEN`] bytes.
pub fn public_key_hash(public_key: &[u8]) -> [u8; 64] {
    *h(&[public_key])
}

/// The first byte of M'.
pub(crate) const PURE: u8 = 0;
const PRE_HASHED: u8 = 1;

/// μ = H(tr ‖ M', 64), with M' in pieces (FIPS 204, Algorithm 7, line 6).
#[derive(Clone)]
pub struct MuBuilder<S = Standard>(Shake256, PhantomData<S>);

impl<S: Scheme> MuBuilder<S> {
    /// Returns a builder without input, which the caller starts in its final place.
    #[inline(always)]
    pub fn empty() -> Self {
        Self(Shake256::new(), PhantomData)
    }

    /// Starts with tr, the hash of the public key.
    pub fn start(&mut self, tr: &[u8; 64]) {
        self.0.absorb(&tr[..S::TR_LEN]);
    }

    /// Returns a builder that has started with tr.
    pub fn new(tr: &[u8; 64]) -> Self {
        let mut mu = Self::empty();
        mu.start(tr);
        mu
    }

    /// Adds the next piece of M'.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.absorb(piece);
    }

    /// Starts M' as in ML-DSA.Sign (Algorithm 2, line 10); M follows. The context has at most 255
    /// bytes, and none in round 3; the caller has checked this.
    pub fn pure(&mut self, context: &[u8]) {
        self.framed(PURE, context);
    }

    fn framed(&mut self, domain: u8, context: &[u8]) {
        debug_assert!(context.len() <= 255);
        self.update(S::frame(domain, context.len() as u8).as_ref());
        self.update(context);
    }

    /// Ends M', and starts the hash that gives c̃ in the same state: H(μ ‖ ...).
    pub fn commit(&mut self) -> &mut Shake256 {
        let mut mu = [0; 64];
        self.0.squeeze_in_place().read(&mut mu);
        self.0.absorb(&mu);
        &mut self.0
    }

    /// Returns μ.
    pub fn finish(mut self) -> [u8; 64] {
        let mut mu = [0; 64];
        self.0.squeeze_in_place().read(&mut mu);
        mu
    }
}

impl MuBuilder {
    /// Starts M' as in HashML-DSA.Sign (Algorithm 4, line 23); the identifier of the hash function
    /// and the digest follow.
    pub fn pre_hashed(&mut self, context: &[u8]) {
        self.framed(PRE_HASHED, context);
    }
}
