//! Certificates that violate RFC 5280 or DER, each in one way.

use x509_cert::der::asn1::OctetString;
use x509_cert::der::oid::AssociatedOid;
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::{
    AuthorityKeyIdentifier, BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages,
    SubjectAltName, SubjectKeyIdentifier,
};
use x509_cert::name::Name;

use super::odd::{FOREIGN, Odd, authority, constraints, extension, host, raw, usage};
use crate::common::Folder;

const VERIFY: &str = "cert verify leaf.der --root root.der";

/// Verifies this leaf below a good root; and as a root itself.
fn check(folder: &Folder, leaf: &Odd, status: i32, says: &str) {
    Odd::new("root", "root", authority()).write(folder);
    leaf.write_as(folder, "leaf.der");
    for verify in [VERIFY, "cert verify leaf.der --root leaf.der"] {
        if status == 0 {
            folder.ok(verify);
        } else {
            folder.fails(status, verify, says);
        }
    }
    if status == 1 {
        let text = folder.ok_text("inspect leaf.der");
        let says = says.trim_start_matches("leaf.der: ");
        let says = format!("refused      by `moissanite cert verify`: {says}");
        assert!(text.contains(&says), "{says}: {text}");
    }
}

fn leaf(extensions: Vec<Extension>) -> Odd {
    Odd::new("leaf", "root", extensions)
}

/// The certificate without extensions of version 1, with one thing changed in it.
fn changed(change_body: fn(&mut Vec<u8>)) -> Odd {
    Odd {
        change_body,
        ..leaf(vec![])
    }
}

/// The number comes first, as one byte.
fn serial(body: &mut Vec<u8>, number: &[u8]) {
    assert_eq!(body[..3], [2, 1, 1]);
    let length = number.len().try_into().unwrap();
    body.splice(1..3, [&[length], number].concat());
}

#[test]
fn serial_numbers() {
    let folder = Folder::new();
    let positive = "it has to be positive and of at most 20 bytes";
    let says = |what: &str| format!("leaf.der: its serial number is {what}; {positive}");
    check(&folder, &changed(|body| serial(body, &[0x7f; 20])), 0, "");
    check(
        &folder,
        &changed(|body| serial(body, &[0xff])),
        1,
        &says("negative"),
    );
    check(
        &folder,
        &changed(|body| serial(body, &[0x80; 20])),
        1,
        &says("negative"),
    );
    check(
        &folder,
        &changed(|body| serial(body, &[0])),
        1,
        &says("zero"),
    );
    let long: fn(&mut Vec<u8>) = |body| serial(body, &[&[0_u8][..], &[0x80; 20]].concat());
    check(&folder, &changed(long), 1, &says("too long"));
    // Neither of these is read at all.
    let longer = changed(|body| serial(body, &[0x7f; 22]));
    check(&folder, &longer, 2, "leaf.der: the DER is damaged");
    let padded = changed(|body| serial(body, &[0, 1]));
    check(&folder, &padded, 2, "leaf.der: the DER is damaged");
}

/// The position of the times, a sequence of two values of the type UTCTime.
fn times(body: &[u8]) -> usize {
    let is_there = |bytes: &[u8]| bytes == [0x30, 0x1e, 0x17, 13];
    body.windows(4).position(is_there).unwrap()
}

/// RFC 5280, section 4.1.2.5.
#[test]
fn times_of_the_wrong_type() {
    let folder = Folder::new();
    let says = "leaf.der: it writes a time before 2050 as a GeneralizedTime";
    let from: fn(&mut Vec<u8>) = |body| {
        let at = times(body);
        body[at + 1] += 2;
        body.splice(at + 2..at + 4, *b"\x18\x0f20");
    };
    let until: fn(&mut Vec<u8>) = |body| {
        let at = times(body);
        body[at + 1] += 2;
        body.splice(at + 17..at + 19, *b"\x18\x0f20");
    };
    let last: fn(&mut Vec<u8>) = |body| {
        let at = times(body);
        body[at + 1] += 2;
        body.splice(at + 17..at + 32, *b"\x18\x0f20491231235959Z");
    };
    for change in [from, until, last] {
        check(&folder, &changed(change), 1, says);
    }
    let first: fn(&mut Vec<u8>) = |body| {
        let at = times(body);
        body[at + 1] += 2;
        body.splice(at + 17..at + 32, *b"\x18\x0f20500101000000Z");
    };
    check(&folder, &changed(first), 0, "");
    // The years 50 to 99 of a UTCTime are those of the last century, and 50 is before 1970.
    let early: fn(&mut Vec<u8>) = |body| {
        let at = times(body);
        body.splice(at + 19..at + 21, *b"50");
    };
    check(&folder, &changed(early), 2, "leaf.der: the DER is damaged");
    let over: fn(&mut Vec<u8>) = |body| {
        let at = times(body);
        body.splice(at + 19..at + 21, *b"99");
    };
    changed(over).write_as(&folder, "leaf.der");
    folder.fails(1, VERIFY, "leaf.der: it expired on 1999");
    let zone: fn(&mut Vec<u8>) = |body| {
        let at = times(body);
        body[at + 31] = b'0';
    };
    check(&folder, &changed(zone), 2, "leaf.der: the DER is damaged");
}

