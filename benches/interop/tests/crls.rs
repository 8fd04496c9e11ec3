//! CRLs, purposes, name constraints and places of CRLs: made by the command and seen by OpenSSL, and the
//! other way round.

use openssl::asn1::{Asn1Integer, Asn1Time};
use openssl::bn::BigNum;
use openssl::error::ErrorStack;
use openssl::hash::MessageDigest;
use openssl::nid::Nid;
use openssl::pkey::{PKey, Private};
use openssl::ssl::SslFiletype;
use openssl::stack::Stack;
use openssl::x509::extension::{AuthorityKeyIdentifier, ExtendedKeyUsage, SubjectAlternativeName};
use openssl::x509::store::{X509Lookup, X509StoreBuilder};
use openssl::x509::verify::{X509VerifyFlags, X509VerifyParam};
use openssl::x509::{
    CrlNumber, CrlStatus, X509, X509Builder, X509Crl, X509CrlBuilder, X509Extension, X509PurposeId,
    X509RevokedBuilder, X509StoreContext,
};

use crate::certificates::{
    ALGORITHMS, authority, certificate, name, ours, their_key, theirs, write,
};
use crate::command::Folder;

const VERIFY: &str = "cert verify server.pem --intermediate middle.pem --root root.pem";

/// The verdict of OpenSSL on server.pem, with the CRLs of these files, and its reason.
fn theirs_says(folder: &Folder, crls: &[&str], ask: impl FnOnce(&mut X509VerifyParam)) -> String {
    let of = |name| certificate(folder, name);
    let (root, middle, server) = (of("root.pem"), of("middle.pem"), of("server.pem"));
    let mut parameters = X509VerifyParam::new().expect("parameters");
    parameters
        .set_flags(X509VerifyFlags::X509_STRICT)
        .expect("strict");
    if !crls.is_empty() {
        let all = X509VerifyFlags::CRL_CHECK | X509VerifyFlags::CRL_CHECK_ALL;
        parameters.set_flags(all).expect("CRLs");
    }
    ask(&mut parameters);
    let mut store = X509StoreBuilder::new().expect("a store");
    store.add_cert(root).expect("added");
    store.set_param(&parameters).expect("set");
    let lookup = store.add_lookup(X509Lookup::file()).expect("a lookup");
    for crl in crls {
        let read = lookup.load_crl_file(folder.path(crl), SslFiletype::PEM);
        assert_eq!(read.expect("read"), 1);
    }
    let store = store.build();
    let mut others = Stack::new().expect("a stack");
    others.push(middle).expect("pushed");
    let mut context = X509StoreContext::new().expect("a context");
    let verdict = context.init(&store, &server, &others, |context| {
        context.verify_cert()?;
        Ok::<_, ErrorStack>(context.error().error_string().to_owned())
    });
    verdict.expect("a verdict")
}

const MIDDLE: &str = "cert crl --issuer middle.pem --key middle.key --days 5";

