//! `verify` with the certificate of a signer and its chain.

use serde_json::Value;
use x509_cert::der::oid::ObjectIdentifier;
use x509_cert::ext::pkix::{ExtendedKeyUsage, KeyUsages};

use super::odd::{Odd, authority, constraints, extension, usage};
use crate::common::Folder;

const VERIFY: &str = "verify --signature file.sig --in file --certificate leaf.der --root root.der";

/// A folder with a root, an authority and a signature by the key of the certificate `leaf`, which is still
/// missing.
fn signed() -> Folder {
    let folder = Folder::new();
    Odd::new("root", "root", authority()).write(&folder);
    Odd::new("middle", "root", authority()).write(&folder);
    let seed = "04".repeat(32);
    folder.ok(&format!("keygen ml-dsa-44 --seed {seed} --out leaf.key"));
    folder.write("file", b"a message");
    folder.ok("sign --key leaf.key --in file --out file.sig");
    folder
}

#[test]
fn a_chain_to_a_root() {
    let folder = signed();
    Odd::new("leaf", "middle", vec![]).write(&folder);
    let verify = format!("{VERIFY} --intermediate middle.der");
    let report = folder.ok_text(&verify);
    for line in [
        "valid\n",
        "key          leaf.der\n",
        "subject      CN=leaf\n",
        "path         CN=leaf (leaf.der), CN=middle (middle.der), CN=root (root.der)\n",
    ] {
        assert!(report.contains(line), "{report}");
    }
    let report = folder.ok(&format!("{verify} --json"));
    let report: Value = serde_json::from_slice(&report).unwrap();
    let path = report["path"].as_array().unwrap();
    let subjects: Vec<_> = path.iter().map(|one| &one["subject"]).collect();
    assert_eq!(subjects, ["CN=leaf", "CN=middle", "CN=root"]);
    assert_eq!(report["subject"], "CN=leaf");

    folder.fails(1, VERIFY, "leaf.der: no issuer certificate was found");
    let late = format!("{verify} --at 2001-01-01T00:00:00Z");
    folder.fails(1, &late, "leaf.der: it is not valid before");
    folder.write("file", b"another message");
    folder.fails(1, &verify, "of this message by the key of CN=leaf");
    // The chain is verified first.
    Odd::new("leaf", "leaf", vec![]).write(&folder);
    folder.fails(1, &verify, "leaf.der: no issuer certificate was found");
}

/// A certificate that is trusted itself, and one with the key of an authority.
#[test]
fn what_the_certificate_allows() {
    let purpose = |oid| extension(&ExtendedKeyUsage(vec![ObjectIdentifier::new_unwrap(oid)]));
    let refused = "do not allow signatures of messages";
    for (extensions, says) in [
        (vec![usage(KeyUsages::DigitalSignature)], ""),
        (vec![usage(KeyUsages::NonRepudiation)], ""),
        (vec![usage(KeyUsages::CRLSign)], refused),
        (authority(), refused),
        (vec![constraints(true, None)], ""),
        (vec![purpose("1.3.6.1.5.5.7.3.3")], ""),
        (vec![purpose("1.3.6.1.5.5.7.3.4")], ""),
        (vec![purpose("1.3.6.1.5.5.7.3.36")], ""),
        (vec![purpose("2.5.29.37.0")], ""),
        (vec![purpose("1.3.6.1.5.5.7.3.1")], refused),
        (vec![purpose("1.3.6.1.5.5.7.3.8")], refused),
    ] {
        let folder = signed();
        Odd::new("leaf", "root", extensions).write(&folder);
        for verify in [VERIFY, &VERIFY.replace("root.der", "leaf.der")] {
            match says {
                "" => drop(folder.ok(verify)),
                says => folder.fails(1, verify, says),
            }
        }
    }
}

/// The certificate of the signer can be revoked, as in `cert verify`.
#[test]
fn a_revoked_signer() {
    let folder = Folder::signed();
    folder.keygen("ml-dsa-65", "root.key", "root.pub");
    folder.ok("cert self-sign --key root.key --subject CN=Root --ca --days 400 --out root.pem");
    folder.ok("cert request --key key.pem --subject CN=Alice --out alice.csr");
    folder.ok("cert issue alice.csr --issuer root.pem --key root.key --out alice.pem");
    let verify = "verify --root root.pem --certificate alice.pem --signature file.sig --in file";
    let crl = "cert crl --issuer root.pem --key root.key";
    folder.ok(&format!("{crl} --out empty.crl"));
    let report = folder.ok(&format!("{verify} --crl empty.crl --json"));
    let report: Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["path"][0]["revocation_checked"], true);
    folder.ok(&format!("{crl} --revoke alice.pem --out full.crl"));
    let revoked = format!("{verify} --crl full.crl");
    folder.fails(1, &revoked, "alice.pem: it was revoked");
    folder.ok(verify);
    folder.fails(2, &format!("{verify} --require-crls"), "--crl <FILE>");
    let key = "verify --key alice.pem --signature file.sig --in file --crl full.crl";
    folder.fails(2, key, "cannot be used with");
}
