//! Keys as the algorithms use them: decoded, with Â and a hash that has absorbed tr.

use moissanite_core::backend::Backend;
use moissanite_core::poly::{Matrix, NttPoly, Poly, Rotations, Vector};
use moissanite_core::sample::HashAlongside;
use moissanite_core::secret::{Secret, Wipe, Zeroed, wipe};
use moissanite_core::shape::Rank;

use crate::encode::{self, PrivateKeyParts};
use crate::error::InvalidKey;
use crate::hash::MuBuilder;
use crate::keygen::{Rows, decode_small};
use crate::params::{K, PRIVATE_KEY_LEN, PUBLIC_KEY_LEN, T_LEN, ZkField};

type AHat = Matrix<ZkField, Rank<K>, Rank<K>>;

/// The values that signing computes from a private key. They are wiped when they are dropped.
pub(crate) struct SigningState {
    pub(crate) k: Secret<[u8; 32]>,
    pub(crate) tr: [u8; 32],
    pub(crate) a_hat: AHat,
    pub(crate) s1: Secret<[Rotations<i8>; K]>,
    pub(crate) s2: Secret<[Rotations<i8>; K]>,
}

impl Zeroed for SigningState {
    const ZERO: Self = Self {
        k: Secret::ZERO,
        tr: [0; 32],
        a_hat: AHat::ZERO,
        s1: Secret::ZERO,
        s2: Secret::ZERO,
    };
}

impl Default for SigningState {
    /// This is inlined, so that a `Box` is initialized in place.
    #[inline(always)]
    fn default() -> Self {
        Self::ZERO
    }
}

impl SigningState {
    /// Takes a private key, of which only the ranges of s₁ and s₂ are checked. After an error,
    /// `self` is unspecified.
    pub(crate) fn set<B: Backend>(
        &mut self,
        backend: B,
        sk: &[u8; PRIVATE_KEY_LEN],
    ) -> Result<(), InvalidKey> {
        let PrivateKeyParts { rho, k, tr, s, .. } = encode::split_private_key(sk);
        *self.k = *k;
        self.tr = *tr;
        let mut decoded = Secret::new(Poly::ZERO);
        for (rotations, bytes) in self.s1.iter_mut().chain(self.s2.iter_mut()).zip(s) {
            decode_small(backend, bytes, &mut decoded)?;
            rotations.set(&decoded);
        }
        let mut window = Zeroed::ZERO;
        let mut rows = Rows::<B>::with_len(backend, rho, &mut window);
        for a_hat in self.a_hat.iter_mut() {
            a_hat
                .as_mut()
                .clone_from_slice(rows.next_row(HashAlongside::Nothing));
        }
        Ok(())
    }
}

impl Wipe for SigningState {
    fn wipe(&mut self) {
        wipe(core::slice::from_mut(&mut self.k));
        wipe(core::slice::from_mut(&mut self.s1));
        wipe(core::slice::from_mut(&mut self.s2));
    }
}

/// The values that verification computes from a public key, one row at a time from the first on.
/// They are kept in memory, or computed on request.
pub(crate) trait PublicRows {
    /// The next row of Â, and NTT(t) of the same index. There are K.
    fn next_row(&mut self) -> (&[NttPoly<ZkField>], &NttPoly<ZkField>);
    /// Returns the hash that has absorbed tr. This is cheapest after the last row.
    fn mu<B: Backend>(&mut self, backend: B) -> MuBuilder;
}

/// A public key in bytes: each row is computed on request, and tr alongside.
pub(crate) struct EncodedRows<'a, B: Backend> {
    backend: B,
    pk: &'a [u8; PUBLIC_KEY_LEN],
    a_hat: Rows<'a, B>,
    t_bytes: core::slice::Iter<'a, [u8; T_LEN]>,
    t: &'a mut Poly<ZkField>,
    t_hat: &'a mut NttPoly<ZkField>,
}

