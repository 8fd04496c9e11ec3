//! Armored signatures: PEM text (RFC 7468) whose label names the algorithm, after explanatory text with the
//! key's fingerprint. The text is not signed, so that nothing depends on it.

use base64ct::{Base64, Encoding};

use crate::algorithm::ALL;
use crate::algorithm::scheme::{Algorithm, Framing};
use crate::pem::{self, Label, PemError};

/// The end of the label, after the name of the algorithm.
const SIGNATURE: &str = " SIGNATURE";

/// The number of bytes on a line of 64 characters, the length that RFC 7468 requires.
const BYTES_OF_LINE: usize = 48;

/// The start of the line with the fingerprint.
const KEY: &str = "Key: ";

/// Why a file is not one armored signature.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArmorError {
    /// The PEM text is damaged.
    #[error("its PEM text is damaged: {0}")]
    Pem(#[from] PemError),
    /// The document is not a signature.
    #[error(
        "it is PEM of the type '{0}'; the type of a signature is ML-DSA-65 SIGNATURE, for example"
    )]
    Label(Label),
    /// There is more after the document.
    #[error("something follows its line -----END")]
    Trailing,
}

/// A signature that was armored.
pub(crate) struct Armored {
    /// The algorithm of the label.
    pub(crate) algorithm: Algorithm,
    /// The signature.
    pub(crate) signature: Vec<u8>,
    /// The text before it.
    pub(crate) text: ExplanatoryText,
}

/// The text before an armored signature, which anybody can change.
pub(crate) struct ExplanatoryText(Vec<String>);

impl ExplanatoryText {
    /// The text of a signature. `framing` is `None` if the context is not known.
    pub(crate) fn new(algorithm: Algorithm, fingerprint: &str, framing: Option<&Framing>) -> Self {
        let mut lines = vec![format!("Algorithm: {}", algorithm.name())];
        lines.push(format!("{KEY}{fingerprint}"));
        lines.extend(framing.iter().flat_map(|framing| framing_lines(framing)));
        Self(lines)
    }

    /// The lines before a document.
    fn read(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        Self(text.lines().map(|line| line.trim().to_owned()).collect())
    }

    /// The fingerprint in it, if it has the form of one.
    pub(crate) fn fingerprint(&self) -> Option<&str> {
        let mut lines = self.0.iter().filter_map(|line| line.strip_prefix(KEY));
        lines.find(|fingerprint| {
            let digits = fingerprint.strip_prefix("sha256:").unwrap_or_default();
            digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
    }

    /// Whether it states this context and this hash function.
    pub(crate) fn agrees(&self, framing: &Framing) -> bool {
        let starts = ["Context: ", "Context-Hex: ", "Prehash: "];
        let is_stated = |line: &&String| starts.iter().any(|start| line.starts_with(start));
        self.0.iter().filter(is_stated).eq(&framing_lines(framing))
    }
}

/// The context, as text if that is unambiguous, and the hash function.
fn framing_lines(framing: &Framing) -> Vec<String> {
    let context = framing.context.as_slice();
    let plain = |text: &&str| {
        text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
            && text.trim() == *text
            && !text.contains("--")
    };
    let mut lines = Vec::new();
    match std::str::from_utf8(context).ok().filter(plain) {
        Some("") => {}
        Some(text) => lines.push(format!("Context: {text}")),
        None => lines.push(format!("Context-Hex: {}", hex::encode(context))),
    }
    lines.extend(
        framing
            .prehash
            .map(|hash| format!("Prehash: {}", hash.name())),
    );
    lines
}

/// The algorithm of a signature with this label.
pub(crate) fn algorithm(label: Label) -> Option<Algorithm> {
    let name = label.as_str().strip_suffix(SIGNATURE)?;
    ALL.iter()
        .find(|algorithm| algorithm.name() == name)
        .copied()
}

/// The fingerprint in the text before an armored signature, which anybody can change.
pub(crate) fn claimed_fingerprint(bytes: &[u8]) -> Option<String> {
    let text = ExplanatoryText::read(pem::parse(bytes).ok()?.before);
    text.fingerprint().map(str::to_owned)
}

/// Armors a signature.
pub(crate) fn encode(algorithm: Algorithm, signature: &[u8], text: &ExplanatoryText) -> String {
    let label = format!("{}{SIGNATURE}", algorithm.name());
    let mut lines = text.0.clone();
    lines.push(format!("-----BEGIN {label}-----"));
    for piece in signature.chunks(BYTES_OF_LINE) {
        lines.push(Base64::encode_string(piece));
    }
    lines.push(format!("-----END {label}-----\n"));
    lines.join("\n")
}

/// The one armored signature in `bytes`. Only spaces and line breaks may follow it.
pub(crate) fn decode(bytes: &[u8]) -> Result<Armored, ArmorError> {
    let document = pem::parse(bytes)?;
    let algorithm = algorithm(document.label).ok_or(ArmorError::Label(document.label))?;
    if !document.after.trim_ascii().is_empty() {
        return Err(ArmorError::Trailing);
    }
    Ok(Armored {
        algorithm,
        signature: document.contents.to_vec(),
        text: ExplanatoryText::read(document.before),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::{ExplanatoryText, algorithm, decode, encode};
    use crate::algorithm::ALL;
    use crate::algorithm::scheme::Framing;
    use crate::hash::Hash;

    fn framing(context: &[u8], prehash: Option<Hash>) -> Framing {
        Framing {
            context: context.into(),
            prehash,
        }
    }

    #[test]
    fn every_algorithm_has_a_label() {
        let fingerprint = format!("sha256:{}", "5a".repeat(32));
        for one in ALL {
            let text = ExplanatoryText::new(*one, &fingerprint, None);
            let armored = encode(*one, &[7; 100], &text);
            let decoded = decode(armored.as_bytes()).unwrap();
            assert_eq!(decoded.algorithm.name(), one.name());
            assert_eq!(decoded.signature, [7; 100]);
            assert_eq!(decoded.text.fingerprint(), Some(fingerprint.as_str()));
        }
        let text = "-----BEGIN PUBLIC KEY-----\nAQ==\n-----END PUBLIC KEY-----\n";
        assert!(decode(text.as_bytes()).is_err());
        let (label, _) = crate::pem::decode(text.as_bytes()).unwrap();
        assert!(algorithm(label).is_none());
    }

    /// No context can add a line or a boundary to the text.
    #[test]
    fn contexts_in_the_text() {
        let contexts: [&[u8]; 8] = [
            b"",
            b"invoice",
            b"two words",
            b" a",
            b"a\nKey: sha256:00",
            b"-----BEGIN A-----",
            "é".as_bytes(),
            &[0, 255],
        ];
        for context in contexts {
            for prehash in [None, Some(Hash::Sha512)] {
                let stated = framing(context, prehash);
                let text = ExplanatoryText::new(ALL[0], "x", Some(&stated));
                let count = 2 + usize::from(!context.is_empty()) + usize::from(prehash.is_some());
                assert_eq!(text.0.len(), count, "{context:?}");
                let armored = encode(ALL[0], b"abc", &text);
                let read = decode(armored.as_bytes()).unwrap().text;
                assert!(read.agrees(&stated), "{context:?}");
                for other in contexts.iter().filter(|other| **other != context) {
                    assert!(!read.agrees(&framing(other, prehash)), "{context:?}");
                }
                assert!(!read.agrees(&framing(context, Some(Hash::Shake256))));
                assert_eq!(read.fingerprint(), None);
            }
        }
    }
}
