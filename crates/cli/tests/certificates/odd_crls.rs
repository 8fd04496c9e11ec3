//! CRLs that violate RFC 5280 or DER, each in one way, as no correct authority issues them.

use moissanite::{MlDsa44, Signature, SigningKey, keys, prelude::*};
use x509_cert::Version;
use x509_cert::crl::{RevokedCert, TbsCertList};
use x509_cert::der::asn1::{Any, BitString, GeneralizedTime, Ia5String, OctetString};
use x509_cert::der::oid::{AssociatedOid, ObjectIdentifier};
use x509_cert::der::pem::{LineEnding, encode_string};
use x509_cert::der::{DateTime, Decode, Encode};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::crl::{BaseCrlNumber, IssuingDistributionPoint};
use x509_cert::ext::pkix::name::{DistributionPointName, GeneralName};
use x509_cert::ext::pkix::{
    AuthorityKeyIdentifier, CrlNumber, CrlReason, KeyUsages, SubjectKeyIdentifier,
};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::AlgorithmIdentifierOwned;
use x509_cert::time::Time;

use super::odd::{Odd, UNKNOWN, authority, constraints, raw, sequence, usage};
use crate::common::Folder;

const ISSUING_DISTRIBUTION_POINT: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.28");
const INVALIDITY_DATE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.24");
const CERTIFICATE_ISSUER: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.29");
const VERIFY: &str = "cert verify leaf.der --root root.der --crl odd.crl";

/// A CRL of the root, signed with its key.
#[derive(Clone)]
struct OddCrl {
    body: TbsCertList,
    parameters: Option<Any>,
    /// Beside what is signed.
    outer: Option<ObjectIdentifier>,
    /// Changes the signed part, without the header.
    change_body: fn(&mut Vec<u8>),
}

fn crl() -> OddCrl {
    let now = Time::now().unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(3600);
    let signature = AlgorithmIdentifierOwned {
        oid: keys::oid::<MlDsa44>(),
        parameters: None,
    };
    OddCrl {
        body: TbsCertList {
            version: Version::V2,
            signature,
            issuer: "CN=root".parse().unwrap(),
            this_update: now,
            next_update: Some(Time::try_from(later).unwrap()),
            revoked_certificates: None,
            crl_extensions: None,
        },
        parameters: None,
        outer: None,
        change_body: |_| (),
    }
}

fn with(extensions: Vec<Extension>) -> OddCrl {
    let mut odd = crl();
    odd.body.crl_extensions = Some(extensions);
    odd
}

fn listing(entries: Vec<RevokedCert>) -> OddCrl {
    let mut odd = crl();
    odd.body.revoked_certificates = Some(entries);
    odd
}

fn entry(number: u16, extensions: Option<Vec<Extension>>) -> RevokedCert {
    RevokedCert {
        serial_number: SerialNumber::new(&number.to_be_bytes()).unwrap(),
        revocation_date: "2026-01-02T03:04:05Z".parse().unwrap(),
        crl_entry_extensions: extensions,
    }
}

fn entry_with(extension: Extension) -> OddCrl {
    listing(vec![entry(0x1234, Some(vec![extension]))])
}

impl OddCrl {
    fn to_der(&self) -> Vec<u8> {
        let mut body = self.body.clone();
        body.signature.parameters = self.parameters.clone();
        let der = body.to_der().unwrap();
        let mut bytes = Any::from_der(&der).unwrap().value().to_vec();
        (self.change_body)(&mut bytes);
        let bytes = sequence(&[&bytes]);
        let key = SigningKey::<MlDsa44>::from_seed(&[4; 32].into());
        let signature: Signature<MlDsa44> = key.try_sign(&bytes).unwrap();
        let signature = BitString::from_bytes(signature.as_ref()).unwrap();
        let mut algorithm = body.signature.clone();
        algorithm.oid = self.outer.unwrap_or(algorithm.oid);
        sequence(&[
            &bytes,
            &algorithm.to_der().unwrap(),
            &signature.to_der().unwrap(),
        ])
    }
}

