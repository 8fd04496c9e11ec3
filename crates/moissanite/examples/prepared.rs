//! A key that is used often is prepared once.
//!
//! A prepared key holds the matrix Â and more, in 26 to 75 KiB for a private key. Signatures are the
//! same, and take less time.

use std::error::Error;
use std::sync::Arc;
use std::thread;

use moissanite::{MlDsa65, SigningKey, SysRng, prelude::*};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
    let public_key = key.verifying_key().prepare();

    // Prepared keys do not change, so several threads can share one.
    let signer = Arc::new(key.prepare());
    let threads: Vec<_> = (0..4_u8)
        .map(|number| {
            let signer = Arc::clone(&signer);
            thread::spawn(move || signer.try_sign_with_rng(&mut SysRng, &[number]))
        })
        .collect();

    for (number, thread) in (0..4_u8).zip(threads) {
        let signature = thread.join().map_err(|_| "a thread panicked")??;
        public_key.verify(&[number], &signature)?;
    }

    // Without randomness, both forms of the key give the same bytes.
    assert_eq!(signer.try_sign(b"message")?, key.try_sign(b"message")?);
    Ok(())
}
