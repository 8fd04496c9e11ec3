//! Signatures: every attempt of one, all of the others, and what verification refuses.

use std::boxed::Box;
use std::vec::Vec;

use moissanite_core::ParameterSet;
use moissanite_core::backend::Backend;
use moissanite_core::encode::bits;
use moissanite_core::hash::h;
use moissanite_core::poly::{Poly, checksum};
use moissanite_core::sample::Masks;
use moissanite_core::secret::Zeroed;
use serde_json::Value;
use sha3::{Digest, Sha3_256};

use super::{bytes, integers, list, vectors};
use crate::hash::{MessageHasher, MuBuilder, Sponges};
use crate::params::{
    C_TILDE, K, MU, PRIVATE_KEY_LEN, PUBLIC_KEY_LEN, SIGNATURE_LEN, ZkDilithium, ZkField,
};
use crate::poseidon::states_in_lanes::CountLanes;
use crate::poseidon::{Sponge, bytes_to_elements};
use crate::prepared::{EncodedRows, RowScratch, SigningState, VerifyingState};
use crate::sample_in_ball::sample_in_ball;
use crate::sign::{MAX_ATTEMPTS, Scratch, answer, commit, sign};
use crate::verify::{self, Message, verify};
use crate::{SigningError, VerifyingKey, encode, keygen};

on_every_backend! {
    pieces
    signatures
    trace
    verdicts
    attempts_run_out
    bounds_are_exact
    another_y_is_not_answered
    a_long_z_is_refused
    no_signature_without_a_ball
    variables_have_at_most_90_kib
}

fn digest(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    Sha3_256::digest(bytes).to_vec()
}

fn keys<B: Backend>(backend: B, seed: &Value) -> ([u8; PUBLIC_KEY_LEN], [u8; PRIVATE_KEY_LEN]) {
    let (mut pk, mut sk) = ([0; _], [0; _]);
    let seed = bytes(seed).try_into().unwrap();
    keygen::keygen(
        backend,
        &seed,
        &mut pk,
        &mut sk,
        &mut Box::new(Zeroed::ZERO),
    );
    (pk, sk)
}

fn prepared<B: Backend>(backend: B, sk: &[u8; PRIVATE_KEY_LEN]) -> Box<SigningState> {
    let mut key = Box::new(SigningState::ZERO);
    key.set(backend, sk).unwrap();
    key
}

/// A message in pieces, hashed for signing.
fn hashed<B: Backend>(backend: B, tr: &[u8; 32], pieces: &[&[u8]]) -> MessageHasher {
    let mut hasher = MessageHasher::new(MuBuilder::new(backend, tr), tr);
    for piece in pieces {
        hasher.update(backend, piece);
    }
    hasher
}

/// Wherever a message is cut, and whatever its pieces have, nothing included: μ and ρ'' are those
/// of all its bytes, one after the other.
fn pieces<B: Backend>(backend: B) {
    let all: [u8; 97] = core::array::from_fn(|i| (37 * i + 7) as u8);
    let (tr, k) = ([1; 32], [2; 32]);
    for len in (0..10).chain([47, 48, 49, 96, 97]) {
        let message = &all[..len];
        let (mut sponge, mut expected) = (Sponge::new(), [0; MU]);
        sponge.write([0].into_iter().chain(bytes_to_elements(tr)));
        sponge.flush();
        sponge.write(bytes_to_elements(message.iter().copied()));
        sponge.read(&mut expected);
        let digest = h::<64>(&[&tr, message]);
        let rho_second = h::<64>(&[&k, &*digest]);
        let check = |pieces: &[&[u8]]| {
            let hashed = hashed(backend, &tr, pieces).finish(backend, &k);
            assert_eq!(*hashed.0, expected, "{pieces:?}");
            assert_eq!(*hashed.1, *rho_second, "{pieces:?}");
        };
        for (first, rest) in (0..=len).map(|at| message.split_at(at)) {
            for at in 0..=rest.len().min(3) {
                let (second, third) = rest.split_at(at);
                check(&[first, &[], second, third, &[]]);
            }
        }
        for size in 1..6 {
            check(&message.chunks(size).collect::<Vec<_>>());
        }
    }
}

/// By both kinds of key, with the message whole and in pieces.
fn verifies<B: Backend>(
    backend: B,
    pk: &[u8; PUBLIC_KEY_LEN],
    message: &[u8],
    sigma: &[u8; SIGNATURE_LEN],
) -> bool {
    let (mut room, mut key) = (RowScratch::ZERO, Box::new(VerifyingState::ZERO));
    let mut scratch = verify::Scratch::ZERO;
    let mut rows = EncodedRows::new(backend, pk, &mut room);
    let whole = || Message::Parts(core::slice::from_ref(&message));
    let encoded = verify(backend, &mut rows, whole(), sigma, &mut scratch);
    key.set(backend, pk);
    let prepared = verify(backend, &mut key.rows(), whole(), sigma, &mut scratch);
    let mut mu = key.mu.clone();
    for piece in message.chunks(3) {
        mu.update(backend, piece);
    }
    let hashed = Message::Hashed(&mut mu);
    let in_pieces = verify(backend, &mut key.rows(), hashed, sigma, &mut scratch);
    assert_eq!((encoded, in_pieces), (prepared, prepared));
    prepared
}

