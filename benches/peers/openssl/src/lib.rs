//! OpenSSL's ML-DSA through EVP, with the C ABI of `../../src/peers/plugin.rs`.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::hint::black_box;
use std::ptr::{null, null_mut};

#[repr(C)]
struct Param {
    key: *const c_char,
    data_type: c_uint,
    data: *mut c_void,
    data_size: usize,
    return_size: usize,
}

const END: Param = Param {
    key: null(),
    data_type: 0,
    data: null_mut(),
    data_size: 0,
    return_size: 0,
};
const OSSL_PARAM_INTEGER: c_uint = 1;
const OSSL_PARAM_OCTET_STRING: c_uint = 5;
const EVP_PKEY_KEYPAIR: c_int = 0x87;

unsafe extern "C" {
    fn EVP_PKEY_CTX_new_from_name(
        l: *mut c_void,
        n: *const c_char,
        q: *const c_char,
    ) -> *mut c_void;
    fn EVP_PKEY_CTX_new_from_pkey(l: *mut c_void, k: *mut c_void, q: *const c_char) -> *mut c_void;
    fn EVP_PKEY_CTX_free(c: *mut c_void);
    fn EVP_PKEY_free(k: *mut c_void);
    fn EVP_PKEY_fromdata_init(c: *mut c_void) -> c_int;
    fn EVP_PKEY_fromdata(c: *mut c_void, k: *mut *mut c_void, sel: c_int, p: *mut Param) -> c_int;
    fn EVP_PKEY_new_raw_private_key_ex(
        l: *mut c_void,
        n: *const c_char,
        q: *const c_char,
        k: *const u8,
        len: usize,
    ) -> *mut c_void;
    fn EVP_PKEY_new_raw_public_key_ex(
        l: *mut c_void,
        n: *const c_char,
        q: *const c_char,
        k: *const u8,
        len: usize,
    ) -> *mut c_void;
    fn EVP_PKEY_get_raw_private_key(k: *const c_void, out: *mut u8, len: *mut usize) -> c_int;
    fn EVP_PKEY_get_raw_public_key(k: *const c_void, out: *mut u8, len: *mut usize) -> c_int;
    fn EVP_SIGNATURE_fetch(l: *mut c_void, n: *const c_char, q: *const c_char) -> *mut c_void;
    fn EVP_SIGNATURE_free(a: *mut c_void);
    fn EVP_PKEY_sign_message_init(c: *mut c_void, a: *mut c_void, p: *const Param) -> c_int;
    fn EVP_PKEY_sign(c: *mut c_void, s: *mut u8, sl: *mut usize, m: *const u8, ml: usize) -> c_int;
    fn EVP_PKEY_verify_message_init(c: *mut c_void, a: *mut c_void, p: *const Param) -> c_int;
    fn EVP_PKEY_verify(c: *mut c_void, s: *const u8, sl: usize, m: *const u8, ml: usize) -> c_int;
}

/// The name of a parameter set, and the lengths of its public keys, private keys and signatures.
fn set(level: c_int) -> Option<(&'static CStr, [usize; 3])> {
    match level {
        44 => Some((c"ML-DSA-44", [1312, 2560, 2420])),
        65 => Some((c"ML-DSA-65", [1952, 4032, 3309])),
        87 => Some((c"ML-DSA-87", [2592, 4896, 4627])),
        _ => None,
    }
}

struct State {
    name: *const c_char,
    sig_len: usize,
    alg: *mut c_void,
    keygen: *mut c_void,
    sign: *mut c_void,
    verify: *mut c_void,
    pk: Vec<u8>,
    sk: Vec<u8>,
}

