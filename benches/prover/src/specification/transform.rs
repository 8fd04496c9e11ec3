//! FIPS 204, section 7.5: the number-theoretic transform.

use super::{Field, N, modulo};

/// Algorithm 43 (BitRev8).
fn bit_rev_8(m: u8) -> u8 {
    m.reverse_bits()
}

/// Appendix B: ζ^BitRev8(k) mod q for each k.
pub(crate) fn zetas(Field { q, zeta }: Field) -> [i64; N] {
    let power = |exponent: u8| (0..exponent).fold(1, |product, _| modulo(product * zeta, q));
    std::array::from_fn(|k| power(bit_rev_8(k as u8)))
}

/// Algorithm 41 (NTT).
pub(crate) fn ntt(w: &[i64; N], zetas: &[i64; N], q: i64) -> [i64; N] {
    let mut w_hat = *w;
    let mut m = 0;
    let mut len = 128;
    while len >= 1 {
        let mut start = 0;
        while start < 256 {
            m += 1;
            let z = zetas[m];
            for j in start..start + len {
                let t = modulo(z * w_hat[j + len], q);
                w_hat[j + len] = modulo(w_hat[j] - t, q);
                w_hat[j] = modulo(w_hat[j] + t, q);
            }
            start += 2 * len;
        }
        len /= 2;
    }
    w_hat
}

/// Algorithm 42 (NTT⁻¹).
pub(crate) fn inverse_ntt(w_hat: &[i64; N], zetas: &[i64; N], q: i64) -> [i64; N] {
    let mut w = *w_hat;
    let mut m = 256;
    let mut len = 1;
    while len < 256 {
        let mut start = 0;
        while start < 256 {
            m -= 1;
            let z = -zetas[m];
            for j in start..start + len {
                let t = w[j];
                w[j] = modulo(t + w[j + len], q);
                w[j + len] = modulo(t - w[j + len], q);
                w[j + len] = modulo(z * w[j + len], q);
            }
            start += 2 * len;
        }
        len *= 2;
    }
    let f = inverse_of_256(q);
    w.map(|w| modulo(f * w, q))
}

/// Returns 256⁻¹ modulo q, where 2⁻¹ is (q + 1) / 2: in the field of FIPS 204, this is 8347681.
const fn inverse_of_256(q: i64) -> i64 {
    let (mut power, mut step) = (1, 0);
    while step < 8 {
        power = power * ((q + 1) / 2) % q;
        step += 1;
    }
    power
}
const _: () = assert!(inverse_of_256(super::Q) == 8_347_681);