fn signatures<B: Backend>(backend: B) {
    for vector in list(&vectors()["sign"]) {
        let message = bytes(&vector["msg"]);
        let (pk, sk) = keys(backend, &vector["seed"]);
        assert_eq!(digest(pk), bytes(&vector["pk_sha3_256"]));
        assert_eq!(digest(sk), bytes(&vector["sk_sha3_256"]));
        let key = prepared(backend, &sk);
        let (first, rest) = message.split_at(message.len() / 2);
        for pieces in [&[&message[..]][..], &[first, rest]] {
            let (mu, rho_second) = hashed(backend, &key.tr, pieces).finish(backend, &key.k);
            assert_eq!(mu[..], integers::<u32>(&vector["mu"]));
            assert_eq!(rho_second[..], bytes(&vector["rho2"]));
        }

        let mut scratch = Box::new(Scratch::ZERO);
        let mut attempt = |attempts: u16| {
            let mut sigma = [0; _];
            let message = &mut hashed(backend, &key.tr, &[first, rest]);
            sign(backend, &key, message, attempts, &mut scratch, &mut sigma).map(|()| sigma)
        };
        let attempts = vector["attempts"].as_u64().unwrap() as u16;
        assert_eq!(attempt(attempts - 1), Err(SigningError::AttemptsExhausted));
        let sigma = attempt(attempts).unwrap();
        assert_eq!(digest(sigma), bytes(&vector["sig_sha3_256"]));
        assert_eq!(attempt(MAX_ATTEMPTS), Ok(sigma));
        for (name, made) in [("pk", &pk[..]), ("sk", &sk[..]), ("sig", &sigma[..])] {
            assert!(
                vector
                    .get(name)
                    .is_none_or(|expected| made == bytes(expected)),
                "{name}"
            );
        }
        assert!(verifies(backend, &pk, &message, &sigma));
    }
}

/// Every attempt of the first signature: w₁, c̃, and how it ends, wherever in a batch it stands.
fn trace<B: Backend>(backend: B) {
    let vector = &vectors()["sign"][0];
    let (_, sk) = keys(backend, &vector["seed"]);
    let key = prepared(backend, &sk);
    let message = bytes(&vector["msg"]);
    let (mu, rho_second) = hashed(backend, &key.tr, &[&message]).finish(backend, &key.k);
    let count = backend.run(CountLanes) as u16;
    let trace = list(&vectors()["signing_trace"]["attempts"]);
    let mut scratch = Box::new(Scratch::ZERO);
    for first in 0..trace.len() as u16 {
        commit(backend, &key, &mu, &rho_second, first, count, &mut scratch);
        for (i, attempt) in (0..count).zip(&trace[first.into()..]) {
            let l = usize::from(i);
            let w1: Vec<u8> = scratch.w1[l].iter().flat_map(|w1| w1.0).collect();
            let expected = &attempt["w1_sha3_256_one_byte_each_row_major"];
            assert_eq!(digest(w1), bytes(expected));
            assert_eq!(scratch.c_tilde[l][..], integers::<u32>(&attempt["c_tilde"]));
            let mut packed = Vec::new();
            for (w0, w1) in scratch.w[l].iter().zip(&scratch.w1[l]) {
                let step = 2 * ZkDilithium::GAMMA2 as i32;
                let w = core::array::from_fn(|j| w0.0[j] + step * i32::from(w1.0[j]));
                let mut bytes = [0; 768];
                encode::pack_t(backend, &mut Poly::new(w), &mut bytes);
                packed.extend(bytes);
            }
            assert_eq!(digest(packed), bytes(&attempt["w_packed_sha3_256"]));
            let nonce = first + i;
            assert_eq!(attempt["nonce"], nonce * K as u16);
            let mut sigma = [0; _];
            let passes = answer(
                backend,
                &key,
                &rho_second,
                nonce,
                i,
                &mut scratch,
                &mut sigma,
            );
            assert_eq!(passes.is_some(), attempt["result"] == "accepted");
            if passes.is_some() {
                assert_eq!(digest(sigma), bytes(&vector["sig_sha3_256"]));
            }
        }
    }
}

