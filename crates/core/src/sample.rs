//! Pseudorandom sampling: FIPS 204, Algorithms 29 to 34.

use moissanite_keccak::{Keccak, Shake256, Shakes};

use crate::backend::Backend;
use crate::encode::bits;
use crate::params::{Dim, ParameterSet};
use crate::poly::{Matrix, N, NttPoly, Poly, Vector};
use crate::secret::{Secret, wipe};

/// No backend permutes more Keccak states at once.
pub(crate) const MOST_LANES: usize = 8;

/// Bytes of a block of SHAKE128, and of SHAKE256.
const G_RATE: usize = 168;
const H_RATE: usize = 136;

/// What an entry of Â almost always takes: 280 candidates for 256 coefficients,
/// of which one in 1,024 is refused.
pub(crate) const UNIFORM_LEN: usize = 5 * G_RATE;

/// FIPS 204, Algorithm 29 (SampleInBall). c̃ is public, and so is c.
pub fn sample_in_ball<P: ParameterSet>(c_tilde: &[u8], c: &mut Poly<P::Field>) {
    let mut xof = Shake256::new();
    xof.absorb(c_tilde);
    let mut xof = xof.squeeze();
    fill_ball::<P>(|block| xof.read(block), c);
}

/// The rest of [`sample_in_ball`], with the XOF as a parameter: it never asks
/// for a second block but in a test.
pub(crate) fn fill_ball<P: ParameterSet>(
    mut squeeze: impl FnMut(&mut [u8; H_RATE]),
    c: &mut Poly<P::Field>,
) {
    let mut block = [0; H_RATE];
    squeeze(&mut block);
    let mut signs = block[..8]
        .iter()
        .rev()
        .fold(0, |s, byte| s << 8 | u64::from(*byte));
    let mut at = 8;

    c.0 = [0; N];
    for i in N - P::TAU..N {
        let j = loop {
            if at == H_RATE {
                squeeze(&mut block);
                at = 0;
            }
            at += 1;
            let j = usize::from(block[at - 1]);
            if j <= i {
                break j;
            }
        };
        c.0[i] = c.0[j];
        c.0[j] = 1 - 2 * (signs & 1) as i32;
        signs >>= 1;
    }
}

/// FIPS 204, Algorithm 32 (ExpandA). ρ is public.
pub fn expand_a<P: ParameterSet, B: Backend>(
    backend: B,
    rho: &[u8; 32],
    a_hat: &mut Matrix<P::Field, P::K, P::L>,
) {
    let entries = a_hat.iter_mut().flat_map(Vector::iter_mut);
    reject_each(backend, rho, entries.zip(indices::<P>()));
}

/// The indices (r, s) of Â, row by row.
fn indices<P: ParameterSet>() -> impl Iterator<Item = (u8, u8)> {
    (0..P::K::N as u8).flat_map(|r| (0..P::L::N as u8).map(move |s| (r, s)))
}

/// ExpandA, a row at a time.
///
/// Entries are made as many at a time as there are Keccak states, which seldom
/// ends with a row; what is left over waits in the window for the next one.
pub struct Rows<'a, P: ParameterSet, B: Backend> {
    backend: B,
    rho: &'a [u8; 32],
    window: &'a mut B::Window<P::Field>,
    /// Entries in the window, and how many of the first were given out.
    filled: usize,
    used: usize,
    /// Entries made so far.
    made: usize,
}

impl<'a, P: ParameterSet, B: Backend> Rows<'a, P, B> {
    /// The rows of ExpandA(ρ), from the first on.
    pub fn new(backend: B, rho: &'a [u8; 32], window: &'a mut B::Window<P::Field>) -> Self {
        Self {
            backend,
            rho,
            window,
            filled: 0,
            used: 0,
            made: 0,
        }
    }

    /// The next row, L entries. There are K.
    pub fn next_row(&mut self) -> &[NttPoly<P::Field>] {
        let window = self.window.as_mut();
        let width = B::Keccak::WIDTH;
        while self.filled - self.used < P::L::N {
            if window.len() < self.filled + width {
                for i in self.used..self.filled {
                    let (to, from) = window.split_at_mut(i);
                    to[i - self.used].0 = from[0].0;
                }
                self.filled -= self.used;
                self.used = 0;
            }
            let batch = window[self.filled..].iter_mut().take(width);
            let indices = indices::<P>().skip(self.made);
            reject_each(self.backend, self.rho, batch.zip(indices));
            self.filled += width;
            self.made += width;
        }
        self.used += P::L::N;
        &window[self.used - P::L::N..self.used]
    }
}

/// FIPS 204, Algorithm 30 (RejNTTPoly), for each entry (r, s) of Â.
fn reject_each<'a, B: Backend, F: crate::field::Field>(
    backend: B,
    rho: &[u8; 32],
    entries: impl Iterator<Item = (&'a mut NttPoly<F>, (u8, u8))>,
) {
    let seeded = entries.map(|(a_rs, (r, s))| (a_rs, seed(rho, [s, r])));
    fill_each::<_, 34, G_RATE, UNIFORM_LEN, _>(backend.keccak(), seeded, |block, a_rs, filled| {
        backend.reject_uniform(block, a_rs, filled)
    });
}

