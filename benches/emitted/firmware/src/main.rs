//! Boot loaders and signers, which `cargo xtask faults` executes with faults.
//!
//! The emulator calls one of the exported functions, and recognises `moissanite_boot` and `moissanite_stop`.
#![no_std]
#![no_main]

use core::arch::asm;
use core::convert::Infallible;
use core::hint::black_box;
use core::slice::from_raw_parts;

#[cfg(feature = "ml-dsa-44")]
use moissanite::MlDsa44 as Set;
#[cfg(feature = "ml-dsa-65")]
use moissanite::MlDsa65 as Set;
#[cfg(feature = "ml-dsa-87")]
use moissanite::MlDsa87 as Set;
use moissanite::stream::{Seeds, SigningKey, VerifyingKey};
use moissanite::{MuBuilder, ParameterSet, Seed};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    moissanite_stop()
}

/// The address of the image that a boot loader starts.
const ENTRY: usize = 0x0804_0001;
const CONTEXT: &[u8] = b"";
const MESSAGE_LEN: usize = 32;

/// Jumps to an image: this is an acceptance if the address is right.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn moissanite_boot(entry: usize) -> ! {
    // SAFETY: the endless loop accesses nothing.
    unsafe { asm!("1: b 1b", in("r0") entry, options(noreturn)) }
}

// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn moissanite_stop() -> ! {
    // SAFETY: the instruction ends the program.
    unsafe { asm!("udf #0", options(noreturn)) }
}

fn stop() -> ! {
    moissanite_stop()
}

/// The inputs of a verification, which the emulator writes to a fixed address.
#[repr(C)]
struct Inputs {
    key: &'static [u8; Set::PUBLIC_KEY_LEN],
    signature: &'static [u8; Set::SIGNATURE_LEN],
    message: *const u8,
    length: usize,
}

impl Inputs {
    #[inline(always)]
    fn key(&self) -> VerifyingKey<'static, Set, &'static [u8]> {
        match VerifyingKey::from_bytes(self.key) {
            Ok(key) => key,
            Err(_) => moissanite_stop(),
        }
    }
    #[inline(always)]
    fn message(&self) -> &'static [u8] {
        // SAFETY: the emulator writes the address and the length of the message.
        unsafe { from_raw_parts(self.message, self.length) }
    }
}

/// A boot loader with the documented use of the hardened verification.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
extern "C" fn hardened(inputs: &Inputs) -> ! {
    let message = |mu: &mut MuBuilder| mu.update(inputs.message());
    let mut key = inputs.key();
    let verdict = key.verify_hardened(CONTEXT, message, inputs.signature);
    moissanite_boot(verdict.unlock(ENTRY, stop))
}

/// A boot loader that branches once on the result of the hardened verification.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
extern "C" fn single_branch(inputs: &Inputs) -> ! {
    let message = |mu: &mut MuBuilder| mu.update(inputs.message());
    let verdict = inputs.key().verify_hardened(CONTEXT, message, inputs.signature);
    if black_box(verdict.is_accepted()) {
        moissanite_boot(ENTRY)
    }
    moissanite_stop()
}

/// A boot loader with the verification of the streams.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
extern "C" fn ordinary(inputs: &Inputs) -> ! {
    let message = |mu: &mut MuBuilder| mu.update(inputs.message());
    let verdict = inputs.key().verify_pieces(CONTEXT, message, inputs.signature);
    if verdict.is_ok() {
        moissanite_boot(ENTRY)
    }
    moissanite_stop()
}

/// Signs with a key of a seed, and returns the number of bytes that are written.
// SAFETY: no other symbol has this name. The emulator passes the addresses of a seed, a message and memory for
// the signature.
#[unsafe(no_mangle)]
unsafe extern "C" fn sign(seed: &[u8; 32], message: &[u8; MESSAGE_LEN], out: *mut u8) -> usize {
    let mut seeds = Seeds::new();
    let key = SigningKey::<Set, _>::from_seed_in(&mut seeds, &Seed::from_bytes(seed));
    // SAFETY: as above.
    let out = unsafe { core::slice::from_raw_parts_mut(out, Set::SIGNATURE_LEN) };
    moissanite_signing();
    let mut written = 0;
    let sink = |piece: &[u8]| {
        if let Some(out) = out.get_mut(written..written + piece.len()) {
            out.copy_from_slice(piece);
        }
        written += piece.len();
        Ok::<_, Infallible>(())
    };
    let _ = key.try_sign_pieces(CONTEXT, |mu| mu.update(message), sink);
    written
}

/// Faults are injected after this: the key is ready.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn moissanite_signing() {
    // SAFETY: this accesses nothing.
    unsafe { asm!("nop") }
}
