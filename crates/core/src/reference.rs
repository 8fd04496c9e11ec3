//! FIPS 204 as it is written, with which the tests compare their results. It is slow, uses plain
//! arrays, and computes by other methods than the tested code: hashes with the crate `shake`,
//! products as sums over all pairs, and the NTT as evaluation at roots. Only the numbers of Table 1
//! and `rounding.rs` are shared; the latter has its own tests.
//!
//! Only tests, and `cargo xtask killers`, use this module. Its functions panic if a length is wrong.

#![allow(
    clippy::integer_division_remainder_used,
    clippy::missing_panics_doc,
    clippy::needless_range_loop,
    clippy::unwrap_used,
    reason = "the loops and formulas are those of the standard, and no input is secret"
)]

use alloc::vec::Vec;

use shake::{ExtendableOutput, Shake, Update, XofReader};

use crate::field::{Field, MlDsaField};
use crate::params::ParameterSet;
use crate::rounding;
use crate::shape::Dim;
use crate::shape::N;

/// A polynomial, or an element of T_q.
pub type Coefficients = [i32; N];

const Q: i32 = MlDsaField::Q;
const D: u32 = 13;

/// Returns x modulo q, 0 ≤ · < q.
pub fn modulo<F: Field>(x: i64) -> i64 {
    x.rem_euclid(i64::from(F::Q))
}

/// Returns the unlimited output of H of section 3.7.
pub fn h(parts: &[&[u8]]) -> impl Iterator<Item = u8> + use<> {
    xof::<136>(parts)
}

/// Returns the unlimited output of G of section 3.7.
pub fn g(parts: &[&[u8]]) -> impl Iterator<Item = u8> + use<> {
    xof::<168>(parts)
}

fn xof<const RATE: usize>(parts: &[&[u8]]) -> impl Iterator<Item = u8> + use<RATE> {
    let mut hasher = Shake::<RATE>::default();
    for part in parts {
        hasher.update(part);
    }
    let mut reader = hasher.finalize_xof();
    let block = move || {
        let mut block = [0; RATE];
        reader.read(&mut block);
        block
    };
    core::iter::repeat_with(block).flatten()
}

/// Returns the first bytes of an XOF.
pub fn first<const LEN: usize>(mut xof: impl Iterator<Item = u8>) -> [u8; LEN] {
    core::array::from_fn(|_| xof.next().unwrap())
}

/// Algorithms 9 (IntegerToBits) and 12 (BitsToBytes), for consecutive integers.
fn integers_to_bytes(bits: usize, integers: impl Iterator<Item = u32>) -> Vec<u8> {
    let bits = integers.flat_map(|x| (0..bits).map(move |i| (x >> i & 1) as u8));
    let bits: Vec<u8> = bits.collect();
    let byte = |bits: &[u8]| bits.iter().rev().fold(0, |byte, bit| 2 * byte + bit);
    bits.chunks(8).map(byte).collect()
}

/// Algorithms 13 (BytesToBits) and 10 (BitsToInteger).
fn bytes_to_integers(bits: usize, bytes: &[u8]) -> Vec<u32> {
    let all: Vec<u32> = bytes
        .iter()
        .flat_map(|byte| (0..8).map(move |i| u32::from(byte >> i & 1)))
        .collect();
    let integer = |bits: &[u32]| bits.iter().rev().fold(0, |x, bit| 2 * x + bit);
    all.chunks(bits).map(integer).collect()
}

/// Algorithm 16 (SimpleBitPack).
pub fn simple_bit_pack(bits: usize, w: &Coefficients) -> Vec<u8> {
    integers_to_bytes(bits, w.iter().map(|w| *w as u32))
}

/// Algorithm 17 (BitPack), where `b` is the upper bound.
pub fn bit_pack(bits: usize, b: i32, w: &Coefficients) -> Vec<u8> {
    integers_to_bytes(bits, w.iter().map(|w| (b - w) as u32))
}

/// Algorithm 18 (SimpleBitUnpack).
pub fn simple_bit_unpack(bits: usize, bytes: &[u8]) -> Coefficients {
    let integers = bytes_to_integers(bits, bytes);
    core::array::from_fn(|j| integers[j] as i32)
}

/// Algorithm 19 (BitUnpack).
pub fn bit_unpack(bits: usize, b: i32, bytes: &[u8]) -> Coefficients {
    simple_bit_unpack(bits, bytes).map(|x| b - x)
}

