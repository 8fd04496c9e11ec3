//! The examples of RFC 9964, appendix A.
//!
//! The keys have a seed of zeros, and the signatures are deterministic. Therefore each example is
//! reproduced here from its header and payload, and compared by its key identifier, which is a
//! thumbprint of the whole public key, and by c̃, the first bytes of the signature, which hash the public
//! key, the message and the rest of the signature's computation. `cargo xtask tokens-interop` compares the
//! whole tokens of appendix A.1 with those of another package.

use moissanite_tokens::{Algorithm, Deterministic, SigningKey, VerifyingKey, cose, jws};

use crate::common::{base64, key};

/// An example: the set, the key identifier, and the first bytes of the signature.
type Example = (Algorithm, &'static str, &'static str);

/// Appendix A.1. The key identifiers are JWK thumbprints.
const JOSE: [Example; 3] = [
    (
        Algorithm::MlDsa44,
        "T4xl70S7MT6Zeq6r9V9fPJGVn76wfnXJ21-gyo0Gu6o",
        "92723543ff422332c7e57cbde0a91ced654aa9970082d27798d7f41948f5b8b0",
    ),
    (
        Algorithm::MlDsa65,
        "Suiu29qbfuaBaR4Ats-c6XQBePB_OpAxAwcTR_0KXVM",
        "ce63bdff46cb80901e82854dca67d1a389c63cae6556d4851a70dbcdfcd8003e\
         665045e9681520e22b6f67cac05198b8",
    ),
    (
        Algorithm::MlDsa87,
        "tRn1JNIkgMsABVQBlXeDHxAIcclh-2IX0UdDEzPt5XU",
        "86632b2a452067018f415fd65285d456afd9f5639e9c365b7cc987a4aae2b65d\
         1bb568b6f530bc788c90c93d4502e5b6920de1e802ecbc2ae35f9b67dd028541",
    ),
];
const JOSE_PAYLOAD: &str = "It\u{2019}s a dangerous business, Frodo, going out your door.";

/// Appendix A.2. The key identifiers are COSE_Key thumbprints.
const COSE: [Example; 3] = [
    (
        Algorithm::MlDsa44,
        "b8969ab4b37da9f0684e42647eb8a0be8b5b661ebf5d76f0583bf5b8d3a8059a",
        "2657237b7520fd4cb8803f69a6e4ab613f4816420cd38e6474e548a370c6f0a1",
    ),
    (
        Algorithm::MlDsa65,
        "b788acf242f1f1d6532926d816e76e1636874267f2a48c84c4e65789ab80cc02",
        "d5bd2448903e4f81fb949158eefdeb93e2f40e58d3ffe5703d23954aeb547b2f\
         490226b7e4bc617a90156acd6afa662c",
    ),
    (
        Algorithm::MlDsa87,
        "d9bc439f97bd6d4093e68f0f3fcf09c9a97adf888ed7308dd565247a166cb4fa",
        "e132b492fc022d5fd1d2205f52dbf1ad1aaef3ece4622b4e3875696d64d66dcc\
         c74df743c1b85552a0f3c1bdaaa8f789a15fdb3ce6329021f5815316cda1da5b",
    ),
];
const COSE_PAYLOAD: &[u8] = b"hello post quantum signatures";

#[test]
fn keys_and_signatures_of_jose() {
    for (algorithm, kid, c_tilde) in JOSE {
        let key = key(algorithm).with_kid(kid);
        let public = key.to_verifying_key();
        assert_eq!(public.jwk_thumbprint(), kid);
        let jwk = key.to_private_jwk().unwrap();
        assert!(jwk.contains(&format!(r#""priv":"{}""#, "A".repeat(43))));
        assert_eq!(
            SigningKey::from_jwk(&jwk).unwrap().public_key_bytes(),
            public.as_bytes()
        );
        assert_eq!(
            VerifyingKey::from_jwk(&public.to_jwk().unwrap()).unwrap(),
            public
        );

        let header = jws::Header::new().with_kid(kid);
        let token = key
            .sign_jws(Deterministic, &header, JOSE_PAYLOAD.as_bytes())
            .unwrap();
        let header = format!(r#"{{"alg":"{algorithm}","kid":"{kid}"}}"#);
        let start = format!("{}.{}.", base64(header), base64(JOSE_PAYLOAD));
        assert!(token.starts_with(&start));
        // Whole groups of four characters are compared.
        let c_tilde = hex::decode(c_tilde).unwrap();
        let whole = c_tilde.len() - c_tilde.len() % 3;
        assert!(token[start.len()..].starts_with(&base64(&c_tilde[..whole])));
        let verified = public.verify_jws(&token).unwrap();
        assert_eq!(verified.payload, JOSE_PAYLOAD.as_bytes());
        assert_eq!(verified.header.kid(), Some(kid));
    }
}

#[test]
fn keys_and_signatures_of_cose() {
    for (algorithm, kid, c_tilde) in COSE {
        let kid = hex::decode(kid).unwrap();
        let key = key(algorithm).with_kid(&kid);
        let public = key.to_verifying_key();
        assert_eq!(public.cose_thumbprint()[..], kid);
        let cose_key = key.to_private_cose_key().unwrap();
        assert_eq!(
            SigningKey::from_cose_key(&cose_key).unwrap().kid(),
            Some(&kid[..])
        );
        assert_eq!(
            VerifyingKey::from_cose_key(&public.to_cose_key()).unwrap(),
            public
        );

        let header = cose::Header::new().with_kid(&kid);
        let message = key
            .sign_sign1(Deterministic, &header, COSE_PAYLOAD, b"")
            .unwrap();
        // 18([h'{1: alg, 4: kid}', {}, payload, signature])
        let id = u8::try_from(-1 - algorithm.cose_id()).unwrap();
        let start = [
            &[
                0xd2, 0x84, 0x58, 0x27, 0xa2, 0x01, 0x38, id, 0x04, 0x58, 0x20,
            ],
            &kid[..],
            &[0xa0, 0x58, 0x1d],
            COSE_PAYLOAD,
            &[0x59],
            &u16::try_from(algorithm.signature_len())
                .unwrap()
                .to_be_bytes(),
            &hex::decode(c_tilde).unwrap(),
        ];
        assert!(message.starts_with(&start.concat()));
        let verified = public.verify_sign1(&message, b"").unwrap();
        assert_eq!(verified.payload, COSE_PAYLOAD);
        assert_eq!(verified.header.kid(), Some(&kid[..]));
    }
}
