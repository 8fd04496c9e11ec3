//! Every kernel on every backend of the target, behind a C name, for the prover to find in the compiled code.
//!
//! The prover reads the code of these functions. It runs them only to compare its model of the instructions
//! with the CPU, and then only on a CPU that has the backend.
#![no_std]

#[cfg(target_arch = "arm")]
use moissanite_core::backend::Armv7;
#[cfg(target_arch = "x86_64")]
use moissanite_core::backend::{Avx2, Avx512};
use moissanite_core::backend::{Backend, Kernel, Portable, Simd};
#[cfg(target_arch = "aarch64")]
use moissanite_core::backend::{Neon, Sha3};
use moissanite_core::encode::{bits, hint};
use moissanite_core::field::{Field, MlDsaField as F};
use moissanite_core::hash::Shake256;
use moissanite_core::params::{MlDsa44, MlDsa65, ParameterSet};
use moissanite_core::poly::{BytePoly, Challenge, NttPoly, Poly, Rotations};
use moissanite_core::sample;
use moissanite_core::stream::matrix::Matrix;
use moissanite_core::stream::{keygen, verify};
#[cfg(target_arch = "x86_64")]
use moissanite_cpu::Bmi2;
#[cfg(target_arch = "aarch64")]
use moissanite_keccak::Scalar;
use moissanite_keccak::{Keccak, State};
#[cfg(target_arch = "arm")]
use moissanite_keccak::{Reader, SHAKE128_RATE, Shake128};

/// Returns the token of a backend without asking the CPU.
fn token<T: Copy>() -> T {
    const { assert!(size_of::<T>() == 0) }
    // SAFETY: a token has no bytes. The caller of the function has checked that the CPU has the backend.
    unsafe { core::mem::transmute_copy(&()) }
}

/// Returns a slice in memory.
///
/// # Safety
///
/// There must be `count` values.
unsafe fn slice<'a, T>(at: *const T, count: usize) -> &'a [T] {
    // SAFETY: the caller says so.
    unsafe { core::slice::from_raw_parts(at, count) }
}

/// The field of zkDilithium, which has no name outside of its crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Zk;

impl Field for Zk {
    const Q: i32 = 7_340_033;
    const ZETA: i32 = 3_483_618;
}

/// The operations of Poseidon on the words of a register.
#[derive(Clone, Copy)]
enum Operation {
    Reduce,
    Canonical,
    MultiplyAdd,
}

/// Applies an operation to each word: a ← f(a, b, c).
struct OnWords<'a> {
    operation: Operation,
    a: &'a mut [u64; 8],
    b: &'a [u64; 8],
    c: &'a [u64; 8],
}

impl Kernel for OnWords<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let others = S::word_chunks(self.b).iter().zip(S::word_chunks(self.c));
        for (a, (b, c)) in S::word_chunks_mut(self.a).iter_mut().zip(others) {
            let word = s.load_words(a);
            let word = match self.operation {
                Operation::Reduce => s.reduce_words::<Zk>(word),
                Operation::Canonical => s.canonical_words::<Zk>(word),
                Operation::MultiplyAdd => s.mul_add_words(word, s.load_words(b), s.load_words(c)),
            };
            s.store_words(word, a);
        }
    }
}

/// Returns the challenge with +1 at the first positions, and −1 at the following ones.
fn challenge(positions: &[i32; 64], plus: usize, minus: usize) -> Challenge {
    let (first, rest) = positions.split_at(plus.min(64));
    Challenge::new(first, &rest[..minus.min(rest.len())])
}

/// Exports functions under C names that begin with the name of the module.
macro_rules! export {
    ($module:ident: $(fn $name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)? $body:block)*) => {
        $(
            // SAFETY: no other symbol has this name.
            #[unsafe(export_name = concat!(stringify!($module), "_", stringify!($name)))]
            extern "C" fn $name($($argument: $kind),*) $(-> $result)? $body
        )*
    };
}

