//! The text of a manifest, in the format of `sha512sum`.
//!
//! A symbolic link is a comment with its target, so that `sha512sum` passes over it. Empty folders and
//! permissions are not recorded.

use std::collections::BTreeMap;

use super::error::ManifestError;
use super::name::Name;

/// The largest manifest, in bytes.
pub(crate) const LIMIT: usize = 256 << 20;

/// The start of a line with a symbolic link.
const LINK: &[u8] = b"# link: ";

/// What separates the name of a link from its target. No escaped name contains it.
const ARROW: &[u8] = b" -> ";

/// A SHA-512 hash.
pub(crate) type Hash = [u8; 64];

/// What a manifest records of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A file with this hash.
    File(Hash),
    /// A symbolic link with this target.
    Link(Vec<u8>),
}

/// All entries of a manifest, sorted by the bytes of their names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest(pub(super) BTreeMap<Name, Entry>);

impl Manifest {
    /// The numbers of files and of symbolic links.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let is_file = |entry: &&Entry| matches!(entry, Entry::File(_));
        let files = self.0.values().filter(is_file).count();
        (files, self.0.len().saturating_sub(files))
    }

    /// The names of all files and symbolic links.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Name> {
        self.0.keys()
    }

    /// The text of the manifest.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, ManifestError> {
        let lines = self.0.iter().map(|(name, entry)| line(name, entry));
        let bytes = lines.collect::<Vec<_>>().concat();
        match bytes.len() {
            0..=LIMIT => Ok(bytes),
            _ => Err(ManifestError::TooLarge),
        }
    }

    /// Reads the text that [`to_bytes`](Self::to_bytes) writes, and no other.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, ManifestError> {
        if bytes.len() > LIMIT {
            return Err(ManifestError::TooLarge);
        }
        let mut entries = BTreeMap::new();
        for (number, text) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
            let (name, entry) = parse(text).ok_or(ManifestError::Line(number))?;
            let name = Name::new(name).ok_or(ManifestError::Name(number))?;
            if line(&name, &entry) != text {
                return Err(ManifestError::Line(number));
            }
            if entries
                .last_key_value()
                .is_some_and(|(last, _)| *last >= name)
            {
                return Err(ManifestError::Order(number));
            }
            if name.folders().any(|folder| entries.contains_key(folder)) {
                return Err(ManifestError::Below(number));
            }
            entries.insert(name, entry);
        }
        Ok(Self(entries))
    }
}

/// A line, with its end.
fn line(name: &Name, entry: &Entry) -> Vec<u8> {
    let name = name.as_bytes();
    match entry {
        Entry::File(hash) => {
            let escaped = escape(name, b"");
            // The format says with this character that the name is escaped.
            let mark: &[u8] = if escaped == name { b"" } else { b"\\" };
            let hash = hex::encode(hash);
            [mark, hash.as_bytes(), b"  ", &escaped, b"\n"].concat()
        }
        Entry::Link(target) => [
            LINK,
            &escape(name, b">"),
            ARROW,
            &escape(target, b">"),
            b"\n",
        ]
        .concat(),
    }
}

/// The name and the entry of a line. Not every such line is one that [`line`] returns.
fn parse(line: &[u8]) -> Option<(Vec<u8>, Entry)> {
    let line = line.strip_suffix(b"\n")?;
    if let Some(link) = line.strip_prefix(LINK) {
        let at = link
            .windows(ARROW.len())
            .position(|window| window == ARROW)?;
        let (name, target) = (link.get(..at)?, link.get(at + ARROW.len()..)?);
        let target = unescape(target).filter(|target| !target.is_empty())?;
        return Some((unescape(name)?, Entry::Link(target)));
    }
    let (line, is_escaped) = match line.strip_prefix(b"\\") {
        Some(line) => (line, true),
        None => (line, false),
    };
    let (digits, name) = line.split_at_checked(128)?;
    let name = name.strip_prefix(b"  ")?;
    let mut hash = [0; 64];
    hex::decode_to_slice(digits, &mut hash).ok()?;
    let name = if is_escaped {
        unescape(name)?
    } else {
        name.to_vec()
    };
    Some((name, Entry::File(hash)))
}

/// Escapes as GNU coreutils does, and `also` other characters.
fn escape(bytes: &[u8], also: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            b'\n' => escaped.extend(b"\\n"),
            b'\r' => escaped.extend(b"\\r"),
            b'\\' => escaped.extend(b"\\\\"),
            byte if also.contains(byte) => escaped.extend([b'\\', *byte]),
            byte => escaped.push(*byte),
        }
    }
    escaped
}

