//! Builds certificates and requests.

use der::asn1::{BitString, OctetString};
use der::oid::AssociatedOid;
use der::oid::db::rfc5280::{ID_AD_CA_ISSUERS, ID_AD_OCSP};
use der::{Document, Encode};
use moissanite::SysRng;
use moissanite::pkcs8::EncodePublicKey;
use moissanite::pkcs8::spki::{self, DynSignatureAlgorithmIdentifier};
use moissanite::rand_core::TryRng;
use moissanite::signature::Keypair;
use sha2::{Digest, Sha256};
use x509_cert::TbsCertificate;
use x509_cert::builder::profile::BuilderProfile;
use x509_cert::builder::{self, Builder, CertificateBuilder};
use x509_cert::ext::pkix::crl::dp::DistributionPoint;
use x509_cert::ext::pkix::name::{DistributionPointName, GeneralName};
use x509_cert::ext::pkix::{
    AccessDescription, AuthorityInfoAccessSyntax, AuthorityKeyIdentifier, BasicConstraints,
    CrlDistributionPoints, ExtendedKeyUsage, KeyUsage, KeyUsages, NameConstraints, SubjectAltName,
    SubjectKeyIdentifier,
};
use x509_cert::ext::{Extension, ToExtension};
use x509_cert::name::Name;
use x509_cert::request::RequestBuilder;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{
    AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned, SubjectPublicKeyInfoRef,
};
use x509_cert::time::Validity;

use super::purpose::Purpose;
use crate::algorithm::scheme::{Framing, PrivateKey, PublicKey};
use crate::error::Error;
use crate::input::Message;

/// The properties of the subject that a certificate states.
pub(crate) struct Contents {
    /// The name of the subject.
    pub(crate) subject: Name,
    /// The alternative names of the subject.
    pub(crate) names: Vec<GeneralName>,
    /// The purposes of the key; none for any.
    pub(crate) purposes: Vec<Purpose>,
    /// Whether it may issue certificates.
    pub(crate) authority: Option<Authority>,
    /// Where its issuer publishes more.
    pub(crate) published: Published,
}

/// A certificate that may issue certificates.
#[derive(Clone, Debug)]
pub(crate) struct Authority {
    /// The number of further authorities that may follow below it.
    pub(crate) path_length: Option<u8>,
    /// The names that certificates below it can have.
    pub(crate) constraints: Option<NameConstraints>,
}

/// The places where an issuer publishes what verifiers need.
#[derive(Clone, Debug, Default)]
pub(crate) struct Published {
    /// Its CRL, which is the same in all places.
    pub(crate) crl: Vec<GeneralName>,
    /// Its OCSP responders.
    pub(crate) ocsp: Vec<GeneralName>,
    /// Its certificate.
    pub(crate) issuer: Vec<GeneralName>,
}

impl Published {
    /// The extension with the CRL.
    fn points(&self) -> Option<CrlDistributionPoints> {
        let names = Some(self.crl.clone()).filter(|names| !names.is_empty())?;
        Some(CrlDistributionPoints(vec![DistributionPoint {
            distribution_point: Some(DistributionPointName::FullName(names)),
            reasons: None,
            crl_issuer: None,
        }]))
    }

    /// The extension with the responders and the certificate.
    fn access(&self) -> Option<AuthorityInfoAccessSyntax> {
        let of = |access_method, names: &[GeneralName]| {
            let description = |name: &GeneralName| AccessDescription {
                access_method,
                access_location: name.clone(),
            };
            names.iter().map(description).collect::<Vec<_>>()
        };
        let all = [
            of(ID_AD_OCSP, &self.ocsp),
            of(ID_AD_CA_ISSUERS, &self.issuer),
        ]
        .concat();
        (!all.is_empty()).then_some(AuthorityInfoAccessSyntax(all))
    }
}

