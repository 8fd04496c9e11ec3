//! Messages of CMS: made by OpenSSL and verified by `moissanite-cms`, and the other way round.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr;

use foreign_types::ForeignType;
use moissanite::pkcs8::{EncodePrivateKey, LineEnding};
use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87, PreparedVerifyingKey, SigningKey};
use moissanite_cms::{
    Certificate, Content, DigestAlgorithm, Message, SignedData, Signer, TrustedSigner,
};
use openssl::cms::{CMSOptions, CmsContentInfo};
use openssl::hash::MessageDigest;
use openssl::pkey::{PKey, Private};
use openssl::stack::Stack;
use openssl::x509::X509;
use openssl::x509::store::X509StoreBuilder;
use openssl_sys::{BIO, CMS_ContentInfo, EVP_MD, EVP_PKEY};

// The same certificates as in the tests of the crate.
mod issue {
    include!("../../../crates/cms/tests/issue.rs");
}

const CONTENT: &[u8] = b"a content with\nseveral lines\n";

// The functions behind the option -md of `openssl cms`, which the crate does not have.
unsafe extern "C" {
    fn CMS_add1_signer(
        message: *mut CMS_ContentInfo,
        certificate: *mut openssl_sys::X509,
        key: *mut EVP_PKEY,
        digest: *const EVP_MD,
        flags: c_uint,
    ) -> *mut c_void;
    fn CMS_final(
        message: *mut CMS_ContentInfo,
        content: *mut BIO,
        detached: *mut BIO,
        flags: c_uint,
    ) -> c_int;
}

/// Signs the content with OpenSSL and this digest algorithm.
fn signed_by_theirs(x509: &X509, key: &PKey<Private>, digest: MessageDigest) -> Vec<u8> {
    let flags = CMSOptions::BINARY | CMSOptions::PARTIAL;
    let message = CmsContentInfo::sign::<Private>(None, None, None, None, flags).expect("begun");
    let length = c_int::try_from(CONTENT.len()).expect("short");
    // SAFETY: all of these outlive the calls, and the buffer reads the content only.
    unsafe {
        let signer = CMS_add1_signer(
            message.as_ptr(),
            x509.as_ptr(),
            key.as_ptr(),
            digest.as_ptr(),
            flags.bits(),
        );
        assert!(!signer.is_null());
        let content = openssl_sys::BIO_new_mem_buf(CONTENT.as_ptr().cast(), length);
        let done = CMS_final(message.as_ptr(), content, ptr::null_mut(), flags.bits());
        openssl_sys::BIO_free_all(content);
        assert_eq!(done, 1, "{}", openssl::error::ErrorStack::get());
    }
    message.to_der().expect("DER")
}

fn digest_of_theirs(digest: DigestAlgorithm) -> MessageDigest {
    match digest {
        DigestAlgorithm::Sha256 => MessageDigest::sha256(),
        DigestAlgorithm::Sha384 => MessageDigest::sha384(),
        DigestAlgorithm::Sha512 => MessageDigest::sha512(),
        DigestAlgorithm::Sha3_256 => MessageDigest::sha3_256(),
        DigestAlgorithm::Sha3_384 => MessageDigest::sha3_384(),
        DigestAlgorithm::Sha3_512 => MessageDigest::sha3_512(),
        DigestAlgorithm::Shake128 => MessageDigest::shake_128(),
        DigestAlgorithm::Shake256 => MessageDigest::shake_256(),
        other => panic!("{other:?}"),
    }
}

fn key<P: Fips204>() -> (SigningKey<P>, Certificate) {
    let key = SigningKey::<P>::from_seed(&[7; 32].into());
    let certificate = issue::certificate(&key).expect("a certificate");
    (key, certificate)
}

fn theirs_verifies(message: &SignedData, certificate: &Certificate, attached: bool) {
    let mut cms = CmsContentInfo::from_der(message.as_der()).expect("CMS");
    let mut certificates = Stack::new().expect("a stack");
    certificates
        .push(X509::from_der(certificate.as_der()).expect("X.509"))
        .expect("pushed");
    let store = X509StoreBuilder::new().expect("a store").build();
    let mut output = Vec::new();
    let flags = CMSOptions::BINARY | CMSOptions::NO_SIGNER_CERT_VERIFY;
    let detached = (!attached).then_some(CONTENT);
    cms.verify(
        Some(&certificates),
        Some(&store),
        detached,
        Some(&mut output),
        flags,
    )
    .expect("verified");
    if attached {
        assert_eq!(output, CONTENT);
    }
}

