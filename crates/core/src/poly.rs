//! R_q, T_q and their vectors. This module contains the types, and no arithmetic.

use core::marker::PhantomData;

use crate::bounds::check;
use crate::secret::Zeroed;
use crate::shape::{Dim, N};

/// An element of R_q. The coefficients are signed integers, within the bounds that the kernels
/// state.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct Poly<F>(pub [i32; N], PhantomData<F>);

impl<F> Zeroed for Poly<F> {
    const ZERO: Self = Self::new([0; N]);
}

impl<F> Poly<F> {
    /// Creates a polynomial with these coefficients.
    pub const fn new(coefficients: [i32; N]) -> Self {
        Self(coefficients, PhantomData)
    }
}

/// Returns a checksum of coefficients, which detects a fault of the machine when they are computed
/// a second time. The checksum always differs if one coefficient differs, and in all but about one
/// of 2³² cases if several do. It is not a hash: coefficients with a given checksum are easy to
/// find. It must be kept as secret as the coefficients.
// This is not inlined, so that its variables are on the stack only while it runs.
#[inline(never)]
pub fn checksum(coefficients: &[i32; N]) -> u32 {
    const ODD: u32 = 0x9e37_79b1;
    let step = |sum: u32, next: u32| sum.wrapping_mul(ODD).wrapping_add(next);
    #[cfg(tiny)]
    return coefficients
        .iter()
        .fold(0, |sum, next| step(sum, next.cast_unsigned()));
    // Eight sums are computed in parallel, for vector units.
    #[cfg(not(tiny))]
    {
        let mut sums = [0; 8];
        for eight in coefficients.as_chunks::<8>().0 {
            for (sum, next) in sums.iter_mut().zip(eight) {
                *sum = step(*sum, *next as u32);
            }
        }
        sums.into_iter().fold(0, step)
    }
}

/// An element of T_q: the result of `Backend::ntt` for a [`Poly`].
#[derive(Clone)]
#[repr(C, align(64))]
pub struct NttPoly<F>(pub [i32; N], PhantomData<F>);

impl<F> Zeroed for NttPoly<F> {
    const ZERO: Self = Self([0; N], PhantomData);
}

/// A type for the coefficients of s₁ and s₂ (`i8`) and of t₀ (`i16`), and for sums of several of
/// them.
pub trait Small: Zeroed + Copy + Into<i32> {
    /// The largest sum.
    const MAX: usize;
    /// Returns the number of values up to `largest` whose sum fits, and at least one.
    #[inline(always)]
    fn fitting(largest: usize) -> usize {
        let fitting = Self::MAX.checked_div(largest);
        fitting.unwrap_or(1).max(1)
    }
    /// Returns the low bits of x.
    fn cut(x: i32) -> Self;
    /// Returns the low bits of a + b.
    #[must_use]
    fn wrapping_add(self, b: Self) -> Self;
}
impl Small for i8 {
    const MAX: usize = 127;
    #[inline(always)]
    fn cut(x: i32) -> Self {
        x as Self
    }
    #[inline(always)]
    fn wrapping_add(self, b: Self) -> Self {
        self.wrapping_add(b)
    }
}
impl Small for i16 {
    const MAX: usize = 32_767;
    #[inline(always)]
    fn cut(x: i32) -> Self {
        x as Self
    }
    #[inline(always)]
    fn wrapping_add(self, b: Self) -> Self {
        self.wrapping_add(b)
    }
}

/// A polynomial s of small coefficients, in a layout for sums of its rotations: −s followed by s,
/// so that the 256 values from index 256 − k on are X^k · s modulo X²⁵⁶ + 1.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct Rotations<T>(pub [[T; N]; 2]);

impl<T: Small> Zeroed for Rotations<T> {
    const ZERO: Self = Self([[T::ZERO; N]; 2]);
}

impl<T: Small> Rotations<T> {
    /// Copies the coefficients of `s`. Each coefficient and its negative must fit in `T`.
    pub fn set<F>(&mut self, s: &Poly<F>) {
        let [negated, same] = &mut self.0;
        for ((negated, same), s) in negated.iter_mut().zip(same).zip(&s.0) {
            let minus = s.wrapping_neg();
            check(|| T::cut(*s).into() == *s && T::cut(minus).into() == minus);
            (*negated, *same) = (T::cut(minus), T::cut(*s));
        }
    }
}

/// A polynomial with one byte for each coefficient, for high bits and hints.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct BytePoly(pub [u8; N]);

impl Zeroed for BytePoly {
    const ZERO: Self = Self([0; N]);
}

/// The challenge c: τ ≤ 64 coefficients are ±1, and the others 0. It is public.
#[derive(Clone)]
pub struct Challenge {
    positions: [u8; Self::MOST],
    plus: usize,
    minus: usize,
}

impl Challenge {
    /// An upper bound of τ.
    const MOST: usize = 64;

    /// Takes the positions of +1 and those of −1. If there are more than 64, only the first 64 are
    /// used.
    pub fn new(plus: &[i32], minus: &[i32]) -> Self {
        let mut positions = [0; Self::MOST];
        for (to, from) in positions.iter_mut().zip(plus.iter().chain(minus)) {
            *to = *from as u8;
        }
        let plus = plus.len().min(Self::MOST);
        let minus = minus.len().min(Self::MOST - plus);
        Self {
            positions,
            plus,
            minus,
        }
    }

    /// Returns the positions where c is +1.
    pub fn plus(&self) -> &[u8] {
        &self.positions[..self.plus.min(Self::MOST)]
    }
    /// Returns the positions where c is −1.
    pub fn minus(&self) -> &[u8] {
        let (_, minus) = self.positions.split_at(self.plus.min(Self::MOST));
        &minus[..self.minus.min(minus.len())]
    }
}

/// A vector of K or L elements.
#[derive(Clone)]
pub struct Vector<T: Zeroed, D: Dim>(D::Array<T>);

impl<T: Zeroed, D: Dim> Zeroed for Vector<T, D> {
    const ZERO: Self = Self(D::Array::<T>::ZERO);
}

impl<T: Zeroed, D: Dim> Vector<T, D> {
    /// Returns the elements in order.
    pub fn iter(&self) -> core::slice::Iter<'_, T> {
        self.0.as_ref().iter()
    }
    /// Returns the elements in order.
    pub fn iter_mut(&mut self) -> core::slice::IterMut<'_, T> {
        self.0.as_mut().iter_mut()
    }
}
impl<T: Zeroed, D: Dim> AsRef<[T]> for Vector<T, D> {
    fn as_ref(&self) -> &[T] {
        self.0.as_ref()
    }
}
impl<T: Zeroed, D: Dim> AsMut<[T]> for Vector<T, D> {
    fn as_mut(&mut self) -> &mut [T] {
        self.0.as_mut()
    }
}

/// Â: K rows of L elements.
pub type Matrix<F, K, L> = Vector<Vector<NttPoly<F>, L>, K>;
