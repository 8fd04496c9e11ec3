//! Messages that are signed, written, read and verified.

use moissanite::PreparedVerifyingKey;
use moissanite_cms::{
    Content, ContentDigest, DigestAlgorithm, Error, Fips204, InvalidSigners, Message, MlDsa44,
    MlDsa65, MlDsa87, ObjectIdentifier, SignedData, SignedDataBuilder, Signer, SignerIdentifier,
    SysRng, TrustedSigner, VerifyAllError,
};

use crate::{CONTENT, certificate_with, issue, key, pair};

const SIGNING_TIME: u64 = 1_795_392_000;

/// The message after it was written and read.
fn read_again(signed: &SignedData) -> SignedData {
    let read = SignedData::from_der(signed.as_der()).unwrap();
    assert_eq!(&read, signed);
    let read = SignedData::from_pem(signed.to_pem().unwrap()).unwrap();
    assert_eq!(&read, signed);
    read
}

fn round_trips<P: Fips204>(digests: usize)
where
    PreparedVerifyingKey<P>: Send + Sync,
{
    let key = key::<P>(1);
    let certificate = issue(&key);
    let by_certificate = TrustedSigner::from_certificate(&certificate).unwrap();
    let by_key = TrustedSigner::from_key(key.verifying_key());
    let mut suitable = 0;
    for digest in DigestAlgorithm::ALL {
        let signer = Signer::new(&key, certificate.clone()).unwrap();
        let Ok(signer) = signer.with_digest(digest) else {
            continue;
        };
        suitable += 1;
        for signer in [signer, {
            let signer = Signer::new(&key, certificate.clone()).unwrap();
            let signer = signer.with_digest(digest).unwrap();
            signer
                .with_subject_key_identifier()
                .unwrap()
                .without_certificates()
        }] {
            for message in [
                Message::attached(CONTENT),
                Message::attached(b""),
                Message::detached(CONTENT),
                Message::detached(CONTENT).with_signing_time(SIGNING_TIME),
                Message::attached(CONTENT).without_signed_attributes(),
                Message::detached(CONTENT).without_signed_attributes(),
            ] {
                let signed = signer.try_sign_with_rng(&mut SysRng, &message).unwrap();
                let signed = read_again(&signed);
                let content = if signed.is_attached() {
                    Content::Attached
                } else {
                    Content::Detached(CONTENT)
                };
                for trusted in [&by_certificate, &by_key] {
                    let verified = signed.verify(content, trusted).unwrap();
                    assert_eq!(verified.signers().len(), 1);
                    let expected = signed.unverified_content().unwrap_or(CONTENT);
                    assert_eq!(verified.content(), Some(expected));
                    let _ = signed.verify_all(content, &[trusted]).unwrap();
                }
                let info = signed.unverified_signers().next().unwrap();
                let attributes = info.has_signed_attributes();
                assert_eq!(info.digest_algorithm(), attributes.then_some(digest));
            }
        }
    }
    assert_eq!(suitable, digests);
}

#[test]
fn ml_dsa_44_messages_with_each_digest() {
    round_trips::<MlDsa44>(8);
}

#[test]
fn ml_dsa_65_messages_with_each_digest() {
    round_trips::<MlDsa65>(5);
}

#[test]
fn ml_dsa_87_messages_with_each_digest() {
    round_trips::<MlDsa87>(3);
}

#[test]
fn deterministic_messages_are_equal() {
    let (signer, _) = pair();
    let message = Message::attached(CONTENT);
    let first = signer.try_sign(&message).unwrap();
    assert_eq!(first, signer.try_sign(&message).unwrap());
    assert_ne!(
        first,
        signer.try_sign_with_rng(&mut SysRng, &message).unwrap()
    );
}

#[test]
fn a_content_in_pieces_is_signed_and_verified() {
    let (signer, trusted) = pair();
    let mut digest = ContentDigest::new([DigestAlgorithm::Sha512]);
    digest.update(&CONTENT[..5]);
    digest.update(&CONTENT[5..]);
    let signed = signer.try_sign(&Message::detached_digest(&digest)).unwrap();
    assert_eq!(
        signed,
        signer.try_sign(&Message::detached(CONTENT)).unwrap()
    );

    let mut digest = signed.content_digest();
    digest.update(CONTENT);
    let verified = signed.verify(Content::DetachedDigest(&digest), &trusted);
    assert_eq!(verified.unwrap().content(), None);
    digest.update(b"!");
    let verified = signed.verify(Content::DetachedDigest(&digest), &trusted);
    assert_eq!(verified.unwrap_err(), Error::WrongDigest);
    let other = ContentDigest::new([DigestAlgorithm::Sha256]);
    let verified = signed.verify(Content::DetachedDigest(&other), &trusted);
    assert_eq!(verified.unwrap_err(), Error::ContentRequired);
    let message = Message::detached_digest(&other);
    assert_eq!(
        signer.try_sign(&message).unwrap_err(),
        Error::ContentRequired
    );
    let message = message.without_signed_attributes();
    assert_eq!(
        signer.try_sign(&message).unwrap_err(),
        Error::ContentRequired
    );
}

