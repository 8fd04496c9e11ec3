use base64ct::{Base64, Encoding};
use moissanite_tlog::{Cosigner, CosignerKey, Ed25519Key, Error, NoteVerifier, Seed, SigningKey};

use crate::{WITNESS, cosigner, cosigner_key, ed25519, go};

/// Both crates derive the same key from the seed, and give it the same ID.
#[test]
fn keys_of_go() {
    let key = cosigner().key();
    assert_eq!(key.to_vkey(), go("/ml_dsa_44"));
    assert_eq!(key, cosigner_key());
    assert_eq!(key.name(), WITNESS);
    assert!(go("/ml_dsa_44").contains(&format!("+{}+", key.key_id())));
    for path in ["/ed25519", "/ed25519_cosigner"] {
        assert_eq!(ed25519(path).to_vkey(), go(path));
    }
    assert!(!ed25519("/ed25519").is_cosigner());
    assert!(ed25519("/ed25519_cosigner").is_cosigner());
}

#[test]
fn malformed_texts() {
    let refused = |text: &str, error: Error| {
        let found = CosignerKey::from_vkey(text).unwrap_err();
        assert_eq!(found, error, "{}", text.get(..40).unwrap_or(text));
        assert_eq!(Ed25519Key::from_vkey(text).unwrap_err(), error);
    };
    let text = go("/ml_dsa_44");
    let base64 = text.splitn(3, '+').last().unwrap();
    refused("", Error::Key);
    refused("name", Error::Key);
    refused("name+6aee8f30", Error::Key);
    for id in [
        "",
        "6aee8f3",
        "6aee8f300",
        "+aee8f30",
        "6aee8g30",
        "6aee8f3\u{e9}",
    ] {
        refused(&format!("{WITNESS}+{id}+{base64}"), Error::Key);
    }
    refused(&format!("{WITNESS}+6aee8f30+{base64}="), Error::Key);
    refused(&format!("{WITNESS}+6aee8f30+"), Error::Key);
    refused(&format!("{WITNESS}+6aee8f31+{base64}"), Error::KeyId);
    refused(&format!("other+6aee8f30+{base64}"), Error::KeyId);
    for name in ["", "a b", "a\u{a0}b", "a\u{2003}b", "a\nb", "a\u{7f}b"] {
        refused(&format!("{name}+6aee8f30+{base64}"), Error::Name);
    }
    let long = format!("{text}{}", "A".repeat(1 << 20));
    assert!(matches!(
        CosignerKey::from_vkey(&long),
        Err(Error::TooLong { .. })
    ));
}

/// The ID in upper case is the same number.
#[test]
fn upper_case_ids() {
    let (name, rest) = go("/ml_dsa_44").split_once('+').unwrap();
    let (id, base64) = rest.split_once('+').unwrap();
    let text = format!("{name}+{}+{base64}", id.to_uppercase());
    assert_eq!(CosignerKey::from_vkey(&text).unwrap(), cosigner_key());
}

#[test]
fn other_signature_types() {
    let error = CosignerKey::from_vkey(go("/ed25519")).unwrap_err();
    assert_eq!(error, Error::SignatureType);
    let error = Ed25519Key::from_vkey(go("/ml_dsa_44")).unwrap_err();
    assert_eq!(error, Error::SignatureType);
}

/// Returns the text of a key with its right ID.
fn vkey(name: &str, signature_type: u8, key: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    let id = [name.as_bytes(), b"\n", &[signature_type], key].concat();
    let bytes = [&[signature_type], key].concat();
    format!(
        "{name}+{}+{}",
        hex::encode(&Sha256::digest(id)[..4]),
        Base64::encode_string(&bytes)
    )
}

#[test]
fn public_keys_of_wrong_lengths() {
    for length in [0, 1311, 1313] {
        let error = CosignerKey::from_vkey(&vkey("a", 6, &vec![0; length])).unwrap_err();
        assert_eq!(error, Error::PublicKey, "{length}");
    }
    for length in [0, 31, 33] {
        let error = Ed25519Key::from_vkey(&vkey("a", 1, &vec![1; length])).unwrap_err();
        assert_eq!(error, Error::PublicKey, "{length}");
    }
    // A point of small order signs everything.
    let mut identity = [0; 32];
    identity[0] = 1;
    let error = Ed25519Key::from_vkey(&vkey("a", 4, &identity)).unwrap_err();
    assert_eq!(error, Error::PublicKey);
}

/// The length of the name has one byte in the signed message.
#[test]
fn long_names() {
    let key = || SigningKey::from_seed(&Seed::from_bytes(&[1; 32]));
    let name = "n".repeat(255);
    assert!(Cosigner::new(&name, key()).is_ok());
    let error = Cosigner::new(&format!("{name}n"), key()).unwrap_err();
    let too_long = Error::TooLong {
        part: "name",
        limit: 255,
    };
    assert_eq!(error, too_long);
    assert_eq!(Cosigner::new("a+b", key()).unwrap_err(), Error::Name);
}

#[test]
fn debug_shows_no_key() {
    let text = format!("{:?}", cosigner());
    assert_eq!(
        text,
        "Cosigner { name: \"witness.example/ml-dsa-44\", id: KeyId(6aee8f30), .. }"
    );
}
