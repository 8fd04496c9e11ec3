//! Keys and signatures as serde values, in a human-readable format (JSON) and in two binary formats
//! (CBOR, postcard).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Debug;

use moissanite::{
    Fips204, MlDsa44, MlDsa65, MlDsa87, Signature, SigningKey, VerifyingKey, prelude::*,
};
use serde::de::value::{BytesDeserializer, Error, SeqDeserializer, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Serialize};

const SEED: [u8; 32] = [42; 32];

fn key<P: Fips204>() -> SigningKey<P> {
    SigningKey::from_seed(&SEED.into())
}

fn expanded_key<P: Fips204>() -> SigningKey<P> {
    SigningKey::from_expanded_bytes(key::<P>().as_expanded_bytes().as_ref()).unwrap()
}

fn cbor<T: Serialize>(value: &T) -> Vec<u8> {
    let mut bytes = vec![];
    ciborium::into_writer(value, &mut bytes).unwrap();
    bytes
}

/// `value` is `bytes` in every format, and back.
fn every_format<T: Serialize + DeserializeOwned>(
    value: &T,
    bytes: &[u8],
    same: impl Fn(&T) -> bool,
) {
    let hex = hex::encode(bytes);
    let json = serde_json::to_string(value).unwrap();
    assert_eq!(json, format!("\"{hex}\""));
    assert!(same(&serde_json::from_str(&json).unwrap()));
    assert!(same(&serde_json::from_reader(json.as_bytes()).unwrap()));
    assert!(same(&serde_json::from_value(hex.clone().into()).unwrap()));
    assert!(same(&serde_json::from_str(&json.to_uppercase()).unwrap()));

    let written = cbor(value);
    // Its header: a byte string of one or two bytes of length.
    let header = if bytes.len() < 256 { 2 } else { 3 };
    assert_eq!(written.len(), bytes.len() + header);
    assert_eq!(&written[header..], bytes);
    assert!(same(&ciborium::from_reader(&written[..]).unwrap()));
    // As a list of numbers.
    let list = cbor(&bytes.to_vec());
    assert!(same(&ciborium::from_reader(&list[..]).unwrap()));

    let written = postcard::to_allocvec(value).unwrap();
    assert!(written.ends_with(bytes));
    assert!(same(&postcard::from_bytes(&written).unwrap()));

    // Borrowed bytes, and the values of formats without bytes.
    let deserializer = BytesDeserializer::<Error>::new(bytes);
    assert!(same(&T::deserialize(Binary(deserializer)).unwrap()));
}

/// A deserializer that says it is binary; those of `serde::de::value` do not.
struct Binary<D>(D);

impl<'de, D: serde::Deserializer<'de>> serde::Deserializer<'de> for Binary<D> {
    type Error = D::Error;
    fn deserialize_any<V: serde::de::Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }
    fn is_human_readable(&self) -> bool {
        false
    }
    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        option unit unit_struct newtype_struct seq tuple tuple_struct map struct enum
        identifier ignored_any
    }
}

fn roundtrips<P: Fips204>() {
    let key = key::<P>();
    let public = key.verifying_key();
    every_format(public, public.as_ref(), |read| read == public);
    let signature = key.try_sign(b"message").unwrap();
    every_format(&signature, signature.as_ref(), |read| *read == signature);
    every_format(&key, &SEED, |read| {
        read.verifying_key() == public && read.as_seed() == Some(&SEED.into())
    });
    let expanded = expanded_key::<P>();
    let bytes = expanded.as_expanded_bytes().as_ref();
    every_format(&expanded, bytes, |read| {
        read.verifying_key() == public
            && read.as_seed().is_none()
            && read.as_expanded_bytes().as_ref() == bytes
    });
}

#[test]
fn ml_dsa_44() {
    roundtrips::<MlDsa44>();
}
#[test]
fn ml_dsa_65() {
    roundtrips::<MlDsa65>();
}
#[test]
fn ml_dsa_87() {
    roundtrips::<MlDsa87>();
}

