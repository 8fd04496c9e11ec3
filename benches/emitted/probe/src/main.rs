//! Every operation that handles secrets, of every scheme, on each backend that the target has.
//!
//! The tracer calls [`probe`] with several secrets. All that is public is the same for all of them, or
//! replayed; so control flow, and what decides on it, has to be the same too.
#![no_std]
#![no_main]

extern crate alloc;

mod composite;
mod documents;
mod lattice;
mod runtime;
mod secret;
mod streams;
mod zk_dilithium;

use core::hint::black_box;

use moissanite::backend::{Backend, WithBackend, all, dispatch_to};
use moissanite_core::{Dilithium2, MlDsa44, MlDsa65, MlDsa87};

use runtime::step;
use secret::Secret;

/// Everything went well.
const RIGHT: u32 = 0;
/// A result is wrong.
const WRONG: u32 = 1;
/// This machine has no such backend.
const NO_SUCH_BACKEND: u32 = 2;

/// All operations of a scheme on the backend that stands at `backend` in the list of the core, with a
/// secret made of `secret`.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn probe(backend: u32, scheme: u32, secret: u32) -> u32 {
    let secret = black_box(Secret(secret));
    runtime::forget_allocations();
    let run = Run { scheme, secret };
    let ran = match all().nth(backend as usize) {
        Some((name, true)) => dispatch_to(name, run),
        _ => return NO_SUCH_BACKEND,
    };
    if ran == Some(true) { RIGHT } else { WRONG }
}

struct Run {
    scheme: u32,
    secret: Secret,
}

impl WithBackend for Run {
    type Output = bool;
    fn call<B: Backend>(self, backend: B) -> bool {
        step(B::NAME);
        match self.scheme {
            0 => lattice::run::<MlDsa44, B>(backend, self.secret),
            1 => lattice::run::<MlDsa65, B>(backend, self.secret),
            2 => lattice::run::<MlDsa87, B>(backend, self.secret),
            3 => lattice::run::<Dilithium2, B>(backend, self.secret),
            4 => streams::run::<MlDsa44>(self.secret),
            5 => streams::run::<MlDsa65>(self.secret),
            6 => streams::run::<MlDsa87>(self.secret),
            7 => zk_dilithium::run(backend, self.secret),
            8 => documents::run(self.secret),
            9 => composite::run(self.secret),
            _ => false,
        }
    }
}
