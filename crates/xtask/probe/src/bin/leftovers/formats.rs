//! Keys and signatures in the formats of CMS, JOSE, COSE, OpenSSH and transparency logs.

use std::hint::black_box;

use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87};
use moissanite_cms::Signer;
use moissanite_ssh::{Hash, MessageHash, PrivateKey};
use moissanite_tlog::{Checkpoint, Cosigner};
use moissanite_tokens::{Algorithm, Deterministic, SigningKey, cose, jws};

// The same certificates as in the tests of CMS.
mod issue {
    include!("../../../../../cms/tests/issue.rs");
}

use crate::operation::{Given, Input, MESSAGE, Operation, seed};

/// The passphrase of encrypted keys, which the job knows too.
const PASSPHRASE: &[u8] = b"passphrase";

pub(crate) fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    for scheme in ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"] {
        for (name, input) in [
            ("jwk", "jwk"),
            ("cose-key", "cose-key"),
            ("to-jwk", "seed"),
            ("to-cose-key", "seed"),
            ("jws", "seed"),
            ("jws-hedged", "seed"),
            ("sign1", "seed"),
        ] {
            let run = match scheme {
                "ML-DSA-44" => |input: &Input<'_>| tokens(input, Algorithm::MlDsa44),
                "ML-DSA-65" => |input: &Input<'_>| tokens(input, Algorithm::MlDsa65),
                _ => |input: &Input<'_>| tokens(input, Algorithm::MlDsa87),
            };
            all.push(Operation::new(scheme, name, input, false, run));
        }
        for name in ["cms", "cms-hedged", "cms-direct", "cms-direct-hedged"] {
            let run = match scheme {
                "ML-DSA-44" => cms::<MlDsa44>,
                "ML-DSA-65" => cms::<MlDsa65>,
                _ => cms::<MlDsa87>,
            };
            all.push(Operation::new(scheme, name, "seed", false, run));
        }
    }
    for (name, input) in [
        ("openssh", "openssh"),
        ("openssh-encrypted", "openssh-encrypted"),
        ("openssh-wrong", "openssh-encrypted"),
        ("to-openssh", "seed"),
        ("to-openssh-encrypted", "seed"),
        ("ssh-sign", "seed"),
    ] {
        all.push(Operation::new("MLDSA44-Ed25519", name, input, false, ssh));
    }
    for name in ["cosign", "cosign-hedged"] {
        all.push(Operation::new("ML-DSA-44", name, "seed", false, cosign));
    }
    all
}

fn cosign(input: &Input<'_>) {
    let key = moissanite::SigningKey::from_seed(&seed(input.bytes));
    let cosigner = Cosigner::new("witness.example/w1", key);
    let line = cosigner.and_then(|cosigner| {
        let checkpoint = Checkpoint::new("example.com/log", 42, [1; 32])?;
        match input.operation {
            "cosign" => cosigner.try_cosign(&checkpoint, 1),
            _ => cosigner.try_cosign_with_rng(&mut Given(&[]), &checkpoint, 1),
        }
    });
    assert!(line.is_ok());
}

fn cms<P: Fips204>(input: &Input<'_>) {
    let key = moissanite::SigningKey::<P>::from_seed(&seed(input.bytes));
    let certificate = issue::certificate(&key);
    let signer = certificate.ok().and_then(|one| Signer::new(&key, one).ok());
    let message = moissanite_cms::Message::attached(MESSAGE);
    let signed = signer.map(|signer| match input.operation {
        "cms" => signer.try_sign(&message),
        "cms-hedged" => signer.try_sign_with_rng(&mut Given(&[]), &message),
        "cms-direct" => signer.try_sign(&message.without_signed_attributes()),
        _ => signer.try_sign_with_rng(&mut Given(&[]), &message.without_signed_attributes()),
    });
    assert!(signed.is_some_and(|signed| signed.is_ok()));
}

fn tokens(input: &Input<'_>, algorithm: Algorithm) {
    let bytes = input.bytes;
    let text = || std::str::from_utf8(bytes).unwrap_or_default();
    let key = || SigningKey::from_seed(algorithm, &seed(bytes));
    match input.operation {
        "jwk" => assert!(SigningKey::from_jwk(text()).is_ok()),
        "cose-key" => assert!(SigningKey::from_cose_key(bytes).is_ok()),
        "to-jwk" => drop(black_box(key().to_private_jwk())),
        "to-cose-key" => drop(black_box(key().to_private_cose_key())),
        "jws" => {
            let token = key().sign_jws(Deterministic, &jws::Header::new(), MESSAGE);
            assert!(token.is_ok());
        }
        "jws-hedged" => {
            let token = key().sign_jws(&mut Given(&[]), &jws::Header::new(), MESSAGE);
            assert!(token.is_ok());
        }
        _ => {
            let header = cose::Header::new();
            assert!(
                key()
                    .sign_sign1(Deterministic, &header, MESSAGE, b"")
                    .is_ok()
            );
        }
    }
}

fn ssh(input: &Input<'_>) {
    let bytes = input.bytes;
    let text = || std::str::from_utf8(bytes).unwrap_or_default();
    let key = || PrivateKey::from_seed(&seed(bytes));
    match input.operation {
        "openssh" => assert!(PrivateKey::from_openssh(text()).is_ok()),
        "openssh-encrypted" => {
            assert!(PrivateKey::from_encrypted_openssh(text(), PASSPHRASE).is_ok());
        }
        "openssh-wrong" => assert!(PrivateKey::from_encrypted_openssh(text(), b"wrong").is_err()),
        "to-openssh" => drop(black_box(key().to_openssh())),
        "to-openssh-encrypted" => {
            let text = key().to_encrypted_openssh(&mut Given(&[]), PASSPHRASE, 1);
            assert!(text.is_ok());
        }
        _ => {
            let hash = MessageHash::of(Hash::Sha512, MESSAGE);
            assert!(key().try_sign("file", &hash).is_ok());
        }
    }
}
