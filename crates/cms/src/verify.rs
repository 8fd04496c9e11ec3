//! Verification of messages (RFC 5652, section 5.6; RFC 9882, section 3).

use alloc::vec::Vec;
use core::fmt;

use der::Encode;
use der::asn1::ObjectIdentifier;

use crate::attributes::{Statement, is_encoding_of_attributes};
use crate::digest::{ContentDigest, DigestAlgorithm};
use crate::encoding::DATA;
use crate::error::Error;
use crate::signed_data::{SignedData, SignerInfo};
use crate::trusted::TrustedSigner;

/// Where the content of a message is.
#[derive(Clone, Copy, Debug)]
pub enum Content<'a> {
    /// In the message.
    Attached,
    /// Here.
    Detached(&'a [u8]),
    /// It was hashed piece by piece. See [`SignedData::content_digest`].
    DetachedDigest(&'a ContentDigest),
}

/// What the signers of a message signed.
#[derive(Clone, Debug)]
#[must_use = "the content that was signed is here"]
pub struct Verified<'a> {
    content: Option<&'a [u8]>,
    content_type: ObjectIdentifier,
    signers: Vec<SignerInfo<'a>>,
}

impl<'a> Verified<'a> {
    /// The signed content; `None` if the caller passed digests of it.
    #[must_use]
    pub fn content(&self) -> Option<&'a [u8]> {
        self.content
    }

    /// The type of the content; [`DATA`](crate::DATA) for bytes without a structure.
    #[must_use]
    pub fn content_type(&self) -> ObjectIdentifier {
        self.content_type
    }

    /// The signers whose signatures are valid. There is at least one.
    pub fn signers(&self) -> impl ExactSizeIterator<Item = SignerInfo<'a>> {
        self.signers.iter().copied()
    }
}

/// The results for the signers of a message that was not accepted by [`SignedData::verify_all`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSigners {
    results: Vec<Result<(), Error>>,
    missing: Vec<usize>,
}

impl InvalidSigners {
    /// For each signer of the message, in the order of [`SignedData::unverified_signers`], whether a trusted
    /// signer made its signature.
    pub fn results(&self) -> impl ExactSizeIterator<Item = Result<(), Error>> {
        self.results.iter().copied()
    }

    /// The indices of the trusted signers that made no valid signature, in order.
    pub fn missing(&self) -> impl ExactSizeIterator<Item = usize> {
        self.missing.iter().copied()
    }
}

impl fmt::Display for InvalidSigners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let invalid = self.results().filter(Result::is_err).count();
        let (all, missing) = (self.results.len(), self.missing.len());
        write!(
            f,
            "{invalid} of {all} signatures are not valid, and {missing} trusted signers have not signed"
        )
    }
}
impl core::error::Error for InvalidSigners {}

/// The reason why a message was not accepted by [`SignedData::verify_all`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyAllError {
    /// No signature was checked.
    Message(Error),
    /// A signature is not valid, or a trusted signer has not signed.
    Signers(InvalidSigners),
}

impl fmt::Display for VerifyAllError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(error) => error.fmt(f),
            Self::Signers(error) => error.fmt(f),
        }
    }
}
impl core::error::Error for VerifyAllError {}

impl From<Error> for VerifyAllError {
    fn from(error: Error) -> Self {
        Self::Message(error)
    }
}

