//! The known answers against the reference.

use crate::hash;
use crate::known_answers::{Known, KnownAnswers, Signed};
use crate::params::{Fips204, MlDsa44, MlDsa65, MlDsa87};
use crate::reference::{self, limits};

/// The checks of Algorithm 7 at which an attempt can fail: ‖z‖∞, ‖r₀‖∞, ‖ct₀‖∞, ones in h.
type Checks = [bool; 4];

/// The deterministic signature of the reference, and the checks at which an attempt failed alone.
fn sign<P: Fips204>(sk: &[u8], context: &[u8], message: &[u8]) -> (std::vec::Vec<u8>, Checks) {
    let mut mu = hash::MuBuilder::<P::Scheme>::new(&sk[64..128].try_into().unwrap());
    mu.pure(context);
    mu.update(message);
    let signed = reference::sign::<P>(sk, &mu.finish(), &[0; 32], reference::within_limits::<P>);
    let mut checks = [false; 4];
    for attempt in &signed.attempts {
        let failed = core::array::from_fn::<_, 4, _>(|i| attempt[i] >= limits::<P>()[i]);
        if let Some(check) = failed.iter().position(|failed| *failed)
            && failed.iter().filter(|failed| **failed).count() == 1
        {
            checks[check] = true;
        }
    }
    (signed.sigma, checks)
}

fn known_answers_are_the_references<P: KnownAnswers>() {
    let Known {
        seed,
        public_key,
        private_key_hash,
        signed,
    } = P::KNOWN;
    let (pk, sk) = reference::keygen::<P>(&seed);
    assert!(pk == public_key, "{}: public key", P::NAME);
    assert_eq!(*hash::h::<32>(&[&sk]), private_key_hash, "{}", P::NAME);
    let mut reached = [false; 4];
    for Signed {
        context,
        message,
        signature,
    } in signed
    {
        let (sigma, checks) = sign::<P>(&sk, context, message);
        assert!(sigma == *signature, "{}: {message:?}", P::NAME);
        reached
            .iter_mut()
            .zip(checks)
            .for_each(|(reached, check)| *reached |= check);
    }
    assert_eq!(reached, [true, true, false, true], "{}", P::NAME);
}

/// For each check but that of ‖ct₀‖∞, an attempt fails only at this check.
#[test]
fn known_answers() {
    known_answers_are_the_references::<MlDsa44>();
    known_answers_are_the_references::<MlDsa65>();
    known_answers_are_the_references::<MlDsa87>();
}

#[test]
#[ignore = "finds the messages of the known answers, in minutes"]
fn find_messages() {
    fn of<P: KnownAnswers>() {
        let (_, sk) = reference::keygen::<P>(&P::KNOWN.seed);
        let messages = (0..).map(|number| std::format!("message {number}"));
        let found = messages.into_iter().find(|message| {
            let (_, [z, r0, _, ones]) =
                sign::<P>(&sk, P::KNOWN.signed[0].context, message.as_bytes());
            z && r0 && ones
        });
        std::println!("{}: {found:?}", P::NAME);
    }
    of::<MlDsa44>();
    of::<MlDsa65>();
    of::<MlDsa87>();
}

#[test]
#[ignore = "writes the files of the known answers"]
fn write_known_answers() {
    fn of<P: KnownAnswers>(name: &str) {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("known_answers");
        let write = |file: &str, bytes: &[u8]| {
            std::fs::write(folder.join(std::format!("{name}{file}")), bytes).unwrap();
        };
        let (pk, sk) = reference::keygen::<P>(&P::KNOWN.seed);
        write(".pk", &pk);
        write(".sk.hash", &*hash::h::<32>(&[&sk]));
        for (
            number,
            Signed {
                context, message, ..
            },
        ) in (1..).zip(P::KNOWN.signed)
        {
            let (sigma, _) = sign::<P>(&sk, context, message);
            write(&std::format!("_{number}.sig"), &sigma);
        }
    }
    of::<MlDsa44>("ml_dsa_44");
    of::<MlDsa65>("ml_dsa_65");
    of::<MlDsa87>("ml_dsa_87");
}
