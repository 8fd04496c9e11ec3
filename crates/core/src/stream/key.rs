//! The sources of a private key: a seed, or an encoded key that stays where it is.

use core::ops::DerefMut;

use super::challenge::Challenge;
use super::matrix::Matrix;
use super::packed::Packed;
use super::pieces::{self, CHUNK};
use super::row::{Small, row};
use crate::backend::Portable;
use crate::encode::keys::T0_LEN;
use crate::hash::Shake256;
use crate::kernels::reject::half_byte;
use crate::kernels::round::power2round;
use crate::keygen::dimensions;
use crate::params::{D, ParameterSet};
use crate::secret::{Held, Secret, Wipe, Zeroed, declassify_in_place, declassify_mask, wipe};
use crate::shape::Dim;
use crate::shape::N;
use crate::simd::Simd;

/// A private key in the form that signing uses.
pub trait PrivateKey<P: ParameterSet>: Small<P> {
    /// The scratch memory for t₀.
    type Room: Zeroed;
    /// Returns K.
    fn k(&self) -> &[u8; 32];
    /// ct₀ ← c t₀, for row `i`.
    fn t0_product(
        &self,
        a_hat: &Matrix<'_, P>,
        i: usize,
        c: &Challenge,
        room: &mut Self::Room,
        ct0: &mut [i32; N],
    );
}

/// The 128 bytes that are computed from a seed in advance; all other values are computed from them
/// when they are needed. The bytes are wiped when the value is dropped. [`Self::set`] writes them
/// in place, so that no copy is left elsewhere.
pub struct Seeds {
    pub(crate) rho: [u8; 32],
    rho_prime: Secret<[u8; 64]>,
    pub(crate) k: Secret<[u8; 32]>,
}

impl Seeds {
    /// Returns a value of zeros, without a key. This is `const`, so that the value can be a static.
    pub const fn new() -> Self {
        Self {
            rho: [0; 32],
            rho_prime: Secret::ZERO,
            k: Secret::ZERO,
        }
    }

    /// FIPS 204, Algorithm 6 (ML-DSA.KeyGen_internal), line 1.
    pub fn set<P: ParameterSet>(&mut self, xi: &[u8; 32]) {
        let mut xof = Shake256::new();
        xof.absorb(xi);
        xof.absorb(dimensions::<P>().as_ref());
        let mut xof = xof.squeeze_in_place();
        xof.read(&mut self.rho);
        xof.read(&mut *self.rho_prime);
        xof.read(&mut *self.k);
        declassify_in_place(&mut self.rho, "ρ is a part of the public key");
    }
}

impl Default for Seeds {
    /// This is inlined, so that a `Box` of it is created in place.
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

impl Wipe for Seeds {
    fn wipe(&mut self) {
        wipe(core::slice::from_mut(&mut self.rho_prime));
        wipe(core::slice::from_mut(&mut self.k));
    }
}

impl<P: ParameterSet> Small<P> for Seeds {
    fn rho(&self) -> &[u8; 32] {
        &self.rho
    }

    /// FIPS 204, Algorithm 31 (RejBoundedPoly).
    #[cfg_attr(tiny, inline(never))]
    #[cfg_attr(not(tiny), inline(always))]
    fn each(&self, r: usize, take: &mut dyn FnMut(usize, &[i32; CHUNK])) {
        let mut xof = Shake256::new();
        xof.absorb(&*self.rho_prime);
        xof.absorb(&(r as u16).to_le_bytes());
        let mut xof = xof.squeeze_in_place();
        let mut bytes = Secret::new([0; CHUNK]);
        let mut s = Secret::new([0; CHUNK]);
        let mut filled = 0;
        loop {
            xof.read(&mut *bytes);
            for b in bytes.iter().flat_map(|byte| [byte & 0x0f, byte >> 4]) {
                let (value, accepted) = half_byte(Portable, P::ETA, b.into());
                if declassify_mask(
                    accepted,
                    "rejected half-bytes are unused, and accepted ones do not depend on them",
                ) {
                    s[filled & (CHUNK - 1)] = value;
                    filled += 1;
                    if filled & (CHUNK - 1) == 0 {
                        take(filled - CHUNK, &s);
                    }
                    if filled == N {
                        return;
                    }
                }
            }
        }
    }
}

impl<P: ParameterSet, H: DerefMut<Target = Seeds>> Small<P> for Held<H> {
    fn rho(&self) -> &[u8; 32] {
        &self.rho
    }
    #[inline(always)]
    fn each(&self, r: usize, take: &mut dyn FnMut(usize, &[i32; CHUNK])) {
        Small::<P>::each(&**self, r, take);
    }
}

impl<P: ParameterSet, H: DerefMut<Target = Seeds>> PrivateKey<P> for Held<H> {
    type Room = Packed;
    fn k(&self) -> &[u8; 32] {
        &self.k
    }

