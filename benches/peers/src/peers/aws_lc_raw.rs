//! AWS-LC's ML-DSA (mldsa-native) below the EVP layer: deterministic, from bytes.
//!
//! These functions are exported by AWS-LC but not in its public headers. They
//! carry the version in their symbol prefix, so a new `aws-lc-sys` needs the
//! prefix changed here (the link fails until then).

use crate::peer::{KeyForm, Level, Op, Peer, Session, Vector};
use std::hint::black_box;

pub struct AwsLcRaw;

type Keypair = unsafe extern "C" fn(*mut u8, *mut u8, *const u8) -> i32;
type Sign = unsafe extern "C" fn(
    *const u8,
    *mut u8,
    *mut usize,
    *const u8,
    usize,
    *const u8,
    usize,
    *const u8,
) -> i32;
type Verify =
    unsafe extern "C" fn(*const u8, *const u8, usize, *const u8, usize, *const u8, usize) -> i32;

macro_rules! ffi {
    ($($name:ident = $link:literal : ($($arg:ty),*);)*) => {
        unsafe extern "C" {
            $(#[link_name = $link] fn $name($(_: $arg),*) -> i32;)*
        }
    };
}

ffi! {
    keypair_44 = "aws_lc_0_47_0_ml_dsa_44_keypair_internal": (*mut u8, *mut u8, *const u8);
    keypair_65 = "aws_lc_0_47_0_ml_dsa_65_keypair_internal": (*mut u8, *mut u8, *const u8);
    keypair_87 = "aws_lc_0_47_0_ml_dsa_87_keypair_internal": (*mut u8, *mut u8, *const u8);
    sign_44 = "aws_lc_0_47_0_ml_dsa_44_sign_internal":
        (*const u8, *mut u8, *mut usize, *const u8, usize, *const u8, usize, *const u8);
    sign_65 = "aws_lc_0_47_0_ml_dsa_65_sign_internal":
        (*const u8, *mut u8, *mut usize, *const u8, usize, *const u8, usize, *const u8);
    sign_87 = "aws_lc_0_47_0_ml_dsa_87_sign_internal":
        (*const u8, *mut u8, *mut usize, *const u8, usize, *const u8, usize, *const u8);
    verify_44 = "aws_lc_0_47_0_ml_dsa_44_verify":
        (*const u8, *const u8, usize, *const u8, usize, *const u8, usize);
    verify_65 = "aws_lc_0_47_0_ml_dsa_65_verify":
        (*const u8, *const u8, usize, *const u8, usize, *const u8, usize);
    verify_87 = "aws_lc_0_47_0_ml_dsa_87_verify":
        (*const u8, *const u8, usize, *const u8, usize, *const u8, usize);
}

struct S {
    pk: Vec<u8>,
    sk: Vec<u8>,
    keypair: Keypair,
    sign: Sign,
    verify: Verify,
}

impl Peer for AwsLcRaw {
    fn name(&self) -> String {
        "aws-lc-raw".into()
    }
    fn about(&self) -> String {
        "aws-lc-sys 0.47.0, ml_dsa_NN_{keypair_internal,sign_internal,verify}: the same code as \
         aws-lc-rs without EVP, allocation and RNG, with rnd = 0."
            .into()
    }
    fn open(&self, level: Level, seed: &[u8; 32]) -> Option<Box<dyn Session>> {
        // This keeps the crate linked and runs its start-up code.
        // SAFETY: takes nothing.
        unsafe { aws_lc_sys::CRYPTO_library_init() };
        let (pk, sk, keypair, sign, verify): (_, _, Keypair, Sign, Verify) = match level {
            Level::L44 => (1312, 2560, keypair_44, sign_44, verify_44),
            Level::L65 => (1952, 4032, keypair_65, sign_65, verify_65),
            Level::L87 => (2592, 4896, keypair_87, sign_87, verify_87),
            Level::Ed25519 => return None,
        };
        let mut s = S {
            pk: vec![0; pk],
            sk: vec![0; sk],
            keypair,
            sign,
            verify,
        };
        // SAFETY: the arrays are as long as the level's keys, or longer; the seed has 32 bytes.
        let ok = unsafe { (s.keypair)(s.pk.as_mut_ptr(), s.sk.as_mut_ptr(), seed.as_ptr()) };
        assert_eq!(ok, 1);
        Some(Box::new(s))
    }
    fn verify(&self, level: Level, vector: &Vector<'_>) -> Option<bool> {
        let verify: Verify = match level {
            Level::L44 => verify_44,
            Level::L65 => verify_65,
            Level::L87 => verify_87,
            Level::Ed25519 => return None,
        };
        if vector.public_key.len() != level.lengths().0 {
            return None;
        }
        // SAFETY: takes nothing.
        unsafe { aws_lc_sys::CRYPTO_library_init() };
        // SAFETY: the pointers go with their lengths; the key has that of the level.
        let ok = unsafe {
            verify(
                vector.public_key.as_ptr(),
                vector.signature.as_ptr(),
                vector.signature.len(),
                vector.message.as_ptr(),
                vector.message.len(),
                vector.context.as_ptr(),
                vector.context.len(),
            )
        };
        Some(ok == 1)
    }
}

impl Session for S {
    fn supports(&self, op: Op) -> bool {
        !matches!(
            op,
            Op::Sign(KeyForm::Prepared) | Op::Verify(KeyForm::Prepared)
        )
    }
    fn public_key(&self) -> Vec<u8> {
        self.pk.clone()
    }
    fn keygen(&mut self, seed: &[u8; 32]) {
        let (mut pk, mut sk) = ([0u8; 2592], [0u8; 4896]);
        // SAFETY: the arrays are as long as the level's keys, or longer; the seed has 32 bytes.
        let ok = unsafe { (self.keypair)(pk.as_mut_ptr(), sk.as_mut_ptr(), seed.as_ptr()) };
        black_box((ok, &pk, &sk));
    }
    fn sign(&mut self, _: KeyForm, msg: &[u8], sig: &mut [u8]) {
        let mut len = sig.len();
        // FIPS 204's domain separator for pure ML-DSA with an empty context.
        let pre = [0u8, 0];
        let rnd = [0u8; 32];
        // SAFETY: the pointers go with their lengths; keys and signature have those of the level.
        let ok = unsafe {
            (self.sign)(
                self.sk.as_ptr(),
                sig.as_mut_ptr(),
                &mut len,
                msg.as_ptr(),
                msg.len(),
                pre.as_ptr(),
                pre.len(),
                rnd.as_ptr(),
            )
        };
        assert!(ok == 1 && len == sig.len());
    }
    fn verify(&mut self, _: KeyForm, msg: &[u8], sig: &[u8]) -> bool {
        // SAFETY: the pointers go with their lengths; keys and signature have those of the level.
        let ok = unsafe {
            (self.verify)(
                self.pk.as_ptr(),
                sig.as_ptr(),
                sig.len(),
                msg.as_ptr(),
                msg.len(),
                std::ptr::null(),
                0,
            )
        };
        ok == 1
    }
}