/// The verdicts of the references, but for the one signature with a second encoding.
fn verdicts<B: Backend>(backend: B) {
    let mut strict = 0;
    for vector in list(&vectors()["verify"]) {
        let (pk, message) = (bytes(&vector["pk"]), bytes(&vector["msg"]));
        let sigma = bytes(&vector["sig"]);
        let verdict = match (VerifyingKey::from_bytes(&pk), sigma.try_into()) {
            (Ok(pk), Ok(sigma)) => verifies(backend, pk.as_bytes(), &message, &sigma),
            _ => false,
        };
        let non_canonical = vector.get("non_canonical").is_some();
        let expected = vector["valid"] == true && !non_canonical;
        assert_eq!(verdict, expected, "{}", vector["comment"]);
        strict += usize::from(non_canonical);
    }
    assert_eq!(strict, 1);
}

fn variables_have_at_most_90_kib<B: Backend>(_: B) {
    assert!(size_of::<Scratch<B>>() <= 90 << 10);
}

/// The limit of attempts holds for every number of attempts that are made at a time.
fn attempts_run_out<B: Backend>(backend: B) {
    let vector = &vectors()["sign"][4];
    assert_eq!(vector["attempts"], 37);
    let (_, sk) = keys(backend, &vector["seed"]);
    let key = prepared(backend, &sk);
    let (mut scratch, mut sigma) = (Box::new(Scratch::ZERO), [7; _]);
    for attempts in [0, 1, 7, 8, 9, 36] {
        let message = bytes(&vector["msg"]);
        let result = sign(
            backend,
            &key,
            &mut hashed(backend, &key.tr, &[&message]),
            attempts,
            &mut scratch,
            &mut sigma,
        );
        assert_eq!(result, Err(SigningError::AttemptsExhausted));
        assert_eq!(sigma, [7; _]);
    }
}

/// With s₁ = s₂ = 0, r₀ is what stands for w₀ and z is y, so that each can be just short enough or
/// just too long, on either side of 0.
fn bounds_are_exact<B: Backend>(backend: B) {
    let key = Box::new(SigningState::ZERO);
    let mut scratch = Box::new(Scratch::<B>::ZERO);
    let c_tilde = &list(super::primitives("sample_in_ball"))[0]["c_tilde"];
    Sponges::new(backend, &mut scratch.lanes).balls(&[super::array(c_tilde)], &mut *scratch.balls);
    let bound = (ZkDilithium::GAMMA2 - ZkDilithium::BETA) as i32;
    let z_bound = (ZkDilithium::GAMMA1 - ZkDilithium::BETA) as i32;
    let (mut passed, mut z_seen) = ([0; 4], [0; 2]);
    for seed in 0..3000_u32 {
        let mut rho = [0; 64];
        rho[..4].copy_from_slice(&seed.to_le_bytes());
        let mut window = Zeroed::ZERO;
        let mut masks = Masks::<ZkDilithium, B>::new(backend, &rho, 0, &mut window);
        let y = masks.next_mask();
        scratch.checksums[0] = core::array::from_fn(|j| checksum(&y[j].0));
        let y = y.iter().flat_map(|y| y.0);
        let longest = y.map(i32::abs).max().unwrap();
        let side = (seed % 4) as usize;
        let value = [bound - 1, 1 - bound, bound, -bound][side];
        scratch.w[0] = Zeroed::ZERO;
        scratch.w[0][side].0[(seed % 256) as usize] = value;
        let mut sigma = [0; _];
        let passes = answer(backend, &key, &rho, 0, 0, &mut scratch, &mut sigma).is_some();
        assert_eq!(passes, side < 2 && longest < z_bound, "{value} {longest}");
        passed[side] += u32::from(passes);
        z_seen[0] += u32::from(side < 2 && longest == z_bound - 1);
        z_seen[1] += u32::from(side < 2 && longest == z_bound);
        if seed > 500 && z_seen.iter().all(|seen| *seen > 0) {
            break;
        }
    }
    assert!(passed[0] > 0 && passed[1] > 0 && z_seen[0] > 0 && z_seen[1] > 0);
}

/// A y that differs from that of the commitment gives no signature, even if z is short.
fn another_y_is_not_answered<B: Backend>(backend: B) {
    let vector = &vectors()["sign"][0];
    let (_, sk) = keys(backend, &vector["seed"]);
    let key = prepared(backend, &sk);
    let message = bytes(&vector["msg"]);
    let (mu, rho_second) = hashed(backend, &key.tr, &[&message]).finish(backend, &key.k);
    let attempt = list(&vectors()["signing_trace"]["attempts"]).len() as u16 - 1;
    let mut scratch = Box::new(Scratch::<B>::ZERO);
    let (mut masks_of, mut sigma) = (*rho_second, [7; _]);
    for i in 0..=masks_of.len() {
        masks_of = *rho_second;
        let expected = match masks_of.get_mut(i) {
            Some(byte) => {
                *byte ^= 1;
                Err(SigningError::Fault)
            }
            None => Ok(()),
        };
        commit(backend, &key, &mu, &rho_second, attempt, 1, &mut scratch);
        let answered = answer(
            backend,
            &key,
            &masks_of,
            attempt,
            0,
            &mut scratch,
            &mut sigma,
        );
        assert_eq!(answered, Some(expected));
        assert_eq!(sigma == [7; _], expected.is_err());
    }
    assert_eq!(digest(sigma), bytes(&vector["sig_sha3_256"]));
}

