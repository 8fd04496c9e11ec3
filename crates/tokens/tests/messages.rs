//! The texts of errors.

use moissanite_tokens::{Algorithm, Error, SigningError};

#[test]
fn each_error_has_its_own_text() {
    let errors = [
        Error::TooLong {
            part: "JWK",
            limit: 5,
        },
        Error::Json,
        Error::Cbor,
        Error::TrailingData,
        Error::Duplicate,
        Error::Missing("alg"),
        Error::WrongType("alg"),
        Error::Base64("pub"),
        Error::Padding("pub"),
        Error::TrailingBits("pub"),
        Error::Parts,
        Error::MixedForms,
        Error::KeyType,
        Error::UnknownAlgorithm,
        Error::AlgorithmNone,
        Error::AlgorithmMismatch {
            key: Algorithm::MlDsa44,
            token: Algorithm::MlDsa87,
        },
        Error::UnprotectedAlgorithm,
        Error::PublicKeyLength {
            expected: 1,
            actual: 2,
        },
        Error::SeedLength,
        Error::PublicKeyMismatch,
        Error::PrivateKeyPresent,
        Error::SeedUnknown,
        Error::Use,
        Error::KeyOps,
        Error::KeyIdNotText,
        Error::Critical,
        Error::UnencodedPayload,
        Error::Tag,
        Error::TooManySignatures,
        Error::PayloadDetached,
        Error::PayloadPresent,
        Error::EmptySignature,
        Error::SignatureLength {
            expected: 1,
            actual: 2,
        },
        Error::InvalidSignature,
        Error::Signing(SigningError::Rng),
    ];
    let mut texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert!(
        texts
            .iter()
            .all(|text| text.len() > 10 && !text.ends_with('.'))
    );
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), errors.len());
    assert_eq!(
        errors[15].to_string(),
        "the token is signed with ML-DSA-87, but the key is of ML-DSA-44"
    );
}