/// FIPS 204, Algorithm 33 (ExpandS). ρ' is secret.
pub fn expand_s<P: ParameterSet, B: Backend>(
    backend: B,
    rho_prime: &[u8; 64],
    s1: &mut Vector<Poly<P::Field>, P::L>,
    s2: &mut Vector<Poly<P::Field>, P::K>,
) {
    let polys = s1.iter_mut().chain(s2.iter_mut()).zip(0u16..);
    let seeded = polys.map(|(s, r)| (s, seed(rho_prime, r.to_le_bytes())));
    // FIPS 204, Algorithm 31 (RejBoundedPoly), for each.
    fill_each::<_, 66, H_RATE, H_RATE, _>(backend.keccak(), seeded, |block, s, filled| {
        backend.reject_bounded(block, P::ETA, s, filled)
    });
}

/// FIPS 204, Algorithm 34 (ExpandMask). ρ'' is secret.
pub fn expand_mask<P: ParameterSet, B: Backend>(
    backend: B,
    rho_second: &[u8; 64],
    kappa: u16,
    y: &mut Vector<Poly<P::Field>, P::L>,
) {
    let seeded =
        (y.iter_mut().zip(kappa..)).map(|(y, nonce)| (y, seed(rho_second, nonce.to_le_bytes())));
    // All sets need so many blocks, if only a few bytes of the last one.
    const MOST_BYTES: usize = 5 * H_RATE;
    const { assert!(4 * H_RATE < 32 * P::Z_BITS && 32 * P::Z_BITS <= MOST_BYTES) };
    each_batch::<_, 66, H_RATE, _>(backend.keccak(), seeded, |xofs, batch| {
        let mut bytes = B::Keccak::blocks::<MOST_BYTES>();
        xofs.squeeze(&mut bytes);
        for (y, bytes) in batch.iter_mut().flatten().zip(bytes.as_ref()) {
            let bytes = &bytes[..32 * P::Z_BITS];
            bits::bit_unpack(backend, P::Z_BITS, P::GAMMA1, bytes, y);
        }
        wipe(bytes.as_mut());
    });
}

/// ρ ‖ the index of one polynomial.
fn seed<const LEN: usize, const SEED: usize>(
    rho: &[u8; LEN],
    index: [u8; 2],
) -> Secret<[u8; SEED]> {
    const { assert!(SEED == LEN + 2) };
    let mut seed = Secret::new([0; SEED]);
    seed[..LEN].copy_from_slice(rho);
    seed[LEN..].copy_from_slice(&index);
    seed
}

/// A polynomial for each lane that has one.
pub(crate) type Batch<'a, T> = [Option<&'a mut T>; MOST_LANES];

/// Takes the polynomials as many at a time as there are lanes, and gives `fill`
/// the XOFs that their seeds start.
fn each_batch<'a, K: Keccak, const SEED: usize, const RATE: usize, T: 'a>(
    keccak: K,
    seeded: impl Iterator<Item = (&'a mut T, Secret<[u8; SEED]>)>,
    mut fill: impl FnMut(&mut Shakes<K, RATE>, &mut Batch<'a, T>),
) {
    const { assert!(K::WIDTH <= MOST_LANES && SEED < RATE) };
    let mut seeded = seeded.peekable();
    while seeded.peek().is_some() {
        let mut batch: Batch<'a, T> = [const { None }; MOST_LANES];
        let mut seeds = Secret::new([[0; SEED]; MOST_LANES]);
        let lanes = batch.iter_mut().zip(seeds.iter_mut()).take(K::WIDTH);
        for ((slot, seed), (poly, its_seed)) in lanes.zip(seeded.by_ref()) {
            (*slot, *seed) = (Some(poly), *its_seed);
        }
        let inputs = seeds.each_ref().map(|seed| seed.as_slice());
        fill(&mut Shakes::absorb(keccak, &inputs[..K::WIDTH]), &mut batch);
    }
}

/// [`each_batch`], by rejection: squeezes `LEN` bytes at a time until every polynomial is full.
/// `take` goes on from the coefficient it is given and says how far it came.
fn fill_each<'a, K: Keccak, const SEED: usize, const RATE: usize, const LEN: usize, T: 'a>(
    keccak: K,
    seeded: impl Iterator<Item = (&'a mut T, Secret<[u8; SEED]>)>,
    take: impl Fn(&[u8], &mut T, usize) -> usize,
) {
    each_batch::<K, SEED, RATE, T>(keccak, seeded, |xofs, batch| {
        fill_batch::<K, LEN, T>(|blocks| xofs.squeeze(blocks), batch, &take);
    });
}

/// The loop of [`fill_each`], with the XOFs as a parameter, so that a test can
/// give it output that they would take 2¹³¹ tries to give.
pub(crate) fn fill_batch<K: Keccak, const LEN: usize, T>(
    mut squeeze: impl FnMut(&mut K::Blocks<LEN>),
    batch: &mut Batch<'_, T>,
    take: impl Fn(&[u8], &mut T, usize) -> usize,
) {
    let mut filled = [0; MOST_LANES];
    let mut blocks = K::blocks::<LEN>();
    loop {
        squeeze(&mut blocks);
        let mut full = true;
        for ((poly, filled), block) in batch.iter_mut().zip(&mut filled).zip(blocks.as_ref()) {
            if let Some(poly) = poly {
                *filled = take(block, poly, *filled);
                full &= *filled == N;
            }
        }
        if full {
            break;
        }
    }
    wipe(blocks.as_mut());
}