/// A root, a leaf with the serial number 1, and the verdict with this CRL.
#[track_caller]
fn check(folder: &Folder, odd: &OddCrl, status: i32, says: &str) {
    let root = vec![
        constraints(true, None),
        usage(KeyUsages::KeyCertSign | KeyUsages::CRLSign),
    ];
    Odd::new("root", "root", root).write(folder);
    Odd::new("leaf", "root", vec![]).write(folder);
    folder.write("odd.crl", odd.to_der());
    match status {
        0 => drop(folder.ok(VERIFY)),
        1 => {
            let says = format!("leaf.der: the CRL odd.crl cannot be used: {says}");
            folder.fails(1, VERIFY, &says);
        }
        _ => folder.fails(status, VERIFY, &format!("odd.crl: {says}")),
    }
}

#[test]
fn fields() {
    let folder = Folder::new();
    check(&folder, &crl(), 0, "");
    let mut odd = crl();
    odd.body.version = Version::V3;
    check(&folder, &odd, 1, "it is not of version 2");
    let mut odd = crl();
    odd.body.version = Version::V1;
    check(&folder, &odd, 1, "it is not of version 2");
    let odd = OddCrl {
        change_body: |body| drop(body.drain(..3)),
        ..crl()
    };
    let says = "it is a CRL of version 1, which is not supported";
    check(&folder, &odd, 2, says);
    let mut odd = crl();
    odd.body.next_update = None;
    let says = "it does not state when the next CRL follows";
    check(&folder, &odd, 1, says);
    let mut odd = crl();
    odd.body.next_update = Some("2026-01-01T00:00:00Z".parse().unwrap());
    check(&folder, &odd, 1, "it ends before it begins");
    let early = |time: &str| {
        let time: DateTime = time.parse().unwrap();
        Time::GeneralTime(GeneralizedTime::from_date_time(time))
    };
    let mut odd = crl();
    odd.body.this_update = early("2026-01-01T00:00:00Z");
    check(
        &folder,
        &odd,
        1,
        "it writes a time before 2050 as a GeneralizedTime",
    );
    let mut odd = crl();
    odd.body.next_update = Some(early("2049-12-31T23:59:59Z"));
    check(
        &folder,
        &odd,
        1,
        "it writes a time before 2050 as a GeneralizedTime",
    );
    let odd = OddCrl {
        outer: Some(UNKNOWN),
        ..crl()
    };
    check(
        &folder,
        &odd,
        1,
        "it names two different signature algorithms",
    );
    let odd = OddCrl {
        parameters: Some(Any::null()),
        ..crl()
    };
    check(&folder, &odd, 1, "it is not signed by the key of root.der");
    // A field after the last one.
    let odd = OddCrl {
        change_body: |body| body.extend([0xa1, 2, 5, 0]),
        ..crl()
    };
    check(&folder, &odd, 2, "the DER is damaged");
    let bytes = [crl().to_der(), vec![0]].concat();
    folder.write("odd.crl", bytes);
    folder.fails(2, VERIFY, "odd.crl: the DER is damaged");
    // CRLs without a name or of another one are not found.
    let mut odd = crl();
    odd.body.issuer = Name::default();
    folder.write("odd.crl", odd.to_der());
    folder.fails(
        1,
        VERIFY,
        "leaf.der: there is no CRL of its issuer, CN=root",
    );
}

