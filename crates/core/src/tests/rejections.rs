//! The vectors of kats/rejections.json: each check of signing rejects an attempt on every backend.

use std::string::String;
use std::vec::Vec;

use serde_json::Value;

use super::backends;
use super::sign::Signer;
use crate::backend::Backend;
use crate::hash::MuBuilder;
use crate::params::{Fips204, MlDsa44, MlDsa65, MlDsa87, ParameterSet};
use crate::reference::{self, Attempt, limits, within_limits};

on_every_backend_and_set! { every_check_rejects }

/// The names of the checks in the vectors, in the order of [`Attempt`].
const CHECKS: [&str; 4] = ["z", "r0", "ct0", "hint"];

fn every_check_rejects<P: Fips204, B: Backend>(backend: B) {
    let mut alone = Vec::new();
    for test in tests::<P>() {
        let sk = match test["seed"].as_str() {
            Some(seed) => {
                let seed = hex::decode(seed).unwrap().try_into().unwrap();
                reference::keygen::<P>(&seed).1
            }
            None => bytes(&test["sk"]),
        };
        let mut mu = MuBuilder::<P::Scheme>::new(&sk[64..128].try_into().unwrap());
        mu.pure(&bytes(&test["context"]));
        mu.update(&bytes(&test["message"]));
        let (mu, rnd) = (mu.finish(), bytes(&test["rnd"]).try_into().unwrap());

        let signed = reference::sign::<P>(&sk, &mu, &rnd, within_limits::<P>);
        let attempts: Vec<_> = signed.attempts.iter().map(failed::<P>).collect();
        let recorded: Vec<Vec<String>> = serde_json::from_value(test["attempts"].clone()).unwrap();
        assert_eq!(attempts, recorded);
        assert!(signed.sigma == bytes(&test["signature"]));
        Signer::<P, B>::new(backend, &sk).agrees(&mu, &rnd, &signed);
        let single = attempts.into_iter().filter(|failed| failed.len() == 1);
        alone.extend(single.flatten());
    }
    // ‖ct₀‖∞ cannot reach its bound in the other sets, as `edges` of `sign.rs` shows.
    let reached = |check: &&&str| P::NAME == MlDsa44::NAME || **check != "ct0";
    for check in CHECKS.iter().filter(|check| reached(check)) {
        assert!(alone.contains(check), "no attempt fails only at {check}");
    }
}

/// The vectors of a set.
fn tests<P: Fips204>() -> Vec<Value> {
    let sets: Vec<Value> = serde_json::from_str(moissanite_kats::REJECTIONS).unwrap();
    let mut sets = sets.into_iter();
    let set = sets.find(|set| set["parameterSet"] == P::NAME).unwrap();
    set["tests"].as_array().unwrap().clone()
}

fn bytes(hex: &Value) -> Vec<u8> {
    hex::decode(hex.as_str().unwrap()).unwrap()
}

/// The checks at which an attempt fails.
fn failed<P: Fips204>(attempt: &Attempt) -> Vec<&'static str> {
    let checks = CHECKS.iter().zip(attempt.iter().zip(limits::<P>()));
    let failed = checks.filter(|(_, (found, limit))| *found >= limit);
    failed.map(|(check, _)| *check).collect()
}
