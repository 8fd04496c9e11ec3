//! Inputs at each limit and beyond it.

use cms::content_info::ContentInfo;
use cms::signed_data;
use der::asn1::{Any, OctetString, SetOfVec};
use der::{Decode, Encode};
use moissanite_cms::{
    Certificate, Content, Error, Message, SignedData, SignedDataBuilder, Signer, SysRng, limits,
};
use moissanite_kats::Failing;
use x509_cert::attr::{Attribute, Attributes};

use crate::{CONTENT, issue, key, pair};

fn too_long<T>(part: &'static str, limit: usize) -> Result<T, Error> {
    Err(Error::TooLong { part, limit })
}

/// Changes the structure of a message with one signer, without its certificate.
fn changed(edit: impl FnOnce(&mut signed_data::SignedData)) -> Vec<u8> {
    let signer = pair().0.without_certificates();
    let signed = signer.try_sign(&Message::attached(CONTENT)).unwrap();
    let mut info = ContentInfo::from_der(signed.as_der()).unwrap();
    let mut data: signed_data::SignedData = info.content.decode_as().unwrap();
    edit(&mut data);
    info.content = Any::encode_from(&data).unwrap();
    info.to_der().unwrap()
}

/// Reads a message, and returns how many signers and certificates it has.
fn read(der: &[u8]) -> Result<(usize, usize), Error> {
    let signed = SignedData::from_der(der)?;
    Ok((
        signed.unverified_signers().len(),
        signed.untrusted_certificates().len(),
    ))
}

#[test]
fn messages_that_are_read() {
    let refused = too_long("message", limits::MESSAGE);
    // At the limit, the decoder decides.
    let mut bytes = vec![b'-'; limits::MESSAGE];
    assert_eq!(SignedData::from_der(&bytes), Err(Error::Der));
    assert_eq!(SignedData::from_pem(&bytes), Err(Error::Pem));
    bytes.push(b'-');
    assert_eq!(SignedData::from_der(&bytes), refused);
    assert_eq!(SignedData::from_pem(&bytes), refused);
}

#[test]
fn messages_that_are_made() {
    let (signer, trusted) = pair();
    let signer = signer.without_certificates();
    let sign = |length| {
        let content = vec![0; length];
        signer.try_sign(&Message::attached(&content).without_signed_attributes())
    };
    let refused = too_long("message", limits::MESSAGE);
    // A content that is too long is refused before it is signed.
    let content = vec![0; limits::MESSAGE + 1];
    let signed = signer.try_sign_with_rng(&mut Failing, &Message::attached(&content));
    assert_eq!(signed, refused);
    let signed = signer.try_sign_with_rng(&mut Failing, &Message::attached(b""));
    assert!(matches!(signed, Err(Error::Signing(_))));
    // Everything but the content has the same length in these messages.
    let rest = sign(1 << 24).unwrap().as_der().len() - (1 << 24);
    let longest = sign(limits::MESSAGE - rest).unwrap();
    assert_eq!(longest.as_der().len(), limits::MESSAGE);
    let longest = SignedData::from_der(longest.as_der()).unwrap();
    assert!(longest.verify(Content::Attached, &trusted).is_ok());
    assert_eq!(sign(limits::MESSAGE - rest + 1), refused);
}

#[test]
fn detached_contents_have_no_limit() {
    let (signer, trusted) = pair();
    let content = vec![0; limits::MESSAGE + 1];
    let signed = signer.try_sign(&Message::detached(&content)).unwrap();
    let verified = signed.verify(Content::Detached(&content), &trusted);
    assert!(verified.is_ok());
}

#[test]
fn certificates_that_are_read() {
    let refused = too_long("certificate", limits::CERTIFICATE);
    let mut bytes = vec![b'-'; limits::CERTIFICATE];
    assert_eq!(Certificate::from_der(&bytes), Err(Error::Certificate));
    assert_eq!(Certificate::from_pem(&bytes), Err(Error::Pem));
    bytes.push(b'-');
    assert_eq!(Certificate::from_der(&bytes), refused);
    assert_eq!(Certificate::from_pem(&bytes), refused);
}

