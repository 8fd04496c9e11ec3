//! The keys of `moissanite` that the keys of this crate contain: in a box and prepared at their first use
//! with the feature `alloc`, and in place without it.

use moissanite::{SigningKeyIn, SigningKeySpace};

pub(crate) use self::memory::{Memory, Prepared, ReadySigningKey, ReadyVerifyingKey, copy};

/// A private key in its memory.
pub(crate) type PrivateKey<P> = SigningKeyIn<Memory<SigningKeySpace<P>>>;

#[cfg(feature = "alloc")]
mod memory {
    use alloc::boxed::Box;

    use moissanite::{Fips204, PreparedSigningKey, PreparedVerifyingKey, VerifyingKey};
    use once_cell::race::OnceBox;

    use super::PrivateKey;

    pub(crate) type Memory<T> = Box<T>;

    /// The private key that signs.
    pub(crate) type ReadySigningKey<P> = PreparedSigningKey<P>;
    /// The public key that verifies.
    pub(crate) type ReadyVerifyingKey<P> = PreparedVerifyingKey<P>;

    /// A key that is prepared at its first use, because many programs read or make keys that they do not
    /// use. If two threads use it first, both prepare it, and the key of one of them is dropped.
    pub(crate) struct Prepared<T>(OnceBox<T>);

    pub(crate) fn copy<P: Fips204>(key: &PrivateKey<P>) -> PrivateKey<P> {
        key.clone()
    }

    impl<T> Prepared<T> {
        pub(crate) const fn not_yet() -> Self {
            Self(OnceBox::new())
        }
    }

    impl<P: Fips204> Prepared<ReadySigningKey<P>> {
        pub(crate) fn signing_key<'a>(&'a self, key: &'a PrivateKey<P>) -> &'a ReadySigningKey<P> {
            self.0.get_or_init(|| Box::new(key.prepare()))
        }
    }

    impl<P: Fips204> Prepared<ReadyVerifyingKey<P>> {
        pub(crate) fn verifying_key<'a>(
            &'a self,
            key: &'a VerifyingKey<P>,
        ) -> &'a ReadyVerifyingKey<P> {
            self.0.get_or_init(|| Box::new(key.prepare()))
        }
    }
}

#[cfg(not(feature = "alloc"))]
mod memory {
    use core::marker::PhantomData;
    use core::ops::{Deref, DerefMut};

    use moissanite::{Fips204, SigningKeyIn, VerifyingKey};

    use super::{PrivateKey, infallible};

    /// Memory in the key itself.
    #[derive(Default)]
    pub(crate) struct Memory<T>(T);

    impl<T> Deref for Memory<T> {
        type Target = T;
        fn deref(&self) -> &T {
            &self.0
        }
    }
    impl<T> DerefMut for Memory<T> {
        fn deref_mut(&mut self) -> &mut T {
            &mut self.0
        }
    }

    /// Generates the key again, or reads it again if there is no seed: `moissanite` copies boxes only.
    pub(crate) fn copy<P: Fips204>(key: &PrivateKey<P>) -> PrivateKey<P> {
        let space = Memory::default();
        match key.as_seed() {
            Some(seed) => SigningKeyIn::from_seed_in(space, seed),
            None => {
                let bytes = key.as_expanded_bytes().as_ref();
                infallible(SigningKeyIn::from_expanded_bytes_in(space, bytes))
            }
        }
    }

    /// The private key that signs.
    pub(crate) type ReadySigningKey<P> = PrivateKey<P>;
    /// The public key that verifies.
    pub(crate) type ReadyVerifyingKey<P> = VerifyingKey<P>;

    /// Nothing: without a heap, a key is used as it is.
    pub(crate) struct Prepared<T>(PhantomData<T>);

    impl<T> Prepared<T> {
        pub(crate) const fn not_yet() -> Self {
            Self(PhantomData)
        }
    }

    impl<P: Fips204> Prepared<ReadySigningKey<P>> {
        pub(crate) fn signing_key<'a>(&'a self, key: &'a PrivateKey<P>) -> &'a ReadySigningKey<P> {
            key
        }
    }

    impl<P: Fips204> Prepared<ReadyVerifyingKey<P>> {
        pub(crate) fn verifying_key<'a>(
            &'a self,
            key: &'a VerifyingKey<P>,
        ) -> &'a ReadyVerifyingKey<P> {
            key
        }
    }
}

/// The value of a result that has no error: the types fix the length of its input, or the documentation of
/// the function names the panic, which the API leaves no other way to report.
#[track_caller]
#[allow(clippy::panic, reason = "the API has no error here")]
pub(crate) fn infallible<T, E: core::fmt::Display>(result: Result<T, E>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}
