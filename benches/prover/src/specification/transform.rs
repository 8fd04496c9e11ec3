//! FIPS 204, section 7.5: the number-theoretic transform.

use super::{N, Q, modulo};

/// Algorithm 43 (BitRev8).
fn bit_rev_8(m: u8) -> u8 {
    m.reverse_bits()
}

/// Appendix B: ζ^BitRev8(k) mod q for each k.
pub(crate) fn zetas(zeta: i64) -> [i64; N] {
    let power = |exponent: u8| (0..exponent).fold(1, |product, _| modulo(product * zeta, Q));
    std::array::from_fn(|k| power(bit_rev_8(k as u8)))
}

/// Algorithm 41 (NTT).
pub(crate) fn ntt(w: &[i64; N], zetas: &[i64; N]) -> [i64; N] {
    let mut w_hat = *w;
    let mut m = 0;
    let mut len = 128;
    while len >= 1 {
        let mut start = 0;
        while start < 256 {
            m += 1;
            let z = zetas[m];
            for j in start..start + len {
                let t = modulo(z * w_hat[j + len], Q);
                w_hat[j + len] = modulo(w_hat[j] - t, Q);
                w_hat[j] = modulo(w_hat[j] + t, Q);
            }
            start += 2 * len;
        }
        len /= 2;
    }
    w_hat
}

/// Algorithm 42 (NTT⁻¹).
pub(crate) fn inverse_ntt(w_hat: &[i64; N], zetas: &[i64; N]) -> [i64; N] {
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
                w[j] = modulo(t + w[j + len], Q);
                w[j + len] = modulo(t - w[j + len], Q);
                w[j + len] = modulo(z * w[j + len], Q);
            }
            start += 2 * len;
        }
        len *= 2;
    }
    let f = 8_347_681;
    w.map(|w| modulo(f * w, Q))
}
