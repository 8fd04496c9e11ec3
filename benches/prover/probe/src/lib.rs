//! Every kernel on every backend of the target, behind a C name, for the prover to find in the compiled code.
//!
//! The prover reads the code of these functions. It runs them only to compare its model of the instructions
//! with the CPU, and then only on a CPU that has the backend.
#![no_std]

#[cfg(target_arch = "x86_64")]
use moissanite_core::backend::{Avx2, Avx512};
use moissanite_core::backend::{Backend, Portable};
#[cfg(target_arch = "aarch64")]
use moissanite_core::backend::{Neon, Sha3};
use moissanite_core::encode::bits;
use moissanite_core::field::MlDsaField as F;
use moissanite_core::params::{MlDsa44, MlDsa65};
use moissanite_core::poly::{BytePoly, Challenge, NttPoly, Poly, Rotations};
#[cfg(target_arch = "x86_64")]
use moissanite_cpu::Bmi2;
#[cfg(target_arch = "aarch64")]
use moissanite_keccak::Scalar;
use moissanite_keccak::{Keccak, State};

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

/// Exports all kernels of a backend.
macro_rules! kernels {
    ($($module:ident $backend:ty),*) => { $( mod $module {
        use super::*;
        type B = $backend;
        export! { $module:
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
            fn add(a: &mut Poly<F>, b: &Poly<F>) { token::<B>().add(a, b) }
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

    kernels!(portable Portable);
    #[cfg(target_arch = "x86_64")]
    kernels!(avx2 Avx2, avx512 Avx512);
    #[cfg(target_arch = "aarch64")]
    kernels!(neon Neon);
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
