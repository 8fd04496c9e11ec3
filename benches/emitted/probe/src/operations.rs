//! The operations of the core and of the streams, without a heap and without a caller that could panic:
//! every panic in this program is one that the operations can reach.
//!
//! The program is not executed. Its memory, which it is given, stands for all keys, messages and signatures.
#![no_std]
#![no_main]

#[allow(
    dead_code,
    reason = "the library requires an allocator, which no operation here calls"
)]
mod heap;
mod runtime;

use core::convert::Infallible;

use moissanite::backend::{Backend, WithBackend, all, dispatch_to};
use moissanite::stream::{CachedMatrix, PrivateKey, Seeds, SigningKey, VerifyingKey};
use moissanite::{Fips204, MuBuilder, Seed};
use moissanite_core::batch::{generate, sign as sign_batch, verify as verify_batch};
use moissanite_core::encode::keys;
use moissanite_core::prepared::{EncodedRows, RowScratch, SigningState, VerifyingState};
use moissanite_core::sign::Rnd;
use moissanite_core::verify::{self, MessageRepresentative};
use moissanite_core::{
    Dilithium2, Dilithium3, Dilithium5, MlDsa44, MlDsa65, MlDsa87, ParameterSet, hash, keygen, sign,
};

/// The items of a batch.
const BATCH: usize = 3;

/// Calls all operations of a parameter set on the backend at position `backend` in the list of the core.
///
/// # Safety
/// `memory` begins a [`Memory`] of the set and the backend.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn probe(backend: u32, set: u32, memory: *mut u8) -> bool {
    match all().nth(backend as usize) {
        Some((name, true)) => dispatch_to(name, Run { set, memory }) == Some(true),
        _ => false,
    }
}

struct Run {
    set: u32,
    memory: *mut u8,
}

impl WithBackend for Run {
    type Output = bool;
    fn call<B: Backend>(self, backend: B) -> bool {
        // SAFETY: the caller of `probe` passes such a memory.
        unsafe {
            match self.set {
                0 => all_of::<MlDsa44, B>(backend, self.memory) && streams::<MlDsa44>(self.memory),
                1 => all_of::<MlDsa65, B>(backend, self.memory) && streams::<MlDsa65>(self.memory),
                2 => all_of::<MlDsa87, B>(backend, self.memory) && streams::<MlDsa87>(self.memory),
                3 => all_of::<Dilithium2, B>(backend, self.memory),
                4 => all_of::<Dilithium3, B>(backend, self.memory),
                5 => all_of::<Dilithium5, B>(backend, self.memory),
                _ => false,
            }
        }
    }
}

/// The variables of the operations.
struct Memory<P: ParameterSet, B: Backend> {
    seed: [u8; 32],
    rnd: [u8; 32],
    mu: [u8; 64],
    message: &'static [u8],
    context: &'static [u8],
    pk: P::PublicKey,
    sk: P::PrivateKey,
    sigma: P::Signature,
    signing: SigningState<P>,
    verifying: VerifyingState<P>,
    keygen: keygen::Scratch<P, B>,
    sign: sign::Scratch<P, B>,
    verify: verify::Scratch<P>,
    rows: RowScratch<P, B>,
    batch: Batch<P, B>,
}

/// The variables of the operations on several items.
struct Batch<P: ParameterSet, B: Backend> {
    seeds: [[u8; 32]; BATCH],
    pks: [P::PublicKey; BATCH],
    sks: [P::PrivateKey; BATCH],
    sigmas: [P::Signature; BATCH],
    generate: [generate::Scratch<P>; BATCH],
    rows: keygen::Rows<P, B>,
    sign: [sign_batch::Scratch<P>; BATCH],
    verify: verify_batch::Scratch<P, B>,
}

/// # Safety
/// `memory` begins a [`Memory`] of the set and the backend.
unsafe fn all_of<P: ParameterSet, B: Backend>(backend: B, memory: *mut u8) -> bool {
    // SAFETY: the caller says so.
    let memory = unsafe { &mut *memory.cast::<Memory<P, B>>() };
    single(backend, memory) && batches(backend, memory)
}

/// Algorithms 6 to 8 and those around them, of one item.
fn single<P: ParameterSet, B: Backend>(backend: B, memory: &mut Memory<P, B>) -> bool {
    let Memory {
        seed,
        rnd,
        mu,
        message,
        context,
        pk,
        sk,
        sigma,
        signing,
        verifying,
        keygen,
        sign,
        verify,
        rows,
        ..
    } = memory;
    keygen::keygen_internal::<P, B>(backend, seed, pk, sk, keygen);
    let checked = keygen::check_private_key::<P, B>(backend, sk, pk, keygen).is_ok()
        && keys::check_ranges::<P, B>(backend, sk).is_ok()
        && signing.set(backend, sk).is_ok();

    let mut builder = hash::MuBuilder::<P::Scheme>::new(signing.tr());
    builder.pure(context);
    builder.update(message);
    *mu = builder.finish();
    let signed = [
        Rnd::Hedged(rnd),
        Rnd::Deterministic,
        Rnd::RhoSecond(&mu.clone()),
    ]
    .map(|rnd| sign::sign_mu(backend, signing, mu, rnd, sign::MAX_ATTEMPTS, sign, sigma).is_ok());

    verifying.set(backend, pk);
    let known = MessageRepresentative::Mu(mu);
    let of_tr = |tr: &[u8; 64]| {
        let mut builder = hash::MuBuilder::<P::Scheme>::new(tr);
        builder.pure(context);
        builder.update(message);
        builder.finish()
    };
    let encoded = EncodedRows::<P, B>::new(backend, pk, rows).with_tr();
    checked
        && signed == [true; 3]
        && verify::is_well_formed::<P, B>(backend, sigma, verify)
        && verify::verify(backend, verifying.rows(), known, sigma, verify)
        && verify::verify(
            backend,
            encoded,
            MessageRepresentative::OfTr(&of_tr),
            sigma,
            verify,
        )
}

