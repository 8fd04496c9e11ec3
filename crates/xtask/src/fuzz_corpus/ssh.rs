//! The seeds of the target that reads keys, signatures and lists of allowed signers of OpenSSH.

use anyhow::Result;
use moissanite_kats::Stuck;
use moissanite_ssh::{Hash, MessageHash, PrivateKey, Seed};

/// Each file with its path under fuzz/seeds. The first byte says what the rest is.
pub(super) fn seeds() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let key = PrivateKey::from_seed(&Seed::from_bytes(&[0; 64])).with_comment("a@b")?;
    let public = key.public_key().to_openssh();
    let hash = MessageHash::of(Hash::Sha512, b"message");
    let signature = key.try_sign("file", &hash)?.to_pem()?;
    // With a salt of zeros, the seeds are reproducible.
    let encrypted = key.to_encrypted_openssh(&mut Stuck, b"a", 1)?;
    let signers = format!(
        "a@b {public}\n# comment\n*@c,!d@c namespaces=\"git\",valid-after=\"20260101Z\",\
         valid-before=\"20270101\" {public}\n\"e\" cert-authority ssh-ed25519 AAAA x\n"
    );
    let file = |kind: u8, text: &str| [&[kind], text.as_bytes()].concat();
    Ok(vec![
        ("ssh/id.pub", file(0, &public)),
        ("ssh/id", file(1, &key.to_openssh()?)),
        ("ssh/id.encrypted", file(2, &encrypted)),
        ("ssh/signature", file(3, &signature)),
        ("ssh/allowed_signers", file(4, &signers)),
    ])
}