/// Exports all kernels of a backend. A block for the rejection loops is as long as one register of
/// candidates.
macro_rules! kernels {
    ($($module:ident $backend:ty: $lanes:literal),*) => { $( mod $module {
        use super::*;
        type B = $backend;
        export! { $module:
            fn zk_ntt(w: &Poly<Zk>, out: &mut NttPoly<Zk>) { token::<B>().ntt(w, out) }
            fn zk_inverse_ntt(w: &NttPoly<Zk>, out: &mut Poly<Zk>) { token::<B>().inverse_ntt(w, out) }
            fn zk_inner_product(
                a: *const NttPoly<Zk>, b: *const NttPoly<Zk>, terms: usize, out: &mut NttPoly<Zk>
            ) {
                // SAFETY: the caller passes as many polynomials.
                let (a, b) = unsafe { (slice(a, terms), slice(b, terms)) };
                token::<B>().inner_product(a, b, out)
            }
            fn reduce_words(a: &mut [u64; 8]) {
                let (operation, none) = (Operation::Reduce, &[0; 8]);
                token::<B>().run(OnWords { operation, a, b: none, c: none })
            }
            fn canonical_words(a: &mut [u64; 8]) {
                let (operation, none) = (Operation::Canonical, &[0; 8]);
                token::<B>().run(OnWords { operation, a, b: none, c: none })
            }
            fn mul_add_words(a: &mut [u64; 8], b: &[u64; 8], c: &[u64; 8]) {
                token::<B>().run(OnWords { operation: Operation::MultiplyAdd, a, b, c })
            }
            fn reject_uniform(bytes: &[u8; 3 * $lanes], a: &mut NttPoly<F>, filled: usize) -> i32 {
                token::<B>().reject_uniform(bytes, a, filled) as i32
            }
            fn reject_bounded2(bytes: &[u8; $lanes], s: &mut Poly<F>, filled: usize) -> i32 {
                token::<B>().reject_bounded(bytes, 2, s, filled) as i32
            }
            fn reject_bounded4(bytes: &[u8; $lanes], s: &mut Poly<F>, filled: usize) -> i32 {
                token::<B>().reject_bounded(bytes, 4, s, filled) as i32
            }
            fn ntt(w: &Poly<F>, out: &mut NttPoly<F>) { token::<B>().ntt(w, out) }
            fn inverse_ntt(w: &NttPoly<F>, out: &mut Poly<F>) { token::<B>().inverse_ntt(w, out) }
            fn inner_product(a: *const NttPoly<F>, b: *const NttPoly<F>, terms: usize, out: &mut NttPoly<F>) {
                // SAFETY: the caller passes as many polynomials.
                let (a, b) = unsafe { (slice(a, terms), slice(b, terms)) };
                token::<B>().inner_product(a, b, out)
            }
            fn inner_product_minus(
                a: *const NttPoly<F>, b: *const NttPoly<F>, terms: usize,
                c: &NttPoly<F>, d: &NttPoly<F>, out: &mut NttPoly<F>
            ) {
                // SAFETY: the caller passes as many polynomials.
                let (a, b) = unsafe { (slice(a, terms), slice(b, terms)) };
                token::<B>().inner_product_minus(a, b, (c, d), out)
            }
            fn add(a: &mut Poly<F>, b: &Poly<F>) { Backend::add(token::<B>(), a, b) }
            fn add_product8(
                acc: &mut Poly<F>, positions: &[i32; 64], plus: usize, minus: usize, s: &Rotations<i8>, largest: u32
            ) {
                token::<B>().add_product(acc, &challenge(positions, plus, minus), s, largest)
            }
            fn sub_product8(
                acc: &mut Poly<F>, positions: &[i32; 64], plus: usize, minus: usize, s: &Rotations<i8>, largest: u32
            ) {
                token::<B>().sub_product(acc, &challenge(positions, plus, minus), s, largest)
            }
            fn add_product16(
                acc: &mut Poly<F>, positions: &[i32; 64], plus: usize, minus: usize, s: &Rotations<i16>, largest: u32
            ) {
                token::<B>().add_product(acc, &challenge(positions, plus, minus), s, largest)
            }
            fn sub_product16(
                acc: &mut Poly<F>, positions: &[i32; 64], plus: usize, minus: usize, s: &Rotations<i16>, largest: u32
            ) {
                token::<B>().sub_product(acc, &challenge(positions, plus, minus), s, largest)
            }
            fn power2round(t: &mut Poly<F>, t1: &mut Poly<F>) { token::<B>().power2round(t, t1) }
            fn decompose44(w: &mut Poly<F>, w1: &mut BytePoly) { token::<B>().decompose::<MlDsa44>(w, w1) }
            fn decompose65(w: &mut Poly<F>, w1: &mut BytePoly) { token::<B>().decompose::<MlDsa65>(w, w1) }
            fn make_hint44(r: &Poly<F>, w1: &mut BytePoly) -> i32 { token::<B>().make_hint::<MlDsa44>(r, w1) }
            fn make_hint65(r: &Poly<F>, w1: &mut BytePoly) -> i32 { token::<B>().make_hint::<MlDsa65>(r, w1) }
            fn use_hint44(w: &Poly<F>, h: &mut BytePoly) { token::<B>().use_hint::<MlDsa44>(w, h) }
            fn use_hint65(w: &Poly<F>, h: &mut BytePoly) { token::<B>().use_hint::<MlDsa65>(w, h) }
            fn norm_at_least(w: &Poly<F>, bound: u32) -> i32 { token::<B>().norm_at_least(w, bound) }
            fn simple_bit_pack(bits: usize, w: &Poly<F>, bytes: *mut u8) {
                // SAFETY: the caller passes as many bytes.
                let bytes = unsafe { core::slice::from_raw_parts_mut(bytes, 32 * bits) };
                bits::simple_bit_pack(token::<B>(), bits, w, bytes)
            }
            fn simple_bit_pack_bytes(bits: usize, w: &BytePoly, bytes: *mut u8) {
                // SAFETY: the caller passes as many bytes.
                let bytes = unsafe { core::slice::from_raw_parts_mut(bytes, 32 * bits) };
                bits::simple_bit_pack_bytes(token::<B>(), bits, w, bytes)
            }
            fn bit_pack(bits: usize, upper: u32, w: &Poly<F>, bytes: *mut u8) {
                // SAFETY: the caller passes as many bytes.
                let bytes = unsafe { core::slice::from_raw_parts_mut(bytes, 32 * bits) };
                bits::bit_pack(token::<B>(), bits, upper, w, bytes)
            }
            fn simple_bit_unpack(bits: usize, bytes: *const u8, w: &mut Poly<F>) {
                // SAFETY: the caller passes as many bytes.
                let bytes = unsafe { slice(bytes, 32 * bits) };
                bits::simple_bit_unpack(token::<B>(), bits, bytes, w)
            }
            fn bit_unpack(bits: usize, upper: u32, bytes: *const u8, w: &mut Poly<F>) {
                // SAFETY: the caller passes as many bytes.
                let bytes = unsafe { slice(bytes, 32 * bits) };
                bits::bit_unpack(token::<B>(), bits, upper, bytes, w)
            }
        }
    } )* };
}

