//! Compares each operation on registers with the same operation on one integer.

use core::marker::PhantomData;
use std::vec::Vec;

use super::{OtherField, Random, backends, rounds};
use crate::backend::Backend;
use crate::field::{Field, MlDsaField};
use crate::shape::N;
use crate::simd::{Kernel, Simd};

on_every_backend! {
    operations
    shifts
    bytes
    triples
    compressions
    interleaving
    sums
    transposition
    words
    word_reductions
}

#[derive(Clone, Copy, Debug)]
enum Operation {
    Add,
    Sub,
    Mul,
    And,
    Or,
    IsNegative,
    Gt,
    GtPublic,
    Splat,
}

impl Operation {
    fn on_integers(self, a: i32, b: i32) -> i32 {
        match self {
            Self::Add => a + b,
            Self::Sub => a - b,
            Self::Mul => a * b,
            Self::And => a & b,
            Self::Or => a | b,
            Self::IsNegative => -i32::from(a < 0),
            Self::Gt | Self::GtPublic => -i32::from(a > b),
            Self::Splat => SPLAT,
        }
    }
}

const SPLAT: i32 = -0x1234_5678;

/// a ← a op b.
struct Apply<'a>(Operation, &'a mut [i32; N], &'a [i32; N]);

impl Kernel for Apply<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (to, b) in S::chunks_mut(self.1).iter_mut().zip(S::chunks(self.2)) {
            let (a, b) = (s.load(to), s.load(b));
            let out = match self.0 {
                Operation::Add => s.add(a, b),
                Operation::Sub => s.sub(a, b),
                Operation::Mul => s.mul(a, b),
                Operation::And => s.and(a, b),
                Operation::Or => s.or(a, b),
                Operation::IsNegative => s.is_negative(a),
                Operation::Gt => s.gt(a, b),
                Operation::GtPublic => s.gt_public(a, b),
                Operation::Splat => s.splat(SPLAT),
            };
            s.store(out, to);
        }
    }
}

fn operations<B: Backend>(backend: B) {
    use Operation::{Add, And, Gt, GtPublic, IsNegative, Mul, Or, Splat, Sub};
    let mut random = Random(1);
    for operation in [Add, Sub, Mul, And, Or, IsNegative, Gt, GtPublic, Splat] {
        // The numbers are as large as possible without an overflow.
        let (low, high) = match operation {
            Add | Sub | Gt | GtPublic => (-(1 << 30), (1 << 30) - 1),
            Mul => (-46_340, 46_340),
            _ => (i32::MIN, i32::MAX),
        };
        let ends = [low, low + 1, -1, 0, 1, high - 1, high];
        for _ in 0..rounds(20) {
            // Every end is combined with every end, then any number with any, and sometimes with
            // itself.
            let ends_a = ends.iter().flat_map(|a| [*a; 7]);
            let mut a = random.coefficients(low, high);
            let mut b = random.coefficients(low, high);
            for (j, end) in ends_a.enumerate() {
                (a[j], b[j]) = (end, ends[j % 7]);
            }
            let j = random.below(N);
            b[j] = a[j];
            let mut out = a;
            backend.run(Apply(operation, &mut out, &b));
            let expected = core::array::from_fn(|j| operation.on_integers(a[j], b[j]));
            assert_eq!(out, expected, "{operation:?}");
        }
    }
}

/// w ← ⌊w / 2^bits⌋.
struct Shift<'a>(&'a mut [i32; N], u32);

impl Kernel for Shift<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for w in S::chunks_mut(self.0) {
            s.store(s.shr(s.load(w), self.1), w);
        }
    }
}

fn shifts<B: Backend>(backend: B) {
    let mut w = Random(2).coefficients(i32::MIN, i32::MAX);
    w[..4].copy_from_slice(&[i32::MIN, -1, 1, i32::MAX]);
    for bits in 0..32 {
        let mut shifted = w;
        backend.run(Shift(&mut shifted, bits));
        assert_eq!(
            shifted,
            w.map(|w| (i64::from(w).div_euclid(1 << bits)) as i32),
            "{bits}"
        );
    }
}

/// Reads bytes as integers, and writes the low bytes of others.
struct Bytes<'a> {
    bytes: &'a mut [u8; N],
    loaded: &'a mut [i32; N],
    stored: &'a [i32; N],
}

