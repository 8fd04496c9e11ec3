//! One document in PEM text (RFC 7468). Like OpenSSL, the reader accepts any line endings and line
//! lengths, and text before and after the document. Spaces or the two characters `\n` may replace line
//! breaks, or line breaks may be missing, as in environment variables: the dashes alone separate the label
//! from the base64 text. Both have to be correct in every character.

use std::fmt;

use base64ct::{Base64, Base64Unpadded, Encoding};
use der::pem::LineEnding;
use zeroize::Zeroizing;

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"END ";
const DASHES: &[u8] = b"-----";

/// Why text is not one document in PEM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PemError {
    /// The first line begins correctly and ends wrongly.
    #[error("its first line is damaged: it has to be -----BEGIN, a label and five dashes")]
    Boundary,
    /// The last line is missing.
    #[error("there is no line -----END {0}-----; the file may be truncated")]
    NoEnd(Label),
    /// The last line has another label than the first one.
    #[error("it begins as {begin} and ends as {end}; the file may be damaged")]
    OtherEnd {
        /// The first label.
        begin: Label,
        /// The other label.
        end: Label,
    },
    /// The text is not base64.
    #[error("the text between its -----BEGIN and -----END lines is not base64; it may be damaged")]
    Base64,
    /// There are several documents.
    #[error("it holds more than one PEM document; keep only one")]
    Several,
}

/// The type of a document. Errors show known types only: any other text in its place could be part of a
/// key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label(Option<&'static str>);

/// A label that is not here is never recognised. `keyfile/recognise.rs` says what the documents contain.
const LABELS: &[&str] = &[
    "CERTIFICATE REQUEST",
    "CERTIFICATE",
    "CMS",
    "DSA PRIVATE KEY",
    "Dilithium2 SIGNATURE",
    "Dilithium3 SIGNATURE",
    "Dilithium5 SIGNATURE",
    "EC PARAMETERS",
    "EC PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "Ed25519 PRIVATE KEY",
    "Ed25519 SIGNATURE",
    "ML-DSA-44 PRIVATE KEY",
    "ML-DSA-44 PUBLIC KEY",
    "ML-DSA-44 SIGNATURE",
    "ML-DSA-44-Ed25519 SIGNATURE",
    "ML-DSA-65 PRIVATE KEY",
    "ML-DSA-65 PUBLIC KEY",
    "ML-DSA-65 SIGNATURE",
    "ML-DSA-65-Ed25519 SIGNATURE",
    "ML-DSA-87 PRIVATE KEY",
    "ML-DSA-87 PUBLIC KEY",
    "ML-DSA-87 SIGNATURE",
    "NEW CERTIFICATE REQUEST",
    "OPENSSH PRIVATE KEY",
    "PKCS7",
    "PRIVATE KEY",
    "PUBLIC KEY",
    "RSA PRIVATE KEY",
    "RSA PUBLIC KEY",
    "SSH2 PUBLIC KEY",
    "TRUSTED CERTIFICATE",
    "X509 CERTIFICATE",
    "X509 CRL",
    "zkDilithium SIGNATURE",
];

impl Label {
    fn new(bytes: &[u8]) -> Self {
        let known = LABELS.iter().find(|label| label.as_bytes() == bytes);
        Self(known.copied())
    }

    /// The type; empty if it is not a known one.
    pub(crate) fn as_str(self) -> &'static str {
        self.0.unwrap_or_default()
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.unwrap_or("(unknown)"))
    }
}

/// Whether a document begins anywhere in `bytes`.
pub(crate) fn is_pem(bytes: &[u8]) -> bool {
    split(bytes, BEGIN).is_some()
}

/// The label of the first document, known or not. It may be any text.
pub(crate) fn first_label(bytes: &[u8]) -> Option<&[u8]> {
    let (_, after) = split(bytes, BEGIN)?;
    split(after, DASHES).map(|(label, _)| label)
}

/// The bytes before and after the first `separator`.
fn split<'a>(bytes: &'a [u8], separator: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let mut windows = bytes.windows(separator.len());
    let at = windows.position(|window| window == separator)?;
    let (before, rest) = bytes.split_at_checked(at)?;
    Some((before, rest.get(separator.len()..)?))
}

