//! RustCrypto's `ml-dsa` and the crate that takes its place give the same bytes, verdicts and errors.

/// One result and its name.
type Observation = (String, String);

/// Defines a function that makes observations with a crate.
macro_rules! observations {
    ($module:ident, $ml_dsa:ident) => {
        mod $module {
            use super::Observation;
            use serde_json::Value;
            use $ml_dsa::pkcs8::der::Encode;
            use $ml_dsa::pkcs8::der::asn1::{AnyRef, OctetStringRef};
            use $ml_dsa::pkcs8::spki::{AssociatedAlgorithmIdentifier, SignatureBitStringEncoding};
            use $ml_dsa::pkcs8::{
                DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey,
                PrivateKeyInfoRef,
            };
            use $ml_dsa::signature::digest::Update;
            use $ml_dsa::signature::{DigestSigner, MultipartSigner};
            use $ml_dsa::{
                B32, EncodedSignature, EncodedVerifyingKey, ExpandedSigningKey, KeyExport, Keypair,
                MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Signature, Signer, SigningKey,
                VerifyingKey,
            };

            fn absorb(digest: &mut shake::Shake256) -> Result<(), $ml_dsa::Error> {
                digest.update(b"message");
                Ok(())
            }

            pub fn of_keys() -> Vec<Observation> {
                let mut all = Vec::new();
                keys::<MlDsa44>(&mut all);
                keys::<MlDsa65>(&mut all);
                keys::<MlDsa87>(&mut all);
                all
            }

            #[allow(deprecated)]
            fn keys<P>(all: &mut Vec<Observation>)
            where
                P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
            {
                for fill in [0, 1, 0xff] {
                    let mut add = |name: &str, bytes: &[u8]| {
                        all.push((
                            format!("{:?} {fill}: {name}", P::default()),
                            hex::encode(bytes),
                        ));
                    };
                    let key = SigningKey::<P>::from_seed(&[fill; 32].into());
                    let (expanded, public) = (key.expanded_key(), key.verifying_key());
                    add("public key", &public.encode());
                    add("public key, exported", &public.to_bytes());
                    add("expanded key", &expanded.to_expanded());
                    add("seed", &key.to_seed());
                    add("PKCS#8", key.to_pkcs8_der().unwrap().as_bytes());
                    add("SPKI", public.to_public_key_der().unwrap().as_bytes());
                    add("signature", &key.sign(b"message").encode());
                    add("parts", &key.multipart_sign(&[b"mess", b"age"]).encode());
                    add(
                        "digest",
                        &key.sign_digest(|it| it.update(b"message")).encode(),
                    );
                    let signature = expanded.sign_deterministic(b"message", b"context").unwrap();
                    add("context", &signature.encode());
                    add("c tilde", signature.c_tilde());
                    add("bit string", signature.to_bitstring().unwrap().raw_bytes());
                    let rnd = B32::from([fill; 32]);
                    add(
                        "internal",
                        &expanded.sign_internal(&[b"a", b"b"], &rnd).encode(),
                    );
                    let mu = public.compute_mu(absorb, b"context").unwrap();
                    add("mu", &mu);
                    add(
                        "signature of mu",
                        &expanded.sign_mu_deterministic(&mu).encode(),
                    );
                    add("verified", &[u8::from(public.verify_mu(&mu, &signature))]);
                    add("Debug", format!("{key:?} {expanded:?}").as_bytes());
                }
            }

            /// What a document with these bytes in place of the seed's element is read as.
            pub fn of_document(private_key: &[u8]) -> String {
                let private_key = OctetStringRef::new(private_key).unwrap();
                let document = PrivateKeyInfoRef::new(MlDsa44::ALGORITHM_IDENTIFIER, private_key);
                let document = document.to_der().unwrap();
                let key = SigningKey::<MlDsa44>::from_pkcs8_der(&document).map(|key| key.to_seed());
                let expanded = ExpandedSigningKey::<MlDsa44>::from_pkcs8_der(&document);
                let other = SigningKey::<MlDsa65>::from_pkcs8_der(&document).err();
                let public = VerifyingKey::<MlDsa44>::from_public_key_der(&document).is_ok();
                format!("{key:?} {:?} {other:?} {public}", expanded.map(|_| ()))
            }

            /// Whether the signatures of a file with vectors are read, and whether they are valid.
            pub fn of_vectors(file: &Value) -> Vec<Observation> {
                let mut all = Vec::new();
                for set in file.as_array().unwrap() {
                    match set["algorithm"].as_str().unwrap() {
                        "ML-DSA-44" => vectors::<MlDsa44>(set, &mut all),
                        "ML-DSA-65" => vectors::<MlDsa65>(set, &mut all),
                        "ML-DSA-87" => vectors::<MlDsa87>(set, &mut all),
                        other => panic!("{other}"),
                    }
                }
                all
            }

            fn vectors<P: MlDsaParams>(set: &Value, all: &mut Vec<Observation>) {
                let bytes = |text: &Value| hex::decode(text.as_str().unwrap_or_default()).unwrap();
                for group in set["testGroups"].as_array().unwrap() {
                    let key = bytes(&group["publicKey"]);
                    let key = EncodedVerifyingKey::<P>::try_from(&key[..]).unwrap();
                    let key = VerifyingKey::<P>::decode(&key);
                    for test in group["tests"].as_array().unwrap() {
                        let [message, context, signature] =
                            ["msg", "ctx", "sig"].map(|name| bytes(&test[name]));
                        let encoded = EncodedSignature::<P>::try_from(&signature[..]).ok();
                        let decoded = encoded.and_then(|bytes| Signature::<P>::decode(&bytes));
                        let valid = decoded
                            .as_ref()
                            .map(|it| key.verify_with_context(&message, &context, it));
                        all.push((test["comment"].to_string(), format!("{valid:?}")));
                    }
                }
            }
        }
    };
}
observations!(published, ml_dsa);
observations!(compat, ml_dsa_compat);

fn check(published: Vec<Observation>, compat: Vec<Observation>) {
    assert!(published.len() > 20);
    assert_eq!(published.len(), compat.len());
    for (one, other) in published.iter().zip(&compat) {
        assert_eq!(one, other);
    }
}

#[test]
fn keys_signatures_and_documents_have_the_same_bytes() {
    check(published::of_keys(), compat::of_keys());
}

#[test]
fn malformed_documents_give_the_same_errors() {
    let element = |tag: u8, seed: &[u8]| [&[tag, seed.len() as u8], seed].concat();
    let seed = element(0x80, &[7; 32]);
    let both = [element(4, &[7; 32]), vec![4, 1, 0]].concat();
    for document in [
        &seed[..],
        &element(0x80, &[7; 31]),
        &element(0x80, &[7; 33]),
        &element(0x81, &[7; 32]),
        &element(0xa0, &element(4, &[7; 32])),
        &element(4, &[7; 32]),
        &element(0x30, &both),
        &[&seed[..], &[0]].concat(),
        &seed[..33],
        &[],
        &[5, 0],
    ] {
        assert_eq!(
            published::of_document(document),
            compat::of_document(document),
            "{document:x?}"
        );
    }
}

#[test]
fn vectors_give_the_same_verdicts() {
    let file = include_str!("../../../kats/killers.json");
    let file = serde_json::from_str(file).unwrap();
    check(published::of_vectors(&file), compat::of_vectors(&file));
}