impl Kernel for Bytes<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let loaded = S::chunks_mut(self.loaded).iter_mut();
        for (bytes, loaded) in S::byte_chunks(self.bytes).0.iter().zip(loaded) {
            s.store(s.load_bytes(bytes), loaded);
        }
        let stored = S::chunks(self.stored).iter();
        for (bytes, stored) in S::byte_chunks_mut(self.bytes).iter_mut().zip(stored) {
            s.store_bytes(s.load(stored), bytes);
        }
    }
}

fn bytes<B: Backend>(backend: B) {
    let mut bytes = core::array::from_fn(|j| j as u8);
    let mut loaded = [-1; N];
    let stored = Random(3).coefficients(i32::MIN, i32::MAX);
    backend.run(Bytes {
        bytes: &mut bytes,
        loaded: &mut loaded,
        stored: &stored,
    });
    assert_eq!(loaded, core::array::from_fn(|j| j as i32));
    assert_eq!(bytes, stored.map(|stored| stored.to_le_bytes()[0]));
}

/// Reads three bytes for each lane, and records the lengths of the remainders.
struct Triples<'a>(&'a [u8], &'a mut [i32; N]);

impl Kernel for Triples<'_> {
    type Output = [usize; 3];
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> [usize; 3] {
        let (chunks, rest) = S::triple_chunks(self.0);
        for (triples, to) in chunks.iter().zip(S::chunks_mut(self.1)) {
            s.store(s.load_triples(triples), to);
        }
        [S::LANES, rest.len(), S::byte_chunks(self.0).1.len()]
    }
}

fn triples<B: Backend>(backend: B) {
    let bytes = Random(5).bytes::<{ 3 * N }>();
    for len in [0, 45, 48, 51, 168, 3 * N - 3, 3 * N] {
        let mut loaded = [-1; N];
        let [lanes, rest, bytes_rest] = backend.run(Triples(&bytes[..len], &mut loaded));
        assert_eq!([rest, bytes_rest], [len % (3 * lanes), len % lanes]);
        let whole = (len - rest) / 3;
        for (j, loaded) in loaded.into_iter().enumerate() {
            let triple = |j: usize| [bytes[3 * j], bytes[3 * j + 1], bytes[3 * j + 2], 0];
            let expected = if j < whole {
                i32::from_le_bytes(triple(j))
            } else {
                -1
            };
            assert_eq!(loaded, expected, "{j} of {len} bytes");
        }
    }
}

/// Compresses the first register of `w` by that of `mask`, and stores it from coefficient `at` on.
/// Returns the number of lanes, and the number of accepted ones if there was room.
struct Compress<'a> {
    w: &'a [i32; N],
    mask: &'a [i32; N],
    out: &'a mut [i32; N],
    at: usize,
}

impl Kernel for Compress<'_> {
    type Output = (usize, Option<usize>);
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> (usize, Option<usize>) {
        let (w, mask) = (
            s.load(&S::chunks(self.w)[0]),
            s.load(&S::chunks(self.mask)[0]),
        );
        let (compressed, count) = s.compress(w, mask);
        let count = S::chunk_at(self.out, self.at).map(|to| {
            s.store(compressed, to);
            count
        });
        (S::LANES, count)
    }
}

/// Tests every set of accepted lanes, at every position with room for a register.
fn compressions<B: Backend>(backend: B) {
    let mut random = Random(6);
    let w = random.coefficients(i32::MIN, i32::MAX);
    for accepted in (0..1 << 16).step_by(if cfg!(miri) { 331 } else { 1 }) {
        let mask = core::array::from_fn(|j| if j < 16 { -(accepted >> j & 1) } else { 0 });
        let (at, mut out) = (random.below(N), [7; N]);
        let (lanes, count) = backend.run(Compress {
            w: &w,
            mask: &mask,
            out: &mut out,
            at,
        });
        if at + lanes > N {
            assert_eq!(count, None, "there is no room at {at}");
            assert_eq!(out, [7; N]);
        } else {
            let expected: Vec<_> = (0..lanes).filter(|j| mask[*j] != 0).map(|j| w[j]).collect();
            assert_eq!(count, Some(expected.len()), "{accepted:b}");
            assert_eq!(out[at..at + expected.len()], expected, "{accepted:b}");
            assert!(
                out[..at]
                    .iter()
                    .chain(&out[at + lanes..])
                    .all(|out| *out == 7)
            );
        }
        if accepted >> lanes != 0 {
            break;
        }
    }
}

/// Interleaves the first registers of a and b into the first two of `out`; returns the number of
/// lanes.
struct Interleave<'a>(&'a [i32; N], &'a [i32; N], &'a mut [i32; N]);

