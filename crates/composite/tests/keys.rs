//! Key documents and certificates.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::str::FromStr;
use std::time::Duration;

use moissanite_composite::{
    Composite, MlDsa44Ed25519, MlDsa65Ed25519, Signature, SigningKey, VerifyingKey, ed25519, oid,
    prelude::*,
};
use pkcs8::der::asn1::{AnyRef, BitStringRef, OctetStringRef};
use pkcs8::der::{Decode, Encode};
use pkcs8::spki::{self, SubjectPublicKeyInfoRef};
use pkcs8::{
    AlgorithmIdentifierRef, DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey,
    Error, KeyError, ObjectIdentifier, PrivateKeyInfoRef,
};
use x509_cert::builder::{Builder, CertificateBuilder, profile};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::SubjectPublicKeyInfoOwned;
use x509_cert::time::Validity;

const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");

fn algorithm(oid: ObjectIdentifier) -> AlgorithmIdentifierRef<'static> {
    let parameters = None;
    AlgorithmIdentifierRef { oid, parameters }
}

/// A private key in DER, with the given parts.
fn private(algorithm: AlgorithmIdentifierRef<'_>, key: &[u8], public: Option<&[u8]>) -> Vec<u8> {
    let mut info = PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(key).unwrap());
    info.public_key = public.map(|bytes| BitStringRef::from_bytes(bytes).unwrap());
    info.to_der().unwrap()
}

fn public(algorithm: AlgorithmIdentifierRef<'_>, key: &[u8]) -> Vec<u8> {
    let subject_public_key = BitStringRef::from_bytes(key).unwrap();
    let info = SubjectPublicKeyInfoRef {
        algorithm,
        subject_public_key,
    };
    info.to_der().unwrap()
}

#[test]
fn composites() {
    fn check<C: Composite>() {
        let seed = [7; 64];
        let key = SigningKey::<C>::from_seed(&seed.into());
        let public_key = key.verifying_key().to_bytes();
        let (this, public_key) = (algorithm(oid::<C>()), public_key.as_ref());
        let written = key.to_pkcs8_der().unwrap();
        assert_eq!(written.as_bytes(), private(this, &seed, None));
        let read =
            |der: &[u8]| SigningKey::<C>::from_pkcs8_der(der).map(|key| *key.as_seed().as_bytes());
        assert_eq!(read(written.as_bytes()), Ok(seed));
        // RFC 5958 has a place for the public key.
        assert_eq!(read(&private(this, &seed, Some(public_key))), Ok(seed));

        let malformed = |error| Err(Error::KeyMalformed(error));
        assert_eq!(
            read(&private(this, &seed[1..], None)),
            malformed(KeyError::TooShort)
        );
        assert_eq!(
            read(&private(this, &[7; 65], None)),
            malformed(KeyError::TooLong)
        );
        let other = [&[!public_key[0]], &public_key[1..]].concat();
        let mismatch = private(this, &seed, Some(&other));
        assert_eq!(read(&mismatch), malformed(KeyError::Invalid));
        let unknown = Error::PublicKey(spki::Error::OidUnknown { oid: ED25519 });
        assert_eq!(
            read(&private(algorithm(ED25519), &seed, None)),
            Err(unknown)
        );
        let mut with_null = this;
        with_null.parameters = Some(AnyRef::NULL);
        assert_eq!(
            read(&private(with_null, &seed, None)),
            Err(Error::ParametersMalformed)
        );

        let written = key.verifying_key().to_public_key_der().unwrap();
        assert_eq!(written.as_bytes(), public(this, public_key));
        let read = |der: &[u8]| VerifyingKey::<C>::from_public_key_der(der);
        assert_eq!(&read(written.as_bytes()).unwrap(), key.verifying_key());
        let malformed = spki::Error::KeyMalformed;
        assert_eq!(read(&public(this, &public_key[1..])), Err(malformed));
        let no_point = [&public_key[..C::PUBLIC_KEY_LEN - 32], &[0; 32]].concat();
        assert_eq!(read(&public(this, &no_point)), Err(malformed));
        read(&public(with_null, public_key)).unwrap_err();
        read(&public(algorithm(ED25519), public_key)).unwrap_err();
    }
    check::<MlDsa44Ed25519>();
    check::<MlDsa65Ed25519>();
}