/// The issuer of a certificate.
pub(crate) struct Issuer<'a> {
    /// The subject of its own certificate.
    pub(crate) name: Name,
    /// The key identifier of its own certificate; `None` for a self-signed certificate.
    pub(crate) key_identifier: Option<OctetString>,
    /// The private key.
    pub(crate) key: &'a dyn PrivateKey,
    /// Whether to sign without randomness.
    pub(crate) deterministic: bool,
}

impl Issuer<'_> {
    /// The algorithm of its signatures.
    pub(super) fn algorithm(&self) -> Result<AlgorithmIdentifierOwned, Error> {
        Signer(self.key)
            .signature_algorithm_identifier()
            .map_err(fault)
    }

    /// Builds and signs a certificate in DER.
    pub(crate) fn certificate(
        &self,
        contents: Contents,
        spki: &[u8],
        valid: Validity,
    ) -> Result<Vec<u8>, Error> {
        let profile = Profile {
            contents,
            issuer: self.name.clone(),
            issuer_key: self.key_identifier.clone(),
        };
        let spki = SubjectPublicKeyInfoOwned::try_from(spki).map_err(fault)?;
        let builder = CertificateBuilder::new(profile, serial_number()?, valid, spki);
        sign(builder.map_err(fault)?, self.key, self.deterministic)
    }
}

/// Builds and signs a request in DER.
pub(crate) fn request(
    contents: Contents,
    key: &dyn PrivateKey,
    deterministic: bool,
) -> Result<Vec<u8>, Error> {
    let mut builder = RequestBuilder::new(contents.subject).map_err(fault)?;
    if !contents.names.is_empty() {
        let names = SubjectAltName(contents.names);
        builder.add_extension(&names).map_err(fault)?;
    }
    if let Some(purposes) = purposes(&contents.purposes).map_err(fault)? {
        builder.add_extension(purposes).map_err(fault)?;
    }
    sign(builder, key, deterministic)
}

/// Signs a document that `x509-cert` assembles: without pre-hashing, with the empty context.
fn sign<B: Builder<Output: Encode>>(
    mut builder: B,
    key: &dyn PrivateKey,
    deterministic: bool,
) -> Result<Vec<u8>, Error> {
    let signer = Signer(key);
    let message = builder.finalize(&signer).map_err(fault)?;
    let signature = signature_of(&message, key, deterministic)?;
    let signature = BitString::from_bytes(&signature).map_err(fault)?;
    let signed = builder.assemble(signature, &signer).map_err(fault)?;
    signed.to_der().map_err(fault)
}

/// The signature of the signed part of a document.
pub(super) fn signature_of(
    message: &[u8],
    key: &dyn PrivateKey,
    deterministic: bool,
) -> Result<Vec<u8>, Error> {
    key.sign(Message::of(message), &Framing::default(), deterministic)
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
pub(super) fn fault(error: impl ToString) -> Error {
    Error::Fault(error.to_string())
}

/// A key as `x509-cert` requires it: the algorithm is known at run time only.
struct Signer<'a>(&'a dyn PrivateKey);
/// The public key of a [`Signer`], as SubjectPublicKeyInfo.
#[derive(Clone)]
struct Verifier(Vec<u8>);

impl Keypair for Signer<'_> {
    type VerifyingKey = Verifier;
    fn verifying_key(&self) -> Verifier {
        // An algorithm without documents gives an error in `to_public_key_der`.
        Verifier(self.0.public_key().to_spki().unwrap_or_default())
    }
}
impl EncodePublicKey for Verifier {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        Ok(Document::try_from(self.0.as_slice())?)
    }
}
impl DynSignatureAlgorithmIdentifier for Signer<'_> {
    fn signature_algorithm_identifier(&self) -> spki::Result<AlgorithmIdentifierOwned> {
        let parameters = None;
        let oid = self.0.algorithm().oid();
        let oid = oid.ok_or(spki::Error::KeyMalformed)?;
        Ok(AlgorithmIdentifierOwned { oid, parameters })
    }
}

