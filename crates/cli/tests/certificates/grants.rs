//! What certificates state besides their names and keys: purposes, name constraints, times and places.

use x509_cert::Certificate;
use x509_cert::der::oid::{AssociatedOid, ObjectIdentifier};
use x509_cert::der::{Decode, Encode};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::constraints::name::GeneralSubtree;
use x509_cert::ext::pkix::{
    AuthorityInfoAccessSyntax, CrlDistributionPoints, ExtendedKeyUsage, KeyUsages, NameConstraints,
};

use super::odd::{Odd, authority, host, raw, usage};
use crate::common::Folder;

const SELF: &str = "cert self-sign --key root.key --subject CN=Root --format der --force";
const ISSUE: &str = "cert issue a.csr --issuer root.pem --key root.key --force";

/// An authority and a request for the host `asked.example`.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.keygen("ml-dsa-44", "root.key", "root.pub");
    folder.keygen("ed25519", "a.key", "a.pub");
    folder.ok("cert self-sign --key root.key --subject CN=Root --ca --days 4000 --out root.pem");
    folder.ok("cert request --key a.key --subject CN=Asked --host asked.example --out a.csr");
    folder
}

fn certificate(folder: &Folder, args: &str) -> Certificate {
    Certificate::from_der(&folder.ok(args)).unwrap()
}

/// The value of an extension, and whether it is critical.
fn value<T: for<'a> Decode<'a, Error = der::Error> + AssociatedOid>(
    certificate: &Certificate,
) -> Option<(bool, T)> {
    certificate.tbs_certificate().get_extension().unwrap()
}

fn oids(texts: &[&str]) -> Vec<ObjectIdentifier> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

const KP: &str = "1.3.6.1.5.5.7.3.";

#[test]
fn purposes_are_written() {
    let folder = folder();
    let none = certificate(&folder, SELF);
    assert!(value::<ExtendedKeyUsage>(&none).is_none());
    for (args, critical, purposes) in [
        ("--eku server-auth", false, vec!["1"]),
        ("--eku serverAuth --eku SERVER-AUTH", false, vec!["1"]),
        ("--eku client-auth,server-auth", false, vec!["2", "1"]),
        (
            "--eku code-signing --eku email-protection,ocsp-signing",
            false,
            vec!["3", "4", "9"],
        ),
        ("--eku time-stamping", true, vec!["8"]),
        (
            "--eku time-stamping,server-auth --ca",
            false,
            vec!["8", "1"],
        ),
        ("--eku 1.3.6.1.5.5.7.3.17", false, vec!["17"]),
    ] {
        let purposes: Vec<_> = purposes.iter().map(|last| format!("{KP}{last}")).collect();
        let purposes: Vec<_> = purposes.iter().map(String::as_str).collect();
        let made = certificate(&folder, &format!("{SELF} {args}"));
        let (is_critical, found) = value::<ExtendedKeyUsage>(&made).unwrap();
        assert_eq!(
            (is_critical, found.0),
            (critical, oids(&purposes)),
            "{args}"
        );
    }
    folder.ok(&format!(
        "{SELF} --eku any,server-auth,1.3.6.1.5.5.7.3.17 --out a.der"
    ));
    let text = folder.ok_text("inspect a.der");
    let line = "purposes     any, server-auth, 1.3.6.1.5.5.7.3.17\n";
    assert!(text.contains(line), "{text}");
    for (args, says) in [
        ("--eku servers", "neither one of server-auth"),
        ("--eku", "--eku"),
        (
            "--eku time-stamping,server-auth",
            "--eku: time-stamping has to be the only purpose of a key",
        ),
    ] {
        folder.fails(2, &format!("{SELF} {args}"), says);
    }
}

