//! Names in new certificates, and the comparison of names.

use x509_cert::name::Name;

use super::odd::{Odd, authority};
use crate::common::Folder;

/// RFC 5280, appendix A.1.
#[test]
fn names_that_are_not_written() {
    let folder = Folder::new();
    folder.keygen("ed25519", "key", "public");
    let too_long = |attribute: &str, most: usize| format!("{attribute}={}", "a".repeat(most + 1));
    let mut cases = vec![
        (
            "C=Germany".to_owned(),
            "a country (C) that is not two letters",
        ),
        ("C=1A".to_owned(), "a country (C) that is not two letters"),
        ("C=D\u{e9}".to_owned(), "not a well-formed PrintableString"),
        (
            "serialNumber=1_2".to_owned(),
            "not a well-formed PrintableString",
        ),
        (
            "emailAddress=\u{e4}@a.example".to_owned(),
            "not a well-formed IA5String",
        ),
        ("CN=".to_owned(), "an empty value of cn (2.5.4.3)"),
        ("CN=a\u{202e}b".to_owned(), "the character U+202E"),
        ("CN=a\u{2066}b".to_owned(), "the character U+2066"),
        ("O=a\u{200f}b,CN=a".to_owned(), "the character U+200F"),
        ("CN=a\\0ab".to_owned(), "the character U+000A"),
        ("CN=#0c02c328".to_owned(), "not a well-formed UTF8String"),
        ("CN=#1e020041".to_owned(), "not a well-formed BMPString"),
        ("CN=#160141".to_owned(), "of the type IA5String"),
        ("C=#0c024445".to_owned(), "of the type UTF8String"),
    ];
    for (attribute, most, says) in [
        ("CN", 64, "a common name (CN) of more than 64 characters"),
        ("O", 64, "an organization (O) of more than 64"),
        ("OU", 64, "an organizational unit (OU) of more than 64"),
        ("L", 128, "a locality (L) of more than 128"),
        ("ST", 128, "a state or province (ST) of more than 128"),
        ("title", 64, "a title of more than 64"),
        ("serialNumber", 64, "a serial number of more than 64"),
        ("pseudonym", 128, "a pseudonym of more than 128"),
        ("emailAddress", 255, "a mail address of more than 255"),
        ("DC", 63, "a domain component (DC) of more than 63"),
    ] {
        cases.push((too_long(attribute, most), says));
        let longest = format!("{attribute}={}", "a".repeat(most));
        folder.ok(&format!("cert request --key key --subject {longest}"));
    }
    for (name, says) in cases {
        for command in ["self-sign", "request"] {
            let arguments = ["cert", command, "--key", "key", "--subject", &name];
            let ended = folder.run_args(&arguments, b"");
            assert_eq!(ended.status, 2, "{name}");
            assert!(ended.stderr.contains(says), "{name}: {}", ended.stderr);
        }
    }
    // 64 characters, and more bytes.
    let wide = "\u{e4}".repeat(64);
    folder.ok(&format!("cert request --key key --subject CN={wide},C=DE"));
}

fn name(text: &str) -> Option<Name> {
    Some(text.parse().unwrap())
}

/// RFC 5280, section 7.1.
#[test]
fn equal_names() {
    let folder = Folder::new();
    let check = |subject: &str, issuer: &str, are_same: bool| {
        let root = Odd {
            subject: name(subject),
            issuer_name: name(subject),
            ..Odd::new("root", "root", authority())
        };
        root.write(&folder);
        let leaf = Odd {
            issuer_name: name(issuer),
            ..Odd::new("leaf", "root", vec![])
        };
        leaf.write(&folder);
        let ended = folder.run("cert verify leaf.der --root root.der");
        assert_eq!(
            ended.status == 0,
            are_same,
            "{subject}, {issuer}: {}",
            ended.stderr
        );
    };
    // "Root" as a PrintableString.
    let printable = "CN=#1304526f6f74";
    check("CN=Root", "CN=Root", true);
    check("CN=Root", "CN=rOOT", true);
    check("CN=Root", printable, true);
    check(printable, "CN=ROOT", true);
    check("CN=My  Root", "CN=\\ my root\\ ", true);
    check("CN=\u{c4}", "CN=\u{e4}", true);
    // Composed and decomposed, and a soft hyphen, which is mapped to nothing.
    check("CN=\u{e4}", "CN=a\u{308}", true);
    check("CN=Ro\u{ad}ot", "CN=Root", true);
    check("CN=Root+O=A", "O=a+CN=root", true);

    check("CN=Root", "CN=Ro ot", false);
    check("CN=Root", "O=Root", false);
    check("CN=Root,O=A", "O=A,CN=Root", false);
    check("CN=Root,O=A", "CN=Root", false);
    check("CN=Root+O=A", "CN=Root,O=A", false);
    // A TeletexString is compared byte by byte.
    check("CN=Root", "CN=#1404526f6f74", false);
    check("CN=#1404526f6f74", "CN=#1404526f6f74", true);
    check("CN=#1404526f6f74", "CN=#1404526f6f54", false);
}

/// A certificate whose names differ in letter case only is self-issued, so path lengths ignore it.
#[test]
fn self_issued_certificates() {
    let folder = Folder::new();
    let mut root = Odd::new("root", "root", authority());
    root.extensions[0] = super::odd::constraints(true, Some(0));
    root.write(&folder);
    let new = Odd {
        key: [99; 32],
        subject: name("CN=ROOT"),
        ..Odd::new("root", "root", authority())
    };
    new.write_as(&folder, "new.der");
    let leaf = Odd {
        issuer: ("root", new.key),
        ..Odd::new("leaf", "root", vec![])
    };
    leaf.write(&folder);
    folder.ok("cert verify leaf.der --root root.der --intermediate new.der");
}
