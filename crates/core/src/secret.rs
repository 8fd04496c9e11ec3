//! Secrets: wiped when they go, and made public only with a reason.

use core::ops::{Deref, DerefMut};

/// A type with an all-zero value, in which it starts and to which it is wiped.
pub trait Zeroed: Sized {
    /// All zero.
    const ZERO: Self;
}

macro_rules! zeroed_integers {
    ($($t:ty)*) => { $(impl Zeroed for $t { const ZERO: Self = 0; })* };
}
zeroed_integers!(u8 i8 i16 i32 u32 u64 usize);

impl<T: Zeroed, const LEN: usize> Zeroed for [T; LEN] {
    const ZERO: Self = [T::ZERO; LEN];
}

/// A value that must not leak: it has no `Debug` and no `PartialEq`, and its
/// memory is overwritten with zeros when it is dropped.
#[derive(Clone)]
pub struct Secret<T: Zeroed>(T);

impl<T: Zeroed> Secret<T> {
    /// Takes charge of `value`. The caller's own copy, if there is one, is his to wipe.
    pub const fn new(value: T) -> Self {
        Self(value)
    }
}

impl<T: Zeroed> Zeroed for Secret<T> {
    const ZERO: Self = Self(T::ZERO);
}

impl<T: Zeroed> Deref for Secret<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Zeroed> DerefMut for Secret<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Zeroed> Drop for Secret<T> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.0));
    }
}

/// Overwrites `values` with zeros.
#[inline]
pub fn wipe<T: Zeroed>(values: &mut [T]) {
    for value in &mut *values {
        *value = T::ZERO;
    }
    // The stores count as read here, so that they cannot be left out.
    zeroize::optimization_barrier(values);
}

/// Lets a value that depends on secrets become public, for the reason given.
///
/// The reason is for the reader. Under the constant-time run (feature
/// `memcheck`) the value's memory is marked as defined; everything that
/// depends on a secret and did not come this way makes that run fail when it
/// decides a branch or an address.
#[inline(always)]
pub fn declassify<T: Copy>(value: T, _why: &str) -> T {
    #[cfg(feature = "memcheck")]
    let value = {
        let mut value = value;
        moissanite_cpu::memcheck::unpoison(&mut value);
        value
    };
    value
}

/// [`declassify`], in place.
#[inline(always)]
pub fn declassify_in_place<T: ?Sized>(_value: &mut T, _why: &str) {
    #[cfg(feature = "memcheck")]
    moissanite_cpu::memcheck::unpoison(_value);
}
