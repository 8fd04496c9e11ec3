//! Whole signatures with one key and with many keys.
//!
//! The time depends on public values, which must not differ between the classes. All signatures take one
//! attempt. The challenges are random in both classes, as the messages are. The mean number of ones in the
//! hint depends on t₀, so both classes have the same t₀, ρ and tr. The secrets are K, s₁ and s₂.

use std::cell::RefCell;
use std::marker::PhantomData;

use dudect_bencher::rand::Rng;
use dudect_bencher::{BenchRng, CtRunner};
use moissanite_core::Fips204;
use moissanite_core::backend::Backend;
use moissanite_core::encode::keys::sk_split_mut;
use moissanite_core::keygen::{self, keygen_internal};
use moissanite_core::prepared::SigningState;
use moissanite_core::secret::Zeroed;
use moissanite_core::sign::{MAX_ATTEMPTS, Rnd, Scratch, sign_mu};

use crate::case::{Case, Run};
use crate::classes::{pool, settle, shuffled};

/// The number of keys of each class.
const KEYS: usize = 128;
/// The number of signatures of a message. With more of them, there would be fewer messages, and chance
/// would give one class the messages that take longer.
const TURNS: usize = 8;

/// μ and the randomness.
type Message = ([u8; 64], [u8; 32]);

pub(crate) struct Sign<P>(PhantomData<P>);

/// A key, and messages that it signs at the first attempt.
struct Secret<P: Fips204> {
    sk: P::PrivateKey,
    messages: Vec<Message>,
}

impl<P: Fips204> Case for Sign<P> {
    fn time<B: Backend>(backend: B, runner: &mut CtRunner, rng: &mut BenchRng) {
        let signer = RefCell::new(Signer::<P, B>::new());
        let fixed = private_key::<P, B>(backend, &[0; 32]);
        let secret = |rng: &mut BenchRng, sk: P::PrivateKey| {
            let mut signer = signer.borrow_mut();
            signer.set(backend, &sk);
            let random = || (std::array::from_fn(|_| rng.r#gen()), rng.r#gen());
            let first = |message: &Message| signer.sign(backend, message, 1);
            let count = Run::get().measurements / (2 * KEYS * TURNS) + 1;
            let messages = std::iter::repeat_with(random).filter(first).take(count);
            Secret::<P> {
                sk,
                messages: messages.collect(),
            }
        };
        let random = |rng: &mut BenchRng| {
            let mut other = private_key::<P, B>(backend, &rng.r#gen());
            let mut sk = fixed.clone();
            let (to, from) = (sk_split_mut::<P>(&mut sk), sk_split_mut::<P>(&mut other));
            to.k.clone_from(from.k);
            to.s1.copy_from_slice(from.s1);
            to.s2.copy_from_slice(from.s2);
            secret(rng, sk)
        };
        let pool = pool(rng, KEYS, |rng| secret(rng, fixed.clone()), random);
        let mut turn = 0;
        shuffled(rng, &pool, |class, secret| {
            // All keys are copied to the same address.
            signer.borrow_mut().set(backend, &secret.sk);
            let message = secret.messages[turn % secret.messages.len()];
            turn += 1;
            settle();
            runner.run_one(class, || {
                signer.borrow_mut().sign(backend, &message, MAX_ATTEMPTS)
            });
        });
    }
}

/// The operation of signing, with its variables.
struct Signer<P: Fips204, B: Backend> {
    key: Box<SigningState<P>>,
    scratch: Box<Scratch<P, B>>,
    sigma: P::Signature,
}

impl<P: Fips204, B: Backend> Signer<P, B> {
    fn new() -> Self {
        Self {
            key: Box::new(Zeroed::ZERO),
            scratch: Box::new(Zeroed::ZERO),
            sigma: Zeroed::ZERO,
        }
    }

    fn set(&mut self, backend: B, sk: &P::PrivateKey) {
        self.key.set(backend, sk).expect("keygen gave the key");
    }

    fn sign(&mut self, backend: B, (mu, rnd): &Message, attempts: u16) -> bool {
        let Self {
            key,
            scratch,
            sigma,
        } = self;
        let rnd = Rnd::Hedged(rnd);
        sign_mu(backend, key, mu, rnd, attempts, scratch, sigma).is_ok()
    }
}

fn private_key<P: Fips204, B: Backend>(backend: B, xi: &[u8; 32]) -> P::PrivateKey {
    let (mut pk, mut sk) = (P::PublicKey::ZERO, P::PrivateKey::ZERO);
    let mut scratch = keygen::Scratch::ZERO;
    keygen_internal::<P, B>(backend, xi, &mut pk, &mut sk, &mut scratch);
    sk
}
