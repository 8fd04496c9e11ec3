//! Sampling: one block at a time with chosen blocks, then whole polynomials.

use std::vec::Vec;

use moissanite_keccak::{Keccak, Shake256};

use super::{Random, backends, modulo};
use crate::backend::{Backend, add_accepted};
use crate::field::{Field, MlDsaField};
use crate::kernels::reject::take_accepted;
use crate::params::{Fips204, MlDsa44, MlDsa65, MlDsa87};
use crate::poly::{Matrix, NttPoly, Poly, Vector};
use crate::reference::{self, Coefficients};
use crate::sample::{self, HashAlongside, UNIFORM_LEN};
use crate::secret::Zeroed;
use crate::shape::Dim;
use crate::shape::N;

on_every_backend! { uniform_blocks bounded_blocks uniform_refills bounded_refills }
on_every_backend_and_set! { expand_a expand_s expand_mask }

const Q: i32 = MlDsaField::Q;
const G_RATE: usize = 168;
const H_RATE: usize = 136;

/// Tests one step of rejection sampling, from `filled` on: it continues at the right place, stops
/// when the polynomial is full, and does not change the coefficients before. The other coefficients
/// may have any value.
fn check_block(
    filled: usize,
    accepted: &[i32],
    take: impl FnOnce(&mut Coefficients, usize) -> usize,
) {
    let before: Coefficients = core::array::from_fn(|j| -(j as i32) - 100);
    let mut after = before;
    let now = take(&mut after, filled);
    assert_eq!(now, N.min(filled + accepted.len()));
    assert_eq!(after[..filled], before[..filled]);
    assert_eq!(after[filled..now], accepted[..now - filled]);
}

const STARTS: [usize; 10] = [0, 1, 7, 100, 199, 200, 201, 240, 255, 256];

fn uniform_blocks<B: Backend>(backend: B) {
    uniform_blocks_of::<B, G_RATE>(backend);
    uniform_blocks_of::<B, UNIFORM_LEN>(backend);
    uniform_blocks_of::<B, { UNIFORM_LEN - 3 }>(backend);
}

fn uniform_blocks_of<B: Backend, const LEN: usize>(backend: B) {
    let mut random = Random(11);
    let check = |triples: &mut dyn FnMut() -> u32| {
        for filled in STARTS {
            let mut block = [0; LEN];
            let (triples_of_block, _) = block.as_chunks_mut();
            for triple in &mut *triples_of_block {
                let [b0, b1, b2, _] = triples().to_le_bytes();
                *triple = [b0, b1, b2];
            }
            let accepted =
                (triples_of_block.iter().copied()).filter_map(reference::coeff_from_three_bytes);
            let accepted: Vec<_> = accepted.collect();
            check_block(filled, &accepted, |a, filled| {
                let mut a_hat = NttPoly::<MlDsaField>::ZERO;
                a_hat.0 = *a;
                let now = backend.reject_uniform(&block, &mut a_hat, filled);
                *a = a_hat.0;
                now
            });
        }
    };
    // The candidates are q and its neighbors, the largest one, and all of them with the unused bit.
    let q = Q as u32;
    let edges = [
        0,
        1,
        q - 2,
        q - 1,
        q,
        q + 1,
        0x7f_ffff,
        0x7f_0000,
        0x7f_dfff,
        0x7f_e002,
    ];
    let edges: Vec<_> = edges
        .into_iter()
        .chain(edges.map(|x| x | 0x80_0000))
        .collect();
    let mut edge = edges.iter().cycle();
    check(&mut || *edge.next().unwrap());
    for _ in 0..50 {
        check(&mut || random.choose(&edges));
        check(&mut || random.next() as u32);
    }
    check(&mut || 0);
    check(&mut || 0xff_ffff);
    assert_eq!(
        reference::coeff_from_three_bytes([0, 0xe0, 0xff]),
        Some(Q - 1)
    );
    assert_eq!(reference::coeff_from_three_bytes([1, 0xe0, 0x7f]), None);
}

