//! A composite key, which includes Ed25519, on the backend that the facade chooses.

use moissanite_composite::pkcs8::{DecodePrivateKey, EncodePrivateKey};
use moissanite_composite::{MlDsa44Ed25519, SigningKey, prelude::*};

use crate::secret::{Hedge, Secret};
use crate::step::step;

pub(crate) fn run(secret: Secret) -> bool {
    step("key generation");
    let mut seed = [0; 64];
    seed[..32].copy_from_slice(&secret.seed(0));
    seed[32..].copy_from_slice(&secret.seed(1));
    let key = SigningKey::<MlDsa44Ed25519>::from_seed(&seed.into());

    step("a document");
    let read = key.to_pkcs8_der().and_then(|document| {
        Ok(SigningKey::<MlDsa44Ed25519>::from_pkcs8_der(
            document.as_bytes(),
        )?)
    });

    step("signing");
    let deterministic = key.try_sign(b"message");

    step("signing, hedged");
    let hedged = key.try_sign_with_rng(&mut Hedge(secret), b"message");
    read.is_ok() && deterministic.is_ok() && hedged.is_ok()
}