/// X.690, section 11.5.
#[test]
fn default_values() {
    let folder = Folder::new();
    let version = changed(|body| drop(body.splice(..0, [0xa0, 3, 2, 1, 0])));
    let says = "leaf.der: it is not encoded in DER";
    check(&folder, &version, 1, says);
    let critical: fn(&mut Vec<u8>) = |body| {
        // Three lengths, the identifier, and the value.
        let at = body.len() - 18;
        assert_eq!(body[at], 0xa3);
        for length in [1, 3, 5] {
            body[at + length] += 3;
        }
        body.splice(at + 11..at + 11, [1, 1, 0]);
    };
    let named = Odd {
        change_body: critical,
        ..leaf(vec![host()])
    };
    check(&folder, &named, 1, says);
    // A set whose elements are not in order.
    let swapped = Odd {
        subject: Some("CN=x+O=y".parse().unwrap()),
        change_body: |body| {
            let first = b"\x30\x08\x06\x03\x55\x04\x03\x0c\x01x";
            let at = body.windows(10).position(|bytes| bytes == first);
            let at = at.unwrap();
            body[at..at + 20].rotate_left(10);
        },
        ..leaf(vec![])
    };
    check(&folder, &swapped, 1, says);
    let says = "leaf.der: its extension 2.5.29.19 is malformed";
    let authority = raw(BasicConstraints::OID, true, &[0x30, 3, 1, 1, 0]);
    check(&folder, &leaf(vec![authority]), 1, says);
    let empty = raw(BasicConstraints::OID, true, &[0x30, 0]);
    check(&folder, &leaf(vec![empty]), 0, "");
    // A BOOLEAN that is neither true nor false, and bits without a meaning.
    let authority = raw(BasicConstraints::OID, true, &[0x30, 3, 1, 1, 1]);
    check(&folder, &leaf(vec![authority]), 1, says);
    let bits = raw(KeyUsage::OID, true, &[3, 2, 0, 0x80]);
    let says = "leaf.der: its extension 2.5.29.15 is malformed";
    check(&folder, &leaf(vec![bits]), 1, says);
    check(
        &folder,
        &leaf(vec![usage(KeyUsages::DigitalSignature)]),
        0,
        "",
    );
}

#[test]
fn empty_lists() {
    let folder = Folder::new();
    let none = changed(|body| {
        body.splice(..0, [0xa0, 3, 2, 1, 2]);
        body.extend([0xa3, 2, 0x30, 0]);
    });
    let says = "leaf.der: its list of extensions is empty";
    check(&folder, &none, 1, says);
    for (oid, value) in [
        (SubjectAltName::OID, [0x30, 0].as_slice()),
        (ExtendedKeyUsage::OID, &[0x30, 0]),
        (KeyUsage::OID, &[3, 1, 0]),
    ] {
        let says = format!("leaf.der: its extension {oid} is malformed");
        check(&folder, &leaf(vec![raw(oid, false, value)]), 1, &says);
    }
}

/// RFC 5280, sections 4.1.2.6 and 4.2.1.6.
#[test]
fn subjects_without_a_name() {
    let folder = Folder::new();
    let nameless = |extensions| Odd {
        subject: Some(Name::default()),
        ..leaf(extensions)
    };
    let says = "leaf.der: it has neither a subject nor a critical extension";
    check(&folder, &nameless(vec![]), 1, says);
    check(&folder, &nameless(vec![host()]), 1, says);
    let critical = Extension {
        critical: true,
        ..host()
    };
    check(&folder, &nameless(vec![critical.clone()]), 0, "");
    let authority = [authority(), vec![critical]].concat();
    let says = "leaf.der: it is an authority without a subject";
    check(&folder, &nameless(authority), 1, says);
}

#[test]
fn names_of_malformed_text() {
    let folder = Folder::new();
    // A byte that is not UTF-8, an underscore, a byte above 127, and half a character.
    for name in ["CN=#0c02c328", "CN=#13015f", "CN=#1601e4", "CN=#1e0141"] {
        let name: Name = name.parse().unwrap();
        let says = "leaf.der: the text of its subject is malformed";
        let odd = Odd {
            subject: Some(name.clone()),
            ..leaf(vec![])
        };
        check(&folder, &odd, 1, says);
        let odd = Odd {
            issuer_name: Some(name),
            ..leaf(vec![])
        };
        check(
            &folder,
            &odd,
            1,
            "leaf.der: the text of its issuer is malformed",
        );
    }
    // A part without an attribute.
    let name = Odd {
        change_body: |body| {
            let at = body
                .windows(4)
                .rposition(|bytes| bytes == *b"leaf")
                .unwrap()
                - 13;
            assert_eq!(body[at..at + 4], [0x30, 15, 0x31, 13]);
            body[at + 1] += 2;
            body.splice(at + 2..at + 2, [0x31, 0]);
        },
        ..leaf(vec![])
    };
    check(
        &folder,
        &name,
        1,
        "leaf.der: the text of its subject is malformed",
    );
}

