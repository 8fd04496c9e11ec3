use moissanite_tlog::{
    COSIGNATURE_LEN, Checkpoint, Cosignature, Cosigner, Error, Note, NoteVerifier, Seed,
    SignatureLine, SigningKey, Subtree, SysRng, VerifyBatchError, verify_batch,
};

use crate::{ORIGIN, WITNESS, checkpoint, cosigner, cosigner_key, ed25519, go, hash};

const NOW: u64 = 1_795_392_000;

fn cosignature(line: &SignatureLine) -> Cosignature {
    Cosignature::from_bytes(line.signature()).unwrap()
}

/// The signature of Go is that of the message in the specification, byte for byte.
#[test]
fn the_signed_message() {
    use moissanite::prelude::*;

    let note = Note::parse(go("/note")).unwrap();
    let cosignature = cosignature(&note.signatures()[2]);
    let message = [
        b"subtree/v1\n\0\x19witness.example/ml-dsa-44".as_slice(),
        &cosignature.timestamp().to_be_bytes(),
        b"\x0fexample.com/log",
        &[0; 8],
        &[0, 0, 0, 0, 0, 0, 0, 42],
        &hash("/root"),
    ]
    .concat();
    let bytes = cosignature.to_bytes();
    let signature = moissanite::Signature::from_bytes(&bytes[8..]).unwrap();
    let key = cosigner_key();
    key.verifying_key().verify(&message, &signature).unwrap();
    let key = cosigner();
    let ours = key.try_cosign(&checkpoint(), cosignature.timestamp());
    let signature = key.signing_key().try_sign(&message).unwrap();
    assert_eq!(ours.unwrap().signature()[8..], *signature.as_bytes());
}

#[test]
fn a_subtree_of_go() {
    let subtree = Subtree::new(ORIGIN, 8, 12, hash("/subtree/hash")).unwrap();
    let line = SignatureLine::parse(go("/subtree/line").trim_end()).unwrap();
    assert!(line.is_of(&cosigner_key()));
    assert_eq!(format!("{line}\n"), go("/subtree/line"));
    let cosignature = cosignature(&line);
    assert_eq!(cosignature.timestamp(), 0);
    cosigner_key()
        .verify_subtree(&subtree, &cosignature)
        .unwrap();
    for (start, end) in [(8, 11), (0, 12)] {
        let other = Subtree::new(ORIGIN, start, end, hash("/subtree/hash")).unwrap();
        let error = cosigner_key().verify_subtree(&other, &cosignature);
        assert_eq!(error, Err(Error::InvalidSignature));
    }
}

#[test]
fn ours_are_valid() {
    let (cosigner, key) = (cosigner(), cosigner_key());
    let hedged = cosigner.try_cosign_with_rng(&mut SysRng, &checkpoint(), NOW);
    let hedged = hedged.unwrap();
    let deterministic = cosigner.try_cosign(&checkpoint(), NOW).unwrap();
    assert_ne!(hedged, deterministic);
    assert_eq!(
        deterministic,
        cosigner.try_cosign(&checkpoint(), NOW).unwrap()
    );
    for line in [hedged, deterministic] {
        assert_eq!(line.signature().len(), COSIGNATURE_LEN);
        let cosignature = cosignature(&line);
        assert_eq!(cosignature.timestamp(), NOW);
        key.verify_checkpoint(&checkpoint(), &cosignature).unwrap();
    }
    let subtree = Subtree::new(ORIGIN, 16, 32, [1; 32]).unwrap();
    let lines = [
        cosigner.try_cosign_subtree(&subtree, 0),
        cosigner.try_cosign_subtree_with_rng(&mut SysRng, &subtree, 0),
    ];
    for line in lines {
        key.verify_subtree(&subtree, &cosignature(&line.unwrap()))
            .unwrap();
    }
}

/// A cosignature of a checkpoint is one of the subtree of all leaves.
#[test]
fn the_whole_tree_is_a_subtree() {
    let line = cosigner().try_cosign(&checkpoint(), NOW).unwrap();
    let subtree = Subtree::new(ORIGIN, 0, 42, hash("/root")).unwrap();
    let verified = cosigner_key().verify_subtree(&subtree, &cosignature(&line));
    assert_eq!(verified, Ok(()));
    let error = cosigner().try_cosign_subtree(&Subtree::new(ORIGIN, 1, 2, [0; 32]).unwrap(), 1);
    assert_eq!(error.unwrap_err(), Error::Timestamp);
}

/// Each part of the statement is signed.
#[test]
fn other_statements() {
    let line = cosigner().try_cosign(&checkpoint(), NOW).unwrap();
    let good = cosignature(&line);
    let root = hash("/root");
    let others = [
        Checkpoint::new("example.com/lo", 42, root),
        Checkpoint::new(ORIGIN, 43, root),
        Checkpoint::new(ORIGIN, 42, [0; 32]),
    ];
    for other in others {
        let error = cosigner_key().verify_checkpoint(&other.unwrap(), &good);
        assert_eq!(error, Err(Error::InvalidSignature));
    }
    let mut bytes = good.to_bytes();
    bytes[7] ^= 1;
    let later = Cosignature::from_bytes(&bytes).unwrap();
    let error = cosigner_key().verify_checkpoint(&checkpoint(), &later);
    assert_eq!(error, Err(Error::InvalidSignature));
    // The name is signed, too.
    let renamed = Cosigner::new("another.example", cosigner().signing_key().clone()).unwrap();
    let error = renamed.key().verify_checkpoint(&checkpoint(), &good);
    assert_eq!(error, Err(Error::InvalidSignature));
}

