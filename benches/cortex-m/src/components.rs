//! The components that take most of the time.

use core::hint::black_box;

use moissanite_core::Fips204;
use moissanite_core::backend::{Backend, Portable};
use moissanite_core::poly::{NttPoly, Poly};
use moissanite_core::secret::Zeroed;
use moissanite_keccak::Shake128;

use crate::cost;

/// The name of the code.
const CODE: &str = if cfg!(feature = "tiny") {
    "tiny portable"
} else {
    "portable"
};

/// The portable code of the permutation and the transforms.
#[inline(never)]
pub fn portable<P: Fips204>() {
    let mut reader = Shake128::new().squeeze();
    let mut block = [0; 168];
    reader.read(&mut block);
    cost::count(
        format_args!("{}, {CODE}, permutation and block", P::NAME),
        &mut || {
            reader.read(black_box(&mut block));
        },
    );
    let (mut w, mut w_hat) = (Poly::<P::Field>::ZERO, NttPoly::<P::Field>::ZERO);
    cost::count(format_args!("{}, {CODE}, NTT", P::NAME), &mut || {
        Portable.ntt(black_box(&w), &mut w_hat);
    });
    cost::count(
        format_args!("{}, {CODE}, inverse NTT", P::NAME),
        &mut || {
            Portable.inverse_ntt(black_box(&w_hat), &mut w);
        },
    );
}
