//! The private key of a signer, and messages that it signs.

use alloc::vec::Vec;
use core::fmt;

use cms::signed_data::{EncapsulatedContentInfo, SignerIdentifier, SignerInfo};
use der::asn1::{Any, OctetString};
use der::{Encode, Tag};
use moissanite::keys::oid;
use moissanite::rand_core::TryCryptoRng;
use moissanite::{
    Fips204, Mu, PreparedSigningKey, Signature, SigningError, SigningKey, VerifyingKey,
};
use x509_cert::spki::AlgorithmIdentifierOwned;

use crate::attributes::{Algorithms, Statement, is_encoding_of_attributes};
use crate::certificate::Certificate;
use crate::digest::DigestAlgorithm;
use crate::encoding::{DATA, Parts, signer_version};
use crate::error::Error;
use crate::limits;
use crate::message::{Message, ToSign};
use crate::signed_data::SignedData;

/// An ML-DSA private key and its certificate. The key is prepared once, and then signs any number of messages.
///
/// The key is secret: it is wiped when it is dropped, and `Debug` does not show it. All else is public.
///
/// The signatures are those of RFC 9882: pure ML-DSA with the empty context.
///
/// ```
/// # mod issue { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/issue.rs")); }
/// # use issue::certificate;
/// use moissanite_cms::{DigestAlgorithm, Message, MlDsa65, Signer, SigningKey, SysRng};
///
/// let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
/// let certificate = certificate(&key)?;
/// let signer = Signer::new(&key, certificate)?.with_digest(DigestAlgorithm::Shake256)?;
/// let signed = signer.try_sign_with_rng(&mut SysRng, &Message::attached(b"content"))?;
/// assert!(signed.to_pem()?.starts_with("-----BEGIN CMS-----\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Signer<P: Fips204> {
    key: PreparedSigningKey<P>,
    identifier: SignerIdentifier,
    digest: DigestAlgorithm,
    certificate: Certificate,
    chain: Option<Vec<Certificate>>,
}

impl<P: Fips204> Signer<P> {
    /// Prepares a key for signatures with this certificate. The digest algorithm is SHA-512, the message names
    /// the certificate by its issuer and serial number, and contains it.
    ///
    /// # Errors
    /// [`Error::PublicKey`]; [`Error::OtherPublicKey`]; [`Error::KeyUsage`]; [`Error::Certificate`] if the key
    /// usage is malformed.
    pub fn new(key: &SigningKey<P>, certificate: Certificate) -> Result<Self, Error> {
        let body = certificate.x509().tbs_certificate();
        let public = body.subject_public_key_info().to_der();
        let public = public.map_err(|_| Error::PublicKey)?;
        let public = VerifyingKey::<P>::from_spki(&public).map_err(|_| Error::PublicKey)?;
        if public != *key.verifying_key() {
            return Err(Error::OtherPublicKey);
        }
        certificate.check_key_usage()?;
        Ok(Self {
            key: key.prepare(),
            identifier: certificate.issuer_and_serial_number(),
            digest: DigestAlgorithm::default(),
            certificate,
            chain: Some(Vec::new()),
        })
    }

    /// Chooses the digest algorithm of signed attributes.
    ///
    /// # Errors
    /// [`Error::WeakDigest`] if the algorithm is weaker than the parameter set (RFC 9882, Table 1).
    pub fn with_digest(mut self, digest: DigestAlgorithm) -> Result<Self, Error> {
        if !digest.suits(P::LAMBDA) {
            return Err(Error::WeakDigest);
        }
        self.digest = digest;
        Ok(self)
    }

    /// Names the certificate by its subject key identifier.
    ///
    /// # Errors
    /// [`Error::SubjectKeyIdentifier`].
    pub fn with_subject_key_identifier(mut self) -> Result<Self, Error> {
        self.identifier = self.certificate.subject_key_identifier()?;
        Ok(self)
    }

    /// Puts these certificates into messages beside that of the signer, such as those of the authorities between
    /// it and a trusted one.
    #[must_use]
    pub fn with_chain(mut self, chain: Vec<Certificate>) -> Self {
        self.chain = Some(chain);
        self
    }

