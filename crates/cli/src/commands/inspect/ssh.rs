//! Descriptions of keys and signatures of OpenSSH, of any algorithm.

use base64ct::{Base64, Base64Unpadded, Encoding as _};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::display;
use crate::error::Error;
use crate::key_error::KeyError;
use crate::keyfile::Foreign;
use crate::pem;
use crate::report::Report;

/// The beginnings of private keys and of signatures.
const PRIVATE: &[u8] = b"openssh-key-v1\0";
const SIGNATURE: &[u8] = b"SSHSIG\0\0\0\x01";

/// Describes a file of OpenSSH.
pub(super) fn describe(
    place: &str,
    foreign: Foreign,
    bytes: &[u8],
    report: &mut Report,
) -> Result<(), Error> {
    let wrong = || malformed(place);
    match foreign {
        Foreign::SshPublic => public(place, bytes, report),
        Foreign::SshPrivate => {
            let contents = contents(place, bytes)?;
            let mut reader = Reader(contents.strip_prefix(PRIVATE).ok_or_else(wrong)?);
            let cipher = reader.string().ok_or_else(wrong)?;
            let key = reader.private_header().ok_or_else(wrong)?;
            blob(place, key, report)?;
            let is_encrypted = cipher != b"none";
            let says = match is_encrypted {
                true => format!("yes, with {}", text(cipher)),
                false => "no".into(),
            };
            report.field_as("encrypted", is_encrypted, &says)
        }
        _ => {
            let contents = contents(place, bytes)?;
            let mut reader = Reader(contents.strip_prefix(SIGNATURE).ok_or_else(wrong)?);
            let parts = [(); 5].map(|()| reader.string());
            let [
                Some(key),
                Some(namespace),
                Some(_),
                Some(hash),
                Some(signature),
            ] = parts
            else {
                return Err(wrong());
            };
            blob(place, key, report)?;
            report.field("namespace", text(namespace))?;
            report.field("hash", text(hash))?;
            let signature = Reader(signature).last().ok_or_else(wrong)?;
            let length = signature.len();
            report.data("signature_length", length);
            report.line(
                "signature",
                &format!(
                    "{length} bytes; `moissanite -Y check-novalidate` or `-Y verify` checks it"
                ),
            )
        }
    }
}

/// A line with the algorithm, the key in base64 and a comment.
fn public(place: &str, bytes: &[u8], report: &mut Report) -> Result<(), Error> {
    let wrong = || malformed(place);
    let all = std::str::from_utf8(bytes).map_err(|_| wrong())?;
    let lines: Vec<_> = all.lines().filter(|line| !line.trim().is_empty()).collect();
    let mut words = lines.first().ok_or_else(wrong)?.split_whitespace();
    let (_, key) = (words.next(), words.next().ok_or_else(wrong)?);
    let key = Base64::decode_vec(key).map_err(|_| wrong())?;
    blob(place, &key, report)?;
    let comment = words.collect::<Vec<_>>().join(" ");
    report.field("comment", display::value(&comment))?;
    match lines.len() {
        1 => Ok(()),
        count => report.line(
            "note",
            &format!("the file has {count} lines; this describes the first one"),
        ),
    }
}

/// The contents of PEM text, of which no copy stays in memory.
fn contents(place: &str, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let decoded = pem::decode(bytes);
    let (_, contents) = decoded.map_err(|error| Error::file(place, KeyError::Pem(error)))?;
    Ok(contents)
}

/// Reports a public key: its algorithm, and the fingerprint that OpenSSH shows.
fn blob(place: &str, key: &[u8], report: &mut Report) -> Result<(), Error> {
    let mut reader = Reader(key);
    let algorithm = reader.string().ok_or_else(|| malformed(place))?;
    report.field("algorithm", text(algorithm))?;
    let hash = Base64Unpadded::encode_string(&Sha256::digest(key));
    report.field("fingerprint", format!("SHA256:{hash}"))
}

/// A field that should be text.
fn text(bytes: &[u8]) -> String {
    display::value(&String::from_utf8_lossy(bytes))
}

fn malformed(place: &str) -> Error {
    let why = "it begins like a file of OpenSSH, and its fields are malformed";
    Error::file(place, KeyError::Malformed(why.into()))
}

/// Fields of the types of RFC 4251, section 5.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_be_bytes(*number))
    }

    fn string(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (string, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(string)
    }

    /// The public key of a private one, after the name of the cipher.
    fn private_header(&mut self) -> Option<&'a [u8]> {
        let (_kdf, _options) = (self.string()?, self.string()?);
        match self.number()? {
            1 => self.string(),
            _ => None,
        }
    }

    /// The last of the remaining strings.
    fn last(mut self) -> Option<&'a [u8]> {
        let mut last = self.string()?;
        while !self.0.is_empty() {
            last = self.string()?;
        }
        Some(last)
    }
}
