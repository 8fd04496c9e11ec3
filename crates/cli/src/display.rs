//! Text from outside as messages and reports show it: file names, arguments and fields.
//!
//! Such text can be key material in the wrong place, such as a key in place of a file name, or a seed
//! in place of an algorithm. Messages never show key material. Text can also control a terminal, so every
//! character that does not show as itself is escaped.

use std::path::Path;

use serde_json::Value;

/// The longest argument or field that is shown.
const LONGEST_VALUE: usize = 40;

/// Length in bytes of the longest path of a nonexistent file that is shown.
const LONGEST_NAME: usize = 255;

/// A number of characters that have more bits than a UUID or the random part of a temporary file's name,
/// and fewer than a seed.
const LONG: usize = 40;

/// The name of a file as messages show it, or a text that says that the name is not shown.
///
/// The existing part of a path may contain shorter parts that look random, such as the name of a
/// temporary folder. A seed of 32 bytes, in hex or base64, is longer and is not shown there either.
pub(crate) fn file(path: &Path) -> String {
    let existing = path.ancestors().find(|folder| folder.exists());
    let existing = existing.unwrap_or(Path::new(""));
    let mut parts = existing.iter();
    let rest = path.strip_prefix(existing).unwrap_or(path).to_str();
    let is_secret = parts.any(|part| looks_like_key(&part.to_string_lossy(), LONG))
        || rest.is_none_or(|rest| rest.len() > LONGEST_NAME || looks_like_key(rest, 16));
    let name = path.to_string_lossy();
    match name.chars().count() {
        length if is_secret => {
            format!("a file whose name is not shown ({length} characters, which could be a key)")
        }
        _ => one_line(&name),
    }
}

/// A file name as a word of a command line of a POSIX shell, or `FILE` if messages do not show it.
pub(crate) fn shell_word(path: &Path) -> String {
    let shown = file(path);
    if path.to_str() != Some(&shown) {
        return "FILE".into();
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/+,:@%=-".contains(c);
    match shown.as_str() {
        "-" => shown,
        _ if shown.starts_with('-') => format!("'./{}'", shown.replace('\'', r"'\''")),
        _ if shown.chars().all(is_plain) => shown,
        _ => format!("'{}'", shown.replace('\'', r"'\''")),
    }
}

/// An argument or a field of a file as messages show it, or a text with its length if it is long or
/// looks like key material.
pub(crate) fn value(text: &str) -> String {
    match text.chars().count() {
        length if text.contains("-----BEGIN ") => {
            format!("({length} characters of PEM text, not shown)")
        }
        length if length > LONGEST_VALUE || looks_like_key(text, 12) => hidden(length),
        _ => one_line(text),
    }
}

/// The text in place of a value that is not shown.
pub(crate) fn hidden(length: usize) -> String {
    format!("({length} characters, not shown)")
}

/// Whether `text` is PEM, a list of bytes or hex in groups, or has at least `shortest` characters in a
/// row that seem to be hex or base64, or [`LONG`] of base64url: unlike words, these often alternate
/// between letters and digits, or between lower and upper case.
fn looks_like_key(text: &str, shortest: usize) -> bool {
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    let is_url = |c: char| is_base64(c) || matches!(c, '-' | '_');
    let mut runs = text.split(|c| !is_base64(c));
    let mut of_url = text.split(|c| !is_url(c));
    text.contains("-----")
        || is_list(text)
        || is_grouped(text)
        || runs.any(|run| run.len() >= shortest && is_random(run.as_bytes()))
        || of_url.any(|run| run.len() >= LONG && is_mixed(run.as_bytes()))
}

/// Whether there are at least eight bytes, in hex or decimal, with separators. A time and the address
/// of a network card have fewer.
fn is_list(text: &str) -> bool {
    let pieces = text.split(|c: char| c.is_whitespace() || ",;:-_\\xX".contains(c));
    let is_byte = |piece: &&str| piece.len() < 4 && u16::from_str_radix(piece, 16).is_ok();
    pieces.filter(is_byte).count() >= 8
}

/// Whether groups of hex digits, with anything between them, have [`LONG`] digits in total.
fn is_grouped(text: &str) -> bool {
    let groups = text.split(|c: char| !c.is_ascii_alphanumeric());
    let is_hex = |group: &&str| {
        group.len().is_multiple_of(2) && group.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    groups.filter(is_hex).map(str::len).sum::<usize>() >= LONG
}

fn is_random(run: &[u8]) -> bool {
    12 * alternations(run).0 >= run.len() || is_mixed(run)
}

fn is_mixed(run: &[u8]) -> bool {
    let (digits, capitals) = alternations(run);
    5 * (digits + capitals) >= run.len()
}

/// The number of alternations between letters and digits, and from lower to upper case.
fn alternations(run: &[u8]) -> (usize, usize) {
    // These are characters of base64, but they also separate the words of a path.
    let is_separator = |byte: &u8| matches!(byte, b'/' | b'-' | b'_');
    let characters: Vec<_> = run.iter().filter(|byte| !is_separator(byte)).collect();
    let (mut digits, mut capitals) = (0, 0);
    for (before, after) in characters.iter().zip(characters.iter().skip(1)) {
        digits += usize::from(before.is_ascii_alphabetic() != after.is_ascii_alphabetic());
        capitals += usize::from(before.is_ascii_lowercase() && after.is_ascii_uppercase());
    }
    (digits, capitals)
}

/// `text` on one line. Every character that does not show as itself is escaped: control and format
/// characters, including bidirectional ones, spaces other than `' '`, line separators, and characters
/// without a width. Escaping the result again changes nothing.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\'' | '\\' => line.push(c),
            c if is_ignorable(c) => line.extend(c.escape_unicode()),
            // The mark follows a letter, because `escape_debug` escapes a combining mark at the start.
            c => line.extend(String::from_iter(['a', c]).escape_debug().skip(1)),
        }
    }
    line
}

