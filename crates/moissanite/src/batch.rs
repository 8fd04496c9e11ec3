//! Many keys or signatures at once, in less time than one after the other.
//!
//! The hash functions inside ML-DSA work on up to eight states at a time; here they work on those
//! of several items. The bytes and the verdicts are the same as one by one, whatever stands beside
//! an item. A batch is `Ok` if all of its items are; otherwise the error has what came of each, as
//! what is wrong with one item costs only itself. As elsewhere, how many attempts a signature takes
//! shows in the time of a batch, which is public.
//!
//! A batch runs on one thread. Besides its results it allocates less than 256 KiB, and less than
//! 512 bytes for each item; what is secret in there is wiped. On several threads, each takes a
//! part, here by the crate `rayon`:
//!
//! ```
//! use moissanite::{batch::verify_batch, prelude::*, MlDsa65, SigningKey, SysRng};
//! use rayon::prelude::*;
//!
//! # let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
//! # let messages: Vec<[u8; 1]> = (0..100).map(|i| [i]).collect();
//! # let sign = |message: &[u8; 1]| key.try_sign(message);
//! # let signatures: Vec<_> = messages.iter().map(sign).collect::<Result<_, _>>()?;
//! let public_key = key.verifying_key().prepare();
//! let items = messages.iter().zip(&signatures);
//! let items: Vec<_> = items.map(|(m, s)| (&public_key, m.as_slice(), s)).collect();
//!
//! // 64 at a time keep the lanes full and still give every thread its share.
//! items.par_chunks(64).try_for_each(|part| verify_batch(b"", part))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;

use alloc::vec::Vec;
use core::iter::repeat_with;

use moissanite_core::backend::{Backend, Best, Choice, WithBackend};
use moissanite_core::batch;
use moissanite_core::scrub::scrubbed;
use moissanite_core::secret::{Secret, Zeroed};
use moissanite_core::seed::Seed;
use moissanite_core::sign::{MAX_ATTEMPTS, Rnd};
use moissanite_core::{Fips204, ParameterSet, keygen};
use signature::rand_core::TryCryptoRng;

pub use self::error::{InvalidSignatures, MissingSignatures, SignBatchError, VerifyBatchError};
use crate::error::{ContextTooLong, SigningError};
use crate::key_traits::{AnyPreparedSigningKey, AnyVerifyingKey, check_new, hedge};
use crate::sig::Signature;
use crate::signing::SigningKey;

/// A public key, a message and its signature.
pub type VerifyItem<'a, K> = (&'a K, &'a [u8], &'a Signature<<K as AnyVerifyingKey>::Set>);

