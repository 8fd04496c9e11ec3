//! The seeds of the target that reads keys, signatures and lists of allowed signers of OpenSSH.

use std::convert::Infallible;

use anyhow::Result;
use moissanite_ssh::rand_core::{TryCryptoRng, TryRng};
use moissanite_ssh::{Hash, MessageHash, PrivateKey, Seed};

/// A generator whose numbers are zero, so that the seeds are reproducible.
struct Zeros;

impl TryRng for Zeros {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(0)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(0)
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill(0);
        Ok(())
    }
}
impl TryCryptoRng for Zeros {}

/// Each file with its path under fuzz/seeds. The first byte says what the rest is.
pub(super) fn seeds() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let key = PrivateKey::from_seed(&Seed::from_bytes(&[0; 64])).with_comment("a@b")?;
    let public = key.public_key().to_openssh();
    let hash = MessageHash::of(Hash::Sha512, b"message");
    let signature = key.try_sign("file", &hash)?.to_pem()?;
    let encrypted = key.to_encrypted_openssh(&mut Zeros, b"a", 1)?;
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
