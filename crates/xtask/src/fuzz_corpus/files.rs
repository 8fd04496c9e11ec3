//! The seeds of the targets that read other files of the command: PEM text, files of any kind, signatures,
//! manifests, and ACVP prompts.

use anyhow::Result;
use moissanite::keys::{PrivateKeyForm, oid};
use moissanite::{MlDsa44, SigningKey, prelude::*};
use moissanite_composite::MlDsa44Ed25519;
use pkcs8::der::asn1::OctetStringRef;
use pkcs8::der::{Encode, pem};
use pkcs8::spki::AlgorithmIdentifierRef;
use pkcs8::{EncodePrivateKey, EncodePublicKey, LineEnding, PrivateKeyInfoRef};
use serde_json::{Value, json};
use sha2::{Digest, Sha512};

use crate::process;

/// The public key of the first example in section 7.1 of RFC 8032.
const ED25519: &str = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

/// Each file with its path under fuzz/seeds.
pub(super) fn seeds() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let mut seeds = documents()?;
    seeds.extend(raw()?);
    seeds.extend(prompts()?);
    seeds.extend(signatures()?);
    seeds.extend(manifests()?);
    Ok(seeds)
}

/// The first byte of a file of `recognise` chooses no algorithm and no kind.
fn documents() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let key = SigningKey::<MlDsa44>::from_seed(&[0; 32].into());
    let seed = key.to_pkcs8(PrivateKeyForm::Seed)?;
    let both = key.to_pkcs8(PrivateKeyForm::Both)?;
    let private = seed.to_pem("PRIVATE KEY", LineEnding::LF)?;
    let public_der = key.verifying_key().to_public_key_der()?;
    let public = key.verifying_key().to_public_key_pem(LineEnding::CRLF)?;
    let composite = moissanite_composite::SigningKey::<MlDsa44Ed25519>::from_seed(&[0; 64].into());
    let file = |bytes: &[u8]| [&[0], bytes].concat();
    let bare = deviating(&[0; 32])?;
    let expanded = key.to_expanded_bytes();
    let appended = [expanded.as_ref(), key.verifying_key().as_ref()].concat();
    let appended = deviating(&appended)?;
    Ok(vec![
        ("recognise/bare-seed.der", file(&bare)),
        ("recognise/public-appended.der", file(&appended)),
        (
            "recognise/several.pem",
            file(&[private.as_bytes(), public.as_bytes()].concat()),
        ),
        ("decode_pem/private", private.as_bytes().to_vec()),
        ("decode_pem/public", public.as_bytes().to_vec()),
        ("decode_pem/one-line", public.replace("\r\n", "\\n").into()),
        (
            "decode_pem/several",
            [private.as_str(), &public].concat().into(),
        ),
        ("recognise/seed.pem", file(private.as_bytes())),
        ("recognise/both.der", file(both.as_bytes())),
        ("recognise/public.der", file(public_der.as_bytes())),
        ("recognise/public.pem", file(public.as_bytes())),
        (
            "recognise/composite.der",
            file(composite.to_pkcs8_der()?.as_bytes()),
        ),
    ])
}

/// PKCS#8 that holds these bytes in place of a key of RFC 9881, as older programs write it.
fn deviating(key: &[u8]) -> Result<Vec<u8>> {
    let algorithm = AlgorithmIdentifierRef {
        oid: oid::<MlDsa44>(),
        parameters: None,
    };
    let info = PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(key)?);
    Ok(info.to_der()?)
}

/// The first byte of a file has the number of the algorithm in its low half, and of the kind in its high half.
fn raw() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let key = SigningKey::<MlDsa44>::from_seed(&[0; 32].into());
    let zk = moissanite_zk_dilithium::SigningKey::from_seed(&[0; 32].into());
    let signature = key.try_sign(b"message")?.to_bytes();
    let file = |options: u8, bytes: &[u8]| [&[options], bytes].concat();
    let public_key = key.verifying_key().to_bytes();
    Ok(vec![
        ("recognise/seed", file(0x11, &[0; 32])),
        (
            "recognise/private",
            file(0x11, key.to_expanded_bytes().as_ref()),
        ),
        ("recognise/public", file(0x21, public_key.as_ref())),
        ("recognise/signature", file(0x31, signature.as_ref())),
        ("recognise/zk-private", file(0x17, zk.to_bytes().as_ref())),
        (
            "recognise/ed25519-public",
            file(0x28, &hex::decode(ED25519)?),
        ),
    ])
}

