//! Certificates with random changes: none is valid, and nothing panics.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::Index;
use x509_cert::Certificate;
use x509_cert::der::Decode;
use x509_cert::time::Validity;

use super::build::{Authority, Contents, Issuer, Published};
use super::chain::{PathValidator, Required};
use super::host::Host;
use super::parsed::ParsedCertificate;
use super::purpose::Purpose;
use super::text;
use crate::algorithm;
use crate::backend::Backend;

/// The fastest algorithm to verify.
const ALGORITHM: &str = "ed25519";

fn parse(der: &[u8]) -> Option<ParsedCertificate> {
    let certificate = Certificate::from_der(der).ok()?;
    ParsedCertificate::new("a file".into(), der, certificate).ok()
}

/// A root and a certificate that it issued for the host `a.example`.
fn chain(backend: Backend) -> [Vec<u8>; 2] {
    let algorithm = algorithm::parse(ALGORITHM).unwrap();
    let [root, leaf] =
        [1, 2].map(|seed| algorithm.private_from_seed(backend, &[seed; 32]).unwrap());
    let issuer = Issuer {
        name: "CN=Root".parse().unwrap(),
        key_identifier: None,
        key: &*root,
        deterministic: true,
    };
    let path_length = Some(0);
    let own = Contents {
        subject: issuer.name.clone(),
        names: vec![],
        purposes: vec![],
        authority: Some(Authority {
            path_length,
            constraints: None,
        }),
        published: Published::default(),
    };
    let server = Contents {
        subject: "CN=Server,O=Example".parse().unwrap(),
        names: vec![Host::parse("a.example").unwrap().to_name().unwrap()],
        purposes: vec![Purpose::SERVER],
        authority: None,
        published: Published::default(),
    };
    let valid = Validity::from_now(Duration::from_secs(9 * 86_400)).unwrap();
    let certificate = |contents, spki: Vec<u8>| issuer.certificate(contents, &spki, valid).unwrap();
    [
        certificate(own, root.public_key().to_spki().unwrap()),
        certificate(server, leaf.public_key().to_spki().unwrap()),
    ]
}

/// Writes bytes over others, puts them between others, or takes others away.
#[derive(Clone, Debug)]
enum Change {
    Write(Index, Vec<u8>),
    Insert(Index, Vec<u8>),
    Remove(Index, usize),
}

impl Change {
    fn any() -> impl Strategy<Value = Self> {
        let bytes = || proptest::collection::vec(any::<u8>(), 1..4);
        prop_oneof![
            (any::<Index>(), bytes()).prop_map(|(at, bytes)| Self::Write(at, bytes)),
            (any::<Index>(), bytes()).prop_map(|(at, bytes)| Self::Insert(at, bytes)),
            (any::<Index>(), 1..4_usize).prop_map(|(at, count)| Self::Remove(at, count)),
        ]
    }

    fn apply(&self, der: &mut Vec<u8>) {
        let (Self::Write(at, _) | Self::Insert(at, _) | Self::Remove(at, _)) = self;
        let at = at.index(der.len());
        let (end, new): (_, &[u8]) = match self {
            Self::Write(_, bytes) => (at + bytes.len(), bytes),
            Self::Insert(_, bytes) => (at, bytes),
            Self::Remove(_, count) => (at + count, &[]),
        };
        der.splice(at..end.min(der.len()), new.iter().copied());
    }
}

#[test]
fn no_change_is_valid() {
    let backend = Backend::choose(None).unwrap();
    let [root, good] = chain(backend);
    let roots = [parse(&root).unwrap()];
    let host = Host::parse("a.example").unwrap();
    let validity = roots[0].body().validity();
    let validator = PathValidator {
        roots: &roots,
        others: &[],
        at: validity.not_before.to_unix_duration(),
        host: Some(&host),
        purpose: Some(Purpose::SERVER),
        crls: &[],
        crls_required: Required::Nothing,
        backend,
    };
    validator.verify(&parse(&good).unwrap()).unwrap();
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(4000)
    };
    proptest!(config, |(changes in proptest::collection::vec(Change::any(), 1..3))| {
        let mut der = good.clone();
        changes.iter().for_each(|change| change.apply(&mut der));
        prop_assume!(der != good);
        if let Some(leaf) = parse(&der) {
            prop_assert!(validator.verify(&leaf).is_err());
            let extensions = leaf.body().extensions();
            extensions.into_iter().flatten().for_each(|extension| drop(text::line(extension)));
            drop(leaf.key(backend));
        }
    });
}