#[test]
fn identifiers_of_keys() {
    let folder = Folder::new();
    let short = [0x80, 1, 7].as_slice();
    let subject = |value| raw(SubjectKeyIdentifier::OID, false, value);
    let issuer = |value| raw(AuthorityKeyIdentifier::OID, false, value);
    check(&folder, &leaf(vec![subject(&[4, 1, 7])]), 0, "");
    check(&folder, &leaf(vec![issuer(&[0x30, 3, 0x80, 1, 7])]), 0, "");
    // The issuer's name, and its certificate's number.
    let by_number = [0x30, 0x0a, 0xa1, 5, 0x82, 3, b'a', b'.', b'b', 0x82, 1, 7];
    check(&folder, &leaf(vec![issuer(&by_number)]), 0, "");
    for value in [short, &[], &[4, 2, 7], &[4, 1, 7, 0]] {
        let says = "leaf.der: its extension 2.5.29.14 is malformed";
        check(&folder, &leaf(vec![subject(value)]), 1, says);
    }
    // A sequence cut short, a name without a number, and a number without a name.
    for value in [
        [0x30, 3, 0x80, 2, 7].as_slice(),
        &[0x30, 7, 0xa1, 5, 0x82, 3, b'a', b'.', b'b'],
        &[0x30, 3, 0x82, 1, 7],
        short,
    ] {
        let says = "leaf.der: its extension 2.5.29.35 is malformed";
        check(&folder, &leaf(vec![issuer(value)]), 1, says);
    }
}

/// RFC 5280, sections 4.2.1.3 and 4.2.1.9.
#[test]
fn extensions_for_authorities_only() {
    let folder = Folder::new();
    let signs = usage(KeyUsages::DigitalSignature | KeyUsages::KeyCertSign);
    let says = "leaf.der: its key usage includes keyCertSign, and it is not an authority";
    check(&folder, &leaf(vec![signs.clone()]), 1, says);
    check(
        &folder,
        &leaf(vec![constraints(false, None), signs]),
        1,
        says,
    );
    let says = "leaf.der: its extension 2.5.29.19 is malformed";
    check(&folder, &leaf(vec![constraints(false, Some(1))]), 1, says);
    // A negative path length.
    let negative = raw(
        BasicConstraints::OID,
        true,
        &[0x30, 6, 1, 1, 0xff, 2, 1, 0x80],
    );
    check(&folder, &leaf(vec![negative]), 1, says);
}

#[test]
fn addresses_of_other_lengths() {
    let folder = Folder::new();
    let names = |bytes: &[u8]| {
        let address = OctetString::new(bytes).unwrap();
        let names = SubjectAltName(vec![x509_cert::ext::pkix::name::GeneralName::IpAddress(
            address,
        )]);
        leaf(vec![extension(&names)])
    };
    check(&folder, &names(&[10, 0, 0, 1]), 0, "");
    check(&folder, &names(&[0; 16]), 0, "");
    let says = "leaf.der: its extension 2.5.29.17 is malformed";
    for length in [0, 3, 5, 8, 15, 17, 32] {
        check(&folder, &names(&vec![0; length]), 1, says);
    }
}

/// RFC 5280, section 4.2.1.6: no alternative name is empty, and a DNS name is not a space.
#[test]
fn empty_alternative_names() {
    let folder = Folder::new();
    let says = "leaf.der: its extension 2.5.29.17 is malformed";
    for (name, status) in [
        // An rfc822Name, a dNSName, a directoryName and a URI.
        (&[0x81, 0][..], 1),
        (&[0x82, 0], 1),
        (&[0x82, 1, b' '], 1),
        (&[0xa4, 2, 0x30, 0], 1),
        (&[0x86, 0], 1),
        (&[0x82, 1, b'a'], 0),
        (&[0x86, 1, b'a'], 0),
    ] {
        let value = [&[0x30, name.len().try_into().unwrap()], name].concat();
        let says = if status == 0 { "" } else { says };
        let names = raw(SubjectAltName::OID, false, &value);
        check(&folder, &leaf(vec![names]), status, says);
    }
}

/// The signed and the unsigned part name the same algorithm, and no bytes follow the end.
#[test]
fn bytes_around_the_fields() {
    let folder = Folder::new();
    let two = Odd {
        outer: Some(FOREIGN),
        ..leaf(vec![])
    };
    let says = "leaf.der: it names two different signature algorithms";
    check(&folder, &two, 1, says);
    let more = changed(|body| body.extend([5, 0]));
    check(&folder, &more, 2, "leaf.der: the DER is damaged");
    // Behind the signature, within the outer sequence.
    let mut der = Vec::new();
    let good = leaf(vec![]).to_der();
    der.extend([0x30, 0x82]);
    let length = u16::from_be_bytes([good[2], good[3]]) + 2;
    der.extend(length.to_be_bytes());
    der.extend(&good[4..]);
    der.extend([5, 0]);
    folder.write("leaf.der", &der);
    folder.fails(2, VERIFY, "leaf.der: the DER is damaged");
}