/// The first bytes of a file choose ML-DSA-44 and no hash function or SHA-512, and are the context.
fn signatures() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let key = SigningKey::<MlDsa44>::from_seed(&[0; 32].into());
    let signature = key.try_sign(b"message")?.to_bytes();
    let signature = signature.as_ref();
    // The library refuses labels with a hyphen.
    let pem = pem::encode_string("SIGNATURE", LineEnding::LF, signature)
        .map_err(pkcs8::der::Error::from)?
        .replace("SIGNATURE-----", "ML-DSA-44 SIGNATURE-----");
    let text = format!("Algorithm: ML-DSA-44\nKey: sha256:{}\n", "5a".repeat(32));
    let stated = "Context: context\nPrehash: SHA2-512\n";
    let context = b"\x07context";
    let file = |head: &[u8], bytes: &[u8]| [&[1], head, bytes].concat();
    let boundary = b"\x11-----BEGIN A-----".as_slice();
    Ok(vec![
        (
            "signatures/boundary",
            file(&[&[0], boundary].concat(), signature),
        ),
        ("signatures/raw", file(&[0, 0], signature)),
        (
            "signatures/hex",
            file(&[0, 0], hex::encode(signature).as_bytes()),
        ),
        (
            "signatures/armored",
            file(&[0, 0], (text.clone() + &pem).as_bytes()),
        ),
        (
            "signatures/stated",
            file(
                &[&[4], context.as_slice()].concat(),
                (text + stated + &pem).as_bytes(),
            ),
        ),
    ])
}

/// The manifest of the folder `fuzz/folder`, those of names that are escaped, and two that are refused.
fn manifests() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let mut folder = String::new();
    for name in ["file", "folder.txt", "folder/file"] {
        let content = std::fs::read(process::root().join("fuzz/folder").join(name))?;
        folder += &format!("{}  {name}\n", hex::encode(Sha512::digest(content)));
    }
    folder += "# link: link -> folder/file\n";
    let hash = "5a".repeat(64);
    let names =
        format!("\\{hash}  a\\nb\n\\{hash}  a\\rb\n{hash}  a -> b\n# link: b\\> -> ../\\\\c\n");
    Ok(vec![
        (
            "manifest/outside",
            format!("{hash}  ../README.md\n").into_bytes(),
        ),
        (
            "manifest/below",
            format!("{hash}  a\n{hash}  a/b\n").into_bytes(),
        ),
        ("manifest/folder", folder.into_bytes()),
        ("manifest/names", names.into_bytes()),
        (
            "manifest/changed",
            format!("{hash}  file\n{hash}  link\n").into_bytes(),
        ),
    ])
}

fn prompts() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let key = SigningKey::<MlDsa44>::from_seed(&[0; 32].into());
    let public_key = hex::encode(key.verifying_key().to_bytes());
    let signature = hex::encode(key.try_sign(b"message")?.to_bytes());
    let seed = "00".repeat(32);
    let verify = json!({ "pk": public_key, "signature": signature, "message": "6d" });
    let hashed = json!({ "seed": seed, "message": "6d", "context": "63", "hashAlg": "SHA2-256" });
    let mu = json!({ "seed": seed, "mu": "01".repeat(64), "rnd": "02".repeat(32) });
    let external = json!({
        "deterministic": true, "signatureInterface": "external", "preHash": "preHash", "keyFormat": "seed",
    });
    let internal = json!({
        "deterministic": false, "signatureInterface": "internal", "externalMu": true, "keyFormat": "seed",
    });
    let key_gen = prompt("keyGen", &json!({}), &json!({ "seed": seed }));
    Ok(vec![
        ("acvp/key-gen", key_gen),
        ("acvp/sig-gen", prompt("sigGen", &external, &hashed)),
        ("acvp/external-mu", prompt("sigGen", &internal, &mu)),
        (
            "acvp/sig-ver",
            prompt(
                "sigVer",
                &json!({ "signatureInterface": "internal" }),
                &verify,
            ),
        ),
    ])
}

/// A prompt with one group and one test, which have these fields besides the usual ones.
fn prompt(mode: &str, of_group: &Value, of_test: &Value) -> Vec<u8> {
    let with = |mut value: Value, more: &Value| {
        for (name, field) in more.as_object().into_iter().flatten() {
            value[name] = field.clone();
        }
        value
    };
    let tests = [with(json!({ "tcId": 1 }), of_test)];
    let group = json!({
        "tgId": 1, "testType": "AFT", "parameterSet": "ML-DSA-44", "tests": tests,
    });
    let groups = [with(group, of_group)];
    let set = json!({
        "vsId": 1, "algorithm": "ML-DSA", "mode": mode, "revision": "FIPS204", "testGroups": groups,
    });
    json!([{ "acvVersion": "1.0" }, set])
        .to_string()
        .into_bytes()
}
