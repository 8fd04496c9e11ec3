//! The encoding of bits and bytes, and the layout of keys and signatures.

use std::vec::Vec;

use super::{Random, backends};
use crate::backend::Backend;
use crate::encode::{bits, keys, signature};
use crate::field::MlDsaField;
use crate::params::{Fips204, MlDsa44, MlDsa65, MlDsa87};
use crate::poly::{BytePoly, Poly, Vector};
use crate::prepared::SigningState;
use crate::reference::{self, Coefficients};
use crate::secret::Wipe as _;
use crate::secret::Zeroed;
use crate::shape::Dim;
use crate::shape::N;

on_every_backend! { simple_widths centered_widths byte_widths }
on_every_backend_and_set! {
    eta_decode_refuses_every_bad_code
    eta_round_trip
    signature_parts
}

/// Returns codes with `bits` bits: the smallest and the largest, those with one bit, and some
/// without a pattern.
fn codes(bits: usize) -> Vec<Coefficients> {
    let most = (1 << bits) - 1;
    let mut random = Random(19);
    let mut codes: Vec<Coefficients> = std::vec![
        [0; N],
        [most; N],
        core::array::from_fn(|j| if j % 2 == 0 { most } else { 0 }),
        core::array::from_fn(|j| 1 << (j % bits)),
        core::array::from_fn(|j| j as i32 & most),
    ];
    codes.extend((0..10).map(|_| random.coefficients(0, most)));
    codes
}

/// The widths of t₁, w₁, and whole field elements.
fn simple_widths<B: Backend>(backend: B) {
    for width in [4, 6, 10, 24] {
        for codes in codes(width) {
            let expected = reference::simple_bit_pack(width, &codes);
            assert_eq!(reference::simple_bit_unpack(width, &expected), codes);
            let mut bytes = std::vec![0xa5; 32 * width];
            bits::simple_bit_pack(backend, width, &Poly::<MlDsaField>::new(codes), &mut bytes);
            assert_eq!(bytes, expected, "{width} bits");
            let mut back = Poly::<MlDsaField>::new([-1; N]);
            bits::simple_bit_unpack(backend, width, &bytes, &mut back);
            assert_eq!(back.0, codes, "{width} bits");
        }
    }
}

/// s₁ and s₂, t₀, and z, with the width and upper end of each.
fn centered_widths<B: Backend>(backend: B) {
    for (width, upper) in [(3, 2), (4, 4), (13, 1 << 12), (18, 1 << 17), (20, 1 << 19)] {
        for codes in codes(width) {
            let w = codes.map(|code| upper - code);
            let expected = reference::bit_pack(width, upper, &w);
            assert_eq!(reference::bit_unpack(width, upper, &expected), w);
            let (upper, mut bytes) = (upper as u32, std::vec![0xa5; 32 * width]);
            bits::bit_pack(
                backend,
                width,
                upper,
                &Poly::<MlDsaField>::new(w),
                &mut bytes,
            );
            assert_eq!(bytes, expected, "{width} bits");
            let mut back = Poly::<MlDsaField>::ZERO;
            bits::bit_unpack(backend, width, upper, &bytes, &mut back);
            assert_eq!(back.0, w, "{width} bits");
        }
    }
}

fn byte_widths<B: Backend>(backend: B) {
    for width in [4, 6] {
        for codes in codes(width) {
            let mut bytes = std::vec![0xa5; 32 * width];
            let w1 = BytePoly(codes.map(|code| code as u8));
            bits::simple_bit_pack_bytes(backend, width, &w1, &mut bytes);
            assert_eq!(
                bytes,
                reference::simple_bit_pack(width, &codes),
                "{width} bits"
            );
        }
    }
}

fn eta_decode_refuses_every_bad_code<P: Fips204, B: Backend>(backend: B) {
    let mut s = Poly::<P::Field>::ZERO;
    let mut random = Random(20);
    let eta = P::ETA as i32;
    // All valid codes pass; an invalid code is found at every position.
    let codes: Coefficients = core::array::from_fn(|j| j as i32 % (2 * eta + 1));
    let good = reference::simple_bit_pack(P::ETA_BITS, &codes);
    assert!(keys::eta_decode::<P, B>(backend, &good, &mut s).is_ok());
    assert_eq!(s.0, codes.map(|code| eta - code));
    let mut refused = 0;
    for j in 0..N {
        for bad in 2 * eta + 1..1 << P::ETA_BITS {
            let mut codes = random.coefficients(0, 2 * eta);
            codes[j] = bad;
            let bytes = reference::simple_bit_pack(P::ETA_BITS, &codes);
            let result = keys::eta_decode::<P, B>(backend, &bytes, &mut s);
            assert_eq!(result, Err(keys::OutOfRange), "{bad} at {j}");
            refused += 1;
        }
    }
    assert_eq!(refused, N * if P::ETA == 2 { 3 } else { 7 });
}

fn eta_round_trip<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(21);
    let mut s = Vector::<Poly<P::Field>, P::K>::ZERO;
    for s in s.iter_mut() {
        s.0 = random.coefficients(-(P::ETA as i32), P::ETA as i32);
    }
    let mut bytes = std::vec![0xa5; 32 * P::ETA_BITS * P::K::N];
    keys::eta_encode::<P, B, P::K>(backend, &s, &mut bytes);
    for (s, bytes) in s.iter().zip(bytes.chunks(32 * P::ETA_BITS)) {
        assert_eq!(bytes, reference::bit_pack(P::ETA_BITS, P::ETA as i32, &s.0));
        let mut back = Poly::ZERO;
        keys::eta_decode::<P, B>(backend, bytes, &mut back).unwrap();
        assert_eq!(back.0, s.0);
    }
}

