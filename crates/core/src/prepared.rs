//! Keys in the form that the algorithms use: decoded, and with Â.

use core::slice::Iter;

use crate::backend::Backend;
use crate::encode::{bits, keys};
use crate::params::ParameterSet;
use crate::poly::{Matrix, NttPoly, Poly, Rotations, Vector};
use crate::sample::{self, HashAlongside};
use crate::secret::{Secret, Wipe, Zeroed, wipe};

/// A private key in the form that signing uses. It is large: 24, 42 or 72 KiB. It is wiped when it
/// is dropped.
pub struct SigningState<P: ParameterSet> {
    pub(crate) k: Secret<[u8; 32]>,
    pub(crate) tr: [u8; 64],
    pub(crate) a_hat: Matrix<P::Field, P::K, P::L>,
    pub(crate) s1: Secret<Vector<Rotations<i8>, P::L>>,
    pub(crate) s2: Secret<Vector<Rotations<i8>, P::K>>,
    pub(crate) t0: Secret<Vector<Rotations<i16>, P::K>>,
}

impl<P: ParameterSet> Zeroed for SigningState<P> {
    const ZERO: Self = Self {
        k: Secret::ZERO,
        tr: [0; 64],
        a_hat: Matrix::<P::Field, P::K, P::L>::ZERO,
        s1: Secret::ZERO,
        s2: Secret::ZERO,
        t0: Secret::ZERO,
    };
}

impl<P: ParameterSet> Default for SigningState<P> {
    /// Returns a state without a key. This is inlined, so that a `Box` of it is created in place.
    #[inline(always)]
    fn default() -> Self {
        Self::ZERO
    }
}

impl<P: ParameterSet> SigningState<P> {
    /// FIPS 204, Algorithm 25 (skDecode), and line 5 of Algorithm 7.
    ///
    /// # Errors
    /// [`keys::OutOfRange`] if a coefficient of s₁ or s₂ is out of range. `self` is then
    /// unspecified.
    // This is not inlined, so that its variables are not on the stack during signing.
    #[inline(never)]
    pub fn set<B: Backend>(
        &mut self,
        backend: B,
        sk: &P::PrivateKey,
    ) -> Result<(), keys::OutOfRange> {
        let parts = keys::sk_split::<P>(sk);
        *self.k = *parts.k;
        self.tr[..P::TR_LEN].copy_from_slice(parts.tr);
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

    /// Returns tr, the hash of the public key, which is the first input of μ.
    pub fn tr(&self) -> &[u8; 64] {
        &self.tr
    }
}

#[diagnostic::do_not_recommend]
impl<P: ParameterSet> Wipe for SigningState<P> {
    fn wipe(&mut self) {
        let Self { k, s1, s2, t0, .. } = self;
        wipe(core::slice::from_mut(k));
        wipe(core::slice::from_mut(s1));
        wipe(core::slice::from_mut(s2));
        wipe(core::slice::from_mut(t0));
    }
}

/// A row of Â, and NTT(t₁) of the same index.
pub type Row<'a, P> = (
    &'a [NttPoly<<P as ParameterSet>::Field>],
    &'a NttPoly<<P as ParameterSet>::Field>,
);

/// A public key in the form that verification uses, one row at a time from the first on. The rows
/// are either stored, or computed on request.
pub trait PublicRows<P: ParameterSet> {
    /// Returns the next row of Â and the polynomial of NTT(t₁) with the same index, or `None` after
    /// K rows.
    fn next_row(&mut self) -> Option<Row<'_, P>>;
    /// Returns tr, the hash of the public key. This is cheapest after the last row.
    fn tr(&mut self) -> [u8; 64];
}

/// A public key in bytes, whose rows are computed on request.
pub struct EncodedRows<'a, P: ParameterSet, B: Backend> {
    backend: B,
    pk: &'a P::PublicKey,
    alongside: HashAlongside<'a>,
    a_hat: sample::Rows<'a, P, B>,
    t1_bytes: core::slice::ChunksExact<'a, u8>,
    t1: &'a mut Poly<P::Field>,
    t1_hat: &'a mut NttPoly<P::Field>,
}

/// The scratch memory of [`EncodedRows`].
pub struct RowScratch<P: ParameterSet, B: Backend> {
    a_hat: B::Window<NttPoly<P::Field>, P::L>,
    t1: Poly<P::Field>,
    t1_hat: NttPoly<P::Field>,
}

