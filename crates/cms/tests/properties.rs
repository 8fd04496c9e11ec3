//! Changed and random messages.

use std::sync::LazyLock;

use moissanite_cms::{Certificate, Content, Message, SignedData, TrustedSigner};
use proptest::prelude::*;

use crate::{CONTENT, pair};

static SIGNED: LazyLock<(SignedData, TrustedSigner)> = LazyLock::new(|| {
    let (signer, trusted) = pair();
    let signer = signer.without_certificates();
    (
        signer.try_sign(&Message::attached(CONTENT)).unwrap(),
        trusted,
    )
});

fn is_accepted(der: &[u8]) -> bool {
    SignedData::from_der(der)
        .is_ok_and(|signed| signed.verify(Content::Attached, &SIGNED.1).is_ok())
}

#[test]
fn every_changed_byte_is_refused() {
    let der = SIGNED.0.as_der();
    assert!(is_accepted(der));
    for i in 0..der.len() {
        let mut changed = der.to_vec();
        changed[i] ^= 1 << (i & 7);
        assert!(!is_accepted(&changed), "byte {i}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_changed_message_is_refused(
        at in any::<prop::sample::Index>(),
        bytes in prop::collection::vec(any::<u8>(), 0..4),
        removed in 0..4_usize,
    ) {
        let der = SIGNED.0.as_der();
        let at = at.index(der.len());
        let end = der.len().min(at + removed);
        let mut changed = der.to_vec();
        changed.splice(at..end, bytes);
        prop_assert_eq!(is_accepted(&changed), changed == der);
    }

    #[test]
    fn random_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(SignedData::from_der(&bytes).is_err());
        prop_assert!(SignedData::from_pem(&bytes).is_err());
        prop_assert!(Certificate::from_der(&bytes).is_err());
    }
}
