use moissanite_tlog::{Checkpoint, Error, Subtree};

use crate::{ORIGIN, checkpoint, cosigner_key, ed25519, go};

#[test]
fn a_checkpoint_of_go() {
    let keys = (ed25519("/ed25519"), cosigner_key());
    let opened = Checkpoint::open(go("/note"), ORIGIN, &[&keys.0, &keys.1]).unwrap();
    assert_eq!(opened.content(), &checkpoint());
    assert_eq!(opened.count(), 2);
    let error = Checkpoint::open(go("/note"), "example.com/other", &[&keys.0]);
    assert_eq!(error.unwrap_err(), Error::OtherLog);
}

#[test]
fn malformed_checkpoints() {
    let text = checkpoint().to_string();
    assert_eq!(Checkpoint::parse(&text).unwrap(), checkpoint());
    let mut lines = text.lines();
    let (origin, size, root) = (
        lines.next().unwrap(),
        lines.next().unwrap(),
        lines.next().unwrap(),
    );
    let refused =
        |text: String, error| assert_eq!(Checkpoint::parse(&text), Err(error), "{text:?}");
    refused(String::new(), Error::Checkpoint);
    refused(format!("{origin}\n{size}\n{root}"), Error::Checkpoint);
    refused(format!("{origin}\n{size}\n"), Error::Checkpoint);
    for size in [
        "",
        "042",
        "+42",
        "-1",
        "42 ",
        "4_2",
        "0x2a",
        "\u{664}2",
        "18446744073709551616",
    ] {
        refused(format!("{origin}\n{size}\n{root}\n"), Error::Checkpoint);
    }
    for root in [
        "",
        "AA==",
        &root[..43],
        &format!("{root}="),
        &root.replace('=', "A"),
    ] {
        refused(format!("{origin}\n{size}\n{root}\n"), Error::Checkpoint);
    }
    refused(format!("\n{size}\n{root}\n"), Error::Origin);
    refused(format!("a\tb\n{size}\n{root}\n"), Error::Origin);
    for rest in ["\n", "a", "a\n\n", "\na\n"] {
        refused(format!("{text}{rest}"), Error::Checkpoint);
    }
    refused(format!("{text}a\rb\n"), Error::ControlCharacter);
    let largest = format!("{origin}\n{}\n{root}\n", u64::MAX);
    assert_eq!(Checkpoint::parse(&largest).unwrap().size(), u64::MAX);
    let long = Error::TooLong {
        part: "origin",
        limit: 255,
    };
    refused(format!("{}\n{size}\n{root}\n", "a".repeat(256)), long);
}

#[test]
fn extension_lines() {
    let text = format!("{}an extension\nanother one\n", checkpoint());
    let parsed = Checkpoint::parse(&text).unwrap();
    assert_eq!(parsed.extensions(), "an extension\nanother one\n");
    assert_eq!(parsed.to_string(), text);
}

/// The root hash of an empty tree is SHA-256 of nothing (RFC 6962, section 2.1).
#[test]
fn empty_trees() {
    assert_eq!(Checkpoint::new(ORIGIN, 0, [0; 32]), Err(Error::Checkpoint));
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let empty = hex::decode(empty).unwrap().try_into().unwrap();
    let checkpoint = Checkpoint::new(ORIGIN, 0, empty).unwrap();
    assert_eq!(checkpoint.to_string().lines().nth(1), Some("0"));
}

#[test]
fn ranges_of_subtrees() {
    let subtree = |start, end| Subtree::new(ORIGIN, start, end, [0; 32]).err();
    for (start, end) in [
        (0, 1),
        (5, 6),
        (4, 6),
        (8, 11),
        (8, 12),
        (16, 32),
        (0, u64::MAX),
        (1 << 63, u64::MAX),
    ] {
        assert_eq!(subtree(start, end), None, "{start} {end}");
    }
    for (start, end) in [
        (0, 0),
        (5, 5),
        (6, 5),
        (5, 7),
        (2, 5),
        (4, 12),
        (1, u64::MAX),
        (1 << 62, u64::MAX),
    ] {
        assert_eq!(subtree(start, end), Some(Error::Subtree), "{start} {end}");
    }
    assert_eq!(Subtree::new("", 0, 1, [0; 32]).unwrap_err(), Error::Origin);
}
