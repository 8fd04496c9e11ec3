//! What a signature of ML-DSA-44 reveals about s₁, with knowledge of s₁.

use moissanite::{MlDsa44, ParameterSet};
use moissanite_core::hash::Shake256;

const N: usize = 256;
const L: usize = 4;
type Poly = [i32; N];

/// How s₁ can follow from a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Leak {
    /// Each y is one of ExpandMask, which no other polynomial of this signature or of the right one has.
    None,
    /// A polynomial of z − c s₁ is none of ExpandMask with ρ″, or is one in some of the coefficients only.
    OtherMask,
    /// A coefficient of z is not within the bound, which tells that of y.
    TooLong,
    /// Two polynomials of this signature, or one of this and one of the right signature, have the same y.
    SameMask,
    /// z − c s₁ is zero in a quarter of the coefficients of a polynomial, or more.
    NoMask,
    /// y does not depend on K, or on a half of it only.
    Predictable,
}

/// More masks than a signature of a test needs.
const NONCES: u16 = 1024;

/// The secrets of a key and of the signatures of a message.
pub(crate) struct Secret {
    pub(crate) k: [u8; 32],
    s1: [Poly; L],
    /// Algorithm 34 (ExpandMask) with each nonce.
    masks: Vec<Poly>,
    z: [Poly; L],
    /// The nonces of the right signature.
    right: [Option<usize>; L],
}

impl Secret {
    /// The signature is the deterministic one of a message with an empty context.
    pub(crate) fn new(private_key: &[u8], message: &[u8], signature: &[u8]) -> Self {
        // ρ, K and tr precede s₁, which has three bits for each 2 − s.
        let (k, tr) = (&private_key[32..64], &private_key[64..128]);
        let s1 = core::array::from_fn(|j| {
            let from = 128 + 96 * j;
            unpacked(&private_key[from..from + 96], 3).map(|code| 2 - code)
        });
        let mu = hash::<64>(&[tr, &[0; 2], message]);
        let rho_second = hash::<64>(&[k, &[0; 32], &mu]);
        let masks = (0..NONCES).map(|nonce| {
            let bytes = hash::<{ 32 * MlDsa44::Z_BITS }>(&[&rho_second, &nonce.to_le_bytes()]);
            coefficients(&bytes)
        });
        let mut secret = Self {
            k: core::array::from_fn(|i| k[i]),
            s1,
            masks: masks.collect(),
            z: z(signature),
            right: [None; L],
        };
        let c = challenge(&signature[..MlDsa44::C_TILDE_LEN]);
        secret.right = core::array::from_fn(|j| {
            let (nonce, _) = secret.mask(&secret.y(&secret.z[j], &c, j))?;
            Some(nonce)
        });
        secret
    }

    /// Returns whether the masks of the right signature are found.
    pub(crate) fn is_consistent(&self) -> bool {
        self.right.iter().all(Option::is_some)
    }

    /// z − c s₁ for polynomial `j`, in the numbers that an encoded z can have.
    fn y(&self, z: &Poly, c: &Poly, j: usize) -> Poly {
        let cs1 = product(c, &self.s1[j]);
        core::array::from_fn(|i| centred(z[i] - cs1[i]))
    }

    /// Returns the nonce of a mask that equals this one in at least three quarters of the coefficients, up to
    /// a product of s₁ with small numbers, and whether all coefficients are equal. The device can have used
    /// another c than that of c̃.
    fn mask(&self, y: &Poly) -> Option<(usize, bool)> {
        let equals =
            |mask: &Poly, i: usize| centred(y[i] - mask[i]).unsigned_abs() <= 2 * MlDsa44::BETA;
        self.masks.iter().enumerate().find_map(|(nonce, mask)| {
            let some = (0..N).step_by(N / 16).filter(|i| equals(mask, *i)).count();
            if some < 8 {
                return None;
            }
            let equal = (0..N).filter(|i| equals(mask, *i)).count();
            (equal >= 3 * N / 4).then_some((nonce, equal == N))
        })
    }

