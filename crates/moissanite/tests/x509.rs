//! Certificates of the crate `x509-cert`, with the keys of this crate.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::str::FromStr;
use std::time::Duration;

use moissanite::keys::oid;
use moissanite::rand_core::UnwrapErr;
use moissanite::{
    Fips204, MlDsa44, MlDsa65, MlDsa87, Signature, SigningKey, SysRng, VerifyingKey, prelude::*,
};
use x509_cert::builder::{Builder, CertificateBuilder, profile};
use x509_cert::certificate::Certificate;
use x509_cert::der::{Decode, Encode};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::SubjectPublicKeyInfoOwned;
use x509_cert::time::Validity;

fn builder<P: Fips204>(key: &VerifyingKey<P>) -> CertificateBuilder<profile::cabf::Root> {
    let name = Name::from_str("CN=Root,O=Moissanite,C=DE").unwrap();
    CertificateBuilder::new(
        profile::cabf::Root::new(false, name).unwrap(),
        SerialNumber::from(1_u32),
        Validity::from_now(Duration::from_secs(60)).unwrap(),
        SubjectPublicKeyInfoOwned::from_key(key).unwrap(),
    )
    .unwrap()
}

/// The certificate, read again: its key is `key`, which signed it.
fn check<P: Fips204>(certificate: &Certificate, key: &VerifyingKey<P>) {
    let certificate = Certificate::from_der(&certificate.to_der().unwrap()).unwrap();
    let body = certificate.tbs_certificate();
    assert_eq!(certificate.signature_algorithm().oid, oid::<P>());
    assert_eq!(certificate.signature_algorithm().parameters, None);
    let subject = body.subject_public_key_info().to_der().unwrap();
    assert_eq!(&VerifyingKey::<P>::from_spki(&subject).unwrap(), key);
    let signature = certificate.signature().as_bytes().unwrap();
    let signature = Signature::<P>::from_bytes(signature).unwrap();
    key.verify(&body.to_der().unwrap(), &signature).unwrap();
}

macro_rules! certificate {
    ($name:ident, $set:ty) => {
        #[test]
        fn $name() {
            let key = SigningKey::<$set>::from_seed(&[1; 32].into());
            let public = key.verifying_key();
            let signed = builder(public).build::<_, Signature<$set>>(&key);
            check(&signed.unwrap(), public);
            let rng = &mut UnwrapErr(SysRng);
            let signed = builder(public).build_with_rng::<_, Signature<$set>, _>(&key, rng);
            check(&signed.unwrap(), public);
            let prepared = key.prepare();
            let signed = builder(public).build::<_, Signature<$set>>(&prepared);
            check(&signed.unwrap(), public);
        }
    };
}
certificate!(ml_dsa_44, MlDsa44);
certificate!(ml_dsa_65, MlDsa65);
certificate!(ml_dsa_87, MlDsa87);