/// The purposes of a request are wishes; those of the issuer count.
#[test]
fn purposes_of_requests() {
    let folder = folder();
    folder.ok("cert request --key a.key --subject CN=A --eku server-auth,code-signing --out a.csr --force");
    let text = folder.ok_text("inspect a.csr");
    assert!(
        text.contains("purposes     server-auth, code-signing\n"),
        "{text}"
    );
    let ended = folder.run(&format!(
        "{ISSUE} --eku server-auth --format der --out a.der"
    ));
    let says = "warning: a.csr asks for the purpose code-signing, which is not granted";
    assert!(ended.stderr.contains(says), "{}", ended.stderr);
    assert!(!ended.stderr.contains("server-auth"), "{}", ended.stderr);
    let made = Certificate::from_der(&folder.read("a.der")).unwrap();
    let (_, found) = value::<ExtendedKeyUsage>(&made).unwrap();
    assert_eq!(found.0, oids(&["1.3.6.1.5.5.7.3.1"]));
    // An issuer with purposes of its own.
    folder.ok("cert self-sign --key root.key --subject CN=Root --ca --days 4000 --eku client-auth --out root.pem --force");
    let says = "root.pem is not for the purpose server-auth";
    folder.fails(2, &format!("{ISSUE} --eku server-auth"), says);
    folder.ok(&format!("{ISSUE} --eku client-auth"));
    folder.ok("cert self-sign --key root.key --subject CN=Root --ca --days 4000 --eku any --out root.pem --force");
    folder.ok(&format!("{ISSUE} --eku server-auth"));
}

#[test]
fn names_that_the_issuer_chooses() {
    let folder = folder();
    for (args, names, copied) in [
        (
            "",
            "name:\"CN=Asked\", DNS:asked.example",
            "key, subject, names",
        ),
        (
            "--subject CN=Other",
            "name:\"CN=Other\", DNS:asked.example",
            "key, names",
        ),
        (
            "--host b.example --host 10.0.0.1",
            "name:\"CN=Asked\", DNS:b.example, IP:10.0.0.1",
            "key, subject",
        ),
        (
            "--subject CN=Other --dns b.example --email a@b.example --uri spiffe://b.example/a",
            "name:\"CN=Other\", DNS:b.example, email:\"a@b.example\", URI:\"spiffe://b.example/a\"",
            "key",
        ),
    ] {
        let ended = folder.run(&format!("{ISSUE} {args} --out a.pem"));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        let says = format!(
            "moissanite: note: the certificate is for {names}\nmoissanite: note: copied from a.csr: {copied}\n"
        );
        assert_eq!(ended.stderr, says, "{args}");
        folder.ok("cert verify a.pem --root root.pem");
    }
    let host = "cert verify a.pem --root root.pem --host";
    folder.ok(&format!("{host} b.example"));
    folder.fails(1, &format!("{host} asked.example"), "not for the host");
    for (args, says) in [
        (
            "--subject CN=Root",
            "--subject asks for the name of the issuer, with another key",
        ),
        ("--subject nothing", "is not a name"),
        ("--subject CN=A,C=Germany", "two letters"),
        ("--email nobody", "not a mail address"),
        ("--uri nothing", "not a URI"),
        ("--host a..b", "neither the name of a host"),
    ] {
        folder.fails(2, &format!("{ISSUE} {args}"), says);
    }
    // The names of a request of its own.
    folder.ok("cert request --key a.key --subject CN=A --email a@b.example --uri urn:a --out a.csr --force");
    let text = folder.ok_text("inspect a.csr");
    assert!(
        text.contains("names        email:\"a@b.example\", URI:\"urn:a\"\n"),
        "{text}"
    );
    let ended = folder.run(&format!("{ISSUE} --out a.pem"));
    let says = "a.csr asks for the name email:\"a@b.example\", which is not granted";
    assert!(ended.stderr.contains(says), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("copied from a.csr: key, subject\n"),
        "{}",
        ended.stderr
    );
    let ended = folder.run(&format!("{ISSUE} --email a@b.example --out a.pem"));
    assert!(!ended.stderr.contains("not granted"), "{}", ended.stderr);
}

