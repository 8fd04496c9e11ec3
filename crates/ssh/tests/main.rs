//! Tests with files of OpenSSH 10.6, which `ssh-keygen` made for this crate, and with malformed ones.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may panic"
)]

mod allowed_signers;
mod private_keys;
mod properties;
mod public_keys;
mod signatures;

use std::sync::LazyLock;

use moissanite_ssh::{PrivateKey, PublicKey, Seed};
use serde_json::Value;

/// The files of `ssh-keygen`.
static OPENSSH: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(moissanite_kats::OPENSSH).unwrap());

/// Returns one of them by its path in `openssh.json`.
fn file(path: &str) -> &'static str {
    OPENSSH.pointer(path).and_then(Value::as_str).expect(path)
}

/// The private key of OpenSSH.
fn openssh() -> PrivateKey {
    PrivateKey::from_openssh(file("/private")).unwrap()
}

/// Another key.
fn other() -> PublicKey {
    let key = PrivateKey::from_seed(&Seed::from_bytes(&[1; 64]));
    key.public_key().clone()
}

/// Returns the bytes of a text in PEM.
fn bytes_of(pem: &str) -> Vec<u8> {
    let lines = pem.lines().filter(|line| !line.starts_with("-----"));
    decode(&lines.collect::<String>())
}

/// Returns bytes as PEM.
fn pem_of(label: &str, bytes: &[u8]) -> String {
    let text = encode(bytes);
    let lines: Vec<_> = text.as_bytes().chunks(70).collect();
    let lines = lines.iter().map(|line| std::str::from_utf8(line).unwrap());
    let lines: Vec<_> = lines.collect();
    format!(
        "-----BEGIN {label}-----\n{}\n-----END {label}-----\n",
        lines.join("\n")
    )
}

fn decode(text: &str) -> Vec<u8> {
    use base64ct::Encoding;
    base64ct::Base64::decode_vec(text).unwrap()
}

fn encode(bytes: &[u8]) -> String {
    use base64ct::Encoding;
    base64ct::Base64::encode_string(bytes)
}

/// Replaces a string of the SSH protocol, with its length, by another one.
fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let string = |text: &[u8]| [&(text.len() as u32).to_be_bytes()[..], text].concat();
    let (from, to) = (string(from), string(to));
    let at = bytes.windows(from.len()).position(|window| window == from);
    let at = at.expect("the string is there");
    [&bytes[..at], &to, &bytes[at + from.len()..]].concat()
}