#[test]
fn malformed_cosignatures() {
    let line = cosigner().try_cosign(&checkpoint(), NOW).unwrap();
    let bytes = line.signature();
    for length in [0, 7, 8, COSIGNATURE_LEN - 1, COSIGNATURE_LEN + 1] {
        let mut other = bytes.to_vec();
        other.resize(length, 0);
        let error = Cosignature::from_bytes(&other).unwrap_err();
        let expected = Error::SignatureLength {
            expected: COSIGNATURE_LEN,
            actual: length,
        };
        assert_eq!(error, expected);
    }
    let mut other = bytes.to_vec();
    other[0] = 0x80;
    let error = Cosignature::from_bytes(&other).unwrap_err();
    assert_eq!(error, Error::Timestamp);
    let error = cosigner().try_cosign(&checkpoint(), 1 << 63).unwrap_err();
    assert_eq!(error, Error::Timestamp);
    assert!(cosigner().try_cosign(&checkpoint(), (1 << 63) - 1).is_ok());
}

/// The signature would not cover them, so nobody can add or change them.
#[test]
fn extension_lines_are_refused() {
    let (cosigner, key) = (cosigner(), cosigner_key());
    let line = cosigner.try_cosign(&checkpoint(), NOW).unwrap();
    let extended = checkpoint().with_extensions("an extension\n").unwrap();
    let good = cosignature(&line);
    assert_eq!(cosigner.try_cosign(&extended, NOW), Err(Error::Extensions));
    let error = cosigner.try_cosign_with_rng(&mut SysRng, &extended, NOW);
    assert_eq!(error, Err(Error::Extensions));
    let error = key.verify_checkpoint(&extended, &good);
    assert_eq!(error, Err(Error::Extensions));
    let note = extended.to_note(vec![line]).unwrap();
    assert_eq!(note.verify(&[&key]), Err(Error::Extensions));
    assert!(verify_batch(&[(&key, &extended, &good)]).is_err());
}

/// An ML-DSA-44 key signs checkpoints only, and so does an Ed25519 key of type 4.
#[test]
fn notes_that_are_no_checkpoints() {
    let signature = vec![0; COSIGNATURE_LEN];
    let verify = |key: &dyn NoteVerifier| key.verify("a text\n", &signature);
    assert_eq!(verify(&cosigner_key()), Err(Error::Checkpoint));
    assert_eq!(
        verify(&ed25519("/ed25519_cosigner")),
        Err(Error::Checkpoint)
    );
    assert_eq!(verify(&ed25519("/ed25519")), Err(Error::InvalidSignature));
}

/// The time of an Ed25519 cosignature is signed, and has an upper bound.
#[test]
fn times_of_ed25519() {
    let note = Note::parse(go("/note")).unwrap();
    let (key, line) = (ed25519("/ed25519_cosigner"), &note.signatures()[1]);
    let verify = |bytes: &[u8]| key.verify(note.unverified_text(), bytes);
    assert_eq!(verify(line.signature()), Ok(()));
    let mut changed = line.signature().to_vec();
    changed[7] ^= 1;
    assert_eq!(verify(&changed), Err(Error::InvalidSignature));
    changed[0] = 0x80;
    assert_eq!(verify(&changed), Err(Error::Timestamp));
    for length in [0, 7, 71, 73] {
        changed.resize(length, 0);
        assert!(verify(&changed).is_err(), "{length}");
    }
}

#[test]
fn batches() {
    let cosigners: Vec<_> = (0..3_u8)
        .map(|i| {
            let key = SigningKey::from_seed(&Seed::from_bytes(&[i; 32]));
            Cosigner::new(&format!("{WITNESS}/{i}"), key).unwrap()
        })
        .collect();
    let keys: Vec<_> = cosigners.iter().map(Cosigner::key).collect();
    let checkpoints: Vec<_> = (1..6_u8)
        .map(|i| Checkpoint::new(ORIGIN, i.into(), [i; 32]).unwrap())
        .collect();
    let mut cosignatures = Vec::new();
    for checkpoint in &checkpoints {
        for cosigner in &cosigners {
            let line = cosigner.try_cosign(checkpoint, NOW).unwrap();
            cosignatures.push(cosignature(&line));
        }
    }
    let pairs = checkpoints
        .iter()
        .flat_map(|checkpoint| keys.iter().map(move |key| (key, checkpoint)));
    let items = pairs.zip(&cosignatures);
    let mut items: Vec<_> = items
        .map(|((key, checkpoint), good)| (key, checkpoint, good))
        .collect();
    assert!(verify_batch(&items).is_ok());
    assert!(verify_batch(&[]).is_ok());
    items[4].2 = &cosignatures[5];
    items[7].1 = &checkpoints[0];
    let Err(VerifyBatchError::Invalid(error)) = verify_batch(&items) else {
        panic!("two cosignatures are not valid");
    };
    assert!(error.invalid().eq([4, 7]));
}
