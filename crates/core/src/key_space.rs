//! Memory in which a private key is generated and stays.

use crate::secret::{Secret, Wipe, Zeroed, wipe};
use crate::seed::Seed;
use crate::shape::Bytes;

/// Memory for a private key, which consists of its seed and its expanded form `E`, and for its
/// public key `V`. It may be empty. The key is generated in this memory, so that no copy is left
/// elsewhere.
pub struct KeySpace<E: Zeroed, V> {
    state: State,
    seed: Seed,
    expanded: Secret<E>,
    verifying_key: V,
}

/// The parts of a key that are present.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Empty,
    /// All parts except the seed are present.
    Expanded,
    /// All parts are present.
    Seed,
}

impl<E: Zeroed, V> KeySpace<E, V> {
    /// Returns memory without a key. `verifying_key` is a placeholder for the public key.
    pub const fn new(verifying_key: V) -> Self {
        Self {
            state: State::Empty,
            seed: Seed::zero(),
            expanded: Secret::ZERO,
            verifying_key,
        }
    }

    /// Returns whether there is a key.
    pub fn is_made(&self) -> bool {
        self.state != State::Empty
    }

    /// Returns the seed, unless the key was imported in expanded form.
    pub fn seed(&self) -> Option<&Seed> {
        (self.state == State::Seed).then_some(&self.seed)
    }

    /// Returns the expanded form.
    pub fn expanded(&self) -> &E {
        &self.expanded
    }

    /// Returns the public key.
    pub fn verifying_key(&self) -> &V {
        &self.verifying_key
    }

    /// Returns the seed, which the caller must set. The caller must then compute the other parts,
    /// which [`Self::parts_mut`] returns.
    pub fn seed_mut(&mut self) -> &mut Seed {
        self.state = State::Seed;
        &mut self.seed
    }

    /// Returns the seed, and the expanded form and the public key, which the caller must compute
    /// from it.
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
    /// Copies an imported expanded form. `check` must accept it, and computes the public key from
    /// it.
    ///
    /// # Errors
    /// The error of `check`. There is then no key. If `bytes` has another length than a key, this
    /// is a bug of the caller, which a debug assertion reports; there is no key in this case
    /// either.
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
