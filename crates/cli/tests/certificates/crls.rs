//! Creating CRLs, and verifying certificates with them.

use super::{ALGORITHMS, chain};
use crate::common::Folder;

const VERIFY: &str = "cert verify server.der --intermediate middle.pem --root root.pem";
const MIDDLE: &str = "cert crl --issuer middle.pem --key middle.key --days 5";
const ROOT: &str = "cert crl --issuer root.pem --key root.key";

/// A chain with empty CRLs of both authorities.
fn with_crls() -> Folder {
    let folder = Folder::new();
    chain(&folder, ["ml-dsa-44", "ml-dsa-65", "ed25519"]);
    folder.ok(&format!("{ROOT} --out root.crl"));
    folder.ok(&format!("{MIDDLE} --out middle.crl"));
    folder
}

/// The serial number of a certificate, as `inspect` prints it.
fn serial(folder: &Folder, file: &str) -> String {
    let text = folder.ok_text(&format!("inspect {file}"));
    let line = text.lines().find_map(|line| line.strip_prefix("serial"));
    line.unwrap().trim().into()
}

#[test]
fn every_algorithm_signs_crls() {
    for shift in 0..ALGORITHMS.len() {
        let folder = Folder::new();
        let mut algorithms = ALGORITHMS;
        algorithms.rotate_left(shift);
        let [root, middle, server, ..] = algorithms;
        chain(&folder, [root, middle, server]);
        folder.ok(&format!("{ROOT} --format der --out root.crl"));
        folder.ok(&format!("{MIDDLE} --out middle.crl"));
        let crls = "--crl root.crl --crl middle.crl --require-crls";
        folder.ok(&format!("{VERIFY} {crls}"));
        folder.ok(&format!("{MIDDLE} --revoke server.der --out next.crl"));
        let crls = "--crl root.crl --crl next.crl --require-crls";
        let says = "server.der: it was revoked on";
        folder.fails(1, &format!("{VERIFY} {crls}"), says);
        folder.ok(&format!("{ROOT} --revoke middle.pem --out root2.crl"));
        let crls = "--crl root2.crl --crl middle.crl";
        let says = "middle.pem: it was revoked on";
        folder.fails(1, &format!("{VERIFY} {crls}"), says);
    }
}

#[test]
fn reasons_and_dates() {
    let folder = with_crls();
    for (reason, name) in [
        ("unspecified", ""),
        ("key-compromise", "keyCompromise"),
        ("ca-compromise", "cACompromise"),
        ("affiliation-changed", "affiliationChanged"),
        ("superseded", "superseded"),
        ("cessation-of-operation", "cessationOfOperation"),
        ("certificate-hold", "certificateHold"),
        ("privilege-withdrawn", "privilegeWithdrawn"),
        ("aa-compromise", "aACompromise"),
        ("keyCompromise", "keyCompromise"),
    ] {
        folder.ok(&format!(
            "{MIDDLE} --revoke server.der --reason {reason} --date 2026-02-03 --out next.crl --force"
        ));
        let end = match name {
            "" => "without a reason".into(),
            name => format!("reason {name}"),
        };
        let says =
            format!("server.der: it was revoked on 2026-02-03T00:00:00Z, {end} (next.crl)\n");
        folder.fails(1, &format!("{VERIFY} --crl next.crl"), &says);
    }
    let serial = serial(&folder, "server.der");
    for serial in [serial.clone(), serial.replace(':', "").to_lowercase()] {
        folder.ok(&format!(
            "{MIDDLE} --revoke-serial {serial} --date 2026-02-03T04:05:06Z --out next.crl --force"
        ));
        let says = "server.der: it was revoked on 2026-02-03T04:05:06Z, without a reason";
        folder.fails(1, &format!("{VERIFY} --crl next.crl"), says);
    }
    // Another certificate of the same authority.
    folder.ok(&format!(
        "{MIDDLE} --revoke-serial 01 --revoke-serial 02 --out next.crl --force"
    ));
    folder.ok(&format!("{VERIFY} --crl next.crl"));
}

