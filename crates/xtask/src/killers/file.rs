//! The file of the vectors: for each set, an object in the schema of Wycheproof's files for the verification
//! of ML-DSA.

use std::collections::BTreeMap;

use anyhow::Result;
use moissanite::pkcs8::EncodePublicKey;
use moissanite::{Fips204, VerifyingKey};
use serde::Serialize;

use super::cases::{Case, Topic};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Set {
    algorithm: &'static str,
    header: [&'static str; 2],
    notes: BTreeMap<&'static str, Note>,
    number_of_tests: usize,
    schema: &'static str,
    test_groups: Vec<Group>,
}

/// The description of a flag.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
struct Note {
    bug_type: &'static str,
    description: &'static str,
}

/// The vectors of a public key.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    #[serde(rename = "type")]
    kind: &'static str,
    source: Source,
    public_key: String,
    public_key_der: String,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Source {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    tc_id: usize,
    comment: String,
    msg: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    ctx: String,
    sig: String,
    result: &'static str,
    flags: Vec<&'static str>,
}

const HEADER: [&str; 2] = [
    "Each of these vectors detects defects of verifiers of ML-DSA, which its comment names.",
    "A verifier with one of them gives the other result. kats/README.md of Moissanite describes them.",
];

const VALID: &str = "ValidSignature";
const LENGTH: &str = "IncorrectSignatureLength";
const CONTEXT: &str = "InvalidContext";
const SIGNATURE: &str = "InvalidSignature";
const NORM: &str = "InfinityNormViolation";
const HINT: &str = "InvalidHintsEncoding";
const ZERO_KEY: &str = "ZeroPublicKey";

/// The flags, which are Wycheproof's, with their notes.
const NOTES: [(&str, Note); 7] = [
    (
        VALID,
        Note {
            bug_type: "EDGE_CASE",
            description: "The signature is valid.",
        },
    ),
    (
        LENGTH,
        Note {
            bug_type: "BASIC",
            description: "The signature has a wrong length.",
        },
    ),
    (
        CONTEXT,
        Note {
            bug_type: "BASIC",
            description: "The context is longer than 255 bytes.",
        },
    ),
    (
        SIGNATURE,
        Note {
            bug_type: "BASIC",
            description: "The hash of the signature is wrong.",
        },
    ),
    (
        NORM,
        Note {
            bug_type: "BASIC",
            description: "The norm of z is not below gamma1 - beta.",
        },
    ),
    (
        HINT,
        Note {
            bug_type: "BASIC",
            description: "The encoding of the hint is malformed.",
        },
    ),
    (
        ZERO_KEY,
        Note {
            bug_type: "EDGE_CASE",
            description: "The public key has t1 = 0, so that signatures can be made without a private key. \
                          Verification has to accept the valid ones.",
        },
    ),
];

/// The vectors of a set.
pub(crate) fn set<P: Fips204>(cases: &[Case]) -> Result<Set> {
    let mut groups: Vec<Group> = Vec::new();
    let mut notes = BTreeMap::new();
    // The vectors of a topic have the same key, except those of the matrix.
    for (case, tc_id) in cases.iter().zip(1..) {
        let flags = flags(case);
        notes.extend(NOTES.into_iter().filter(|(flag, _)| flags.contains(flag)));
        let public_key = hex::encode(&case.public_key);
        let test = Test {
            tc_id,
            comment: comment(case),
            msg: hex::encode(&case.message),
            ctx: hex::encode(&case.context),
            sig: hex::encode(&case.signature),
            result: if case.valid { "valid" } else { "invalid" },
            flags,
        };
        match groups
            .last_mut()
            .filter(|group| group.public_key == public_key)
        {
            Some(group) => group.tests.push(test),
            None => {
                let key = VerifyingKey::<P>::from_bytes(&case.public_key)?;
                groups.push(Group {
                    kind: "MlDsaVerify",
                    source: Source {
                        name: "moissanite",
                        version: env!("CARGO_PKG_VERSION"),
                    },
                    public_key_der: hex::encode(key.to_public_key_der()?.as_bytes()),
                    public_key,
                    tests: vec![test],
                });
            }
        }
    }
    Ok(Set {
        algorithm: P::NAME,
        header: HEADER,
        notes,
        number_of_tests: cases.len(),
        schema: "mldsa_verify_schema.json",
        test_groups: groups,
    })
}

fn comment(case: &Case) -> String {
    let names: Vec<_> = case
        .defects
        .iter()
        .map(|defect| defect.described().0)
        .collect();
    format!(
        "{}: {}; detects {}",
        case.topic.name(),
        case.what,
        names.join(", ")
    )
}

fn flags(case: &Case) -> Vec<&'static str> {
    let why = match case.topic {
        _ if case.valid => VALID,
        Topic::Length => LENGTH,
        Topic::Message if case.context.len() > 255 => CONTEXT,
        Topic::Norm | Topic::Challenge => NORM,
        Topic::Hint => HINT,
        Topic::Message | Topic::CTilde | Topic::Rounding | Topic::Matrix => SIGNATURE,
    };
    let zero_key = case.has_zero_key().then_some(ZERO_KEY);
    [why].into_iter().chain(zero_key).collect()
}
