//! Compares H and μ with the crate `shake`.

use std::vec::Vec;

use proptest::prelude::*;

use crate::hash::{MuBuilder, h, public_key_hash};
use crate::reference;

proptest! {
    /// H is the hash of the concatenated parts, and does not depend on their boundaries.
    #[test]
    fn parts_are_joined(bytes in prop::collection::vec(any::<u8>(), 0..400), cuts: [prop::sample::Index; 2]) {
        let mut cuts = cuts.map(|cut| cut.index(bytes.len() + 1));
        cuts.sort_unstable();
        let (head, tail) = bytes.split_at(cuts[1]);
        let (head, middle) = head.split_at(cuts[0]);
        let expected: [u8; 200] = reference::first(reference::h(&[&bytes]));
        prop_assert_eq!(*h::<200>(&[head, middle, tail]), expected);
    }

    #[test]
    fn tr_has_64_bytes(pk in prop::collection::vec(any::<u8>(), 0..3000)) {
        let expected: [u8; 64] = reference::first(reference::h(&[&pk]));
        prop_assert_eq!(public_key_hash(&pk), expected);
    }

    /// μ = H(tr ‖ M'), where M' is a byte 0 or 1, the length of the context, the context and then
    /// the message, in pieces of any size.
    #[test]
    fn mu_frames_the_message(
        tr in prop::array::uniform32(any::<u8>()),
        context in prop::collection::vec(any::<u8>(), 0..=255),
        pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..5),
    ) {
        let tr: [u8; 64] = [tr, tr.map(|byte| !byte)].concat().try_into().unwrap();
        let message = pieces.concat();
        for domain in [None, Some(0), Some(1)] {
            let mut mu = MuBuilder::new(&tr);
            let frame = match domain {
                None => Vec::new(),
                Some(domain) => [&[domain, context.len() as u8], &context[..]].concat(),
            };
            match domain {
                None => (),
                Some(0) => mu.pure(&context),
                Some(_) => mu.pre_hashed(&context),
            }
            for piece in &pieces {
                mu.update(piece);
            }
            let expected: [u8; 64] = reference::first(reference::h(&[&tr, &frame, &message]));
            prop_assert_eq!(mu.finish(), expected);
        }
    }
}

#[test]
fn context_of_255_bytes() {
    let context = [0xcc; 255];
    let mut mu: MuBuilder = MuBuilder::new(&[1; 64]);
    mu.pure(&context);
    let expected: [u8; 64] = reference::first(reference::h(&[&[1; 64], &[0, 255], &context]));
    assert_eq!(mu.finish(), expected);
}
