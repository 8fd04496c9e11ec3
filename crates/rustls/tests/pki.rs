//! Certificates for the tests: an authority, and the certificates that it issues.

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

/// The fields of an authority's certificate.
#[derive(Clone, Copy)]
pub(crate) struct Grant {
    pub(crate) name: &'static str,
    pub(crate) issuer: &'static str,
    pub(crate) path_length: Option<u8>,
    pub(crate) usage: KeyUsages,
    /// A validity of two days, which begins a number of days from now.
    pub(crate) from: i8,
}

pub(crate) const ROOT: Grant = Grant {
    name: "CN=Root",
    issuer: "CN=Root",
    path_length: None,
    usage: KeyUsages::KeyCertSign,
    from: -1,
};

/// The name in a certificate.
enum Subject {
    Host(&'static str, &'static str),
    Authority(Grant),
}

impl<P: Fips204<Signature: From<Signature<P>>>> Authority<P> {
    pub(crate) fn new(seed: u8) -> Self {
        Self(SigningKey::from_seed(&[seed; 32].into()))
    }

    /// Its own certificate, in DER.
    pub(crate) fn certificate(&self) -> Vec<u8> {
        self.certify(self, ROOT)
    }

    /// The certificate of an authority, in DER.
    pub(crate) fn certify<Q: Fips204>(&self, other: &Authority<Q>, grant: Grant) -> Vec<u8> {
        self.sign(Subject::Authority(grant), &other.0, valid_from(grant.from))
    }

    /// The certificate of a host, valid from so many days from now on, for two days; in DER.
    pub(crate) fn issue<Q: Fips204>(
        &self,
        key: &SigningKey<Q>,
        host: &'static str,
        from: i8,
    ) -> Vec<u8> {
        self.sign(Subject::Host(ROOT.name, host), key, valid_from(from))
    }

    /// The same, valid now, by an authority of another name.
    pub(crate) fn issue_as<Q: Fips204>(
        &self,
        issuer: &'static str,
        key: &SigningKey<Q>,
        host: &'static str,
    ) -> Vec<u8> {
        self.sign(Subject::Host(issuer, host), key, valid_from(-1))
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
    let key = SigningKey::<MlDsa65>::from_seed(&[2; 32].into());
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
        let (Self::Host(issuer, _) | Self::Authority(Grant { issuer, .. })) = self;
        issuer.parse().expect("a name")
    }
    fn get_subject(&self) -> Name {
        let name = match self {
            Self::Host(..) => "CN=Host",
            Self::Authority(grant) => grant.name,
        };
        name.parse().expect("a name")
    }
    fn build_extensions(
        &self,
        _: SubjectPublicKeyInfoRef<'_>,
        _: SubjectPublicKeyInfoRef<'_>,
        _: &TbsCertificate,
    ) -> builder::Result<Vec<Extension>> {
        let subject = self.get_subject();
        let (usage, other) = match self {
            Self::Authority(grant) => {
                let constraints = BasicConstraints {
                    ca: true,
                    path_len_constraint: grant.path_length,
                };
                (grant.usage, (&constraints).to_extension(&subject, &[])?)
            }
            Self::Host(_, host) => {
                let names = SubjectAltName(vec![GeneralName::DnsName(Ia5String::new(host)?)]);
                let names = (&names).to_extension(&subject, &[])?;
                (KeyUsages::DigitalSignature, names)
            }
        };
        let usage = KeyUsage(usage.into());
        Ok(vec![(&usage).to_extension(&subject, &[])?, other])
    }
}
