//! `cargo xtask size` measures how many bytes the facade adds to a program.
//!
//! The programs are in a scratch project, whose profile and features are those of a user's program and
//! not of this workspace.

use std::fs;

use anyhow::Result;

use crate::process;

/// The operations of each program. The first program is the reference for the others.
const PROGRAMS: [(&str, &str); 7] = [
    ("nothing", "Ok(())"),
    ("all", "all()"),
    ("verify", "verify()"),
    ("portable", "on(backend::Portable)"),
    ("avx2", "on(backend::Avx2::detect().ok_or(\"no AVX2\")?)"),
    (
        "avx512",
        "on(backend::Avx512::detect().ok_or(\"no AVX-512\")?)",
    ),
    ("stream", "stream()"),
];
const SOURCE: &str = r#"
#![allow(unused)]
use moissanite::{MlDsa65 as Set, *, prelude::*};
use std::{error::Error, fs, io::Write};
type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    println!("{}", std::env::args().count());
    BODY
}
fn all() -> Done {
    let key = SigningKey::<Set>::try_generate(&mut SysRng)?;
    Ok(key.verifying_key().verify(b"", &key.try_sign(b"")?)?)
}
fn verify() -> Done {
    let signature = Signature::from_bytes(&fs::read("signature")?)?;
    Ok(VerifyingKey::<Set>::from_bytes(&fs::read("key")?)?.verify(b"", &signature)?)
}
fn on<B: Backend>(backend: B) -> Done {
    let key = SigningKey::<Set>::from_seed_on(backend, &Seed::from([7; 32]));
    let signature = key.on(backend).try_sign(b"")?;
    Ok(key.verifying_key().on(backend).verify(b"", &signature)?)
}
fn stream() -> Done {
    let (mut seeds, mut public_key) = (stream::Seeds::new(), Vec::new());
    let key = stream::SigningKey::<Set, _>::from_seed_in(&mut seeds, &Seed::from([7; 32]));
    key.write_public_key(|piece| public_key.write_all(piece))?;
    let public_key = stream::VerifyingKey::<Set, _>::from_bytes(&public_key)?;
    Ok(public_key.verify(b"", &key.try_sign(b"")?)?)
}
"#;
/// The profiles: cargo's for a release, and one that saves much space at the cost of few
/// instructions.
const PROFILES: &str = "[profile.release]\nstrip = true\n[profile.small]\ninherits = \"release\"\nopt-level = 2\nlto = \"fat\"\ncodegen-units = 1\n";

/// Prints the growth of each program with each profile.
pub(crate) fn run() -> Result<()> {
    let project = process::root().join("target/size");
    fs::create_dir_all(project.join("src/bin"))?;
    let facade = process::root().join("crates/moissanite");
    let manifest = format!(
        "[package]\nname = \"size\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         moissanite = {{ path = {facade:?}, features = [\"hazmat\"] }}\n{PROFILES}"
    );
    fs::write(project.join("Cargo.toml"), manifest)?;
    fs::copy(
        process::root().join("Cargo.lock"),
        project.join("Cargo.lock"),
    )?;
    for (name, body) in PROGRAMS {
        let path = project.join("src/bin").join(name).with_extension("rs");
        fs::write(path, SOURCE.replace("BODY", body))?;
    }
    println!("size: bytes that the facade adds to a program for ML-DSA-65, without symbols");
    for profile in ["release", "small"] {
        let mut cargo = process::cargo(["build", "--quiet", "--profile", profile]);
        cargo.arg("--target-dir").arg(project.join("target"));
        process::run(cargo.current_dir(&project).env_remove("RUSTFLAGS"))?;
        let size = |name: &str| fs::metadata(project.join("target").join(profile).join(name));
        for (name, _) in &PROGRAMS[1..] {
            let growth = size(name)?.len().saturating_sub(size(PROGRAMS[0].0)?.len());
            println!("{profile:8} {name:9} {growth:7}");
        }
    }
    Ok(())
}
