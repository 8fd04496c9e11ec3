//! Operations on many keys or signatures at once, which take less time than one after the other.
//!
//! The hash functions inside ML-DSA process up to eight states at a time; in a batch, these states
//! belong to several items. The bytes and the verdicts do not depend on the other items of the
//! batch. The result is `Ok` if all items succeed. Otherwise the error contains the result of each
//! item, because a failure of one item does not affect the others. The time of a batch depends on
//! the number of attempts of each signature, which is public.
//!
//! A batch runs on one thread. Besides its results, it allocates less than 256 KiB, and less than
//! 512 bytes for each item; secrets in this memory are wiped. To use several threads, give each
//! thread a part of the items, here with the crate `rayon`:
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
//! // Parts of 64 items keep the lanes full and still give every thread a share.
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

/// Verifies signatures of messages of any lengths under one public key or several. All keys are of
/// the same kind, in bytes or prepared. `Ok` means that every signature is valid; the result for no
/// items is `Ok`.
///
/// All items have the same context of at most 255 bytes, which may be empty. A public key in bytes
/// is decoded again for each item; prepare a key that has several items.
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
/// The context has more than 255 bytes, or not all signatures are valid.
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

/// Signs messages of any lengths with one prepared key or several, without randomness: the
/// signatures have the same bytes as those of [`Signer`](crate::prelude::Signer). Prefer
/// [`sign_batch_with_rng`] if randomness is available.
///
/// All items have the same context of at most 255 bytes, which may be empty. A key is prepared
/// once, with [`SigningKey::prepare`], for any number of items.
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
/// The context has more than 255 bytes, or not all items were signed.
pub fn sign_batch<K: AnyPreparedSigningKey<Set: Fips204>>(
    context: &[u8],
    items: &[(&K, &[u8])],
) -> Result<Vec<Signature<K::Set>>, SignBatchError<K::Set>> {
    ContextTooLong::check(context)?;
    Ok(sign(context, items, || Ok(None))?)
}

/// Signs messages of any lengths with one prepared key or several, each hedged with its own 32
/// bytes from `rng`. Apart from that, it is the same as [`sign_batch`].
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
/// The context has more than 255 bytes, or not all items were signed; the error of an item for which the
/// generator failed is [`SigningError::Rng`].
pub fn sign_batch_with_rng<K: AnyPreparedSigningKey<Set: Fips204>, R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    context: &[u8],
    items: &[(&K, &[u8])],
) -> Result<Vec<Signature<K::Set>>, SignBatchError<K::Set>> {
    ContextTooLong::check(context)?;
    Ok(sign(context, items, || hedge(rng).map(Some))?)
}

/// Signs each item that has its `rnd` or is deterministic. In round 3, there is no context.
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

/// Generates the keys of these seeds in order, each the same as [`SigningKey::from_seed`] does.
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

/// Generates this number of keys with a generator that can fail; see [`SigningKey::try_generate`].
///
/// # Errors
/// The error of the generator. In this case, no key is returned.
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

/// Memory for the items that are processed at the same time, one for each lane.
fn room<T: Zeroed, B: Backend>(items: usize) -> Vec<T> {
    let count = items.min(batch::lanes::<B>());
    repeat_with(|| T::ZERO).take(count).collect()
}

/// The stack below the caller that the functions of the core use for many keys or signatures, and
/// that is overwritten afterwards.
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
