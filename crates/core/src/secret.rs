//! Secrets, which are wiped when they are dropped, and become public only for a stated reason.

use core::ops::{Deref, DerefMut};

use moissanite_cpu::value_barrier;

/// A type with an all-zero value, which is its initial value and its value after wiping.
pub trait Zeroed: Sized {
    /// The all-zero value.
    const ZERO: Self;
}

macro_rules! zeroed_integers {
    ($($t:ty)*) => { $(impl Zeroed for $t { const ZERO: Self = 0; })* };
}
zeroed_integers!(u8 i8 i16 i32 u32 u64 usize);

impl<T: Zeroed, const LEN: usize> Zeroed for [T; LEN] {
    const ZERO: Self = [T::ZERO; LEN];
}

/// A value that must stay secret. It has no `Debug` and no `PartialEq`, and its memory is
/// overwritten with zeros when it is dropped.
#[derive(Clone)]
pub struct Secret<T: Zeroed>(T);

impl<T: Zeroed> Secret<T> {
    /// Takes ownership of `value`. If the caller keeps a copy, the caller must wipe it.
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

/// Memory with secrets that can be wiped without being dropped.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not memory for a private key",
    label = "not memory for a private key",
    note = "private keys are made in a box of, or a `&mut` to, the type of memory that their crate has \
            for them: `SigningKeySpace`, `PreparedSigningKeySpace` or `stream::Seeds`"
)]
pub trait Wipe {
    /// Overwrites the secrets with zeros, as dropping does.
    fn wipe(&mut self);
}

/// Memory with secrets, in a box or borrowed. A key is generated in this memory and stays there: a
/// move of this value moves only a pointer. The memory is wiped when this value is dropped.
pub struct Held<H: DerefMut<Target: Wipe>>(H);

impl<H: DerefMut<Target: Wipe>> Held<H> {
    /// Takes ownership of this memory.
    pub fn new(memory: H) -> Self {
        Self(memory)
    }
}

impl<H: DerefMut<Target: Wipe>> Deref for Held<H> {
    type Target = H::Target;
    fn deref(&self) -> &H::Target {
        &self.0
    }
}

impl<H: DerefMut<Target: Wipe>> DerefMut for Held<H> {
    fn deref_mut(&mut self) -> &mut H::Target {
        &mut self.0
    }
}

impl<H: DerefMut<Target: Wipe>> Drop for Held<H> {
    fn drop(&mut self) {
        self.0.wipe();
    }
}

/// Overwrites `values` with zeros.
#[inline]
pub fn wipe<T: Zeroed>(values: &mut [T]) {
    for value in &mut *values {
        *value = T::ZERO;
    }
    // The compiler must assume that the values are read here, so that it cannot remove the stores.
    zeroize::optimization_barrier(values);
}

/// Makes a value that depends on secrets public, for the reason `why`.
///
/// The reason is documentation only. In the constant-time check (feature `memcheck`), the memory of
/// the value is marked as defined. That check fails if a branch or an address depends on a secret
/// that was not declassified here. In an emulator (feature `replay`), the value is replaced by that
/// of the first of several runs with different secrets.
#[inline(always)]
pub fn declassify<T: Copy>(value: T, why: &str) -> T {
    let mut value = value;
    declassify_in_place(&mut value, why);
    value
}

/// [`declassify`] for a condition: returns whether `mask` is all ones. In: zero or all ones.
///
/// A condition on secrets stays a mask, computed without a comparison, until it may become public:
/// the compiler may turn an earlier comparison into a branch.
#[inline(always)]
pub fn declassify_mask(mask: i32, why: &str) -> bool {
    declassify(mask, why) != 0
}

/// All ones if x ≠ 0, else zero: for x ≠ 0, x or −x is negative.
#[inline(always)]
#[must_use]
pub fn nonzero_mask(x: u32) -> i32 {
    let x = x.cast_signed();
    value_barrier(value_barrier(x | x.wrapping_neg()) >> 31)
}

/// All ones if two byte strings of the same length differ, else zero.
#[inline(always)]
#[must_use]
pub fn difference_mask(a: &[u8], b: &[u8]) -> i32 {
    debug_assert_eq!(a.len(), b.len());
    let pairs = a.iter().zip(b);
    let difference = pairs.fold(0, |all, (a, b)| all | (a ^ b));
    nonzero_mask(difference.into())
}

/// [`declassify`] in place.
#[inline(always)]
pub fn declassify_in_place<T: ?Sized>(_value: &mut T, _why: &str) {
    #[cfg(feature = "memcheck")]
    moissanite_cpu::memcheck::unpoison(_value);
    #[cfg(feature = "replay")]
    moissanite_cpu::replay::public(_value);
}