/// Algorithm 20 (HintBitPack).
pub fn hint_bit_pack(omega: usize, h: &[[u8; N]]) -> Vec<u8> {
    let mut y = alloc::vec![0; omega + h.len()];
    let mut index = 0;
    for i in 0..h.len() {
        for j in 0..N {
            if h[i][j] != 0 {
                y[index] = j as u8;
                index += 1;
            }
        }
        y[omega + i] = index as u8;
    }
    y
}

/// Algorithm 21 (HintBitUnpack).
pub fn hint_bit_unpack(omega: usize, k: usize, y: &[u8]) -> Option<Vec<[u8; N]>> {
    let mut h = alloc::vec![[0; N]; k];
    let mut index = 0;
    for i in 0..k {
        if usize::from(y[omega + i]) < index || usize::from(y[omega + i]) > omega {
            return None;
        }
        let first = index;
        while index < usize::from(y[omega + i]) {
            if index > first && y[index - 1] >= y[index] {
                return None;
            }
            h[i][usize::from(y[index])] = 1;
            index += 1;
        }
    }
    for i in index..omega {
        if y[i] != 0 {
            return None;
        }
    }
    Some(h)
}

/// Algorithm 14 (CoeffFromThreeBytes).
pub fn coeff_from_three_bytes(b: [u8; 3]) -> Option<i32> {
    let [b0, b1, b2] = b.map(i32::from);
    let b2 = if b2 > 127 { b2 - 128 } else { b2 };
    let z = (b2 << 16) + (b1 << 8) + b0;
    (z < Q).then_some(z)
}

/// Algorithm 15 (CoeffFromHalfByte).
pub fn coeff_from_half_byte(eta: u32, b: u8) -> Option<i32> {
    let b = i32::from(b);
    match eta {
        2 if b < 15 => Some(2 - b % 5),
        4 if b < 9 => Some(4 - b),
        _ => None,
    }
}

/// Algorithm 29 (SampleInBall).
pub fn sample_in_ball(tau: usize, mut xof: impl Iterator<Item = u8>) -> Coefficients {
    let mut c = [0; N];
    let signs = bytes_to_integers(1, &first::<8>(&mut xof));
    for i in 256 - tau..256 {
        let j = loop {
            let j = usize::from(xof.next().unwrap());
            if j <= i {
                break j;
            }
        };
        c[i] = c[j];
        c[j] = if signs[i + tau - 256] == 1 { -1 } else { 1 };
    }
    c
}

/// Algorithm 30 (RejNTTPoly).
pub fn rej_ntt_poly(mut xof: impl Iterator<Item = u8>) -> Coefficients {
    let mut accepted =
        core::iter::from_fn(|| Some(coeff_from_three_bytes(first(&mut xof)))).flatten();
    core::array::from_fn(|_| accepted.next().unwrap())
}

/// Algorithm 31 (RejBoundedPoly).
pub fn rej_bounded_poly(eta: u32, xof: impl Iterator<Item = u8>) -> Coefficients {
    let mut accepted = xof
        .flat_map(|z| [z % 16, z / 16])
        .filter_map(|b| coeff_from_half_byte(eta, b));
    core::array::from_fn(|_| accepted.next().unwrap())
}

/// Algorithm 32 (ExpandA).
pub fn expand_a<P: ParameterSet>(rho: &[u8; 32]) -> Vec<Vec<Coefficients>> {
    let entry = |r: usize, s: usize| rej_ntt_poly(g(&[rho, &[s as u8, r as u8]]));
    (0..P::K::N)
        .map(|r| (0..P::L::N).map(|s| entry(r, s)).collect())
        .collect()
}

/// Algorithm 33 (ExpandS): s₁ followed by s₂.
pub fn expand_s<P: ParameterSet>(rho_prime: &[u8; 64]) -> Vec<Coefficients> {
    let poly = |r: usize| rej_bounded_poly(P::ETA, h(&[rho_prime, &[r as u8, (r >> 8) as u8]]));
    (0..P::L::N + P::K::N).map(poly).collect()
}

/// Algorithm 34 (ExpandMask).
pub fn expand_mask<P: ParameterSet>(rho: &[u8; 64], mu: usize) -> Vec<Coefficients> {
    let c = z_bits::<P>();
    let poly = |nonce: usize| {
        let xof = h(&[rho, &[nonce as u8, (nonce >> 8) as u8]]);
        let v: Vec<u8> = xof.take(32 * c).collect();
        bit_unpack(c, P::GAMMA1 as i32, &v)
    };
    (0..P::L::N).map(|r| poly(mu + r)).collect()
}