/// Different certificates. Their signatures are not valid, which does not matter here.
fn certificates(number: usize) -> Vec<Certificate> {
    let certificate = issue(&key::<moissanite_cms::MlDsa44>(1));
    let changed = |i: usize| {
        let mut der = certificate.as_der().to_vec();
        *der.last_mut().unwrap() ^= u8::try_from(i).unwrap();
        Certificate::from_der(&der).unwrap()
    };
    (0..number).map(changed).collect()
}

#[test]
fn the_number_of_certificates() {
    let limit = limits::CERTIFICATES;
    let refused = too_long("certificates", limit);
    let with = |number: usize| {
        read(&changed(|data| {
            let choices = certificates(number);
            let choices = choices.iter().map(|one| {
                let one = x509_cert::Certificate::from_der(one.as_der()).unwrap();
                cms::cert::CertificateChoices::Certificate(one)
            });
            let set = choices.collect::<Vec<_>>().try_into().unwrap();
            data.certificates = Some(signed_data::CertificateSet(set));
        }))
    };
    assert_eq!(with(limit), Ok((1, limit)));
    assert_eq!(with(limit + 1).map(|_| ()), refused);

    // The first one is that of the signer.
    let (signer, _) = pair();
    let signer = signer.with_chain(certificates(limit));
    let signed = signer.try_sign(&Message::attached(CONTENT)).unwrap();
    assert_eq!(read(signed.as_der()), Ok((1, limit)));
    let signer = signer.with_chain(certificates(limit + 1));
    let signed = signer.try_sign(&Message::attached(CONTENT));
    assert_eq!(signed.map(|_| ()), refused);
}

#[test]
fn the_number_of_signers() {
    let limit = limits::SIGNERS;
    let refused = too_long("signers", limit);
    let with = |number: usize| {
        read(&changed(|data| {
            let info = data.signer_infos.0.get(0).unwrap().clone();
            let infos = (0..number).map(|i| {
                let mut info = info.clone();
                let mut signature = info.signature.as_bytes().to_vec();
                signature[0] ^= u8::try_from(i).unwrap();
                info.signature = OctetString::new(signature).unwrap();
                info
            });
            data.signer_infos = infos.collect::<Vec<_>>().try_into().unwrap();
        }))
    };
    assert_eq!(with(limit), Ok((limit, 0)));
    assert_eq!(with(limit + 1).map(|_| ()), refused);

    let signer = pair().0.without_certificates();
    let message = Message::attached(CONTENT);
    let sign = |builder: SignedDataBuilder<'static>, signer: &Signer<_>| {
        builder.try_sign_with_rng(signer, &mut SysRng)
    };
    let mut builder = SignedDataBuilder::new(&message);
    for _ in 0..limit {
        builder = sign(builder, &signer).unwrap();
    }
    let signed = builder.clone().finish().unwrap();
    assert_eq!(read(signed.as_der()), Ok((limit, 0)));
    assert_eq!(
        sign(builder, &signer).map(|_| ()).unwrap_err(),
        refused.unwrap_err()
    );
}

/// Different attributes.
fn attributes(number: usize) -> Attributes {
    let attribute = |i: usize| {
        let text = format!("1.2.3.{}", i + 1);
        let value = Any::null();
        Attribute {
            oid: text.parse().unwrap(),
            values: SetOfVec::try_from(vec![value]).unwrap(),
        }
    };
    let attributes: Vec<_> = (0..number).map(attribute).collect();
    attributes.try_into().unwrap()
}

#[test]
fn the_number_of_attributes() {
    let limit = limits::ATTRIBUTES;
    let refused = too_long("attributes", limit);
    let with = |number: usize, signed: bool| {
        read(&changed(|data| {
            let mut info = data.signer_infos.0.get(0).unwrap().clone();
            let attributes = Some(attributes(number));
            if signed {
                info.signed_attrs = attributes;
            } else {
                info.unsigned_attrs = attributes;
            }
            data.signer_infos = vec![info].try_into().unwrap();
        }))
    };
    for signed in [true, false] {
        assert_eq!(with(limit, signed), Ok((1, 0)));
        assert_eq!(with(limit + 1, signed).map(|_| ()), refused);
    }
}
