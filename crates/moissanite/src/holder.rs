//! Large things, owned in a box or borrowed.

use core::ops::{Deref, DerefMut};

pub(crate) enum Holder<'a, T> {
    #[cfg(feature = "alloc")]
    Boxed(alloc::boxed::Box<T>),
    Borrowed(&'a mut T),
}

impl<T> Deref for Holder<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        match self {
            #[cfg(feature = "alloc")]
            Self::Boxed(held) => held,
            Self::Borrowed(held) => held,
        }
    }
}

impl<T> DerefMut for Holder<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        match self {
            #[cfg(feature = "alloc")]
            Self::Boxed(held) => held,
            Self::Borrowed(held) => held,
        }
    }
}