/// A key of one set is not accepted for the other.
#[test]
fn another_set() {
    let key = SigningKey::<MlDsa44Ed25519>::from_seed(&[7; 64].into());
    let document = key.to_pkcs8_der().unwrap();
    SigningKey::<MlDsa65Ed25519>::from_pkcs8_der(document.as_bytes()).unwrap_err();
}

#[test]
fn identifiers() {
    assert_eq!(oid::<MlDsa44Ed25519>().to_string(), "1.3.6.1.5.5.7.6.39");
    assert_eq!(oid::<MlDsa65Ed25519>().to_string(), "1.3.6.1.5.5.7.6.48");
}

/// RFC 8410, section 10.
#[test]
fn ed25519_keys() {
    let with_public = "-----BEGIN PRIVATE KEY-----
MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
Z9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PRIVATE KEY-----";
    let without = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
";
    let public = "-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
";
    let lf = pkcs8::LineEnding::LF;
    for pem in [with_public, without] {
        let key = ed25519::SigningKey::from_pkcs8_pem(pem).unwrap();
        assert_eq!(*key.to_pkcs8_pem(lf).unwrap(), without);
        assert_eq!(key.verifying_key().to_public_key_pem(lf).unwrap(), public);
    }
    let key = ed25519::VerifyingKey::from_public_key_pem(public).unwrap();
    let of_another = ed25519::SigningKey::from_seed(&[7; 32].into());
    assert_ne!(&key, of_another.verifying_key());
    let inner = [&[4, 32], of_another.as_seed().as_bytes().as_slice()].concat();
    let mismatch = private(algorithm(ED25519), &inner, Some(key.as_bytes()));
    ed25519::SigningKey::from_pkcs8_der(&mismatch).unwrap_err();
    let small = public_of_small_order();
    ed25519::VerifyingKey::from_public_key_der(&small).unwrap_err();
}

fn public_of_small_order() -> Vec<u8> {
    public(algorithm(ED25519), &[0; 32])
}

macro_rules! certificate {
    ($name:ident, $signing:ty, $signature:ty, $oid:expr) => {
        #[test]
        fn $name() {
            let key = <$signing>::from_seed(&[1; _].into());
            let name = Name::from_str("CN=Root,O=Moissanite,C=DE").unwrap();
            let builder = CertificateBuilder::new(
                profile::cabf::Root::new(false, name).unwrap(),
                SerialNumber::from(1_u32),
                Validity::from_now(Duration::from_secs(60)).unwrap(),
                SubjectPublicKeyInfoOwned::from_key(key.verifying_key()).unwrap(),
            );
            let signed = builder.unwrap().build::<_, $signature>(&key).unwrap();
            let algorithm = signed.signature_algorithm();
            assert_eq!((algorithm.oid, &algorithm.parameters), ($oid, &None));
            let signature = signed.signature().as_bytes().unwrap();
            let signature = <$signature>::try_from(signature).unwrap();
            let body = signed.tbs_certificate().to_der().unwrap();
            key.verifying_key().verify(&body, &signature).unwrap();
            x509_cert::Certificate::from_der(&signed.to_der().unwrap()).unwrap();
        }
    };
}
certificate!(
    certificate_44,
    SigningKey<MlDsa44Ed25519>,
    Signature<MlDsa44Ed25519>,
    oid::<MlDsa44Ed25519>()
);
certificate!(
    certificate_65,
    SigningKey<MlDsa65Ed25519>,
    Signature<MlDsa65Ed25519>,
    oid::<MlDsa65Ed25519>()
);
certificate!(
    certificate_ed25519,
    ed25519::SigningKey,
    ed25519::Signature,
    ED25519
);
