//! Messages that are refused, each for one reason.

use cms::content_info::{CmsVersion, ContentInfo};
use cms::signed_data::{self, EncapsulatedContentInfo, SignerInfo};
use der::asn1::{Any, OctetString, SetOfVec};
use der::{Decode, Encode};
use moissanite::signature::Signer as _;
use moissanite_cms::{
    Content, DigestAlgorithm, Error, Message, MlDsa44, MlDsa65, MlDsa87, ObjectIdentifier,
    SignedData, Signer, TrustedSigner, VerifyAllError,
};
use x509_cert::attr::{Attribute, Attributes};
use x509_cert::ext::pkix::KeyUsages;

use crate::{CONTENT, certificate_with, issue, key, pair};

const CONTENT_TYPE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.3");
const MESSAGE_DIGEST: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.4");
const SIGNING_TIME: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.5");
const PROTECTION: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.52");
const OTHER: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.1.4");

/// A change of signed attributes.
type Edit<'a> = &'a dyn Fn(&mut Vec<Attribute>);

/// Reads a message with the types of the crate `cms`, changes it and writes it again.
fn change(signed: &SignedData, change: impl FnOnce(&mut signed_data::SignedData)) -> Vec<u8> {
    let mut info = ContentInfo::from_der(signed.as_der()).unwrap();
    let mut data: signed_data::SignedData = info.content.decode_as().unwrap();
    change(&mut data);
    info.content = Any::encode_from(&data).unwrap();
    info.to_der().unwrap()
}

/// Changes the only signer.
fn change_signer(signed: &SignedData, edit: impl FnOnce(&mut SignerInfo)) -> Vec<u8> {
    change(signed, |data| {
        let mut info = data.signer_infos.0.get(0).unwrap().clone();
        edit(&mut info);
        data.signer_infos = vec![info].try_into().unwrap();
    })
}

/// Changes the signed attributes, and signs them.
fn change_attributes(signed: &SignedData, edit: impl FnOnce(&mut Vec<Attribute>)) -> Vec<u8> {
    change_signer(signed, |info| {
        let mut attributes = info.signed_attrs.clone().unwrap().into_vec();
        edit(&mut attributes);
        let attributes: Attributes = attributes.try_into().unwrap();
        let signature = key::<MlDsa44>(1)
            .try_sign(&attributes.to_der().unwrap())
            .unwrap();
        info.signature = OctetString::new(signature.as_ref()).unwrap();
        info.signed_attrs = Some(attributes);
    })
}

fn attribute(oid: ObjectIdentifier, value: &impl Encode) -> Attribute {
    let value = Any::from_der(&value.to_der().unwrap()).unwrap();
    let values = SetOfVec::try_from(vec![value]).unwrap();
    Attribute { oid, values }
}

fn attached() -> SignedData {
    pair().0.try_sign(&Message::attached(CONTENT)).unwrap()
}

fn verify(der: &[u8]) -> Result<(), Error> {
    let signed = SignedData::from_der(der)?;
    signed.verify(Content::Attached, &pair().1).map(|_| ())
}

#[test]
fn the_changes_of_these_tests_alone_are_accepted() {
    assert_eq!(verify(&change(&attached(), |_| {})), Ok(()));
    assert_eq!(verify(&change_attributes(&attached(), |_| {})), Ok(()));
    let unknown = |attributes: &mut Vec<_>| attributes.push(attribute(OTHER, &OTHER));
    assert_eq!(verify(&change_attributes(&attached(), unknown)), Ok(()));
}