impl SignedData {
    /// Verifies that a trusted signer signed the content: at least one signature that can be its own is valid.
    /// Signatures of others are ignored.
    ///
    /// ```
    /// # mod issue { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/issue.rs")); }
    /// # use issue::certificate;
    /// use moissanite_cms::{Content, Message, MlDsa44, Signer, SigningKey, SysRng, TrustedSigner};
    ///
    /// let key = SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
    /// # let certificate = certificate(&key)?;
    /// let trusted = TrustedSigner::from_certificate(&certificate)?;
    /// let signer = Signer::new(&key, certificate)?;
    /// let signed = signer.try_sign_with_rng(&mut SysRng, &Message::attached(b"content"))?;
    /// let verified = signed.verify(Content::Attached, &trusted)?;
    /// assert_eq!(verified.content(), Some(&b"content"[..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Attached`] and [`Error::Detached`] if the content is not where the caller says;
    /// [`Error::NoSigners`]; [`Error::UnknownSigner`]; otherwise why the first signature that can be that of the
    /// signer was refused.
    pub fn verify<'a>(
        &'a self,
        content: Content<'a>,
        signer: &TrustedSigner,
    ) -> Result<Verified<'a>, Error> {
        let content = self.locate(content)?;
        let mut first = None;
        let mut signers = Vec::new();
        for info in self.unverified_signers() {
            if signer.may_be(info.info) {
                match self.verify_one(content, info, signer) {
                    Ok(()) => signers.push(info),
                    Err(error) => {
                        first.get_or_insert(error);
                    }
                }
            }
        }
        if signers.is_empty() {
            return Err(first.unwrap_or(Error::UnknownSigner));
        }
        Ok(self.verified(content, signers))
    }

    /// Verifies that all of these trusted signers signed the content, and nobody else: each signature is valid and
    /// that of one of them, and each of them made one.
    ///
    /// ```
    /// # mod issue { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/issue.rs")); }
    /// # use issue::certificate;
    /// use moissanite_cms::{
    ///     Content, Error, Message, MlDsa44, Signer, SigningKey, SysRng, TrustedSigner, VerifyAllError,
    /// };
    ///
    /// let key = SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
    /// let other = SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
    /// let keys = [&key, &other].map(|key| TrustedSigner::from_key(key.verifying_key()));
    /// # let certificate = certificate(&key)?;
    /// let signer = Signer::new(&key, certificate)?;
    /// let signed = signer.try_sign_with_rng(&mut SysRng, &Message::attached(b"content"))?;
    /// let _ = signed.verify_all(Content::Attached, &[&keys[0]])?;
    /// let Err(VerifyAllError::Signers(error)) =
    ///     signed.verify_all(Content::Attached, &[&keys[0], &keys[1]])
    /// else {
    ///     unreachable!()
    /// };
    /// assert!(error.missing().eq([1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`VerifyAllError::Message`] with [`Error::Attached`], [`Error::Detached`] or [`Error::NoSigners`];
    /// [`VerifyAllError::Signers`] with the result for each signer.
    pub fn verify_all<'a>(
        &'a self,
        content: Content<'a>,
        signers: &[&TrustedSigner],
    ) -> Result<Verified<'a>, VerifyAllError> {
        let content = self.locate(content)?;
        let mut signed = alloc::vec![false; signers.len()];
        let verify = |info: SignerInfo<'a>| {
            let mut result = Err(Error::UnknownSigner);
            for (signer, signed) in signers.iter().zip(&mut signed) {
                if !signer.may_be(info.info) {
                    continue;
                }
                let verified = self.verify_one(content, info, signer);
                *signed |= verified.is_ok();
                if result.is_err() {
                    result = verified;
                }
            }
            result
        };
        let results: Vec<_> = self.unverified_signers().map(verify).collect();
        let missing = signed.iter().enumerate();
        let missing: Vec<_> = missing
            .filter_map(|(i, signed)| (!signed).then_some(i))
            .collect();
        if !missing.is_empty() || results.iter().any(Result::is_err) {
            return Err(VerifyAllError::Signers(InvalidSigners { results, missing }));
        }
        Ok(self.verified(content, self.unverified_signers().collect()))
    }

    /// Finds the content, which has to be where the caller says.
    fn locate<'a>(&'a self, content: Content<'a>) -> Result<Content<'a>, Error> {
        if self.unverified_signers().len() == 0 {
            return Err(Error::NoSigners);
        }
        match (content, self.unverified_content()) {
            (Content::Attached, Some(content)) => Ok(Content::Detached(content)),
            (Content::Attached, None) => Err(Error::Detached),
            (_, Some(_)) => Err(Error::Attached),
            (content, None) => Ok(content),
        }
    }

    fn verified<'a>(&self, content: Content<'a>, signers: Vec<SignerInfo<'a>>) -> Verified<'a> {
        Verified {
            content: match content {
                Content::Detached(content) => Some(content),
                Content::Attached | Content::DetachedDigest(_) => None,
            },
            content_type: self.unverified_content_type(),
            signers,
        }
    }

    /// Checks one signature with the key of a trusted signer.
    fn verify_one(
        &self,
        content: Content<'_>,
        signer: SignerInfo<'_>,
        trusted: &TrustedSigner,
    ) -> Result<(), Error> {
        let info = signer.info;
        let algorithm = &info.signature_algorithm;
        if algorithm.oid != trusted.algorithm || algorithm.parameters.is_some() {
            return Err(Error::SignatureAlgorithm);
        }
        let Some(attributes) = &info.signed_attrs else {
            let content = self.signed_content(content)?;
            return trusted.verify(content, info.signature.as_bytes());
        };
        let statement = Statement::read(attributes)?;
        self.check_statement(&statement, content, signer, trusted.lambda)?;
        // The signature is over the tag of a SET, and not over the tag [0] of the message.
        let attributes = attributes.to_der().map_err(|_| Error::Der)?;
        trusted.verify(&attributes, info.signature.as_bytes())
    }

    /// The content as the message of a signature without signed attributes. The digest algorithm is ignored, as
    /// RFC 9882, section 3.3, requires.
    fn signed_content<'a>(&self, content: Content<'a>) -> Result<&'a [u8], Error> {
        if self.unverified_content_type() != DATA {
            return Err(Error::SignedAttributesRequired);
        }
        let Content::Detached(content) = content else {
            return Err(Error::ContentRequired);
        };
        if is_encoding_of_attributes(content) {
            return Err(Error::AmbiguousContent);
        }
        Ok(content)
    }

    /// Checks that signed attributes are those of this content and these algorithms.
    fn check_statement(
        &self,
        statement: &Statement,
        content: Content<'_>,
        signer: SignerInfo<'_>,
        lambda: usize,
    ) -> Result<(), Error> {
        let info = signer.info;
        let digest = DigestAlgorithm::read(&info.digest_alg)?;
        if !digest.suits(lambda) {
            return Err(Error::WeakDigest);
        }
        if !self.lists(digest.oid()) {
            return Err(Error::UnlistedDigest);
        }
        if statement.content_type != self.unverified_content_type() {
            return Err(Error::ContentType);
        }
        if let Some(algorithms) = &statement.algorithms {
            let is_same = algorithms.digest == info.digest_alg
                && algorithms.signature.as_ref() == Some(&info.signature_algorithm)
                && algorithms.mac.is_none();
            if !is_same {
                return Err(Error::AlgorithmProtection);
            }
        }
        let actual = match content {
            Content::Detached(content) => digest.digest(content),
            Content::DetachedDigest(digests) => digests.of(digest)?,
            Content::Attached => return Err(Error::Detached),
        };
        if *actual != *statement.message_digest {
            return Err(Error::WrongDigest);
        }
        Ok(())
    }
}