#[test]
fn signing_times_are_read_back() {
    let (signer, trusted) = pair();
    // UTCTime until 2049, and GeneralizedTime from 2050 on.
    for seconds in [
        0,
        SIGNING_TIME,
        2_524_607_999,
        2_524_608_000,
        253_402_300_799,
    ] {
        let message = Message::attached(CONTENT).with_signing_time(seconds);
        let signed = read_again(&signer.try_sign(&message).unwrap());
        let verified = signed.verify(Content::Attached, &trusted).unwrap();
        assert_eq!(
            verified.signers().next().unwrap().signing_time(),
            Some(seconds)
        );
    }
    let message = Message::attached(CONTENT).with_signing_time(253_402_300_800);
    assert_eq!(signer.try_sign(&message).unwrap_err(), Error::SigningTime);
}

#[test]
fn other_content_types_need_signed_attributes() {
    let (signer, trusted) = pair();
    let other = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.1.4");
    let message = Message::attached(CONTENT).with_content_type(other);
    let signed = read_again(&signer.try_sign(&message).unwrap());
    let verified = signed.verify(Content::Attached, &trusted).unwrap();
    assert_eq!(verified.content_type(), other);
    let required = Err(Error::SignedAttributesRequired);
    assert_eq!(
        signer.try_sign(&message.without_signed_attributes()),
        required
    );
    let message = Message::attached(CONTENT).with_signing_time(1);
    assert_eq!(
        signer.try_sign(&message.without_signed_attributes()),
        required
    );
}

#[test]
fn several_signers_are_verified_together_or_alone() {
    let (first, second, third) = (key::<MlDsa44>(1), key::<MlDsa65>(2), key::<MlDsa87>(3));
    let sign = |key, serial| certificate_with(key, serial, None).unwrap();
    let a = Signer::new(&first, sign(&first, 1)).unwrap();
    let b = Signer::new(&second, certificate_with(&second, 2, None).unwrap()).unwrap();
    let b = b.with_subject_key_identifier().unwrap();
    let trusted = [
        TrustedSigner::from_certificate(a.certificate()).unwrap(),
        TrustedSigner::from_certificate(b.certificate()).unwrap(),
        TrustedSigner::from_key(third.verifying_key()),
    ];
    let message = Message::attached(CONTENT);
    let builder = SignedDataBuilder::new(&message);
    assert_eq!(builder.clone().finish().unwrap_err(), Error::NoSigners);
    let signed = builder
        .try_sign(&a)
        .unwrap()
        .try_sign(&b)
        .unwrap()
        .finish()
        .unwrap();
    let signed = read_again(&signed);
    assert_eq!(signed.untrusted_certificates().len(), 2);
    for trusted in &trusted[..2] {
        let verified = signed.verify(Content::Attached, trusted).unwrap();
        assert_eq!(verified.signers().len(), 1);
    }
    let refused = signed.verify(Content::Attached, &trusted[2]).unwrap_err();
    assert_eq!(refused, Error::UnknownSigner);

    let both = [&trusted[0], &trusted[1]];
    let verified = signed.verify_all(Content::Attached, &both).unwrap();
    assert_eq!(verified.signers().len(), 2);
    let failures = |signers: &[&TrustedSigner]| -> InvalidSigners {
        match signed.verify_all(Content::Attached, signers) {
            Err(VerifyAllError::Signers(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    let error = failures(&both[..1]);
    assert_eq!(error.results().filter(Result::is_ok).count(), 1);
    assert_eq!(error.missing().len(), 0);
    let error = failures(&[&trusted[0], &trusted[1], &trusted[2]]);
    assert!(error.results().all(|result| result.is_ok()));
    assert!(error.missing().eq([2]));
    assert_eq!(failures(&[]).results().len(), 2);
}

#[test]
fn a_message_names_its_signer_and_has_the_chain() {
    let (signer, _) = pair();
    let other = issue(&key::<MlDsa87>(9));
    let signer = signer.with_chain(vec![other.clone()]);
    let signed = read_again(&signer.try_sign(&Message::attached(CONTENT)).unwrap());
    let info = signed.unverified_signers().next().unwrap();
    // Both certificates have the same issuer and serial number: the first in DER is found.
    assert!(info.untrusted_certificate().is_some());
    assert!(
        signed
            .untrusted_certificates()
            .any(|certificate| *certificate == other)
    );
    let body = signer.certificate().x509().tbs_certificate();
    let expected = SignerIdentifier::IssuerAndSerialNumber(body.issuer(), body.serial_number());
    assert_eq!(info.identifier(), expected);
}
