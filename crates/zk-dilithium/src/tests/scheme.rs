//! Polynomials, sampling, rounding and encodings, step by step.

use std::vec::Vec;

use moissanite_core::backend::{Backend, Kernel, Simd};
use moissanite_core::encode::bits;
use moissanite_core::field::Field;
use moissanite_core::params::ParameterSet;
use moissanite_core::poly::{BytePoly, NttPoly, Poly, Vector};
use moissanite_core::sample::{self, HashAlongside, Masks};
use moissanite_core::secret::Zeroed;
use moissanite_core::shape::N;
use moissanite_core::shape::Rank;
use serde_json::Value;
use sha3::{Digest, Sha3_256};

use super::{array, bytes, integers, list, primitives};
use crate::encode;
use crate::hash::{Ball, Sponges};
use crate::keygen::Rows;
use crate::params::{C_TILDE, K, Q, ZkDilithium, ZkField};
use crate::poseidon::states_in_lanes::{CountLanes, StatesInLanes};
use crate::sample_in_ball::{CYCLES, TAKEN, place, sample_in_ball};

on_every_backend! {
    transforms
    products
    elements
    expand_a
    expand_s
    expand_mask
    balls
    balls_side_by_side
    decompose_of_all_z_q
    packing
}

const MODULUS: i64 = ZkField::Q as i64;

/// x modulo q, less than q.
fn modulo(x: i64) -> i32 {
    x.rem_euclid(MODULUS) as i32
}

fn centered(w: &[i32]) -> Vec<i32> {
    let center = |w: &i32| {
        if *w > ZkField::Q / 2 {
            w - ZkField::Q
        } else {
            *w
        }
    };
    w.iter().map(center).collect()
}

fn digest(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    Sha3_256::digest(bytes).to_vec()
}

#[test]
fn parameters() {
    let expected = |name: &str| primitives("params")[name].as_i64().unwrap();
    let zeta = i64::from(ZkField::ZETA);
    assert_eq!(expected("zeta"), zeta);
    let root = (0..(Q - 1) / 512).fold(1, |power, _| power * 3 % MODULUS);
    assert_eq!(root, zeta);
    for (name, value) in [
        ("q", Q as usize),
        ("n", N),
        ("k", K),
        ("l", K),
        ("eta", ZkDilithium::ETA as usize),
        ("tau", ZkDilithium::TAU),
        ("beta", ZkDilithium::BETA as usize),
        ("gamma1", ZkDilithium::GAMMA1 as usize),
        ("gamma2", ZkDilithium::GAMMA2 as usize),
        ("inv2", Q as usize / 2 + 1),
        ("poseidon_t", crate::poseidon::WIDTH),
        ("poseidon_rate", crate::poseidon::RATE),
        ("poseidon_rounds", crate::poseidon::ROUNDS),
        ("ctilde_fes", C_TILDE),
        ("mu_fes", crate::params::MU),
        ("pk_len", crate::PUBLIC_KEY_LEN),
        ("sk_len", crate::PRIVATE_KEY_LEN),
        ("sig_len", crate::SIGNATURE_LEN),
    ] {
        assert_eq!(expected(name), value as i64, "{name}");
    }
}

/// The tables of the core, which begin with ζ⁰ and go the other way for the inverse.
#[test]
fn zetas() {
    let zetas = ZkField::ZETAS.map(|zeta| modulo(zeta.into()));
    assert_eq!(zetas[1..], integers::<i32>(primitives("zetas")));
    let inverse = integers::<i64>(primitives("inv_zetas"));
    let mut used = Vec::new();
    for blocks in [128, 64, 32, 16, 8, 4, 2, 1] {
        used.extend((0..blocks).map(|i| -i64::from(zetas[2 * blocks - 1 - i])));
    }
    assert!(
        used.iter()
            .zip(&inverse)
            .all(|(used, inverse)| modulo(used - inverse) == 0)
    );
}

fn ntt<B: Backend>(backend: B, w: &[i32; N]) -> NttPoly<ZkField> {
    let mut w_hat = NttPoly::ZERO;
    backend.ntt(&Poly::new(*w), &mut w_hat);
    w_hat
}

