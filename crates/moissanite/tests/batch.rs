//! Batches compared with single operations: every backend and set, any number of items, and invalid
//! items.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::integer_division_remainder_used,
    reason = "a test fails by panicking, and has no secrets"
)]

use crate::backends::on_every_backend;
use moissanite::backend::{Backend, WithBackend};
use moissanite::batch::{
    SignBatchError, VerifyBatchError, VerifyItem, generate_batch, generate_batch_on,
    generate_batch_with_rng, sign_batch, sign_batch_with_rng, verify_batch,
};
use moissanite::rand_core::{TryCryptoRng, TryRng};
use moissanite::{
    ContextTooLong, Fips204, MlDsa44, MlDsa65, MlDsa87, PreparedSigningKey, PreparedVerifyingKey,
    Seed, Signature, SigningError, SigningKey, VerifyingKey, prelude::*,
};
use moissanite_kats::Recorded;

const SIZES: [usize; 6] = [0, 1, 7, 8, 9, 64];
const CONTEXT: &[u8] = b"context";

/// Makes tests of functions `fn name<P: Fips204, B: Backend>(backend: B)`, one for each set.
macro_rules! on_every_backend_and_set {
    ($($name:ident)*) => {$(
        mod $name {
            use super::*;
            #[derive(Clone)]
            struct Of<P>(std::marker::PhantomData<P>);
            impl<P: Fips204> WithBackend for Of<P> {
                type Output = ();
                fn call<B: Backend>(self, backend: B) {
                    super::$name::<P, B>(backend);
                }
            }
            #[test]
            fn ml_dsa_44() {
                on_every_backend(&Of::<MlDsa44>(std::marker::PhantomData));
            }
            #[test]
            fn ml_dsa_65() {
                on_every_backend(&Of::<MlDsa65>(std::marker::PhantomData));
            }
            #[test]
            fn ml_dsa_87() {
                on_every_backend(&Of::<MlDsa87>(std::marker::PhantomData));
            }
        }
    )*};
}

on_every_backend_and_set! {
    verdicts_are_those_of_one_by_one
    a_bad_signature_costs_only_itself
    signatures_are_those_of_one_by_one
    keys_are_those_of_one_by_one
}

/// A few keys of every kind.
struct Keys<P: Fips204> {
    signing: Vec<PreparedSigningKey<P>>,
    verifying: Vec<VerifyingKey<P>>,
    prepared: Vec<PreparedVerifyingKey<P>>,
}

impl<P: Fips204> Keys<P> {
    fn new() -> Self {
        let keys = [1, 2, 3].map(|seed| SigningKey::<P>::from_seed(&[seed; 32].into()));
        let verifying: Vec<_> = keys.iter().map(|key| key.verifying_key().clone()).collect();
        Self {
            signing: keys.iter().map(SigningKey::prepare).collect(),
            prepared: verifying.iter().map(VerifyingKey::prepare).collect(),
            verifying,
        }
    }

    /// The key of item `i`, in an order without a pattern that groups of lanes would keep.
    fn of(i: usize) -> usize {
        i * i % 3
    }

    fn sign(&self, i: usize, message: &[u8]) -> Signature<P> {
        let key = self.signing[Self::of(i)].with_context(CONTEXT).unwrap();
        key.try_sign(message).unwrap()
    }
}

/// Messages of unequal lengths: none, less than a block, one more or less than a block, several.
fn messages(count: usize) -> Vec<Vec<u8>> {
    let lengths = [0, 32, 1, 5000, 62, 63, 64, 65, 700, 135, 136, 137];
    let of = |i: usize| vec![i.to_le_bytes()[0]; lengths[i % lengths.len()] + i / lengths.len()];
    (0..count).map(of).collect()
}

/// The verdict on each item, which the error contains if one is invalid.
macro_rules! verdicts {
    ($context:expr, $items:expr) => {
        match verify_batch($context, $items) {
            Ok(()) => vec![true; $items.len()],
            Err(VerifyBatchError::Invalid(error)) => {
                let verdicts: Vec<_> = error.verdicts().collect();
                assert_eq!(verdicts.len(), $items.len());
                let invalid: Vec<_> = error.invalid().collect();
                assert!(!invalid.is_empty() && invalid.iter().all(|i| !verdicts[*i]));
                assert_eq!(
                    invalid.len(),
                    verdicts.iter().filter(|valid| !**valid).count()
                );
                verdicts
            }
            Err(error) => panic!("{error}"),
        }
    };
}

