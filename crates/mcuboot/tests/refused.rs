use std::cell::Cell;

use moissanite::{MlDsa65, Seed, SigningKey};
use moissanite_mcuboot::format::CONTEXT;
use moissanite_mcuboot::{Refused, vendor_hash};

use crate::*;

fn refuses(image: &[u8], reason: Refused) {
    assert_eq!(check(image), Err(Error::Refused(reason)));
}

/// Each byte that is signed, and the signature: what does not change the meaning is refused for the signature.
#[test]
fn every_changed_byte() {
    let signed = 0..AREA;
    for at in signed.chain((SIGNATURE..IMAGE.len()).step_by(61)) {
        let verdict = check(&with(at, &[IMAGE[at] ^ 1]));
        assert!(verdict.is_err(), "byte {at}");
        let in_values = (20..28).contains(&at) || (32..PROTECTED).contains(&at) || at >= SIGNATURE;
        if in_values {
            assert_eq!(
                verdict,
                Err(Error::Refused(Refused::Signature)),
                "byte {at}"
            );
        }
    }
}

/// The digest is for mcuboot in C; nothing depends on it here.
#[test]
fn digests() {
    assert!(check(&with(AREA + 8, &[IMAGE[AREA + 8] ^ 1])).is_ok());
}

#[test]
fn counters() {
    for (counter, minimum, accepted) in [
        (7, 7, true),
        (8, 7, true),
        (6, 7, false),
        (0, 0, true),
        (u32::MAX, u32::MAX, true),
        (u32::MAX - 1, u32::MAX, false),
    ] {
        let requirements = Requirements {
            minimum_counter: minimum,
            address: None,
        };
        let verdict = check_with(&KEY, &sign(&draft(counter)), &requirements);
        assert_eq!(verdict.is_ok(), accepted);
        if !accepted {
            assert_eq!(verdict, Err(Error::Refused(Refused::Counter)));
        }
    }
    // A counter that was raised without the key.
    let old = sign(&draft(6));
    let mut raised = old.clone();
    raised[PROTECTED + 8] = 7;
    refuses(&old, Refused::Counter);
    refuses(&raised, Refused::Signature);
}

#[test]
fn vendors() {
    let other = SigningKey::<MlDsa44>::from_seed(&Seed::from_bytes(&[9; 32]));
    let theirs = draft(7).try_sign(&other, &mut SysRng).unwrap();
    refuses(&theirs, Refused::Vendor);
    // Another key signs an image that names the vendor.
    let vendor = vendor_hash::<MlDsa44, _>(KEY.verifying_key().as_ref()).unwrap();
    let message = draft(7).message(vendor);
    let signature = other
        .with_context(CONTEXT)
        .unwrap()
        .try_sign(&message)
        .unwrap();
    refuses(
        &draft(7).with_signature(vendor, &signature),
        Refused::Signature,
    );
    // The vendor's key signs an image that names another.
    let theirs = vendor_hash::<MlDsa44, _>(other.verifying_key().as_ref()).unwrap();
    let message = draft(7).message(theirs);
    let signature = KEY
        .with_context(CONTEXT)
        .unwrap()
        .try_sign(&message)
        .unwrap();
    refuses(
        &draft(7).with_signature(theirs, &signature),
        Refused::Vendor,
    );
}

#[test]
fn other_sets() {
    let other = SigningKey::<MlDsa65>::from_seed(&Seed::from_bytes(&[1; 32]));
    let image = draft(7).try_sign(&other, &mut SysRng).unwrap();
    refuses(&image, Refused::ParameterSet);
}

/// A signature of the same bytes for another purpose.
#[test]
fn other_contexts() {
    let vendor = vendor_hash::<MlDsa44, _>(KEY.verifying_key().as_ref()).unwrap();
    let message = draft(7).message(vendor);
    for context in [&b""[..], b"moissanite mcuboot imag", b"firmware"] {
        let signature = KEY
            .with_context(context)
            .unwrap()
            .try_sign(&message)
            .unwrap();
        refuses(
            &draft(7).with_signature(vendor, &signature),
            Refused::Signature,
        );
    }
}

/// Each read of the slot and of the key can fail, and none of the failures is lost.
#[test]
fn failing_reads() {
    let key = KEY.verifying_key();
    let run = |fail_slot: usize, fail_key: usize| {
        let (slots, keys) = (Cell::new(0), Cell::new(0));
        let failing = |count: &Cell<usize>, at, bytes: &[u8], offset: usize, piece: &mut [u8]| {
            count.set(count.get() + 1);
            if count.get() == at {
                return Err(at);
            }
            piece.copy_from_slice(&bytes[offset..][..piece.len()]);
            assert!(piece.len() <= 84);
            Ok(())
        };
        let slot =
            |offset: usize, piece: &mut [u8]| failing(&slots, fail_slot, &IMAGE, offset, piece);
        let source =
            |offset: usize, piece: &mut [u8]| failing(&keys, fail_key, key.as_ref(), offset, piece);
        let verdict = verify::<MlDsa44, _, _>(slot, IMAGE.len(), source, &REQUIREMENTS);
        (verdict, slots.get(), keys.get())
    };
    let (verdict, slots, keys) = run(0, 0);
    assert!(verdict.is_ok());
    for at in 1..=slots {
        assert_eq!(run(at, 0).0, Err(Error::Slot(at)));
    }
    for at in 1..=keys {
        let verdict = run(0, at).0;
        assert!(matches!(verdict, Err(Error::Key(_))), "{verdict:?}");
    }
}

#[test]
fn short_keys() {
    let key = KEY.verifying_key().to_bytes();
    let short = verify::<MlDsa44, _, _>(&IMAGE[..], IMAGE.len(), &key[..1311], &REQUIREMENTS);
    assert!(matches!(short, Err(Error::Key(EndOfSlice))));
}
