//! The facade's own code around the core: key formats, serde, deterministic and hedged signing.

use std::fmt;

use moissanite::keys::PrivateKeyForm;
use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87, SigningKey, prelude::*};
use moissanite_cpu::memcheck::{poison, unpoison};
use serde::de::IntoDeserializer;
use serde::de::value::{BytesDeserializer, Error, StrDeserializer};
use serde::{Deserialize, Serialize};

use crate::step::step_of;

/// The name of these steps in place of a backend's name.
const NAME: &str = "facade";

/// Runs all sets; returns whether keys and signatures are right.
pub(crate) fn run() -> bool {
    run_set::<MlDsa44>() && run_set::<MlDsa65>() && run_set::<MlDsa87>()
}

fn run_set<P: Fips204>() -> bool {
    let mut seed = [P::CATEGORY; 32];
    poison(&mut seed);
    let seed = seed.into();
    let key = step_of(P::NAME, NAME, "keygen", || {
        SigningKey::<P>::from_seed(&seed)
    });
    [
        PrivateKeyForm::Seed,
        PrivateKeyForm::Expanded,
        PrivateKeyForm::Both,
    ]
    .into_iter()
    .all(|form| reads_what_it_writes(&key, form))
        && reads_serde(&key)
        && signs(&key)
}

/// Writes and reads PKCS#8, which includes the comparison of seed and expanded key. The secrets in the
/// document remain marked as secret.
fn reads_what_it_writes<P: Fips204>(key: &SigningKey<P>, form: PrivateKeyForm) -> bool {
    let step = format!("PKCS#8, {form:?}");
    step_of(P::NAME, NAME, &step, || {
        let Ok(document) = key.to_pkcs8(form) else {
            return false;
        };
        let read = SigningKey::<P>::from_pkcs8(document.as_bytes());
        read.is_ok_and(|(read, found)| found == form && read.verifying_key() == key.verifying_key())
    })
}

/// A key in serde's human-readable form.
struct Text<'a, P: Fips204>(&'a SigningKey<P>);

impl<P: Fips204> fmt::Display for Text<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.serialize(f)
    }
}

/// Reads keys with serde's own deserializers, because those of other crates can branch on the text.
fn reads_serde<P: Fips204>(key: &SigningKey<P>) -> bool {
    let same = |read: Result<SigningKey<P>, Error>| {
        read.is_ok_and(|read| read.verifying_key() == key.verifying_key())
    };
    step_of(P::NAME, NAME, "serde", || {
        let text = Text(key).to_string();
        let hex: StrDeserializer<'_, Error> = text.as_str().into_deserializer();
        let expanded = key.as_expanded_bytes().as_ref();
        same(SigningKey::deserialize(hex))
            && same(SigningKey::deserialize(BytesDeserializer::new(expanded)))
    })
}

/// Signs secret messages through the traits, hedged and deterministic.
fn signs<P: Fips204>(key: &SigningKey<P>) -> bool {
    step_of(P::NAME, NAME, "signing", || {
        (0..6_u8).all(|number| {
            let mut message = [number; 40];
            poison(&mut message);
            let signature = match number & 1 {
                0 => key.try_sign(&message),
                _ => key.try_sign_with_rng(&mut Counter(number), &message),
            };
            unpoison(&mut message);
            let verified = |signature| key.verifying_key().verify(&message, &signature).is_ok();
            signature.is_ok_and(verified)
        })
    })
}

/// A generator whose bytes are secret.
pub(crate) struct Counter(pub(crate) u8);

impl rand_core::TryRng for Counter {
    type Error = core::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self.0 = self.0.wrapping_add(1);
        bytes.fill(self.0);
        poison(bytes);
        Ok(())
    }
}

impl rand_core::TryCryptoRng for Counter {}
