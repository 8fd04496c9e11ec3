//! liboqs's ML-DSA, with the C ABI of `../../src/peers/plugin.rs`.
//!
//! liboqs draws all randomness through one replaceable function. It is replaced
//! by one that returns the seed of the measurement, then zeros, so that key
//! generation uses the seed and signing is deterministic.

use oqs_sys::rand::OQS_randombytes_custom_algorithm;
use oqs_sys::sig::*;
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::hint::black_box;
use std::ptr::null_mut;

thread_local! {
    static NEXT: Cell<Option<[u8; 32]>> = const { Cell::new(None) };
}

unsafe extern "C" fn random(out: *mut u8, len: usize) {
    // SAFETY: liboqs asks for `len` bytes at `out`.
    let out = unsafe { std::slice::from_raw_parts_mut(out, len) };
    match NEXT.take() {
        Some(seed) if len == seed.len() => out.copy_from_slice(&seed),
        _ => out.fill(0),
    }
}

fn name(level: c_int) -> Option<&'static CStr> {
    match level {
        44 => Some(c"ML-DSA-44"),
        65 => Some(c"ML-DSA-65"),
        87 => Some(c"ML-DSA-87"),
        _ => None,
    }
}

struct State {
    sig: *mut OQS_SIG,
    pk: Vec<u8>,
    sk: Vec<u8>,
}

#[unsafe(no_mangle)]
pub extern "C" fn peer_name() -> *const c_char {
    c"liboqs".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn peer_about() -> *const c_char {
    c"liboqs 0.13.0 (oqs-sys 0.11.0, features ml_dsa, vendored): pq-crystals code, dispatched at \
run time. Its RNG is replaced: seed for keygen, zeros for signing (the deterministic variant). \
Keys are bytes: no prepared form."
        .as_ptr()
}

/// The AVX2 code of pq-crystals had both until June 2026.
#[unsafe(no_mangle)]
pub extern "C" fn peer_known_defects() -> *const c_char {
    c"z-unchecked use-hint-up-at-zero".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn peer_flags() -> c_int {
    3
}

/// # Safety
/// `seed` points to 32 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_open(level: c_int, seed: *const u8) -> *mut c_void {
    let Some(name) = name(level) else {
        return null_mut();
    };
    // SAFETY: the caller guarantees the pointers, and liboqs made the object.
    unsafe {
        oqs_sys::common::OQS_init();
        OQS_randombytes_custom_algorithm(Some(random));
        let sig = OQS_SIG_new(name.as_ptr());
        if sig.is_null() {
            return null_mut();
        }
        let mut s = State {
            sig,
            pk: vec![0; (*sig).length_public_key],
            sk: vec![0; (*sig).length_secret_key],
        };
        NEXT.set(Some(*(seed as *const [u8; 32])));
        let st = OQS_SIG_keypair(sig, s.pk.as_mut_ptr(), s.sk.as_mut_ptr());
        assert_eq!(st, oqs_sys::common::OQS_STATUS::OQS_SUCCESS);
        Box::into_raw(Box::new(s)).cast()
    }
}

/// # Safety
/// `_s` came from `peer_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_supports(_s: *mut c_void, op: c_int) -> c_int {
    matches!(op, 0 | 1 | 3) as c_int
}

/// # Safety
/// `s` came from `peer_open`; `pk` holds the level's public key length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_public_key(s: *mut c_void, pk: *mut u8) {
    // SAFETY: the caller guarantees the pointers, and liboqs made the object.
    unsafe {
        let s = &*(s as *const State);
        pk.copy_from_nonoverlapping(s.pk.as_ptr(), s.pk.len());
    }
}

/// # Safety
/// `s` came from `peer_open`; `seed` points to 32 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_keygen(s: *mut c_void, seed: *const u8) {
    let (mut pk, mut sk) = ([0u8; 2592], [0u8; 4896]);
    // SAFETY: the caller guarantees the pointers, and liboqs made the object.
    unsafe {
        let s = &*(s as *const State);
        NEXT.set(Some(*(seed as *const [u8; 32])));
        black_box(OQS_SIG_keypair(s.sig, pk.as_mut_ptr(), sk.as_mut_ptr()));
    }
    black_box((&pk, &sk));
}

/// # Safety
/// `s` came from `peer_open`; `msg` points to `len` bytes and `sig` to the
/// level's signature length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_sign(
    s: *mut c_void,
    _prepared: c_int,
    msg: *const u8,
    len: usize,
    sig: *mut u8,
) -> c_int {
    // SAFETY: the caller guarantees the pointers, and liboqs made the object.
    unsafe {
        let s = &*(s as *const State);
        let mut n = (*s.sig).length_signature;
        let st = OQS_SIG_sign(s.sig, sig, &mut n, msg, len, s.sk.as_ptr());
        (st == oqs_sys::common::OQS_STATUS::OQS_SUCCESS) as c_int
    }
}

/// # Safety
/// `s` came from `peer_open`; `msg` and `sig` point to that many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_verify(
    s: *mut c_void,
    _prepared: c_int,
    msg: *const u8,
    len: usize,
    sig: *const u8,
    sig_len: usize,
) -> c_int {
    // SAFETY: the caller guarantees the pointers, and liboqs made the object.
    unsafe {
        let s = &*(s as *const State);
        let st = OQS_SIG_verify(s.sig, msg, len, sig, sig_len, s.pk.as_ptr());
        (st == oqs_sys::common::OQS_STATUS::OQS_SUCCESS) as c_int
    }
}

/// # Safety
/// `pk` points to the level's public key, and the other pointers to that many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_verify_vector(
    level: c_int,
    pk: *const u8,
    ctx: *const u8,
    ctx_len: usize,
    msg: *const u8,
    len: usize,
    sig: *const u8,
    sig_len: usize,
) -> c_int {
    let Some(name) = name(level) else { return 0 };
    // SAFETY: the caller guarantees the pointers, and liboqs made the object.
    unsafe {
        oqs_sys::common::OQS_init();
        let object = OQS_SIG_new(name.as_ptr());
        let st = OQS_SIG_verify_with_ctx_str(object, msg, len, sig, sig_len, ctx, ctx_len, pk);
        OQS_SIG_free(object);
        (st == oqs_sys::common::OQS_STATUS::OQS_SUCCESS) as c_int
    }
}