/// Returns ζ^e for e < 512.
fn powers<F: Field>() -> [i64; 512] {
    let mut power = 1;
    core::array::from_fn(|_| {
        let this = power;
        power = modulo::<F>(power * i64::from(F::ZETA));
        this
    })
}

/// Returns the exponent of ζ at which w is evaluated for element i of NTT(w) (section 2.5).
fn exponent(i: usize) -> usize {
    2 * usize::from((i as u8).reverse_bits()) + 1
}

/// The NTT, from its definition. Out: 0 ≤ · < q.
pub fn ntt<F: Field>(w: &Coefficients) -> Coefficients {
    let powers = powers::<F>();
    core::array::from_fn(|i| {
        let term = |(j, w): (usize, &i32)| i64::from(*w) * powers[exponent(i) * j % 512];
        modulo::<F>(w.iter().enumerate().map(term).sum()) as i32
    })
}

/// The inverse of [`ntt`]: ŵ_i times ζ^(−exponent · j), summed over i, and divided by 256.
pub fn inverse_ntt<F: Field>(w_hat: &Coefficients) -> Coefficients {
    let powers = powers::<F>();
    // 256 divides q − 1, so that −(q − 1)/256 is its inverse.
    let inverse_256 = -i64::from((F::Q - 1) / 256);
    core::array::from_fn(|j| {
        let term = |(i, w): (usize, &i32)| i64::from(*w) * powers[(512 - exponent(i)) * j % 512];
        let sum = modulo::<F>(w_hat.iter().enumerate().map(term).sum());
        modulo::<F>(sum * inverse_256) as i32
    })
}

/// a · b modulo X²⁵⁶ + 1, not reduced modulo q.
pub fn product(a: &Coefficients, b: &Coefficients) -> [i64; N] {
    let mut out = [0; N];
    for (i, a) in a.iter().enumerate().filter(|(_, a)| **a != 0) {
        let (wrapped, straight) = out.split_at_mut(i);
        for (out, b) in straight.iter_mut().zip(b) {
            *out += i64::from(*a) * i64::from(*b);
        }
        for (out, b) in wrapped.iter_mut().zip(&b[N - i..]) {
            *out -= i64::from(*a) * i64::from(*b);
        }
    }
    out
}

/// Returns a row of Â times a vector, transformed back to R_q. Out: 0 ≤ · < q.
pub fn row_times(a_hat: &[Coefficients], v_hat: &[Coefficients]) -> Coefficients {
    let entry = |j| {
        let term = |(a, v): (&Coefficients, &Coefficients)| i64::from(a[j]) * i64::from(v[j]);
        modulo::<MlDsaField>(a_hat.iter().zip(v_hat).map(term).sum()) as i32
    };
    inverse_ntt::<MlDsaField>(&core::array::from_fn(entry))
}

/// Returns a + b modulo q, 0 ≤ · < q.
pub fn combine(a: &Coefficients, b: impl Fn(usize) -> i64) -> Coefficients {
    core::array::from_fn(|j| modulo::<MlDsaField>(i64::from(a[j]) + b(j)) as i32)
}

/// ‖w‖∞ (section 2.3).
pub fn norm(w: &Coefficients) -> i32 {
    w.iter()
        .map(|w| rounding::mod_pm(*w, Q).abs())
        .max()
        .unwrap()
}

fn eta_bits<P: ParameterSet>() -> usize {
    if P::ETA == 2 { 3 } else { 4 }
}
/// The bits of an encoded coefficient of z.
pub fn z_bits<P: ParameterSet>() -> usize {
    if P::GAMMA1 == 1 << 17 { 18 } else { 20 }
}
fn w1_bits<P: ParameterSet>() -> usize {
    if P::GAMMA2 == (Q as u32 - 1) / 88 {
        6
    } else {
        4
    }
}

