//! Certificates and paths. The input is a list of certificates in DER or PEM, each after its length in two
//! bytes.
//!
//! A certificate that is valid without its path has one encoding. A path from the first certificate to the root
//! has only certificates that the keys of the seeds signed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite_cli::fuzzing::Certificates;
use moissanite_fuzz::{Input, once};

/// The seeds with one certificate each.
const ISSUED: [&[u8]; 3] = [
    include_bytes!("../seeds/certificates/root"),
    include_bytes!("../seeds/certificates/authority"),
    include_bytes!("../seeds/certificates/server"),
];
/// In 2030, when these are valid.
const AT: u64 = 1_900_000_000;
/// The largest number of certificates in an input.
const MOST: usize = 4;

fuzz_target!(|bytes: &[u8]| {
    let root = once(root);
    let certificates = Certificates::read(&files(bytes));
    for (der, encoded) in certificates.sound() {
        assert_eq!(der, encoded);
    }
    certificates.texts().for_each(drop);
    certificates.permitted().for_each(drop);
    for host in [None, Some("a.example")] {
        let path = certificates.path(root, AT, host);
        for certificate in path.unwrap_or_default() {
            let mut issued = ISSUED.iter().flat_map(|bytes| files(bytes));
            assert!(issued.any(|one| one == certificate), "it was not issued");
        }
    }
});

/// The root, to which the other two are a valid path.
fn root() -> Certificates {
    let [root, authority, server] = ISSUED;
    let root = Certificates::read(&files(root));
    let chain = [server, authority].concat();
    let path = Certificates::read(&files(&chain));
    let path = path.path(&root, AT, Some("a.example"));
    assert_eq!(path.map(|path| path.len()), Ok(ISSUED.len()));
    root
}

fn files(bytes: &[u8]) -> Vec<&[u8]> {
    let mut input = Input::new(bytes);
    let mut files = Vec::new();
    while !input.is_empty() && files.len() < MOST {
        let length = input.number();
        files.push(input.take(length));
    }
    files
}
