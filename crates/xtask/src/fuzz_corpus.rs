//! `cargo xtask fuzz-corpus` writes the valid inputs with which the fuzz targets start.
//!
//! The documentation of each target in fuzz/fuzz_targets describes the layout of its inputs.

mod certificates;
mod cms;
mod files;
mod mcuboot;
mod ssh;
mod tlog;
mod tokens;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use moissanite::keys::PrivateKeyForm;
use moissanite::{
    Dilithium2, Dilithium3, Dilithium5, Fips204, MlDsa44, MlDsa65, MlDsa87, Mu, ParameterSet,
    Round3, SigningKey, prelude::*,
};
use moissanite_composite::{Composite, MlDsa44Ed25519, MlDsa65Ed25519};
use moissanite_core::shape::Dim;
use pkcs8::{EncodePrivateKey, EncodePublicKey, LineEnding};

use crate::process;

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write the seeds, instead of comparing
    #[arg(long)]
    write: bool,
}

/// Files by their path under fuzz/seeds.
type Seeds = BTreeMap<PathBuf, Vec<u8>>;

/// Compares all seeds, or writes them.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut seeds = Seeds::new();
    add_set::<MlDsa44>(0, &mut seeds)?;
    add_set::<MlDsa65>(1, &mut seeds)?;
    add_set::<MlDsa87>(2, &mut seeds)?;
    add_round_3::<Dilithium2>(0, &mut seeds)?;
    add_round_3::<Dilithium3>(1, &mut seeds)?;
    add_round_3::<Dilithium5>(2, &mut seeds)?;
    add_zk_dilithium(&mut seeds)?;
    add_composite::<MlDsa44Ed25519>(0, &mut seeds)?;
    add_composite::<MlDsa65Ed25519>(1, &mut seeds)?;
    let others = certificates::seeds()?.into_iter().chain(files::seeds()?);
    let others = others.chain(ssh::seeds()?).chain(tokens::seeds()?);
    let others = others.chain(tlog::seeds()?).chain(cms::seeds()?);
    let others = others.chain(mcuboot::seeds()?);
    seeds.extend(others.map(|(name, bytes)| (PathBuf::from(name), bytes)));

    let folder = process::root().join("fuzz/seeds");
    if !arguments.write {
        let there = process::files(&folder)?;
        for path in &there {
            let right = seeds.get(path.strip_prefix(&folder)?);
            ensure!(
                right == Some(&std::fs::read(path)?),
                "{} is not what `cargo xtask fuzz-corpus --write` writes",
                path.display()
            );
        }
        ensure!(
            there.len() == seeds.len(),
            "seeds are missing: `cargo xtask fuzz-corpus --write`"
        );
    } else {
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        for (name, bytes) in &seeds {
            let path = folder.join(name);
            if let Some(target) = path.parent() {
                std::fs::create_dir_all(target)?;
            }
            std::fs::write(path, bytes)?;
        }
    }
    println!("fuzz-corpus: {} seeds", seeds.len());
    Ok(())
}

/// Adds seeds with one set of round 3, whose number is the first byte of each input.
fn add_round_3<P: ParameterSet<Scheme = Round3>>(set: u8, seeds: &mut Seeds) -> Result<()> {
    let key = SigningKey::<P>::from_seed(&[0; 32].into());
    let signature = key.try_sign(b"message")?.to_bytes();
    let (xi, rnd, flip) = ([1; 32], [2; 32], [0, 1, 7]);
    let private_key = key.to_expanded_bytes();
    for (name, parts) in [
        ("hedged", [&rnd[..], &flip, b"message"]),
        ("private", [&[0; 32], &flip, private_key.as_ref()]),
        ("signature", [&[0; 32], &flip, signature.as_ref()]),
    ] {
        let path = PathBuf::from("round3").join(format!("{}-{name}", P::NAME.to_lowercase()));
        seeds.insert(path, [&[set], &xi[..], &parts.concat()].concat());
    }
    Ok(())
}

/// Adds seeds with one composite, whose number is the first byte of each input.
fn add_composite<C: Composite>(which: u8, seeds: &mut Seeds) -> Result<()> {
    let key = moissanite_composite::SigningKey::<C>::from_seed(&[0; 64].into());
    let public_key = key.verifying_key();
    let message = b"message";
    let signature = key.try_sign(message)?.to_bytes();
    let valid = [public_key.to_bytes().as_ref(), signature.as_ref(), message].concat();
    for (name, rest) in [
        ("valid", valid.as_slice()),
        ("private.der", key.to_pkcs8_der()?.as_bytes()),
        ("public.der", public_key.to_public_key_der()?.as_bytes()),
    ] {
        let path = PathBuf::from("composite").join(format!("{}-{name}", C::NAME.to_lowercase()));
        seeds.insert(path, [&[which], rest].concat());
    }
    Ok(())
}

