//! The seeds of the target that reads keys, notes, checkpoints and cosignatures of transparency logs.

use anyhow::Result;
use moissanite_tlog::{Checkpoint, Cosigner, Seed, SigningKey};

/// Each file with its path under fuzz/seeds. The first byte says what the rest is.
pub(super) fn seeds() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let key = SigningKey::from_seed(&Seed::from_bytes(&[0; 32]));
    let key = Cosigner::new("witness.example/w", key)?;
    let checkpoint = Checkpoint::new("example.com/log", 42, [1; 32])?;
    let line = key.try_cosign(&checkpoint, 1)?;
    let note = checkpoint.to_note(vec![line.clone()])?.to_string();
    let extended = checkpoint.clone().with_extensions("an extension\n")?;
    let file = |kind: u8, bytes: &[u8]| [&[kind], bytes].concat();
    let ed25519 = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    Ok(vec![
        ("tlog/key", file(0, key.key().to_vkey().as_bytes())),
        ("tlog/key-ed25519", file(0, ed25519.as_bytes())),
        ("tlog/note", file(1, note.as_bytes())),
        (
            "tlog/checkpoint",
            file(2, checkpoint.to_string().as_bytes()),
        ),
        (
            "tlog/checkpoint-extended",
            file(2, extended.to_string().as_bytes()),
        ),
        ("tlog/cosignature", file(3, line.signature())),
    ])
}
