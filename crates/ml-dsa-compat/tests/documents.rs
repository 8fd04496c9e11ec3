//! Documents with keys.

use ml_dsa::pkcs8::der::asn1::{AnyRef, BitStringRef, OctetStringRef};
use ml_dsa::pkcs8::der::{Encode, EncodePem};
use ml_dsa::pkcs8::spki::{
    self, AssociatedAlgorithmIdentifier, SignatureAlgorithmIdentifier, SignatureBitStringEncoding,
    SubjectPublicKeyInfoRef,
};
use ml_dsa::pkcs8::{
    self, DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, KeyError,
    PrivateKeyInfoRef,
};
use ml_dsa::{
    ExpandedSigningKey, Keypair, MlDsa44, MlDsa65, MlDsaParams, Signature, Signer, SigningKey,
    VerifyingKey,
};
use moissanite::Fips204;

use crate::for_every_set;

/// The bytes 0, 1, ..., 31.
fn seed() -> [u8; 32] {
    std::array::from_fn(|i| i.try_into().unwrap())
}

fn documents<P, Q: Fips204>()
where
    P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
{
    let key = SigningKey::<P>::from_seed(&seed().into());
    let own = moissanite::SigningKey::<Q>::from_seed(&seed().into());

    let document = key.to_pkcs8_der().unwrap();
    assert_eq!(document.as_bytes(), own.to_pkcs8_der().unwrap().as_bytes());
    assert_eq!(
        SigningKey::<P>::from_pkcs8_der(document.as_bytes()),
        Ok(key.clone())
    );
    let expanded = ExpandedSigningKey::<P>::from_pkcs8_der(document.as_bytes()).unwrap();
    assert!(expanded == *key.expanded_key());

    let public_key = key.verifying_key();
    let document = public_key.to_public_key_der().unwrap();
    let expected = own.verifying_key().to_public_key_der().unwrap();
    assert_eq!(document.as_bytes(), expected.as_bytes());
    assert_eq!(
        VerifyingKey::<P>::from_public_key_der(document.as_bytes()),
        Ok(public_key)
    );

    let oid = moissanite::keys::oid::<Q>();
    for algorithm in [
        P::ALGORITHM_IDENTIFIER,
        Signature::<P>::ALGORITHM_IDENTIFIER,
        SigningKey::<P>::SIGNATURE_ALGORITHM_IDENTIFIER,
        ExpandedSigningKey::<P>::SIGNATURE_ALGORITHM_IDENTIFIER,
        VerifyingKey::<P>::SIGNATURE_ALGORITHM_IDENTIFIER,
    ] {
        assert_eq!((algorithm.oid, algorithm.parameters), (oid, None));
    }
    let signature = key.sign(b"message");
    let bits = signature.to_bitstring().unwrap();
    assert_eq!(bits.as_bytes(), Some(&signature.encode()[..]));

    // The examples of RFC 9881, if their folder exists.
    let name = Q::NAME;
    let Some(example) = moissanite_kats::text(&format!("rfc9881-examples/{name}-seed.priv")) else {
        return;
    };
    assert_eq!(SigningKey::<P>::from_pkcs8_pem(&example), Ok(key.clone()));
    for form in ["expanded", "both"] {
        let example = moissanite_kats::text(&format!("rfc9881-examples/{name}-{form}.priv"));
        let example = example.unwrap();
        let error = pkcs8::Error::KeyMalformed(KeyError::Invalid);
        assert_eq!(SigningKey::<P>::from_pkcs8_pem(&example), Err(error));
        assert_eq!(
            ExpandedSigningKey::<P>::from_pkcs8_pem(&example),
            Err(error)
        );
    }
    let example = moissanite_kats::text(&format!("rfc9881-examples/{name}.pub")).unwrap();
    let read = VerifyingKey::<P>::from_public_key_pem(&example);
    assert_eq!(read, Ok(key.verifying_key()));
}

#[test]
fn documents_are_those_of_the_facade() {
    for_every_set!(documents);
}

