//! One document in PEM text (RFC 7468), read as generously as OpenSSL does:
//! any line ends and line lengths, text before and after.

use base64ct::{Base64, Encoding};
use der::pem::LineEnding;
use zeroize::Zeroizing;

use crate::keyfile::KeyError;

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";

/// Why text is not one document in PEM.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PemError {
    /// A line begins like that of a document and does not end like it.
    #[error("its first line is damaged: it has to be -----BEGIN, a label and five dashes")]
    Boundary,
    /// No end.
    #[error("there is no line -----END {0}-----; is the file cut short?")]
    NoEnd(String),
    /// Another document's end.
    #[error("it begins as {begin} and ends as {end}; is the file mixed up?")]
    OtherEnd {
        /// The first label.
        begin: String,
        /// The other label.
        end: String,
    },
    /// Not base64.
    #[error("the text between its -----BEGIN and -----END lines is not base64; is it damaged?")]
    Base64,
    /// Two documents.
    #[error("it holds more than one PEM document; keep only the one that is meant")]
    Several,
}

/// Whether there is a line that begins a document.
pub(crate) fn is_pem(bytes: &[u8]) -> bool {
    lines(bytes).any(|line| line.starts_with(BEGIN))
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .map(<[u8]>::trim_ascii)
}

fn label(line: &[u8], start: &[u8]) -> Option<String> {
    let label = line.strip_prefix(start)?.strip_suffix(DASHES)?;
    Some(String::from_utf8_lossy(label).into_owned())
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
pub(crate) fn decode(bytes: &[u8]) -> Result<(String, Zeroizing<Vec<u8>>), PemError> {
    let mut lines = lines(bytes);
    let mut begin = None;
    for line in &mut lines {
        if line.starts_with(BEGIN) {
            begin = Some(label(line, BEGIN).ok_or(PemError::Boundary)?);
            break;
        }
    }
    let begin = begin.ok_or(PemError::Boundary)?;
    // No reallocation leaves a copy behind.
    let mut base64 = Zeroizing::new(String::with_capacity(bytes.len()));
    let mut ended = false;
    for line in &mut lines {
        if line.starts_with(DASHES) {
            match label(line, END) {
                Some(end) if end == begin => ended = true,
                Some(end) => return Err(PemError::OtherEnd { begin, end }),
                None => return Err(PemError::NoEnd(begin)),
            }
            break;
        }
        base64.push_str(str::from_utf8(line).map_err(|_| PemError::Base64)?);
    }
    if !ended {
        return Err(PemError::NoEnd(begin));
    }
    if lines.any(|line| line.starts_with(BEGIN)) {
        return Err(PemError::Several);
    }
    let contents = Base64::decode_vec(&base64).map_err(|_| PemError::Base64)?;
    Ok((begin, Zeroizing::new(contents)))
}

/// A document as text.
pub(crate) fn encode(label: &'static str, der: &[u8]) -> Result<Zeroizing<Vec<u8>>, KeyError> {
    let text = der::pem::encode_string(label, LineEnding::LF, der).map_err(der::Error::from)?;
    Ok(Zeroizing::new(text.into_bytes()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::{PemError, decode, documents, encode};

    #[test]
    fn reads_what_others_write() {
        let plain = "-----BEGIN PUBLIC KEY-----\nAQIDBAUG\nBwgJ\n-----END PUBLIC KEY-----\n";
        let crlf = plain.replace('\n', "\r\n");
        let cr = plain.replace('\n', "\r");
        let unended = plain.trim_end();
        let spaced = plain.replace("AQ", "  AQ").replace("UG", "UG \t\n");
        let one_line = plain.replace("UG\n", "UG");
        let commented = format!("Private-Key:\n - nothing\n{plain}more\n");
        let marked = format!("\u{feff}{plain}");
        for text in [
            plain, &crlf, &cr, unended, &spaced, &one_line, &commented, &marked,
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
    fn says_what_is_wrong() {
        let no_end = || PemError::NoEnd("A".into());
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
                    begin: "A".into(),
                    end: "B".into(),
                },
            ),
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
