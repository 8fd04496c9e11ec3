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

use moissanite_ssh::{PrivateKey, PublicKey, Seed};

/// Files of `ssh-keygen`. The passphrase of the encrypted ones is [`PASSPHRASE`], with two rounds.
const ID: &str = include_str!("openssh/id");
const ID_PUB: &str = include_str!("openssh/id.pub");
const FINGERPRINT: &str = "SHA256:BmRG80Ns6z0G3iVuDDRRhoG5+VLBKG76rLVrzkD9sS4";
const PASSPHRASE: &[u8] = b"correct horse";

/// The key of `ID`.
fn openssh() -> PrivateKey {
    PrivateKey::from_openssh(ID).unwrap()
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