/// Adds seeds of zkDilithium's targets.
fn add_zk_dilithium(seeds: &mut Seeds) -> Result<()> {
    let mut add = |target: &str, name: &str, parts: &[&[u8]]| {
        seeds.insert(PathBuf::from(target).join(name), parts.concat());
    };
    let key = moissanite_zk_dilithium::SigningKey::from_seed(&[0; 32].into());
    let (public_key, private_key) = (key.verifying_key().to_bytes(), key.to_bytes());
    let message = b"message".as_slice();
    let signature = key.try_sign(message)?.to_bytes();
    add("zk_decode", "public", &[&public_key]);
    add("zk_decode", "private", &[&private_key]);
    add("zk_decode", "signature", &[&signature]);
    add("zk_verify", "valid", &[&public_key, &signature, message]);
    add("zk_verify", "other-message", &[&public_key, &signature]);
    add("zk_sign_verify", "flip", &[&[1; 32], &[40, 0, 1], message]);
    add("zk_sign_verify", "empty", &[&[1; 32], &[0, 0, 128]]);
    Ok(())
}

/// Adds seeds with one parameter set, whose number is the first byte of each input.
fn add_set<P: Fips204>(set: u8, seeds: &mut Seeds) -> Result<()> {
    let mut add = |target: &str, name: &str, parts: &[&[u8]]| {
        let path = PathBuf::from(target).join(format!("{}-{name}", P::NAME.to_lowercase()));
        seeds.insert(path, [&[set], parts.concat().as_slice()].concat());
    };
    let key = SigningKey::<P>::from_seed(&[0; 32].into());
    let (public_key, private_key) = (key.verifying_key().to_bytes(), key.to_expanded_bytes());
    let (context, message) = (b"context".as_slice(), b"message".as_slice());
    let signature = key.with_context(context)?.try_sign(message)?.to_bytes();

    add("decode_keys", "public", &[public_key.as_ref()]);
    add("decode_keys", "private", &[private_key.as_ref()]);
    add("decode_keys", "signature", &[signature.as_ref()]);

    let forms = [
        PrivateKeyForm::Seed,
        PrivateKeyForm::Expanded,
        PrivateKeyForm::Both,
    ];
    for form in forms {
        let document = key.to_pkcs8(form)?;
        add(
            "decode_pkcs8",
            &format!("{form}.der"),
            &[document.as_bytes()],
        );
        if form == PrivateKeyForm::Seed {
            let pem = document.to_pem("PRIVATE KEY", LineEnding::LF)?;
            add("decode_pkcs8", "seed.pem", &[pem.as_bytes()]);
        }
    }
    let public_key_document = key.verifying_key().to_public_key_der()?;
    add(
        "decode_pkcs8",
        "public.der",
        &[public_key_document.as_bytes()],
    );
    let pem = key.verifying_key().to_public_key_pem(LineEnding::LF)?;
    add("decode_pkcs8", "public.pem", &[pem.as_bytes()]);

    let context = [&[u8::try_from(context.len())?], context].concat();
    let verify = [&context, public_key.as_ref(), signature.as_ref(), message];
    add("verify_bytes", "valid", &verify);

    let signature = key.try_sign_mu(&Mu::from_bytes([0; 64]))?.to_bytes();
    let hint_at = P::SIGNATURE_LEN - P::OMEGA - P::K::N;
    let (_, hint) = signature.as_ref().split_at(hint_at);
    add("verify_hints", "valid", &[hint]);
    add("verify_hints", "none", &[&vec![0; hint.len()]]);
    let positions: Vec<_> = (0..=u8::MAX).take(P::OMEGA).collect();
    let counters = vec![u8::try_from(P::OMEGA)?; P::K::N];
    add("verify_hints", "most", &[&positions, &counters]);

    let (xi, rnd, mu) = ([1; 32], [2; 32], [3; 64]);
    add(
        "sign_verify",
        "flip",
        &[&xi, &rnd, &[0, 1, 7], &context, message],
    );
    add("sign_verify", "empty", &[&xi, &rnd, &[0, 0, 0], &[0]]);
    add("backends", "unchanged", &[&[3], &xi, &rnd, &mu]);
    add("backends", "changed", &[&[4], &xi, &rnd, &mu, &[0, 0, 1]]);
    add(
        "mu_split",
        "pieces",
        &[&context, &[3], b"abc", &[0], &[136], &[7; 136], &[1], b"d"],
    );
    Ok(())
}
