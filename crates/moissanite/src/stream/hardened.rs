//! Verification for boot loaders on machines that an attacker disturbs with glitches of clock or voltage, or
//! with pulses.
//!
//! [`VerifyingKey::verify_hardened`] computes the verdict twice from all inputs and returns it as two words,
//! which are complements of each other for a valid signature. The page `docs/faults.md` describes the faults
//! that it was tested with, and what it costs compared with [`VerifyingKey::verify_pieces`].
//!
//! The result is only as good as its use. `if verdict.is_accepted() { start() }` is one branch, which one fault
//! skips or inverts. A boot loader passes the address that it jumps to through [`Verdict::unlock`], and jumps to
//! the result:
//!
//! ```
//! use moissanite::stream::{VerifyingKey, hardened::Verdict};
//! use moissanite::{MlDsa44, MuBuilder};
//! # use moissanite::{InvalidKey, SigningKey, SysRng, prelude::*};
//! # fn stop() -> ! { std::process::exit(1) }
//! # fn jump(_: usize) {}
//!
//! /// Starts the image at an address if it comes from the vendor, and stops otherwise.
//! fn boot(vendor: &[u8], image: &[u8], signature: &[u8], entry: usize) -> Result<(), InvalidKey> {
//!     let mut vendor = VerifyingKey::<MlDsa44, _>::from_bytes(vendor)?;
//!     // This is called twice.
//!     let message = |message: &mut MuBuilder| message.update(image);
//!     let verdict = vendor.verify_hardened(b"firmware", message, signature);
//!     jump(verdict.unlock(entry, stop));
//!     Ok(())
//! }
//! # let key = SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
//! # let signature = key.with_context(b"firmware")?.try_sign(b"image")?;
//! # boot(key.verifying_key().as_ref(), b"image", signature.as_ref(), 0x0800_4000)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::fmt;
use core::hint::black_box;

use moissanite_core::secret::Zeroed;
use moissanite_core::stream::hardened::{self, ACCEPTED, REFUSED};
use moissanite_core::stream::matrix::Matrix;
use moissanite_core::stream::verify;
use moissanite_core::{Fips204, hash};

use super::verifying::{VerifyError, VerifyingKey};
use super::{Source, ZCache};
use crate::error::ContextTooLong;
use crate::mu::MuBuilder;

const FIRST: u32 = ACCEPTED[0];
const SECOND: u32 = ACCEPTED[1];

/// The result of [`VerifyingKey::verify_hardened`]: a word of each of its two runs.
///
/// For any other signature than a valid one, 16 bits of each word differ from those of an acceptance.
#[must_use]
pub struct Verdict {
    first: u32,
    second: u32,
    error: VerifyError,
}

impl Verdict {
    /// Returns `value` if the signature is valid, and calls `refuse` otherwise.
    ///
    /// Compares each word and then both, each with a branch to a call of `refuse`, and reads them again each
    /// time. If a fault jumps behind these branches, the result is not `value`: it is combined with the
    /// difference between the words and those of an acceptance, which has 16 bits or more. Use the result for
    /// what only a valid signature may do, for example as the address of the image's entry. `refuse` must not
    /// return, also not after a fault: it resets the machine, for example, and an endless loop follows.
    ///
    /// The words are overwritten, so that no acceptance stays in memory, which can survive a reset.
    #[inline(always)]
    #[must_use]
    pub fn unlock(mut self, value: usize, refuse: fn() -> !) -> usize {
        if black_box(&self).first != FIRST {
            refuse();
        }
        if black_box(&self).second != SECOND {
            refuse();
        }
        if black_box(&self).first ^ black_box(&self).second != FIRST ^ SECOND {
            refuse();
        }
        let difference = (black_box(&self).first ^ FIRST) | (black_box(&self).second ^ SECOND);
        (self.first, self.second) = (REFUSED, REFUSED);
        black_box(&mut self);
        value ^ difference as usize
    }

    /// Returns whether the signature is valid: for reports and tests. A branch on it is a single one.
    pub fn is_accepted(&self) -> bool {
        let words = black_box(self);
        words.first == FIRST && words.second == SECOND
    }

