//! Verification of many signatures at once. All data in this module is public.

use moissanite_keccak::hash_many;

use crate::backend::Backend;
use crate::backend::MAX_KECCAK_WIDTH;
use crate::encode::signature::{self, MOST_C_TILDE, MOST_W1, committed};
use crate::hash::PURE;
use crate::params::ParameterSet;
use crate::prepared::{EncodedRows, RowScratch, VerifyingState};
use crate::sample::{self, H_RATE};
use crate::scheme::Scheme;
use crate::secret::Zeroed;
use crate::verify;

/// A public key, in bytes or prepared.
pub enum PublicKey<'a, P: ParameterSet> {
    /// A key in bytes, whose rows are computed for each item.
    Encoded(&'a P::PublicKey),
    /// A prepared key.
    Prepared(&'a VerifyingState<P>),
}

/// A signature to be verified.
pub struct Item<'a, P: ParameterSet> {
    key: PublicKey<'a, P>,
    message: &'a [u8],
    sigma: &'a P::Signature,
    tr: [u8; 64],
    mu: [u8; 64],
    valid: bool,
}

impl<'a, P: ParameterSet> Item<'a, P> {
    /// Returns an item for this signature of this message under this key.
    pub fn new(key: PublicKey<'a, P>, message: &'a [u8], sigma: &'a P::Signature) -> Self {
        let tr = match key {
            PublicKey::Encoded(_) => [0; 64],
            PublicKey::Prepared(key) => *key.tr(),
        };
        Self {
            key,
            message,
            sigma,
            tr,
            mu: [0; 64],
            valid: false,
        }
    }

    fn parts(&self) -> signature::Parts<'a> {
        signature::sig_split::<P>(self.sigma)
    }

    /// Returns whether the signature is valid. The result is meaningful only after a call of
    /// [`verify()`].
    pub fn is_valid(&self) -> bool {
        self.valid
    }
}

/// The variables of [`verify()`].
pub struct Scratch<P: ParameterSet, B: Backend> {
    one: verify::Scratch<P>,
    rows: RowScratch<P, B>,
    group: [Commitment; MAX_KECCAK_WIDTH],
}

/// The values of an item that are kept between the hashes.
struct Commitment {
    /// The first block of H(c̃).
    ball: [u8; H_RATE],
    w1_bytes: [u8; MOST_W1],
    c_tilde: [u8; MOST_C_TILDE],
}

impl Zeroed for Commitment {
    const ZERO: Self = Self {
        ball: [0; H_RATE],
        w1_bytes: [0; MOST_W1],
        c_tilde: [0; MOST_C_TILDE],
    };
}

impl<P: ParameterSet, B: Backend> Zeroed for Scratch<P, B> {
    const ZERO: Self = Self {
        one: Zeroed::ZERO,
        rows: Zeroed::ZERO,
        group: [Commitment::ZERO; MAX_KECCAK_WIDTH],
    };
}

/// FIPS 204, Algorithm 3, for each item. The context has at most 255 bytes, and none in round 3;
/// the caller has checked this.
pub fn verify<P: ParameterSet, B: Backend>(
    backend: B,
    context: &[u8],
    items: &mut [Item<'_, P>],
    scratch: &mut Scratch<P, B>,
) {
    let keccak = backend.keccak();
    let encoded = items.iter_mut().filter_map(|item| match item.key {
        PublicKey::Encoded(pk) => Some(([pk.as_ref()], &mut item.tr)),
        PublicKey::Prepared(_) => None,
    });
    hash_many(keccak, encoded);
    let frame = P::Scheme::frame(PURE, context.len() as u8);
    let messages = items.iter_mut().map(|item| {
        let tr = &item.tr[..P::TR_LEN];
        let parts = [tr, frame.as_ref(), context, item.message];
        (parts, &mut item.mu)
    });
    hash_many(keccak, messages);
    for group in items.chunks_mut(MAX_KECCAK_WIDTH) {
        verify_group(backend, group, scratch);
    }
}

/// FIPS 204, Algorithm 8, from line 8 on, for at most [`MAX_KECCAK_WIDTH`] items.
fn verify_group<P: ParameterSet, B: Backend>(
    backend: B,
    items: &mut [Item<'_, P>],
    scratch: &mut Scratch<P, B>,
) {
    let Scratch { one, rows, group } = scratch;
    let challenges = items.iter().zip(group.iter_mut());
    let challenges = challenges.map(|(item, room)| ([item.parts().c_tilde], &mut room.ball));
    hash_many(backend.keccak(), challenges);
    for (item, room) in items.iter_mut().zip(group.iter_mut()) {
        let parts = item.parts();
        item.valid = verify::decode(backend, &parts, one).is_some();
        if item.valid {
            sample::sample_in_ball_from::<P>(&room.ball, parts.c_tilde, &mut one.poly);
            let w1_bytes = &mut room.w1_bytes;
            let committed = match item.key {
                PublicKey::Encoded(pk) => {
                    let mut rows = EncodedRows::<P, B>::new(backend, pk, rows);
                    verify::commitment(backend, &mut rows, one, w1_bytes)
                }
                PublicKey::Prepared(key) => {
                    verify::commitment(backend, &mut key.rows(), one, w1_bytes)
                }
            };
            item.valid = committed.is_some();
        }
    }
    let commitments = items.iter().zip(group.iter_mut());
    let commitments = commitments.filter(|(item, _)| item.valid);
    let commitments = commitments
        .map(|(item, room)| (committed::<P>(&item.mu, &room.w1_bytes), &mut room.c_tilde));
    hash_many(backend.keccak(), commitments);
    for (item, room) in items.iter_mut().zip(group) {
        item.valid &= *item.parts().c_tilde == room.c_tilde[..P::C_TILDE_LEN];
    }
}