/// c̃, z and h are consecutive and have the lengths in the standard.
fn signature_parts<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(23);
    let c_tilde: Vec<u8> = random.bytes::<64>()[..P::LAMBDA / 4].to_vec();
    let (mut z, mut h) = (Vector::<Poly<P::Field>, P::L>::ZERO, Vector::ZERO);
    let gamma1 = P::GAMMA1 as i32;
    for z in z.iter_mut() {
        z.0 = random.coefficients(1 - gamma1, gamma1 - 1);
        (z.0[0], z.0[255]) = (1 - gamma1, gamma1 - 1);
    }
    for (i, h) in h.iter_mut().enumerate() {
        let h: &mut BytePoly = h;
        h.0[3 * i] = 1;
        h.0[255] = 1;
    }
    let mut sigma = P::Signature::ZERO;
    signature::sig_encode::<P, B>(backend, &c_tilde, z.as_ref(), &h, &mut sigma);
    let z_bits = if P::NAME == "ML-DSA-44" { 18 } else { 20 };
    let z_bytes: Vec<_> = z
        .iter()
        .flat_map(|z| reference::bit_pack(z_bits, gamma1, &z.0))
        .collect();
    let h: Vec<_> = h.iter().map(|h| h.0).collect();
    let h_bytes = reference::hint_bit_pack(P::OMEGA, &h);
    assert_eq!(sigma.as_ref(), [&c_tilde[..], &z_bytes, &h_bytes].concat());
    let parts = signature::sig_split::<P>(&sigma);
    assert_eq!(
        (parts.c_tilde, parts.z, parts.h),
        (&c_tilde[..], &z_bytes[..], &h_bytes[..])
    );
}

/// ρ, K, tr, s₁, s₂, t₀ of a private key and ρ, t₁ of a public key are consecutive and have the
/// lengths in FIPS 204.
fn key_parts<P: Fips204>(s1_len: usize, s2_len: usize, t0_len: usize, t1_len: usize) {
    let mut random = Random(24);
    let mut sk = P::PrivateKey::ZERO;
    sk.as_mut()
        .iter_mut()
        .for_each(|byte| *byte = random.next() as u8);
    let lens = [32, 32, 64, s1_len, s2_len, t0_len];
    let expected: Vec<Vec<u8>> = lens
        .iter()
        .scan(0, |at, len| {
            *at += len;
            Some(sk.as_ref()[*at - len..*at].to_vec())
        })
        .collect();
    assert_eq!(lens.iter().sum::<usize>(), sk.as_ref().len());
    let parts = keys::sk_split::<P>(&sk);
    let found: [&[u8]; 6] = [parts.rho, parts.k, parts.tr, parts.s1, parts.s2, parts.t0];
    assert_eq!(found.map(<[u8]>::to_vec)[..], expected);
    let parts = keys::sk_split_mut::<P>(&mut sk);
    let found: [&[u8]; 6] = [parts.rho, parts.k, parts.tr, parts.s1, parts.s2, parts.t0];
    assert_eq!(found.map(<[u8]>::to_vec)[..], expected);

    let mut pk = P::PublicKey::ZERO;
    pk.as_mut()
        .iter_mut()
        .for_each(|byte| *byte = random.next() as u8);
    let parts = keys::pk_split::<P>(&pk);
    assert_eq!((&parts.rho[..], parts.t1), pk.as_ref().split_at(32));
    assert_eq!(parts.t1.len(), t1_len);
}

#[test]
fn keys_lie_as_the_standard_says() {
    key_parts::<MlDsa44>(384, 384, 1664, 1280);
    key_parts::<MlDsa65>(640, 768, 2496, 1920);
    key_parts::<MlDsa87>(672, 768, 3328, 2560);
}

/// The numbers of Table 1 from which all others are derived.
#[test]
fn widths() {
    fn of<P: Fips204>() -> [usize; 4] {
        [P::ETA_BITS, P::Z_BITS, P::W1_BITS, P::C_TILDE_LEN]
    }
    assert_eq!(of::<MlDsa44>(), [3, 18, 6, 32]);
    assert_eq!(of::<MlDsa65>(), [4, 20, 4, 48]);
    assert_eq!(of::<MlDsa87>(), [3, 20, 4, 64]);
}

/// Wiping a prepared key removes K, s₁, s₂ and t₀.
#[test]
fn prepared_keys_are_wiped() {
    let (_, sk) = reference::keygen::<MlDsa44>(&[1; 32]);
    let mut key = SigningState::<MlDsa44>::ZERO;
    let secrets = |key: &SigningState<MlDsa44>| {
        let short = key.s1.iter().chain(key.s2.iter());
        let short = short.map(|s| s.0.as_flattened().iter().any(|s| *s != 0));
        let small =
            short.chain((key.t0.iter()).map(|t| t.0.as_flattened().iter().any(|t| *t != 0)));
        [key.k.iter().any(|k| *k != 0)]
            .into_iter()
            .chain(small)
            .collect::<Vec<_>>()
    };
    key.set(crate::backend::Portable, &sk.try_into().unwrap())
        .unwrap();
    assert_eq!(secrets(&key), [true; 13]);
    key.wipe();
    assert_eq!(secrets(&key), [false; 13]);
}
