//! Private keys in each form of PKCS#8, on the backend that the facade chooses.

use moissanite::keys::PrivateKeyForm;
use moissanite::{MlDsa44, SigningKey};

use crate::secret::Secret;
use crate::step::step;

pub(crate) fn run(secret: Secret) -> bool {
    let key = SigningKey::<MlDsa44>::from_seed(&secret.seed(0).into());
    [
        ("a document with a seed", PrivateKeyForm::Seed),
        ("a document with an expanded key", PrivateKeyForm::Expanded),
        ("a document with both", PrivateKeyForm::Both),
    ]
    .into_iter()
    .all(|(name, form)| {
        step(name);
        let Ok(document) = key.to_pkcs8(form) else {
            return false;
        };
        let read = SigningKey::<MlDsa44>::from_pkcs8(document.as_bytes());
        read.is_ok_and(|(_, found)| found == form)
    })
}