/// Exports Keccak-f[1600] of a backend.
macro_rules! keccak {
    ($($module:ident $backend:ty: $width:literal),*) => { $( mod $module {
        use super::*;
        export! { $module:
            fn permute(state: &mut State<[u64; $width]>) { token::<$backend>().permute(state) }
        }
    } )* };
}

/// The lattice kernels.
mod lattice {
    use super::*;

    kernels!(portable Portable: 1);
    #[cfg(target_arch = "x86_64")]
    kernels!(avx2 Avx2: 8, avx512 Avx512: 16);
    #[cfg(target_arch = "aarch64")]
    kernels!(neon Neon: 4);
    #[cfg(target_arch = "arm")]
    kernels!(armv7 Armv7: 1);
}

/// The code for small memories. Its transforms and sums have no names outside of their crate, but are compiled for
/// key generation and verification.
mod streams {
    use super::*;

    export! { streams:
        fn keygen(
            xi: &[u8; 32],
            pk: &mut <MlDsa44 as ParameterSet>::PublicKey,
            sk: &mut <MlDsa44 as ParameterSet>::PrivateKey,
            scratch: &mut keygen::Scratch
        ) {
            keygen::keygen_internal::<MlDsa44>(xi, pk, sk, scratch)
        }
        fn verify(
            a_hat: &Matrix<'_, MlDsa44>,
            pk: &[u8; 1312],
            xof: &mut Shake256,
            sigma: &[u8; 2420],
            scratch: &mut verify::Scratch<MlDsa44, verify::Cached>
        ) -> i32 {
            let (mut pk, mut sigma) = (&pk[..], &sigma[..]);
            let verified = verify::verify(a_hat, &mut pk, xof, &mut sigma, scratch);
            verified.is_ok_and(|valid| valid).into()
        }
    }
}