#[test]
fn our_crls_there() {
    for shift in 0..ALGORITHMS.len() {
        let folder = ours(&format!("our-crls{shift}"), shift);
        folder.ok("cert crl --issuer root.pem --key root.key --days 5 --out root.crl");
        folder.ok(&format!("{MIDDLE} --revoke-serial 1234 --out middle.crl"));
        let revoke = "--revoke server.pem --reason key-compromise --invalid-since 2026-01-02 --date 2026-01-03";
        folder.ok(&format!(
            "{MIDDLE} --previous middle.crl {revoke} --out next.crl"
        ));
        let says = |crls: &[&str]| theirs_says(&folder, crls, |_| ());
        assert_eq!(says(&[]), "ok");
        assert_eq!(says(&["root.crl", "middle.crl"]), "ok");
        assert_eq!(says(&["root.crl", "next.crl"]), "certificate revoked");
        assert_eq!(says(&["root.crl"]), "unable to get certificate CRL");
        assert_eq!(says(&["middle.crl"]), "unable to get certificate CRL");

        let crl = X509Crl::from_pem(&folder.read("next.crl")).expect("a CRL");
        let key = |file| certificate(&folder, file).public_key().expect("a key");
        assert!(crl.verify(&key("middle.pem")).expect("a verdict"));
        assert!(!crl.verify(&key("root.pem")).unwrap_or(false));
        let (is_critical, number) = crl
            .extension::<CrlNumber>()
            .expect("read")
            .expect("a number");
        let number = number.to_bn().expect("a number");
        assert_eq!(
            (is_critical, number),
            (false, BigNum::from_u32(2).expect("2"))
        );
        let server = certificate(&folder, "server.pem");
        let CrlStatus::Revoked(entry) = crl.get_by_cert(&server) else {
            panic!("it is not revoked");
        };
        let reason = entry
            .extension::<openssl::x509::ReasonCode>()
            .expect("read");
        let (_, reason) = reason.expect("a reason");
        assert_eq!(reason.get_i64().expect("a number"), 1);
        assert_eq!(
            entry.revocation_date().to_string(),
            "Jan  3 00:00:00 2026 GMT"
        );
        assert_eq!(crl.get_revoked().expect("a list").len(), 2);
    }
}

/// A CRL by OpenSSL that lists these serial numbers.
fn their_crl(
    issuer: (&str, &X509, &PKey<Private>),
    revoked: &[u32],
    extend: impl FnOnce(&mut X509CrlBuilder),
) -> X509Crl {
    let (subject, certificate, key) = issuer;
    let integer = |number| {
        let number = BigNum::from_u32(number).expect("a number");
        Asn1Integer::from_bn(&number).expect("a number")
    };
    let days = |days| Asn1Time::days_from_now(days).expect("a time");
    let mut builder = X509CrlBuilder::new().expect("a builder");
    builder.set_issuer_name(&name(subject)).expect("set");
    builder.set_last_update(&days(0)).expect("set");
    builder.set_next_update(&days(5)).expect("set");
    for number in revoked {
        let mut entry = X509RevokedBuilder::new().expect("a builder");
        entry.set_serial_number(&integer(*number)).expect("set");
        entry.set_revocation_date(&days(0)).expect("set");
        builder.add_revoked(entry.build()).expect("added");
    }
    let context = X509::builder().expect("a builder");
    let context = context.x509v3_context(Some(certificate), None);
    let own = AuthorityKeyIdentifier::new().keyid(true).build(&context);
    let number = CrlNumber::new(BigNum::from_u32(7).expect("a number"));
    let number = number.and_then(CrlNumber::build);
    for extension in [own, number] {
        builder
            .append_extension(extension.expect("built"))
            .expect("appended");
    }
    extend(&mut builder);
    builder.sign(key, MessageDigest::null()).expect("signs");
    builder.build().expect("a CRL")
}

/// An extension that OpenSSL makes of its own notation.
#[allow(deprecated, reason = "there is no builder for these extensions")]
fn extension(nid: Nid, text: &str) -> X509Extension {
    X509Extension::new_nid(None, None, nid, text).expect("an extension")
}

