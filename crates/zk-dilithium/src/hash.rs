//! The computation of μ, ρ'' and c̃, and the sponges of several attempts in parallel.

use moissanite_core::backend::Backend;
use moissanite_core::hash::{Shake256, h};
use moissanite_core::poly::BytePoly;
use moissanite_core::secret::{Secret, Zeroed};
use moissanite_core::shape::N;

use crate::params::{C_TILDE, K, MU};
use crate::poseidon::states_in_lanes::{CountLanes, PermuteLanes, StatesInLanes};
use crate::poseidon::{RATE, Sponge, bytes_to_elements};
use crate::sample_in_ball;

/// The elements before tr in the sponge of μ.
const DOMAIN: u32 = 0;

/// The computation of μ from a message in pieces of any lengths. It is as secret as the message.
#[derive(Clone)]
pub struct MuBuilder {
    sponge: Sponge,
    /// If `waits`, the first byte of an element, whose second byte is in the next piece or does not
    /// exist.
    first: Secret<u8>,
    waits: bool,
}

impl Zeroed for MuBuilder {
    const ZERO: Self = Self {
        sponge: Sponge::new(),
        first: Secret::ZERO,
        waits: false,
    };
}

impl MuBuilder {
    /// Returns the state after absorbing tr. Public.
    pub(crate) fn new<B: Backend>(backend: B, tr: &[u8; 32]) -> Self {
        let mut mu = Self::ZERO;
        mu.sponge.write_on(backend, [DOMAIN]);
        mu.sponge.write_on(backend, bytes_to_elements(*tr));
        mu.sponge.flush_on(backend);
        mu
    }

    /// Takes the next piece of the message.
    pub(crate) fn update<B: Backend>(&mut self, backend: B, mut piece: &[u8]) {
        if self.waits
            && let Some((second, rest)) = piece.split_first()
        {
            let element = bytes_to_elements([*self.first, *second]);
            self.sponge.write_on(backend, element);
            (self.waits, piece) = (false, rest);
        }
        let (pairs, last) = piece.as_chunks::<2>();
        let pairs = pairs.as_flattened().iter().copied();
        self.sponge.write_on(backend, bytes_to_elements(pairs));
        if let [last] = last {
            (*self.first, self.waits) = (*last, true);
        }
    }

    /// Ends the message.
    pub(crate) fn finish<B: Backend>(&mut self, backend: B) -> Secret<[u32; MU]> {
        let mut mu = Secret::new([0; MU]);
        let last = self.waits.then_some(*self.first);
        self.sponge.write_on(backend, bytes_to_elements(last));
        self.sponge.read_on(backend, &mut *mu);
        mu
    }
}

/// The two hashes of a message in signing: μ, and H(tr ‖ M, 64). They are as secret as the message.
pub struct MessageHasher {
    mu: MuBuilder,
    xof: Shake256,
}

impl MessageHasher {
    /// Begins with a μ that has absorbed tr.
    pub(crate) fn new(mu: MuBuilder, tr: &[u8; 32]) -> Self {
        let mut xof = Shake256::new();
        xof.absorb(tr);
        Self { mu, xof }
    }

    /// Takes the next piece of the message.
    pub(crate) fn update<B: Backend>(&mut self, backend: B, piece: &[u8]) {
        self.mu.update(backend, piece);
        self.xof.absorb(piece);
    }

    /// Ends the message and returns μ, and ρ'' = H(K ‖ H(tr ‖ M, 64), 64).
    pub(crate) fn finish<B: Backend>(
        &mut self,
        backend: B,
        k: &[u8; 32],
    ) -> (Secret<[u32; MU]>, Secret<[u8; 64]>) {
        let mut digest = Secret::new([0; 64]);
        self.xof.squeeze_in_place().read(&mut *digest);
        (self.mu.finish(backend), h(&[k, &*digest]))
    }
}

/// The order in which w₁ is absorbed: coefficient by coefficient.
fn coefficient_major(w1: &[BytePoly; K]) -> impl Iterator<Item = u32> {
    (0..N).flat_map(move |j| w1.iter().map(move |w1| w1.0[j].into()))
}

/// c̃ of μ and w₁.
pub(crate) fn commitment<B: Backend>(
    backend: B,
    mu: &[u32; MU],
    w1: &[BytePoly; K],
) -> [u32; C_TILDE] {
    let mut c_tilde = [0; C_TILDE];
    let mut sponge = Sponge::new();
    sponge.write_on(backend, *mu);
    sponge.write_on(backend, coefficient_major(w1));
    sponge.read_on(backend, &mut c_tilde);
    c_tilde
}

/// As many parallel sponges as a backend permutes states at once. They are secret, and their memory
/// belongs to the caller.
pub(crate) struct Sponges<'a, B> {
    backend: B,
    count: usize,
    lanes: &'a mut StatesInLanes,
}

impl<'a, B: Backend> Sponges<'a, B> {
    pub(crate) fn new(backend: B, lanes: &'a mut StatesInLanes) -> Self {
        Self {
            backend,
            count: backend.run(CountLanes),
            lanes,
        }
    }

    /// c̃ of μ and each w₁.
    pub(crate) fn commitments(
        &mut self,
        mu: &[u32; MU],
        w1: &[[BytePoly; K]],
        c_tilde: &mut [[u32; C_TILDE]],
    ) {
        self.start(*mu);
        self.permute();
        let mut at = 0;
        for j in 0..N {
            for i in 0..K {
                for (element, w1) in self.elements(at).iter_mut().zip(w1) {
                    *element = element.wrapping_add(w1[i].0[j].into());
                }
                at += 1;
                if at == RATE {
                    self.permute();
                    at = 0;
                }
            }
        }
        const { assert!(!(N * K).is_multiple_of(RATE)) };
        self.permute();
        for i in 0..C_TILDE {
            for (c_tilde, element) in c_tilde.iter_mut().zip(self.elements(i)) {
                c_tilde[i] = *element as u32;
            }
        }
    }

    /// The numbers that [`sample_in_ball::place`] takes for each c̃.
    pub(crate) fn balls(&mut self, c_tilde: &[[u32; C_TILDE]], balls: &mut [Ball]) {
        self.start([]);
        for (l, c_tilde) in c_tilde.iter().enumerate().take(self.count) {
            for (i, element) in sample_in_ball::absorbed(c_tilde).enumerate() {
                self.elements(i)[l] = element.into();
            }
        }
        for cycle in 0..sample_in_ball::CYCLES {
            self.permute();
            for i in 0..sample_in_ball::TAKEN {
                for (ball, element) in balls.iter_mut().zip(self.elements(i)) {
                    ball[cycle][i] = *element as u32;
                }
            }
        }
    }

    /// States that have absorbed these.
    fn start(&mut self, elements: impl IntoIterator<Item = u32>) {
        self.lanes.state = Zeroed::ZERO;
        for (i, element) in elements.into_iter().enumerate() {
            self.elements(i).fill(element.into());
        }
    }

    fn permute(&mut self) {
        self.backend.run(PermuteLanes(self.lanes));
    }

    /// Element `i` of each state.
    fn elements(&mut self, i: usize) -> &mut [u64] {
        &mut self.lanes.state.as_flattened_mut()[i * self.count..][..self.count]
    }
}

/// The results of the permutations for c.
pub(crate) type Ball = [[u32; sample_in_ball::TAKEN]; sample_in_ball::CYCLES];