/// The steps of the loops over hints, with ω positions, and over the bytes of SampleInBall.
mod steps {
    use super::*;

    export! { steps:
        fn pack_eight(eight: &[u8; 8], first: u8, positions: *mut u8, omega: usize, index: usize) -> i32 {
            // SAFETY: the caller passes as many bytes.
            let positions = unsafe { core::slice::from_raw_parts_mut(positions, omega) };
            hint::pack_eight(eight, first, positions, index) as i32
        }
        fn unpack_row(
            positions: *const u8, omega: usize, index: usize, counter: u8, h: &mut [u8; 256]
        ) -> i32 {
            // SAFETY: the caller passes as many bytes.
            let positions = unsafe { slice(positions, omega) };
            let next = hint::unpack_row(positions, index, counter, |j| h[usize::from(j)] = 1);
            next.map_or(-1, |next| next as i32)
        }
        fn unpack_rest(positions: *const u8, omega: usize, index: usize) -> i32 {
            // SAFETY: the caller passes as many bytes.
            let positions = unsafe { slice(positions, omega) };
            hint::unpack_rest(positions, index).map_or(-1, |()| 0)
        }
        fn insert(c: &mut [i32; 256], i: usize, j: u8, signs: &mut u64) -> i32 {
            sample::insert(c, i, j, signs).into()
        }
    }
}

/// The permutations. That of one state with the SHA-3 instructions has no name outside of its crate, but is
/// compiled for the function that chooses at run time.
mod permutations {
    use super::*;

    keccak!(portable Portable: 1);
    #[cfg(target_arch = "x86_64")]
    keccak!(bmi2 Bmi2: 1, avx2 Avx2: 4, avx512 Avx512: 8);
    #[cfg(target_arch = "aarch64")]
    keccak!(neon Neon: 2, sha3 Sha3: 2);
    #[cfg(target_arch = "aarch64")]
    export! { scalar:
        fn permute(state: &mut State<[u64; 1]>) { Scalar::new().permute(state) }
    }

    // The conversions between bytes and the words that the permutation of 32-bit cores works on.
    #[cfg(target_arch = "arm")]
    export! { armv7:
        fn absorb(hash: &mut Shake128, message: &[u8; 167]) { hash.absorb(message) }
        fn squeeze(reader: &mut Reader<SHAKE128_RATE>, out: &mut [u8; 168]) { reader.read(out) }
    }

    #[cfg(target_arch = "x86_64")]
    export! { avx512:
        fn permute_half(state: &mut State<[u64; 8]>) { token::<Avx512>().permute_first(4, state) }
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

/// The precompiled library refers to this function for unwinding, which the probe does not have.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