/// NTT⁻¹ without the core's factor of 2³².
fn inverse_ntt<B: Backend>(backend: B, w_hat: &[i32; N]) -> [i32; N] {
    let (mut one, mut product, mut w) = (NttPoly::ZERO, NttPoly::ZERO, Poly::ZERO);
    one.0 = [1; N];
    let mut reduced = NttPoly::<ZkField>::ZERO;
    reduced.0 = w_hat.map(|w| modulo(w.into()));
    backend.inner_product(&[reduced], &[one], &mut product);
    backend.inverse_ntt(&product, &mut w);
    w.0.map(|w| modulo(w.into()))
}

fn transforms<B: Backend>(backend: B) {
    for vector in list(primitives("ntt")) {
        let w = array(&vector["in"]);
        let w_hat = ntt(backend, &w).0.map(|w| modulo(w.into()));
        assert_eq!(
            w_hat[..],
            integers::<i32>(&vector["ntt"]),
            "{}",
            vector["name"]
        );
        assert_eq!(
            inverse_ntt(backend, &w)[..],
            integers::<i32>(&vector["inv_ntt"])
        );
        assert_eq!(
            inverse_ntt(backend, &w_hat),
            w.map(|w: i32| modulo(w.into()))
        );
    }
}

fn products<B: Backend>(backend: B) {
    let vector = primitives("poly_mul");
    let [a, b] = ["a", "b"].map(|name| ntt(backend, &array(&vector[name])));
    let mut reduced = NttPoly::<ZkField>::ZERO;
    reduced.0 = a.0.map(|a| modulo(a.into()));
    let (mut product, mut w) = (NttPoly::ZERO, Poly::ZERO);
    backend.inner_product(&[reduced], &[b], &mut product);
    backend.inverse_ntt(&product, &mut w);
    let expected = integers::<i32>(&vector["product_mod_x256_plus_1"]);
    assert_eq!(w.0.map(|w| modulo(w.into()))[..], expected);
}

/// a + b, a − b, ab and 1/a, by the operations that Poseidon has of them.
struct Arithmetic(u64, u64);

impl Kernel for Arithmetic {
    type Output = [u64; 3];
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> [u64; 3] {
        let (a, b) = (s.splat_word(self.0), s.splat_word(self.1));
        let q = s.splat_word(Q.into());
        let results = [
            s.add_words(a, b),
            s.sub_words(s.add_words(a, q), b),
            s.mul_words::<ZkField>(a, b),
        ];
        results.map(|result| {
            let mut words = [0; 8];
            s.store_words(result, &mut S::word_chunks_mut(&mut words)[0]);
            assert!(words[..S::WORDS].iter().all(|word| *word == words[0]));
            let factor = |word: u64| i128::from(word) * i128::from(S::RADIX);
            (factor(words[0]).rem_euclid(MODULUS.into())) as u64
        })
    }
}

/// All results times the radix, by which products are divided.
fn elements<B: Backend>(backend: B) {
    struct Radix;
    impl Kernel for Radix {
        type Output = i64;
        #[inline(always)]
        fn run<S: Simd>(self, _: S) -> i64 {
            S::RADIX
        }
    }
    let radix = backend.run(Radix);
    for vector in list(primitives("field")) {
        let number = |name: &str| vector[name].as_i64().unwrap();
        let (a, b) = (number("a"), number("b"));
        let [sum, difference, product] = backend.run(Arithmetic(a as u64, b as u64));
        let times_radix = |x: i64| (i128::from(x) * i128::from(radix)).rem_euclid(MODULUS.into());
        assert_eq!(i128::from(sum), times_radix(number("add")));
        assert_eq!(i128::from(difference), times_radix(number("sub")));
        assert_eq!(product as i64, number("mul"));
        let inverse = crate::poseidon::MDS_INVERSES.get((a - 1) as usize);
        assert!(inverse.is_none_or(|inverse| i64::from(*inverse) == number("inv_a")));
    }
}

fn packed<B: Backend>(backend: B, w: &[i32; N]) -> [u8; 3 * N] {
    let mut packed = [0; 3 * N];
    encode::pack_t(backend, &mut Poly::new(*w), &mut packed);
    packed
}

fn expand_a<B: Backend>(backend: B) {
    let vector = primitives("expand_a");
    let rho = bytes(&vector["rho"]).try_into().unwrap();
    let mut window = Zeroed::ZERO;
    let mut rows = Rows::<B>::with_len(backend, &rho, &mut window);
    for (i, digests) in list(&vector["packed_sha3_256"]).iter().enumerate() {
        let row = rows.next_row(HashAlongside::Nothing);
        for (a, expected) in row.iter().zip(list(digests)) {
            assert_eq!(digest(packed(backend, &a.0)), bytes(expected));
        }
        match i {
            0 => assert_eq!(row[0].0[..], integers::<i32>(&vector["A_0_0"])),
            1 => assert_eq!(row[2].0[..8], integers::<i32>(&vector["A_1_2_first8"])),
            3 => assert_eq!(row[3].0[248..], integers::<i32>(&vector["A_3_3_last8"])),
            _ => {}
        }
    }
}