    /// Computes t₀ again, from a row of Â.
    #[inline(never)]
    fn t0_product(
        &self,
        a_hat: &Matrix<'_, P>,
        i: usize,
        c: &Challenge,
        t0: &mut Packed,
        ct0: &mut [i32; N],
    ) {
        row(a_hat, self, i, ct0, t0);
        for (t0, t) in t0.iter_mut().zip(ct0.iter()) {
            t0.set(power2round(Portable, *t).1);
        }
        ct0.fill(0);
        for (at, t0) in (0..).step_by(CHUNK).zip(t0.pieces()) {
            c.add_product::<P>(ct0, at, &Secret::new(t0));
        }
    }
}

/// Encoded s₁ and s₂.
pub(crate) struct EncodedSmall<'a> {
    pub(crate) rho: &'a [u8; 32],
    pub(crate) s: &'a [u8],
}

impl<P: ParameterSet> Small<P> for EncodedSmall<'_> {
    fn rho(&self) -> &[u8; 32] {
        self.rho
    }

    #[inline(always)]
    fn each(&self, r: usize, take: &mut dyn FnMut(usize, &[i32; CHUNK])) {
        let bytes = self.s.chunks_exact(32 * P::ETA_BITS).nth(r);
        pieces::unpack_slice(P::ETA_BITS, bytes.unwrap_or_default(), &mut |at, s| {
            for s in &mut *s {
                *s = Portable.sub(P::ETA as i32, *s);
            }
            take(at, s);
        });
    }
}

/// An encoded expanded private key, which is read in place.
pub struct Encoded<'a> {
    small: EncodedSmall<'a>,
    k: &'a [u8; 32],
    tr: &'a [u8],
    t0: &'a [u8],
}

impl<'a> Encoded<'a> {
    /// FIPS 204, Algorithm 25 (skDecode), line 1. Returns `None` if the number of bytes is not the
    /// length of a key. No other check is made.
    pub fn new<P: ParameterSet>(sk: &'a [u8]) -> Option<Self> {
        if sk.len() != P::PRIVATE_KEY_LEN {
            return None;
        }
        let (rho, rest) = sk.split_first_chunk()?;
        let (k, rest) = rest.split_first_chunk()?;
        let (tr, rest) = rest.split_at_checked(P::TR_LEN)?;
        let (s, t0) = rest.split_at_checked(32 * P::ETA_BITS * (P::L::N + P::K::N))?;
        let small = EncodedSmall { rho, s };
        Some(Self { small, k, tr, t0 })
    }

    /// Returns tr, the hash of the public key: 64 bytes, and 32 in round 3.
    pub fn tr(&self) -> &'a [u8] {
        self.tr
    }

    /// Returns the encoded t₀.
    pub(crate) fn t0(&self) -> &'a [u8] {
        self.t0
    }
}

impl<P: ParameterSet> Small<P> for Encoded<'_> {
    fn rho(&self) -> &[u8; 32] {
        self.small.rho
    }
    #[inline(always)]
    fn each(&self, r: usize, take: &mut dyn FnMut(usize, &[i32; CHUNK])) {
        Small::<P>::each(&self.small, r, take);
    }
}

impl<P: ParameterSet> PrivateKey<P> for Encoded<'_> {
    type Room = [u8; 0];
    fn k(&self) -> &[u8; 32] {
        self.k
    }

    #[inline(never)]
    fn t0_product(
        &self,
        _: &Matrix<'_, P>,
        i: usize,
        c: &Challenge,
        _: &mut [u8; 0],
        ct0: &mut [i32; N],
    ) {
        ct0.fill(0);
        let bytes = self.t0.chunks_exact(T0_LEN).nth(i).unwrap_or_default();
        pieces::unpack_slice(D as usize, bytes, &mut |at, t0| {
            for t0 in &mut *t0 {
                *t0 = Portable.sub(1 << (D - 1), *t0);
            }
            c.add_product::<P>(ct0, at, t0);
        });
    }
}