/// Algorithm 6 (ML-DSA.KeyGen_internal): the two keys.
pub fn keygen<P: ParameterSet>(xi: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
    let mut seeds = h(&[xi, &[P::K::N as u8, P::L::N as u8]]);
    let (rho, rho_prime, k) = (
        first(&mut seeds),
        first(&mut seeds),
        first::<32>(&mut seeds),
    );
    let a_hat = expand_a::<P>(&rho);
    let s = expand_s::<P>(&rho_prime);
    let (s1, s2) = s.split_at(P::L::N);
    let s1_hat: Vec<_> = s1.iter().map(ntt::<MlDsaField>).collect();
    let (mut pk, mut t0s) = (rho.to_vec(), Vec::new());
    for (a_hat, s2) in a_hat.iter().zip(s2) {
        let t = combine(&row_times(a_hat, &s1_hat), |j| s2[j].into());
        pk.extend(simple_bit_pack(10, &t.map(|t| rounding::power2round(t).0)));
        t0s.extend(bit_pack(
            13,
            1 << 12,
            &t.map(|t| rounding::power2round(t).1),
        ));
    }
    let tr = first::<64>(h(&[&pk]));
    let mut sk = [&rho[..], &k, &tr].concat();
    sk.extend(
        s.iter()
            .flat_map(|s| bit_pack(eta_bits::<P>(), P::ETA as i32, s)),
    );
    sk.extend(t0s);
    (pk, sk)
}

/// The four numbers that Algorithm 7 checks in an attempt: ‖z‖∞, ‖r₀‖∞, ‖ct₀‖∞ and the number of
/// ones in h must each be below a limit.
pub type Attempt = [i32; 4];

/// Returns the limits of the four numbers.
pub fn limits<P: ParameterSet>() -> Attempt {
    let (gamma1, gamma2) = (P::GAMMA1 as i32, P::GAMMA2 as i32);
    let beta = (P::TAU * P::ETA as usize) as i32;
    [gamma1 - beta, gamma2 - beta, gamma2, P::OMEGA as i32 + 1]
}

/// Returns whether an attempt passes all checks.
pub fn within_limits<P: ParameterSet>(attempt: &Attempt) -> bool {
    attempt
        .iter()
        .zip(limits::<P>())
        .all(|(x, limit)| *x < limit)
}

/// A signature, and all attempts, of which the last one gave the signature.
pub struct Signed {
    /// The signature.
    pub sigma: Vec<u8>,
    /// The attempts in their order.
    pub attempts: Vec<Attempt>,
}

/// Algorithm 7 (ML-DSA.Sign_internal), from line 7 on. `keep` returns whether an attempt is
/// accepted; in the standard, it is [`within_limits`].
pub fn sign<P: ParameterSet>(
    sk: &[u8],
    mu: &[u8; 64],
    rnd: &[u8; 32],
    keep: impl Fn(&Attempt) -> bool,
) -> Signed {
    let (rho, k) = (sk[..32].try_into().unwrap(), &sk[32..64]);
    let (s_len, t0_len) = (32 * eta_bits::<P>(), 32 * 13);
    let (s, t0) = sk[128..].split_at((P::L::N + P::K::N) * s_len);
    let s: Vec<_> = s
        .chunks(s_len)
        .map(|s| bit_unpack(eta_bits::<P>(), P::ETA as i32, s))
        .collect();
    let (s1, s2) = s.split_at(P::L::N);
    let t0: Vec<_> = t0
        .chunks(t0_len)
        .map(|t0| bit_unpack(13, 1 << 12, t0))
        .collect();
    let a_hat = expand_a::<P>(rho);
    let rho_second = first::<64>(h(&[k, rnd, mu]));
    let gamma2 = P::GAMMA2 as i32;
    let mut attempts = Vec::new();
    loop {
        let y = expand_mask::<P>(&rho_second, attempts.len() * P::L::N);
        let y_hat: Vec<_> = y.iter().map(ntt::<MlDsaField>).collect();
        let w: Vec<_> = a_hat.iter().map(|a_hat| row_times(a_hat, &y_hat)).collect();
        let c_tilde = commit::<P>(
            mu,
            w.iter().map(|w| w.map(|w| rounding::high_bits(w, gamma2))),
        );
        let c = sample_in_ball(P::TAU, h(&[&c_tilde]));
        let times_c = |s: &Coefficients| product(&c, s);
        let add_cs1 = |(y, s1)| {
            let cs1 = times_c(s1);
            combine(y, |j| cs1[j])
        };
        let z: Vec<_> = y.iter().zip(s1).map(add_cs1).collect();
        let mut attempt = [z.iter().map(norm).max().unwrap(), 0, 0, 0];
        let mut hints = Vec::new();
        for ((w, s2), t0) in w.iter().zip(s2).zip(&t0) {
            let (cs2, ct0) = (times_c(s2), times_c(t0));
            let r = combine(w, |j| -cs2[j]);
            let r0 = r.map(|r| rounding::low_bits(r, gamma2));
            let ct0 = combine(&[0; N], |j| ct0[j]);
            let h = core::array::from_fn(|j| {
                let (z, r) = (Q - ct0[j], (r[j] + ct0[j]) % Q);
                u8::from(rounding::make_hint(z, r, gamma2))
            });
            attempt[1] = attempt[1].max(norm(&r0));
            attempt[2] = attempt[2].max(norm(&ct0));
            attempt[3] += h.iter().map(|h| i32::from(*h)).sum::<i32>();
            hints.push(h);
        }
        attempts.push(attempt);
        if keep(&attempt) {
            let mut sigma = c_tilde;
            let centered = |z: &Coefficients| z.map(|z| rounding::mod_pm(z, Q));
            let pack = |z| bit_pack(z_bits::<P>(), P::GAMMA1 as i32, &centered(z));
            sigma.extend(z.iter().flat_map(pack));
            sigma.extend(hint_bit_pack(P::OMEGA, &hints));
            return Signed { sigma, attempts };
        }
    }
}

