//! Every operation of one set, in every form, a hundred times: keys and messages are those of
//! kats/accumulated.json, so that all that is measured is checked against known answers too.

#![no_std]
#![no_main]

use core::fmt::Display;

use bench::{ENTRIES, Set, board, cost::measure, into, say};
use moissanite::MuBuilder;
use moissanite::stream::{Kept, PrivateKey, SigningKey, VerifyingKey};
use moissanite_core::{ParameterSet, secret::Zeroed};
use moissanite_keccak::{Reader, Shake128};

type PublicKey = <Set as ParameterSet>::PublicKey;
type Signature = <Set as ParameterSet>::Signature;

const ROUNDS: usize = 100;
/// In hexadecimal digits.
const DIGEST: &str = include_str!(concat!(env!("OUT_DIR"), "/accumulated"));

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    say!("{info}");
    board::exit(1)
}

#[cortex_m_rt::entry]
fn main() -> ! {
    board::start();
    let mut seeds = Shake128::new().squeeze();
    let mut all = Shake128::new();
    for _ in 0..ROUNDS {
        let (public_key, signature) = round(&read(&mut seeds));
        all.absorb(&public_key);
        all.absorb(&signature);
    }
    let digest = read(&mut all.squeeze());
    let digits = DIGEST.as_bytes().chunks(2).map(|byte| {
        let digit = |digit: u8| char::from(digit).to_digit(16).unwrap_or(0) as u8;
        16 * digit(byte[0]) + digit(byte[1])
    });
    assert!(digits.eq(digest), "not the known answers");
    say!("done");
    board::exit(0)
}

fn read(from: &mut Reader<168>) -> [u8; 32] {
    let mut bytes = [0; 32];
    from.read(&mut bytes);
    bytes
}

/// One key and its signature of the empty message.
fn round(seed: &[u8; 32]) -> (PublicKey, Signature) {
    let mut key = None;
    measure("stream, key from a seed", || {
        key = Some(SigningKey::<Set>::from_seed(seed));
        true
    });
    let Some(key) = key else { panic!() };
    let mut public_key = PublicKey::ZERO;
    let Ok(()) = key.write_public_key(into(&mut public_key));
    let mut signature = Signature::ZERO;
    sign("stream, sign, seed", &key, &mut signature);
    let mut verifying = VerifyingKey::from_bytes(&public_key).unwrap();
    verify("stream, verify", &mut verifying, &signature);

    let expanded = moissanite::SigningKey::<Set>::from_seed(seed).to_expanded_bytes();
    measure("stream, key from expanded bytes", || {
        SigningKey::<Set, _>::from_expanded_bytes(&expanded).is_ok()
    });
    let key = SigningKey::<Set, _>::from_expanded_bytes(&expanded).unwrap();
    signs_too("stream, sign, expanded key", &key, &signature);
    kept::<{ ENTRIES / 2 }>("half", seed, &expanded, &public_key, &signature);
    kept::<ENTRIES>("all", seed, &expanded, &public_key, &signature);
    #[cfg(feature = "whole")]
    whole(seed, &public_key, &signature);
    (public_key, signature)
}

/// With some or all entries of Â.
#[inline(never)]
fn kept<const N: usize>(
    part: &str,
    seed: &[u8; 32],
    expanded: &[u8],
    public_key: &PublicKey,
    signature: &Signature,
) {
    let mut kept = Kept::<N>::new();
    let key = SigningKey::<Set>::from_seed(seed).keep(&mut kept);
    signs_too(
        format_args!("stream, sign, seed, {part} of A kept"),
        &key,
        signature,
    );
    let key = SigningKey::<Set, _>::from_expanded_bytes(expanded).unwrap();
    let key = key.keep(&mut kept);
    signs_too(
        format_args!("stream, sign, expanded key, {part} of A kept"),
        &key,
        signature,
    );
    let mut key = VerifyingKey::from_bytes(public_key)
        .unwrap()
        .keep(&mut kept);
    verify(
        format_args!("stream, verify, {part} of A kept"),
        &mut key,
        signature,
    );
}

fn sign<K: PrivateKey<Set>>(
    name: impl Display,
    key: &SigningKey<'_, Set, K>,
    signature: &mut Signature,
) {
    measure(name, || {
        key.try_sign_pieces(b"", |_: &mut MuBuilder| (), into(signature))
            .is_ok()
    });
}

/// It has to be that signature.
fn signs_too<K: PrivateKey<Set>>(
    name: impl Display,
    key: &SigningKey<'_, Set, K>,
    signature: &Signature,
) {
    let mut again = Signature::ZERO;
    sign(name, key, &mut again);
    assert!(again == *signature, "another signature");
}

fn verify(name: impl Display, key: &mut VerifyingKey<'_, Set, &[u8]>, signature: &Signature) {
    measure(name, || {
        key.verify_pieces(b"", |_: &mut MuBuilder| (), signature)
            .is_ok()
    });
}

/// The types that have all of Â in memory at once.
#[cfg(feature = "whole")]
#[inline(never)]
fn whole(seed: &[u8; 32], public_key: &PublicKey, signature: &Signature) {
    use moissanite::{Signature, SigningKey, prelude::*};

    let mut key = None;
    measure("whole, key from a seed", || {
        key = Some(SigningKey::<Set>::from_seed(seed));
        true
    });
    let Some(key) = key else { panic!() };
    let mut made = None;
    measure("whole, sign", || {
        made = key.try_sign(b"").ok();
        made.is_some()
    });
    let same = made.as_ref().map(Signature::as_bytes) == Some(signature);
    assert!(
        same && key.verifying_key().as_bytes() == public_key,
        "another key or signature"
    );
    let Some(signature) = made else { panic!() };
    let key = key.verifying_key();
    measure("whole, verify", || key.verify(b"", &signature).is_ok());
}
