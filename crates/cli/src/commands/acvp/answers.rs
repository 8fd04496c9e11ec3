//! The operations that ACVP tests.

use moissanite::backend::{Backend as CoreBackend, WithBackend};
use moissanite::prehash::{PreHash, PreHashed};
use moissanite::{
    Fips204, MlDsa44, MlDsa65, MlDsa87, Mu, ParameterSet, Seed, Signature, SigningError,
    SigningKey, VerifyingKey,
};
use moissanite_core::hash::{MuBuilder, public_key_hash};

use crate::algorithm::ml_dsa::{Lattice, SignMu, VerifyMu, from_seed};
use crate::algorithm::scheme::SEED;
use crate::backend::Backend;
use crate::error::Error;
use crate::hash::{Hash, WithHash};
use crate::key_error::KeyError;

/// A private key as a prompt gives it.
pub(crate) enum PrivateInput {
    /// The expanded key, encoded by FIPS 204, Algorithm 24.
    Expanded(Vec<u8>),
    /// The seed ξ.
    Seed([u8; SEED]),
}

/// The source of the randomness of a signature.
pub(crate) enum Rnd {
    /// The operating system.
    Fresh,
    /// The prompt.
    Given([u8; 32]),
}

/// The signed input.
pub(crate) enum Input {
    /// The input of the external interface, with at most 255 bytes of context.
    Framed {
        /// M.
        message: Vec<u8>,
        /// ctx.
        context: Vec<u8>,
        /// PH, for HashML-DSA.
        hash: Option<Hash>,
    },
    /// M', the input of the internal interface.
    Internal(Vec<u8>),
    /// μ.
    Mu([u8; 64]),
}

/// An algorithm that ACVP tests.
pub(crate) trait Answers {
    /// Generates the public and the private key of a seed.
    fn key_gen(&self, backend: Backend, seed: &[u8; SEED]) -> Result<(Vec<u8>, Vec<u8>), Error>;
    /// Signs.
    fn sig_gen(
        &self,
        backend: Backend,
        key: &PrivateInput,
        input: &Input,
        rnd: Rnd,
    ) -> Result<Vec<u8>, Error>;
    /// Whether a signature is valid. A malformed key or signature is not valid.
    fn sig_ver(
        &self,
        backend: Backend,
        pk: &[u8],
        input: &Input,
        signature: &[u8],
    ) -> Result<bool, Error>;
}

/// The algorithms that ACVP tests, with their names there.
pub(crate) const TABLE: [(&str, &dyn Answers); 3] = [
    (MlDsa44::NAME, &Lattice::<MlDsa44>::NEW),
    (MlDsa65::NAME, &Lattice::<MlDsa65>::NEW),
    (MlDsa87::NAME, &Lattice::<MlDsa87>::NEW),
];

/// The answers of the algorithm of this name, if ACVP tests it.
pub(crate) fn of(name: &str) -> Option<&'static dyn Answers> {
    let found = TABLE.iter().find(|(known, _)| *known == name);
    found.map(|(_, answers)| *answers)
}

impl<P: Fips204> Answers for Lattice<P> {
    fn key_gen(&self, backend: Backend, seed: &[u8; SEED]) -> Result<(Vec<u8>, Vec<u8>), Error> {
        let key = from_seed::<P>(backend, &Seed::from_bytes(seed))?;
        let (pk, sk) = (key.verifying_key().as_bytes(), key.as_expanded_bytes());
        Ok((pk.as_ref().to_vec(), sk.as_ref().to_vec()))
    }

    fn sig_gen(
        &self,
        backend: Backend,
        key: &PrivateInput,
        input: &Input,
        rnd: Rnd,
    ) -> Result<Vec<u8>, Error> {
        let key = match key {
            PrivateInput::Seed(seed) => from_seed::<P>(backend, &Seed::from_bytes(seed))?,
            PrivateInput::Expanded(sk) => SigningKey::from_expanded_bytes(sk)
                .map_err(|error| Error::file("sk", KeyError::from(error)))?,
        };
        let mu = mu(key.verifying_key(), input)?;
        let (key, mu) = (&key, &mu);
        let signature = match rnd {
            Rnd::Fresh => backend.run(SignMu {
                key,
                mu,
                deterministic: false,
            })??,
            Rnd::Given(rnd) => backend.run(SignInternal { key, mu, rnd })??,
        };
        Ok(signature.as_bytes().as_ref().to_vec())
    }

    fn sig_ver(
        &self,
        backend: Backend,
        pk: &[u8],
        input: &Input,
        signature: &[u8],
    ) -> Result<bool, Error> {
        let key = VerifyingKey::<P>::from_bytes(pk);
        let signature = Signature::<P>::from_bytes(signature);
        let (Ok(key), Ok(signature)) = (key, signature) else {
            return Ok(false);
        };
        let mu = mu(&key, input)?;
        backend.run(VerifyMu {
            key: &key,
            mu: &mu,
            signature: &signature,
        })
    }
}

/// FIPS 204, Algorithm 7, line 6, with the framing of Algorithms 2 and 4.
fn mu<P: Fips204>(key: &VerifyingKey<P>, input: &Input) -> Result<Mu, Error> {
    let too_long = |error| Error::Usage(format!("{error}"));
    match input {
        Input::Mu(mu) => Ok(Mu::from_bytes(*mu)),
        Input::Internal(message) => {
            let mut mu: MuBuilder = MuBuilder::new(&public_key_hash(key.as_ref()));
            mu.update(message);
            Ok(Mu::from_bytes(mu.finish()))
        }
        Input::Framed {
            message,
            context,
            hash: None,
        } => {
            let mut mu = key.mu(context).map_err(too_long)?;
            mu.update(message);
            Ok(mu.finish())
        }
        Input::Framed {
            message,
            context,
            hash: Some(hash),
        } => {
            let key = key.with_context(context).map_err(too_long)?;
            Ok(hash.dispatch(DigestMu { key: &key, message }))
        }
    }
}

/// The operation of signing μ with given randomness.
struct SignInternal<'a, P: Fips204> {
    key: &'a SigningKey<P>,
    mu: &'a Mu,
    rnd: [u8; 32],
}
impl<P: Fips204> WithBackend for SignInternal<'_, P> {
    type Output = Result<Signature<P>, SigningError>;
    fn call<B: CoreBackend>(self, backend: B) -> Self::Output {
        self.key.on(backend).sign_mu_internal(self.mu, &self.rnd)
    }
}

struct DigestMu<'a, P: Fips204> {
    key: &'a moissanite::WithContext<'a, VerifyingKey<P>>,
    message: &'a [u8],
}
impl<P: Fips204> WithHash for DigestMu<'_, P> {
    type Output = Mu;
    fn call<H: PreHash>(self) -> Mu {
        let digest = PreHashed::<H>::of(&[self.message]);
        self.key.prehashed_mu_of_any_strength(&digest)
    }
}
