//! Measures the stack of every operation of every set: on a Cortex-M, and on the build machine with each
//! of its backends.

#![cfg_attr(target_os = "none", no_std, no_main)]

use bench::{board, entries, operations, say};
use moissanite::backend::{Backend, WithBackend, all, dispatch_to};
use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87, Seed};

/// The number of keys, whose signatures take different numbers of attempts. Unoptimised code is slow and
/// uses the same stack each time, so it runs with fewer keys.
const SEEDS: u8 = if cfg!(debug_assertions) { 1 } else { 3 };

#[cfg(target_os = "none")]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    say!("{info}");
    board::exit(1)
}

#[cfg_attr(target_os = "none", cortex_m_rt::entry)]
fn main() -> ! {
    board::start();
    for seed in 0..SEEDS {
        set::<MlDsa44, { entries::<MlDsa44>() }>(&Seed::from([seed; 32]));
        set::<MlDsa65, { entries::<MlDsa65>() }>(&Seed::from([seed; 32]));
        set::<MlDsa87, { entries::<MlDsa87>() }>(&Seed::from([seed; 32]));
    }
    say!("done");
    board::exit(0)
}

fn set<P: Fips204, const ENTRIES: usize>(seed: &Seed) {
    let (public_key, signature) = operations::streams::<P>(seed);
    operations::kept::<P, ENTRIES>("all", seed, &public_key, &signature);
    for (backend, _) in all() {
        let whole = Whole::<P> {
            seed,
            public_key: &public_key,
            signature: &signature,
        };
        // If the CPU lacks the instructions of a backend, only the other backends are measured.
        let _ = dispatch_to(backend, whole);
    }
}

/// The types that have all of Â in memory at once, on one backend.
struct Whole<'a, P: Fips204> {
    seed: &'a Seed,
    public_key: &'a P::PublicKey,
    signature: &'a P::Signature,
}

impl<P: Fips204> WithBackend for Whole<'_, P> {
    type Output = ();
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) {
        let form = format_args!("whole, {}", B::NAME);
        operations::whole::<P, B>(form, backend, self.seed, self.public_key, self.signature);
    }
}
