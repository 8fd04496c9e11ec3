//! FIPS 204, Table 1, and the sizes that follow from it (Table 2).

#![allow(
    clippy::integer_division_remainder_used,
    reason = "these functions compute constants at compile time"
)]

use crate::field::{Field, MlDsaField};
use crate::scheme::{Round3, Scheme, Standard};
use crate::sealed::Sealed;
use crate::shape::{Bytes, Dim, Rank};

/// d of FIPS 204, Table 1: the number of bits that Power2Round drops from t.
pub const D: u32 = 13;

/// One column of FIPS 204, Table 1, or of Table 2 of round 3.
///
/// The sets of a scheme differ only in the constants of the first block. The constants below it
/// follow from these, and no set repeats them. The three encodings are `[u8; LEN]`, a type that
/// only a concrete set can name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a parameter set",
    label = "not a parameter set",
    note = "the parameter sets are `MlDsa44`, `MlDsa65`, `MlDsa87`, `Dilithium2`, `Dilithium3` and \
            `Dilithium5`; the bound of generic code is `ParameterSet`, or `Fips204` for ML-DSA alone"
)]
pub trait ParameterSet: Sealed + Copy + core::fmt::Debug + Eq + Send + Sync + 'static {
    /// The scheme: that of FIPS 204, or that of round 3.
    type Scheme: Scheme;
    /// The field Z_q.
    type Field: Field;
    /// The number of rows of A.
    type K: Dim;
    /// The number of columns of A.
    type L: Dim;
    /// The name in the standard.
    const NAME: &'static str;
    /// The range of the secret coefficients: −η ≤ s ≤ η.
    const ETA: u32;
    /// The number of nonzero coefficients of the challenge.
    const TAU: usize;
    /// The collision strength of c̃ in bits.
    const LAMBDA: usize;
    /// The range of the mask: −γ₁ < y ≤ γ₁.
    const GAMMA1: u32;
    /// Half the interval of Decompose.
    const GAMMA2: u32;
    /// The largest number of ones in a hint.
    const OMEGA: usize;

    /// The largest absolute value of a coefficient of c·s₁ and c·s₂.
    const BETA: u32 = Self::TAU as u32 * Self::ETA;
    /// The length of c̃ in bytes.
    const C_TILDE_LEN: usize = Self::LAMBDA / 4;
    /// The length of tr, the hash of the public key, in bytes.
    const TR_LEN: usize = Self::Scheme::TR_LEN;
    /// The bits of an encoded coefficient of s₁ or s₂.
    const ETA_BITS: usize = (2 * Self::ETA).ilog2() as usize + 1;
    /// The bits of an encoded coefficient of z.
    const Z_BITS: usize = Self::GAMMA1.ilog2() as usize + 1;
    /// The number of values of HighBits: 0 ≤ r₁ < `HIGH_VALUES`.
    const HIGH_VALUES: u32 = (Self::Field::Q as u32 - 1) / (2 * Self::GAMMA2);
    /// The bits of an encoded coefficient of w₁.
    const W1_BITS: usize = (Self::HIGH_VALUES - 1).ilog2() as usize + 1;
    /// The largest number of attempts to sign: κ has 16 bits, and increases by L.
    const ATTEMPTS_CEILING: u16 = u16::MAX / Self::L::N as u16;
    /// The length of an encoded public key in bytes.
    const PUBLIC_KEY_LEN: usize = 32 + 320 * Self::K::N;
    /// The length of an encoded (expanded) private key in bytes.
    const PRIVATE_KEY_LEN: usize = 64
        + Self::TR_LEN
        + 32 * ((Self::K::N + Self::L::N) * Self::ETA_BITS + D as usize * Self::K::N);
    /// The length of a signature in bytes.
    const SIGNATURE_LEN: usize =
        Self::C_TILDE_LEN + 32 * Self::L::N * Self::Z_BITS + Self::OMEGA + Self::K::N;

    /// `[u8; Self::PUBLIC_KEY_LEN]`.
    type PublicKey: Bytes;
    /// `[u8; Self::PRIVATE_KEY_LEN]`.
    type PrivateKey: Bytes;
    /// `[u8; Self::SIGNATURE_LEN]`.
    type Signature: Bytes;
}

/// A parameter set of FIPS 204, which has contexts, pre-hashing and an object identifier.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a parameter set of FIPS 204",
    label = "not a parameter set of FIPS 204",
    note = "the parameter sets of FIPS 204 are `MlDsa44`, `MlDsa65` and `MlDsa87`; contexts, HashML-DSA and key \
            documents are for them only"
)]
pub trait Fips204: ParameterSet<Scheme = Standard> {
    /// The last arc of the object identifier, after 2.16.840.1.101.3.4.3.
    const OID_ARC: u8;
    /// NIST's security category.
    const CATEGORY: u8;
}

/// ML-DSA-44 of FIPS 204: NIST's security category 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MlDsa44;
/// ML-DSA-65 of FIPS 204: NIST's security category 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MlDsa65;
/// ML-DSA-87 of FIPS 204: NIST's security category 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MlDsa87;

const Q: u32 = MlDsaField::Q as u32;