/// Every third signature is of another message.
fn verdicts_are_those_of_one_by_one<P: Fips204, B: Backend>(backend: B) {
    let keys = Keys::<P>::new();
    let messages = messages(64);
    let signed = |i| if i % 3 == 2 { (i + 1) % 64 } else { i };
    let signatures: Vec<_> = (0..64)
        .map(|i| keys.sign(i, &messages[signed(i)]))
        .collect();
    let encoded: Vec<_> = keys.verifying.iter().map(|key| key.on(backend)).collect();
    let prepared: Vec<_> = keys.prepared.iter().map(|key| key.on(backend)).collect();
    for size in SIZES {
        let of = |i: usize| (messages[i].as_slice(), &signatures[i]);
        let items: Vec<_> = (0..size)
            .map(|i| (&encoded[Keys::<P>::of(i)], of(i).0, of(i).1))
            .collect();
        let verdicts = verdicts!(CONTEXT, &items);
        for (i, verdict) in verdicts.iter().enumerate() {
            let (key, message, signature) = items[i];
            let expected = key
                .with_context(CONTEXT)
                .unwrap()
                .verify(message, signature);
            assert_eq!(*verdict, expected.is_ok(), "item {i} of {size}");
            assert_eq!(*verdict, i % 3 != 2);
        }
        let items: Vec<_> = (0..size)
            .map(|i| (&prepared[Keys::<P>::of(i)], of(i).0, of(i).1))
            .collect();
        assert!(verdicts == verdicts!(CONTEXT, &items));
        // Without the context, none is valid.
        assert!(verdicts!(b"", &items) == vec![false; size]);
    }
}

/// The faults of one item.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bad {
    CTilde,
    Z,
    ZTooLong,
    Hint,
    HintMalformed,
    Message,
    Key,
}

impl Bad {
    const ALL: [Self; 7] = [
        Self::CTilde,
        Self::Z,
        Self::ZTooLong,
        Self::Hint,
        Self::HintMalformed,
        Self::Message,
        Self::Key,
    ];

    fn spoil<P: Fips204>(self, signature: &Signature<P>) -> Signature<P> {
        let mut bytes = signature.to_bytes();
        let bytes = bytes.as_mut();
        let end = bytes.len() - 1;
        match self {
            Self::CTilde => bytes[0] ^= 1,
            Self::Z => bytes[P::C_TILDE_LEN + 9] ^= 1,
            // γ₁ itself.
            Self::ZTooLong => bytes[P::C_TILDE_LEN..][..5].fill(0),
            Self::Hint => bytes[end - P::OMEGA] ^= 1,
            Self::HintMalformed => bytes[end] = 255,
            Self::Message | Self::Key => {}
        }
        Signature::from_bytes(bytes).unwrap()
    }
}

/// One invalid item at each position of a batch of nine, and all but one invalid.
fn a_bad_signature_costs_only_itself<P: Fips204, B: Backend>(backend: B) {
    const SIZE: usize = 9;
    let keys = Keys::<P>::new();
    let prepared: Vec<_> = keys.prepared.iter().map(|key| key.on(backend)).collect();
    let messages = messages(SIZE);
    let good: Vec<_> = (0..SIZE).map(|i| keys.sign(i, &messages[i])).collect();
    for (kind, bad) in Bad::ALL.into_iter().enumerate() {
        let spoilt: Vec<_> = good.iter().map(|signature| bad.spoil(signature)).collect();
        let check = |is_bad: &dyn Fn(usize) -> bool| {
            let item = |i: usize| {
                let message = messages[i].as_slice();
                let key = Keys::<P>::of(i);
                match bad {
                    _ if !is_bad(i) => (&prepared[key], message, &good[i]),
                    Bad::Message => (&prepared[key], &b"another"[..], &good[i]),
                    Bad::Key => (&prepared[(key + 1) % 3], message, &good[i]),
                    _ => (&prepared[key], message, &spoilt[i]),
                }
            };
            let items: Vec<_> = (0..SIZE).map(item).collect();
            for (i, valid) in verdicts!(CONTEXT, &items).into_iter().enumerate() {
                assert_eq!(valid, !is_bad(i), "{bad:?}, item {i}");
            }
        };
        for place in 0..SIZE {
            check(&|i| i == place);
        }
        check(&|i| i != kind);
        check(&|_| true);
    }
}

/// Deterministic and hedged.
fn signatures_are_those_of_one_by_one<P: Fips204, B: Backend>(backend: B) {
    let keys = Keys::<P>::new();
    let messages = messages(64);
    let signing: Vec<_> = keys.signing.iter().map(|key| key.on(backend)).collect();
    let items: Vec<_> = (0..64)
        .map(|i| (&signing[Keys::<P>::of(i)], messages[i].as_slice()))
        .collect();
    let one_by_one: Vec<_> = (0..64).map(|i| keys.sign(i, &messages[i])).collect();
    let hedged = |i: usize| {
        let key = keys.signing[Keys::<P>::of(i)]
            .with_context(CONTEXT)
            .unwrap();
        let rnd = [Count::FIRST + i.to_le_bytes()[0]; 32];
        key.try_sign_with_rng(&mut Recorded(&rnd), &messages[i])
            .unwrap()
    };
    let hedged: Vec<_> = (0..9).map(hedged).collect();
    for size in SIZES {
        assert!(sign_batch(CONTEXT, &items[..size]).unwrap() == one_by_one[..size]);
        let size = size.min(9);
        let signatures = sign_batch_with_rng(&mut Count::new(None), CONTEXT, &items[..size]);
        assert!(signatures.unwrap() == hedged[..size]);
    }
    // An item for which the generator fails has no signature; the others do.
    for fails_at in 0..9 {
        let mut rng = Count::new(Some(fails_at));
        let signatures = sign_batch_with_rng(&mut rng, CONTEXT, &items[..9]);
        let Err(SignBatchError::Missing(error)) = signatures else {
            panic!("a generator failed");
        };
        assert!(error.missing().eq([(fails_at.into(), SigningError::Rng)]));
        let says = "1 of 9 messages were not signed: the random number generator failed";
        assert_eq!(error.to_string(), says);
        for (i, signature) in error.into_results().into_iter().enumerate() {
            if i == usize::from(fails_at) {
                assert_eq!(signature, Err(SigningError::Rng));
            } else {
                assert!(signature.as_ref() == Ok(&hedged[i]), "item {i}");
            }
        }
    }
}

