//! Small tests for Miri, which executes them slowly: with the tests of the registers in `simd.rs`, they execute
//! each `unsafe` block and each shape of loop of a backend at least once. The other tests compare values.

use std::vec::Vec;

use super::{Random, backends};
use crate::backend::{Backend, Portable};
use crate::encode::bits;
use crate::field::{Field, MlDsaField};
use crate::hash::MuBuilder;
use crate::known_answers::KnownAnswers;
use crate::params::{Fips204, MlDsa44, MlDsa65, MlDsa87, ParameterSet};
use crate::poly::{BytePoly, NttPoly, Poly, Rotations};
use crate::prepared::{EncodedRows, RowScratch, SigningState, VerifyingState};
use crate::secret::Zeroed;
use crate::shape::N;
use crate::verify::MessageRepresentative;
use crate::{keygen, sign, verify};

on_every_backend! { each_kernel }
on_every_backend_and_set! { a_key_signs_and_verifies }

/// Each kernel gives the result of the portable code, for one input.
fn each_kernel<B: Backend>(backend: B) {
    assert_eq!(transforms(backend), transforms(Portable));
    assert_eq!(
        products::<B, i8>(backend),
        products::<Portable, i8>(Portable)
    );
    assert_eq!(
        products::<B, i16>(backend),
        products::<Portable, i16>(Portable)
    );
    assert_eq!(
        rounded::<MlDsa44, B>(backend),
        rounded::<MlDsa44, _>(Portable)
    );
    assert_eq!(
        rounded::<MlDsa65, B>(backend),
        rounded::<MlDsa65, _>(Portable)
    );
    assert_eq!(packed(backend), packed(Portable));
    assert_eq!(rejected(backend), rejected(Portable));
}

type MlDsaPoly = Poly<MlDsaField>;

fn coefficients(seed: u64, low: i32, high: i32) -> [i32; N] {
    Random(seed).coefficients(low, high)
}

/// NTTs and products modulo q, whose representatives depend on the backend.
fn transforms<B: Backend>(backend: B) -> Vec<i32> {
    let q = MlDsaField::Q;
    let w = MlDsaPoly::new(coefficients(40, -q, q));
    let [mut w_hat, mut product, mut difference] = [(); 3].map(|()| NttPoly::ZERO);
    backend.ntt(&w, &mut w_hat);
    let ntt_poly = |coefficients| {
        let mut poly = NttPoly::ZERO;
        poly.0 = coefficients;
        poly
    };
    let a = [41, 42].map(|seed| ntt_poly(coefficients(seed, 0, q - 1)));
    let b = [w_hat.0, coefficients(43, -q, q)].map(ntt_poly);
    backend.inner_product(&a, &b, &mut product);
    backend.inner_product_minus(&a, &b, (&a[0], &b[1]), &mut difference);
    let mut back = MlDsaPoly::ZERO;
    backend.inverse_ntt(&product, &mut back);
    let all = [w_hat.0, product.0, difference.0, back.0];
    all.into_iter().flatten().map(|x| x.rem_euclid(q)).collect()
}

fn products<B: Backend, T: crate::poly::Small>(backend: B) -> Vec<i32> {
    let mut c = MlDsaPoly::ZERO;
    for (j, sign) in [(0, 1), (3, -1), (128, -1), (255, 1)] {
        c.0[j] = sign;
    }
    let c = backend.challenge(&c);
    let mut s = Rotations::<T>::ZERO;
    s.set(&MlDsaPoly::new(coefficients(44, -4, 4)));
    let mut acc = MlDsaPoly::new(coefficients(45, -1000, 1000));
    backend.add_product(&mut acc, &c, &s, 4);
    let mut other = acc.clone();
    backend.sub_product(&mut other, &c, &s, 4);
    backend.add(&mut acc, &other);
    [acc.0, other.0].concat()
}