#[test]
fn their_crls_here() {
    for algorithm in ALGORITHMS {
        let folder = Folder::new(&format!("their-crls-{algorithm}"));
        let (key, leaf) = (their_key(algorithm), their_key("ml-dsa-44"));
        let at_root = ("Root", &key);
        let root = theirs(at_root, at_root, authority);
        write(&folder, "root.pem", &root);
        // Its serial number is 7.
        let server = theirs(("Server", &leaf), at_root, |_| ());
        write(&folder, "server.pem", &server);
        let verify = |crl: X509Crl| {
            folder.write("root.crl", crl.to_pem().expect("PEM"));
            folder.run("cert verify server.pem --root root.pem --crl root.crl --require-crls")
        };
        let crl = |revoked: &[u32]| their_crl(("Root", &root, &key), revoked, |_| ());
        assert!(verify(crl(&[])).0);
        assert!(verify(crl(&[5, 8])).0);
        let (is_valid, text) = verify(crl(&[5, 7]));
        assert!(!is_valid && text.contains("it was revoked on"), "{text}");
        let other = their_crl(("Root", &root, &leaf), &[], |_| ());
        let (is_valid, text) = verify(other);
        assert!(
            !is_valid && text.contains("is not signed by the key"),
            "{text}"
        );
        let (is_valid, text) = verify(their_crl(("Root", &root, &key), &[], |builder| {
            let point = extension(Nid::ISSUING_DISTRIBUTION_POINT, "critical,onlyuser:TRUE");
            builder.append_extension(point).expect("appended");
        }));
        assert!(
            !is_valid && text.contains("issuing distribution point"),
            "{text}"
        );

        // Each side continues what the other one began.
        folder.write("root.crl", crl(&[5]).to_pem().expect("PEM"));
        folder.write("root.key", key.private_key_to_pem_pkcs8().expect("PEM"));
        folder.ok("cert crl --issuer root.pem --key root.key --previous root.crl --revoke server.pem --days 5 --out next.crl");
        let next = X509Crl::from_pem(&folder.read("next.crl")).expect("a CRL");
        assert!(next.verify(&key).expect("a verdict"));
        assert_eq!(next.get_revoked().expect("a list").len(), 2);
        let (_, number) = next
            .extension::<CrlNumber>()
            .expect("read")
            .expect("a number");
        let number = number.to_bn().expect("a number");
        assert_eq!(number, BigNum::from_u32(8).expect("8"));
    }
}

/// Purposes, name constraints and places, which OpenSSL prints and checks.
#[test]
fn our_extensions_there() {
    let folder = Folder::new("our-extensions");
    for name in ["root", "middle", "server"] {
        folder.ok(&format!("keygen ml-dsa-44 --out {name}.key"));
        folder.ok(&format!(
            "cert request --key {name}.key --subject CN={name} --out {name}.csr"
        ));
    }
    folder.ok("cert self-sign --key root.key --subject CN=Root --ca --days 30 --out root.pem");
    let constraints = "--permit DNS:a.example --permit IP:10.0.0.0/8 --exclude DNS:b.a.example --exclude email:.c.example";
    folder.ok(&format!(
        "cert issue middle.csr --issuer root.pem --key root.key --ca --days 20 {constraints} --out middle.pem"
    ));
    let text = |file: &str| {
        let text = certificate(&folder, file).to_text().expect("text");
        String::from_utf8(text).expect("text")
    };
    let contains = |text: &str, parts: &[&str]| {
        for part in parts {
            assert!(text.contains(part), "{part}: {text}");
        }
    };
    contains(
        &text("middle.pem"),
        &[
            "X509v3 Name Constraints: critical",
            "DNS:a.example",
            "IP:10.0.0.0/255.0.0.0",
            "DNS:b.a.example",
            "email:.c.example",
        ],
    );
    let issue = |more: &str| {
        folder.ok(&format!(
            "cert issue server.csr --issuer middle.pem --key middle.key --days 10 {more} --out server.pem --force"
        ));
    };
    issue(
        "--host a.example --host 10.1.2.3 --eku server-auth,client-auth --eku 1.3.6.1.5.5.7.3.17 \
         --crl-url http://a.example/a.crl --crl-url http://b.example/a.crl --ocsp-url http://a.example/ocsp \
         --issuer-url http://a.example/a.cer",
    );
    contains(
        &text("server.pem"),
        &[
            "TLS Web Server Authentication, TLS Web Client Authentication, ipsec Internet Key Exchange",
            "X509v3 CRL Distribution Points",
            "URI:http://a.example/a.crl",
            "URI:http://b.example/a.crl",
            "OCSP - URI:http://a.example/ocsp",
            "CA Issuers - URI:http://a.example/a.cer",
        ],
    );
    let says = |purpose: Option<X509PurposeId>| {
        theirs_says(&folder, &[], |ask| {
            if let Some(purpose) = purpose {
                ask.set_purpose(purpose).expect("a purpose");
            }
        })
    };
    assert_eq!(says(None), "ok");
    for (purpose, id, is) in [
        ("server-auth", X509PurposeId::SSL_SERVER, true),
        ("client-auth", X509PurposeId::SSL_CLIENT, true),
        ("email-protection", X509PurposeId::SMIME_SIGN, false),
        ("code-signing", X509PurposeId::CODE_SIGN, false),
        ("time-stamping", X509PurposeId::TIMESTAMP_SIGN, false),
    ] {
        let ours = folder.run(&format!("{VERIFY} --purpose {purpose}")).0;
        assert_eq!((ours, says(Some(id)) == "ok"), (is, is), "{purpose}");
    }
    for (purpose, id) in [
        ("code-signing", X509PurposeId::CODE_SIGN),
        ("time-stamping", X509PurposeId::TIMESTAMP_SIGN),
        ("email-protection", X509PurposeId::SMIME_SIGN),
    ] {
        issue(&format!("--eku {purpose}"));
        folder.ok(&format!("{VERIFY} --purpose {purpose}"));
        assert_eq!(says(Some(id)), "ok", "{purpose}");
    }
}