#[test]
fn which_certificates_need_a_crl() {
    let folder = with_crls();
    // Without CRLs, nothing is checked or said.
    assert_eq!(folder.run(VERIFY).stderr, "");
    let both = format!("{VERIFY} --crl root.crl --crl middle.crl");
    for all in [both.clone(), format!("{both} --require-crls")] {
        let ended = folder.run(&all);
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    }
    let ended = folder.run(&format!("{VERIFY} --crl middle.crl"));
    let says = "moissanite: warning: middle.pem was not checked for revocation: there is no CRL of its issuer, CN=Root,O=Ex\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (0, says));
    let says = "middle.pem: there is no CRL of its issuer, CN=Root,O=Ex; name it with --crl";
    folder.fails(
        1,
        &format!("{VERIFY} --crl middle.crl --require-crls"),
        says,
    );
    let says = "server.der: there is no CRL of its issuer, CN=Middle; name it with --crl";
    folder.fails(1, &format!("{VERIFY} --crl root.crl"), says);
    folder.fails(2, &format!("{VERIFY} --require-crls"), "--crl");
    // The root is not checked, even if its own CRL lists it.
    folder.ok(&format!("{ROOT} --revoke root.pem --out self.crl"));
    folder.ok("cert verify root.pem --root root.pem --crl self.crl --require-crls");
    folder.ok("cert verify middle.pem --root root.pem --crl self.crl --require-crls");
    // Several in a file.
    let texts = [folder.read("root.crl"), folder.read("middle.crl")].concat();
    folder.write("both.crl", texts);
    folder.ok(&format!("{VERIFY} --crl both.crl --require-crls"));
    let text = folder.ok("convert server.der");
    folder.write("mixed.crl", [folder.read("root.crl"), text].concat());
    let says = "mixed.crl, CRL 2: it is PEM of the type 'PUBLIC KEY'; a CRL has the type X509 CRL";
    folder.fails(2, &format!("{VERIFY} --crl mixed.crl"), says);
    folder.fails(2, &format!("{VERIFY} --crl - --root -"), "only one input");
}

