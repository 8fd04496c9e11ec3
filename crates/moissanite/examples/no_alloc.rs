//! Keys and signatures without a heap.
//!
//! The functions below `main` need a heap only for the error of `sign_in_pieces`. A device can use
//! them unchanged, with `default-features = false` and the random number generator of its chip.

use std::error::Error;

use moissanite::rand_core::TryCryptoRng;
use moissanite::{InvalidKey, MlDsa44, Seed, SigningError, SigningKeyIn, SigningKeySpace, SysRng};
use moissanite::{MuBuilder, prelude::*, signature, stream};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    key_in_memory_of_the_caller(&mut SysRng)?;

    let mut seed = Seed::zero();
    seed.try_fill(&mut SysRng)?;
    let mut signature = [0; 2420];
    sign_in_pieces(&seed, &mut signature)?;
    let key = moissanite::SigningKey::<MlDsa44>::from_seed(&seed);
    assert!(verify_in_pieces(
        key.verifying_key().as_bytes(),
        &signature
    )?);
    signature[100] ^= 1;
    assert!(!verify_in_pieces(
        key.verifying_key().as_bytes(),
        &signature
    )?);
    Ok(())
}

/// The key is made in `space` and wiped there at the end. `SigningKeySpace::new` is `const`, so that
/// it can also be a static.
fn key_in_memory_of_the_caller<R: TryCryptoRng>(rng: &mut R) -> Result<(), signature::Error> {
    let mut space = SigningKeySpace::<MlDsa44>::new();
    let key = SigningKeyIn::try_generate_in(&mut space, rng).map_err(|_| SigningError::Rng)?;
    let signature = key.try_sign_with_rng(rng, b"message")?;
    key.verifying_key().verify(b"message", &signature)
}

/// Signs with 6 KiB of stack. The pieces of the signature are written one after the other.
fn sign_in_pieces(seed: &Seed, signature: &mut [u8; 2420]) -> Result<(), Box<dyn Error>> {
    let mut seeds = stream::Seeds::new();
    let key = stream::SigningKey::<MlDsa44, _>::from_seed_in(&mut seeds, seed);
    let message = |message: &mut MuBuilder| {
        message.update(b"a message ");
        message.update(b"in parts");
    };
    let mut rest = &mut signature[..];
    key.try_sign_pieces(b"", message, |piece| {
        let (head, tail) = std::mem::take(&mut rest)
            .split_at_mut_checked(piece.len())
            .ok_or("the signature is longer than its memory")?;
        head.copy_from_slice(piece);
        rest = tail;
        Ok::<_, &str>(())
    })?;
    Ok(())
}

/// Verifies with 3 KiB of stack. The key and the signature are read in place.
fn verify_in_pieces(key: &[u8], signature: &[u8]) -> Result<bool, InvalidKey> {
    let mut key = stream::VerifyingKey::<MlDsa44, _>::from_bytes(key)?;
    let message = |message: &mut MuBuilder| message.update(b"a message in parts");
    Ok(key.verify_pieces(b"", message, signature).is_ok())
}