/// Returns whether z is as short as the standard requires.
pub fn short_z<P: ParameterSet>(norm: i32) -> bool {
    norm < limits::<P>()[0]
}

/// c̃ ← H(μ ‖ w1Encode(w₁), λ/4).
pub fn commit<P: ParameterSet>(mu: &[u8], w1: impl Iterator<Item = Coefficients>) -> Vec<u8> {
    let w1: Vec<u8> = w1
        .flat_map(|w1| simple_bit_pack(w1_bits::<P>(), &w1))
        .collect();
    h(&[mu, &w1]).take(P::LAMBDA / 4).collect()
}

/// A signature with the key of this ρ whose t₁ is zero: anyone can make it, as w' is Az whatever c is. So it is
/// valid if z is short, and with no other c̃.
pub fn forge<P: ParameterSet>(rho: &[u8; 32], mu: &[u8; 64], z: &[Coefficients]) -> Vec<u8> {
    let z_hat: Vec<_> = z.iter().map(ntt::<MlDsaField>).collect();
    let high_bits = |w| rounding::high_bits(w, P::GAMMA2 as i32);
    let a_hat = expand_a::<P>(rho);
    let w1 = a_hat
        .iter()
        .map(|a_hat| row_times(a_hat, &z_hat).map(high_bits));
    let mut sigma = commit::<P>(mu, w1);
    let pack = |z| bit_pack(z_bits::<P>(), P::GAMMA1 as i32, z);
    sigma.extend(z.iter().flat_map(pack));
    sigma.extend(hint_bit_pack(P::OMEGA, &alloc::vec![[0; N]; P::K::N]));
    sigma
}

/// Algorithm 8 (ML-DSA.Verify_internal), from line 8 on. `accept_z` returns whether the norm of z
/// is accepted; in the standard, it is [`short_z`].
pub fn verify<P: ParameterSet>(
    pk: &[u8],
    mu: &[u8; 64],
    sigma: &[u8],
    accept_z: impl Fn(i32) -> bool,
) -> bool {
    let (rho, t1) = pk.split_at(32);
    let (c_tilde, rest) = sigma.split_at(P::LAMBDA / 4);
    let (z, hints) = rest.split_at(32 * z_bits::<P>() * P::L::N);
    let Some(hints) = hint_bit_unpack(P::OMEGA, P::K::N, hints) else {
        return false;
    };
    let z = z.chunks(32 * z_bits::<P>());
    let z: Vec<_> = z
        .map(|z| bit_unpack(z_bits::<P>(), P::GAMMA1 as i32, z))
        .collect();
    let z_hat: Vec<_> = z.iter().map(ntt::<MlDsaField>).collect();
    let c = sample_in_ball(P::TAU, h(&[c_tilde]));
    let a_hat = expand_a::<P>(rho.try_into().unwrap());
    let rows = a_hat.iter().zip(t1.chunks(320)).zip(hints);
    let w1 = rows.map(|((a_hat, t1), h)| {
        let ct1 = product(&c, &simple_bit_unpack(10, t1));
        let w = combine(&row_times(a_hat, &z_hat), |j| -(ct1[j] << D));
        core::array::from_fn(|j| rounding::use_hint(h[j] == 1, w[j], P::GAMMA2 as i32))
    });
    accept_z(z.iter().map(norm).max().unwrap()) && commit::<P>(mu, w1) == c_tilde
}