/// What would be the signature of an attempt if nothing of it were checked, and the longest of its z.
fn unchecked<B: Backend>(
    backend: B,
    key: &SigningState,
    rho_second: &[u8; 64],
    attempt: u16,
    c_tilde: &[u32; C_TILDE],
    c: &Poly<ZkField>,
) -> ([u8; SIGNATURE_LEN], u32) {
    let c = backend.challenge(c);
    let (mut window, mut sigma, mut longest) = (Zeroed::ZERO, [0; _], 0);
    let first = attempt * K as u16;
    let mut masks = Masks::<ZkDilithium, B>::new(backend, rho_second, first, &mut window);
    let (c_tilde_out, z_out) = encode::split_signature_mut(&mut sigma);
    encode::pack_c_tilde(c_tilde, c_tilde_out);
    for ((z, s1), bytes) in masks.next_mask().iter_mut().zip(&*key.s1).zip(z_out) {
        backend.add_product(z, &c, s1, ZkDilithium::ETA);
        let norm = z.0.iter().map(|z| z.unsigned_abs()).max();
        longest = longest.max(norm.unwrap());
        bits::bit_pack(backend, 18, ZkDilithium::GAMMA1, z, bytes);
    }
    (sigma, longest)
}

/// The first attempt of the trace fails for its z alone, which still fits the encoding: nothing
/// but the norm is wrong with the signature that it gives.
fn a_long_z_is_refused<B: Backend>(backend: B) {
    let (vector, attempt) = (
        &vectors()["sign"][0],
        &vectors()["signing_trace"]["attempts"][0],
    );
    assert_eq!(attempt["result"], "z rejected");
    let (pk, sk) = keys(backend, &vector["seed"]);
    let key = prepared(backend, &sk);
    let (message, c_tilde) = (bytes(&vector["msg"]), super::array(&attempt["c_tilde"]));
    let (_, rho_second) = hashed(backend, &key.tr, &[&message]).finish(backend, &key.k);
    let mut c = Poly::ZERO;
    sample_in_ball(backend, &c_tilde, &mut c).unwrap();
    let (sigma, longest) = unchecked(backend, &key, &rho_second, 0, &c_tilde, &c);
    assert_eq!(attempt["z_norm"], longest);
    assert!(!verifies(backend, &pk, &message, &sigma));
}

/// An attempt of which nothing is wrong but that c̃ gives no c: with what is placed of one before
/// that shows, both norms are short enough. Neither is it answered, nor is what it gives accepted.
fn no_signature_without_a_ball<B: Backend>(backend: B) {
    const MESSAGE: [u8; 4] = 439_u32.to_le_bytes();
    const ATTEMPT: u16 = 5;
    let (pk, sk) = keys(backend, &vectors()["sign"][0]["seed"]);
    let key = prepared(backend, &sk);
    let mut scratch = Box::new(Scratch::<B>::ZERO);
    let (mu, rho_second) = hashed(backend, &key.tr, &[&MESSAGE]).finish(backend, &key.k);
    commit(backend, &key, &mu, &rho_second, ATTEMPT, 1, &mut scratch);
    let (c_tilde, mut c) = (scratch.c_tilde[0], Poly::ZERO);
    assert!(sample_in_ball(backend, &c_tilde, &mut c).is_none());
    let challenge = backend.challenge(&c);
    for (w0, s2) in scratch.w[0].iter().zip(key.s2.iter()) {
        let mut r0 = w0.clone();
        backend.sub_product(&mut r0, &challenge, s2, ZkDilithium::ETA);
        assert_eq!(
            0,
            backend.norm_at_least(&r0, ZkDilithium::GAMMA2 - ZkDilithium::BETA)
        );
    }
    let (sigma, longest) = unchecked(backend, &key, &rho_second, ATTEMPT, &c_tilde, &c);
    assert!(longest < ZkDilithium::GAMMA1 - ZkDilithium::BETA);
    assert!(!verifies(backend, &pk, &MESSAGE, &sigma));
    let mut out = [7; _];
    let answered = answer(
        backend,
        &key,
        &rho_second,
        ATTEMPT,
        0,
        &mut scratch,
        &mut out,
    );
    assert!(answered.is_none() && out == [7; _]);
}