#[test]
fn extensions() {
    let folder = Folder::new();
    let number = |bytes: &[u8]| {
        raw(
            CrlNumber::OID,
            false,
            &[&[2, bytes.len() as u8], bytes].concat(),
        )
    };
    check(&folder, &with(vec![number(&[0])]), 0, "");
    check(&folder, &with(vec![number(&[0x7f; 20])]), 0, "");
    check(&folder, &with(vec![raw(UNKNOWN, false, b"x")]), 0, "");
    let malformed = |oid: &str| format!("its extension {oid} is malformed");
    let of_number = malformed("2.5.29.20");
    check(&folder, &with(vec![number(&[0x7f; 21])]), 1, &of_number);
    check(&folder, &with(vec![number(&[0x80])]), 1, &of_number);
    check(&folder, &with(vec![number(&[0, 1])]), 1, &of_number);
    check(
        &folder,
        &with(vec![raw(CrlNumber::OID, false, b"")]),
        1,
        &of_number,
    );
    let twice = with(vec![number(&[1]), number(&[2])]);
    check(&folder, &twice, 1, "its extension 2.5.29.20 occurs twice");
    check(&folder, &with(vec![]), 1, "its list of extensions is empty");
    let unknown = with(vec![raw(UNKNOWN, true, b"x")]);
    let says = "its critical extension 1.3.6.1.4.1.32473.1 is unknown, and must not be ignored";
    check(&folder, &unknown, 1, says);
    let delta = BaseCrlNumber::OID;
    for critical in [true, false] {
        let odd = with(vec![raw(delta, critical, &[2, 1, 1])]);
        check(
            &folder,
            &odd,
            1,
            "it is a delta CRL, which is not supported",
        );
    }
    let key = raw(AuthorityKeyIdentifier::OID, false, b"x");
    check(&folder, &with(vec![key]), 1, &malformed("2.5.29.35"));
    let half = AuthorityKeyIdentifier {
        authority_cert_serial_number: Some(SerialNumber::from(1_u8)),
        ..AuthorityKeyIdentifier::default()
    };
    let key = raw(AuthorityKeyIdentifier::OID, false, &half.to_der().unwrap());
    check(&folder, &with(vec![key]), 1, &malformed("2.5.29.35"));
    // Encoded default values and a criticality of another byte.
    let false_written = |body: &mut Vec<u8>| {
        let found = body
            .windows(5)
            .position(|bytes| bytes == [6, 3, 0x55, 0x1d, 20]);
        let at = found.unwrap();
        body.splice(at + 5..at + 5, [1, 1, 0]);
        // Four lengths enclose it.
        for back in [1, 3, 5] {
            body[at - back] += 3;
        }
    };
    let odd = OddCrl {
        change_body: false_written,
        ..with(vec![number(&[1])])
    };
    check(&folder, &odd, 1, "it is not encoded in DER");
}

#[test]
fn partial_crls() {
    let folder = Folder::new();
    let whole = IssuingDistributionPoint {
        distribution_point: None,
        only_contains_user_certs: false,
        only_contains_ca_certs: false,
        only_some_reasons: None,
        indirect_crl: false,
        only_contains_attribute_certs: false,
    };
    let url = GeneralName::UniformResourceIdentifier(Ia5String::new("http://a.example/").unwrap());
    let point = Some(DistributionPointName::FullName(vec![url]));
    let partial = "its issuing distribution point limits it to a part of the certificates";
    let indirect = "it is an indirect CRL";
    for (point, says) in [
        (
            IssuingDistributionPoint {
                only_contains_user_certs: true,
                ..whole.clone()
            },
            partial,
        ),
        (
            IssuingDistributionPoint {
                distribution_point: point,
                ..whole.clone()
            },
            partial,
        ),
        (
            IssuingDistributionPoint {
                indirect_crl: true,
                ..whole.clone()
            },
            indirect,
        ),
        (whole, partial),
    ] {
        for critical in [true, false] {
            let value = point.to_der().unwrap();
            let odd = with(vec![raw(ISSUING_DISTRIBUTION_POINT, critical, &value)]);
            check(&folder, &odd, 1, says);
        }
    }
    let odd = with(vec![raw(ISSUING_DISTRIBUTION_POINT, true, b"x")]);
    check(&folder, &odd, 1, "its extension 2.5.29.28 is malformed");
}

