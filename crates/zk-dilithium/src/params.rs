//! The parameters of zkDilithium.

#![allow(
    clippy::integer_division_remainder_used,
    reason = "constants, at compile time"
)]

use moissanite_core::ParameterSet;
use moissanite_core::field::Field;
use moissanite_core::scheme::Round3;
use moissanite_core::sealed::Sealed;
use moissanite_core::shape::{Dim, Rank};

/// The field of q = 2²³ − 2²⁰ + 1, which has roots of unity of order 2²⁰ for the proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ZkField;

impl Field for ZkField {
    const Q: i32 = 7_340_033;
    /// 3^((q − 1) / 512).
    const ZETA: i32 = 3_483_618;
}

/// The modulus q.
pub const Q: u32 = ZkField::Q.cast_unsigned();

/// The number of bytes of an encoded public key: ρ and t.
pub const PUBLIC_KEY_LEN: usize = 32 + 4 * T_LEN;
/// The number of bytes of an encoded private key: ρ, K, tr, s₁, s₂ and t.
pub const PRIVATE_KEY_LEN: usize = 96 + 8 * ETA_LEN + 4 * T_LEN;
/// The number of bytes of a signature: c̃ and z.
pub const SIGNATURE_LEN: usize = C_TILDE_LEN + 4 * Z_LEN;

/// The numbers of bytes of an element of Z_q, of c̃, and of a polynomial of t, of s₁ or s₂, and of
/// z.
pub(crate) const ELEMENT_LEN: usize = 3;
pub(crate) const C_TILDE_LEN: usize = C_TILDE * ELEMENT_LEN;
pub(crate) const T_LEN: usize = 256 * ELEMENT_LEN;
pub(crate) const ETA_LEN: usize = 32 * ZkDilithium::ETA_BITS;
pub(crate) const Z_LEN: usize = 32 * ZkDilithium::Z_BITS;
/// The numbers of elements of c̃ and of μ.
pub(crate) const C_TILDE: usize = 12;
pub(crate) const MU: usize = 24;

/// Round-3 Dilithium2 over another field, without compression of t and without hints.
///
/// It is a parameter set for the operations that it shares with ML-DSA, which are sampling and
/// rounding. This crate implements keys and hashes itself, and passes this set to no other
/// algorithm of the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ZkDilithium;

impl Sealed for ZkDilithium {}
impl ParameterSet for ZkDilithium {
    type Field = ZkField;
    type Scheme = Round3;
    type K = Rank<4>;
    type L = Rank<4>;
    const NAME: &'static str = "zkDilithium";
    const ETA: u32 = 2;
    const TAU: usize = 40;
    const LAMBDA: usize = 4 * C_TILDE_LEN;
    const GAMMA1: u32 = 1 << 17;
    const GAMMA2: u32 = (Q - 1) / 112;
    const OMEGA: usize = 0;
    const PUBLIC_KEY_LEN: usize = PUBLIC_KEY_LEN;
    const PRIVATE_KEY_LEN: usize = PRIVATE_KEY_LEN;
    const SIGNATURE_LEN: usize = SIGNATURE_LEN;
    type PublicKey = [u8; PUBLIC_KEY_LEN];
    type PrivateKey = [u8; PRIVATE_KEY_LEN];
    type Signature = [u8; SIGNATURE_LEN];
}

/// K, L.
pub(crate) const K: usize = <<ZkDilithium as ParameterSet>::K as Dim>::N;

const _: () = {
    assert!(PUBLIC_KEY_LEN == 3104 && PRIVATE_KEY_LEN == 3936 && SIGNATURE_LEN == 2340);
    assert!(ZkDilithium::BETA == 80 && ZkDilithium::GAMMA2 == 1 << 16);
    assert!(ZkDilithium::HIGH_VALUES == 56 && ZkDilithium::Z_BITS == 18);
};