/// Algorithms 6 to 8, of several items.
fn batches<P: ParameterSet, B: Backend>(backend: B, memory: &mut Memory<P, B>) -> bool {
    let Memory {
        rnd,
        message,
        context,
        signing,
        verifying,
        batch,
        ..
    } = memory;
    let Batch {
        seeds,
        pks,
        sks,
        sigmas,
        generate,
        rows,
        sign,
        verify,
    } = batch;
    let [a, b, c] = pks.each_mut();
    let [sk_a, sk_b, sk_c] = sks.each_mut();
    let [xi_a, xi_b, xi_c] = seeds;
    let mut items = [
        generate::Item::<P>::new(xi_a, a, sk_a),
        generate::Item::new(xi_b, b, sk_b),
        generate::Item::new(xi_c, c, sk_c),
    ];
    generate::generate(backend, &mut items, generate, rows);

    let mut items = sigmas
        .each_mut()
        .map(|sigma| sign_batch::Item::new(signing, message, Rnd::Hedged(rnd), sigma));
    sign_batch::sign(backend, context, sign::MAX_ATTEMPTS, &mut items, sign);
    let signed = items.iter().all(|item| item.result().is_ok());

    let [first, ..] = pks;
    let mut items = sigmas.each_ref().map(|sigma| {
        verify_batch::Item::new(verify_batch::PublicKey::Prepared(verifying), message, sigma)
    });
    let ([item, ..], [sigma, ..]) = (&mut items, &*sigmas);
    *item = verify_batch::Item::new(verify_batch::PublicKey::Encoded(first), message, sigma);
    verify_batch::verify(backend, context, &mut items, verify);
    signed && items.iter().all(verify_batch::Item::is_valid)
}

/// The variables of the streams.
struct Pieces<P: ParameterSet> {
    seed: Seed,
    seeds: Seeds,
    message: &'static [u8],
    context: &'static [u8],
    pk: P::PublicKey,
    sk: P::PrivateKey,
    sigma: P::Signature,
    kept: CachedMatrix<3>,
    scratch: moissanite_core::stream::keygen::Scratch,
}

/// All operations of the streams.
///
/// # Safety
/// `memory` begins a [`Pieces`] of the set.
unsafe fn streams<P: Fips204>(memory: *mut u8) -> bool {
    // SAFETY: the caller says so.
    let memory = unsafe { &mut *memory.cast::<Pieces<P>>() };
    let Pieces {
        seed,
        seeds,
        message,
        context,
        pk,
        sk,
        sigma,
        kept,
        scratch,
    } = memory;
    let (context, message) = (*context, *message);
    moissanite_core::stream::keygen::keygen_internal::<P>(seed.as_bytes(), pk, sk, scratch);
    let key = SigningKey::<P, _>::from_seed_in(seeds, seed);
    let from_seed = signs(&key, context, message, sigma) && key.write_public_key(ignore).is_ok();
    let Ok(key) = SigningKey::<P, _>::from_expanded_bytes(sk.as_ref()) else {
        return false;
    };
    let from_bytes =
        signs(&key, context, message, sigma) && signs(&key.keep(kept), context, message, sigma);
    let pieces = |mu: &mut MuBuilder| mu.update(message);
    let Ok(mut key) = VerifyingKey::<P, _>::from_bytes(pk.as_ref()) else {
        return false;
    };
    let recomputed = key.verify_pieces(context, pieces, sigma.as_ref()).is_ok();
    let mut key = key.keep(kept).cache_z();
    let cached = key.verify_pieces(context, pieces, sigma.as_ref()).is_ok();
    from_seed && from_bytes && recomputed && cached
}

fn ignore(_: &[u8]) -> Result<(), Infallible> {
    Ok(())
}

fn signs<P: Fips204, K: PrivateKey<P>>(
    key: &SigningKey<'_, P, K>,
    context: &[u8],
    message: &[u8],
    sigma: &mut P::Signature,
) -> bool {
    let pieces = |mu: &mut MuBuilder| mu.update(message);
    let mut rest = sigma.as_mut();
    let sink = |piece: &[u8]| {
        if let Some((to, after)) = core::mem::take(&mut rest).split_at_mut_checked(piece.len()) {
            for (to, from) in to.iter_mut().zip(piece) {
                *to = *from;
            }
            rest = after;
        }
        Ok::<_, Infallible>(())
    };
    key.try_sign_pieces(context, pieces, sink).is_ok()
}