/// Where entries are made in pieces of eight candidates: from each start on, to the last coefficient and no
/// further.
#[test]
fn uniform_in_pieces() {
    let mut random = Random(37);
    let q = Q as u32;
    let edges = [
        0,
        q - 1,
        q,
        q + 1,
        0x7f_ffff,
        0x80_0000,
        q | 0x80_0000,
        (q - 1) | 0x80_0000,
    ];
    let y = random.coefficients(-9 * Q, 9 * Q);
    for filled in [0, 1, 100].into_iter().chain(247..=N) {
        for round in 0..20 {
            let mut bytes = [0; 24];
            for triple in bytes.as_chunks_mut::<3>().0 {
                let any = random.next() as u32;
                let candidate = if round % 2 == 0 {
                    random.choose(&edges)
                } else {
                    any
                };
                triple.copy_from_slice(&candidate.to_le_bytes()[..3]);
            }
            let candidates = bytes.as_chunks().0.iter().copied();
            let accepted: Vec<_> = candidates
                .filter_map(reference::coeff_from_three_bytes)
                .collect();
            let expected: Vec<_> = (filled..N).zip(accepted).collect();
            let lanes = bytes.as_chunks().0;
            let lanes = core::array::from_fn(|i| u64::from_le_bytes(lanes[i]));

            let mut taken = Vec::new();
            let mut take = |j, a| taken.push((j, a));
            let now = take_accepted::<MlDsaField>(&lanes, filled, &mut take);
            assert_eq!((now, &taken), (filled + expected.len(), &expected));
            let mut w = [7; N];
            assert_eq!(add_accepted::<MlDsaField>(&lanes, &y, &mut w, filled), now);
            for (j, w) in w.into_iter().enumerate() {
                let a = expected
                    .iter()
                    .find(|(at, _)| *at == j)
                    .map_or(0, |(_, a)| *a);
                let product = i64::from(a) * i64::from(y[j]);
                let added = modulo::<MlDsaField>(i64::from(w - 7) << 32);
                assert_eq!(added, modulo::<MlDsaField>(product), "{j}");
            }
        }
    }
}

fn bounded_blocks<B: Backend>(backend: B) {
    let mut random = Random(12);
    for eta in [2, 4] {
        // The blocks have every byte, every half-byte next to itself, and some bytes without a
        // pattern.
        let ordered = [0, 120].map(|first| core::array::from_fn(|i| first + i as u8));
        let doubled = core::array::from_fn(|i| 0x11 * (i % 16) as u8);
        let refused = [[0xff; H_RATE], [0xf0; H_RATE], [0x0f; H_RATE]];
        let blocks = ordered.into_iter().chain([doubled]).chain(refused);
        let blocks = blocks.chain([(); 50].map(|()| random.bytes::<H_RATE>()));
        for (block, filled) in blocks.flat_map(|block| STARTS.map(|filled| (block, filled))) {
            let half_bytes = block.iter().flat_map(|byte| [byte & 15, byte >> 4]);
            let accepted = half_bytes.filter_map(|b| reference::coeff_from_half_byte(eta, b));
            let accepted: Vec<_> = accepted.collect();
            check_block(filled, &accepted, |s, filled| {
                let mut poly = Poly::<MlDsaField>::new(*s);
                let now = backend.reject_bounded(&block, eta, &mut poly, filled);
                *s = poly.0;
                now
            });
        }
    }
}

/// Returns patterns of accepted candidates of an XOF, with `block` candidates in a block. SHAKE
/// would give the first pattern once in 2¹³¹ tries.
fn patterns(block: usize) -> Vec<Vec<bool>> {
    let late = |blocks: usize| [std::vec![false; blocks * block], std::vec![true; N]].concat();
    let trickle = (0..N)
        .flat_map(|i| (0..block).map(move |j| j == i * 7 % block))
        .collect();
    // The last candidate that is needed is at the end of a block, and at the start of one.
    let ending = N.div_ceil(block) * block - N;
    let exact = [std::vec![false; ending], std::vec![true; N]].concat();
    let over = [std::vec![false; ending + 1], std::vec![true; N]].concat();
    let every_third = (0..3 * N).map(|i| i % 3 == 2).collect();
    std::vec![
        late(0),
        late(20),
        trickle,
        exact,
        over,
        late(1),
        every_third,
        late(5)
    ]
}