/// An invalid value gives an error of the format, which names the expected value.
fn refused<T: DeserializeOwned>(bytes: &[u8], text: &str) {
    let json = format!("\"{}\"", hex::encode(bytes));
    let Err(error) = serde_json::from_str::<T>(&json) else {
        unreachable!("{text}, in JSON")
    };
    assert!(error.to_string().contains(text), "{error}");
    for written in [
        cbor(&ciborium::Value::Bytes(bytes.to_vec())),
        cbor(&bytes.to_vec()),
    ] {
        let Err(error) = ciborium::from_reader::<T, _>(&written[..]) else {
            unreachable!("{text}, in CBOR")
        };
        assert!(format!("{error:?}").contains("Semantic"), "{error:?}");
    }
    let deserializer = SeqDeserializer::<_, Error>::new(bytes.iter().copied());
    assert!(T::deserialize(Binary(deserializer)).is_err());
}

#[test]
fn lengths() {
    for len in [0, 1, 1311, 1313, 1952] {
        let text = format!("invalid length {len}, expected a public key of 1312 bytes");
        refused::<VerifyingKey<MlDsa44>>(&vec![7; len], &text);
    }
    for len in [0, 2419, 2421, 3309] {
        let text = format!("invalid length {len}, expected a signature of 2420 bytes");
        refused::<Signature<MlDsa44>>(&vec![7; len], &text);
    }
    for len in [0, 1, 31, 33, 2559, 2561, 4032] {
        let expected = "a private key of 32 bytes (a seed) or 2560 bytes (expanded)";
        let text = format!("invalid length {len}, expected {expected}, as hex or as bytes");
        refused::<SigningKey<MlDsa44>>(&vec![0; len], &text);
    }
}

#[test]
fn an_expanded_key_is_checked() {
    let expanded = key::<MlDsa44>().to_expanded_bytes();
    for (at, text) in [
        (64, "tr of the key is not the hash of its public key"),
        (128, "a secret coefficient of the key is out of range"),
        (2559, "t0 of the key does not belong to its s1 and s2"),
    ] {
        let mut other = expanded;
        other[at] = if at == 128 { 0xff } else { other[at] ^ 1 };
        refused::<SigningKey<MlDsa44>>(&other, text);
    }
}

#[test]
fn text_that_is_not_hex() {
    let refused = |json: &str, text: &str| {
        let error = serde_json::from_str::<VerifyingKey<MlDsa44>>(json).unwrap_err();
        assert!(error.to_string().contains(text), "{error}");
    };
    let hex = hex::encode(key::<MlDsa44>().verifying_key().as_ref());
    let expected = "expected a public key of 1312 bytes, as hex or as bytes";
    let not_hex = format!("a character that is not a hex digit, {expected}");
    refused(&format!("\"g{}\"", &hex[1..]), &not_hex);
    refused(&format!("\" {}\"", &hex[1..]), &not_hex);
    let odd = format!("an odd number of hex digits, 2623, {expected}");
    refused(&format!("\"{}\"", &hex[1..]), &odd);
    refused("[1, 2]", expected);
    refused("7", expected);
    // No error contains the given value, which could be secret.
    let private = serde_json::from_str::<SigningKey<MlDsa44>>("\"c0ffeex\"").unwrap_err();
    assert!(!private.to_string().contains("c0ffee"), "{private}");
    let text = StrDeserializer::<Error>::new(&hex);
    VerifyingKey::<MlDsa44>::deserialize(text).unwrap();
}

/// As fields of a larger value, as programs use them.
#[test]
fn in_a_struct() {
    type Pair = (VerifyingKey<MlDsa65>, Signature<MlDsa65>);
    fn there_and_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
        let json = serde_json::to_string(value).unwrap();
        assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), value);
        assert_eq!(
            &ciborium::from_reader::<T, _>(&cbor(value)[..]).unwrap(),
            value
        );
        let written = postcard::to_allocvec(value).unwrap();
        assert_eq!(&postcard::from_bytes::<T>(&written).unwrap(), value);
    }
    let key = key::<MlDsa65>();
    let pair: Pair = (
        key.verifying_key().clone(),
        key.try_sign(b"message").unwrap(),
    );
    there_and_back(&vec![pair.clone(), pair]);
    let bytes: BytesDeserializer<'_, Error> = SEED[..].into_deserializer();
    SigningKey::<MlDsa65>::deserialize(Binary(bytes)).unwrap();
}
