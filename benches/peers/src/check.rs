//! The checks before the measurement.

use crate::entry::Entry;
use crate::peer::{KeyForm, Level, Op};

/// The number of messages whose signatures are verified by the reference and rejected after a change.
const SOME: usize = 100;

/// Checks that all seeded peers have the same public key, that all deterministic peers make the same
/// signatures, that the reference accepts the signatures of each peer, and that each peer rejects a
/// changed signature. Stores the signatures that each peer verifies during the measurement.
pub fn against_each_other(entries: &mut [Entry], level: Level, messages: &[[u8; 32]]) {
    let is_reference = |entry: &Entry| entry.peer.seeded() && entry.peer.deterministic();
    let reference = entries.iter().position(is_reference).unwrap_or(0);
    let public_key = entries[reference].session.public_key();
    let expected = sign_all(&mut entries[reference], KeyForm::Encoded, level, messages);
    for i in 0..entries.len() {
        let name = format!("{} {}", entries[i].peer.name(), level.name());
        let seeded = entries[i].peer.seeded();
        let same_key = entries[i].session.public_key() == public_key;
        assert!(same_key || !seeded, "{name}: the public key differs");
        let mut own = Vec::new();
        for form in KeyForm::ALL {
            if !entries[i].session.supports(Op::Sign(form)) {
                continue;
            }
            own = sign_all(&mut entries[i], form, level, messages);
            let random = !seeded || !entries[i].peer.deterministic();
            assert!(random || own == expected, "{name}: the signatures differ");
            let judge = if seeded { reference } else { i };
            let judge = entries[judge].session.as_mut();
            for (message, signature) in messages.iter().zip(&own).take(SOME) {
                let valid = judge.verify(KeyForm::Encoded, message, signature);
                assert!(valid, "{name}: a signature does not verify");
            }
        }
        entries[i].signatures = if seeded { expected.clone() } else { own };
        verify_some(&mut entries[i], &name, messages);
    }
}

fn sign_all(entry: &mut Entry, form: KeyForm, level: Level, messages: &[[u8; 32]]) -> Vec<Vec<u8>> {
    let (_, length) = level.lengths();
    let sign = |message: &[u8; 32]| {
        let mut signature = vec![0; length];
        entry.session.sign(form, message, &mut signature);
        signature
    };
    messages.iter().map(sign).collect()
}

fn verify_some(entry: &mut Entry, name: &str, messages: &[[u8; 32]]) {
    let session = entry.session.as_mut();
    for form in KeyForm::ALL {
        if !session.supports(Op::Verify(form)) {
            continue;
        }
        for (message, signature) in messages.iter().zip(&entry.signatures).take(SOME) {
            assert!(
                session.verify(form, message, signature),
                "{name}: rejects a valid signature"
            );
            let mut changed = signature.clone();
            changed[0] ^= 1;
            assert!(
                !session.verify(form, message, &changed),
                "{name}: accepts an invalid signature"
            );
        }
    }
}
