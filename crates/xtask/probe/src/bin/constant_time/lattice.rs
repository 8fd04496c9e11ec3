//! The core's operations on keys of one set, on one backend.

use moissanite_core::backend::Backend;
use moissanite_core::encode::keys::{self, sk_split_mut};
use moissanite_core::keygen::{self, check_private_key, keygen_internal};
use moissanite_core::prepared::{SigningState, VerifyingState};
use moissanite_core::secret::Zeroed;
use moissanite_core::shape::Dim;
use moissanite_core::sign::{self, MAX_ATTEMPTS, Rnd, sign_mu};
use moissanite_core::verify::{self, MessageRepresentative, verify};
use moissanite_core::{ParameterSet, batch, hash};
use moissanite_cpu::memcheck::{poison, unpoison};

use crate::plant::{Leak, plant};
use crate::step::step;

/// The number of signatures of each set. Some need several attempts, which fail the checks of r₀ and z.
const MESSAGES: u16 = 24;
/// The number of keys and of signatures in a batch.
const BATCH: usize = 10;
/// The number of attempts with a key that has the largest t₀. They fail the other two checks: that of the
/// number of ones in the hint and, if τ · 2¹² ≥ γ₂ makes that possible, that of ct₀. The check of ct₀ fails
/// about once in a thousand attempts; for [`LONG_CT0`] it fails in the first attempt with ML-DSA-44.
pub(crate) const ATTEMPTS: u16 = 48;
/// The number of the message whose first attempt fails the check of ct₀.
pub(crate) const LONG_CT0: u16 = 1218;

/// Runs all operations of a set; returns whether keys and signatures are right.
pub(crate) fn run_set<P: ParameterSet, B: Backend>(backend: B, leak: Leak) -> bool {
    let (mut pk, mut sk) = (P::PublicKey::ZERO, P::PrivateKey::ZERO);
    step::<P, B, _>("keygen", || {
        let mut xi = [P::K::N as u8; 32];
        poison(&mut xi);
        let mut scratch = keygen::Scratch::ZERO;
        keygen_internal::<P, B>(backend, &xi, &mut pk, &mut sk, &mut scratch);
    });
    if plant::<P>(leak, &mut sk) {
        return true;
    }

    poison_key::<P>(&mut sk);
    let mut same_pk = P::PublicKey::ZERO;
    let checked = step::<P, B, _>("check of a private key", || {
        let mut scratch = keygen::Scratch::ZERO;
        keys::check_ranges::<P, B>(backend, &sk).is_ok()
            && check_private_key::<P, B>(backend, &sk, &mut same_pk, &mut scratch).is_ok()
    });

    let mut key = SigningState::<P>::ZERO;
    let prepared = step::<P, B, _>("preparing", || key.set(backend, &sk).is_ok());
    let mut signer = Signer::<P, B>::new(backend, &pk);
    let mut signatures = 0;
    step::<P, B, _>("signing", || {
        for message in 0..MESSAGES {
            signatures += u16::from(signer.sign(&key, message, MAX_ATTEMPTS));
        }
    });

    let batches = step::<P, B, _>("batches", || {
        generates_batch::<P, B>(backend) && signer.sign_batch(&key)
    });

    // No seed gives this key: t₀ = 2¹² in every coefficient.
    sk_split_mut::<P>(&mut sk).t0.fill(0);
    poison_key::<P>(&mut sk);
    let prepared_again = key.set(backend, &sk).is_ok();
    step::<P, B, _>("signing with the largest t0", || {
        signer.sign(&key, LONG_CT0, ATTEMPTS);
    });
    checked && same_pk == pk && prepared && prepared_again && batches && signatures == MESSAGES
}

