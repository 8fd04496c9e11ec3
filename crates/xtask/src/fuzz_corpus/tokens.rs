//! The seeds of the target that reads keys and tokens of JOSE and COSE.

use anyhow::Result;
use moissanite_tokens::{Algorithm, Deterministic, SigningKey, cose, jws};

/// Each file with its path under fuzz/seeds. The first byte says what the rest is.
pub(super) fn seeds() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let key = SigningKey::from_seed(Algorithm::MlDsa44, &[0; 32].into()).with_kid("kid");
    let public = key.to_verifying_key();
    let file = |kind: u8, bytes: &[u8]| [&[kind], bytes].concat();
    let jwk = public.to_jwk()?;
    let set = format!(r#"{{"keys":[{jwk},{{"kty":"EC"}}]}}"#);
    let jws = jws::Header::new().with_kid("kid").with("x", 1.5);
    let token = key.sign_jws(Deterministic, &jws, b"payload")?;
    let flattened = key.sign_jws_json(Deterministic, &jws, b"payload")?;
    let general = flattened.replacen(r#""protected""#, r#""signatures":[{"protected""#, 1);
    let general = general.replace('}', "}]}");
    let envelope = key.sign_dsse(Deterministic, "application/vnd.fuzz", b"payload")?;
    let cose = cose::Header::new().with_kid("kid").with("x", &[0xf6])?;
    Ok(vec![
        ("tokens/dsse.json", file(8, envelope.as_bytes())),
        ("tokens/tuf.key", file(9, public.to_tuf_key()?.as_bytes())),
        ("tokens/public.jwk", file(0, jwk.as_bytes())),
        (
            "tokens/private.jwk",
            file(0, key.to_private_jwk()?.as_bytes()),
        ),
        ("tokens/set.jwk", file(1, set.as_bytes())),
        ("tokens/jws", file(2, token.as_bytes())),
        ("tokens/flattened.json", file(3, flattened.as_bytes())),
        ("tokens/general.json", file(3, general.as_bytes())),
        (
            "tokens/jws-header",
            file(
                4,
                br#"{"alg":"ML-DSA-44","typ":"JWT","x":{"y":[1,"\u0041"]}}"#,
            ),
        ),
        ("tokens/public.cbor", file(5, &public.to_cose_key())),
        ("tokens/private.cbor", file(5, &key.to_private_cose_key()?)),
        (
            "tokens/sign1",
            file(6, &key.sign_sign1(Deterministic, &cose, b"payload", b"")?),
        ),
        (
            "tokens/cose-header",
            file(
                7,
                &[
                    0xa3, 0x01, 0x38, 0x2f, 0x04, 0x41, 0x31, 0x61, 0x78, 0x81, 0x01,
                ],
            ),
        ),
    ])
}