#[test]
fn name_constraints_are_written() {
    let folder = folder();
    let base = "--permit DNS:a.example --permit ip:10.0.0.0/8 --permit IP:fd00::/8 --permit email:.a.example \
        --permit name:O=Ex --exclude dns:.b.a.example --exclude IP:10.1.0.0/255.255.0.0";
    let made = certificate(&folder, &format!("{SELF} --ca {base}"));
    let (is_critical, found) = value::<NameConstraints>(&made).unwrap();
    assert!(is_critical);
    let count = |list: &Option<Vec<GeneralSubtree>>| list.as_ref().map(Vec::len);
    assert_eq!(
        (
            count(&found.permitted_subtrees),
            count(&found.excluded_subtrees)
        ),
        (Some(5), Some(2))
    );
    folder.ok(&format!("{SELF} --ca {base} --days 4000 --out root.der"));
    let text = folder.ok_text("inspect root.der");
    let line = "constraints  permitted DNS:a.example, IP:10.0.0.0/255.0.0.0, IP:fd00::/ff00::, email:.a.example, \
        name:\"O=Ex\"; excluded DNS:.b.a.example, IP:10.1.0.0/255.255.0.0\n";
    assert!(text.contains(line), "{text}");
    let issue = "cert issue a.csr --issuer root.der --key root.key --out a.pem --force --subject";
    let check = |subject: &str, names: &str, says: &str| {
        let args = format!("{issue} {subject} {names}");
        if says.is_empty() {
            folder.ok(&args);
            folder.ok("cert verify a.pem --root root.der");
        } else {
            folder.fails(2, &args, says);
        }
    };
    check(
        "CN=A,O=Ex",
        "--host b.a.example --host 10.2.0.1 --host fd00::1 --email a@c.a.example",
        "",
    );
    check(
        "CN=A",
        "--host a.example",
        "does not permit the name name:\"CN=A\"",
    );
    check(
        "CN=A,O=Ex",
        "--host b.example",
        "does not permit the name DNS:b.example",
    );
    check(
        "CN=A,O=Ex",
        "--host c.b.a.example",
        "excludes the name DNS:c.b.a.example",
    );
    check(
        "CN=A,O=Ex",
        "--host 10.1.2.3",
        "excludes the name IP:10.1.2.3",
    );
    check("CN=A,O=Ex", "--host 11.0.0.1", "does not permit");
    check("CN=A,O=Ex", "--host fe00::1", "does not permit");
    check(
        "CN=A,O=Ex",
        "--host a.example --email a@a.example",
        "does not permit",
    );
    for length in [0, 1, 7, 8, 9, 31, 32] {
        let ones = u32::MAX.checked_shl(32 - length).unwrap_or(0);
        let made = certificate(
            &folder,
            &format!("{SELF} --ca --exclude IP:0.0.0.0/{length}"),
        );
        let (_, found) = value::<NameConstraints>(&made).unwrap();
        let der = found.to_der().unwrap();
        assert!(der.ends_with(&ones.to_be_bytes()), "{length}: {der:x?}");
    }
    for (bad, says) in [
        ("a.example", "it begins with none of DNS:"),
        ("URI:a.example", "it begins with none of DNS:"),
        ("DNS:*.a.example", "neither a host"),
        ("DNS:a..b", "neither a host"),
        ("IP:10.0.0.0", "not a network"),
        ("IP:10.0.0.0/33", "not a network"),
        ("IP:10.0.0.1/8", "not a network"),
        ("IP:10.0.0.0/ff00::", "not a network"),
        ("IP:10.0.0.0/255.0.255.0", "neither a host"),
        ("email:@a.example", "neither a host"),
        ("name:nothing", "not a name"),
        ("name:C=Germany", "two letters"),
        ("DNS:\u{e4}", "outside ASCII"),
    ] {
        folder.fails(2, &format!("{SELF} --ca --permit {bad}"), says);
    }
    folder.fails(2, &format!("{SELF} --permit DNS:a.example"), "--ca");
}