/// Fills one polynomial for each pattern with `sample::fill_batch`, as many at a time as there are
/// lanes, from an XOF that accepts by that pattern.
fn refill<K: Keccak, const LEN: usize, T: Zeroed>(
    candidates: usize,
    encode: impl Fn(&[bool]) -> Vec<u8>,
    take: impl Fn(&[u8; LEN], &mut T, usize) -> usize,
    coefficients: impl Fn(&T) -> Coefficients,
    expected: impl Fn(&[u8]) -> Coefficients,
) {
    let patterns = patterns(candidates);
    // The patterns are rotated, so that each one is in each lane, and in a batch that is not full.
    for (rotation, lanes) in
        (0..patterns.len()).zip([K::WIDTH, K::WIDTH.div_ceil(2)].iter().cycle())
    {
        let streams: Vec<_> = (0..*lanes)
            .map(|lane| encode(&patterns[(rotation + lane) % patterns.len()]))
            .collect();
        let mut polys: Vec<_> = streams.iter().map(|_| T::ZERO).collect();
        let mut batch: sample::Batch<'_, T> = [const { None }; crate::backend::MAX_KECCAK_WIDTH];
        for (slot, poly) in batch.iter_mut().zip(&mut polys) {
            *slot = Some(poly);
        }
        let mut squeezed = 0;
        let squeeze = |blocks: &mut K::Blocks<LEN>| {
            assert!(squeezed < 1000, "sampling does not stop");
            // Candidates after the end of a stream are acceptable, and must not be used.
            blocks.as_mut().fill([0; LEN]);
            for (block, stream) in blocks.as_mut().iter_mut().zip(&streams) {
                let rest = stream.get(squeezed * LEN..).unwrap_or_default();
                let len = rest.len().min(LEN);
                block[..len].copy_from_slice(&rest[..len]);
            }
            squeezed += 1;
        };
        let mut blocks = K::blocks();
        sample::fill_batch::<K, LEN, T>(squeeze, &mut blocks, &mut batch, &take);
        for (poly, stream) in polys.iter().zip(&streams) {
            assert_eq!(coefficients(poly), expected(stream));
        }
    }
}

fn uniform_refills<B: Backend>(backend: B) {
    let encode = |pattern: &[bool]| {
        let mut random = Random(13);
        let mut triple = |accept: &bool| {
            let x = if *accept {
                random.within(0, Q - 1)
            } else {
                random.within(Q, 0x7f_ffff)
            };
            let [b0, b1, b2, _] = (x | random.choose(&[0, 0x80_0000])).to_le_bytes();
            [b0, b1, b2]
        };
        pattern.iter().flat_map(&mut triple).collect()
    };
    let expected = |stream: &[u8]| reference::rej_ntt_poly(stream.iter().copied());
    // The length that is squeezed at a time, and one block.
    refill::<B::Keccak, UNIFORM_LEN, NttPoly<MlDsaField>>(
        UNIFORM_LEN / 3,
        encode,
        |block, a_hat, filled| backend.reject_uniform(block, a_hat, filled),
        |a_hat| a_hat.0,
        expected,
    );
    refill::<B::Keccak, G_RATE, NttPoly<MlDsaField>>(
        G_RATE / 3,
        encode,
        |block, a_hat, filled| backend.reject_uniform(block, a_hat, filled),
        |a_hat| a_hat.0,
        expected,
    );
}

fn bounded_refills<B: Backend>(backend: B) {
    for eta in [2, 4] {
        let encode = |pattern: &[bool]| {
            let mut random = Random(14);
            let most = if eta == 2 { 14 } else { 8 };
            let mut half_byte = |accept: &bool| {
                if *accept {
                    random.within(0, most)
                } else {
                    random.within(most + 1, 15)
                }
            };
            let half_bytes: Vec<_> = pattern.iter().map(&mut half_byte).collect();
            let byte = |pair: &[i32]| (pair[0] + 16 * pair.get(1).unwrap_or(&0)) as u8;
            half_bytes.chunks(2).map(byte).collect()
        };
        refill::<B::Keccak, H_RATE, Poly<MlDsaField>>(
            H_RATE * 2,
            encode,
            |block, s, filled| backend.reject_bounded(block, eta, s, filled),
            |s| s.0,
            |stream| reference::rej_bounded_poly(eta, stream.iter().copied()),
        );
    }
}