#[test]
fn crls_that_follow_each_other() {
    let folder = with_crls();
    let note = |args: &str| {
        let ended = folder.run(args);
        assert_eq!(ended.status, 0, "{args}: {}", ended.stderr);
        ended.stderr
    };
    let says = |number, certificates: &str| {
        format!("moissanite: note: the CRL has the number {number} and lists {certificates}\n")
    };
    let text = note(&format!("{MIDDLE} --out 1.crl"));
    assert_eq!(text, says(1, "0 certificates"));
    let hold = "--revoke server.der --reason certificate-hold --date 2026-01-01";
    let text = note(&format!("{MIDDLE} --previous 1.crl {hold} --out 2.crl"));
    assert_eq!(text, says(2, "1 certificate"));
    let text = note(&format!(
        "{MIDDLE} --previous 2.crl --revoke-serial 77 --out 3.crl"
    ));
    assert_eq!(text, says(3, "2 certificates"));
    let held = "server.der: it was revoked on 2026-01-01T00:00:00Z, reason certificateHold";
    for crl in ["2.crl", "3.crl"] {
        folder.fails(1, &format!("{VERIFY} --crl {crl}"), held);
    }
    // A certificate on hold is released, or revoked with the date of the hold.
    let text = note(&format!(
        "{MIDDLE} --previous 3.crl --release server.der --out 4.crl"
    ));
    assert_eq!(text, says(4, "1 certificate"));
    folder.ok(&format!("{VERIFY} --crl 4.crl"));
    let again = "--revoke server.der --reason key-compromise";
    let text = note(&format!("{MIDDLE} --previous 3.crl {again} --out 5.crl"));
    assert_eq!(text, says(4, "2 certificates"));
    let says = "it was revoked on 2026-01-01T00:00:00Z, reason keyCompromise";
    folder.fails(1, &format!("{VERIFY} --crl 5.crl"), says);
    let text = note(&format!(
        "{MIDDLE} --previous 5.crl --number 1000 --out 6.crl"
    ));
    assert!(text.contains("the number 1000 "), "{text}");
    // The newest valid CRL counts, in every order.
    for crls in ["--crl 3.crl --crl 4.crl", "--crl 4.crl --crl 3.crl"] {
        folder.ok(&format!("{VERIFY} {crls}"));
    }
    for (arguments, says) in [
        ("--previous 5.crl --revoke server.der", "is revoked already"),
        (
            "--previous 3.crl --revoke server.der --reason certificate-hold",
            "is revoked already",
        ),
        (
            "--previous 5.crl --release server.der",
            "is revoked for another reason than certificateHold, which is final",
        ),
        (
            "--previous 5.crl --release-serial 1234",
            "the previous CRL does not list the certificate 12:34",
        ),
        ("--release server.der", "--previous"),
        (
            "--revoke-serial 5 --revoke-serial 05",
            "not a serial number",
        ),
        (
            "--revoke-serial 05 --revoke-serial 0005",
            "the certificate 05 is named twice",
        ),
        ("--revoke-serial 00", "not a serial number"),
        (
            "--revoke-serial 80123456789012345678901234567890123456789",
            "not a serial number",
        ),
        (
            "--previous 6.crl --number 1000",
            "the number of the next CRL is at least 1001",
        ),
        ("--number 0", "--number"),
        ("--reason superseded", "--revoke"),
        (
            "--revoke-serial 05 --reason remove-from-crl",
            "remove-from-crl",
        ),
        (
            "--previous root.crl",
            "root.crl is a CRL of CN=Root,O=Ex, not of middle.pem",
        ),
        (
            "--previous server.der",
            "server.der: it is a certificate, not a CRL",
        ),
        (
            "--revoke middle.pem",
            "middle.pem is not issued by middle.pem",
        ),
        ("--revoke 1.crl", "X509 CRL"),
        (
            "--previous 1.crl --from 2025-01-01",
            "cannot issue a valid CRL: it is not valid before",
        ),
        ("--until 2020-01-01", "cannot be used with"),
    ] {
        folder.fails(2, &format!("{MIDDLE} {arguments}"), says);
    }
    folder.write(
        "both.crl",
        [folder.read("1.crl"), folder.read("2.crl")].concat(),
    );
    let says = "both.crl, CRL 1 is one of several";
    folder.fails(2, &format!("{MIDDLE} --previous both.crl"), says);
    folder.write(
        "both.pem",
        [folder.read("root.pem"), folder.read("root.pem")].concat(),
    );
    folder.fails(2, &format!("{ROOT} --revoke both.pem"), "is one of several");
    folder.fails(
        2,
        &format!("{MIDDLE} --previous 1.crl --out 1.crl --force"),
        "the same file",
    );
    let says = "server.der may not issue CRLs";
    folder.fails(2, "cert crl --issuer server.der --key server.key", says);
    let says = "root.pem is not the certificate of that private key";
    folder.fails(2, "cert crl --issuer root.pem --key middle.key", says);
}

#[test]
fn invalid_crls() {
    let folder = with_crls();
    // Another key of an authority with the same name.
    folder.keygen("ml-dsa-65", "other.key", "other.pub");
    folder.ok("cert self-sign --key other.key --subject CN=Middle --ca --out other.pem");
    folder.ok("cert crl --issuer other.pem --key other.key --out other.crl");
    let says = "server.der: the CRL other.crl cannot be used: it is issued with another key than that of middle.pem";
    folder.fails(1, &format!("{VERIFY} --crl other.crl"), says);
    folder.ok(&format!("{VERIFY} --crl other.crl --crl middle.crl"));
    let says = "not valid: other.crl: it is issued with another key";
    folder.fails(1, &format!("{MIDDLE} --previous other.crl"), says);
    // Any change of a byte.
    folder.ok(&format!(
        "{MIDDLE} --revoke-serial 05 --format der --out good.crl"
    ));
    let good = folder.read("good.crl");
    let mut refused = 0;
    for at in (0..good.len()).step_by(7) {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        folder.write("changed.crl", &bytes);
        let ended = folder.run(&format!("{VERIFY} --crl changed.crl"));
        assert!(matches!(ended.status, 1 | 2), "byte {at}: {}", ended.stderr);
        refused += usize::from(ended.status == 1);
    }
    assert!(20 * refused > good.len(), "{refused}");
    let mut changed = good.clone();
    *changed.last_mut().unwrap() ^= 1;
    folder.write("changed.crl", changed);
    let says = "the CRL changed.crl cannot be used: it is not signed by the key of middle.pem";
    folder.fails(1, &format!("{VERIFY} --crl changed.crl"), says);
    for (bytes, says) in [
        (&b""[..], "the file is empty"),
        (b"x", "the DER is damaged"),
        (&good[..good.len() - 1], "the DER is damaged"),
        (b"\xff\xfex", "the file is UTF-16 text"),
    ] {
        folder.write("changed.crl", bytes);
        folder.fails(
            2,
            &format!("{VERIFY} --crl changed.crl"),
            &format!("changed.crl: {says}"),
        );
    }
    folder.write("large.crl", vec![b'\n'; (16 << 20) + 1]);
    let says = "large.crl: the file is too large; CRLs are read up to 16 MiB";
    folder.fails(2, &format!("{VERIFY} --crl large.crl"), says);
    folder.fails(
        2,
        &format!("{VERIFY} --crl middle.pem"),
        "middle.pem: it is PEM of the type 'CERTIFICATE'",
    );
}

