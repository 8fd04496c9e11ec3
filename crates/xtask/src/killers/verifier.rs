//! A verifier that can have a defect: Algorithms 3 and 8 of FIPS 204, from the parts of the reference.

mod hint;
mod norm;
mod rounding;
mod sampling;

use moissanite::Fips204;
use moissanite_core::reference::{self as fips204, Coefficients};
use moissanite_core::shape::Dim;

pub(crate) use self::sampling::in_ball;
use super::defects::{Defect, Flaw};

/// What a verifier is given.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) public_key: &'a [u8],
    pub(crate) context: &'a [u8],
    pub(crate) message: &'a [u8],
    pub(crate) signature: &'a [u8],
}

/// Algorithm 3 (ML-DSA.Verify), for a public key of the right length.
pub(crate) fn accepts<P: Fips204>(flaw: Flaw, input: Input<'_>) -> bool {
    let mu = mu(flaw, input);
    mu.is_some_and(|mu| accepts_mu::<P>(flaw, &mu, input.public_key, input.signature))
}

/// Algorithm 8 (ML-DSA.Verify_internal), from line 8 on, for a public key of the right length.
pub(crate) fn accepts_mu<P: Fips204>(
    flaw: Flaw,
    mu: &[u8; 64],
    public_key: &[u8],
    signature: &[u8],
) -> bool {
    let right = match flaw {
        Some(Defect::SignatureTrailing) => signature.len() >= P::SIGNATURE_LEN,
        Some(Defect::SignaturePadded) => signature.len() <= P::SIGNATURE_LEN,
        _ => signature.len() == P::SIGNATURE_LEN,
    };
    let mut signature = signature.to_vec();
    signature.resize(P::SIGNATURE_LEN, 0);
    let expected = commitment::<P>(flaw, mu, public_key, &signature);
    right && expected.is_some_and(|expected| same(flaw, &expected, &signature[..P::C_TILDE_LEN]))
}

/// The c̃ that the verifier expects. Returns `None` if it refuses the signature for another reason.
pub(crate) fn commitment<P: Fips204>(
    flaw: Flaw,
    mu: &[u8; 64],
    public_key: &[u8],
    signature: &[u8],
) -> Option<Vec<u8>> {
    let (rho, t1) = public_key.split_at(32);
    let (c_tilde, rest) = signature.split_at(P::C_TILDE_LEN);
    let z_len = 32 * fips204::z_bits::<P>();
    let (z, hints) = rest.split_at(z_len * P::L::N);
    let hints = hint::unpack::<P>(flaw, hints)?;
    let unpack = |z| fips204::bit_unpack(fips204::z_bits::<P>(), P::GAMMA1.cast_signed(), z);
    let z: Vec<Coefficients> = z.chunks(z_len).map(unpack).collect();
    if !norm::is_short::<P>(flaw, &z) {
        return None;
    }
    let c = in_ball::<P>(flaw, c_tilde);
    let w = products::<P>(&sampling::matrix::<P>(flaw, rho), &z);
    let shift = match flaw {
        Some(Defect::T1NotShifted) => 0,
        Some(Defect::T1ShiftedBy12) => 12,
        _ => 13,
    };
    let sign = if flaw == Some(Defect::T1Added) { 1 } else { -1 };
    let w1 = w.iter().zip(t1.chunks(320)).zip(hints).map(|((w, t1), h)| {
        let ct1 = fips204::product(&c, &fips204::simple_bit_unpack(10, t1));
        let w = fips204::combine(w, |j| sign * (ct1[j] << shift));
        std::array::from_fn(|j| rounding::use_hint::<P>(flaw, h[j] == 1, w[j]))
    });
    let hashed = if flaw == Some(Defect::MuOf32Bytes) {
        32
    } else {
        64
    };
    Some(fips204::commit::<P>(&mu[..hashed], w1))
}

/// A z, for a matrix in T_q.
pub(crate) fn products<P: Fips204>(
    a_hat: &[Vec<Coefficients>],
    z: &[Coefficients],
) -> Vec<Coefficients> {
    let z_hat: Vec<_> = z.iter().map(fips204::ntt::<P::Field>).collect();
    a_hat
        .iter()
        .map(|row| fips204::row_times(row, &z_hat))
        .collect()
}

/// Line 13 of Algorithm 8.
fn same(flaw: Flaw, expected: &[u8], c_tilde: &[u8]) -> bool {
    let last = expected.len() - 1;
    let string = |bytes: &[u8]| {
        bytes
            .iter()
            .take_while(|byte| **byte != 0)
            .copied()
            .collect::<Vec<_>>()
    };
    let low = |bytes: &[u8]| bytes.iter().map(|byte| byte & 0x7f).collect::<Vec<_>>();
    match flaw {
        Some(Defect::CTildeUncompared) => true,
        Some(Defect::CTildePrefix) => expected[..32] == c_tilde[..32],
        Some(Defect::CTildeFirstByte) => expected[1..] == c_tilde[1..],
        Some(Defect::CTildeLastByte) => expected[..last] == c_tilde[..last],
        Some(Defect::CTildeTopBits) => low(expected) == low(c_tilde),
        Some(Defect::CTildeString) => string(expected) == string(c_tilde),
        _ => expected == c_tilde,
    }
}

/// μ, or `None` if the context or the message is refused.
pub(crate) fn mu(flaw: Flaw, input: Input<'_>) -> Option<[u8; 64]> {
    const RATE: usize = 136;
    let Input {
        public_key,
        mut context,
        message,
        ..
    } = input;
    match flaw {
        Some(Defect::ContextIgnored) => context = &[],
        Some(Defect::ContextCut) => context = &context[..context.len().min(255)],
        Some(Defect::ContextLongestRefused) if context.len() == 255 => return None,
        Some(Defect::EmptyMessageRefused) if message.is_empty() => return None,
        Some(Defect::ContextLengthModulo) => (),
        _ if context.len() > 255 => return None,
        _ => (),
    }
    let [length, ..] = context.len().to_le_bytes();
    let frame: &[u8] = match flaw {
        Some(Defect::ContextLengthMissing) => &[0],
        Some(Defect::DomainMissing) => &[length],
        Some(Defect::DomainPreHashed) => &[1, length],
        Some(Defect::FrameMissing) => &[],
        _ => &[0, length],
    };
    let context = if frame.is_empty() { &[] } else { context };
    let tr: [u8; 64] = match flaw {
        Some(Defect::TrOfRho) => fips204::first(fips204::h(&[&public_key[..32]])),
        Some(Defect::TrZero) => [0; 64],
        _ => fips204::first(fips204::h(&[public_key])),
    };
    let tr = match flaw {
        Some(Defect::TrMissing) => &tr[..0],
        Some(Defect::TrOf32Bytes) => &tr[..32],
        _ => &tr,
    };
    let left = RATE - 1 - (tr.len() + frame.len() + context.len() + message.len()) % RATE;
    let wrong: &[u8] = match flaw {
        Some(Defect::PaddingInOneByte) if left == 0 => &[0],
        Some(Defect::PaddingInItsOwnBlock) if left == RATE - 1 => &[0],
        _ => &[],
    };
    Some(fips204::first(fips204::h(&[
        tr, frame, context, message, wrong,
    ])))
}
