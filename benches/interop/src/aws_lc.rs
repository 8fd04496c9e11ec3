//! AWS-LC, through the crate `aws-lc-rs`, which has neither contexts nor PEM.

use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::signature::{
    KeyPair, ML_DSA_44, ML_DSA_44_SIGNING, ML_DSA_65, ML_DSA_65_SIGNING, ML_DSA_87,
    ML_DSA_87_SIGNING, PqdsaKeyPair, PqdsaSigningAlgorithm, PqdsaVerificationAlgorithm,
    UnparsedPublicKey,
};
use moissanite::pkcs8::{LineEnding, SecretDocument, der::Document};

use crate::peer::{Peer, PeerError, Set};

/// AWS-LC.
#[derive(Debug)]
pub struct AwsLc;

const PRIVATE: &str = "PRIVATE KEY";
const PUBLIC: &str = "PUBLIC KEY";

fn signing(set: Set) -> &'static PqdsaSigningAlgorithm {
    match set {
        Set::MlDsa44 => &ML_DSA_44_SIGNING,
        Set::MlDsa65 => &ML_DSA_65_SIGNING,
        Set::MlDsa87 => &ML_DSA_87_SIGNING,
    }
}

fn verification(set: Set) -> &'static PqdsaVerificationAlgorithm {
    match set {
        Set::MlDsa44 => &ML_DSA_44,
        Set::MlDsa65 => &ML_DSA_65,
        Set::MlDsa87 => &ML_DSA_87,
    }
}

impl Peer for AwsLc {
    const NAME: &'static str = "AWS-LC";
    const CONTEXTS: bool = false;
    type PrivateKey = PqdsaKeyPair;

    fn generate(set: Set) -> Result<PqdsaKeyPair, PeerError> {
        Ok(PqdsaKeyPair::generate(signing(set))?)
    }

    fn read_private(set: Set, pem: &str) -> Result<PqdsaKeyPair, PeerError> {
        let (label, document) = SecretDocument::from_pem(pem)?;
        assert_eq!(label, PRIVATE);
        Ok(PqdsaKeyPair::from_pkcs8(signing(set), document.as_bytes())?)
    }

    fn write_private(key: &PqdsaKeyPair) -> Result<String, PeerError> {
        let document = SecretDocument::try_from(key.to_pkcs8v1()?.as_ref())?;
        Ok(document.to_pem(PRIVATE, LineEnding::LF)?.to_string())
    }

    fn write_public(key: &PqdsaKeyPair) -> Result<String, PeerError> {
        let der = key.public_key().as_der()?;
        Ok(Document::try_from(der.as_ref())?.to_pem(PUBLIC, LineEnding::LF)?)
    }

    fn sign(key: &PqdsaKeyPair, context: &[u8], message: &[u8]) -> Result<Vec<u8>, PeerError> {
        assert!(context.is_empty(), "it has no contexts");
        let mut signature = vec![0; key.algorithm().signature_len()];
        key.sign(message, &mut signature)?;
        Ok(signature)
    }

    fn verify(
        set: Set,
        public_pem: &str,
        context: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), PeerError> {
        assert!(context.is_empty(), "it has no contexts");
        let (label, document) = Document::from_pem(public_pem)?;
        assert_eq!(label, PUBLIC);
        let key = UnparsedPublicKey::new(verification(set), document.as_bytes());
        Ok(key.verify(message, signature)?)
    }
}
