//! Certificates, CRLs and paths. The input is a list of certificates and CRLs in DER or PEM, each after its
//! length in two bytes.
//!
//! A certificate that is valid without its path has one encoding, and so has a CRL without its signature. A path
//! from the first certificate to the root has only certificates that the keys of the seeds signed. With CRLs of
//! the input, a path from the server of the seeds to the root is valid only with CRLs of the seeds, of which none
//! lists it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite_cli::fuzzing::{Certificates, Crls};
use moissanite_fuzz::{Input, once};

/// The seeds with one certificate each.
const ISSUED: [&[u8]; 3] = [
    include_bytes!("../seeds/certificates/root"),
    include_bytes!("../seeds/certificates/authority"),
    include_bytes!("../seeds/certificates/server"),
];
/// The seed with the CRLs of the authority and of the root, which do not list these.
const CRLS: &[u8] = include_bytes!("../seeds/certificates/crls");
/// In 2030, when these are valid.
const AT: u64 = 1_900_000_000;
/// The largest number of certificates in an input.
const MOST: usize = 4;

fuzz_target!(|bytes: &[u8]| {
    let Seeds { root, chain } = once(seeds);
    let files = files(bytes);
    let certificates = Certificates::read(&files);
    for (der, encoded) in certificates.sound() {
        assert_eq!(der, encoded);
    }
    certificates.texts().for_each(drop);
    certificates.permitted().for_each(drop);
    let none = Crls::default();
    for host in [None, Some("a.example")] {
        let path = certificates.path(root, AT, host, &none);
        for certificate in path.unwrap_or_default() {
            let mut issued = ISSUED.iter().flat_map(|bytes| self::files(bytes));
            assert!(issued.any(|one| one == certificate), "it was not issued");
        }
    }
    let crls = Crls::read(&files);
    for (der, encoded) in crls.sound() {
        assert_eq!(der, encoded);
    }
    crls.texts().for_each(drop);
    if !crls.is_empty() && chain.path(root, AT, None, &crls).is_ok() {
        for issued in self::files(CRLS) {
            let mut sound = crls.sound();
            assert!(
                sound.any(|(der, _)| der == issued),
                "its CRL was not issued"
            );
        }
    }
});

/// The certificates of the seeds.
struct Seeds {
    root: Certificates,
    /// A server and the authority that issued it.
    chain: Certificates,
}

/// The root, to which the other two are a valid path, with CRLs and without.
fn seeds() -> Seeds {
    let [root, authority, server] = ISSUED;
    let root = Certificates::read(&files(root));
    let chain = [server, authority].concat();
    let chain = Certificates::read(&files(&chain));
    for crls in [Crls::default(), Crls::read(&files(CRLS))] {
        let path = chain.path(&root, AT, Some("a.example"), &crls);
        assert_eq!(path.map(|path| path.len()), Ok(ISSUED.len()));
    }
    Seeds { root, chain }
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