    /// Puts no certificate into messages.
    #[must_use]
    pub fn without_certificates(mut self) -> Self {
        self.chain = None;
        self
    }

    /// The certificate.
    #[must_use]
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Signs a message. The signature is hedged with 32 random bytes, which is the default of FIPS 204.
    ///
    /// # Errors
    /// [`Error::SignedAttributesRequired`]; [`Error::AmbiguousContent`]; [`Error::ContentRequired`];
    /// [`Error::SigningTime`]; [`Error::TooLong`]; [`Error::Signing`], also if the generator fails.
    pub fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &Message<'_>,
    ) -> Result<SignedData, Error> {
        let builder = SignedDataBuilder::new(message);
        builder.try_sign_with_rng(self, rng)?.finish()
    }

    /// The same as [`Self::try_sign_with_rng`], but deterministic (FIPS 204, section 3.4).
    ///
    /// # Errors
    /// Those of [`Self::try_sign_with_rng`].
    pub fn try_sign(&self, message: &Message<'_>) -> Result<SignedData, Error> {
        SignedDataBuilder::new(message).try_sign(self)?.finish()
    }

    /// Makes the SignerInfo for a message.
    fn info(
        &self,
        message: &Message<'_>,
        sign: impl FnOnce(&Mu) -> Result<Signature<P>, SigningError>,
    ) -> Result<SignerInfo, Error> {
        if let ToSign::Attached(content) = message.content {
            limits::check("message", content.len(), limits::MESSAGE)?;
        }
        let signature_algorithm = AlgorithmIdentifierOwned {
            oid: oid::<P>(),
            parameters: None,
        };
        let mut info = SignerInfo {
            version: signer_version(&self.identifier),
            sid: self.identifier.clone(),
            // RFC 9882, section 3.3, requires SHA-512 without signed attributes.
            digest_alg: DigestAlgorithm::Sha512.identifier(),
            signed_attrs: None,
            signature_algorithm,
            signature: OctetString::new([]).map_err(|_| Error::Der)?,
            unsigned_attrs: None,
        };
        let attributes;
        let signed = if message.signed_attributes {
            info.digest_alg = self.digest.identifier();
            let statement = self.statement(message, &info)?.write()?;
            // The signature is over the tag of a SET, and not over the tag [0] of the message.
            attributes = statement.to_der().map_err(|_| Error::Der)?;
            info.signed_attrs = Some(statement);
            attributes.as_slice()
        } else {
            content_to_sign(message)?
        };
        // An empty context is never too long.
        let mut mu = self.key.mu(b"").map_err(|_| Error::InvalidSignature)?;
        mu.update(signed);
        let signature = sign(&mu.finish())?;
        info.signature = OctetString::new(signature.as_ref()).map_err(|_| Error::Der)?;
        Ok(info)
    }

    fn statement(&self, message: &Message<'_>, info: &SignerInfo) -> Result<Statement, Error> {
        let message_digest = match message.content {
            ToSign::Attached(content) | ToSign::Detached(content) => self.digest.digest(content),
            ToSign::Digest(digest) => digest.of(self.digest)?,
        };
        Ok(Statement {
            content_type: message.content_type,
            message_digest: message_digest.into(),
            signing_time: message.signing_time,
            // RFC 9882, section 4, recommends this attribute.
            algorithms: Some(Algorithms {
                digest: info.digest_alg.clone(),
                signature: Some(info.signature_algorithm.clone()),
                mac: None,
            }),
        })
    }
}

/// The content of a message that is signed without signed attributes.
fn content_to_sign<'a>(message: &Message<'a>) -> Result<&'a [u8], Error> {
    if message.content_type != DATA || message.signing_time.is_some() {
        return Err(Error::SignedAttributesRequired);
    }
    let content = match message.content {
        ToSign::Attached(content) | ToSign::Detached(content) => content,
        ToSign::Digest(_) => return Err(Error::ContentRequired),
    };
    if is_encoding_of_attributes(content) {
        return Err(Error::AmbiguousContent);
    }
    Ok(content)
}