fn expand_s<B: Backend>(backend: B) {
    let vector = primitives("expand_s");
    let rho_prime = bytes(&vector["rho_prime"]).try_into().unwrap();
    let mut s1 = Vector::<Poly<ZkField>, Rank<K>>::ZERO;
    let mut s2 = Vector::<Poly<ZkField>, Rank<K>>::ZERO;
    sample::expand_s::<ZkDilithium, B>(backend, &rho_prime, &mut s1, &mut s2);
    assert_eq!(s1.as_ref()[0].0[..], integers::<i32>(&vector["s1_0"]));
    assert_eq!(s2.as_ref()[3].0[..], integers::<i32>(&vector["s2_3"]));
    for (s, name) in [(&s1, "s1_packed"), (&s2, "s2_packed")] {
        let mut packed = Vec::new();
        for s in s.iter() {
            let mut bytes = [0; 96];
            bits::bit_pack(backend, 3, 2, s, &mut bytes);
            packed.extend(bytes);
        }
        assert_eq!(packed, bytes(&vector[name]));
    }
}

fn expand_mask<B: Backend>(backend: B) {
    for vector in list(primitives("expand_mask")) {
        let rho = bytes(&vector["rho2"]).try_into().unwrap();
        let nonce = vector["nonce"].as_u64().unwrap() as u16;
        let mut window = Zeroed::ZERO;
        let mut masks = Masks::<ZkDilithium, B>::new(backend, &rho, nonce, &mut window);
        let y = masks.next_mask();
        assert_eq!(y[0].0[..8], integers::<i32>(&vector["y0_first8"]));
        let mut packed = Vec::new();
        for y in &*y {
            let mut bytes = [0; 576];
            bits::bit_pack(backend, 18, 1 << 17, y, &mut bytes);
            packed.extend(bytes);
        }
        assert_eq!(digest(&packed), bytes(&vector["packed_sha3_256"]));
        if let Some(y0) = vector.get("y0") {
            assert_eq!(y[0].0[..], integers::<i32>(y0));
            assert_eq!(packed[..576], bytes(&vector["y0_packed"]));
        }
    }
}

fn balls<B: Backend>(backend: B) {
    let mut failures = 0;
    for vector in list(primitives("sample_in_ball")) {
        let mut c = Poly::new([7; N]);
        let sampled = sample_in_ball(backend, &array(&vector["c_tilde"]), &mut c);
        match &vector["c"] {
            Value::Null => failures += usize::from(sampled.is_none()),
            expected => {
                assert!(sampled.is_some());
                assert_eq!(c.0[..], integers::<i32>(expected));
                assert_eq!(c.0.iter().filter(|c| **c != 0).count(), ZkDilithium::TAU);
            }
        }
    }
    assert_eq!(failures, 4);
}

/// Those that fail beside those that do not, wherever they stand.
fn balls_side_by_side<B: Backend>(backend: B) {
    let vectors = list(primitives("sample_in_ball"));
    let c_tildes: Vec<[u32; C_TILDE]> = vectors.iter().map(|v| array(&v["c_tilde"])).collect();
    let count = backend.run(CountLanes);
    let mut lanes = StatesInLanes::ZERO;
    let mut sponges = Sponges::new(backend, &mut lanes);
    for first in 0..vectors.len() {
        let side_by_side: Vec<_> = (first..first + count).map(|i| i % vectors.len()).collect();
        let c_tilde: Vec<_> = side_by_side.iter().map(|i| c_tildes[*i]).collect();
        let mut balls = std::vec![Ball::ZERO; count];
        sponges.balls(&c_tilde, &mut balls);
        for (ball, i) in balls.iter().zip(side_by_side) {
            let (mut c, mut cycles) = (Poly::ZERO, ball.iter().enumerate());
            let placed = cycles.all(|(cycle, taken)| place(cycle, taken, &mut c).is_some());
            assert_eq!(placed, !vectors[i]["c"].is_null());
            if placed {
                assert_eq!(c.0[..], integers::<i32>(&vectors[i]["c"]));
            }
        }
    }
}