impl Sealed for MlDsa44 {}
impl ParameterSet for MlDsa44 {
    type Scheme = Standard;
    type Field = MlDsaField;
    type K = Rank<4>;
    type L = Rank<4>;
    const NAME: &'static str = "ML-DSA-44";
    const ETA: u32 = 2;
    const TAU: usize = 39;
    const LAMBDA: usize = 128;
    const GAMMA1: u32 = 1 << 17;
    const GAMMA2: u32 = (Q - 1) / 88;
    const OMEGA: usize = 80;
    type PublicKey = [u8; Self::PUBLIC_KEY_LEN];
    type PrivateKey = [u8; Self::PRIVATE_KEY_LEN];
    type Signature = [u8; Self::SIGNATURE_LEN];
}
impl Fips204 for MlDsa44 {
    const OID_ARC: u8 = 17;
    const CATEGORY: u8 = 2;
}

impl Sealed for MlDsa65 {}
impl ParameterSet for MlDsa65 {
    type Scheme = Standard;
    type Field = MlDsaField;
    type K = Rank<6>;
    type L = Rank<5>;
    const NAME: &'static str = "ML-DSA-65";
    const ETA: u32 = 4;
    const TAU: usize = 49;
    const LAMBDA: usize = 192;
    const GAMMA1: u32 = 1 << 19;
    const GAMMA2: u32 = (Q - 1) / 32;
    const OMEGA: usize = 55;
    type PublicKey = [u8; Self::PUBLIC_KEY_LEN];
    type PrivateKey = [u8; Self::PRIVATE_KEY_LEN];
    type Signature = [u8; Self::SIGNATURE_LEN];
}
impl Fips204 for MlDsa65 {
    const OID_ARC: u8 = 18;
    const CATEGORY: u8 = 3;
}

impl Sealed for MlDsa87 {}
impl ParameterSet for MlDsa87 {
    type Scheme = Standard;
    type Field = MlDsaField;
    type K = Rank<8>;
    type L = Rank<7>;
    const NAME: &'static str = "ML-DSA-87";
    const ETA: u32 = 2;
    const TAU: usize = 60;
    const LAMBDA: usize = 256;
    const GAMMA1: u32 = 1 << 19;
    const GAMMA2: u32 = (Q - 1) / 32;
    const OMEGA: usize = 75;
    type PublicKey = [u8; Self::PUBLIC_KEY_LEN];
    type PrivateKey = [u8; Self::PRIVATE_KEY_LEN];
    type Signature = [u8; Self::SIGNATURE_LEN];
}
impl Fips204 for MlDsa87 {
    const OID_ARC: u8 = 19;
    const CATEGORY: u8 = 5;
}

macro_rules! round_3 {
    ($($set:ident, $became:ident, $name:literal;)*) => { $(
        #[doc = concat!($name, " of round 3: ", stringify!($became), " without the changes of FIPS 204.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $set;
        impl Sealed for $set {}
        impl ParameterSet for $set {
            type Scheme = Round3;
            type Field = <$became as ParameterSet>::Field;
            type K = <$became as ParameterSet>::K;
            type L = <$became as ParameterSet>::L;
            const NAME: &'static str = $name;
            const ETA: u32 = <$became>::ETA;
            const TAU: usize = <$became>::TAU;
            const LAMBDA: usize = <$became>::LAMBDA;
            const GAMMA1: u32 = <$became>::GAMMA1;
            const GAMMA2: u32 = <$became>::GAMMA2;
            const OMEGA: usize = <$became>::OMEGA;
            const C_TILDE_LEN: usize = 32;
            type PublicKey = [u8; Self::PUBLIC_KEY_LEN];
            type PrivateKey = [u8; Self::PRIVATE_KEY_LEN];
            type Signature = [u8; Self::SIGNATURE_LEN];
        }
    )* };
}
round_3! {
    Dilithium2, MlDsa44, "Dilithium2";
    Dilithium3, MlDsa65, "Dilithium3";
    Dilithium5, MlDsa87, "Dilithium5";
}

/// Checks a set against FIPS 204, Table 2, and the rows of Table 1 that follow from others.
const fn check<P: ParameterSet>(
    beta: u32,
    private_key: usize,
    public_key: usize,
    signature: usize,
) {
    assert!(P::BETA == beta);
    assert!(P::PRIVATE_KEY_LEN == private_key);
    assert!(P::PUBLIC_KEY_LEN == public_key);
    assert!(P::SIGNATURE_LEN == signature);
    // The bounds in `kernels` and `sign` rely on these inequalities.
    assert!(P::GAMMA1.is_power_of_two() && P::GAMMA1 > P::BETA && P::GAMMA2 > P::BETA);
    assert!(P::HIGH_VALUES * 2 * P::GAMMA2 == Q - 1);
    assert!(P::OMEGA <= u8::MAX as usize);
}
const _: () = {
    check::<MlDsa44>(78, 2560, 1312, 2420);
    check::<MlDsa65>(196, 4032, 1952, 3309);
    check::<MlDsa87>(120, 4896, 2592, 4627);
    check::<Dilithium2>(78, 2528, 1312, 2420);
    check::<Dilithium3>(196, 4000, 1952, 3293);
    check::<Dilithium5>(120, 4864, 2592, 4595);
};
