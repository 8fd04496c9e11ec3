//! zkDilithium on one backend.

use moissanite::backend::Backend;
use moissanite_zk_dilithium::{SigningKey, prelude::*};

use crate::runtime::step;
use crate::secret::Secret;

pub(crate) fn run<B: Backend>(backend: B, secret: Secret) -> bool {
    step("key generation");
    let key = SigningKey::from_seed_on(backend, &secret.seed(0).into());

    step("check of a private key");
    let checked = SigningKey::from_bytes(key.as_bytes()).is_ok();

    step("signing with a key in bytes");
    let signed = key.on(backend).try_sign(b"message");

    step("preparing");
    let prepared = key.prepare();

    step("signing with a prepared key");
    let deterministic = prepared.on(backend).try_sign(b"message");
    checked && signed.is_ok() && deterministic.is_ok()
}