#[test]
fn attributes() {
    let cases: [(Error, Edit<'_>); 11] = [
        (Error::ContentType, &|all| {
            all.retain(|one| one.oid != CONTENT_TYPE);
        }),
        (Error::NoMessageDigest, &|all| {
            all.retain(|one| one.oid != MESSAGE_DIGEST);
        }),
        (Error::Attribute, &|all| {
            all.push(attribute(CONTENT_TYPE, &OTHER));
        }),
        (Error::Attribute, &|all| {
            all.extend(all.iter().find(|one| one.oid == MESSAGE_DIGEST).cloned());
        }),
        (Error::Attribute, &|all| {
            for one in all.iter_mut().filter(|one| one.oid == CONTENT_TYPE) {
                let other = attribute(CONTENT_TYPE, &OTHER).values.into_vec();
                one.values.insert(other[0].clone()).unwrap();
            }
        }),
        (Error::Attribute, &|all| all[0].values = SetOfVec::default()),
        (Error::ContentType, &|all| {
            all.retain(|one| one.oid != CONTENT_TYPE);
            all.push(attribute(CONTENT_TYPE, &OTHER));
        }),
        (Error::WrongDigest, &|all| {
            all.retain(|one| one.oid != MESSAGE_DIGEST);
            all.push(attribute(
                MESSAGE_DIGEST,
                &OctetString::new([0; 64]).unwrap(),
            ));
        }),
        (Error::WrongDigest, &|all| {
            all.retain(|one| one.oid != MESSAGE_DIGEST);
            all.push(attribute(MESSAGE_DIGEST, &OctetString::new([]).unwrap()));
        }),
        (Error::Attribute, &|all| {
            all.push(attribute(SIGNING_TIME, &OTHER));
        }),
        (Error::Attribute, &|all| {
            let time = der::DateTime::new(2026, 1, 1, 0, 0, 0).unwrap();
            let time = der::asn1::GeneralizedTime::from_date_time(time);
            all.push(attribute(SIGNING_TIME, &time));
        }),
    ];
    for (i, (error, edit)) in cases.iter().enumerate() {
        let message = change_attributes(&attached(), edit);
        assert_eq!(verify(&message), Err(*error), "case {i}");
    }
}

#[test]
fn the_protection_of_algorithms() {
    let other = pair().0.with_digest(DigestAlgorithm::Sha384).unwrap();
    let other = other.try_sign(&Message::attached(CONTENT)).unwrap();
    let mut protection = None;
    let _ = change_attributes(&other, |all| {
        protection = all.iter().find(|one| one.oid == PROTECTION).cloned();
    });
    let message = change_attributes(&attached(), |all| {
        all.retain(|one| one.oid != PROTECTION);
        all.extend(protection);
    });
    assert_eq!(verify(&message), Err(Error::AlgorithmProtection));
    let message = change_attributes(&attached(), |all| all.retain(|one| one.oid != PROTECTION));
    assert_eq!(verify(&message), Ok(()));
}

#[test]
fn algorithms() {
    let with = |edit: fn(&mut SignerInfo)| verify(&change_signer(&attached(), edit));
    let null = || Some(Any::null());
    assert_eq!(
        with(|info| info.digest_alg.oid = OTHER),
        Err(Error::DigestAlgorithm)
    );
    let integer = |info: &mut SignerInfo| {
        info.digest_alg.parameters = Some(Any::encode_from(&1_u8).unwrap());
    };
    assert_eq!(with(integer), Err(Error::DigestAlgorithm));
    let unlisted = |info: &mut SignerInfo| info.digest_alg.oid = DigestAlgorithm::Sha256.oid();
    assert_eq!(with(unlisted), Err(Error::UnlistedDigest));
    let algorithm = |info: &mut SignerInfo| {
        info.signature_algorithm.oid = moissanite::keys::oid::<MlDsa65>();
    };
    assert_eq!(with(algorithm), Err(Error::SignatureAlgorithm));
    let message = change_signer(&attached(), |info| {
        info.signature_algorithm.parameters = null();
    });
    assert_eq!(verify(&message), Err(Error::SignatureAlgorithm));
    // RFC 5754 requires a reader to accept NULL for SHA-2, which the protection of algorithms would contradict.
    let message = change_attributes(&attached(), |all| all.retain(|one| one.oid != PROTECTION));
    let message = SignedData::from_der(&message).unwrap();
    let message = change_signer(&message, |info| info.digest_alg.parameters = null());
    assert_eq!(verify(&message), Ok(()));
}

#[test]
fn weak_digests() {
    let key = key::<MlDsa87>(1);
    let certificate = issue(&key);
    let signer = Signer::new(&key, certificate.clone()).unwrap();
    let signed = signer.try_sign(&Message::attached(CONTENT)).unwrap();
    let weak = signer.with_digest(DigestAlgorithm::Sha384).unwrap_err();
    assert_eq!(weak, Error::WeakDigest);
    let message = change_signer(&signed, |info| {
        info.digest_alg.oid = DigestAlgorithm::Sha384.oid();
    });
    let signed = SignedData::from_der(&message).unwrap();
    let trusted = TrustedSigner::from_certificate(&certificate).unwrap();
    let refused = signed.verify(Content::Attached, &trusted).unwrap_err();
    assert_eq!(refused, Error::WeakDigest);
}

#[test]
fn signatures() {
    let message = change_signer(&attached(), |info| {
        let mut bytes = info.signature.as_bytes().to_vec();
        bytes[100] ^= 1;
        info.signature = OctetString::new(bytes).unwrap();
    });
    assert_eq!(verify(&message), Err(Error::InvalidSignature));
    let message = change_signer(&attached(), |info| {
        info.signature = OctetString::new([0; 3]).unwrap();
    });
    assert_eq!(verify(&message), Err(Error::InvalidSignature));
}

#[test]
fn versions() {
    let signer = change_signer(&attached(), |info| info.version = CmsVersion::V3);
    assert_eq!(verify(&signer), Err(Error::Version));
    let whole = change(&attached(), |data| data.version = CmsVersion::V3);
    assert_eq!(verify(&whole), Err(Error::Version));
    let content_type = change(&attached(), |data| {
        data.encap_content_info.econtent_type = OTHER;
    });
    assert_eq!(verify(&content_type), Err(Error::Version));
    let content_type = change(&attached(), |data| {
        data.version = CmsVersion::V3;
        data.encap_content_info.econtent_type = OTHER;
    });
    assert_eq!(verify(&content_type), Err(Error::ContentType));
}

#[test]
fn the_place_of_the_content() {
    let (signer, trusted) = pair();
    let attached = attached();
    let detached = signer.try_sign(&Message::detached(CONTENT)).unwrap();
    let error = |signed: &SignedData, content| signed.verify(content, &trusted).unwrap_err();
    assert_eq!(
        error(&attached, Content::Detached(CONTENT)),
        Error::Attached
    );
    assert_eq!(error(&detached, Content::Attached), Error::Detached);
    assert_eq!(
        error(&detached, Content::Detached(b"other")),
        Error::WrongDigest
    );
    let all = detached
        .verify_all(Content::Attached, &[&trusted])
        .unwrap_err();
    assert_eq!(all, VerifyAllError::Message(Error::Detached));
    let bare = signer
        .try_sign(&Message::detached(CONTENT).without_signed_attributes())
        .unwrap();
    assert_eq!(
        error(&bare, Content::Detached(b"other")),
        Error::InvalidSignature
    );
    let digest = bare.content_digest();
    assert_eq!(
        error(&bare, Content::DetachedDigest(&digest)),
        Error::ContentRequired
    );
}

#[test]
fn signed_attributes_as_content() {
    let (signer, trusted) = pair();
    let mut attributes = Vec::new();
    let mut signature = None;
    let _ = change_signer(&attached(), |info| {
        attributes = info.signed_attrs.as_ref().unwrap().to_der().unwrap();
        signature = Some(info.signature.clone());
    });
    let message = Message::attached(&attributes).without_signed_attributes();
    assert_eq!(
        signer.try_sign(&message).unwrap_err(),
        Error::AmbiguousContent
    );
    let message = change(&attached(), |data| {
        let content = Any::new(der::Tag::OctetString, attributes).unwrap();
        data.encap_content_info.econtent = Some(content);
        let mut info = data.signer_infos.0.get(0).unwrap().clone();
        info.signed_attrs = None;
        data.signer_infos = vec![info].try_into().unwrap();
    });
    // Without this check, the signature would be valid.
    let signed = SignedData::from_der(&message).unwrap();
    let refused = signed.verify(Content::Attached, &trusted).unwrap_err();
    assert_eq!(refused, Error::AmbiguousContent);
}

#[test]
fn missing_attributes_of_other_content_types() {
    let signed = pair()
        .0
        .try_sign(&Message::attached(CONTENT).without_signed_attributes());
    let message = change(&signed.unwrap(), |data| {
        data.version = CmsVersion::V3;
        data.encap_content_info.econtent_type = OTHER;
    });
    assert_eq!(verify(&message), Err(Error::SignedAttributesRequired));
}

#[test]
fn certificates() {
    let key1 = key::<MlDsa44>(1);
    let other = issue(&key::<MlDsa44>(2));
    assert_eq!(
        Signer::new(&key1, other).unwrap_err(),
        Error::OtherPublicKey
    );
    let other = issue(&key::<MlDsa65>(1));
    assert_eq!(Signer::new(&key1, other).unwrap_err(), Error::PublicKey);
    for (usage, accepted) in [
        (KeyUsages::KeyCertSign, false),
        (KeyUsages::DigitalSignature, true),
        (KeyUsages::NonRepudiation, true),
    ] {
        let certificate = certificate_with(&key1, 1, Some(usage)).unwrap();
        let expected = if accepted {
            None
        } else {
            Some(Error::KeyUsage)
        };
        assert_eq!(
            TrustedSigner::from_certificate(&certificate).err(),
            expected
        );
        assert_eq!(Signer::new(&key1, certificate).err(), expected);
    }
    // Another certificate of the same key is not the one that the message names.
    let other = certificate_with(&key1, 2, None).unwrap();
    let trusted = TrustedSigner::from_certificate(&other).unwrap();
    let refused = attached().verify(Content::Attached, &trusted).map(|_| ());
    assert_eq!(refused, Err(Error::UnknownSigner));
}

#[test]
fn messages_that_are_not_der() {
    let signed = attached();
    let mut longer = signed.as_der().to_vec();
    longer.push(0);
    assert_eq!(SignedData::from_der(&longer).unwrap_err(), Error::Der);
    // Indefinite length.
    let mut indefinite = vec![0x30, 0x80];
    indefinite.extend_from_slice(&signed.as_der()[4..]);
    indefinite.extend_from_slice(&[0, 0]);
    assert_eq!(SignedData::from_der(&indefinite).unwrap_err(), Error::Der);
    // The first two attributes in the wrong order.
    let mut swapped = signed.as_der().to_vec();
    let at = |oid: &[u8]| {
        swapped
            .windows(oid.len())
            .position(|bytes| bytes == oid)
            .unwrap()
            - 2
    };
    let (first, second) = (
        at(&[6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 3]),
        at(&[6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 52]),
    );
    assert!(first < second);
    let end = second + 2 + usize::from(swapped[second + 1]);
    swapped[first..end].rotate_left(second - first);
    assert_eq!(SignedData::from_der(&swapped).unwrap_err(), Error::Der);
}

#[test]
fn other_messages() {
    let mut info = ContentInfo::from_der(attached().as_der()).unwrap();
    info.content_type = OTHER;
    let refused = SignedData::from_der(&info.to_der().unwrap()).unwrap_err();
    assert_eq!(refused, Error::NotSignedData);
    let pem = attached().to_pem().unwrap().replace("CMS", "PKCS7");
    assert_eq!(SignedData::from_pem(pem).unwrap_err(), Error::Pem);
    let none = change(&attached(), |data| {
        data.signer_infos = vec![].try_into().unwrap();
    });
    assert_eq!(verify(&none), Err(Error::NoSigners));
    let text = change(&attached(), |data| {
        let content = Any::new(der::Tag::Utf8String, CONTENT).unwrap();
        let econtent_type = data.encap_content_info.econtent_type;
        let econtent = Some(content);
        data.encap_content_info = EncapsulatedContentInfo {
            econtent_type,
            econtent,
        };
    });
    assert_eq!(verify(&text), Err(Error::Der));
    let empty = change_signer(&attached(), |info| {
        info.signed_attrs = Some(SetOfVec::default());
    });
    assert_eq!(verify(&empty), Err(Error::Attribute));
}