/// Verifies signatures of messages of any lengths under one key or many: public keys of any one
/// kind, in bytes or prepared. `Ok` means that every one of them is valid, as of no items at all.
///
/// All have the same context, at most 255 bytes, which may be empty. A public key in bytes is taken
/// apart for each of its items; where it has several, prepare it.
///
/// ```
/// use moissanite::{MlDsa65, SigningKey, SysRng, batch::{VerifyBatchError, verify_batch}, prelude::*};
///
/// let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
/// let (one, two) = (key.try_sign(b"one")?, key.try_sign(b"two")?);
///
/// let public_key = key.verifying_key().prepare();
/// verify_batch(b"", &[(&public_key, b"one", &one), (&public_key, b"two", &two)])?;
///
/// let items = [
///     (&public_key, b"one".as_slice(), &one),
///     (&public_key, b"not two", &two),
///     (&public_key, b"two", &two),
/// ];
/// let Err(VerifyBatchError::Invalid(error)) = verify_batch(b"", &items) else {
///     unreachable!()
/// };
/// assert!(error.verdicts().eq([true, false, true]));
/// assert!(error.invalid().eq([1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The context is longer, or not all signatures are valid.
pub fn verify_batch<K: AnyVerifyingKey<Set: Fips204>>(
    context: &[u8],
    items: &[VerifyItem<'_, K>],
) -> Result<(), VerifyBatchError> {
    ContextTooLong::check(context)?;
    Ok(verify(context, items)?)
}

/// Verifies each item. In round 3, there is no context.
pub(crate) fn verify<K: AnyVerifyingKey>(
    context: &[u8],
    items: &[VerifyItem<'_, K>],
) -> Result<(), InvalidSignatures> {
    let Some((first, ..)) = items.first() else {
        return Ok(());
    };
    let verifying = items.iter().map(|(key, message, signature)| {
        batch::verify::Item::new(key.public_key(), message, &signature.0)
    });
    let mut verifying: Vec<_> = verifying.collect();
    first.run(Verify {
        context,
        items: &mut verifying,
    });
    let verdicts = verifying.iter().map(batch::verify::Item::is_valid);
    InvalidSignatures::unless_all(verdicts.collect())
}

/// Signs messages of any lengths with one prepared key or several, without randomness: the bytes
/// are those of [`Signer`](crate::prelude::Signer), the same each time. Prefer
/// [`sign_batch_with_rng`] where there is randomness.
///
/// All have the same context, at most 255 bytes, which may be empty. A key is prepared once, by
/// [`SigningKey::prepare`], however many items it has.
///
/// ```
/// use moissanite::{batch::sign_batch, prelude::*, MlDsa65, SigningKey, SysRng};
///
/// let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
/// let prepared = key.prepare();
/// let signatures = sign_batch(b"", &[(&prepared, b"one"), (&prepared, b"two")])?;
/// assert_eq!(signatures[1], key.try_sign(b"two")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The context is longer, or not all items were signed, for no want of randomness.
pub fn sign_batch<K: AnyPreparedSigningKey<Set: Fips204>>(
    context: &[u8],
    items: &[(&K, &[u8])],
) -> Result<Vec<Signature<K::Set>>, SignBatchError<K::Set>> {
    ContextTooLong::check(context)?;
    Ok(sign(context, items, || Ok(None))?)
}

/// Signs messages of any lengths with one prepared key or several, each hedged with 32 bytes of
/// its own from `rng`. As [`sign_batch`] otherwise.
///
/// ```
/// use moissanite::{batch::sign_batch_with_rng, prelude::*, MlDsa65, SigningKey};
///
/// # #[cfg(feature = "getrandom")] {
/// use moissanite::SysRng;
///
/// let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?.prepare();
/// let messages: [&[u8]; 3] = [b"one", b"two", b"three"];
/// let signatures = sign_batch_with_rng(&mut SysRng, b"", &messages.map(|m| (&key, m)))?;
/// for (message, signature) in messages.iter().zip(&signatures) {
///     key.verifying_key().verify(message, signature)?;
/// }
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The context is longer, or not all items were signed: [`SigningError::Rng`] stands for each item
/// for which the generator failed.
pub fn sign_batch_with_rng<K: AnyPreparedSigningKey<Set: Fips204>, R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    context: &[u8],
    items: &[(&K, &[u8])],
) -> Result<Vec<Signature<K::Set>>, SignBatchError<K::Set>> {
    ContextTooLong::check(context)?;
    Ok(sign(context, items, || hedge(rng).map(Some))?)
}

/// Signs each item that has its `rnd`, or is to be deterministic. In round 3, there is no context.
pub(crate) fn sign<K: AnyPreparedSigningKey>(
    context: &[u8],
    items: &[(&K, &[u8])],
    mut rnd: impl FnMut() -> Result<Option<Secret<[u8; 32]>>, SigningError>,
) -> Result<Vec<Signature<K::Set>>, MissingSignatures<K::Set>> {
    let Some((first, _)) = items.first() else {
        return Ok(Vec::new());
    };
    let rnds: Vec<_> = items.iter().map(|_| rnd()).collect();
    let room = |rnd: &Result<_, _>| rnd.as_ref().map(|_| Signature::zero()).map_err(|e| *e);
    let mut signed: Vec<_> = rnds.iter().map(room).collect();
    let signing = items.iter().zip(&rnds).zip(&mut signed);
    let signing = signing.filter_map(|(((key, message), rnd), signature)| {
        let (Ok(rnd), Ok(signature)) = (rnd, signature) else {
            return None;
        };
        let rnd = rnd.as_deref().map_or(Rnd::Deterministic, Rnd::Hedged);
        let sigma = &mut signature.0;
        Some(batch::sign::Item::new(key.prepared(), message, rnd, sigma))
    });
    let mut signing: Vec<_> = signing.collect();
    first.run(Sign {
        context,
        items: &mut signing,
    });
    let made = signing.iter().map(|item| (item.result(), *item.mu()));
    let made: Vec<_> = made.collect();
    let signatures = items
        .iter()
        .zip(&mut signed)
        .filter(|(_, signed)| signed.is_ok());
    for (((key, _), signed), (result, mu)) in signatures.zip(made) {
        if result.is_err() {
            *signed = Err(SigningError::AttemptsExhausted);
        } else if let Ok(signature) = signed
            && let Err(error) = check_new(*key, &mu, signature)
        {
            *signed = Err(error);
        }
    }
    MissingSignatures::unless_all(signed)
}

/// The keys of these seeds, as [`SigningKey::from_seed`] makes them, in order.
///
/// ```
/// use moissanite::{batch::generate_batch, MlDsa65, Seed, SigningKey};
///
/// let seeds = [Seed::from([1; 32]), Seed::from([2; 32])];
/// let keys: Vec<SigningKey<MlDsa65>> = generate_batch(&seeds);
/// let one_by_one = SigningKey::<MlDsa65>::from_seed(&seeds[1]);
/// assert_eq!(keys[1].verifying_key(), one_by_one.verifying_key());
/// ```
pub fn generate_batch<P: ParameterSet>(seeds: &[Seed]) -> Vec<SigningKey<P>> {
    generate(Best, seeds)
}

/// [`generate_batch`], on the backend of the caller's choice.
#[cfg(feature = "hazmat")]
#[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
pub fn generate_batch_on<P: ParameterSet, B: Backend>(
    backend: B,
    seeds: &[Seed],
) -> Vec<SigningKey<P>> {
    generate(moissanite_core::backend::Named(backend), seeds)
}

/// New keys, this many, from a generator that can fail: see [`SigningKey::try_generate`].
///
/// # Errors
/// The generator's. There are no keys then.
pub fn generate_batch_with_rng<P: ParameterSet, R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    count: usize,
) -> Result<Vec<SigningKey<P>>, R::Error> {
    let mut seeds: Vec<_> = repeat_with(Seed::zero).take(count).collect();
    for seed in &mut seeds {
        seed.try_fill(rng)?;
    }
    Ok(generate(Best, &seeds))
}