#[test]
fn entries() {
    let folder = Folder::new();
    check(&folder, &listing(vec![entry(0x1234, None)]), 0, "");
    let says = "its list of revoked certificates is empty";
    check(&folder, &listing(vec![]), 1, says);
    let twice = listing(vec![entry(7, None), entry(8, None), entry(7, None)]);
    check(&folder, &twice, 1, "it lists the serial number 07 twice");
    let in_entry = |says: &str| format!("in its entry 12:34: {says}");
    let odd = listing(vec![entry(0x1234, Some(vec![]))]);
    check(
        &folder,
        &odd,
        1,
        &in_entry("its list of extensions is empty"),
    );
    let reason = |reason: &[u8]| raw(CrlReason::OID, false, reason);
    for code in [0, 1, 2, 3, 4, 5, 6, 9, 10] {
        check(&folder, &entry_with(reason(&[10, 1, code])), 0, "");
    }
    let malformed = |oid: &str| in_entry(&format!("its extension {oid} is malformed"));
    for bad in [&[10, 1, 7][..], &[10, 1, 11], &[2, 1, 1], &[10, 0], b"x"] {
        check(
            &folder,
            &entry_with(reason(bad)),
            1,
            &malformed("2.5.29.21"),
        );
    }
    let says = "its entry 12:34 has the reason removeFromCRL, which only a delta CRL can have";
    check(&folder, &entry_with(reason(&[10, 1, 8])), 1, says);
    let both = vec![reason(&[10, 1, 1]), reason(&[10, 1, 1])];
    let odd = listing(vec![entry(0x1234, Some(both))]);
    check(
        &folder,
        &odd,
        1,
        &in_entry("its extension 2.5.29.21 occurs twice"),
    );
    let unknown = |critical| entry_with(raw(UNKNOWN, critical, b"x"));
    check(&folder, &unknown(false), 0, "");
    let says = in_entry("its critical extension 1.3.6.1.4.1.32473.1 is unknown");
    check(&folder, &unknown(true), 1, &says);
    let date = |date: &[u8]| entry_with(raw(INVALIDITY_DATE, false, date));
    check(&folder, &date(b"\x18\x0f20260101000000Z"), 0, "");
    check(
        &folder,
        &date(b"\x17\x0d260101000000Z"),
        1,
        &malformed("2.5.29.24"),
    );
    let odd = entry_with(raw(CERTIFICATE_ISSUER, true, b"x"));
    check(&folder, &odd, 1, "it is an indirect CRL");
    let mut early = entry(0x1234, None);
    let time: DateTime = "2026-01-01T00:00:00Z".parse().unwrap();
    early.revocation_date = Time::GeneralTime(GeneralizedTime::from_date_time(time));
    let says = in_entry("it writes a time before 2050 as a GeneralizedTime");
    check(&folder, &listing(vec![early]), 1, &says);
    // The serial number is negative or zero.
    for (change_body, what) in [
        (
            (|body| replace(body, &[0x80, 1])) as fn(&mut Vec<u8>),
            "its serial number is negative",
        ),
        (|body| replace(body, &[0, 0x80]), ""),
        (|body| replace(body, &[0, 0]), "the DER is damaged"),
    ] {
        let odd = OddCrl {
            change_body,
            ..listing(vec![entry(0x1234, None)])
        };
        let status = match what {
            "" => 0,
            what if what.contains("DER") => 2,
            _ => 1,
        };
        let says = match status {
            1 => format!("in its entry 80:01: {what}"),
            _ => what.to_owned(),
        };
        check(&folder, &odd, status, &says);
    }
    // The certificate itself, without a reason and with one.
    for (extensions, says) in [
        (None, "without a reason"),
        (Some(vec![reason(&[10, 1, 1])]), "reason keyCompromise"),
    ] {
        let odd = listing(vec![entry(7, None), entry(1, extensions)]);
        folder.write("odd.crl", odd.to_der());
        let says = format!("leaf.der: it was revoked on 2026-01-02T03:04:05Z, {says} (odd.crl)");
        folder.fails(1, VERIFY, &says);
    }
}

fn replace(body: &mut [u8], number: &[u8]) {
    let found = body
        .windows(4)
        .position(|bytes| bytes == [2, 2, 0x12, 0x34]);
    let at = found.unwrap() + 2;
    body[at..at + 2].copy_from_slice(number);
}