/// The text of each document.
pub(crate) fn documents(bytes: &[u8]) -> Vec<&[u8]> {
    let starts = bytes.windows(BEGIN.len()).enumerate();
    let starts = starts.filter(|(_, window)| *window == BEGIN);
    let starts: Vec<_> = starts.map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    let each = starts.iter().zip(ends);
    each.filter_map(|(start, end)| bytes.get(*start..end))
        .collect()
}

/// The label and the contents of the one document in `bytes`.
pub(crate) fn decode(bytes: &[u8]) -> Result<(Label, Zeroizing<Vec<u8>>), PemError> {
    let document = parse(bytes)?;
    Ok((document.label, document.contents))
}

/// A document, and the text around it.
pub(crate) struct Document<'a> {
    /// The type.
    pub(crate) label: Label,
    /// The contents.
    pub(crate) contents: Zeroizing<Vec<u8>>,
    /// The text before it.
    pub(crate) before: &'a [u8],
    /// The text after it.
    pub(crate) after: &'a [u8],
}

/// The one document in `bytes`, and the text around it.
pub(crate) fn parse(bytes: &[u8]) -> Result<Document<'_>, PemError> {
    let (before, after) = split(bytes, BEGIN).ok_or(PemError::Boundary)?;
    let (begin, after) = split(after, DASHES).ok_or(PemError::Boundary)?;
    if begin.iter().any(u8::is_ascii_control) {
        return Err(PemError::Boundary);
    }
    let label = Label::new(begin);
    let (text, after) = split(after, DASHES).ok_or(PemError::NoEnd(label))?;
    let end = after.strip_prefix(END);
    let end = end.and_then(|after| split(after, DASHES));
    let (end, after) = end.ok_or(PemError::NoEnd(label))?;
    if end != begin {
        return Err(PemError::OtherEnd {
            begin: label,
            end: Label::new(end),
        });
    }
    if is_pem(after) {
        return Err(PemError::Several);
    }
    let contents = Base64::decode_vec(&joined(text)?).map_err(|_| PemError::Base64)?;
    Ok(Document {
        label,
        contents: Zeroizing::new(contents),
        before,
        after,
    })
}

/// The contents of a document whose lines or whose padding may be damaged: the base64 text after the line
/// that begins with -----BEGIN, up to the next dash or the end. A repair checks the result in every other
/// way.
pub(crate) fn decode_leniently(bytes: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let (_, after) = split(bytes, BEGIN)?;
    let is_label = |byte: &u8| !matches!(byte, b'-' | b'\n' | b'\r');
    let label = after.iter().take_while(|byte| is_label(byte)).count();
    let text = after.get(label..)?.trim_ascii_start();
    let dashes = text.iter().take_while(|byte| **byte == b'-').count();
    let text = text.get(dashes..)?;
    let end = text.iter().position(|byte| *byte == b'-');
    let text = text.get(..end.unwrap_or(text.len()))?;
    // The last line may have lost its dashes.
    let text = split(text, b"\nEND ").map_or(text, |(text, _)| text);
    let joined = joined(text).ok()?;
    let contents = Base64Unpadded::decode_vec(joined.trim_end_matches('='));
    contents.ok().map(Zeroizing::new)
}

/// The text without its line breaks, in any of the representations above.
pub(crate) fn joined(mut text: &[u8]) -> Result<Zeroizing<String>, PemError> {
    // The capacity is sufficient, so that no reallocation leaves a copy of a key in memory.
    let mut joined = Zeroizing::new(String::with_capacity(text.len()));
    while let Some((first, rest)) = text.split_first() {
        text = match (first, rest) {
            (b'\\', [b'n' | b'r', rest @ ..]) => rest,
            (first, rest) if first.is_ascii_whitespace() => rest,
            (first, rest) if first.is_ascii() => {
                joined.push(char::from(*first));
                rest
            }
            _ => return Err(PemError::Base64),
        };
    }
    Ok(joined)
}

