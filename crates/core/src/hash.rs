//! H and G of FIPS 204, section 3.7, and the message representative μ.

use core::marker::PhantomData;

pub use moissanite_keccak::{Shake128, Shake256};

use crate::scheme::{Scheme, Standard};
use crate::secret::Secret;

/// H = SHAKE256, of the parts one after the other.
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

/// H(pk, 64), which is tr. In round 3, tr is its first half; what keeps tr has room for all of this,
/// and [`MuBuilder::start`] knows how much of it counts.
pub fn public_key_hash(public_key: &[u8]) -> [u8; 64] {
    *h(&[public_key])
}

/// The first byte of M'.
pub(crate) const PURE: u8 = 0;
const PRE_HASHED: u8 = 1;

/// μ = H(tr ‖ M', 64), where M' comes in pieces (FIPS 204, Algorithm 7, line 6).
#[derive(Clone)]
pub struct MuBuilder<S = Standard>(Shake256, PhantomData<S>);

impl<S: Scheme> MuBuilder<S> {
    /// Nothing yet: to be started where it stays.
    #[inline(always)]
    pub fn empty() -> Self {
        Self(Shake256::new(), PhantomData)
    }

    /// Starts with tr, the hash of the public key.
    pub fn start(&mut self, tr: &[u8; 64]) {
        self.0.absorb(&tr[..S::TR_LEN]);
    }

    /// [`Self::empty`], started.
    pub fn new(tr: &[u8; 64]) -> Self {
        let mut mu = Self::empty();
        mu.start(tr);
        mu
    }

    /// The next piece of M'.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.absorb(piece);
    }

    /// Starts M' as ML-DSA.Sign does (Algorithm 2, line 10): what follows is M.
    /// At most 255 bytes of context, none in round 3; callers have checked.
    pub fn pure(&mut self, context: &[u8]) {
        self.framed(PURE, context);
    }

    fn framed(&mut self, domain: u8, context: &[u8]) {
        debug_assert!(context.len() <= 255);
        self.update(S::frame(domain, context.len() as u8).as_ref());
        self.update(context);
    }

    /// Ends M' and begins, in the same state, the hash that gives c̃: H(μ ‖ ...).
    pub fn commit(&mut self) -> &mut Shake256 {
        let mut mu = [0; 64];
        self.0.squeeze_in_place().read(&mut mu);
        self.0.absorb(&mu);
        &mut self.0
    }

    /// μ.
    pub fn finish(mut self) -> [u8; 64] {
        let mut mu = [0; 64];
        self.0.squeeze_in_place().read(&mut mu);
        mu
    }
}

impl MuBuilder {
    /// Starts M' as HashML-DSA.Sign does (Algorithm 4, line 23): what follows
    /// is the identifier of the hash function, and the digest.
    pub fn pre_hashed(&mut self, context: &[u8]) {
        self.framed(PRE_HASHED, context);
    }
}
