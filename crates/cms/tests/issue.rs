/// A profile of certificates with a subject key identifier and a key usage.
struct Profile(Option<x509_cert::ext::pkix::KeyUsages>);

impl x509_cert::builder::profile::BuilderProfile for Profile {
    fn get_issuer(&self, subject: &x509_cert::name::Name) -> x509_cert::name::Name {
        subject.clone()
    }
    fn get_subject(&self) -> x509_cert::name::Name {
        "CN=signer".parse().unwrap_or_default()
    }
    fn build_extensions(
        &self,
        spki: x509_cert::spki::SubjectPublicKeyInfoRef<'_>,
        _: x509_cert::spki::SubjectPublicKeyInfoRef<'_>,
        _: &x509_cert::TbsCertificate,
    ) -> x509_cert::builder::Result<Vec<x509_cert::ext::Extension>> {
        use x509_cert::ext::ToExtension;
        let subject = self.get_subject();
        let mut extensions = Vec::new();
        if let Some(usage) = self.0 {
            let usage = x509_cert::ext::pkix::KeyUsage(usage.into());
            extensions.push((&usage).to_extension(&subject, &[])?);
        }
        let key = spki.subject_public_key.raw_bytes();
        let key = x509_cert::der::asn1::OctetString::new(&key[..20])?;
        let key = x509_cert::ext::pkix::SubjectKeyIdentifier(key);
        extensions.push((&key).to_extension(&subject, &[])?);
        Ok(extensions)
    }
}

/// Issues a certificate that the key itself signed, with the serial number 1, until 2049.
pub(crate) fn certificate<P: moissanite::Fips204>(
    key: &moissanite::SigningKey<P>,
) -> Result<moissanite_cms::Certificate, Box<dyn std::error::Error>> {
    certificate_with(key, 1, Some(x509_cert::ext::pkix::KeyUsages::DigitalSignature))
}

/// Issues a certificate with this serial number and key usage.
pub(crate) fn certificate_with<P: moissanite::Fips204>(
    key: &moissanite::SigningKey<P>,
    serial: u32,
    usage: Option<x509_cert::ext::pkix::KeyUsages>,
) -> Result<moissanite_cms::Certificate, Box<dyn std::error::Error>> {
    use moissanite::signature::Signer;
    use x509_cert::builder::Builder;
    use x509_cert::der::{DateTime, Encode};
    use x509_cert::time::{Time, Validity};
    let times = [DateTime::new(2026, 1, 1, 0, 0, 0)?, DateTime::new(2049, 1, 1, 0, 0, 0)?];
    let [from, until] = times.map(|time| Time::try_from(time.to_system_time()));
    let public = x509_cert::spki::SubjectPublicKeyInfoOwned::from_key(key.verifying_key())?;
    let (serial, validity) = (serial.into(), Validity::new(from?, until?));
    let builder = x509_cert::builder::CertificateBuilder::new(Profile(usage), serial, validity, public);
    let mut builder = builder?;
    let body = builder.finalize(key)?;
    let signature = key.try_sign(&body)?;
    let signature = x509_cert::der::asn1::BitString::from_bytes(signature.as_ref())?;
    let certificate = builder.assemble(signature, key)?;
    Ok(moissanite_cms::Certificate::from_der(&certificate.to_der()?)?)
}