    pub(crate) fn leak(&self, signature: &[u8]) -> Leak {
        let c = challenge(&signature[..MlDsa44::C_TILDE_LEN]);
        let z = z(signature);
        let bound = (MlDsa44::GAMMA1 - MlDsa44::BETA) as i32;
        let mut leak = Leak::None;
        let mut used = Vec::new();
        for (j, z) in z.iter().enumerate() {
            // A polynomial that was not written is zero in memory, whose codes are γ₁.
            if z.iter().all(|z| *z == MlDsa44::GAMMA1 as i32) {
                continue;
            }
            let y = self.y(z, &c, j);
            if y.iter().filter(|y| **y == 0).count() >= N / 4 {
                return Leak::NoMask;
            }
            if z.iter().any(|z| z.abs() >= bound) {
                leak = leak.max(Leak::TooLong);
            }
            let Some((nonce, is_equal)) = self.mask(&y) else {
                leak = leak.max(Leak::OtherMask);
                continue;
            };
            if !is_equal {
                leak = leak.max(Leak::OtherMask);
            }
            let right = self.right.iter().position(|right| *right == Some(nonce));
            let is_right = right.is_some_and(|right| right == j && self.z[j] == *z);
            if used.contains(&nonce) || right.is_some() && !is_right {
                leak = leak.max(Leak::SameMask);
            }
            used.push(nonce);
        }
        leak
    }
}

/// The number of the same code with the least absolute value.
fn centred(number: i32) -> i32 {
    let half = MlDsa44::GAMMA1 as i32;
    (number + half).rem_euclid(2 * half) - half
}

fn hash<const LENGTH: usize>(parts: &[&[u8]]) -> [u8; LENGTH] {
    let mut xof = Shake256::new();
    for part in parts {
        xof.absorb(part);
    }
    let mut hash = [0; LENGTH];
    xof.squeeze().read(&mut hash);
    hash
}

/// The coefficients of a polynomial of y or z.
fn coefficients(bytes: &[u8]) -> Poly {
    unpacked(bytes, MlDsa44::Z_BITS).map(|code| MlDsa44::GAMMA1 as i32 - code)
}

fn z(signature: &[u8]) -> [Poly; L] {
    core::array::from_fn(|j| {
        let from = MlDsa44::C_TILDE_LEN + 32 * MlDsa44::Z_BITS * j;
        coefficients(&signature[from..from + 32 * MlDsa44::Z_BITS])
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

    const BOUND: i32 = (MlDsa44::GAMMA1 - MlDsa44::BETA) as i32;

    /// Polynomial `j` of z with c = H(0), and the first mask from a nonce on for which it is short.
    fn masked(secret: &Secret, j: usize, nonce: usize) -> Poly {
        let cs1 = product(&challenge(&[0; 32]), &secret.s1[j]);
        let mut all = secret.masks[nonce..].iter();
        let is_short = |z: &Poly| z.iter().all(|z| z.abs() < BOUND);
        let found =
            all.find_map(|mask| Some(core::array::from_fn(|i| mask[i] + cs1[i])).filter(is_short));
        found.unwrap_or([0; N])
    }

    #[test]
    fn each_leak_is_found() {
        let empty = Secret::new(&KEY, b"", &[0; 2420]);
        assert!(!empty.is_consistent());
        let all = |first: usize| core::array::from_fn(|j| masked(&empty, j, first + 50 * j));
        let right = all(0);
        let secret = Secret::new(&KEY, b"", &signature(&right));
        assert!(secret.is_consistent());
        let leak = |z: &[Poly; L]| secret.leak(&signature(z));
        assert_eq!(leak(&right), Leak::None);
        let fresh = all(500);
        assert_eq!(leak(&fresh), Leak::None);
        // The same challenge and y, and another one for the same y.
        let mut same = fresh;
        same[2] = right[2];
        assert_eq!(leak(&same), Leak::None);
        same[2][5] -= same[2][5].signum();
        assert_eq!(leak(&same), Leak::SameMask);
        // Another polynomial has the same y.
        let mut twice = fresh;
        // The polynomials of s₁ are equal.
        twice[3] = twice[0];
        assert_eq!(leak(&twice), Leak::SameMask);
        let mut other = fresh;
        other[2][17] -= other[2][17].signum() * 1000;
        assert_eq!(leak(&other), Leak::OtherMask);
        other[2] = core::array::from_fn(|i| (i as i32 * 7919) % 100_000);
        assert_eq!(leak(&other), Leak::OtherMask);
        let mut none = fresh;
        none[3] = product(&challenge(&[0; 32]), &secret.s1[3]);
        assert_eq!(leak(&none), Leak::NoMask);
        let mut long = fresh;
        long[1][9] = BOUND;
        assert_eq!(leak(&long), Leak::TooLong);
    }
}
