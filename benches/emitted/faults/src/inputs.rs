//! Invalid signatures, each with one flaw, and a valid one.

use anyhow::{Context, Result};
use serde_json::Value;

use crate::machine::INPUTS;

/// The inputs of a verification.
#[derive(Clone)]
pub(crate) struct Inputs {
    pub(crate) name: &'static str,
    key: Vec<u8>,
    signature: Vec<u8>,
    message: Vec<u8>,
}

/// Names of flaws, and the beginnings of the comments of their vectors in `kats/killers.json`.
const FLAWS: [(&str, &str); 5] = [
    ("c~", "c-tilde: byte 0 of c-tilde is changed"),
    (
        "z too long",
        "challenge: a signature that is made as by Algorithm 2, but without the check",
    ),
    (
        "order of the hint",
        "hint: the first two of three positions",
    ),
    ("rest of the hint", "hint: the byte after the last position"),
    (
        "count of the hint",
        "hint: the last count is omega + 1, with",
    ),
];
const VALID: &str = "challenge: a signature of Algorithm 2;";

impl Inputs {
    /// The valid inputs, and the invalid ones, for ML-DSA-44, -65 or -87.
    pub(crate) fn all(set: &str) -> Result<(Self, Vec<Self>)> {
        let vectors: Value = serde_json::from_str(include_str!("../../../../kats/killers.json"))?;
        let vectors = vectors.as_array().context("no sets")?;
        let vectors = vectors.iter().find(|vectors| vectors["algorithm"] == set);
        let vectors = vectors.with_context(|| format!("no vectors of {set}"))?;
        let valid = Self::find(vectors, "valid", VALID)?;
        let mut message = Self {
            name: "message",
            ..valid.clone()
        };
        message.message[0] ^= 1;
        // A bit of t1.
        let mut key = Self {
            name: "key",
            ..valid.clone()
        };
        key.key[100] ^= 1;
        let mut invalid = vec![message, key];
        for (name, comment) in FLAWS {
            invalid.push(Self::find(vectors, name, comment)?);
        }
        Ok((valid, invalid))
    }

    /// The same inputs with another bit of the end of the message: `number` is below 8.
    pub(crate) fn other_message(&self, number: usize) -> Self {
        let mut other = self.clone();
        if let Some(last) = other.message.last_mut() {
            *last ^= 0x80 >> number;
        }
        other
    }

    /// The same inputs with another byte of t₁'s first row.
    pub(crate) fn other_key(&self, number: usize) -> Self {
        let mut other = self.clone();
        other.key[101 + number] ^= 1;
        other
    }

    fn find(vectors: &Value, name: &'static str, comment: &str) -> Result<Self> {
        let groups = vectors["testGroups"].as_array().context("no groups")?;
        let tests = groups.iter().flat_map(|group| {
            let tests = group["tests"].as_array().into_iter().flatten();
            tests.map(move |test| (group, test))
        });
        let mut found = tests.filter(|(_, test)| {
            let text = test["comment"].as_str().unwrap_or_default();
            text.starts_with(comment)
        });
        let (group, test) = found
            .next()
            .with_context(|| format!("no vector: {comment}"))?;
        let bytes = |value: &Value| {
            let text = value.as_str().context("no bytes")?;
            hex::decode(text).context("not hexadecimal")
        };
        Ok(Self {
            name,
            key: bytes(&group["publicKey"])?,
            signature: bytes(&test["sig"])?,
            message: bytes(&test["msg"])?,
        })
    }

    /// The contents of flash from [`INPUTS`] on: three addresses, the length of the message, and the bytes.
    pub(crate) fn flash(&self) -> Vec<u8> {
        let mut at = INPUTS as u32 + 64;
        let (mut words, mut bytes) = (Vec::new(), Vec::<u8>::new());
        for part in [&self.key, &self.signature, &self.message] {
            words.extend(at.to_le_bytes());
            bytes.extend(part);
            at += part.len() as u32;
        }
        words.extend((self.message.len() as u32).to_le_bytes());
        words.resize(64, 0);
        words.extend(bytes);
        words
    }
}