impl Kernel for Interleave<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> usize {
        let (a, b) = (s.load(&S::chunks(self.0)[0]), s.load(&S::chunks(self.1)[0]));
        let (first, second) = s.interleave(a, b);
        s.store(first, &mut S::chunks_mut(self.2)[0]);
        s.store(second, &mut S::chunks_mut(self.2)[1]);
        S::LANES
    }
}

fn interleaving<B: Backend>(backend: B) {
    let (a, b) = (
        core::array::from_fn(|j| j as i32),
        core::array::from_fn(|j| -(j as i32) - 1),
    );
    let mut out = [0; N];
    let lanes = backend.run(Interleave(&a, &b, &mut out));
    let expected: Vec<_> = a.iter().zip(&b).flat_map(|(a, b)| [*a, *b]).collect();
    assert_eq!(out[..2 * lanes], expected[..2 * lanes]);
    assert!(out[2 * lanes..].iter().all(|out| *out == 0));
}

/// Writes the sum of each register to the position of its first lane in `sums`; returns the number
/// of lanes.
struct Sums<'a>(&'a [i32; N], &'a mut [i32; N]);

impl Kernel for Sums<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> usize {
        for (w, sum) in S::chunks(self.0)
            .iter()
            .zip(self.1.iter_mut().step_by(S::LANES))
        {
            *sum = s.sum(s.load(w));
        }
        S::LANES
    }
}

fn sums<B: Backend>(backend: B) {
    let w = Random(4).coefficients(i32::MIN >> 4, i32::MAX >> 4);
    let mut sums = [0; N];
    let lanes = backend.run(Sums(&w, &mut sums));
    for (j, w) in w.chunks(lanes).enumerate() {
        assert_eq!(sums[j * lanes], w.iter().sum::<i32>(), "{j}");
    }
}

/// The step at which a square is transposed.
#[derive(Clone, Copy, Debug)]
enum Turn {
    Loading,
    Between,
    Storing,
}

/// Transposes the first square of a polynomial; returns the number of lanes.
struct Transpose<'a>(&'a mut [i32; N], Turn);

impl Kernel for Transpose<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> usize {
        let rows = &mut S::chunks_mut(self.0)[..S::LANES];
        match self.1 {
            Turn::Loading => s.store_square(s.load_transposed(rows), rows),
            Turn::Between => {
                let mut square = s.load_square(rows);
                s.transpose(&mut square);
                s.store_square(square, rows);
            }
            Turn::Storing => s.store_transposed(s.load_square(rows), rows),
        }
        S::LANES
    }
}

fn transposition<B: Backend>(backend: B) {
    let before: [i32; N] = core::array::from_fn(|j| j as i32);
    for turn in [Turn::Loading, Turn::Between, Turn::Storing] {
        let mut after = before;
        let lanes = backend.run(Transpose(&mut after, turn));
        for (j, w) in after.iter().enumerate() {
            let (row, column) = (j / lanes, j % lanes);
            let inside = row < lanes;
            assert_eq!(
                *w,
                before[if inside { column * lanes + row } else { j }],
                "{j}, {turn:?}"
            );
        }
    }
}

/// Operations on 64-bit words: a + b, a − b, whether a = b, a where it is not equal, neighbors of a
/// exchanged, acc + ab, and b unchanged.
struct WordOperations<'a> {
    a: &'a [u64; N],
    b: &'a [u64; N],
    acc: &'a [u64; N],
    out: &'a mut [[u64; N]; 7],
}

impl Kernel for WordOperations<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> usize {
        for i in 0..N / S::WORDS {
            let [a, b, acc] =
                [self.a, self.b, self.acc].map(|words| s.load_words(&S::word_chunks(words)[i]));
            let equal = s.equal_words(a, b);
            let results = [
                s.add_words(a, b),
                s.sub_words(a, b),
                equal,
                s.and_not_words(equal, a),
                s.swap_words(a),
                s.mul_add_words(acc, a, b),
                b,
            ];
            for (result, out) in results.into_iter().zip(&mut *self.out) {
                s.store_words(result, &mut S::word_chunks_mut(out)[i]);
            }
        }
        S::WORDS
    }
}

