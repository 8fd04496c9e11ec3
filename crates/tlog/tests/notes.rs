use moissanite_tlog::{Ed25519Key, Error, Note, NoteVerifier, SignatureLine, limits};

use crate::{checkpoint, cosigner, cosigner_key, ed25519, go};

/// A signature line with a key ID of four bytes and one byte of a signature.
const LINE: &str = "\u{2014} name AAAAAQI=\n";

#[test]
fn a_note_of_go() {
    let note = Note::parse(go("/note")).unwrap();
    assert_eq!(note.to_string(), go("/note"));
    assert_eq!(note.signatures().len(), 3);
    let (log, witness, cosigner) = (
        ed25519("/ed25519"),
        ed25519("/ed25519_cosigner"),
        cosigner_key(),
    );
    let keys: [&dyn NoteVerifier; 3] = [&log, &witness, &cosigner];
    let verified = note.verify(&keys).unwrap();
    assert_eq!(verified.count(), 3);
    assert_eq!(*verified.content(), checkpoint().to_string());
    // Each key alone is enough, and the other lines are ignored.
    for key in keys {
        let verified = note.verify(&[key]).unwrap();
        assert!(verified.is_signed_by(0) && !verified.is_signed_by(1));
    }
    assert_eq!(note.verify(&[]).unwrap_err(), Error::UnknownKeys);
}

/// A changed text is refused by each kind of key.
#[test]
fn another_text() {
    let note = Note::parse(&go("/note").replacen("42", "43", 1)).unwrap();
    let keys: [&dyn NoteVerifier; 3] = [
        &ed25519("/ed25519"),
        &ed25519("/ed25519_cosigner"),
        &cosigner_key(),
    ];
    for key in keys {
        assert_eq!(note.verify(&[key]).unwrap_err(), Error::InvalidSignature);
    }
}

/// One wrong signature of a known key is enough to refuse a note.
#[test]
fn one_wrong_signature() {
    let (log, cosigner) = (ed25519("/ed25519"), cosigner_key());
    let good = Note::parse(go("/note")).unwrap();
    let line = good.signatures()[0].clone();
    let mut signature = line.signature().to_vec();
    signature[0] ^= 1;
    let wrong = SignatureLine::new(line.name(), line.key_id(), signature).unwrap();
    let note = good.with_signature(wrong).unwrap();
    let error = note.verify(&[&log, &cosigner]).unwrap_err();
    assert_eq!(error, Error::InvalidSignature);
    assert!(note.verify(&[&cosigner]).is_ok());
}

/// The same signature twice is the signature of one key.
#[test]
fn a_key_counts_once() {
    let line = cosigner().try_cosign(&checkpoint(), 1).unwrap();
    let later = cosigner().try_cosign(&checkpoint(), 2).unwrap();
    let note = checkpoint().to_note(vec![line.clone(), line, later]);
    let note = note.unwrap();
    let verified = note.verify(&[&cosigner_key()]).unwrap();
    assert_eq!(verified.count(), 1);
}

/// A line with the name or the ID of a known key, but not with both, is ignored.
#[test]
fn half_known_keys() {
    let log = ed25519("/ed25519");
    let note = Note::parse(go("/note")).unwrap();
    let line = &note.signatures()[0];
    let lines = [
        SignatureLine::new("another.example", line.key_id(), vec![0; 64]),
        SignatureLine::new(line.name(), note.signatures()[1].key_id(), vec![0; 64]),
    ];
    for line in lines {
        let note = note.clone().with_signature(line.unwrap()).unwrap();
        assert!(note.verify(&[&log]).unwrap().is_signed_by(0));
    }
}

#[test]
fn malformed_notes() {
    let refused = |note: &str, error| assert_eq!(Note::parse(note), Err(error), "{note:?}");
    assert!(Note::parse(&format!("a\n\n{LINE}")).is_ok());
    // The last empty line separates the signatures.
    let note = Note::parse(&format!("a\n\nb\n\n{LINE}")).unwrap();
    assert_eq!(note.unverified_text(), "a\n\nb\n");
    refused("", Error::Note);
    refused("a\n", Error::Note);
    refused("a\n\n", Error::Note);
    refused(&format!("a\n{LINE}"), Error::Note);
    refused(&format!("a\n\n{}", LINE.trim_end()), Error::Note);
    refused(&format!("a\r\n\r\n{LINE}"), Error::ControlCharacter);
    refused(&format!("a\tb\n\n{LINE}"), Error::ControlCharacter);
    refused(&format!("a\0\n\n{LINE}"), Error::ControlCharacter);
    refused(&format!("a\n\n{LINE}b\n"), Error::SignatureLine);
    let lines = [
        "- name AAAAAQI=",
        "\u{2014}name AAAAAQI=",
        "\u{2014} nameAAAAAQI=",
        "\u{2014} name ",
        "\u{2014} name AAAAAQI",
        "\u{2014} name AAAAAQJ=",
        "\u{2014} name AAAAAQI= ",
        "\u{2014} name AAAAAQ-_",
        // Four bytes are a key ID without a signature, and three are not even that.
        "\u{2014} name AAAAAQ==",
        "\u{2014} name AAAA",
    ];
    for line in lines {
        refused(&format!("a\n\n{line}\n"), Error::SignatureLine);
    }
    for name in ["", "na+me", "na\u{a0}me"] {
        refused(&format!("a\n\n\u{2014} {name} AAAAAQI=\n"), Error::Name);
    }
}

#[test]
fn limits_of_notes() {
    let most = format!("a\n\n{}", LINE.repeat(limits::SIGNATURES));
    assert_eq!(
        Note::parse(&most).unwrap().signatures().len(),
        limits::SIGNATURES
    );
    let refused = |note: &str| matches!(Note::parse(note), Err(Error::TooLong { .. }));
    assert!(refused(&format!("{most}{LINE}")));
    let text = "a".repeat(limits::NOTE);
    assert!(refused(&format!("{text}\n\n{LINE}")));
    let line = SignatureLine::parse(LINE.trim_end()).unwrap();
    assert!(matches!(
        Note::new(&format!("{text}\n"), vec![line.clone()]),
        Err(Error::TooLong { .. })
    ));
    assert!(matches!(
        SignatureLine::parse(&format!("{text}a")),
        Err(Error::TooLong { .. })
    ));
    assert_eq!(Note::new("a", vec![line.clone()]), Err(Error::Note));
    assert_eq!(Note::new("a\n", vec![]), Err(Error::Note));
    assert_eq!(
        Note::new("a\u{1b}\n", vec![line]),
        Err(Error::ControlCharacter)
    );
}

/// The example in the documentation of Go's package note.
#[test]
fn an_example_of_go() {
    let vkey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    let note = "If you think cryptography is the answer to your problem,\n\
                then you don't know what your problem is.\n\n\
                \u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNX\
                gKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
    let key = Ed25519Key::from_vkey(vkey).unwrap();
    let note = Note::parse(note).unwrap();
    assert_eq!(note.verify(&[&key]).unwrap().count(), 1);
}
