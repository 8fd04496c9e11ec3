//! zkDilithium, which hashes secret keys and messages with Poseidon.

use moissanite_core::backend::Backend;
use moissanite_cpu::memcheck::{poison, unpoison};
use moissanite_zk_dilithium::signature::Verifier as _;

use crate::step::step_of;

/// The number of signatures, each of which needs six or seven attempts.
const MESSAGES: u16 = 6;

/// Runs all operations; returns whether keys and signatures are right.
pub(crate) fn run<B: Backend>(backend: B) -> bool {
    const NAME: &str = "zkDilithium";
    let mut seed = [7; 32];
    poison(&mut seed);
    let seed = seed.into();
    let key = step_of(NAME, B::NAME, "keygen", || {
        moissanite_zk_dilithium::SigningKey::from_seed_on(backend, &seed)
    });
    // The secrets in the key remain marked as secret.
    let imported = step_of(NAME, B::NAME, "check of a private key", || {
        moissanite_zk_dilithium::SigningKey::from_bytes(key.as_bytes()).is_ok()
    });
    let prepared = step_of(NAME, B::NAME, "preparing", || key.prepare());
    let signed = step_of(NAME, B::NAME, "signing", || {
        (0..MESSAGES).all(|message| {
            let mut message = message.to_le_bytes();
            poison(&mut message);
            let signing_key = prepared.on(backend);
            let mut signer = signing_key.signer();
            // The first byte of each pair is stored until the second one arrives.
            for piece in message.chunks(1) {
                signer.update(piece);
            }
            let Ok(signature) = signer.try_sign() else {
                return false;
            };
            unpoison(&mut message);
            let key = key.verifying_key().on(backend);
            key.verify(&message, &signature).is_ok()
        })
    });
    imported && signed
}
