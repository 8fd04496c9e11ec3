//! The operations, each with its variables on the stack or in a box, on the best backend of the CPU
//! or on an explicit one.

use moissanite_core::backend::{Backend, WithBackend};
use moissanite_core::scrub::scrubbed_on;
use moissanite_core::secret::Zeroed;

use crate::error::{InvalidKey, SigningError};
use crate::hash::{MessageHasher, MuBuilder};
use crate::params::{PRIVATE_KEY_LEN, PUBLIC_KEY_LEN, SIGNATURE_LEN};
use crate::prepared::{EncodedRows, RowScratch, SigningState, VerifyingState};
use crate::verify::Message;
use crate::{keygen, sign, verify};

/// Generates the key of a seed.
pub(crate) struct Generate<'a> {
    pub(crate) seed: &'a [u8; 32],
    pub(crate) pk: &'a mut [u8; PUBLIC_KEY_LEN],
    pub(crate) sk: &'a mut [u8; PRIVATE_KEY_LEN],
}
impl WithBackend for Generate<'_> {
    type Output = ();
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) {
        let mut scratch = keygen::Scratch::ZERO;
        scrubbed_on(backend, || {
            keygen::keygen(backend, self.seed, self.pk, self.sk, &mut scratch);
        });
    }
}

/// Checks a private key and computes its public key.
pub(crate) struct Check<'a> {
    pub(crate) sk: &'a [u8; PRIVATE_KEY_LEN],
    pub(crate) pk: &'a mut [u8; PUBLIC_KEY_LEN],
}
impl WithBackend for Check<'_> {
    type Output = Result<(), InvalidKey>;
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) -> Self::Output {
        let mut scratch = keygen::Scratch::ZERO;
        scrubbed_on(backend, || {
            keygen::check_private_key(backend, self.sk, self.pk, &mut scratch)
        })
    }
}

/// Decodes a private key.
pub(crate) struct PrepareSigning<'a> {
    pub(crate) sk: &'a [u8; PRIVATE_KEY_LEN],
    pub(crate) key: &'a mut SigningState,
}
impl WithBackend for PrepareSigning<'_> {
    type Output = Result<(), InvalidKey>;
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) -> Self::Output {
        scrubbed_on(backend, || self.key.set(backend, self.sk))
    }
}

/// Begins μ with tr.
pub(crate) struct StartMu<'a> {
    pub(crate) tr: &'a [u8; 32],
}
impl WithBackend for StartMu<'_> {
    type Output = MuBuilder;
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) -> MuBuilder {
        MuBuilder::new(backend, self.tr)
    }
}

/// Takes a piece of a message that is to be signed.
pub(crate) struct HashForSigning<'a> {
    pub(crate) hasher: &'a mut MessageHasher,
    pub(crate) piece: &'a [u8],
}
impl WithBackend for HashForSigning<'_> {
    type Output = ();
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) {
        self.hasher.update(backend, self.piece);
    }
}

/// Takes a piece of a message that is to be verified.
pub(crate) struct HashForVerifying<'a> {
    pub(crate) mu: &'a mut MuBuilder,
    pub(crate) piece: &'a [u8],
}
impl WithBackend for HashForVerifying<'_> {
    type Output = ();
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) {
        self.mu.update(backend, self.piece);
    }
}

/// Signs with a private key in bytes.
pub(crate) struct Sign<'a> {
    pub(crate) sk: &'a [u8; PRIVATE_KEY_LEN],
    pub(crate) message: &'a mut MessageHasher,
    pub(crate) sigma: &'a mut [u8; SIGNATURE_LEN],
}
impl WithBackend for Sign<'_> {
    type Output = Result<(), SigningError>;
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) -> Self::Output {
        let Self { sk, message, sigma } = self;
        #[cfg(feature = "alloc")]
        let mut key = alloc::boxed::Box::<SigningState>::default();
        #[cfg(not(feature = "alloc"))]
        let mut key = SigningState::ZERO;
        scrubbed_on(backend, || key.set(backend, sk)).map_err(|_| SigningError::Fault)?;
        SignPrepared {
            key: &key,
            message,
            sigma,
        }
        .call(backend)
    }
}

/// Signs with a prepared key.
pub(crate) struct SignPrepared<'a> {
    pub(crate) key: &'a SigningState,
    pub(crate) message: &'a mut MessageHasher,
    pub(crate) sigma: &'a mut [u8; SIGNATURE_LEN],
}
impl WithBackend for SignPrepared<'_> {
    type Output = Result<(), SigningError>;
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) -> Self::Output {
        // These are at most 90 KiB, which is too much for threads with small stacks.
        #[cfg(feature = "alloc")]
        let mut scratch = alloc::boxed::Box::<sign::Scratch<B>>::default();
        #[cfg(not(feature = "alloc"))]
        let mut scratch = sign::Scratch::<B>::ZERO;
        let attempts = sign::MAX_ATTEMPTS;
        scrubbed_on(backend, || {
            sign::sign(
                backend,
                self.key,
                self.message,
                attempts,
                &mut scratch,
                self.sigma,
            )
        })
    }
}

/// Decodes a public key.
pub(crate) struct PrepareVerifying<'a> {
    pub(crate) pk: &'a [u8; PUBLIC_KEY_LEN],
    pub(crate) key: &'a mut VerifyingState,
}
impl WithBackend for PrepareVerifying<'_> {
    type Output = ();
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) {
        self.key.set(backend, self.pk);
    }
}

/// Verifies a signature with a public key in bytes.
pub(crate) struct Verify<'a> {
    pub(crate) pk: &'a [u8; PUBLIC_KEY_LEN],
    pub(crate) message: Message<'a>,
    pub(crate) sigma: &'a [u8; SIGNATURE_LEN],
}
impl WithBackend for Verify<'_> {
    type Output = bool;
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) -> bool {
        let mut room = RowScratch::ZERO;
        let mut rows = EncodedRows::<B>::new(backend, self.pk, &mut room);
        let mut scratch = verify::Scratch::ZERO;
        verify::verify(backend, &mut rows, self.message, self.sigma, &mut scratch)
    }
}

/// Verifies a signature with a prepared public key.
pub(crate) struct VerifyPrepared<'a> {
    pub(crate) key: &'a VerifyingState,
    pub(crate) message: Message<'a>,
    pub(crate) sigma: &'a [u8; SIGNATURE_LEN],
}
impl WithBackend for VerifyPrepared<'_> {
    type Output = bool;
    #[inline(never)]
    fn call<B: Backend>(self, backend: B) -> bool {
        let mut scratch = verify::Scratch::ZERO;
        let mut rows = self.key.rows();
        verify::verify(backend, &mut rows, self.message, self.sigma, &mut scratch)
    }
}
