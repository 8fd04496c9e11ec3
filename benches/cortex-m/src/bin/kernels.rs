//! Compares the kernels of this processor's backend with `Portable`, on random inputs and on the largest
//! inputs of both signs.

#![no_std]
#![no_main]

use bench::{Set, board, say};
use moissanite_core::ParameterSet;
use moissanite_core::backend::{Armv7, Backend, Portable};
use moissanite_core::field::Field;
use moissanite_core::poly::{Challenge, NttPoly, Poly, Rotations, Small};
use moissanite_core::secret::Zeroed;
use moissanite_core::shape::N;
use moissanite_keccak::{Reader, Shake128};

type F = <Set as ParameterSet>::Field;

const ROUNDS: usize = 50;

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    say!("{info}");
    board::exit(1)
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let mut random = Random(Shake128::new().squeeze());
    for _ in 0..ROUNDS {
        transforms(&mut random);
        products(&mut random);
        rotations::<i8>(&mut random, <Set as ParameterSet>::ETA);
        rotations::<i16>(&mut random, 1 << 12);
    }
    say!("kernels: as Portable");
    board::exit(0)
}

struct Random(Reader<168>);

impl Random {
    /// Returns a number below `end`.
    fn below(&mut self, end: u32) -> u32 {
        let mut bytes = [0; 4];
        self.0.read(&mut bytes);
        u32::from_le_bytes(bytes) % end
    }

    /// Returns numbers from -limit to limit: arbitrary ones, or, in one of three cases, only the
    /// two ends.
    fn fill(&mut self, limit: i32, w: &mut [i32; N]) {
        let ends = self.below(3) == 0;
        for w in w {
            let range = 2 * limit.unsigned_abs() + 1;
            *w = match self.below(range) {
                x if ends => limit * (x as i32 % 2 * 2 - 1),
                x => x as i32 - limit,
            };
        }
    }
}

/// Checks that the numbers are the same modulo q and within the bound.
fn same(what: &str, bound: i32, a: &[i32; N], b: &[i32; N]) {
    for (a, b) in a.iter().zip(b) {
        assert!(
            (a - b) % F::Q == 0 && a.abs() <= bound,
            "{what}: {a}, not {b}"
        );
    }
}

fn transforms(random: &mut Random) {
    let (mut w, mut w_hat) = (Poly::<F>::ZERO, [NttPoly::<F>::ZERO, NttPoly::ZERO]);
    random.fill(F::Q, &mut w.0);
    Armv7.ntt(&w, &mut w_hat[0]);
    Portable.ntt(&w, &mut w_hat[1]);
    same("ntt", 9 * F::Q, &w_hat[0].0, &w_hat[1].0);
    random.fill(F::Q - 1, &mut w_hat[0].0);
    let mut other = Poly::ZERO;
    Armv7.inverse_ntt(&w_hat[0], &mut w);
    Portable.inverse_ntt(&w_hat[0], &mut other);
    same("inverse_ntt", F::Q / 4 * 3 + 2, &w.0, &other.0);
}

fn products(random: &mut Random) {
    const TERMS: usize = 7;
    let mut a = [const { NttPoly::<F>::ZERO }; TERMS];
    let mut b = a.clone();
    let mut out = [NttPoly::<F>::ZERO, NttPoly::ZERO];
    a.iter_mut().for_each(|a| random.fill(F::Q - 1, &mut a.0));
    b.iter_mut().for_each(|b| random.fill(9 * F::Q, &mut b.0));
    for terms in 1..TERMS {
        let (a, b, minus) = (&a[..terms], &b[..terms], (&b[terms], &b[0]));
        Armv7.inner_product(a, b, &mut out[0]);
        Portable.inner_product(a, b, &mut out[1]);
        same("inner_product", F::Q - 1, &out[0].0, &out[1].0);
        Armv7.inner_product_minus(a, b, minus, &mut out[0]);
        Portable.inner_product_minus(a, b, minus, &mut out[1]);
        same("inner_product_minus", F::Q - 1, &out[0].0, &out[1].0);
    }
}

fn rotations<T: Small>(random: &mut Random, largest: u32) {
    let mut s = Poly::<F>::ZERO;
    random.fill(largest as i32 - 1, &mut s.0);
    let mut rotations = Rotations::<T>::ZERO;
    rotations.set(&s);
    let mut positions = [0; 60];
    for position in &mut positions {
        *position = random.below(N as u32) as i32;
    }
    let tau = <Set as ParameterSet>::TAU;
    let (plus, minus) = positions[..tau].split_at(random.below(tau as u32 + 1) as usize);
    let c = Challenge::new(plus, minus);
    let mut acc = [Poly::<F>::ZERO, Poly::ZERO];
    random.fill(F::Q, &mut acc[0].0);
    acc[1].0 = acc[0].0;
    Armv7.add_product(&mut acc[0], &c, &rotations, largest);
    Portable.add_product(&mut acc[1], &c, &rotations, largest);
    assert!(acc[0].0 == acc[1].0, "add_product");
    Armv7.sub_product(&mut acc[0], &c, &rotations, largest);
    Portable.sub_product(&mut acc[1], &c, &rotations, largest);
    assert!(acc[0].0 == acc[1].0, "sub_product");
}