/// The extensions of RFC 5280 that every certificate should have.
struct Profile {
    contents: Contents,
    issuer: Name,
    issuer_key: Option<OctetString>,
}

impl BuilderProfile for Profile {
    fn get_issuer(&self, _: &Name) -> Name {
        self.issuer.clone()
    }
    fn get_subject(&self) -> Name {
        self.contents.subject.clone()
    }
    fn build_extensions(
        &self,
        spki: SubjectPublicKeyInfoRef<'_>,
        _: SubjectPublicKeyInfoRef<'_>,
        _: &TbsCertificate,
    ) -> builder::Result<Vec<Extension>> {
        let subject = &self.contents.subject;
        let mut extensions = Vec::new();
        let authority = self.contents.authority.as_ref();
        if let Some(authority) = authority {
            let constraints = BasicConstraints {
                ca: true,
                path_len_constraint: authority.path_length,
            };
            extensions.push((&constraints).to_extension(subject, &[])?);
        }
        let usage = KeyUsage(match authority {
            Some(_) => KeyUsages::KeyCertSign | KeyUsages::CRLSign,
            None => KeyUsages::DigitalSignature.into(),
        });
        extensions.push((&usage).to_extension(subject, &[])?);
        let own = OctetString::new(key_identifier(spki.subject_public_key.raw_bytes()))?;
        let own = SubjectKeyIdentifier(own);
        extensions.push((&own).to_extension(subject, &[])?);
        if self.issuer_key.is_some() {
            let issuer = AuthorityKeyIdentifier {
                key_identifier: self.issuer_key.clone(),
                ..AuthorityKeyIdentifier::default()
            };
            extensions.push((&issuer).to_extension(subject, &[])?);
        }
        if !self.contents.names.is_empty() {
            let names = SubjectAltName(self.contents.names.clone());
            extensions.push((&names).to_extension(subject, &[])?);
        }
        extensions.extend(purposes(&self.contents.purposes)?);
        if let Some(constraints) = authority.and_then(|one| one.constraints.as_ref()) {
            extensions.push(constraints.to_extension(subject, &[])?);
        }
        if let Some(points) = self.contents.published.points() {
            extensions.push((&points).to_extension(subject, &[])?);
        }
        if let Some(access) = self.contents.published.access() {
            extensions.push((&access).to_extension(subject, &[])?);
        }
        Ok(extensions)
    }
}

/// The extension with the purposes of a key. RFC 3161, section 2.3, requires that it is critical if its only purpose
/// is to sign time stamps.
fn purposes(purposes: &[Purpose]) -> der::Result<Option<Extension>> {
    if purposes.is_empty() {
        return Ok(None);
    }
    let value = ExtendedKeyUsage(purposes.iter().map(|one| one.oid()).collect());
    Ok(Some(Extension {
        extn_id: ExtendedKeyUsage::OID,
        critical: matches!(purposes, [one] if one.is_exclusive()),
        extn_value: OctetString::new(value.to_der()?)?,
    }))
}

/// RFC 7093, section 2, method 1: 160 bits of SHA-256.
fn key_identifier(public_key: &[u8]) -> Vec<u8> {
    let mut hash = Sha256::digest(public_key).to_vec();
    hash.truncate(20);
    hash
}

/// The key identifier of an issuer whose certificate has none.
pub(crate) fn computed_identifier(key: &dyn PublicKey) -> Result<OctetString, Error> {
    OctetString::new(key_identifier(&key.to_raw())).map_err(fault)
}

/// A serial number with 126 random bits, which is positive.
fn serial_number() -> Result<SerialNumber, Error> {
    let mut bytes = [0; 16];
    let filled = SysRng.try_fill_bytes(&mut bytes);
    filled.map_err(|error| Error::Randomness(error.to_string()))?;
    let [first, ..] = &mut bytes;
    *first = *first & 0x3f | 0x40;
    SerialNumber::new(&bytes).map_err(fault)
}
