//! Memory in which a private key is made, and where it stays.

use crate::secret::{Secret, Wipe, Zeroed, wipe};
use crate::seed::Seed;
use crate::shape::Bytes;

/// A private key, its seed and its expanded form `E`, with its public key `V`; or nothing yet. It is
/// made in this memory, so that no copy is left elsewhere.
pub struct KeySpace<E: Zeroed, V> {
    state: State,
    seed: Seed,
    expanded: Secret<E>,
    verifying_key: V,
}

/// Which parts of a key there are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Empty,
    /// All but the seed.
    Expanded,
    /// All of it.
    Seed,
}

impl<E: Zeroed, V> KeySpace<E, V> {
    /// No key. `verifying_key` stands where the public key will be.
    pub const fn new(verifying_key: V) -> Self {
        Self {
            state: State::Empty,
            seed: Seed::zero(),
            expanded: Secret::ZERO,
            verifying_key,
        }
    }

    /// Whether there is a key.
    pub fn is_made(&self) -> bool {
        self.state != State::Empty
    }

    /// The seed, unless the key came in expanded form.
    pub fn seed(&self) -> Option<&Seed> {
        (self.state == State::Seed).then_some(&self.seed)
    }

    /// The expanded form.
    pub fn expanded(&self) -> &E {
        &self.expanded
    }

    /// The public key.
    pub fn verifying_key(&self) -> &V {
        &self.verifying_key
    }

    /// The seed, to be set; [`Self::parts_mut`] is then to be made of it.
    pub fn seed_mut(&mut self) -> &mut Seed {
        self.state = State::Seed;
        &mut self.seed
    }

    /// The seed, and the expanded form and the public key, to be made of it.
    pub fn parts_mut(&mut self) -> (&[u8; 32], &mut E, &mut V) {
        let Self {
            seed,
            expanded,
            verifying_key,
            ..
        } = self;
        (seed.as_bytes(), expanded, verifying_key)
    }
}

impl<E: Bytes, V: Clone> KeySpace<E, V> {
    /// Takes an expanded form from elsewhere, which `check` accepts and makes the public key of.
    ///
    /// # Errors
    /// That of `check`. There is no key then. Bytes of another length are a bug of the caller (a
    /// debug assertion), and no key.
    #[inline(always)]
    pub fn set_expanded<X>(
        &mut self,
        bytes: &[u8],
        check: impl FnOnce(&E, &mut V) -> Result<(), X>,
    ) -> Result<(), X> {
        self.state = State::Empty;
        let expanded = self.expanded.as_mut();
        debug_assert_eq!(expanded.len(), bytes.len());
        for (to, from) in expanded.iter_mut().zip(bytes) {
            *to = *from;
        }
        check(&self.expanded, &mut self.verifying_key)?;
        self.state = State::Expanded;
        Ok(())
    }

    /// Makes this a copy of another key.
    pub fn copy_from(&mut self, other: &Self) {
        self.state = other.state;
        self.seed.set(other.seed.as_bytes());
        self.expanded
            .as_mut()
            .copy_from_slice(other.expanded().as_ref());
        self.verifying_key.clone_from(&other.verifying_key);
    }
}

#[diagnostic::do_not_recommend]
impl<E: Zeroed, V> Wipe for KeySpace<E, V> {
    fn wipe(&mut self) {
        self.state = State::Empty;
        self.seed.wipe();
        wipe(core::slice::from_mut(&mut self.expanded));
    }
}
