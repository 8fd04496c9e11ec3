//! Manifests of folders, as `sign --recursive` writes them. The input is the text of one.
//!
//! What is read is written in the same way, and has only paths that stay in the folder and none below a file. It
//! differs from the manifest of the folder `folder`, beside the targets, in the names that `verify --recursive`
//! reports. An error shows nothing of the text.
#![no_main]

use std::collections::BTreeSet;
use std::path::{Component, Path};

use libfuzzer_sys::fuzz_target;
use moissanite_cli::fuzzing::folders::Listed;
use moissanite_fuzz::{assert_hidden, once};

/// Longer than any word of an error.
const WORD: usize = 24;
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/folder");

/// The manifest of the folder.
struct Recorded(Listed);

fuzz_target!(|text: &[u8]| {
    let folder = Path::new(FOLDER);
    let Recorded(recorded) = once(|| Recorded(Listed::record(folder).expect("a folder")));
    match Listed::read(text) {
        Ok(listed) => {
            assert_eq!(listed.written, text);
            let paths: BTreeSet<_> = listed.paths().collect();
            let lines = text.iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(paths.len(), lines, "each line has another name");
            for path in &paths {
                check(path);
                let mut above = path.ancestors().skip(1);
                assert!(!above.any(|one| paths.contains(one)), "{path:?}");
            }
            let differences = listed.differences(folder).expect("it was read before");
            assert_eq!(differences, different(text, &recorded.written));
        }
        Err(message) => assert_hidden(&message, text, WORD),
    }
});

/// Checks that a path is that of a file within the folder, and not of one of the two of the manifest.
fn check(path: &Path) {
    let text = path.to_string_lossy();
    // Components leave out empty parts and single dots.
    let parts = path.components();
    let normal = parts.filter(|part| matches!(part, Component::Normal(_)));
    assert_eq!(normal.count(), text.split('/').count(), "{path:?}");
    let own = ["SHA512SUMS", "SHA512SUMS.sig"];
    assert!(!text.contains('\0') && !own.contains(&&*text), "{path:?}");
}

/// The names of the lines that only one of two manifests has, in the order of bytes.
fn different(text: &[u8], other: &[u8]) -> Vec<Vec<u8>> {
    let lines = |text: &[u8]| -> BTreeSet<_> {
        text.split(|byte| *byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect()
    };
    let (lines, others) = (lines(text), lines(other));
    let only_one = lines.symmetric_difference(&others);
    let names: BTreeSet<_> = only_one.map(|line| name(line)).collect();
    names.into_iter().collect()
}

/// The name of a line: of a link, or of a file after its hash.
fn name(line: &[u8]) -> Vec<u8> {
    let escaped = match line.strip_prefix(b"# link: ") {
        Some(link) => {
            let end = link.windows(4).position(|four| four == b" -> ");
            &link[..end.expect("a link has a target")]
        }
        None => match line.strip_prefix(b"\\") {
            Some(line) => &line[130..],
            None => return line[130..].to_vec(),
        },
    };
    let mut name = Vec::new();
    let mut bytes = escaped.iter();
    while let Some(byte) = bytes.next() {
        name.push(match byte {
            b'\\' => match bytes.next() {
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                other => *other.expect("a backslash is not last"),
            },
            byte => *byte,
        });
    }
    name
}
