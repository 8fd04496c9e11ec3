//! `cargo xtask tlog-interop` exchanges keys, checkpoints and cosignatures with implementations in Go, in both
//! directions.
//!
//! The program in benches/interop/tlog reads the files that this job writes, fails if one of them is wrong, and
//! writes its own files, which this job reads.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use moissanite_tlog::{
    Checkpoint, Cosignature, Cosigner, CosignerKey, Ed25519Key, Error, NoteVerifier, SignatureLine,
    SigningKey, Subtree, SysRng,
};
use sha2::{Digest, Sha256};

use crate::process;

const PROGRAM: &str = "benches/interop/tlog";
const ORIGIN: &str = "example.com/log";
const NOW: u64 = 1_795_392_000;

/// Exchanges the files, if there is a Go.
pub(crate) fn run() -> Result<()> {
    if Command::new("go").arg("version").output().is_err() {
        println!("NOT CHECKED: there is no go");
        return Ok(());
    }
    let folder = process::target_directory()?.join("tlog-interop");
    let (ours, theirs) = (folder.join("ours"), folder.join("theirs"));
    process::make_empty(&folder)?;
    fs::create_dir(&ours)?;
    fs::create_dir(&theirs)?;
    write_ours(&ours)?;
    let mut go = Command::new("go");
    go.args(["run", "."])
        .args([&ours, &theirs])
        // crypto/mldsa exists since Go 1.27, which an older Go downloads.
        .env("GOTOOLCHAIN", "auto")
        .current_dir(process::root().join(PROGRAM));
    process::run(&mut go)?;
    read_theirs(&theirs)?;
    println!("tlog-interop: Go reads our files, and we read its files");
    Ok(())
}

/// A hash of the program in Go, which hashes a leaf (RFC 6962, section 2.1).
fn hash(of: &str) -> [u8; 32] {
    Sha256::new()
        .chain_update([0])
        .chain_update(of)
        .finalize()
        .into()
}

fn write_ours(folder: &Path) -> Result<()> {
    let cosigner = |name| -> Result<Cosigner> {
        Ok(Cosigner::new(name, SigningKey::try_generate(&mut SysRng)?)?)
    };
    let (log, witness) = (cosigner(ORIGIN)?, cosigner("witness.example/w1")?);
    let vkeys = [&log, &witness].map(|cosigner| cosigner.key().to_vkey() + "\n");
    fs::write(folder.join("vkeys"), vkeys.concat())?;
    let checkpoint = Checkpoint::new(ORIGIN, 42, hash("root"))?;
    let note = checkpoint.to_note(vec![
        log.try_cosign_with_rng(&mut SysRng, &checkpoint, NOW)?,
        witness.try_cosign(&checkpoint, NOW)?,
    ])?;
    let note = note.to_string();
    fs::write(folder.join("note"), &note)?;
    fs::write(folder.join("changed"), note.replacen("42", "43", 1))?;
    let subtree = Subtree::new(ORIGIN, 8, 12, hash("subtree"))?;
    let line = log.try_cosign_subtree_with_rng(&mut SysRng, &subtree, 0)?;
    fs::write(folder.join("subtree"), format!("{line}\n"))?;
    Ok(())
}

fn read_theirs(folder: &Path) -> Result<()> {
    let vkeys = process::read(&folder.join("vkeys"))?;
    let mut vkeys = vkeys.lines();
    let mut vkey = || vkeys.next().context("the text of a key is missing");
    let log = Ed25519Key::from_vkey(vkey()?)?;
    let witness = Ed25519Key::from_vkey(vkey()?)?;
    let cosigner_vkey = vkey()?;
    let cosigner = CosignerKey::from_vkey(cosigner_vkey)?;
    ensure!(cosigner.to_vkey() == cosigner_vkey, "another text of a key");

    let note = process::read(&folder.join("note"))?;
    let keys: [&dyn NoteVerifier; 3] = [&log, &witness, &cosigner];
    let opened = Checkpoint::open(&note, ORIGIN, &keys)?;
    ensure!(opened.count() == 3, "a signature is missing");
    let expected = Checkpoint::new(ORIGIN, 42, hash("root"))?;
    ensure!(*opened.content() == expected, "another checkpoint");
    let changed = note.replacen("42", "43", 1);
    for key in keys {
        let refused = Checkpoint::open(&changed, ORIGIN, &[key]).err();
        ensure!(refused == Some(Error::InvalidSignature), "{}", key.name());
    }

    let line = process::read(&folder.join("subtree"))?;
    let line = SignatureLine::parse(line.trim_end_matches('\n'))?;
    ensure!(line.is_of(&cosigner), "a line of another key");
    let cosignature = Cosignature::from_bytes(line.signature())?;
    for (end, is_signed) in [(12, true), (11, false)] {
        let subtree = Subtree::new(ORIGIN, 8, end, hash("subtree"))?;
        let verified = cosigner.verify_subtree(&subtree, &cosignature);
        ensure!(verified.is_ok() == is_signed, "the subtree until {end}");
    }
    Ok(())
}