fn words<B: Backend>(backend: B) {
    let mut random = Random(8);
    let ends = [0, 1, (1 << 26) - 1, 1 << 26, u64::from(u32::MAX)];
    for round in 0..rounds(40) {
        let mut number = |bits: u32| random.next() >> (64 - bits);
        let [mut a, mut b] = [(); 2].map(|()| core::array::from_fn(|_| number(32)));
        let acc: [u64; N] = core::array::from_fn(|_| number(51));
        for (j, (a, b)) in a.iter_mut().zip(&mut b).enumerate() {
            match j % 4 {
                0 => (*a, *b) = (ends[j / 4 % 5], ends[j / 20 % 5]),
                1 => *b = *a,
                // The numbers are chosen so that the product fits.
                _ => (*a, *b) = (*a >> 6, *b >> (6 + round % 4)),
            }
            if acc[j].saturating_add(*a * *b) >= 1 << 52 {
                (*a, *b) = (*a >> 7, *b >> 7);
            }
        }
        let mut out = [[0; N]; 7];
        let words = backend.run(WordOperations {
            a: &a,
            b: &b,
            acc: &acc,
            out: &mut out,
        });
        assert!(words.is_power_of_two() && words <= 8);
        for j in 0..N {
            let (neighbour, a, b) = (a[j ^ 1], a[j], b[j]);
            let expected = [
                a + b,
                a.wrapping_sub(b),
                if a == b { u64::MAX } else { 0 },
                if a == b { 0 } else { a },
                neighbour,
                acc[j] + a * b,
                b,
            ];
            assert_eq!(out.each_ref().map(|out| out[j]), expected, "{a} {b}");
        }
    }
}

/// Computes acc / RADIX of every word, ab / RADIX, and a number in every word.
struct ReduceWords<'a, F>(&'a mut [u64; N], Option<&'a [u64; N]>, PhantomData<F>);

impl<F: Field> Kernel for ReduceWords<'_, F> {
    type Output = i64;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i64 {
        for (i, acc) in S::word_chunks_mut(self.0).iter_mut().enumerate() {
            let a = s.load_words(acc);
            let reduced = match self.1 {
                Some(b) => s.mul_words::<F>(a, s.load_words(&S::word_chunks(b)[i])),
                None => s.reduce_words::<F>(s.add_words(a, s.splat_word(7))),
            };
            s.store_words(reduced, acc);
        }
        S::RADIX
    }
}

/// Computes x modulo q of every word.
struct CanonicalWords<'a, F>(&'a mut [u64; N], PhantomData<F>);

impl<F: Field> Kernel for CanonicalWords<'_, F> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for x in S::word_chunks_mut(self.0) {
            s.store_words(s.canonical_words::<F>(s.load_words(x)), x);
        }
    }
}

/// Tests reductions in their whole range.
fn word_reductions<B: Backend>(backend: B) {
    fn on<F: Field, B: Backend>(backend: B) {
        let q = u64::from(F::Q.cast_unsigned());
        let mut random = Random(9);
        let check = |radix: i64, acc: u64, reduced: u64| {
            let product = i128::from(reduced) * i128::from(radix) - i128::from(acc);
            assert_eq!(product % i128::from(q), 0, "{acc}");
            assert!(reduced < q + 1 + (acc >> 32) + 1, "{acc}");
        };
        let ends = [
            0,
            1,
            q,
            2 * q,
            q << 10,
            q << 25,
            (1 << 32) - 7,
            1 << 51,
            (1 << 52) - 8,
        ];
        let mut small = core::array::from_fn(|j| match [0, q - 1, q, q + 1, 2 * q - 1].get(j) {
            Some(end) => *end,
            None => (random.next() >> 32) % (2 * q),
        });
        let expected = small.map(|x| x % q);
        backend.run(CanonicalWords(&mut small, PhantomData::<F>));
        assert_eq!(small, expected);
        for _ in 0..rounds(20) {
            let accs: [u64; N] = core::array::from_fn(|j| match ends.get(j / 3) {
                Some(end) => (*end + j as u64 % 3).saturating_sub(1).min((1 << 52) - 8),
                None => (random.next() >> 12).min((1 << 52) - 8),
            });
            let mut out = accs;
            let radix = backend.run(ReduceWords(&mut out, None, PhantomData::<F>));
            for (acc, out) in accs.into_iter().zip(out) {
                check(radix, acc + 7, out);
            }
            let [a, b] = [(); 2].map(|()| core::array::from_fn(|_| random.next() >> 38));
            let mut out = a;
            backend.run(ReduceWords(&mut out, Some(&b), PhantomData::<F>));
            for j in 0..N {
                check(radix, a[j] * b[j], out[j]);
            }
        }
    }
    on::<MlDsaField, B>(backend);
    on::<OtherField, B>(backend);
}
