//! Certificates for the tests: an authority, and what it issues.

use std::time::{Duration, SystemTime};

use moissanite::pkcs8::EncodePrivateKey;
use moissanite::{Fips204, MlDsa65, MlDsa87, Signature, SigningKey};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use x509_cert::TbsCertificate;
use x509_cert::builder::profile::BuilderProfile;
use x509_cert::builder::{self, Builder, CertificateBuilder};
use x509_cert::der::Encode;
use x509_cert::der::asn1::Ia5String;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{BasicConstraints, KeyUsage, KeyUsages, SubjectAltName};
use x509_cert::ext::{Extension, ToExtension};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{SubjectPublicKeyInfoOwned, SubjectPublicKeyInfoRef};
use x509_cert::time::Validity;

/// A key that issues certificates.
pub(crate) struct Authority<P: Fips204>(SigningKey<P>);

/// Who is in a certificate.
struct Subject {
    name: &'static str,
    host: Option<&'static str>,
}

impl<P: Fips204<Signature: From<Signature<P>>>> Authority<P> {
    pub(crate) fn new(seed: u8) -> Self {
        Self(SigningKey::from_seed(&[seed; 32]))
    }

    /// Its own certificate, in DER.
    pub(crate) fn certificate(&self) -> Vec<u8> {
        let subject = Subject {
            name: "CN=Root",
            host: None,
        };
        self.sign(subject, &self.0, valid_from(-1))
    }

    /// The certificate of a host, valid from so many days from now on, for two days; in DER.
    pub(crate) fn issue<Q: Fips204>(
        &self,
        key: &SigningKey<Q>,
        host: &'static str,
        from: i8,
    ) -> Vec<u8> {
        let subject = Subject {
            name: "CN=Host",
            host: Some(host),
        };
        self.sign(subject, key, valid_from(from))
    }

    fn sign<Q: Fips204>(&self, subject: Subject, key: &SigningKey<Q>, valid: Validity) -> Vec<u8> {
        let spki = SubjectPublicKeyInfoOwned::from_key(key.verifying_key()).expect("a key");
        let serial = SerialNumber::from(1_u8);
        let builder = CertificateBuilder::new(subject, serial, valid, spki).expect("all of it");
        let signed = builder.build::<_, Signature<P>>(&self.0).expect("signs");
        signed.to_der().expect("DER")
    }
}

/// A root, a host's certificate by it, and the private key of that.
pub(crate) fn made_for(
    host: &'static str,
) -> Result<
    (
        CertificateDer<'static>,
        CertificateDer<'static>,
        PrivateKeyDer<'static>,
    ),
    Box<dyn std::error::Error>,
> {
    let root = Authority::<MlDsa87>::new(1);
    let key = SigningKey::<MlDsa65>::from_seed(&[2; 32]);
    let certificate = root.issue(&key, host, -1);
    let document = key.to_pkcs8_der()?;
    let document = PrivateKeyDer::Pkcs8(document.as_bytes().to_vec().into());
    Ok((root.certificate().into(), certificate.into(), document))
}

const DAY: Duration = Duration::from_secs(86_400);

fn valid_from(days: i8) -> Validity {
    let distance = DAY * u32::from(days.unsigned_abs());
    let from = match days {
        ..0 => SystemTime::now() - distance,
        0.. => SystemTime::now() + distance,
    };
    let time = |time: SystemTime| time.try_into().expect("before the year 9999");
    Validity::new(time(from), time(from + 2 * DAY))
}

impl BuilderProfile for Subject {
    fn get_issuer(&self, _: &Name) -> Name {
        "CN=Root".parse().expect("a name")
    }
    fn get_subject(&self) -> Name {
        self.name.parse().expect("a name")
    }
    fn build_extensions(
        &self,
        _: SubjectPublicKeyInfoRef<'_>,
        _: SubjectPublicKeyInfoRef<'_>,
        _: &TbsCertificate,
    ) -> builder::Result<Vec<Extension>> {
        let subject = self.get_subject();
        let Some(host) = self.host else {
            let constraints = BasicConstraints {
                ca: true,
                path_len_constraint: None,
            };
            let usage = KeyUsage(KeyUsages::KeyCertSign.into());
            return Ok(vec![
                (&constraints).to_extension(&subject, &[])?,
                (&usage).to_extension(&subject, &[])?,
            ]);
        };
        let usage = KeyUsage(KeyUsages::DigitalSignature.into());
        let names = SubjectAltName(vec![GeneralName::DnsName(Ia5String::new(host)?)]);
        Ok(vec![
            (&usage).to_extension(&subject, &[])?,
            (&names).to_extension(&subject, &[])?,
        ])
    }
}