#[test]
fn places_are_written() {
    let folder = folder();
    let urls = "--crl-url http://a.example/a.crl --crl-url ldap://a.example/o=a?b --ocsp-url http://a.example/ \
        --issuer-url https://a.example/a.cer";
    let made = certificate(&folder, &format!("{SELF} {urls}"));
    let (is_critical, points) = value::<CrlDistributionPoints>(&made).unwrap();
    assert_eq!((is_critical, points.0.len()), (false, 1));
    let (is_critical, access) = value::<AuthorityInfoAccessSyntax>(&made).unwrap();
    assert_eq!((is_critical, access.0.len()), (false, 2));
    folder.ok(&format!("{ISSUE} {urls} --out a.pem"));
    let text = folder.ok_text("inspect a.pem");
    for line in [
        "CRLs         URI:\"http://a.example/a.crl\", URI:\"ldap://a.example/o=a?b\"\n",
        "issuer info  OCSP URI:\"http://a.example/\", certificate URI:\"https://a.example/a.cer\"\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    folder.ok("cert verify a.pem --root root.pem --host asked.example");
    for bad in ["a.example", "spiffe://a.example/", "http:a", "file:///a"] {
        folder.fails(2, &format!("{ISSUE} --crl-url {bad}"), "--crl-url");
    }
}

#[test]
fn times() {
    let folder = folder();
    let valid = |args: &str| {
        let made = certificate(&folder, &format!("{SELF} {args}"));
        let valid = made.tbs_certificate().validity();
        (valid.not_before.to_string(), valid.not_after.to_string())
    };
    let both = |from: &str, until: &str| (from.to_owned(), until.to_owned());
    assert_eq!(
        valid("--from 2030-01-02 --until 2030-01-02T03:04:05Z"),
        both("2030-01-02T00:00:00Z", "2030-01-02T03:04:05Z")
    );
    assert_eq!(
        valid("--not-before 2030-01-02T03:04:05Z --not-after 2060-01-01"),
        both("2030-01-02T03:04:05Z", "2060-01-01T00:00:00Z")
    );
    assert_eq!(
        valid("--from 2049-12-31 --days 2"),
        both("2049-12-31T00:00:00Z", "2050-01-02T00:00:00Z")
    );
    for (args, says) in [
        ("--from 2030-02-30", "is not a time"),
        ("--from 2030", "is not a time"),
        ("--until 2030-01-01 --days 3", "cannot be used with"),
        (
            "--from 2030-01-02 --until 2030-01-01",
            "--until: 2030-01-01T00:00:00Z is before the beginning, 2030-01-02T00:00:00Z",
        ),
        ("--from 9999-12-31 --days 2", "after the year 9999"),
    ] {
        folder.fails(2, &format!("{SELF} {args}"), says);
    }
    folder.ok(&format!(
        "{ISSUE} --from 2030-01-01 --until 2031-01-01 --out a.pem"
    ));
    let at = |at: &str| format!("cert verify a.pem --root root.pem --at {at}");
    folder.ok(&at("2030-01-01"));
    folder.ok(&at("2031-01-01"));
    folder.fails(1, &at("2029-12-31T23:59:59Z"), "it is not valid before");
    folder.fails(1, &at("2031-01-01T00:00:01Z"), "it expired on");
    let ended = folder.run(&format!("{ISSUE} --until 2045-01-01"));
    let says = "the certificate is not valid until 2045-01-01T00:00:00Z, as root.pem expires on";
    assert!(ended.stderr.contains(says), "{}", ended.stderr);
    let says = "root.pem cannot issue a valid certificate: it is not valid before";
    folder.fails(2, &format!("{ISSUE} --from 2020-01-01"), says);
}

/// The extensions of the root, the authority and the leaf, and the verdict for a purpose.
#[test]
fn purposes_are_verified() {
    let folder = Folder::new();
    let purposes = |critical, list: &[&str]| {
        let value = ExtendedKeyUsage(oids(list)).to_der().unwrap();
        raw(ExtendedKeyUsage::OID, critical, &value)
    };
    let of = |list: &[&str]| purposes(false, list);
    let [server, client, code, mail, time, ocsp] =
        ["1", "2", "3", "4", "8", "9"].map(|last| format!("{KP}{last}"));
    let [server, client, code, mail, time, ocsp] =
        [&server, &client, &code, &mail, &time, &ocsp].map(String::as_str);
    let any = "2.5.29.37.0";
    let check = |middle: Vec<Extension>, leaf: Vec<Extension>, purpose: &str, says: &str| {
        Odd::new("root", "root", authority()).write(&folder);
        Odd::new("middle", "root", [authority(), middle].concat()).write(&folder);
        Odd::new("leaf", "middle", leaf).write(&folder);
        let verify = "cert verify leaf.der --root root.der --intermediate middle.der";
        folder.ok(verify);
        folder.ok(&format!("{verify} --purpose any"));
        let verify = format!("{verify} --purpose {purpose}");
        match says {
            "" => drop(folder.ok(&verify)),
            says => folder.fails(1, &verify, says),
        }
    };
    for (name, oid) in [
        ("server-auth", server),
        ("client-auth", client),
        ("email-protection", mail),
        ("1.3.6.1.5.5.7.3.17", "1.3.6.1.5.5.7.3.17"),
    ] {
        let not = |title: &str| format!("{title}: it is not for the purpose {name}");
        check(vec![], vec![], name, "");
        check(vec![], vec![of(&[oid])], name, "");
        check(vec![], vec![of(&[code, oid])], name, "");
        check(vec![], vec![of(&[any])], name, "");
        check(vec![], vec![of(&[code])], name, &not("leaf.der"));
        check(vec![of(&[oid])], vec![of(&[oid])], name, "");
        check(vec![of(&[any])], vec![of(&[oid])], name, "");
        check(
            vec![of(&[code])],
            vec![of(&[oid])],
            name,
            &not("middle.der"),
        );
    }
    for (name, oid) in [("code-signing", code), ("ocsp-signing", ocsp)] {
        let not =
            format!("leaf.der: it does not state the purpose {name}, which has to be listed\n");
        check(vec![], vec![], name, &not);
        check(vec![], vec![of(&[any])], name, &not);
        check(vec![], vec![of(&[oid])], name, "");
        check(vec![], vec![of(&[server, oid])], name, "");
        check(vec![of(&[any])], vec![of(&[oid])], name, "");
        let not = format!("middle.der: it is not for the purpose {name}");
        check(vec![of(&[server])], vec![of(&[oid])], name, &not);
    }
    let not = "leaf.der: it does not state the purpose time-stamping, which has to be listed alone, in a critical extension";
    check(vec![], vec![purposes(true, &[time])], "time-stamping", "");
    check(vec![], vec![of(&[time])], "time-stamping", not);
    check(
        vec![],
        vec![purposes(true, &[time, server])],
        "time-stamping",
        not,
    );
    check(vec![], vec![], "time-stamping", not);
    // Key usage, and authorities.
    let signs = usage(KeyUsages::DigitalSignature);
    let commits = usage(KeyUsages::NonRepudiation);
    for (name, leaf) in [
        ("server-auth", vec![]),
        ("client-auth", vec![]),
        ("code-signing", vec![of(&[code])]),
    ] {
        let not = format!("leaf.der: it cannot serve the purpose {name}: it is an authority");
        check(
            vec![],
            [leaf.clone(), vec![signs.clone()]].concat(),
            name,
            "",
        );
        check(
            vec![],
            [leaf.clone(), vec![commits.clone()]].concat(),
            name,
            &not,
        );
        check(vec![], [leaf, authority()].concat(), name, &not);
    }
    for (name, leaf) in [
        ("email-protection", vec![]),
        ("ocsp-signing", vec![of(&[ocsp])]),
        ("time-stamping", vec![purposes(true, &[time])]),
    ] {
        check(
            vec![],
            [leaf.clone(), vec![commits.clone()]].concat(),
            name,
            "",
        );
        let crls = usage(KeyUsages::CRLSign);
        check(
            vec![],
            [leaf, vec![crls]].concat(),
            name,
            "leaf.der: it cannot serve the purpose",
        );
    }
    // The root, too; and a host with another purpose than that of servers.
    Odd::new("root", "root", [authority(), vec![of(&[code])]].concat()).write(&folder);
    Odd::new("leaf", "root", vec![host(), of(&[client])]).write(&folder);
    let verify = "cert verify leaf.der --root root.der";
    folder.fails(
        1,
        &format!("{verify} --purpose client-auth"),
        "root.der: it is not for the purpose",
    );
    Odd::new("root", "root", authority()).write(&folder);
    folder.ok(&format!("{verify} --host a --purpose client-auth"));
    folder.ok(&format!("{verify} --host a --purpose any"));
    folder.fails(
        1,
        &format!("{verify} --host b --purpose any"),
        "not for the host",
    );
    folder.fails(
        1,
        &format!("{verify} --host a"),
        "leaf.der: it is not for the purpose server-auth",
    );
    folder.fails(
        2,
        &format!("{verify} --purpose servers"),
        "neither one of server-auth",
    );
}
