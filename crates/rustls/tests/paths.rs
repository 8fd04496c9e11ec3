//! The checks of rustls on a path of certificates, and those that the documentation lists as
//! missing.

use std::sync::Arc;

use moissanite::{MlDsa44, MlDsa65, MlDsa87, SigningKey};
use moissanite_rustls::with_ml_dsa;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, Error, RootCertStore};
use x509_cert::ext::pkix::KeyUsages;

use crate::pki::{Authority, Grant, ROOT};

const MIDDLE: Grant = Grant {
    name: "CN=Middle",
    ..ROOT
};
const LOWER: Grant = Grant {
    name: "CN=Lower",
    issuer: MIDDLE.name,
    ..ROOT
};

/// Verifies a host's certificate below up to three authorities.
fn verify(root: Grant, middle: Grant, lower: Option<Grant>) -> Result<(), Error> {
    let [at_root, at_middle] = [1, 2].map(Authority::<MlDsa87>::new);
    let at_lower = Authority::<MlDsa65>::new(3);
    let key = SigningKey::<MlDsa44>::from_seed(&[4; 32].into());
    let mut others = vec![CertificateDer::from(at_root.certify(&at_middle, middle))];
    let leaf = match lower {
        Some(lower) => {
            others.push(at_middle.certify(&at_lower, lower).into());
            at_lower.issue_as(lower.name, &key, "a.example")
        }
        None => at_middle.issue_as(middle.name, &key, "a.example"),
    };
    let mut roots = RootCertStore::empty();
    roots.add(at_root.certify(&at_root, root).into()).unwrap();
    let provider = with_ml_dsa(ring::default_provider());
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::new(provider));
    let host = ServerName::try_from("a.example").unwrap();
    let now = UnixTime::now();
    let verifier = verifier.build().unwrap();
    let verified = verifier.verify_server_cert(&leaf.into(), &others, &host, &[], now);
    verified.map(drop)
}

#[test]
fn what_is_checked() {
    assert_eq!(verify(ROOT, MIDDLE, None), Ok(()));
    assert_eq!(verify(ROOT, MIDDLE, Some(LOWER)), Ok(()));
    let short = Grant {
        path_length: Some(0),
        ..MIDDLE
    };
    assert_eq!(verify(ROOT, short, None), Ok(()));
    let error = verify(ROOT, short, Some(LOWER)).unwrap_err();
    assert!(matches!(error, Error::InvalidCertificate(_)), "{error:?}");
    let early = Grant { from: 1, ..MIDDLE };
    let error = verify(ROOT, early, None).unwrap_err();
    let is_early = |error: &Error| {
        let Error::InvalidCertificate(error) = error else {
            return false;
        };
        matches!(error, CertificateError::NotValidYetContext { .. })
    };
    assert!(is_early(&error), "{error:?}");
}

/// If one of these fails, rustls checks more than the documentation states.
#[test]
fn what_is_not_checked() {
    // No authority may be below this root, and one is.
    let short = Grant {
        path_length: Some(0),
        ..ROOT
    };
    assert_eq!(verify(short, MIDDLE, None), Ok(()));
    // The root is not valid yet.
    let early = Grant { from: 1, ..ROOT };
    assert_eq!(verify(early, MIDDLE, None), Ok(()));
    // Keys that may only sign revocation lists, or only handshakes.
    for usage in [KeyUsages::CRLSign, KeyUsages::DigitalSignature] {
        assert_eq!(verify(Grant { usage, ..ROOT }, MIDDLE, None), Ok(()));
        assert_eq!(verify(ROOT, Grant { usage, ..MIDDLE }, None), Ok(()));
    }
}
