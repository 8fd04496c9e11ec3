//! Signers that the caller trusts.

use alloc::boxed::Box;
use core::fmt;

use cms::signed_data;
use der::Encode;
use der::asn1::ObjectIdentifier;
use moissanite::keys::oid;
use moissanite::prelude::*;
use moissanite::{
    Fips204, MlDsa44, MlDsa65, MlDsa87, PreparedVerifyingKey, Signature, VerifyingKey,
};

use crate::certificate::Certificate;
use crate::error::Error;

/// A prepared key of any parameter set.
trait Key: Send + Sync {
    fn verify_bytes(&self, message: &[u8], signature: &[u8]) -> bool;
}

impl<P: Fips204> Key for PreparedVerifyingKey<P>
where
    Self: Send + Sync,
{
    fn verify_bytes(&self, message: &[u8], signature: &[u8]) -> bool {
        let signature = Signature::from_bytes(signature);
        signature.is_ok_and(|signature| self.verify(message, &signature).is_ok())
    }
}

/// A signer that the caller trusts: its certificate, or its public key alone. The key is prepared once, which takes
/// as long as several verifications, and then verifies any number of messages.
///
/// ```
/// use moissanite_cms::{MlDsa65, SigningKey, SysRng, TrustedSigner};
///
/// let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
/// let trusted = TrustedSigner::from_key(key.verifying_key());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TrustedSigner {
    certificate: Option<Certificate>,
    key: Box<dyn Key>,
    pub(crate) algorithm: ObjectIdentifier,
    /// The collision strength of the parameter set in bits, λ of FIPS 204.
    pub(crate) lambda: usize,
}

impl TrustedSigner {
    /// Trusts a certificate, for messages that name it. Only the key and its usage are checked. The caller has
    /// validated a path to the certificate, which includes its signature, its validity period and its revocation;
    /// or it has the certificate from a trusted source.
    ///
    /// # Errors
    /// [`Error::PublicKey`], [`Error::KeyUsage`]; [`Error::Certificate`] if the key usage is malformed.
    pub fn from_certificate(certificate: &Certificate) -> Result<Self, Error> {
        let body = certificate.x509().tbs_certificate();
        let public = body.subject_public_key_info();
        let der = public.to_der().map_err(|_| Error::PublicKey)?;
        certificate.check_key_usage()?;
        let algorithm = public.algorithm.oid;
        let mut signer = if algorithm == oid::<MlDsa44>() {
            Self::from_spki::<MlDsa44>(&der)
        } else if algorithm == oid::<MlDsa65>() {
            Self::from_spki::<MlDsa65>(&der)
        } else {
            Self::from_spki::<MlDsa87>(&der)
        }?;
        signer.certificate = Some(certificate.clone());
        Ok(signer)
    }

    fn from_spki<P: Fips204>(der: &[u8]) -> Result<Self, Error>
    where
        PreparedVerifyingKey<P>: Send + Sync,
    {
        let key = VerifyingKey::<P>::from_spki(der).map_err(|_| Error::PublicKey)?;
        Ok(Self::from_key(&key))
    }

    /// Trusts a public key, whatever certificate a message names.
    #[must_use]
    pub fn from_key<P: Fips204>(key: &VerifyingKey<P>) -> Self
    where
        PreparedVerifyingKey<P>: Send + Sync,
    {
        Self {
            certificate: None,
            key: Box::new(key.prepare()),
            algorithm: oid::<P>(),
            lambda: P::LAMBDA,
        }
    }

    /// The certificate, if the signer has one.
    #[must_use]
    pub fn certificate(&self) -> Option<&Certificate> {
        self.certificate.as_ref()
    }

    /// Whether a signer of a message can be this one. A key without a certificate can be that of every signer
    /// with its algorithm.
    pub(crate) fn may_be(&self, info: &signed_data::SignerInfo) -> bool {
        match &self.certificate {
            Some(certificate) => certificate.is_identified_by(&info.sid),
            None => info.signature_algorithm.oid == self.algorithm,
        }
    }

    /// Verifies a signature of pure ML-DSA with the empty context.
    pub(crate) fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        if self.key.verify_bytes(message, signature) {
            Ok(())
        } else {
            Err(Error::InvalidSignature)
        }
    }
}

impl fmt::Debug for TrustedSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TrustedSigner")
            .field("algorithm", &format_args!("{}", self.algorithm))
            .field("certificate", &self.certificate)
            .finish_non_exhaustive()
    }
}
