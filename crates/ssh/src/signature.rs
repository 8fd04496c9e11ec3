//! Signatures of files: `PROTOCOL.sshsig` of OpenSSH.

use alloc::string::String;
use alloc::vec::Vec;

use moissanite_composite::prelude::{RandomizedSigner, Signer, Verifier};
use moissanite_composite::rand_core::TryCryptoRng;
use moissanite_composite::{MlDsa44Ed25519, Signature};

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::message::{Hash, MessageHash};
use crate::private::PrivateKey;
use crate::public::PublicKey;
use crate::{limits, pem, wire};

const LABEL: &str = "SSH SIGNATURE";
const MAGIC: &[u8; 6] = b"SSHSIG";
const VERSION: u32 = 1;

/// The signature of a file, with the public key that verifies it: what `ssh-keygen -Y sign` writes.
///
/// The namespace says what the signature is for: `git` for commits and tags, `file` for files, or a name with
/// the domain of an application. A signature of one namespace is not valid in another.
///
/// ```
/// use moissanite_ssh::{Hash, MessageHash, PrivateKey, SshSignature, SysRng};
///
/// let key = PrivateKey::try_generate(&mut SysRng)?;
/// let hash = MessageHash::of(Hash::Sha512, b"message");
/// let text: String = key.try_sign_with_rng(&mut SysRng, "file", &hash)?.to_pem()?;
///
/// let signature = SshSignature::from_pem(&text)?;
/// assert_eq!(signature.public_key(), key.public_key());
/// signature.verify("file", &hash)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SshSignature {
    public_key: PublicKey,
    namespace: String,
    hash: Hash,
    signature: Signature<MlDsa44Ed25519>,
}

impl PrivateKey {
    /// Signs the hash of a message in a namespace. The ML-DSA half is hedged with 32 bytes from `rng`.
    ///
    /// # Errors
    /// [`Error::Namespace`], [`Error::Signing`].
    pub fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        namespace: &str,
        hash: &MessageHash,
    ) -> Result<SshSignature, Error> {
        let signed = signed_data(namespace, hash)?;
        let signature = self.signing_key().try_sign_with_rng(rng, &signed)?;
        Ok(self.signature(namespace, hash, signature))
    }

    /// Signs without randomness: the same key, namespace and message give the same signature.
    ///
    /// # Errors
    /// [`Error::Namespace`], [`Error::Signing`].
    pub fn try_sign(&self, namespace: &str, hash: &MessageHash) -> Result<SshSignature, Error> {
        let signature = self
            .signing_key()
            .try_sign(&signed_data(namespace, hash)?)?;
        Ok(self.signature(namespace, hash, signature))
    }

    fn signature(
        &self,
        namespace: &str,
        hash: &MessageHash,
        signature: Signature<MlDsa44Ed25519>,
    ) -> SshSignature {
        SshSignature {
            public_key: self.public_key().clone(),
            namespace: namespace.into(),
            hash: hash.function(),
            signature,
        }
    }
}

impl SshSignature {
    /// Reads a signature: PEM with the label `SSH SIGNATURE`. The text has at most [`limits::SIGNATURE`]
    /// bytes.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Pem`], [`Error::Encoding`], [`Error::TrailingData`], [`Error::Version`],
    /// [`Error::UnknownAlgorithm`], [`Error::PublicKey`], [`Error::Namespace`], [`Error::Reserved`],
    /// [`Error::UnknownHash`], [`Error::Contradiction`], [`Error::SignatureLength`].
    pub fn from_pem(pem: &str) -> Result<Self, Error> {
        limits::check("signature", pem, limits::SIGNATURE)?;
        Self::parse(&pem::decode(pem, LABEL)?)
    }

    /// Writes the signature as PEM, which has 5.5 KB.
    ///
    /// # Errors
    /// None occurs, because the length of the namespace is limited.
    pub fn to_pem(&self) -> Result<String, Error> {
        let mut text = pem::encode(LABEL, &self.bytes())?;
        // The text is not secret.
        Ok(core::mem::take(&mut *text))
    }

    /// The public key, which comes with the signature. Anybody can make a signature with a key of their own:
    /// compare it with a key that you trust, or use [`AllowedSigners`](crate::AllowedSigners).
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.public_key
    }

    /// The namespace that the signature names.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The hash function with which the message has to be hashed.
    #[must_use]
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// Verifies that the key in this signature signed the message in the namespace that the caller expects.
    /// This says nothing about whose key that is; see [`Self::public_key`].
    ///
    /// # Errors
    /// [`Error::Namespace`], [`Error::NamespaceMismatch`], [`Error::HashMismatch`],
    /// [`Error::InvalidSignature`].
    pub fn verify(&self, namespace: &str, hash: &MessageHash) -> Result<(), Error> {
        if hash.function() != self.hash {
            return Err(Error::HashMismatch);
        }
        if namespace != self.namespace {
            return Err(Error::NamespaceMismatch);
        }
        let signed = signed_data(namespace, hash)?;
        let key = self.public_key.verifying_key();
        key.verify(&signed, &self.signature)
            .map_err(|_| Error::InvalidSignature)
    }
}

/// Returns what is signed.
fn signed_data(namespace: &str, hash: &MessageHash) -> Result<Vec<u8>, Error> {
    check_namespace(namespace.as_bytes())?;
    let mut data = Vec::from(MAGIC);
    for string in [
        namespace.as_bytes(),
        // The reserved field.
        b"",
        hash.function().name().as_bytes(),
        hash.as_bytes(),
    ] {
        wire::push(&mut data, string);
    }
    Ok(data)
}

fn check_namespace(namespace: &[u8]) -> Result<&str, Error> {
    if namespace.is_empty() {
        return Err(Error::Namespace);
    }
    wire::line(namespace, Error::Namespace)
}

impl SshSignature {
    fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let input = &mut bytes.strip_prefix(MAGIC).ok_or(Error::Encoding)?;
        if wire::number(input)? != VERSION {
            return Err(Error::Version);
        }
        let public_key = PublicKey::from_blob(wire::string(input)?)?;
        let namespace = check_namespace(wire::string(input)?)?.into();
        if !wire::string(input)?.is_empty() {
            return Err(Error::Reserved);
        }
        let hash = Hash::from_name(wire::string(input)?)?;
        let signature = &mut wire::string(input)?;
        wire::end(input)?;
        if Algorithm::from_name(wire::string(signature)?)? != public_key.algorithm() {
            return Err(Error::Contradiction);
        }
        let bytes = wire::string(signature)?;
        wire::end(signature)?;
        Ok(Self {
            public_key,
            namespace,
            hash,
            signature: Signature::from_bytes(bytes).map_err(|_| Error::SignatureLength)?,
        })
    }

    fn bytes(&self) -> Vec<u8> {
        let mut signature = Vec::new();
        wire::push(
            &mut signature,
            self.public_key.algorithm().name().as_bytes(),
        );
        wire::push(&mut signature, self.signature.as_bytes());
        let mut bytes = Vec::from(MAGIC);
        wire::push_number(&mut bytes, VERSION);
        for string in [
            &self.public_key.to_blob()[..],
            self.namespace.as_bytes(),
            b"",
            self.hash.name().as_bytes(),
            &signature,
        ] {
            wire::push(&mut bytes, string);
        }
        bytes
    }
}