/// The memory of [`EncodedRows`].
pub(crate) struct RowScratch<B: Backend> {
    a_hat: B::Window<NttPoly<ZkField>, Rank<K>>,
    t: Poly<ZkField>,
    t_hat: NttPoly<ZkField>,
}

impl<B: Backend> Zeroed for RowScratch<B> {
    const ZERO: Self = Self {
        a_hat: Zeroed::ZERO,
        t: Poly::ZERO,
        t_hat: NttPoly::ZERO,
    };
}

impl<'a, B: Backend> EncodedRows<'a, B> {
    /// Takes a public key whose elements are less than q.
    pub(crate) fn new(
        backend: B,
        pk: &'a [u8; PUBLIC_KEY_LEN],
        scratch: &'a mut RowScratch<B>,
    ) -> Self {
        let (rho, t_bytes) = encode::split_public_key(pk);
        let RowScratch { a_hat, t, t_hat } = scratch;
        Self {
            backend,
            pk,
            a_hat: Rows::with_len(backend, rho, a_hat),
            t_bytes: t_bytes.iter(),
            t,
            t_hat,
        }
    }

    /// tr.
    fn tr(&mut self) -> [u8; 32] {
        let mut tr = [0; 32];
        core::mem::take(self.a_hat.hashing()).finish([self.pk], &mut tr);
        tr
    }
}

impl<B: Backend> PublicRows for EncodedRows<'_, B> {
    fn next_row(&mut self) -> (&[NttPoly<ZkField>], &NttPoly<ZkField>) {
        if let Some(bytes) = self.t_bytes.next() {
            let in_range = encode::unpack_t(self.backend, bytes, self.t);
            debug_assert!(in_range.is_some(), "every public key has been checked");
        }
        self.backend.ntt(self.t, self.t_hat);
        (
            self.a_hat.next_row(HashAlongside::Whole(self.pk)),
            self.t_hat,
        )
    }
    fn mu<C: Backend>(&mut self, backend: C) -> MuBuilder {
        MuBuilder::new(backend, &self.tr())
    }
}

/// A public key with all its rows, and the hash that has absorbed tr.
pub(crate) struct VerifyingState {
    pub(crate) tr: [u8; 32],
    pub(crate) mu: MuBuilder,
    a_hat: AHat,
    t_hat: Vector<NttPoly<ZkField>, Rank<K>>,
}

impl Zeroed for VerifyingState {
    const ZERO: Self = Self {
        tr: [0; 32],
        mu: MuBuilder::ZERO,
        a_hat: AHat::ZERO,
        t_hat: Vector::ZERO,
    };
}

impl VerifyingState {
    /// Takes a public key whose elements are less than q.
    pub(crate) fn set<B: Backend>(&mut self, backend: B, pk: &[u8; PUBLIC_KEY_LEN]) {
        let mut scratch = RowScratch::ZERO;
        let mut rows = EncodedRows::new(backend, pk, &mut scratch);
        for (a_hat, t_hat) in self.a_hat.iter_mut().zip(self.t_hat.iter_mut()) {
            let (row, t) = rows.next_row();
            a_hat.as_mut().clone_from_slice(row);
            t_hat.clone_from(t);
        }
        self.tr = rows.tr();
        self.mu = MuBuilder::new(backend, &self.tr);
    }

    /// The rows, from the first on.
    pub(crate) fn rows(&self) -> PreparedRows<'_> {
        PreparedRows { key: self, next: 0 }
    }
}

/// The rows of a [`VerifyingState`].
pub(crate) struct PreparedRows<'a> {
    key: &'a VerifyingState,
    next: usize,
}

impl PublicRows for PreparedRows<'_> {
    fn next_row(&mut self) -> (&[NttPoly<ZkField>], &NttPoly<ZkField>) {
        let i = self.next;
        self.next += 1;
        let VerifyingState { a_hat, t_hat, .. } = self.key;
        (a_hat.as_ref()[i].as_ref(), &t_hat.as_ref()[i])
    }
    fn mu<B: Backend>(&mut self, _: B) -> MuBuilder {
        self.key.mu.clone()
    }
}
