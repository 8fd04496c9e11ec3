//! The function that the tracer calls.

use core::hint::black_box;

use moissanite::backend::{Backend, WithBackend, all, dispatch_to};
use moissanite_core::{Dilithium2, MlDsa44, MlDsa65, MlDsa87};

use crate::secret::Secret;
use crate::step::step;
use crate::{composite, documents, heap, lattice, streams, zk_dilithium};

/// The exit status of success.
const RIGHT: u32 = 0;
/// The exit status if a result is wrong.
const WRONG: u32 = 1;
/// The exit status if this machine does not support the backend.
const NO_SUCH_BACKEND: u32 = 2;

/// Runs all operations of a scheme on the backend at position `backend` in the list of the core, with a
/// secret derived from `secret`.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn probe(backend: u32, scheme: u32, secret: u32) -> u32 {
    let secret = black_box(Secret::of(secret));
    heap::forget_allocations();
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
