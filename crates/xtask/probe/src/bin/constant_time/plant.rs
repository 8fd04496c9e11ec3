//! Deliberate leaks, which memcheck must report.

use std::hint::black_box;

use moissanite_core::ParameterSet;
use moissanite_core::encode::keys::sk_split_mut;

/// The kind of leak.
#[derive(Clone, Copy)]
pub(crate) enum Leak {
    None,
    Branch,
    Index,
}

/// Leaks a part of a private key; returns whether there was a leak to plant.
pub(crate) fn plant<P: ParameterSet>(leak: Leak, sk: &mut P::PrivateKey) -> bool {
    static TABLE: [u8; 256] = [7; 256];
    let parts = sk_split_mut::<P>(sk);
    match leak {
        Leak::None => return false,
        Leak::Branch => {
            if parts.s1.first().is_some_and(|byte| byte & 1 == 1) {
                black_box("odd");
            }
        }
        Leak::Index => {
            black_box(black_box(&TABLE)[usize::from(parts.k[0])]);
        }
    }
    true
}
