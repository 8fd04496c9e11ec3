//! Keys as the algorithms use them: decoded, with Â.

use crate::backend::Backend;
use crate::encode::{bits, keys};
use crate::hash;
use crate::params::{D, ParameterSet};
use crate::poly::{Matrix, NttPoly, Poly, SmallPoly, Vector};
use crate::sample;
use crate::secret::{Secret, Zeroed, wipe};

/// What signing takes from a private key. Large: 23 to 79 KiB. Wiped when it is dropped.
pub struct PreparedSigningKey<P: ParameterSet> {
    pub(crate) k: Secret<[u8; 32]>,
    pub(crate) tr: [u8; 64],
    pub(crate) a_hat: Matrix<P::Field, P::K, P::L>,
    pub(crate) s1: Secret<Vector<SmallPoly, P::L>>,
    pub(crate) s2: Secret<Vector<SmallPoly, P::K>>,
    pub(crate) t0: Secret<Vector<SmallPoly, P::K>>,
}

impl<P: ParameterSet> Zeroed for PreparedSigningKey<P> {
    const ZERO: Self = Self {
        k: Secret::ZERO,
        tr: [0; 64],
        a_hat: Matrix::<P::Field, P::K, P::L>::ZERO,
        s1: Secret::ZERO,
        s2: Secret::ZERO,
        t0: Secret::ZERO,
    };
}

impl<P: ParameterSet> PreparedSigningKey<P> {
    /// FIPS 204, Algorithm 25 (skDecode), and line 5 of Algorithm 7.
    ///
    /// # Errors
    /// A coefficient of s₁ or s₂ is out of range. `self` is then of no use.
    pub fn set<B: Backend>(
        &mut self,
        backend: B,
        sk: &P::PrivateKey,
    ) -> Result<(), keys::OutOfRange> {
        let parts = keys::sk_split::<P>(sk);
        *self.k = *parts.k;
        self.tr = *parts.tr;
        let len = 32 * P::ETA_BITS;
        let small = self.s1.iter_mut().chain(self.s2.iter_mut());
        let mut decoded = Secret::new(Poly::<P::Field>::ZERO);
        for (s, bytes) in small.zip(parts.s1.chunks_exact(len).chain(parts.s2.chunks_exact(len))) {
            keys::eta_decode::<P, B>(backend, bytes, &mut decoded)?;
            s.set(&decoded);
        }
        for (t0, bytes) in self.t0.iter_mut().zip(parts.t0.chunks_exact(keys::T0_LEN)) {
            keys::t0_decode(backend, bytes, &mut decoded);
            t0.set(&decoded);
        }
        sample::expand_a::<P, B>(backend, parts.rho, &mut self.a_hat);
        Ok(())
    }

    /// Overwrites what is secret with zeros, as dropping does.
    pub fn wipe(&mut self) {
        let Self { k, s1, s2, t0, .. } = self;
        wipe(core::slice::from_mut(k));
        wipe(core::slice::from_mut(s1));
        wipe(core::slice::from_mut(s2));
        wipe(core::slice::from_mut(t0));
    }

    /// tr, the hash of the public key, with which μ starts.
    pub fn tr(&self) -> &[u8; 64] {
        &self.tr
    }
}

/// What verification takes from a public key: kept, or made when it is asked for.
pub trait PublicRows<P: ParameterSet> {
    /// Row `i` of Â, and NTT(t₁ · 2^d) of the same index.
    fn row<B: Backend>(&mut self, backend: B, i: u8) -> (&[NttPoly<P::Field>], &NttPoly<P::Field>);
}

/// A public key in bytes: each row is made when it is asked for.
pub struct EncodedRows<'a, P: ParameterSet> {
    pk: keys::PublicKeyParts<'a>,
    scratch: &'a mut RowScratch<P>,
}

/// What [`EncodedRows`] needs for one row.
pub struct RowScratch<P: ParameterSet> {
    a_hat: Vector<NttPoly<P::Field>, P::L>,
    t1: Poly<P::Field>,
    t1_hat: NttPoly<P::Field>,
}

impl<P: ParameterSet> Zeroed for RowScratch<P> {
    const ZERO: Self = Self {
        a_hat: Vector::ZERO,
        t1: Poly::ZERO,
        t1_hat: NttPoly::ZERO,
    };
}

impl<'a, P: ParameterSet> EncodedRows<'a, P> {
    /// FIPS 204, Algorithm 23 (pkDecode), to be done row by row.
    pub fn new(pk: &'a P::PublicKey, scratch: &'a mut RowScratch<P>) -> Self {
        Self {
            pk: keys::pk_split::<P>(pk),
            scratch,
        }
    }
}

impl<P: ParameterSet> PublicRows<P> for EncodedRows<'_, P> {
    fn row<B: Backend>(&mut self, backend: B, i: u8) -> (&[NttPoly<P::Field>], &NttPoly<P::Field>) {
        let RowScratch { a_hat, t1, t1_hat } = &mut *self.scratch;
        sample::expand_a_row::<P, B>(backend, self.pk.rho, i, a_hat);
        if let Some(bytes) = self.pk.t1.chunks_exact(keys::T1_LEN).nth(usize::from(i)) {
            bits::simple_bit_unpack(backend, 10, bytes, t1);
        }
        for t1 in &mut t1.0 {
            *t1 <<= D;
        }
        backend.ntt(t1, t1_hat);
        (Vector::as_ref(a_hat), t1_hat)
    }
}

/// A public key with all its rows, and its hash. Large: 20 to 64 KiB.
pub struct PreparedVerifyingKey<P: ParameterSet> {
    tr: [u8; 64],
    a_hat: Matrix<P::Field, P::K, P::L>,
    t1_hat: Vector<NttPoly<P::Field>, P::K>,
}

impl<P: ParameterSet> Zeroed for PreparedVerifyingKey<P> {
    const ZERO: Self = Self {
        tr: [0; 64],
        a_hat: Matrix::<P::Field, P::K, P::L>::ZERO,
        t1_hat: Vector::ZERO,
    };
}

impl<P: ParameterSet> PreparedVerifyingKey<P> {
    /// Takes a public key; every one of the right length is valid.
    pub fn set<B: Backend>(&mut self, backend: B, pk: &P::PublicKey) {
        self.tr = hash::public_key_hash(pk.as_ref());
        let mut scratch = RowScratch::ZERO;
        let mut rows = EncodedRows::<P>::new(pk, &mut scratch);
        for (i, (a_hat, t1_hat)) in (0..).zip(self.a_hat.iter_mut().zip(self.t1_hat.iter_mut())) {
            let row = rows.row(backend, i);
            a_hat.as_mut().clone_from_slice(row.0);
            t1_hat.clone_from(row.1);
        }
    }

    /// tr, the hash of the public key, with which μ starts.
    pub fn tr(&self) -> &[u8; 64] {
        &self.tr
    }
}

impl<P: ParameterSet> PublicRows<P> for &PreparedVerifyingKey<P> {
    fn row<B: Backend>(&mut self, _: B, i: u8) -> (&[NttPoly<P::Field>], &NttPoly<P::Field>) {
        let i = usize::from(i);
        (self.a_hat.as_ref()[i].as_ref(), &self.t1_hat.as_ref()[i])
    }
}
