//! Products of the challenge with a polynomial in pieces.

use super::Coefficients;
#[cfg(tiny)]
use super::compact as profile;
#[cfg(not(tiny))]
use super::fast as profile;
use super::pieces::CHUNK;
use crate::backend::Portable;
use crate::hash::Shake256;
use crate::params::ParameterSet;
use crate::sample::fill_ball;
use crate::secret::Zeroed;
use crate::shape::N;
use crate::simd::Simd;

/// The positions of the nonzero coefficients of the challenge c. They are public.
pub struct Challenge {
    /// The first τ entries are positions: those of the coefficients 1, then those of the
    /// coefficients −1.
    positions: [u8; MOST_TAU],
    /// The number of coefficients 1.
    plus: usize,
}

/// The largest τ.
const MOST_TAU: usize = 60;

impl Zeroed for Challenge {
    const ZERO: Self = Self {
        positions: [0; MOST_TAU],
        plus: 0,
    };
}

impl Challenge {
    /// FIPS 204, Algorithm 29 (SampleInBall). Afterwards, `room` contains c.
    #[inline(never)]
    pub(crate) fn sample<P: ParameterSet>(&mut self, c_tilde: &[u8], room: &mut Coefficients) {
        const { assert!(P::TAU <= MOST_TAU) };
        let mut xof = Shake256::new();
        xof.absorb(c_tilde);
        self.sample_from::<P>(&mut xof, room);
    }

    /// [`Self::sample`] with an XOF that has absorbed c̃.
    #[cfg_attr(tiny, inline(never))]
    #[cfg_attr(not(tiny), inline(always))]
    pub(crate) fn sample_from<P: ParameterSet>(
        &mut self,
        xof: &mut Shake256,
        room: &mut Coefficients,
    ) {
        fill_ball::<P>(profile::bytes(xof.squeeze_in_place()), room);
        let mut positions = self.positions.iter_mut();
        for sign in [1, -1] {
            self.plus = MOST_TAU - positions.len();
            for (place, c) in room.iter().enumerate() {
                if *c == sign
                    && let Some(position) = positions.next()
                {
                    *position = place as u8;
                }
            }
        }
    }

    /// out ← c · `one`.
    pub(crate) fn write<P: ParameterSet>(&self, one: i32, out: &mut Coefficients) {
        out.fill(0);
        for (places, minus) in self.places::<P>(0, P::TAU) {
            for place in places {
                out[usize::from(*place)] = if minus { -one } else { one };
            }
        }
    }

    /// Returns at most `most` of the positions, from number `first` on, and whether c is −1 there.
    #[inline(always)]
    fn places<P: ParameterSet>(&self, first: usize, most: usize) -> [(&[u8], bool); 2] {
        let end = P::TAU.min(first + most);
        let middle = self.plus.max(first).min(end);
        let [plus, minus] = [first..middle, middle..end];
        let places = |range| self.positions.get(range).unwrap_or_default();
        [(places(plus), false), (places(minus), true)]
    }

    /// acc ← acc + c · s X^at, for eight coefficients of s. Each is added at τ positions, all of
    /// which are public. In: sums that fit in 32 bits.
    #[inline(never)]
    pub(crate) fn add_product<P: ParameterSet>(
        &self,
        acc: &mut Coefficients,
        at: usize,
        s: &[i32; CHUNK],
    ) {
        for (places, minus) in self.places::<P>(0, P::TAU) {
            for place in places {
                // X²⁵⁶ = −1.
                let place = at + usize::from(*place);
                let minus = minus ^ (place >= N);
                let (before, from) = acc.split_at_mut(place & (N - 1));
                if let Some(from) = from.first_chunk_mut::<CHUNK>() {
                    add(from, s, minus);
                } else {
                    add(from, s, minus);
                    add(before, s.get(from.len()..).unwrap_or_default(), !minus);
                }
            }
        }
    }

    /// Returns the number of terms between 0 and 2η whose sum always fits in a byte.
    #[cfg(not(tiny))]
    pub(crate) const fn terms<P: ParameterSet>() -> usize {
        const { assert!((2 * P::ETA).is_power_of_two()) };
        (u8::MAX >> (2 * P::ETA).ilog2()) as usize
    }

    /// [`Self::add_product`] in bytes, for s₁ or s₂: sums ← sums + c' · s X^at + η, where c' has
    /// [`Self::terms`] of the nonzero coefficients of c, from number `first` on. Eight bytes are
    /// added as one integer, and do not overflow into each other.
    #[cfg(not(tiny))]
    #[inline(never)]
    pub(crate) fn add_terms<P: ParameterSet>(
        &self,
        first: usize,
        sums: &mut [u8; N],
        at: usize,
        s: &[i32; CHUNK],
    ) {
        let eta = P::ETA as i32;
        let plus = u64::from_le_bytes(s.map(|s| Portable.add(eta, s) as u8));
        let minus = u64::from_le_bytes(s.map(|s| Portable.sub(eta, s) as u8));
        for (places, is_minus) in self.places::<P>(first, Self::terms::<P>()) {
            let (plus, minus) = if is_minus {
                (minus, plus)
            } else {
                (plus, minus)
            };
            for place in places {
                let place = at + usize::from(*place);
                let (term, wrapped) = if place >= N {
                    (minus, plus)
                } else {
                    (plus, minus)
                };
                let (before, from) = sums.split_at_mut(place & (N - 1));
                if let Some(sums) = from.first_chunk_mut() {
                    *sums = u64::from_le_bytes(*sums).wrapping_add(term).to_le_bytes();
                } else {
                    let wrapped = wrapped.to_le_bytes().into_iter().skip(from.len());
                    let terms = from.iter_mut().zip(term.to_le_bytes());
                    for (sum, term) in terms.chain(before.iter_mut().zip(wrapped)) {
                        *sum = sum.wrapping_add(term);
                    }
                }
            }
        }
    }
}

/// acc ← acc ± s, up to the shorter length.
#[inline(always)]
fn add(acc: &mut [i32], s: &[i32], minus: bool) {
    for (acc, s) in acc.iter_mut().zip(s) {
        *acc = if minus {
            Portable.sub(*acc, *s)
        } else {
            Portable.add(*acc, *s)
        };
    }
}
