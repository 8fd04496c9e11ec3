//! The C interface of Moissanite. The documentation for users is the header `include/moissanite.h`, which
//! `cargo xtask c-interface --write` makes of the public items and comments of this crate.
//!
//! Every exported function takes raw pointers. [`caller::Caller`] makes references of them: it is the only place
//! that does, and it checks null pointers, lengths, alignment and overlap first. Besides it, only [`object`], the
//! callbacks, the keys of streams and the handles of keys on the heap have `unsafe` code of their own.
//!
//! | module | content |
//! | --- | --- |
//! | [`status`], [`algorithm`] | the results of functions, and the parameter sets with their lengths |
//! | [`caller`], [`object`] | references to memory of the caller, and objects in it that are wiped |
//! | [`message`], [`digest`] | a message in pieces, and the hash functions of HashML-DSA |
//! | [`stream`] | verification and signing for firmware, with callbacks |
//! | `host` | keys on the heap, with the feature `std` |

#![no_std]
#![allow(
    unsafe_code,
    reason = "C passes pointers; each block states why they are valid"
)]
#![cfg_attr(
    not(all(
        feature = "ml-dsa-44",
        feature = "ml-dsa-65",
        feature = "ml-dsa-87",
        feature = "dilithium"
    )),
    allow(
        unused,
        reason = "some code is only for parameter sets that are not compiled"
    )
)]

// A static library for a system needs its panic handler, although nothing else of `std` is used without the
// feature of this name.
#[cfg(any(feature = "std", not(target_os = "none")))]
extern crate std;

mod algorithm;
mod caller;
mod digest;
#[cfg(feature = "std")]
mod host;
mod message;
mod object;
mod status;
mod stream;
#[cfg(all(test, feature = "std", feature = "ml-dsa-44"))]
mod tests;

/// No operation panics: `cargo xtask c-interface` checks that a program does not contain this function.
#[cfg(target_os = "none")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