fn unescape(mut text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    while let Some((first, rest)) = text.split_first() {
        let (byte, rest) = match (first, rest) {
            (b'\\', [b'n', rest @ ..]) => (b'\n', rest),
            (b'\\', [b'r', rest @ ..]) => (b'\r', rest),
            (b'\\', [byte @ (b'\\' | b'>'), rest @ ..]) => (*byte, rest),
            (b'\\', _) => return None,
            (byte, rest) => (*byte, rest),
        };
        bytes.push(byte);
        text = rest;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::{Entry, Manifest, ManifestError, Name};

    const HASH: &str = "ab";

    fn file(name: &str) -> String {
        format!("{}  {name}\n", HASH.repeat(64))
    }

    fn escaped(name: &str) -> String {
        format!("\\{}", file(name))
    }

    #[test]
    fn every_name_and_target() {
        let names: [&[u8]; 12] = [
            b"a",
            b"a.b",
            b"c/b",
            b"#",
            b" a ",
            b"*a",
            b"new\nline",
            b"return\r",
            b"back\\slash",
            b"a -> b",
            b"a\\> -> \\\n",
            b"\xff\xfe",
        ];
        let mut manifest = Manifest::default();
        for (index, name) in names.iter().enumerate() {
            let link = [b"link ", *name].concat();
            for (name, entry) in [
                ([b"file ", *name].concat(), Entry::File([index as u8; 64])),
                (link, Entry::Link(name.to_vec())),
            ] {
                manifest.0.insert(Name::new(name).unwrap(), entry);
            }
        }
        assert_eq!(manifest.0.len(), 2 * names.len());
        let bytes = manifest.to_bytes().unwrap();
        assert_eq!(Manifest::from_bytes(&bytes).unwrap(), manifest);
        // Every byte counts: no other text has the same entries.
        for index in 0..bytes.len() {
            for other in [bytes[index] ^ 1, bytes[index] ^ 0x20, b'\n', b'\\'] {
                let mut changed = bytes.clone();
                changed[index] = other;
                if let Ok(read) = Manifest::from_bytes(&changed) {
                    assert_eq!(read == manifest, changed == bytes, "{index}");
                }
            }
            let _ = Manifest::from_bytes(&bytes[..index]);
        }
    }

    #[test]
    fn lines_of_an_attacker() {
        let good = [file("a"), "# link: b -> ../c\n".into(), file("c/d")].concat();
        assert_eq!(Manifest::from_bytes(good.as_bytes()).unwrap().0.len(), 3);
        assert!(Manifest::from_bytes(b"").unwrap().0.is_empty());
        let line = ManifestError::Line(1);
        let name = ManifestError::Name(1);
        for (text, error) in [
            ("\n".into(), &line),
            (file("a").trim_end().into(), &line),
            (file("a").replace("  ", " *"), &line),
            (file("a").replace("  ", " "), &line),
            (file("a").replace("ab", "AB"), &line),
            (file("a").replacen("ab", "a", 1), &line),
            (file("a").replacen("ab", "ag", 1), &line),
            (file("a").replace('\n', "\r\n"), &line),
            (file("a\\b"), &line),
            (escaped("a"), &line),
            (escaped("a\\x"), &line),
            (escaped("a\\>b"), &line),
            ("# a comment\n".into(), &line),
            ("# link: a\n".into(), &line),
            ("# link: a -> \n".into(), &line),
            ("# link: a -> b>\n".into(), &line),
            (file(""), &name),
            (file("/a"), &name),
            (file("./a"), &name),
            (file("a/"), &name),
            (file("a//b"), &name),
            (file("a/./b"), &name),
            (file(".."), &name),
            (file("../a"), &name),
            (file("a/../../b"), &name),
            (file("a\0b"), &name),
            (file("SHA512SUMS"), &name),
            (file("SHA512SUMS.sig"), &name),
            ("# link: ../a -> b\n".into(), &name),
            ("# link: SHA512SUMS -> b\n".into(), &name),
            (file("a") + &file("a"), &ManifestError::Order(2)),
            (file("a") + "# link: a -> b\n", &ManifestError::Order(2)),
            (file("b") + &file("a"), &ManifestError::Order(2)),
            (file("a") + &file("a/b"), &ManifestError::Below(2)),
            (
                "# link: a -> /\n".to_owned() + &file("a/b/c"),
                &ManifestError::Below(2),
            ),
            (file("a") + "\n", &ManifestError::Line(2)),
        ] {
            let read = Manifest::from_bytes(text.as_bytes());
            assert_eq!(read.unwrap_err(), *error, "{text}");
        }
    }
}
