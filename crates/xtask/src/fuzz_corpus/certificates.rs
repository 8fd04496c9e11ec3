//! The seeds of the target `certificates`: a root, an authority with name constraints, a server, and CRLs. Each
//! certificate or CRL of an input follows its length in two bytes.

use std::time::{Duration, UNIX_EPOCH};

use anyhow::Result;
use moissanite::pkcs8::spki::DynSignatureAlgorithmIdentifier;
use moissanite::prelude::*;
use moissanite::{MlDsa44, Signature, SigningKey};
use x509_cert::builder::profile::BuilderProfile;
use x509_cert::builder::{self, Builder, CertificateBuilder};
use x509_cert::crl::{CertificateList, RevokedCert, TbsCertList};
use x509_cert::der::Encode;
use x509_cert::der::asn1::{Ia5String, OctetString};
use x509_cert::der::oid::db::rfc5280::ID_KP_SERVER_AUTH;
use x509_cert::der::pem::{LineEnding, encode_string};
use x509_cert::der::referenced::OwnedToRef;
use x509_cert::ext::pkix::constraints::name::GeneralSubtree;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{
    AuthorityKeyIdentifier, BasicConstraints, CrlNumber, CrlReason, ExtendedKeyUsage, KeyUsage,
    KeyUsages, NameConstraints, SubjectAltName, SubjectKeyIdentifier,
};
use x509_cert::ext::{Extension, ToExtension};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{
    SignatureBitStringEncoding, SubjectPublicKeyInfoOwned, SubjectPublicKeyInfoRef,
};
use x509_cert::time::{Time, Validity};
use x509_cert::{TbsCertificate, Version};

/// 2030 to 2031, in seconds since 1970. `fuzz_targets/certificates.rs` has a time between them.
const VALID: [u64; 2] = [1_893_456_000, 1_924_992_000];

/// The contents of a certificate.
struct Subject {
    issuer: Name,
    name: Name,
    /// `None` for a server.
    authority: Option<BasicConstraints>,
    constraints: Option<NameConstraints>,
    hosts: Vec<GeneralName>,
}

impl BuilderProfile for Subject {
    fn get_issuer(&self, _: &Name) -> Name {
        self.issuer.clone()
    }

    fn get_subject(&self) -> Name {
        self.name.clone()
    }

    fn build_extensions(
        &self,
        key: SubjectPublicKeyInfoRef<'_>,
        issuer_key: SubjectPublicKeyInfoRef<'_>,
        _: &TbsCertificate,
    ) -> builder::Result<Vec<Extension>> {
        let name = &self.name;
        let own = SubjectKeyIdentifier::try_from(key)?;
        let issuer = AuthorityKeyIdentifier {
            key_identifier: Some(SubjectKeyIdentifier::try_from(issuer_key)?.0),
            ..AuthorityKeyIdentifier::default()
        };
        let usage = match self.authority {
            Some(_) => KeyUsages::KeyCertSign | KeyUsages::CRLSign,
            None => KeyUsages::DigitalSignature.into(),
        };
        let mut extensions = vec![
            (&own).to_extension(name, &[])?,
            (&issuer).to_extension(name, &[])?,
            (&KeyUsage(usage)).to_extension(name, &[])?,
        ];
        if let Some(authority) = &self.authority {
            extensions.push(authority.to_extension(name, &[])?);
        } else {
            let purposes = ExtendedKeyUsage(vec![ID_KP_SERVER_AUTH]);
            extensions.push((&purposes).to_extension(name, &[])?);
        }
        if let Some(constraints) = &self.constraints {
            extensions.push(constraints.to_extension(name, &[])?);
        }
        if !self.hosts.is_empty() {
            extensions.push((&SubjectAltName(self.hosts.clone())).to_extension(name, &[])?);
        }
        Ok(extensions)
    }
}

impl Subject {
    /// The certificate in DER. The number of a certificate is its serial number and gives its key.
    fn certificate(self, number: u8, issuer: u8) -> Result<Vec<u8>> {
        let key = |number| SigningKey::<MlDsa44>::from_seed(&[number; 32].into());
        let time = |at| Time::try_from(UNIX_EPOCH + Duration::from_secs(at));
        let [from, until] = VALID.map(time);
        let builder = CertificateBuilder::new(
            self,
            SerialNumber::from(number),
            Validity::new(from?, until?),
            SubjectPublicKeyInfoOwned::from_key(key(number).verifying_key())?,
        )?;
        let certificate = builder.build::<_, Signature<MlDsa44>>(&key(issuer))?;
        Ok(certificate.to_der()?)
    }
}

