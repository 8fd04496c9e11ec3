//! Documents in DER and PEM that the tests make by hand, so that they can deviate from the standards.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    unreachable_pub,
    reason = "a test fails by panicking, and several files use this"
)]

use base64ct::{Base64, Encoding};

pub const SEQUENCE: u8 = 0x30;
pub const OCTETS: u8 = 0x04;
pub const BITS: u8 = 0x03;
pub const SEED: u8 = 0x80;

/// A value in DER.
pub fn tlv(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let value = parts.concat();
    let length = u16::try_from(value.len()).unwrap().to_be_bytes();
    let header: Vec<u8> = match length {
        [0, short @ 0..0x80] => vec![tag, short],
        [0, long] => vec![tag, 0x81, long],
        [high, low] => vec![tag, 0x82, high, low],
    };
    [header, value].concat()
}

/// An identifier in DER, of the last arcs of ML-DSA or of IBM.
pub fn oid(arcs: &str) -> Vec<u8> {
    let value = match arcs {
        "44" => "608648016503040311",
        "65" => "608648016503040312",
        "87" => "608648016503040313",
        "7.4.4" => "2b0601040102820b070404",
        "7.6.5" => "2b0601040102820b070605",
        "7.8.7" => "2b0601040102820b070807",
        "12.4.4" => "2b0601040102820b0c0404",
        "ec" => "2a8648ce3d0201",
        "p256" => "2a8648ce3d030107",
        "ml-kem-768" => "608648016503040402",
        "slh-dsa" => "60864801650304031a",
        "falcon" => "2bce0f0306",
        "data" => "2a864886f70d010701",
        "signed-data" => "2a864886f70d010702",
        "unknown" => "2a0304",
        "ed448" => "2b6571",
        "ed25519" => "2b6570",
        "rsa" => "2a864886f70d010101",
        "x25519" => "2b656e",
        other => panic!("{other}"),
    };
    tlv(0x06, &[&hex::decode(value).unwrap()])
}

pub fn algorithm(arcs: &str) -> Vec<u8> {
    tlv(SEQUENCE, &[&oid(arcs)])
}

/// PKCS#8 of version 0.
pub fn private(arcs: &str, key: &[u8]) -> Vec<u8> {
    let key = tlv(OCTETS, &[key]);
    tlv(SEQUENCE, &[&[2, 1, 0], &algorithm(arcs), &key])
}

pub fn public(arcs: &str, key: &[u8]) -> Vec<u8> {
    tlv(SEQUENCE, &[&algorithm(arcs), &tlv(BITS, &[&[0], key])])
}

pub fn pem(label: &str, der: &[u8]) -> String {
    let text = Base64::encode_string(der);
    let lines: Vec<_> = text.as_bytes().chunks(64).collect();
    let text = String::from_utf8(lines.join(&b'\n')).unwrap();
    format!("-----BEGIN {label}-----\n{text}\n-----END {label}-----\n")
}