    /// Returns the reason of a refusal: for reports, as [`Self::is_accepted`].
    ///
    /// # Errors
    /// [`VerifyError`], unless the signature is valid. The runs can differ if there was a fault; this is
    /// [`VerifyError::Invalid`] unless a run could not be made.
    pub fn result(&self) -> Result<(), VerifyError> {
        if self.is_accepted() {
            Ok(())
        } else {
            Err(self.error)
        }
    }
}

impl fmt::Debug for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Verdict").field(&self.result()).finish()
    }
}

impl<P: Fips204, K: Source, R: ZCache<P>> VerifyingKey<'_, P, K, R> {
    /// Verifies as [`Self::verify_pieces`] does, twice, for machines that an attacker disturbs; see
    /// [the module](self).
    ///
    /// `message` is called twice and must pass the same message each time. It reads the message from its
    /// memory each time, and so do the runs with the key and the signature; none of them may be a copy of the
    /// other run.
    pub fn verify_hardened(
        &mut self,
        context: &[u8],
        message: impl Fn(&mut MuBuilder),
        mut signature: &[u8],
    ) -> Verdict {
        let mut verdict = Verdict::refused();
        if signature.len() == P::SIGNATURE_LEN {
            self.both(context, &message, &mut signature, &mut verdict);
        }
        verdict
    }

    /// The same as [`Self::verify_hardened`], for a signature of another source, which must have 2,420, 3,309
    /// or 4,627 bytes. If its bytes change while the method reads them again, the signature is refused; the
    /// two runs may read two signatures, which must both be valid.
    pub fn verify_hardened_source<S: Source>(
        &mut self,
        context: &[u8],
        message: impl Fn(&mut MuBuilder),
        mut signature: S,
    ) -> Verdict {
        let mut verdict = Verdict::refused();
        self.both(context, &message, &mut signature, &mut verdict);
        verdict
    }

    #[inline(always)]
    fn both<S: Source>(
        &mut self,
        context: &[u8],
        message: &impl Fn(&mut MuBuilder),
        signature: &mut S,
        verdict: &mut Verdict,
    ) {
        let error = &mut verdict.error;
        verdict.first = self.run(context, message, signature, black_box(FIRST), error);
        verdict.second = self.run(context, message, signature, black_box(SECOND), error);
    }

    /// Computes the word of one run. This is not inlined, so that the runs are the same code.
    #[inline(never)]
    fn run<S: Source>(
        &mut self,
        context: &[u8],
        message: &impl Fn(&mut MuBuilder),
        signature: &mut S,
        accepted: u32,
        failure: &mut VerifyError,
    ) -> u32 {
        let word = ContextTooLong::check(context)
            .map_err(VerifyError::from)
            .and_then(|()| self.tr())
            .and_then(|tr| {
                let mut mu = MuBuilder(hash::MuBuilder::empty());
                mu.0.start(&tr);
                mu.0.pure(context);
                message(&mut mu);
                self.word(&tr, mu.0.commit(), signature, accepted)
            });
        word.unwrap_or_else(|error| {
            *failure = error;
            REFUSED
        })
    }

    /// This is not inlined, so that its polynomials are not on the stack while a message is hashed.
    #[inline(never)]
    fn word<S: Source>(
        &mut self,
        tr: &[u8; 64],
        xof: &mut hash::Shake256,
        signature: &mut S,
        accepted: u32,
    ) -> Result<u32, VerifyError> {
        let a_hat = Matrix::<P>::new(&self.rho).with(self.kept);
        let mut scratch = verify::Scratch::<P, R>::ZERO;
        let key = &mut self.key;
        hardened::verify(&a_hat, tr, key, xof, signature, &mut scratch, accepted)
            .map_err(|_| VerifyError::Read)
    }
}

impl Verdict {
    /// Returns the refusal of both runs. It is written to memory, so that no skipped store leaves a previous
    /// verdict there.
    #[inline(always)]
    fn refused() -> Self {
        let mut verdict = Self {
            first: REFUSED,
            second: REFUSED,
            error: VerifyError::Invalid,
        };
        black_box(&mut verdict);
        verdict
    }
}
