//! The self-tests pass on this machine.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use moissanite::self_test::{self, KnownAnswers, SelfTestError, in_pieces};
use moissanite::{Dilithium3, MlDsa44, MlDsa65, MlDsa87, Seed, SigningKey};

fn all<P: KnownAnswers>() -> Result<(), SelfTestError> {
    self_test::key_generation::<P>()?;
    self_test::signing::<P>()?;
    self_test::verification::<P>()?;
    in_pieces::key_generation::<P>()?;
    in_pieces::signing::<P>()?;
    in_pieces::verification::<P>()
}

#[test]
fn known_answers() {
    all::<MlDsa44>().unwrap();
    all::<MlDsa65>().unwrap();
    all::<MlDsa87>().unwrap();
}

#[test]
fn pairwise_consistency() {
    let seed = Seed::from_bytes(&[3; 32]);
    self_test::pairwise_consistency(&SigningKey::<MlDsa44>::from_seed(&seed)).unwrap();
    self_test::pairwise_consistency(&SigningKey::<Dilithium3>::from_seed(&seed)).unwrap();
}

#[test]
fn errors_name_the_test() {
    let text = SelfTestError::Verification.to_string();
    assert_eq!(text, "the self-test of verification failed");
}
