//! The constants, the permutation and the sponge.

use std::vec::Vec;

use moissanite_core::backend::{Backend, Portable};
use moissanite_core::secret::Zeroed;

use super::{array, bytes, integers, list, primitives};
use crate::params::Q;
use crate::poseidon::arithmetic::MAX_STATES;
use crate::poseidon::permutation::Permute;
use crate::poseidon::states_in_lanes::{CountLanes, PermuteLanes, StatesInLanes};
use crate::poseidon::{
    MDS_INVERSES, ROUND_CONSTANTS, Sponge, WIDTH, bytes_to_elements, permute, reduce,
};

on_every_backend! { permutation zeros_everywhere states_side_by_side sponge }

#[test]
fn constants() {
    let grain = integers::<u32>(&primitives("grain")["first_10_field_elements"]);
    assert_eq!(ROUND_CONSTANTS[0][..10], grain);
    assert_eq!(
        ROUND_CONSTANTS.as_flattened(),
        integers::<u32>(primitives("poseidon_round_constants"))
    );
    assert_eq!(
        MDS_INVERSES[..],
        integers::<u32>(primitives("poseidon_mds_inverses"))
    );
}

/// The permutation as it is written, from the given round on.
fn plain(state: &[u32; WIDTH], rounds: usize) -> [u32; WIDTH] {
    let q = u64::from(Q);
    let power = |x: u64| {
        (0..23).rev().fold(1, |power, bit| {
            let square = power * power % q;
            if (q - 2) >> bit & 1 == 1 {
                square * x % q
            } else {
                square
            }
        })
    };
    let mut state = state.map(u64::from);
    for constants in &ROUND_CONSTANTS[..rounds] {
        for (x, constant) in state.iter_mut().zip(constants) {
            *x = power((*x + u64::from(*constant)) % q);
        }
        state = core::array::from_fn(|i| {
            let row = state.iter().enumerate();
            row.map(|(j, x)| x * u64::from(MDS_INVERSES[i + j]))
                .sum::<u64>()
                % q
        });
    }
    state.map(|x| x as u32)
}

fn permutation<B: Backend>(backend: B) {
    for vector in list(primitives("poseidon_permutation")) {
        let mut state: [u32; WIDTH] = array(&vector["in"]);
        assert_eq!(
            plain(&state, 1)[..],
            integers::<u32>(&vector["after_round_0"])
        );
        assert_eq!(plain(&state, 21)[..], integers::<u32>(&vector["out"]));
        backend.run(Permute(&mut state));
        assert_eq!(
            state[..],
            integers::<u32>(&vector["out"]),
            "{}",
            vector["name"]
        );
    }
}

/// Every set of zeros in the S-box of the first round that is one element, all but one, or all,
/// and the ends of what the kernels take. One element is zero as q and as 2q: if it is not seen, the inverses
/// of all others are zero, too.
fn zeros_everywhere<B: Backend>(backend: B) {
    let zeros = ROUND_CONSTANTS[0].map(|constant| Q - constant);
    let check = |state: [u32; WIDTH]| {
        let mut permuted = state;
        backend.run(Permute(&mut permuted));
        assert_eq!(permuted, plain(&state, 21));
    };
    check(zeros);
    check(zeros.map(|x| x % Q + Q));
    check([2 * Q - 1; WIDTH]);
    for i in 0..WIDTH {
        let mut one = [1; WIDTH];
        for zero in [zeros[i], zeros[i] + Q] {
            one[i] = zero;
            check(one);
        }
        let mut all_but_one = zeros;
        all_but_one[i] += 1;
        check(all_but_one);
    }
}

/// Each lane has its own zeros.
fn states_side_by_side<B: Backend>(backend: B) {
    let zeros = ROUND_CONSTANTS[0].map(|constant| Q - constant);
    for round in 0..WIDTH {
        let states: [[u32; WIDTH]; MAX_STATES] = core::array::from_fn(|l| {
            core::array::from_fn(|i| match (i + l + round) % (l + 2) {
                0 => zeros[i],
                1 if round == 0 => 2 * Q - 1,
                _ => ((i * 7919 + l * 104_729 + round * 15_485_863) % Q as usize) as u32,
            })
        });
        let count = backend.run(CountLanes);
        let mut lanes = StatesInLanes::ZERO;
        for (l, state) in states.iter().enumerate().take(count) {
            for (i, element) in state.iter().enumerate() {
                lanes.state.as_flattened_mut()[i * count + l] = (*element).into();
            }
        }
        backend.run(PermuteLanes(&mut lanes));
        for (l, state) in states.iter().enumerate().take(count) {
            for (i, element) in plain(state, 21).into_iter().enumerate() {
                assert_eq!(
                    lanes.state.as_flattened()[i * count + l],
                    u64::from(element)
                );
            }
        }
    }
}

fn sponge<B: Backend>(backend: B) {
    for vector in list(primitives("poseidon_sponge")) {
        let (mut sponge, mut public) = (Sponge::new(), Sponge::new());
        for op in list(&vector["ops"]) {
            if let Some(elements) = op.get("write") {
                let elements = integers::<u32>(elements);
                sponge.write_on(backend, elements.iter().copied());
                public.write(elements);
            } else {
                assert_eq!(op["permute"], true);
                sponge.flush_on(backend);
                public.flush();
            }
        }
        let expected = integers::<u32>(&vector["out"]);
        assert_eq!(expected.len() as u64, vector["read"].as_u64().unwrap());
        let mut out = std::vec![0; expected.len()];
        // In two pieces, wherever they are cut.
        let (first, rest) = out.split_at_mut(expected.len() / 3);
        sponge.read_on(backend, first);
        sponge.read_on(backend, rest);
        assert_eq!(out, expected, "{}", vector["name"]);
        public.read(&mut out);
        assert_eq!(out, expected, "{}", vector["name"]);
    }
}

/// Around every multiple of q and of q − 1, from which the quotient is estimated.
#[test]
fn reduction() {
    let q = u64::from(Q);
    for multiple in (0..=(1 << 33) / (q - 1)).flat_map(|k| [k * q, k * (q - 1)]) {
        for x in multiple.saturating_sub(2)..(multiple + 3).min(1 << 33) {
            assert_eq!(u64::from(reduce(x)), x % q, "{x}");
        }
    }
}

/// What is not reduced is taken modulo q.
#[test]
fn any_integers() {
    let mut state = [u32::MAX; WIDTH];
    permute(&mut state);
    let mut reduced = [u32::MAX % Q; WIDTH];
    Portable.run(Permute(&mut reduced));
    assert_eq!(state, reduced);

    for x in [Q - 1, Q, Q + 1, 2 * Q, u32::MAX - 1, u32::MAX] {
        let (mut one, mut other) = (Sponge::new(), Sponge::new());
        one.write([x, x].into_iter().chain([x; 47]));
        other.write([x % Q; 49]);
        let mut out = [[0; 25]; 2];
        one.read(&mut out[0]);
        other.read(&mut out[1]);
        assert_eq!(out[0], out[1]);
    }
}

#[test]
fn elements_of_bytes() {
    for vector in list(primitives("bytes_to_fes")) {
        let elements: Vec<u32> = bytes_to_elements(bytes(&vector["bytes"])).collect();
        assert_eq!(elements, integers::<u32>(&vector["fes"]));
    }
}