fn keys_are_those_of_one_by_one<P: Fips204, B: Backend>(backend: B) {
    let seeds: Vec<_> = (0..64).map(|i| Seed::from([i; 32])).collect();
    let one_by_one: Vec<_> = seeds.iter().map(SigningKey::<P>::from_seed).collect();
    for size in SIZES {
        let keys = generate_batch_on::<P, B>(backend, &seeds[..size]);
        assert_eq!(keys.len(), size);
        for ((key, expected), seed) in keys.iter().zip(&one_by_one).zip(&seeds) {
            assert_eq!(key.as_seed(), Some(seed));
            assert_eq!(key.verifying_key(), expected.verifying_key());
            assert!(key.as_expanded_bytes() == expected.as_expanded_bytes());
        }
    }
}

/// A generator that returns another byte each time, and fails once.
struct Count {
    calls: u8,
    fails_at: Option<u8>,
}

impl Count {
    /// The first byte that it returns.
    const FIRST: u8 = 100;

    fn new(fails_at: Option<u8>) -> Self {
        Self { calls: 0, fails_at }
    }
}

impl TryRng for Count {
    type Error = std::fmt::Error;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Err(std::fmt::Error)
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Err(std::fmt::Error)
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        assert_eq!(bytes.len(), 32);
        let call = self.calls;
        self.calls += 1;
        bytes.fill(Self::FIRST + call);
        if self.fails_at == Some(call) {
            return Err(std::fmt::Error);
        }
        Ok(())
    }
}
impl TryCryptoRng for Count {}

#[test]
fn generating_with_a_generator() {
    let keys = generate_batch_with_rng::<MlDsa44, _>(&mut Count::new(None), 9).unwrap();
    let seeds: Vec<_> = (0..9).map(|i| Seed::from([Count::FIRST + i; 32])).collect();
    let expected = generate_batch::<MlDsa44>(&seeds);
    assert_eq!(keys.len(), 9);
    for (key, expected) in keys.iter().zip(&expected) {
        assert_eq!(key.as_seed(), expected.as_seed());
        assert_eq!(key.verifying_key(), expected.verifying_key());
    }
    generate_batch_with_rng::<MlDsa44, _>(&mut Count::new(Some(8)), 9).unwrap_err();
}

#[test]
fn contexts() {
    let keys = Keys::<MlDsa44>::new();
    let (key, message) = (&keys.prepared[0], &b"message"[..]);
    let longest = [7; 255];
    let signature = keys.signing[0]
        .with_context(&longest)
        .unwrap()
        .try_sign(message)
        .unwrap();
    let items: [VerifyItem<'_, _>; 1] = [(key, message, &signature)];
    assert_eq!(verify_batch(&longest, &items), Ok(()));
    let error = verify_batch(&longest[1..], &items).unwrap_err();
    assert_eq!(error.to_string(), "1 of 1 signatures are not valid");
    let too_long = [7; 256];
    let error = Err(VerifyBatchError::ContextTooLong(ContextTooLong));
    assert_eq!(verify_batch(&too_long, &items), error);
    assert_eq!(verify_batch(&too_long, &items[..0]), error);

    let items = [(&keys.signing[0], message)];
    assert_eq!(sign_batch(&longest, &items).unwrap(), [signature]);
    let error = Err(SignBatchError::ContextTooLong(ContextTooLong));
    assert_eq!(sign_batch(&too_long, &items), error);
    assert_eq!(sign_batch(&too_long, &items[..0]), error);
}

/// The result alone shows whether all items succeeded.
#[test]
fn a_forgery_is_an_error() {
    let keys = Keys::<MlDsa44>::new();
    let signature = keys.signing[0].try_sign(b"message").unwrap();
    let key = &keys.verifying[0];
    verify_batch(b"", &[(key, b"message", &signature)]).unwrap();
    verify_batch(b"", &[(key, b"forged", &signature)]).unwrap_err();
    let none: [VerifyItem<'_, VerifyingKey<MlDsa44>>; 0] = [];
    verify_batch(b"", &none).unwrap();
}
