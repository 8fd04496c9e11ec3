//! Signers with the example keys and certificates of RFC 9881.

use moissanite::PreparedVerifyingKey;
use moissanite_cms::{
    Certificate, Content, Fips204, Message, MlDsa44, MlDsa65, MlDsa87, Signer, SigningKey,
    TrustedSigner,
};

use crate::CONTENT;

fn signs<P: Fips204>()
where
    PreparedVerifyingKey<P>: Send + Sync,
{
    let Some(pem) = moissanite_kats::text(&format!("rfc9881-examples/{}.crt", P::NAME)) else {
        return;
    };
    let certificate = Certificate::from_pem(pem).unwrap();
    let seed: [u8; 32] = std::array::from_fn(|i| i.try_into().unwrap());
    let signer = Signer::new(
        &SigningKey::<P>::from_seed(&seed.into()),
        certificate.clone(),
    );
    let signed = signer
        .unwrap()
        .try_sign(&Message::attached(CONTENT))
        .unwrap();
    let trusted = TrustedSigner::from_certificate(&certificate).unwrap();
    let verified = signed.verify(Content::Attached, &trusted).unwrap();
    assert_eq!(verified.content(), Some(CONTENT));
}

#[test]
fn example_certificates_sign_messages() {
    signs::<MlDsa44>();
    signs::<MlDsa65>();
    signs::<MlDsa87>();
}