#[test]
fn times_of_crls() {
    let folder = Folder::new();
    folder.keygen("ml-dsa-44", "root.key", "root.pub");
    folder.keygen("ml-dsa-44", "a.key", "a.pub");
    let times = "--from 2030-01-01 --until 2040-01-01";
    folder.ok(&format!(
        "cert self-sign --key root.key --subject CN=Root --ca {times} --out root.pem"
    ));
    folder.ok("cert request --key a.key --subject CN=A --out a.csr");
    folder.ok(&format!(
        "cert issue a.csr --issuer root.pem --key root.key {times} --out a.pem"
    ));
    let crl = |arguments: &str| folder.ok(&format!("{ROOT} {arguments} --force"));
    crl("--from 2031-01-01 --until 2031-02-01T00:00:00Z --out old.crl");
    crl("--from 2031-03-01 --days 2 --previous old.crl --out new.crl");
    let verify =
        |crl: &str, at: &str| format!("cert verify a.pem --root root.pem --crl {crl} --at {at}");
    for at in ["2031-01-01", "2031-02-01", "2031-01-15T10:00:00Z"] {
        folder.ok(&verify("old.crl", at));
    }
    for (crl, at, says) in [
        (
            "old.crl",
            "2030-12-31T23:59:59Z",
            "it is not valid before 2031-01-01T00:00:00Z",
        ),
        (
            "old.crl",
            "2031-02-01T00:00:01Z",
            "it expired on 2031-02-01T00:00:00Z, when the next CRL was due",
        ),
        (
            "new.crl",
            "2031-03-03T00:00:01Z",
            "it expired on 2031-03-03T00:00:00Z",
        ),
    ] {
        let says = format!("a.pem: the CRL {crl} cannot be used: {says}");
        folder.fails(1, &verify(crl, at), &says);
    }
    // An expired CRL does not affect a valid one.
    folder.ok(&verify("old.crl --crl new.crl", "2031-03-02"));
    folder.ok(&verify("new.crl --crl old.crl", "2031-01-02"));
    let says = "new.crl begins on 2031-03-01T00:00:00Z, after the new CRL";
    folder.fails(
        2,
        &format!("{ROOT} --from 2031-02-01 --previous new.crl"),
        says,
    );
    let ended = folder.run(&format!("{ROOT} --from 2039-12-30 --out last.crl"));
    let says = "warning: the CRL ends on 2040-01-29T00:00:00Z, but root.pem expires on 2040-01-01T00:00:00Z";
    assert!(
        ended.status == 0 && ended.stderr.contains(says),
        "{}",
        ended.stderr
    );
    let says = "root.pem cannot issue a valid CRL: it expired on";
    folder.fails(2, &format!("{ROOT} --from 2041-01-01"), says);
    // Times from 2050 on are written in another type.
    folder.ok("cert self-sign --key root.key --subject CN=Root --ca --from 2049-01-01 --until 2070-01-01 --out root.pem --force");
    folder.ok("cert issue a.csr --issuer root.pem --key root.key --from 2049-06-01 --until 2060-01-01 --out a.pem --force");
    crl("--from 2049-12-31 --until 2051-01-01 --revoke-serial 05 --date 2050-05-05 --out late.crl");
    folder.ok(&verify("late.crl", "2050-06-01"));
}