/// The key usage of the issuer, and key identifiers.
#[test]
fn issuers() {
    let folder = Folder::new();
    let key = |bytes: &[u8]| OctetString::new(bytes).unwrap();
    let own = |bytes| {
        let own = SubjectKeyIdentifier(key(bytes)).to_der().unwrap();
        raw(SubjectKeyIdentifier::OID, false, &own)
    };
    let of = |bytes| {
        let of = AuthorityKeyIdentifier {
            key_identifier: Some(key(bytes)),
            ..AuthorityKeyIdentifier::default()
        };
        raw(AuthorityKeyIdentifier::OID, false, &of.to_der().unwrap())
    };
    let usage = usage(KeyUsages::KeyCertSign | KeyUsages::CRLSign);
    let good = vec![constraints(true, None), usage, own(b"one")];
    let without = vec![constraints(true, None), own(b"one")];
    let refused = |says| format!("leaf.der: the CRL odd.crl cannot be used: {says}");
    Odd::new("leaf", "root", vec![]).write(&folder);
    for (root, odd, says) in [
        (&good, crl(), String::new()),
        (&good, with(vec![of(b"one")]), String::new()),
        (&without, with(vec![of(b"one")]), String::new()),
        (
            &good,
            with(vec![of(b"two")]),
            refused("it is issued with another key than that of root.der"),
        ),
        (
            &authority(),
            crl(),
            refused("the key usage of root.der does not include cRLSign"),
        ),
    ] {
        Odd::new("root", "root", root.clone()).write(&folder);
        folder.write("odd.crl", odd.to_der());
        if says.is_empty() {
            folder.ok(VERIFY);
        } else {
            folder.fails(1, VERIFY, &says);
        }
    }
    let says = "root.der may not issue CRLs";
    folder.write(
        "root.key",
        folder.ok(&format!("keygen ml-dsa-44 --seed {}", "04".repeat(32))),
    );
    folder.fails(2, "cert crl --issuer root.der --key root.key", says);
    // Names are compared by RFC 5280, section 7.1.
    let mut odd = crl();
    odd.body.issuer = "CN=ROOT ".parse().unwrap();
    check(&folder, &odd, 0, "");
}

#[test]
fn limits() {
    let folder = Folder::new();
    let many = |count: u32| {
        let entries = (1..=count).map(|number| RevokedCert {
            serial_number: SerialNumber::from((1 << 30) + number),
            ..entry(1, None)
        });
        listing(entries.collect())
    };
    check(&folder, &many(100_000), 0, "");
    // Extensions of one entry.
    let extension = |number: u32| raw(UNKNOWN.push_arc(number).unwrap(), false, b"");
    let extensions = (0..1 << 20).map(extension).collect();
    let odd = listing(vec![entry(0x1234, Some(extensions))]);
    let der = odd.to_der();
    assert!(der.len() > 16 << 20);
    let says = "odd.crl: the file is too large; CRLs are read up to 16 MiB";
    folder.write("odd.crl", der);
    folder.fails(2, VERIFY, says);
    let short = ObjectIdentifier::new_unwrap("1.2.3");
    let extensions = vec![raw(short, false, b""); 1 << 20];
    let odd = listing(vec![entry(0x1234, Some(extensions))]);
    let says = "its CRLs have more than 1048576 entries and extensions of entries";
    check(&folder, &odd, 2, says);
    // Many small CRLs in a file, and one that is unreadable.
    let pem = encode_string("X509 CRL", LineEnding::LF, &crl().to_der()).unwrap();
    folder.write("odd.crl", pem.repeat(90));
    folder.ok(VERIFY);
    folder.write("odd.crl", pem.repeat(110));
    folder.fails(1, VERIFY, "too many possible paths");
    let cut = "-----BEGIN X509 CRL-----\nMIIB\n-----END X509 CRL-----\n";
    folder.write("odd.crl", format!("{pem}{cut}"));
    folder.fails(2, VERIFY, "odd.crl, CRL 2: the DER is damaged");
}