/// Generates a batch of keys from secret seeds; returns whether the last one is right.
fn generates_batch<P: ParameterSet, B: Backend>(backend: B) -> bool {
    let mut seeds: [[u8; 32]; BATCH] = core::array::from_fn(|i| [i as u8; 32]);
    poison(&mut seeds);
    let mut keys = seeds.map(|_| (P::PublicKey::ZERO, P::PrivateKey::ZERO));
    let items = seeds.iter().zip(&mut keys);
    let items = items.map(|(seed, (pk, sk))| batch::generate::Item::<P>::new(seed, pk, sk));
    let mut items: Vec<_> = items.collect();
    let mut scratch: Vec<_> = (0..batch::lanes::<B>()).map(|_| Zeroed::ZERO).collect();
    let mut rows = keygen::Rows::ZERO;
    batch::generate::generate(backend, &mut items, &mut scratch, &mut rows);
    let (mut pk, mut sk) = (P::PublicKey::ZERO, P::PrivateKey::ZERO);
    let mut scratch = keygen::Scratch::ZERO;
    keygen_internal::<P, B>(backend, &seeds[BATCH - 1], &mut pk, &mut sk, &mut scratch);
    keys[BATCH - 1].0 == pk
}

/// Marks the secrets in a private key.
pub(crate) fn poison_key<P: ParameterSet>(sk: &mut P::PrivateKey) {
    let parts = sk_split_mut::<P>(sk);
    poison(parts.k);
    poison(parts.s1);
    poison(parts.s2);
    poison(parts.t0);
}

/// Returns the randomness of a message; every other signature is deterministic.
pub(crate) fn every_other(message: u16, rnd: &[u8; 32]) -> Rnd<'_> {
    if message & 1 == 0 {
        Rnd::Hedged(rnd)
    } else {
        Rnd::Deterministic
    }
}

/// The operation of signing, with its variables.
struct Signer<P: ParameterSet, B: Backend> {
    backend: B,
    scratch: sign::Scratch<P, B>,
    public_key: VerifyingState<P>,
    verifying: verify::Scratch<P>,
    sigma: P::Signature,
}

impl<P: ParameterSet, B: Backend> Signer<P, B> {
    fn new(backend: B, pk: &P::PublicKey) -> Self {
        let mut signer = Self {
            backend,
            scratch: Zeroed::ZERO,
            public_key: Zeroed::ZERO,
            verifying: Zeroed::ZERO,
            sigma: Zeroed::ZERO,
        };
        signer.public_key.set(backend, pk);
        signer
    }

    /// Signs a secret message with secret randomness; returns whether the signature verifies.
    fn sign(&mut self, key: &SigningState<P>, message: u16, attempts: u16) -> bool {
        let mut mu = *hash::h::<64>(&[key.tr(), &message.to_le_bytes()]);
        let mut rnd = [7; 32];
        poison(&mut mu);
        poison(&mut rnd);
        let (backend, sigma) = (self.backend, &mut self.sigma);
        let signed = sign_mu(
            backend,
            key,
            &mu,
            every_other(message, &rnd),
            attempts,
            &mut self.scratch,
            sigma,
        );
        unpoison(&mut mu);
        signed.is_ok()
            && verify(
                backend,
                self.public_key.rows(),
                MessageRepresentative::Mu(&mu),
                sigma,
                &mut self.verifying,
            )
    }
}

impl<P: ParameterSet, B: Backend> Signer<P, B> {
    /// Signs a batch of secret messages with secret randomness; returns whether the signatures verify.
    fn sign_batch(&mut self, key: &SigningState<P>) -> bool {
        let mut messages: [[u8; 1]; BATCH] = core::array::from_fn(|i| [i as u8]);
        let mut rnds = [[0; 32]; BATCH];
        poison(&mut messages);
        poison(&mut rnds);
        let mut sigmas = [const { P::Signature::ZERO }; BATCH];
        let items = messages.iter().zip(&rnds).zip(&mut sigmas);
        let items =
            items.map(|((m, rnd), sigma)| batch::sign::Item::new(key, m, Rnd::Hedged(rnd), sigma));
        let mut items: Vec<_> = items.collect();
        let mut scratch: Vec<_> = (0..batch::lanes::<B>()).map(|_| Zeroed::ZERO).collect();
        batch::sign::sign(self.backend, b"", MAX_ATTEMPTS, &mut items, &mut scratch);
        let mut signed: Vec<_> = items.iter().map(|i| (*i.mu(), i.result())).collect();
        unpoison(&mut signed[..]);
        signed.iter().zip(&sigmas).all(|((mu, result), sigma)| {
            let rows = self.public_key.rows();
            result.is_ok()
                && verify(
                    self.backend,
                    rows,
                    MessageRepresentative::Mu(mu),
                    sigma,
                    &mut self.verifying,
                )
        })
    }
}
