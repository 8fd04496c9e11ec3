//! Tests that the errors of the compiler name the public API, and none of the items behind it.

use crate::scratch::Scratch;

/// Each line has an error that users make.
const PROGRAM: &str = r#"
use moissanite::{batch::*, prehash::*, prelude::*, *};

fn bound_of_a_set<P>(_: &SigningKey<P>) {}
fn bound_of_fips_204<P: ParameterSet>(key: &SigningKey<P>) { _ = key.with_context(b""); }
fn bound_of_a_public_key<K>(items: &[VerifyItem<'_, K>]) { _ = verify_batch(b"", items); }
fn bound_of_a_private_key<K>(key: &WithContext<'_, K>) { _ = key.try_sign(b""); }

fn main() {
    let (small, key) = (SigningKey::<MlDsa44>::from_seed(&[7; 32].into()), SigningKey::<MlDsa65>::from_seed(&[7; 32].into()));
    let signature: Signature<MlDsa44> = key.sign(b"");
    _ = small.verifying_key().verify(b"", &key.sign(b""));
    _ = SigningKey::<u8>::from_seed(&[7; 32].into());
    _ = verify_batch(b"", &[(&1, b"".as_slice(), &signature)]);
    _ = sign_batch(b"", &[(&key, b"".as_slice())]);
    _ = key.verify(b"", &signature);
    let dilithium = SigningKey::<Dilithium3>::from_seed(&[7; 32].into());
    _ = dilithium.with_context(b"");
    _ = key.try_sign_mu(&dilithium.verifying_key().message_mu().finish());
    _ = PreHashed::<u8>::of(&[]);
    _ = SigningKeyIn::from_seed_in(&mut 1, &[7; 32].into());
    let _: () = stream::SigningKey::<MlDsa44, _>::from_seed_in(&mut stream::Seeds::new(), &[7; 32].into());
    let _: () = key.on(backend::Portable);
}
"#;

#[test]
fn errors_name_the_public_api() {
    let features = ["alloc", "hash-ml-dsa", "hazmat", "pkcs8"];
    let scratch = Scratch::new("moissanite", &features, "compile-errors", PROGRAM);
    let output = scratch.cargo("check").output().unwrap();
    assert!(!output.status.success());
    let stderr = String::from_utf8(output.stderr).unwrap();
    // The paths of source files are not names of items.
    let lines = stderr.lines().filter(|line| {
        let line = line.trim_start();
        !line.starts_with("-->") && !line.starts_with(":::")
    });
    let said = lines.collect::<Vec<_>>().join("\n");

    for text in [
        "expected `Signature<MlDsa44>`, found `Signature<MlDsa65>`",
        "`P` is not a parameter set",
        "`P: Fips204`",
        "`K` is not a public key of this crate",
        "`K: AnySigningKey`",
        "`u8` is not a parameter set",
        "`{integer}` is not a public key of this crate",
        "is not a prepared private key",
        "`moissanite::Dilithium3: Fips204`",
        "expected `&Mu`, found `&Mu<Round3>`",
        "`u8: PreHash`",
        "`{integer}` is not memory for a private key",
    ] {
        assert!(said.contains(text), "{text} is not in:\n{said}");
    }
    for name in [
        "core_ops",
        "key_traits",
        "moissanite_core",
        "MlDsa<",
        "check_signature",
    ] {
        assert!(!said.contains(name), "{name} is in:\n{said}");
    }
}