/// [`one_line`] for each line of a text.
pub(crate) fn lines(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(one_line).collect();
    lines.join("\n")
}

/// A JSON document as text in ASCII, so that no string in it can control a terminal. It has one line, or
/// one for each value if `lines`.
pub(crate) fn json(document: &Value, lines: bool) -> String {
    let unescaped = match lines {
        true => format!("{document:#}\n"),
        false => format!("{document}\n"),
    };
    let mut text = String::new();
    for c in unescaped.chars() {
        match c {
            '\n' | ' '..='~' => text.push(c),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    text += &format!("\\u{unit:04x}");
                }
            }
        }
    }
    text
}

/// The letters and marks of Unicode's Default_Ignorable_Code_Point, which are invisible.
fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}'
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use std::path::Path;

    use base64ct::{Base64, Base64UrlUnpadded, Encoding};
    use sha2::{Digest, Sha512};

    use super::{file, lines, one_line, value};

    #[test]
    fn visible_characters_stay() {
        for text in [
            "",
            "key.pem",
            r#"C:\keys\"my" 'key'"#,
            "Schlüssel",
            "e\u{301}",
            "ключ",
            "键",
            "हिन्दी",
            "🔑",
        ] {
            assert_eq!(one_line(text), text);
        }
    }

    #[test]
    fn invisible_characters_are_escaped_once() {
        for (text, escaped) in [
            ("a\nb\r\tc", r"a\nb\r\tc"),
            (
                "\u{1b}[31m\0\u{7f}\u{85}\u{9b}",
                r"\u{1b}[31m\0\u{7f}\u{85}\u{9b}",
            ),
            ("a\u{202e}b\u{2066}\u{61c}", r"a\u{202e}b\u{2066}\u{61c}"),
            (
                "\u{200b}\u{200d}\u{2060}\u{feff}",
                r"\u{200b}\u{200d}\u{2060}\u{feff}",
            ),
            (
                "\u{ad}\u{34f}\u{3164}\u{fe0f}",
                r"\u{ad}\u{34f}\u{3164}\u{fe0f}",
            ),
            (
                "\u{2028}\u{2029}\u{a0}\u{3000}",
                r"\u{2028}\u{2029}\u{a0}\u{3000}",
            ),
            ("\u{e0041}\u{e000}\u{fff9}", r"\u{e0041}\u{e000}\u{fff9}"),
        ] {
            assert_eq!(one_line(text), escaped);
            assert_eq!(one_line(escaped), escaped);
        }
        assert_eq!(lines("a\u{202e}\nb\r\n"), "a\\u{202e}\nb\\r\n");
    }

    #[test]
    fn usual_names_are_shown() {
        for name in [
            "key.pem",
            "/root/keys/server/production/key.pem",
            "/srv/backup/2031-01-12T09:30:00Z/ml-dsa-65.key",
            "MyServerPrivateKey2031.pem",
            "privatekey20310112",
            "550e8400-e29b-41d4-a716-446655440000.der",
            "00:1b:44:11:3a:b7.pem",
            "ml-dsa-65-ed25519-server-2031-01-12-backup-of-production.key",
            "MyServer-Production-Key-ML-DSA-65-2031-01-12.pem",
            "backup/2031/0112/093000/2031-0112-0930/ml-dsa-65.key",
            "backup 2031-01-12 09:30:00.pem",
            &"long/".repeat(50),
        ] {
            assert_eq!(file(Path::new(name)), name);
        }
        let folder = tempfile::Builder::new()
            .prefix("k1X3f9QaZ1b")
            .tempdir()
            .unwrap();
        for path in [folder.path(), &folder.path().join("absent/key.pem")] {
            assert_eq!(file(path), path.to_string_lossy());
        }
        for text in [
            "frobnicate",
            "ml-dsa-66",
            "SHA2-512/257",
            "2030-12-31T25:00:00Z",
            "CN=a b",
        ] {
            assert_eq!(value(text), text);
        }
    }

    /// Encodings of a seed that consist of short runs: JSON Web Keys use base64 with `-` and `_`, and
    /// hexdumps consist of groups.
    #[test]
    fn keys_in_groups_are_not_shown() {
        let mut shown = 0;
        for number in 0..10_000_u32 {
            let bytes = Sha512::digest(number.to_le_bytes());
            let (bytes, hex) = (&bytes[..32], hex::encode(&bytes[..32]));
            for text in [
                Base64UrlUnpadded::encode_string(bytes),
                format!("key_{}.jwk", Base64UrlUnpadded::encode_string(bytes)),
            ] {
                shown += usize::from(file(Path::new(&text)) == text);
            }
            for (length, between) in [(4, " "), (6, ":"), (8, "-"), (8, "."), (10, "_"), (8, "/")] {
                let groups: Vec<_> = hex.as_bytes().chunks(length).collect();
                let text = groups.join(between.as_bytes());
                let text = String::from_utf8(text).unwrap();
                for text in [&text, &text.to_uppercase()] {
                    assert!(file(Path::new(text)).contains("not shown"), "{text}");
                    assert!(value(text).contains("not shown"), "{text}");
                }
            }
        }
        assert!(shown < 10, "{shown}");
    }

    /// Seeds, of one key or two, in every encoding.
    #[test]
    fn keys_are_not_shown() {
        let is_hidden = |text: &str| {
            [file(Path::new(text)), value(text)].map(|shown| shown.contains("not shown"))
        };
        let mut shown_in_lower_case = 0;
        for number in 0..10_000_u32 {
            let bytes = Sha512::digest(number.to_le_bytes());
            for bytes in [&bytes[..32], &bytes[..]] {
                let (hex, base64) = (hex::encode(bytes), Base64::encode_string(bytes));
                let pairs: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                let lists = [":", " ", ", 0x"].map(|between| pairs.join(between));
                let texts = [&hex, &hex[32..], &hex.to_uppercase(), &base64];
                let texts = texts.into_iter().chain(lists.iter().map(String::as_str));
                for text in texts.chain([format!("{bytes:?}").as_str()]) {
                    assert_eq!(is_hidden(text), [true; 2], "{text}");
                }
                // This is not a key any more, and can look like a word.
                let lower = base64.to_lowercase();
                shown_in_lower_case += usize::from(is_hidden(&lower) != [true; 2]);
            }
        }
        assert!(shown_in_lower_case < 100, "{shown_in_lower_case}");
        for text in [
            "-----BEGIN",
            "x -----BEGIN PRIVATE KEY-----",
            &"a".repeat(256),
        ] {
            assert!(file(Path::new(text)).contains("not shown"));
            assert!(value(text).contains("not shown"));
        }
    }
}
