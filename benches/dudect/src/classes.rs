//! Secrets of two classes in random order.

use std::cell::RefCell;
use std::hint::black_box;
use std::sync::atomic::{Ordering, fence};

use dudect_bencher::rand::Rng;
use dudect_bencher::rand::seq::SliceRandom;
use dudect_bencher::{BenchRng, Class, CtRunner};

use crate::case::Run;

/// The number of secrets of each class.
const POOL: usize = 256;

/// Returns as many copies of the fixed secret as random ones, shuffled, so that caches and addresses do not
/// distinguish the classes.
pub(crate) fn pool<T>(
    rng: &mut BenchRng,
    size: usize,
    mut fixed: impl FnMut(&mut BenchRng) -> T,
    mut random: impl FnMut(&mut BenchRng) -> T,
) -> Vec<(Class, T)> {
    let mut pool: Vec<_> = (0..2 * size)
        .map(|i| match i % 2 {
            0 => (Class::Left, fixed(rng)),
            _ => (Class::Right, random(rng)),
        })
        .collect();
    pool.shuffle(rng);
    pool
}

/// Times secrets of both classes in random order.
pub(crate) fn shuffled<T>(
    rng: &mut BenchRng,
    pool: &[(Class, T)],
    mut time: impl FnMut(Class, &T),
) {
    for _ in 0..Run::get().measurements {
        let (class, secret) = &pool[rng.gen_range(0..pool.len())];
        time(*class, secret);
    }
}

/// Times `run` on a copy of each secret, which is always at the same address. The compiler must assume
/// that the copy and `out` are read afterwards.
pub(crate) fn compare<T: Clone, O>(
    runner: &mut CtRunner,
    rng: &mut BenchRng,
    out: O,
    fixed: T,
    random: impl FnMut(&mut BenchRng) -> T,
    run: impl Fn(&mut T, &mut O),
) {
    let place = RefCell::new((fixed.clone(), out));
    let pool = pool(rng, POOL, |_| fixed.clone(), random);
    shuffled(rng, &pool, |class, secret| {
        place.borrow_mut().0.clone_from(secret);
        settle();
        runner.run_one(class, || {
            let (secret, out) = &mut *place.borrow_mut();
            run(black_box(secret), black_box(out));
        });
    });
}

/// Waits until all writes have reached the cache.
pub(crate) fn settle() {
    fence(Ordering::SeqCst);
}