fn rounded<P: ParameterSet<Field = MlDsaField>, B: Backend>(backend: B) -> Vec<i32> {
    let q = MlDsaField::Q;
    let mut all = Vec::new();
    let (mut t, mut t1) = (MlDsaPoly::new(coefficients(46, 0, q - 1)), MlDsaPoly::ZERO);
    backend.power2round(&mut t, &mut t1);
    let w = MlDsaPoly::new(coefficients(47, 0, q - 1));
    let (mut w0, mut w1) = (w.clone(), BytePoly::ZERO);
    backend.decompose::<P>(&mut w0, &mut w1);
    all.extend([t.0, t1.0, w0.0].into_iter().flatten());
    all.extend(w1.0.map(i32::from));
    all.push(backend.make_hint::<P>(&w0, &mut w1));
    all.extend(w1.0.map(i32::from));
    backend.use_hint::<P>(&w, &mut w1);
    all.extend(w1.0.map(i32::from));
    all.push(backend.norm_at_least(&w0, P::GAMMA2 / 2));
    all.push(backend.norm_at_least(&w0, P::GAMMA2 + 1));
    all
}

/// All widths, with coefficients of three bits.
fn packed<B: Backend>(backend: B) -> Vec<Vec<u8>> {
    let code = |width: usize| {
        let w = MlDsaPoly::new(coefficients(48, 0, 7));
        let (mut bytes, mut again) = (std::vec![0; 32 * width], MlDsaPoly::ZERO);
        bits::simple_bit_pack(backend, width, &w, &mut bytes);
        bits::simple_bit_unpack(backend, width, &bytes, &mut again);
        assert_eq!(again.0, w.0);
        bits::bit_unpack(backend, width, 7, &bytes, &mut again);
        let mut from_upper = std::vec![0; 32 * width];
        bits::bit_pack(backend, width, 7, &again, &mut from_upper);
        assert_eq!(from_upper, bytes);
        bytes
    };
    [3, 4, 6, 10, 13, 18, 20, 24].map(code).into()
}

/// Blocks with room for all candidates, and at the end of a polynomial.
fn rejected<B: Backend>(backend: B) -> Vec<i32> {
    let (block, half) = (Random(49).bytes::<168>(), Random(50).bytes::<136>());
    let mut all = Vec::new();
    for filled in [0, 230] {
        let mut a = NttPoly::<MlDsaField>::ZERO;
        let count = backend.reject_uniform(&block, &mut a, filled);
        all.extend(a.0[..count].iter());
        for eta in [2, 4] {
            let mut s = MlDsaPoly::ZERO;
            let count = backend.reject_bounded(&half, eta, &mut s, filled);
            all.extend(s.0[..count].iter());
        }
    }
    all
}

/// Key generation, import, one attempt of signing, and verification of encoded and prepared keys. Miri runs
/// this with the smallest set, whose code is the same.
fn a_key_signs_and_verifies<P: Fips204, B: Backend>(backend: B) {
    if cfg!(miri) && P::NAME != MlDsa44::NAME {
        return;
    }
    let known = MlDsa44::KNOWN;
    let (mut pk, mut sk) = (P::PublicKey::ZERO, P::PrivateKey::ZERO);
    let mut scratch = keygen::Scratch::<P, B>::ZERO;
    keygen::keygen_internal::<P, B>(backend, &known.seed, &mut pk, &mut sk, &mut scratch);
    if P::NAME == MlDsa44::NAME {
        assert!(pk.as_ref() == known.public_key);
    }

    let mut signing = SigningState::<P>::ZERO;
    signing.set(backend, &sk).unwrap();
    let mut mu = MuBuilder::<P::Scheme>::new(signing.tr());
    mu.pure(b"");
    mu.update(b"one attempt 3");
    let mu = mu.finish();
    let mut sigma = P::Signature::ZERO;
    // Only the smallest set needs a message that one attempt signs.
    let attempts = if cfg!(miri) { 1 } else { sign::MAX_ATTEMPTS };
    let rnd = sign::Rnd::Deterministic;
    let mut scratch = sign::Scratch::ZERO;
    sign::sign_mu(
        backend,
        &signing,
        &mu,
        rnd,
        attempts,
        &mut scratch,
        &mut sigma,
    )
    .unwrap();

    let mut scratch = verify::Scratch::ZERO;
    let mut rows = RowScratch::ZERO;
    let rows = EncodedRows::<P, B>::new(backend, &pk, &mut rows);
    let mu = MessageRepresentative::Mu(&mu);
    assert!(verify::verify(backend, rows, mu, &sigma, &mut scratch));
    let mut verifying = VerifyingState::<P>::ZERO;
    verifying.set(backend, &pk);
    sigma.as_mut()[0] ^= 1;
    let rows = verifying.rows();
    assert!(!verify::verify(backend, rows, mu, &sigma, &mut scratch));
}