fn ours_is_read<P: Fips204>() {
    let (key, certificate) = key::<P>();
    for digest in DigestAlgorithm::ALL {
        let signer = Signer::new(&key, certificate.clone()).expect("a signer");
        let Ok(signer) = signer.with_digest(digest) else {
            continue;
        };
        for message in [Message::attached(CONTENT), Message::detached(CONTENT)] {
            let attached = signer.try_sign(&message).expect("signed").is_attached();
            let signed = signer.try_sign(&message.with_signing_time(1_795_392_000));
            theirs_verifies(&signed.expect("signed"), &certificate, attached);
            // Without signed attributes, OpenSSL 4.0 verifies detached content only.
            if !attached {
                let signed = signer.try_sign(&message.without_signed_attributes());
                theirs_verifies(&signed.expect("signed"), &certificate, attached);
            }
        }
    }
}

fn theirs_is_read<P: Fips204>()
where
    PreparedVerifyingKey<P>: Send + Sync,
{
    let (key, certificate) = key::<P>();
    let pem = key.to_pkcs8_pem(LineEnding::LF).expect("PEM");
    let private = PKey::private_key_from_pem(pem.as_bytes()).expect("a key");
    let x509 = X509::from_der(certificate.as_der()).expect("X.509");
    let trusted = TrustedSigner::from_certificate(&certificate).expect("trusted");
    let options = CMSOptions::BINARY;
    for flags in [
        options,
        options | CMSOptions::DETACHED,
        options | CMSOptions::USE_KEYID,
        options | CMSOptions::CMS_NOCERTS | CMSOptions::NOSMIMECAP,
        options | CMSOptions::NOATTR,
        options | CMSOptions::NOATTR | CMSOptions::DETACHED,
    ] {
        let cms = CmsContentInfo::sign(Some(&x509), Some(&private), None, Some(CONTENT), flags);
        let der = cms.expect("signed").to_der().expect("DER");
        let signed = SignedData::from_der(&der).expect("read");
        let content = if flags.contains(CMSOptions::DETACHED) {
            Content::Detached(CONTENT)
        } else {
            Content::Attached
        };
        let verified = signed.verify(content, &trusted).expect("verified");
        assert_eq!(verified.content(), Some(CONTENT));
        let has_attributes = !flags.contains(CMSOptions::NOATTR);
        let signer = signed.unverified_signers().next().expect("a signer");
        assert_eq!(signer.has_signed_attributes(), has_attributes);
    }
}

fn each_digest_of_theirs_is_read<P: Fips204>()
where
    PreparedVerifyingKey<P>: Send + Sync,
{
    let (key, certificate) = key::<P>();
    let signer = || Signer::new(&key, certificate.clone()).expect("a signer");
    let pem = key.to_pkcs8_pem(LineEnding::LF).expect("PEM");
    let private = PKey::private_key_from_pem(pem.as_bytes()).expect("a key");
    let x509 = X509::from_der(certificate.as_der()).expect("X.509");
    let trusted = TrustedSigner::from_certificate(&certificate).expect("trusted");
    for digest in DigestAlgorithm::ALL {
        if signer().with_digest(digest).is_err() {
            continue;
        }
        let der = signed_by_theirs(&x509, &private, digest_of_theirs(digest));
        let signed = SignedData::from_der(&der).expect("read");
        let verified = signed.verify(Content::Attached, &trusted);
        assert_eq!(
            verified.expect("verified").content(),
            Some(CONTENT),
            "{digest:?}"
        );
        let info = signed.unverified_signers().next().expect("a signer");
        assert_eq!(info.digest_algorithm(), Some(digest));
    }
}

#[test]
fn ml_dsa_44() {
    ours_is_read::<MlDsa44>();
    theirs_is_read::<MlDsa44>();
    each_digest_of_theirs_is_read::<MlDsa44>();
}

#[test]
fn ml_dsa_65() {
    ours_is_read::<MlDsa65>();
    theirs_is_read::<MlDsa65>();
    each_digest_of_theirs_is_read::<MlDsa65>();
}

#[test]
fn ml_dsa_87() {
    ours_is_read::<MlDsa87>();
    theirs_is_read::<MlDsa87>();
    each_digest_of_theirs_is_read::<MlDsa87>();
}