impl State {
    unsafe fn key_from_seed(&self, seed: *const u8) -> *mut c_void {
        let mut params = [
            Param {
                key: c"seed".as_ptr(),
                data_type: OSSL_PARAM_OCTET_STRING,
                data: seed as *mut c_void,
                data_size: 32,
                return_size: usize::MAX,
            },
            END,
        ];
        let mut key = null_mut();
        // SAFETY: the caller guarantees the pointers, and OpenSSL made the objects.
        let ok = unsafe {
            EVP_PKEY_fromdata(self.keygen, &mut key, EVP_PKEY_KEYPAIR, params.as_mut_ptr())
        };
        assert_eq!(ok, 1);
        key
    }

    unsafe fn sign_ctx(&self, key: *mut c_void) -> *mut c_void {
        let mut one: c_int = 1;
        let params = [
            Param {
                key: c"deterministic".as_ptr(),
                data_type: OSSL_PARAM_INTEGER,
                data: (&raw mut one).cast(),
                data_size: size_of::<c_int>(),
                return_size: usize::MAX,
            },
            END,
        ];
        // SAFETY: the caller guarantees the pointers, and OpenSSL made the objects.
        unsafe {
            let c = EVP_PKEY_CTX_new_from_pkey(null_mut(), key, null());
            assert_eq!(EVP_PKEY_sign_message_init(c, self.alg, params.as_ptr()), 1);
            c
        }
    }

    unsafe fn verify_ctx(&self, key: *mut c_void) -> *mut c_void {
        // SAFETY: the caller guarantees the pointers, and OpenSSL made the objects.
        unsafe {
            let c = EVP_PKEY_CTX_new_from_pkey(null_mut(), key, null());
            assert_eq!(EVP_PKEY_verify_message_init(c, self.alg, null()), 1);
            c
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn peer_name() -> *const c_char {
    c"openssl".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn peer_about() -> *const c_char {
    c"OpenSSL 4.0.3 (openssl-src 400.0.2), default build, through EVP_PKEY_sign/verify with \
deterministic=1. keygen: EVP_PKEY_fromdata from the seed, and the raw public key. encoded: \
EVP_PKEY_new_raw_{private,public}_key_ex and a new EVP_PKEY_CTX. prepared: one EVP_PKEY_CTX \
initialised once."
        .as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn peer_flags() -> c_int {
    3
}

/// # Safety
/// `seed` points to 32 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_open(level: c_int, seed: *const u8) -> *mut c_void {
    let Some((name, [pk_len, sk_len, sig_len])) = set(level) else {
        return null_mut();
    };
    // SAFETY: the caller guarantees the pointers, and OpenSSL made the objects.
    unsafe {
        let keygen = EVP_PKEY_CTX_new_from_name(null_mut(), name.as_ptr(), null());
        if keygen.is_null() {
            return null_mut();
        }
        assert_eq!(EVP_PKEY_fromdata_init(keygen), 1);
        let mut s = State {
            name: name.as_ptr(),
            sig_len,
            alg: EVP_SIGNATURE_fetch(null_mut(), name.as_ptr(), null()),
            keygen,
            sign: null_mut(),
            verify: null_mut(),
            pk: vec![0; pk_len],
            sk: vec![0; sk_len],
        };
        let key = s.key_from_seed(seed);
        let (mut n, mut m) = (pk_len, sk_len);
        assert_eq!(
            EVP_PKEY_get_raw_public_key(key, s.pk.as_mut_ptr(), &mut n),
            1
        );
        assert_eq!(
            EVP_PKEY_get_raw_private_key(key, s.sk.as_mut_ptr(), &mut m),
            1
        );
        s.sign = s.sign_ctx(key);
        s.verify = s.verify_ctx(key);
        EVP_PKEY_free(key);
        Box::into_raw(Box::new(s)).cast()
    }
}

/// # Safety
/// `_s` came from `peer_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_supports(_s: *mut c_void, _op: c_int) -> c_int {
    1
}

/// # Safety
/// `s` came from `peer_open`; `pk` holds the level's public key length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_public_key(s: *mut c_void, pk: *mut u8) {
    // SAFETY: the caller guarantees the pointers, and OpenSSL made the objects.
    unsafe {
        let s = &*(s as *const State);
        pk.copy_from_nonoverlapping(s.pk.as_ptr(), s.pk.len());
    }
}

/// # Safety
/// `s` came from `peer_open`; `seed` points to 32 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_keygen(s: *mut c_void, seed: *const u8) {
    // SAFETY: the caller guarantees the pointers, and OpenSSL made the objects.
    unsafe {
        let s = &*(s as *const State);
        let key = s.key_from_seed(seed);
        let mut pk = [0u8; 2592];
        let mut n = pk.len();
        assert_eq!(EVP_PKEY_get_raw_public_key(key, pk.as_mut_ptr(), &mut n), 1);
        black_box(&pk);
        EVP_PKEY_free(key);
    }
}

/// # Safety
/// `s` came from `peer_open`; `msg` points to `len` bytes and `sig` to the
/// level's signature length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_sign(
    s: *mut c_void,
    prepared: c_int,
    msg: *const u8,
    len: usize,
    sig: *mut u8,
) -> c_int {
    // SAFETY: the caller guarantees the pointers, and OpenSSL made the objects.
    unsafe {
        let s = &*(s as *const State);
        let mut n = s.sig_len;
        if prepared != 0 {
            return EVP_PKEY_sign(s.sign, sig, &mut n, msg, len);
        }
        let key =
            EVP_PKEY_new_raw_private_key_ex(null_mut(), s.name, null(), s.sk.as_ptr(), s.sk.len());
        let ctx = s.sign_ctx(key);
        let ok = EVP_PKEY_sign(ctx, sig, &mut n, msg, len);
        EVP_PKEY_CTX_free(ctx);
        EVP_PKEY_free(key);
        ok
    }
}