impl<P: ParameterSet, B: Backend> Zeroed for RowScratch<P, B> {
    const ZERO: Self = Self {
        a_hat: Zeroed::ZERO,
        t1: Poly::ZERO,
        t1_hat: NttPoly::ZERO,
    };
}

impl<'a, P: ParameterSet, B: Backend> EncodedRows<'a, P, B> {
    /// FIPS 204, Algorithm 23 (pkDecode), whose rows are decoded on request.
    pub fn new(backend: B, pk: &'a P::PublicKey, scratch: &'a mut RowScratch<P, B>) -> Self {
        let parts = keys::pk_split::<P>(pk);
        let RowScratch { a_hat, t1, t1_hat } = scratch;
        Self {
            backend,
            pk,
            alongside: HashAlongside::Nothing,
            a_hat: sample::Rows::new(backend, parts.rho, a_hat),
            t1_bytes: parts.t1.chunks_exact(keys::T1_LEN),
            t1,
            t1_hat,
        }
    }

    /// Computes tr alongside the rows where this is faster. Otherwise tr is computed on request.
    #[must_use]
    pub fn with_tr(self) -> Self {
        Self {
            alongside: HashAlongside::Whole(self.pk.as_ref()),
            ..self
        }
    }
}

impl<P: ParameterSet, B: Backend> PublicRows<P> for EncodedRows<'_, P, B> {
    fn next_row(&mut self) -> Option<Row<'_, P>> {
        let bytes = self.t1_bytes.next()?;
        bits::simple_bit_unpack(self.backend, 10, bytes, self.t1);
        self.backend.ntt(self.t1, self.t1_hat);
        Some((self.a_hat.next_row(self.alongside), self.t1_hat))
    }
    fn tr(&mut self) -> [u8; 64] {
        let mut tr = [0; 64];
        self.a_hat.hashing().finish([self.pk.as_ref()], &mut tr);
        tr
    }
}

/// A public key with all its rows and its hash. It is large: 20 to 64 KiB.
pub struct VerifyingState<P: ParameterSet> {
    tr: [u8; 64],
    a_hat: Matrix<P::Field, P::K, P::L>,
    t1_hat: Vector<NttPoly<P::Field>, P::K>,
}

impl<P: ParameterSet> Zeroed for VerifyingState<P> {
    const ZERO: Self = Self {
        tr: [0; 64],
        a_hat: Matrix::<P::Field, P::K, P::L>::ZERO,
        t1_hat: Vector::ZERO,
    };
}

impl<P: ParameterSet> VerifyingState<P> {
    /// Decodes a public key. Every key of the right length is valid.
    pub fn set<B: Backend>(&mut self, backend: B, pk: &P::PublicKey) {
        let mut scratch = RowScratch::ZERO;
        let mut rows = EncodedRows::<P, B>::new(backend, pk, &mut scratch).with_tr();
        for (a_hat, t1_hat) in self.a_hat.iter_mut().zip(self.t1_hat.iter_mut()) {
            if let Some((row, t1)) = rows.next_row() {
                for (to, from) in a_hat.iter_mut().zip(row) {
                    to.clone_from(from);
                }
                t1_hat.clone_from(t1);
            }
        }
        self.tr = rows.tr();
    }

    /// Returns tr, the hash of the public key, which is the first input of μ.
    pub fn tr(&self) -> &[u8; 64] {
        &self.tr
    }

    /// Returns the rows from the first on.
    pub fn rows(&self) -> PreparedRows<'_, P> {
        PreparedRows {
            tr: &self.tr,
            a_hat: self.a_hat.iter(),
            t1_hat: self.t1_hat.iter(),
        }
    }
}

/// The rows of a [`VerifyingState`].
pub struct PreparedRows<'a, P: ParameterSet> {
    tr: &'a [u8; 64],
    a_hat: Iter<'a, Vector<NttPoly<P::Field>, P::L>>,
    t1_hat: Iter<'a, NttPoly<P::Field>>,
}

impl<P: ParameterSet> PublicRows<P> for PreparedRows<'_, P> {
    fn next_row(&mut self) -> Option<Row<'_, P>> {
        Some((self.a_hat.next()?.as_ref(), self.t1_hat.next()?))
    }
    fn tr(&mut self) -> [u8; 64] {
        *self.tr
    }
}
