//! What is secret is overwritten. That the compiler keeps the stores cannot be seen from safe code
//! (see `moissanite_core::secret`); that they are made, and cover everything, can.

use core::slice::from_mut;
use std::boxed::Box;
use std::format;

use moissanite_core::backend::Portable;
use moissanite_core::secret::{Zeroed, wipe};

use crate::hash::{MessageHasher, MuBuilder};
use crate::poseidon::Sponge;
use crate::poseidon::states_in_lanes::StatesInLanes;
use crate::sign::{Scratch, sign};
use crate::{PreparedSigningKeySpace, SigningKey};

/// Of a space that the caller keeps, when the key in it is dropped.
#[test]
fn prepared_keys() {
    let mut space = Box::<PreparedSigningKeySpace>::default();
    drop(SigningKey::from_seed(&[7; 32].into()).prepare_in(&mut space));
    let state = &space.state;
    assert_eq!(*state.k, [0; 32]);
    let rotations = state.s1.iter().chain(state.s2.iter());
    assert!(rotations.flat_map(|s| s.0.as_flattened()).all(|s| *s == 0));
    // What is public is left, so that there was a key.
    assert_ne!(state.tr, [0; 32]);
}

/// Of the variables of signing, in which there is something after it.
#[test]
fn variables() {
    let key = SigningKey::from_seed(&[7; 32].into());
    let mut space = Box::<PreparedSigningKeySpace>::default();
    space.state.set(Portable, key.as_bytes()).unwrap();
    let (mut scratch, mut sigma) = (Box::new(Scratch::<Portable>::ZERO), [0; _]);
    let tr = &space.state.tr;
    let mut message = MessageHasher::new(MuBuilder::new(Portable, tr), tr);
    message.update(Portable, b"message");
    sign(
        Portable,
        &space.state,
        &mut message,
        99,
        &mut scratch,
        &mut sigma,
    )
    .unwrap();
    let clean = |lanes: &StatesInLanes| lanes.words().all(|word| word == 0);
    assert!(!clean(&scratch.lanes));
    wipe(from_mut(&mut *scratch.lanes));
    assert!(clean(&scratch.lanes));
    assert!(scratch.w[0].iter().any(|w| w.0 != [0; 256]));
    wipe(from_mut(&mut scratch.w));
    assert!(scratch.w.iter().flatten().all(|w| w.0 == [0; 256]));
    assert!(scratch.w1[0].iter().any(|w| w.0 != [0; 256]));
    wipe(from_mut(&mut scratch.w1));
    assert!(scratch.w1.iter().flatten().all(|w| w.0 == [0; 256]));
}

#[test]
fn debug_shows_no_contents() {
    let mut sponge = Sponge::new();
    sponge.write([1234]);
    assert_eq!(format!("{sponge:?}"), "Sponge { .. }");
    let key = SigningKey::from_seed(&[7; 32].into());
    let mut signer = key.signer();
    signer.update(b"message");
    assert_eq!(format!("{signer:?}"), "MessageSigner { .. }");
    let verifier = key.verifying_key().verifier();
    assert_eq!(format!("{verifier:?}"), "MessageVerifier { .. }");
}