/// # Safety
/// `s` came from `peer_open`; `msg` and `sig` point to that many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_verify(
    s: *mut c_void,
    prepared: c_int,
    msg: *const u8,
    len: usize,
    sig: *const u8,
    sig_len: usize,
) -> c_int {
    // SAFETY: the caller guarantees the pointers, and OpenSSL made the objects.
    unsafe {
        let s = &*(s as *const State);
        if prepared != 0 {
            return EVP_PKEY_verify(s.verify, sig, sig_len, msg, len);
        }
        let key =
            EVP_PKEY_new_raw_public_key_ex(null_mut(), s.name, null(), s.pk.as_ptr(), s.pk.len());
        let ctx = s.verify_ctx(key);
        let ok = EVP_PKEY_verify(ctx, sig, sig_len, msg, len);
        EVP_PKEY_CTX_free(ctx);
        EVP_PKEY_free(key);
        ok
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
    let Some((name, [pk_len, ..])) = set(level) else {
        return 0;
    };
    let params = [
        Param {
            key: c"context-string".as_ptr(),
            data_type: OSSL_PARAM_OCTET_STRING,
            data: ctx.cast_mut().cast(),
            data_size: ctx_len,
            return_size: usize::MAX,
        },
        END,
    ];
    // SAFETY: the caller guarantees the pointers, and OpenSSL made the objects.
    unsafe {
        let alg = EVP_SIGNATURE_fetch(null_mut(), name.as_ptr(), null());
        let key = EVP_PKEY_new_raw_public_key_ex(null_mut(), name.as_ptr(), null(), pk, pk_len);
        let verifying = EVP_PKEY_CTX_new_from_pkey(null_mut(), key, null());
        let mut ok = EVP_PKEY_verify_message_init(verifying, alg, params.as_ptr());
        if ok == 1 {
            ok = EVP_PKEY_verify(verifying, sig, sig_len, msg, len);
        }
        EVP_PKEY_CTX_free(verifying);
        EVP_PKEY_free(key);
        EVP_SIGNATURE_free(alg);
        ok
    }
}