/// Every number that is taken for c, where it is just small enough and where it no longer is: f is
/// less than the largest multiple of n below q, and then f mod n is the place, or the signs.
#[test]
fn bounds_of_balls() {
    for cycle in 0..CYCLES {
        for at in 0..TAKEN {
            let i = 216 + 8 * cycle + at;
            let n = if at == 8 { 256 } else { i as u32 + 1 };
            let bound = Q - Q % n;
            for (f, fits) in [(bound - 1, true), (bound, false), (Q - 1, false)] {
                let (mut taken, mut c) = ([0; TAKEN], Poly::ZERO);
                taken[at] = f;
                let placed = place(cycle, &taken, &mut c).is_some();
                assert_eq!(placed, fits, "{f} mod {n}");
                if placed {
                    let (sign, last) = if at == 8 { (-1, 0) } else { (1, i) };
                    assert_eq!(c.0[last], sign, "{f} mod {n}");
                }
            }
        }
    }
}

/// By both representatives that the kernel takes.
fn decompose_of_all_z_q<B: Backend>(backend: B) {
    for vector in list(primitives("decompose")) {
        let number = |name: &str| vector[name].as_i64().unwrap() as i32;
        let (mut w, mut w1) = (Poly::new([number("r"); N]), BytePoly::ZERO);
        backend.decompose::<ZkDilithium>(&mut w, &mut w1);
        assert_eq!((w.0[17], i32::from(w1.0[17])), (number("r0"), number("r1")));
    }
    let mut hasher = Sha3_256::new();
    let mut buffer = Vec::new();
    for first in (0..ZkField::Q).step_by(N) {
        let r: [i32; N] = core::array::from_fn(|j| modulo(i64::from(first) + j as i64));
        let (mut w, mut w1) = (Poly::new(r), BytePoly::ZERO);
        backend.decompose::<ZkDilithium>(&mut w, &mut w1);
        let negative = r.map(|r| if r > 0 { r - ZkField::Q } else { r });
        let (mut again, mut again1) = (Poly::new(negative), BytePoly::ZERO);
        backend.decompose::<ZkDilithium>(&mut again, &mut again1);
        assert!(w.0 == again.0 && w1.0 == again1.0);
        let count = N.min((ZkField::Q - first) as usize);
        for (w0, w1) in w.0.iter().zip(&w1.0).take(count) {
            buffer.extend(w0.to_le_bytes());
            buffer.push(*w1);
        }
        hasher.update(&buffer);
        buffer.clear();
    }
    let expected = bytes(&primitives("decompose_exhaustive")["sha3_256"]);
    assert_eq!(hasher.finalize().to_vec(), expected);
}

fn packing<B: Backend>(backend: B) {
    for (name, width, upper) in [("pack_eta", 3, 2), ("pack_gamma1", 18, 1 << 17)] {
        for vector in list(primitives(name)) {
            let expected = bytes(&vector["packed"]);
            let coefficients: [i32; N] = array(&vector["coeffs"]);
            let mut packed = std::vec![0; 32 * width];
            let w = Poly::<ZkField>::new(coefficients);
            bits::bit_pack(backend, width, upper, &w, &mut packed);
            assert_eq!(packed, expected);
            let mut w = Poly::<ZkField>::ZERO;
            bits::bit_unpack(backend, width, upper, &packed, &mut w);
            assert_eq!(w.0, coefficients);
        }
    }
    for vector in list(primitives("pack_fes")) {
        let elements = integers::<i32>(&vector["fes"]);
        let expected = bytes(&vector["packed"]);
        // By both representatives.
        for w in [&elements, &centered(&elements)] {
            let mut padded = [0; N];
            padded[..w.len()].copy_from_slice(w);
            let packed = packed(backend, &padded);
            assert_eq!(packed[..expected.len()], expected);
            let mut back = Poly::ZERO;
            assert!(encode::unpack_t(backend, &packed, &mut back).is_some());
            assert_eq!(back.0[..elements.len()], elements);
        }
    }
    // q and what is above it, wherever it stands.
    for j in 0..N {
        for (element, fits) in [(Q - 1, true), (Q, false), ((1 << 24) - 1, false)] {
            let mut packed = [0; 3 * N];
            packed[3 * j..3 * j + 3].copy_from_slice(&element.to_le_bytes()[..3]);
            let mut room = Poly::ZERO;
            let unpacked = encode::unpack_t(backend, &packed, &mut room);
            assert_eq!(unpacked.is_some(), fits);
        }
    }
}