/// Certificates by OpenSSL below an authority with name constraints: both sides agree.
#[test]
fn their_extensions_here() {
    let folder = Folder::new("their-extensions");
    let [root, middle, server] = ["ml-dsa-44", "ml-dsa-65", "ed25519"].map(their_key);
    let (at_root, at_middle) = (("Root", &root), ("Middle", &middle));
    write(&folder, "root.pem", &theirs(at_root, at_root, authority));
    let constrained = |builder: &mut X509Builder| {
        authority(builder);
        let text = "critical,permitted;DNS:a.example,permitted;IP:10.0.0.0/255.0.0.0,excluded;DNS:b.a.example";
        let constraints = extension(Nid::NAME_CONSTRAINTS, text);
        builder.append_extension(constraints).expect("appended");
    };
    write(
        &folder,
        "middle.pem",
        &theirs(at_middle, at_root, constrained),
    );
    let inspected = folder.run("inspect middle.pem").1;
    let line = "permitted DNS:a.example, IP:10.0.0.0/255.0.0.0; excluded DNS:b.a.example";
    assert!(inspected.contains(line), "{inspected}");
    for (host, is) in [
        ("a.example", true),
        ("c.a.example", true),
        ("b.a.example", false),
        ("a.b.a.example", false),
        ("b.example", false),
        ("10.1.2.3", true),
        ("11.1.2.3", false),
    ] {
        let leaf = theirs(("Server", &server), at_middle, |builder| {
            let mut names = SubjectAlternativeName::new();
            match host.starts_with('1') {
                true => names.ip(host),
                false => names.dns(host),
            };
            let names = names.build(&builder.x509v3_context(None, None));
            let purposes = ExtendedKeyUsage::new().server_auth().client_auth().build();
            let point = extension(Nid::CRL_DISTRIBUTION_POINTS, "URI:http://a.example/a.crl");
            for extension in [names.expect("built"), purposes.expect("built"), point] {
                builder.append_extension(extension).expect("appended");
            }
        });
        write(&folder, "server.pem", &leaf);
        let (ours, text) = folder.run(&format!("{VERIFY} --host {host} --purpose client-auth"));
        // These certificates have no authorityKeyIdentifier, which the strict check requires.
        let theirs = theirs_says(&folder, &[], |ask| {
            let strict = X509VerifyFlags::X509_STRICT;
            ask.clear_flags(strict).expect("not strict");
        });
        let theirs = theirs == "ok";
        assert_eq!((ours, theirs), (is, is), "{host}: {text}");
    }
    let inspected = folder.run("inspect server.pem").1;
    for line in [
        "purposes     server-auth, client-auth",
        "CRLs         URI:\"http://a.example/a.crl\"",
    ] {
        assert!(inspected.contains(line), "{inspected}");
    }
}