fn expand_a<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(15);
    let lengths = [None, Some(0), Some(136), Some(2592)];
    for (length, whole) in lengths
        .into_iter()
        .flat_map(|length| [(length, true), (length, false)])
    {
        let rho = random.bytes();
        let expected = reference::expand_a::<P>(&rho);
        let mut a_hat = Matrix::<P::Field, P::K, P::L>::ZERO;
        sample::expand_a::<P, B>(backend, &rho, &mut a_hat);
        // All of the matrix is sampled, and one row at a time while a message is hashed.
        let message = &random.bytes::<2592>()[..length.unwrap_or(0)];
        let mut window = B::Window::<NttPoly<P::Field>, P::L>::ZERO;
        let mut rows = sample::Rows::<P, B>::new(backend, &rho, &mut window);
        // The message is known at once, or a longer part of it with every row.
        let alongside = |r: usize| match length {
            None => HashAlongside::Nothing,
            Some(length) if whole => HashAlongside::Whole(&message[..length]),
            Some(length) => HashAlongside::SoFar(&message[..length.min(32 + 320 * r)]),
        };
        for (r, (row, expected)) in a_hat.iter().zip(&expected).enumerate() {
            let alone = rows.next_row(alongside(r));
            assert_eq!(alone.len(), P::L::N);
            for (s, ((a_rs, alone), expected)) in row.iter().zip(alone).zip(expected).enumerate() {
                assert_eq!(a_rs.0, *expected, "({r}, {s})");
                assert_eq!(alone.0, *expected, "({r}, {s}) of a row");
            }
        }
        let mut hash = [0; 64];
        rows.hashing().finish([message], &mut hash);
        let expected: [u8; 64] = reference::first(reference::h(&[message]));
        assert_eq!(hash, expected, "{length:?}, {whole}");
    }
}

fn expand_s<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(16);
    for _ in 0..3 {
        let rho_prime = random.bytes();
        let (mut s1, mut s2) = (Vector::ZERO, Vector::ZERO);
        sample::expand_s::<P, B>(backend, &rho_prime, &mut s1, &mut s2);
        let expected = reference::expand_s::<P>(&rho_prime);
        assert_eq!(expected.len(), P::L::N + P::K::N);
        for (r, (s, expected)) in s1.iter().chain(s2.iter()).zip(&expected).enumerate() {
            assert_eq!(s.0, *expected, "{r}");
        }
    }
}

/// Tests the first κ, one where its high byte changes, and the last; alone, and alongside a hash.
fn expand_mask<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(17);
    let rho_second = random.bytes();
    let message: [u8; 1088] = random.bytes();
    let kappas = [0, 254, (P::ATTEMPTS_CEILING - 1) * P::L::N as u16];
    for (kappa, hashed) in kappas
        .into_iter()
        .flat_map(|kappa| [(kappa, false), (kappa, true)])
    {
        let mut window = B::Window::<Poly<P::Field>, P::L>::ZERO;
        let mut masks = sample::Masks::<P, B>::new(backend, &rho_second, kappa, &mut window);
        // Polynomials that are left over are the first ones of the next attempt.
        let left = usize::from((u16::MAX - kappa) / P::L::N as u16);
        for attempt in 0..left.min(20) {
            let kappa = usize::from(kappa) + attempt * P::L::N;
            let mut y = masks.next_mask();
            if hashed {
                let (head, tail) = message[attempt..].split_at(64);
                let mut hash = [0; 64];
                y = masks.hash_alongside([head, tail], &mut hash);
                assert_eq!(hash, reference::first(reference::h(&[head, tail])));
            }
            let expected = reference::expand_mask::<P>(&rho_second, kappa);
            assert_eq!(y.len(), expected.len());
            for (r, (y, expected)) in y.iter().zip(&expected).enumerate() {
                assert_eq!(y.0, *expected, "{kappa} + {r}");
            }
        }
    }
}