/// A CRL in DER of an authority, whose number gives its key and is that of the CRL, with these entries.
fn crl(issuer: Subject, number: u8, revoked: &[u16]) -> Result<Vec<u8>> {
    let key = SigningKey::<MlDsa44>::from_seed(&[number; 32].into());
    let [from, until] = VALID.map(|at| Time::try_from(UNIX_EPOCH + Duration::from_secs(at)));
    let from = from?;
    let spki = SubjectPublicKeyInfoOwned::from_key(key.verifying_key())?;
    let own = SubjectKeyIdentifier::try_from(spki.owned_to_ref())?;
    let own = AuthorityKeyIdentifier {
        key_identifier: Some(own.0),
        ..AuthorityKeyIdentifier::default()
    };
    let name = issuer.name;
    let reasons = [CrlReason::KeyCompromise, CrlReason::CertificateHold];
    let entry = |(serial, reason): (&u16, CrlReason)| {
        Ok::<RevokedCert, anyhow::Error>(RevokedCert {
            serial_number: SerialNumber::new(&serial.to_be_bytes())?,
            revocation_date: from,
            crl_entry_extensions: Some(vec![(&reason).to_extension(&name, &[])?]),
        })
    };
    let entries: Result<Vec<_>> = revoked.iter().zip(reasons).map(entry).collect();
    let body = TbsCertList {
        version: Version::V2,
        signature: key.signature_algorithm_identifier()?,
        issuer: name.clone(),
        this_update: from,
        next_update: Some(until?),
        revoked_certificates: Some(entries?).filter(|entries| !entries.is_empty()),
        crl_extensions: Some(vec![
            (&own).to_extension(&name, &[])?,
            (&CrlNumber::try_from(number)?).to_extension(&name, &[])?,
        ]),
    };
    let signature: Signature<MlDsa44> = key.try_sign(&body.to_der()?)?;
    let list = CertificateList {
        signature_algorithm: body.signature.clone(),
        tbs_cert_list: body,
        signature: signature.to_bitstring()?,
    };
    Ok(list.to_der()?)
}

/// Each file with its path under fuzz/seeds.
pub(super) fn seeds() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let root = root()?.certificate(1, 1)?;
    let authority = authority()?.certificate(2, 1)?;
    let server = server()?.certificate(3, 2)?;
    let pem = encode_string("CERTIFICATE", LineEnding::LF, &server)?;
    let of_root = crl(self::root()?, 1, &[0x1234])?;
    let of_authority = crl(self::authority()?, 2, &[0x1234, 0x5678])?;
    let revoking = crl(self::authority()?, 2, &[3])?;
    let crl_pem = encode_string("X509 CRL", LineEnding::LF, &of_root)?;
    Ok(vec![
        ("certificates/crls", input(&[&of_authority, &of_root])?),
        ("certificates/revoked", input(&[&revoking, &of_root])?),
        ("certificates/crl-pem", input(&[crl_pem.as_bytes()])?),
        ("certificates/root", input(&[&root])?),
        ("certificates/authority", input(&[&authority])?),
        ("certificates/server", input(&[&server])?),
        ("certificates/chain", input(&[&server, &authority])?),
        ("certificates/pem", input(&[pem.as_bytes(), &authority])?),
        ("recognise/certificate.der", [&[0], &*server].concat()),
        ("recognise/certificate.pem", [&[0], pem.as_bytes()].concat()),
        ("decode_pem/certificate", pem.into_bytes()),
    ])
}

fn input(certificates: &[&[u8]]) -> Result<Vec<u8>> {
    let mut input = Vec::new();
    for certificate in certificates {
        input.extend(u16::try_from(certificate.len())?.to_le_bytes());
        input.extend(*certificate);
    }
    Ok(input)
}

fn root() -> Result<Subject> {
    let name: Name = "CN=Root,O=Example,C=DE".parse()?;
    Ok(Subject {
        issuer: name.clone(),
        name,
        authority: Some(BasicConstraints {
            ca: true,
            path_len_constraint: None,
        }),
        constraints: None,
        hosts: Vec::new(),
    })
}

/// Its constraints have every kind that is compared.
fn authority() -> Result<Subject> {
    let subtree = |base| GeneralSubtree {
        base,
        minimum: 0,
        maximum: None,
    };
    let network = OctetString::new([10, 0, 0, 0, 255, 0, 0, 0])?;
    let permitted = vec![
        subtree(dns("example")?),
        subtree(GeneralName::DirectoryName("O=Example,C=DE".parse()?)),
        subtree(GeneralName::IpAddress(network)),
    ];
    let mail = GeneralName::Rfc822Name(Ia5String::new(".a.example")?);
    Ok(Subject {
        issuer: root()?.name,
        name: "CN=Authority,O=Example,C=DE".parse()?,
        authority: Some(BasicConstraints {
            ca: true,
            path_len_constraint: Some(0),
        }),
        constraints: Some(NameConstraints {
            permitted_subtrees: Some(permitted),
            excluded_subtrees: Some(vec![subtree(dns("b.example")?), subtree(mail)]),
        }),
        hosts: Vec::new(),
    })
}

fn server() -> Result<Subject> {
    let address = GeneralName::IpAddress(OctetString::new([10, 1, 2, 3])?);
    Ok(Subject {
        issuer: authority()?.name,
        name: "CN=Server,O=Example,C=DE".parse()?,
        authority: None,
        constraints: None,
        hosts: vec![dns("a.example")?, address],
    })
}

fn dns(name: &str) -> Result<GeneralName> {
    Ok(GeneralName::DnsName(Ia5String::new(name)?))
}
