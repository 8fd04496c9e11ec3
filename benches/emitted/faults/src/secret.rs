//! What a signature of ML-DSA-44 reveals about s₁, with knowledge of s₁.

use moissanite::{MlDsa44, ParameterSet};
use moissanite_core::hash::Shake256;

const N: usize = 256;
const L: usize = 4;
type Poly = [i32; N];

/// How s₁ follows from a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Leak {
    /// Not by these ways.
    None,
    /// z − c s₁ is zero in a quarter of the coefficients of a polynomial, or more.
    NoMask,
    /// A polynomial of z differs from that of the right signature by a product of s₁ and small numbers: both
    /// have the same y.
    SameMask,
    /// A coefficient of z is not within the bound, which tells that of y.
    TooLong,
}

/// The secrets of a key and of its right signature.
pub(crate) struct Secret {
    s1: [Poly; L],
    z: [Poly; L],
}

impl Secret {
    pub(crate) fn new(private_key: &[u8], signature: &[u8]) -> Self {
        // s₁ follows ρ, K and tr, with three bits for each 2 − s.
        let s1 = core::array::from_fn(|j| {
            let from = 128 + 96 * j;
            unpacked(&private_key[from..from + 96], 3).map(|code| 2 - code)
        });
        Self {
            s1,
            z: z(signature),
        }
    }

    pub(crate) fn leak(&self, signature: &[u8]) -> Leak {
        let c = challenge(&signature[..MlDsa44::C_TILDE_LEN]);
        let z = z(signature);
        let bound = (MlDsa44::GAMMA1 - MlDsa44::BETA) as i32;
        let mut leak = Leak::None;
        for ((z, right), s1) in z.iter().zip(&self.z).zip(&self.s1) {
            // A polynomial that was not written is zero in memory, whose codes are γ₁.
            if z.iter().all(|z| *z == MlDsa44::GAMMA1 as i32) {
                continue;
            }
            let cs1 = product(&c, s1);
            let unmasked = z.iter().zip(&cs1).filter(|(z, cs1)| z == cs1).count();
            let differences = || z.iter().zip(right).map(|(z, right)| (z - right).abs());
            let small = 2 * MlDsa44::BETA as i32;
            let same = differences()
                .filter(|difference| *difference <= small)
                .count();
            if unmasked >= N / 4 {
                return Leak::NoMask;
            }
            if same >= N / 4 && differences().any(|difference| difference != 0) {
                leak = leak.max(Leak::SameMask);
            } else if z.iter().any(|z| z.abs() >= bound) {
                leak = leak.max(Leak::TooLong);
            }
        }
        leak
    }
}

fn z(signature: &[u8]) -> [Poly; L] {
    core::array::from_fn(|j| {
        let from = MlDsa44::C_TILDE_LEN + 32 * MlDsa44::Z_BITS * j;
        let bytes = &signature[from..from + 32 * MlDsa44::Z_BITS];
        unpacked(bytes, MlDsa44::Z_BITS).map(|code| MlDsa44::GAMMA1 as i32 - code)
    })
}

/// FIPS 204, Algorithm 18 (SimpleBitUnpack).
fn unpacked(bytes: &[u8], bits: usize) -> Poly {
    core::array::from_fn(|i| {
        let bit = |at: usize| i32::from(bytes[at >> 3] >> (at & 7) & 1);
        (0..bits).map(|b| bit(i * bits + b) << b).sum()
    })
}

/// FIPS 204, Algorithm 29 (SampleInBall).
fn challenge(c_tilde: &[u8]) -> Poly {
    let mut xof = Shake256::new();
    xof.absorb(c_tilde);
    let mut xof = xof.squeeze();
    let mut signs = [0; 8];
    xof.read(&mut signs);
    let mut signs = u64::from_le_bytes(signs);
    let mut c = [0; N];
    for i in N - MlDsa44::TAU..N {
        let mut j = [0];
        loop {
            xof.read(&mut j);
            if usize::from(j[0]) <= i {
                break;
            }
        }
        let j = usize::from(j[0]);
        c[i] = c[j];
        c[j] = 1 - 2 * (signs & 1) as i32;
        signs >>= 1;
    }
    c
}

/// The product modulo X²⁵⁶ + 1.
fn product(a: &Poly, b: &Poly) -> Poly {
    let mut product = [0; N];
    for (i, a) in a.iter().enumerate().filter(|(_, a)| **a != 0) {
        for (j, b) in b.iter().enumerate() {
            let at = i + j;
            if at < N {
                product[at] += a * b;
            } else {
                product[at - N] -= a * b;
            }
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: [u8; 2560] = [0x5a; 2560];

    /// Packs z, whose coefficients are in the first `L` polynomials, after a c̃ of zeros.
    fn signature(z: &[Poly; L]) -> Vec<u8> {
        let mut bytes = vec![0; 2420];
        for (index, z) in z.iter().flatten().enumerate() {
            let code = MlDsa44::GAMMA1 as i32 - z;
            for b in 0..MlDsa44::Z_BITS {
                let at = 8 * MlDsa44::C_TILDE_LEN + MlDsa44::Z_BITS * index + b;
                bytes[at >> 3] |= ((code >> b & 1) as u8) << (at & 7);
            }
        }
        bytes
    }

    #[test]
    fn each_leak_is_found() {
        let random = |factor: i32| -> [Poly; L] {
            core::array::from_fn(|j| {
                core::array::from_fn(|i| ((i as i32 + 300 * j as i32 + 1) * factor) % 100_000)
            })
        };
        let right = random(7919);
        let secret = Secret::new(&KEY, &signature(&right));
        assert_eq!(secret.leak(&signature(&right)), Leak::None);
        assert_eq!(secret.leak(&signature(&random(6007))), Leak::None);
        let mut same = right;
        same[2][5] += 3;
        assert_eq!(secret.leak(&signature(&same)), Leak::SameMask);
        let mut none = random(6007);
        none[3] = product(&challenge(&[0; 32]), &secret.s1[3]);
        assert_eq!(secret.leak(&signature(&none)), Leak::NoMask);
        let mut long = random(6007);
        long[1][9] = (MlDsa44::GAMMA1 - MlDsa44::BETA) as i32;
        assert_eq!(secret.leak(&signature(&long)), Leak::TooLong);
    }
}