fn ball<P: Fips204>() {
    let mut random = Random(18);
    let mut minus = 0;
    for _ in 0..300 {
        let c_tilde = &random.bytes::<64>()[..P::C_TILDE_LEN];
        let mut c = Poly::<P::Field>::new([7; N]);
        sample::sample_in_ball::<P>(c_tilde, &mut c);
        assert_eq!(
            c.0,
            reference::sample_in_ball(P::TAU, reference::h(&[c_tilde]))
        );
        assert_eq!(
            c.0.iter().map(|c| c.unsigned_abs() as usize).sum::<usize>(),
            P::TAU
        );
        assert!(c.0.iter().all(|c| c.abs() <= 1));
        minus += c.0.iter().filter(|c| **c < 0).count();
    }
    // The number of negative signs is half of all, within ten standard deviations.
    assert!((300 * P::TAU / 2).abs_diff(minus).pow(2) < 100 * 300 * P::TAU / 4);
}

/// SampleInBall from an XOF that is rejected for a long time: from the start, in the middle, and so
/// that the last position is the last byte of a block or the first one of the next.
fn refilled_ball<P: Fips204>() {
    let mut random = Random(35);
    for refused in [
        0,
        1,
        100,
        2 * H_RATE,
        1000,
        2 * H_RATE - 8 - P::TAU,
        2 * H_RATE - 7 - P::TAU,
    ] {
        for at in [0, 1, P::TAU - 2] {
            // A position j ≤ 256 − τ is always accepted; 255 is rejected until the last step.
            let signs = random.bytes::<8>();
            let good = (0..P::TAU).map(|_| random.below(N - P::TAU + 1) as u8);
            let mut bytes: Vec<u8> = signs.into_iter().chain(good).collect();
            let (head, tail) = bytes.split_at(8 + at);
            bytes = [head, &std::vec![255; refused], tail].concat();
            // The bytes after that are not read: they would be rejected forever.
            let mut blocks = bytes.chunks(H_RATE);
            let mut c = Poly::<P::Field>::new([7; N]);
            let squeeze = |block: &mut [u8; H_RATE]| {
                let next = blocks.next().expect("no more blocks are read");
                block.fill(255);
                block[..next.len()].copy_from_slice(next);
            };
            sample::fill_ball::<P>(sample::bytes(squeeze), &mut c.0);
            assert_eq!(
                c.0,
                reference::sample_in_ball(P::TAU, bytes.iter().copied())
            );
        }
    }
}

/// Tests a known first block. Almost all of it is rejected, so that another block follows.
fn ball_from_its_first_block<P: Fips204>() {
    let mut random = Random(26);
    let c_tilde: [u8; 64] = random.bytes();
    let c_tilde = &c_tilde[..P::C_TILDE_LEN];
    let mut hash = [0; 3 * H_RATE];
    let mut xof = Shake256::new();
    xof.absorb(c_tilde);
    xof.squeeze().read(&mut hash);
    for refused in [0, H_RATE - 8, H_RATE - 9] {
        let mut bytes = hash;
        bytes[8..8 + refused].fill(255);
        let mut c = Poly::<P::Field>::new([7; N]);
        let (first, _) = bytes.split_first_chunk().unwrap();
        sample::sample_in_ball_from::<P>(first, c_tilde, &mut c);
        assert_eq!(c.0, reference::sample_in_ball(P::TAU, bytes.into_iter()));
    }
}

#[test]
fn sample_in_ball_from_its_first_block() {
    ball_from_its_first_block::<MlDsa44>();
    ball_from_its_first_block::<MlDsa65>();
    ball_from_its_first_block::<MlDsa87>();
}

#[test]
fn sample_in_ball() {
    ball::<MlDsa44>();
    ball::<MlDsa65>();
    ball::<MlDsa87>();
}

#[test]
fn sample_in_ball_refills() {
    refilled_ball::<MlDsa44>();
    refilled_ball::<MlDsa65>();
    refilled_ball::<MlDsa87>();
}
