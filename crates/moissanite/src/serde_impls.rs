//! Keys and signatures as serde values: lower-case hex in human-readable formats, and bytes in
//! other formats.
//!
//! A private key is serialized as its seed, or as its expanded form if it has no seed; the length
//! distinguishes the two. Deserialization checks a key like any other import.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;
use core::ops::DerefMut;

#[cfg(feature = "alloc")]
use moissanite_core::secret::Secret;
use moissanite_core::secret::{Zeroed, declassify};
use serde::de::{DeserializeSeed, Error, Expected, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use zeroize::Zeroizing;

use crate::sig::Signature;
#[cfg(feature = "alloc")]
use crate::signing::SigningKey;
use crate::signing::{SigningKeyIn, SigningKeySpace};
use crate::verifying::VerifyingKey;
use moissanite_core::ParameterSet;

/// Bytes that display as lower-case hex. No branch or address depends on them.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = Zeroizing::new([0; 64]);
        for bytes in self.0.chunks(32) {
            f.write_str(base16ct::lower::encode_str(bytes, &mut *digits).map_err(|_| fmt::Error)?)?;
        }
        Ok(())
    }
}

fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        serializer.collect_str(&Hex(bytes))
    } else {
        serializer.serialize_bytes(bytes)
    }
}

/// The number of bytes of a seed.
const SEED_LEN: usize = 32;

/// Memory for the bytes to deserialize. Any other number of bytes is an error.
struct Room<'a> {
    room: &'a mut [u8],
    /// The description of the expected value.
    what: &'static str,
    /// Whether the 32 bytes of a seed are also accepted.
    or_seed: bool,
}

impl<'a> Room<'a> {
    fn new(room: &'a mut [u8], what: &'static str) -> Self {
        let or_seed = false;
        Self {
            room,
            what,
            or_seed,
        }
    }

    fn check_length<E: Error>(&self, len: usize) -> Result<(), E> {
        let valid = len == self.room.len() || self.or_seed && len == SEED_LEN;
        valid
            .then_some(())
            .ok_or_else(|| E::invalid_length(len, self))
    }
}

impl<'a, 'de> DeserializeSeed<'de> for Room<'a> {
    type Value = &'a [u8];
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<&'a [u8], D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(self)
        } else {
            // Some formats provide at most 4 KiB as borrowed bytes.
            deserializer.deserialize_byte_buf(self)
        }
    }
}

impl<'a, 'de> Visitor<'de> for Room<'a> {
    type Value = &'a [u8];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, len) = (self.what, self.room.len());
        if self.or_seed {
            let seed = SEED_LEN;
            write!(
                f,
                "{what} of {seed} bytes (a seed) or {len} bytes (expanded)"
            )?;
        } else {
            write!(f, "{what} of {len} bytes")?;
        }
        f.write_str(", as hex or as bytes")
    }

    fn visit_str<E: Error>(self, hex: &str) -> Result<&'a [u8], E> {
        let (pairs, odd) = hex.as_bytes().as_chunks::<2>();
        if !odd.is_empty() {
            let (digits, expected) = (hex.len(), &self as &dyn Expected);
            return Err(E::custom(format_args!(
                "an odd number of hex digits, {digits}, expected {expected}"
            )));
        }
        self.check_length(pairs.len())?;
        let not_hex = base16ct::mixed::decode(hex, &mut *self.room).is_err();
        if declassify(not_hex, "the error tells whether a key is malformed") {
            let expected = &self as &dyn Expected;
            return Err(E::custom(format_args!(
                "a character that is not a hex digit, expected {expected}"
            )));
        }
        // The result of decoding may depend on its success.
        Ok(&self.room[..pairs.len()])
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<&'a [u8], E> {
        self.check_length(bytes.len())?;
        let filled = &mut self.room[..bytes.len()];
        filled.copy_from_slice(bytes);
        Ok(filled)
    }

    #[cfg(feature = "alloc")]
    fn visit_byte_buf<E: Error>(self, bytes: alloc::vec::Vec<u8>) -> Result<&'a [u8], E> {
        self.visit_bytes(&Zeroizing::new(bytes))
    }

    #[cfg(feature = "alloc")]
    fn visit_string<E: Error>(self, hex: alloc::string::String) -> Result<&'a [u8], E> {
        self.visit_str(&Zeroizing::new(hex))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<&'a [u8], A::Error> {
        let mut len = 0;
        while let Some(byte) = seq.next_element::<u8>()? {
            let Some(place) = self.room.get_mut(len) else {
                return Err(A::Error::invalid_length(len + 1, &self));
            };
            *place = byte;
            len += 1;
        }
        self.check_length(len)?;
        Ok(&self.room[..len])
    }
}

impl<P: ParameterSet> Serialize for VerifyingKey<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(self.as_ref(), serializer)
    }
}

impl<'de, P: ParameterSet> Deserialize<'de> for VerifyingKey<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut bytes = P::PublicKey::ZERO;
        let room = Room::new(bytes.as_mut(), "a public key");
        Self::from_bytes(room.deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl<P: ParameterSet> Serialize for Signature<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(self.as_ref(), serializer)
    }
}

impl<'de, P: ParameterSet> Deserialize<'de> for Signature<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut bytes = P::Signature::ZERO;
        let room = Room::new(bytes.as_mut(), "a signature");
        Self::from_bytes(room.deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// The seed, or the expanded key if there is no seed. The serialized form is as secret as the key;
/// the caller must protect and wipe it.
impl<P: ParameterSet, H: DerefMut<Target = SigningKeySpace<P>>> Serialize for SigningKeyIn<H> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_seed() {
            Some(seed) => serialize(seed.as_bytes(), serializer),
            None => serialize(self.as_expanded_bytes().as_ref(), serializer),
        }
    }
}

/// A seed or an expanded key, which the length distinguishes. It is checked as in
/// [`SigningKey::from_expanded_bytes`].
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(all(feature = "serde", feature = "alloc"))))]
impl<'de, P: ParameterSet> Deserialize<'de> for SigningKey<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut bytes = Secret::<P::PrivateKey>::ZERO;
        let room = Room {
            room: (*bytes).as_mut(),
            what: "a private key",
            or_seed: true,
        };
        let bytes = room.deserialize(deserializer)?;
        match bytes.try_into() {
            Ok(seed) => Ok(Self::from_seed_bytes_in(Box::default(), seed)),
            Err(_) => Self::from_expanded_bytes(bytes).map_err(D::Error::custom),
        }
    }
}
