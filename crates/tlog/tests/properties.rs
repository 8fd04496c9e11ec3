use moissanite_tlog::{
    Checkpoint, Cosignature, CosignerKey, Ed25519Key, Note, NoteVerifier, SignatureLine,
};
use proptest::prelude::*;

use crate::{cosigner_key, ed25519, go};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// What is read is written in the same way.
    #[test]
    fn any_text(text in "(\\PC|\n)*") {
        let _ = CosignerKey::from_vkey(&text);
        let _ = Ed25519Key::from_vkey(&text);
        if let Ok(note) = Note::parse(&text) {
            prop_assert_eq!(note.to_string(), text.as_str());
        }
        if let Ok(line) = SignatureLine::parse(&text) {
            prop_assert_eq!(line.to_string(), text.as_str());
        }
        if let Ok(checkpoint) = Checkpoint::parse(&text) {
            prop_assert_eq!(checkpoint.to_string(), text.as_str());
        }
    }

    #[test]
    fn any_checkpoint(origin in "\\PC{1,60}", size in 1_u64.., root: [u8; 32], lines in "(\\PC{1,20}\n){0,3}") {
        let checkpoint = Checkpoint::new(&origin, size, root).unwrap();
        let checkpoint = checkpoint.with_extensions(&lines).unwrap();
        prop_assert_eq!(Checkpoint::parse(&checkpoint.to_string()), Ok(checkpoint));
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..3000)) {
        if let Ok(cosignature) = Cosignature::from_bytes(&bytes) {
            prop_assert_eq!(cosignature.to_bytes(), bytes);
        }
    }

    /// A changed character of a note is never accepted by the key that it affects.
    #[test]
    fn changed_notes(at: prop::sample::Index, by in "[0-9A-Za-z+/ \n]") {
        let note = go("/note");
        let positions: Vec<_> = note.char_indices().map(|(at, _)| at).collect();
        let at = positions[at.index(positions.len())];
        let end = at + note[at..].chars().next().unwrap().len_utf8();
        let changed = [&note[..at], &by, &note[end..]].concat();
        prop_assume!(changed != note);
        if let Ok(changed) = Note::parse(&changed) {
            let keys: [&dyn NoteVerifier; 3] = [
                &ed25519("/ed25519"), &ed25519("/ed25519_cosigner"), &cosigner_key(),
            ];
            let count = changed.verify(&keys).map_or(0, |verified| verified.count());
            prop_assert!(count < 3);
        }
    }
}