/// The error for a private key with these bytes in place of the seed's element.
fn refused(private_key: &[u8]) -> pkcs8::Error {
    let private_key = OctetStringRef::new(private_key).unwrap();
    let algorithm = MlDsa44::ALGORITHM_IDENTIFIER;
    let document = PrivateKeyInfoRef::new(algorithm, private_key)
        .to_der()
        .unwrap();
    let error = SigningKey::<MlDsa44>::from_pkcs8_der(&document).unwrap_err();
    let expanded = ExpandedSigningKey::<MlDsa44>::from_pkcs8_der(&document);
    assert_eq!(expanded.unwrap_err(), error);
    error
}

/// The element with the seed: `[0] IMPLICIT OCTET STRING`.
fn element(seed: &[u8]) -> Vec<u8> {
    [&[0x80, u8::try_from(seed.len()).unwrap()], seed].concat()
}

#[test]
fn other_private_keys_are_refused() {
    let malformed = pkcs8::Error::KeyMalformed(KeyError::Invalid);
    assert_eq!(refused(&element(&[7; 31])), malformed);
    assert_eq!(refused(&element(&[7; 33])), malformed);
    assert_eq!(refused(&[]), malformed);
    assert_eq!(refused(&[&[4, 32][..], &[7; 32]].concat()), malformed);
    assert_eq!(refused(&[&[0x81, 32][..], &[7; 32]].concat()), malformed);
    let trailing = [&element(&[7; 32])[..], &[0]].concat();
    assert!(matches!(refused(&trailing), pkcs8::Error::Asn1(_)));
    assert!(matches!(refused(&[0xa0, 0]), pkcs8::Error::Asn1(_)));
}

#[test]
fn other_algorithms_are_refused() {
    let key = SigningKey::<MlDsa44>::from_seed(&[7; 32].into());
    let (oid, document) = (
        MlDsa44::ALGORITHM_IDENTIFIER.oid,
        key.to_pkcs8_der().unwrap(),
    );
    let unknown = spki::Error::OidUnknown { oid };
    let error = SigningKey::<MlDsa65>::from_pkcs8_der(document.as_bytes()).unwrap_err();
    assert_eq!(error, pkcs8::Error::PublicKey(unknown));
    let mut info = PrivateKeyInfoRef::try_from(document.as_bytes()).unwrap();
    info.algorithm.parameters = Some(AnyRef::NULL);
    let error = SigningKey::<MlDsa44>::from_pkcs8_der(&info.to_der().unwrap()).unwrap_err();
    assert_eq!(error, pkcs8::Error::ParametersMalformed);

    let document = key.verifying_key().to_public_key_der().unwrap();
    let error = VerifyingKey::<MlDsa65>::from_public_key_der(document.as_bytes()).unwrap_err();
    assert_eq!(error, unknown);
    let mut info = SubjectPublicKeyInfoRef::try_from(document.as_bytes()).unwrap();
    info.algorithm.parameters = Some(AnyRef::NULL);
    let error = VerifyingKey::<MlDsa44>::from_public_key_der(&info.to_der().unwrap());
    assert_eq!(error.unwrap_err(), spki::Error::KeyMalformed);
    info.algorithm.parameters = None;
    info.subject_public_key = BitStringRef::from_bytes(&[0; 1311]).unwrap();
    let error = VerifyingKey::<MlDsa44>::from_public_key_der(&info.to_der().unwrap());
    assert_eq!(error.unwrap_err(), spki::Error::KeyMalformed);
}

#[test]
fn a_public_key_of_another_key_is_refused() {
    let key = SigningKey::<MlDsa44>::from_seed(&[7; 32].into());
    let document = key.to_pkcs8_der().unwrap();
    let mut info = PrivateKeyInfoRef::try_from(document.as_bytes()).unwrap();
    let public_key = key.verifying_key().encode();
    info.public_key = Some(BitStringRef::from_bytes(&public_key).unwrap());
    let read = SigningKey::<MlDsa44>::from_pkcs8_der(&info.to_der().unwrap());
    assert_eq!(read, Ok(key));
    let mut another = public_key;
    another[0] ^= 1;
    info.public_key = Some(BitStringRef::from_bytes(&another).unwrap());
    let pem = info.to_pem(pkcs8::LineEnding::LF).unwrap();
    let error = SigningKey::<MlDsa44>::from_pkcs8_pem(&pem).unwrap_err();
    assert_eq!(error, pkcs8::Error::KeyMalformed(KeyError::Invalid));
}