impl<P: Fips204> fmt::Debug for Signer<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer")
            .field("certificate", &self.certificate)
            .field("digest", &self.digest)
            .finish_non_exhaustive()
    }
}

/// A message that several signers sign, with keys of any parameter sets.
///
/// ```
/// # mod issue { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/issue.rs")); }
/// # use issue::certificate;
/// use moissanite_cms::{Message, MlDsa44, MlDsa87, SignedDataBuilder, Signer, SigningKey, SysRng};
///
/// let first = SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
/// let second = SigningKey::<MlDsa87>::try_generate(&mut SysRng)?;
/// # let (a, b) = (certificate(&first)?, certificate(&second)?);
/// let signed = SignedDataBuilder::new(&Message::attached(b"contract"))
///     .try_sign_with_rng(&Signer::new(&first, a)?, &mut SysRng)?
///     .try_sign_with_rng(&Signer::new(&second, b)?, &mut SysRng)?
///     .finish()?;
/// assert_eq!(signed.unverified_signers().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SignedDataBuilder<'a> {
    message: Message<'a>,
    digests: Vec<AlgorithmIdentifierOwned>,
    certificates: Vec<Certificate>,
    signers: Vec<SignerInfo>,
}

impl<'a> SignedDataBuilder<'a> {
    /// Begins a message without signers.
    #[must_use]
    pub fn new(message: &Message<'a>) -> Self {
        Self {
            message: *message,
            digests: Vec::new(),
            certificates: Vec::new(),
            signers: Vec::new(),
        }
    }

    /// Adds a hedged signature.
    ///
    /// # Errors
    /// Those of [`Signer::try_sign_with_rng`].
    pub fn try_sign_with_rng<P: Fips204, R: TryCryptoRng + ?Sized>(
        self,
        signer: &Signer<P>,
        rng: &mut R,
    ) -> Result<Self, Error> {
        let sign = |mu: &Mu| signer.key.try_sign_mu_with_rng(rng, mu);
        let info = signer.info(&self.message, sign)?;
        self.add(signer, info)
    }

    /// Adds a deterministic signature.
    ///
    /// # Errors
    /// Those of [`Signer::try_sign_with_rng`].
    pub fn try_sign<P: Fips204>(self, signer: &Signer<P>) -> Result<Self, Error> {
        let sign = |mu: &Mu| signer.key.try_sign_mu(mu);
        let info = signer.info(&self.message, sign)?;
        self.add(signer, info)
    }

    fn add<P: Fips204>(mut self, signer: &Signer<P>, info: SignerInfo) -> Result<Self, Error> {
        if !self.digests.contains(&info.digest_alg) {
            self.digests.push(info.digest_alg.clone());
        }
        self.signers.push(info);
        limits::check("signers", self.signers.len(), limits::SIGNERS)?;
        if let Some(chain) = &signer.chain {
            for certificate in chain.iter().chain([&signer.certificate]) {
                if !self.certificates.contains(certificate) {
                    self.certificates.push(certificate.clone());
                }
            }
        }
        limits::check(
            "certificates",
            self.certificates.len(),
            limits::CERTIFICATES,
        )?;
        Ok(self)
    }

    /// Encodes the message.
    ///
    /// # Errors
    /// [`Error::NoSigners`]; [`Error::TooLong`] for more than [`limits::MESSAGE`] bytes.
    pub fn finish(self) -> Result<SignedData, Error> {
        if self.signers.is_empty() {
            return Err(Error::NoSigners);
        }
        let content = match self.message.content {
            ToSign::Attached(content) => {
                Some(Any::new(Tag::OctetString, content).map_err(|_| Error::Der)?)
            }
            ToSign::Detached(_) | ToSign::Digest(_) => None,
        };
        SignedData::new(Parts {
            digest_algorithms: self.digests,
            content: EncapsulatedContentInfo {
                econtent_type: self.message.content_type,
                econtent: content,
            },
            certificates: self.certificates,
            signers: self.signers,
        })
    }
}
