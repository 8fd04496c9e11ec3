//! The operations of the core, each with its variables on the stack, on the best backend of the
//! CPU.

use moissanite_core::backend::{Backend, WithBackend};
use moissanite_core::keygen::InvalidPrivateKey;
use moissanite_core::prepared::{EncodedRows, RowScratch, SigningState, VerifyingState};
use moissanite_core::scrub::scrubbed_on;
use moissanite_core::secret::Zeroed;
use moissanite_core::sign::Rnd;
use moissanite_core::verify::MessageRepresentative;
use moissanite_core::{ParameterSet, keygen, sign, verify};

use crate::error::SigningError;

/// Generates the key of ξ.
pub(crate) struct Generate<'a, P: ParameterSet> {
    pub(crate) xi: &'a [u8; 32],
    pub(crate) pk: &'a mut P::PublicKey,
    pub(crate) sk: &'a mut P::PrivateKey,
}
impl<P: ParameterSet> WithBackend for Generate<'_, P> {
    type Output = ();
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) {
        let mut scratch = keygen::Scratch::<P, B>::ZERO;
        scrubbed_on(backend, || {
            keygen::keygen_internal::<P, B>(backend, self.xi, self.pk, self.sk, &mut scratch);
        });
    }
}

/// Checks a private key and computes its public key.
pub(crate) struct Check<'a, P: ParameterSet> {
    pub(crate) sk: &'a P::PrivateKey,
    pub(crate) pk: &'a mut P::PublicKey,
}
impl<P: ParameterSet> WithBackend for Check<'_, P> {
    type Output = Result<(), InvalidPrivateKey>;
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) -> Self::Output {
        let mut scratch = keygen::Scratch::<P, B>::ZERO;
        scrubbed_on(backend, || {
            keygen::check_private_key::<P, B>(backend, self.sk, self.pk, &mut scratch)
        })
    }
}

/// Signs μ with a private key in bytes, whose ranges have been checked.
pub(crate) struct Sign<'a, P: ParameterSet> {
    pub(crate) sk: &'a P::PrivateKey,
    pub(crate) mu: &'a [u8; 64],
    pub(crate) rnd: Rnd<'a>,
    pub(crate) sigma: &'a mut P::Signature,
}
impl<P: ParameterSet> WithBackend for Sign<'_, P> {
    type Output = Result<(), SigningError>;
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) -> Self::Output {
        let Self { sk, mu, rnd, sigma } = self;
        // These are up to 72 KiB, which is too much for threads with small stacks.
        #[cfg(feature = "alloc")]
        let mut key = alloc::boxed::Box::<SigningState<P>>::default();
        #[cfg(not(feature = "alloc"))]
        let mut key = SigningState::<P>::ZERO;
        if scrubbed_on(backend, || key.set(backend, sk)).is_err() {
            return Err(SigningError::Fault);
        }
        SignPrepared {
            key: &key,
            mu,
            rnd,
            sigma,
        }
        .call(backend)
    }
}

/// Signs μ with a prepared key.
pub(crate) struct SignPrepared<'a, P: ParameterSet> {
    pub(crate) key: &'a SigningState<P>,
    pub(crate) mu: &'a [u8; 64],
    pub(crate) rnd: Rnd<'a>,
    pub(crate) sigma: &'a mut P::Signature,
}
impl<P: ParameterSet> WithBackend for SignPrepared<'_, P> {
    type Output = Result<(), SigningError>;
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) -> Self::Output {
        let Self {
            key,
            mu,
            rnd,
            sigma,
        } = self;
        let mut scratch = sign::Scratch::<P, B>::ZERO;
        let attempts = sign::MAX_ATTEMPTS;
        scrubbed_on(backend, || {
            sign::sign_mu(backend, key, mu, rnd, attempts, &mut scratch, sigma)
        })
        .map_err(|_| SigningError::AttemptsExhausted)
    }
}

/// Verifies a signature with a public key in bytes.
pub(crate) struct Verify<'a, P: ParameterSet> {
    pub(crate) pk: &'a P::PublicKey,
    pub(crate) message: MessageRepresentative<'a>,
    pub(crate) sigma: &'a P::Signature,
}
impl<P: ParameterSet> WithBackend for Verify<'_, P> {
    type Output = bool;
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) -> bool {
        let mut room = RowScratch::ZERO;
        let rows = EncodedRows::<P, B>::new(backend, self.pk, &mut room);
        let rows = if self.message.takes_tr() {
            rows.with_tr()
        } else {
            rows
        };
        let mut scratch = verify::Scratch::ZERO;
        verify::verify(backend, rows, self.message, self.sigma, &mut scratch)
    }
}

/// Checks the encoding of a signature without a key.
pub(crate) struct CheckForm<'a, P: ParameterSet>(pub(crate) &'a P::Signature);
impl<P: ParameterSet> WithBackend for CheckForm<'_, P> {
    type Output = bool;
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) -> bool {
        let mut scratch = verify::Scratch::<P>::ZERO;
        verify::is_well_formed(backend, self.0, &mut scratch)
    }
}

/// Verifies a signature with a prepared public key.
pub(crate) struct VerifyPrepared<'a, P: ParameterSet> {
    pub(crate) key: &'a VerifyingState<P>,
    pub(crate) message: MessageRepresentative<'a>,
    pub(crate) sigma: &'a P::Signature,
}
impl<P: ParameterSet> WithBackend for VerifyPrepared<'_, P> {
    type Output = bool;
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) -> bool {
        let rows = self.key.rows();
        let mut scratch = verify::Scratch::ZERO;
        verify::verify(backend, rows, self.message, self.sigma, &mut scratch)
    }
}

/// Decodes a private key and returns whether its coefficients are in range.
pub(crate) struct PrepareSigning<'a, P: ParameterSet> {
    pub(crate) sk: &'a P::PrivateKey,
    pub(crate) key: &'a mut SigningState<P>,
}
impl<P: ParameterSet> WithBackend for PrepareSigning<'_, P> {
    type Output = bool;
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) -> bool {
        scrubbed_on(backend, || self.key.set(backend, self.sk)).is_ok()
    }
}

/// Decodes a public key.
pub(crate) struct PrepareVerifying<'a, P: ParameterSet> {
    pub(crate) pk: &'a P::PublicKey,
    pub(crate) key: &'a mut VerifyingState<P>,
}
impl<P: ParameterSet> WithBackend for PrepareVerifying<'_, P> {
    type Output = ();
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) {
        self.key.set(backend, self.pk);
    }
}

/// Returns whether the coefficients of s₁ and s₂ are in range.
#[cfg(feature = "hazmat")]
pub(crate) struct CheckRanges<'a, P: ParameterSet> {
    pub(crate) sk: &'a P::PrivateKey,
}
#[cfg(feature = "hazmat")]
impl<P: ParameterSet> WithBackend for CheckRanges<'_, P> {
    type Output = bool;
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) -> bool {
        let check = || moissanite_core::encode::keys::check_ranges::<P, B>(backend, self.sk);
        scrubbed_on(backend, check).is_ok()
    }
}
