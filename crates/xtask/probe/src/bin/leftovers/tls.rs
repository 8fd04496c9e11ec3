//! The signature of a TLS server.

use std::hint::black_box;

use rustls::SignatureScheme;
use rustls::crypto::{GetRandomFailed, SecureRandom};
use rustls::pki_types::PrivatePkcs8KeyDer;

use crate::operation::MESSAGE;

#[derive(Debug)]
struct Sevens;
impl SecureRandom for Sevens {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), GetRandomFailed> {
        bytes.fill(7);
        Ok(())
    }
}

/// Reads a key and signs, as a TLS server does.
pub(crate) fn rustls_signs(pkcs8: &[u8]) {
    let document = PrivatePkcs8KeyDer::from(pkcs8);
    let schemes = [
        SignatureScheme::ML_DSA_44,
        SignatureScheme::ML_DSA_65,
        SignatureScheme::ML_DSA_87,
    ];
    let Some(Ok(key)) = moissanite_rustls::signing_key(&document, &Sevens) else {
        unreachable!("the document has an ML-DSA key");
    };
    if let Some(signer) = key.choose_scheme(&schemes) {
        drop(black_box(signer.sign(MESSAGE)));
    }
}