/// Encodes a document as text.
pub(crate) fn encode(label: &'static str, der: &[u8]) -> der::Result<Zeroizing<Vec<u8>>> {
    let text = der::pem::encode_string(label, LineEnding::LF, der)?;
    Ok(Zeroizing::new(text.into_bytes()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::{Label, PemError, decode, documents, encode};

    #[test]
    fn variants_of_pem_text() {
        let plain = "-----BEGIN PUBLIC KEY-----\nAQIDBAUG\nBwgJ\n-----END PUBLIC KEY-----\n";
        let crlf = plain.replace('\n', "\r\n");
        let cr = plain.replace('\n', "\r");
        let unended = plain.trim_end();
        let spaced = plain.replace("AQ", "  AQ").replace("UG", "UG \t\n");
        let one_line = plain.replace("UG\n", "UG");
        let commented = format!("Private-Key:\n - nothing\n{plain}more\n");
        let marked = format!("\u{feff}{plain}");
        let [spaces, escaped, escaped_crlf, removed] =
            [" ", r"\n", r"\r\n", ""].map(|instead| plain.replace('\n', instead));
        let variable = format!("KEY=\"{escaped}\"\n");
        for text in [
            plain,
            &crlf,
            &cr,
            unended,
            &spaced,
            &one_line,
            &commented,
            &marked,
            &spaces,
            &escaped,
            &escaped_crlf,
            &removed,
            &variable,
        ] {
            let (label, bytes) = decode(text.as_bytes()).unwrap();
            assert_eq!(
                (label.as_str(), bytes.as_slice()),
                ("PUBLIC KEY", &[1, 2, 3, 4, 5, 6, 7, 8, 9][..])
            );
        }
        let own = encode("PUBLIC KEY", &[7; 100]).unwrap();
        assert_eq!(*decode(&own).unwrap().1, [7; 100]);
    }

    #[test]
    fn one_after_the_other() {
        let one = encode("A", &[1; 50]).unwrap();
        let other = encode("B", &[2; 3]).unwrap();
        let text = [b"first\n", one.as_slice(), b"then\n", &other].concat();
        let [first, second] = documents(&text).try_into().unwrap();
        assert_eq!(*decode(first).unwrap().1, [1; 50]);
        assert_eq!(*decode(second).unwrap().1, [2; 3]);
        assert!(documents(b"").is_empty());
    }

    #[test]
    fn errors_name_the_damage() {
        let no_end = || PemError::NoEnd(Label(None));
        for (text, error) in [
            (
                "-----BEGIN A----\nAQ==\n-----END A-----",
                PemError::Boundary,
            ),
            ("-----BEGIN A-----\nAQ==\n", no_end()),
            ("-----BEGIN A-----\nAQ==\n-----END A---", no_end()),
            (
                "-----BEGIN A-----\nAQ==\n-----BEGIN A-----\nAQ==\n-----END A-----",
                no_end(),
            ),
            (
                "-----BEGIN A-----\nAQ==\n-----END B-----",
                PemError::OtherEnd {
                    begin: Label(None),
                    end: Label(None),
                },
            ),
            (
                "-----BEGIN A\nB-----\nAQ==\n-----END A\nB-----",
                PemError::Boundary,
            ),
            (
                "-----BEGIN A-----AQ==-----END A -----",
                PemError::OtherEnd {
                    begin: Label(None),
                    end: Label(None),
                },
            ),
            ("-----BEGIN A-----A\\Q==-----END A-----", PemError::Base64),
            (
                "-----BEGIN A-----A\\\\nQ==-----END A-----",
                PemError::Base64,
            ),
            ("-----BEGIN A-----A-Q==-----END A-----", PemError::Base64),
            ("-----BEGIN A------AQ==-----END A-----", PemError::Base64),
            ("-----BEGIN A-----AQ==", no_end()),
            ("-----BEGIN A AQ== -----END A-----", no_end()),
            ("-----BEGIN A-----\nAQ=\n-----END A-----", PemError::Base64),
            ("-----BEGIN A-----\nA?==\n-----END A-----", PemError::Base64),
            ("-----BEGIN A-----\nAR==\n-----END A-----", PemError::Base64),
            (
                "-----BEGIN A-----\nAQ==\n-----END A-----\n-----BEGIN A-----",
                PemError::Several,
            ),
        ] {
            assert_eq!(decode(text.as_bytes()).unwrap_err(), error, "{text}");
        }
    }
}