fn generate<P: ParameterSet, C: Choice>(choice: C, seeds: &[Seed]) -> Vec<SigningKey<P>> {
    let mut keys: Vec<_> = seeds.iter().map(SigningKey::unmade).collect();
    let items = keys.iter_mut().map(|key| {
        let (seed, pk, sk) = key.parts_mut();
        batch::generate::Item::new(seed, pk, sk)
    });
    let mut items: Vec<_> = items.collect();
    choice.run(Generate::<P> { items: &mut items });
    keys
}

/// Room for each of the items that are in the making at a time: as many as there are lanes.
fn room<T: Zeroed, B: Backend>(items: usize) -> Vec<T> {
    let count = items.min(batch::lanes::<B>());
    repeat_with(|| T::ZERO).take(count).collect()
}

/// Stack that the functions of the core use for many keys or signatures below their caller, and that
/// is overwritten after them.
const DEPTH: usize = 24 << 10;

struct Verify<'b, 'a, P: ParameterSet> {
    context: &'b [u8],
    items: &'b mut [batch::verify::Item<'a, P>],
}
impl<P: ParameterSet> WithBackend for Verify<'_, '_, P> {
    type Output = ();
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) {
        let mut scratch = batch::verify::Scratch::<P, B>::ZERO;
        batch::verify::verify(backend, self.context, self.items, &mut scratch);
    }
}

struct Sign<'b, 'a, P: ParameterSet> {
    context: &'b [u8],
    items: &'b mut [batch::sign::Item<'a, P>],
}
impl<P: ParameterSet> WithBackend for Sign<'_, '_, P> {
    type Output = ();
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) {
        let Self { context, items } = self;
        let mut scratch = room::<_, B>(items.len());
        scrubbed::<DEPTH, _>(|| {
            batch::sign::sign(backend, context, MAX_ATTEMPTS, items, &mut scratch);
        });
    }
}

struct Generate<'b, 'a, P: ParameterSet> {
    items: &'b mut [batch::generate::Item<'a, P>],
}
impl<P: ParameterSet> WithBackend for Generate<'_, '_, P> {
    type Output = ();
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) {
        let mut scratch = room::<_, B>(self.items.len());
        let mut rows = keygen::Rows::ZERO;
        scrubbed::<DEPTH, _>(|| {
            batch::generate::generate(backend, self.items, &mut scratch, &mut rows);
        });
    }
}
