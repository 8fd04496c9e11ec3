//! Certificates, requests and chains: made by the command and verified by OpenSSL, and the other
//! way round.

use openssl::asn1::{Asn1Integer, Asn1Time};
use openssl::bn::BigNum;
use openssl::hash::MessageDigest;
use openssl::pkey::{KeyType, PKey, Private};
use openssl::stack::Stack;
use openssl::x509::extension::{
    BasicConstraints, KeyUsage, SubjectAlternativeName, SubjectKeyIdentifier,
};
use openssl::x509::store::X509StoreBuilder;
use openssl::x509::verify::{X509VerifyFlags, X509VerifyParam};
use openssl::x509::{X509, X509Builder, X509Name, X509Req, X509ReqBuilder, X509StoreContext};

use crate::command::Folder;

pub(crate) const ALGORITHMS: [&str; 4] = ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "ed25519"];

/// Makes root, middle and server with the command, each with another algorithm.
pub(crate) fn ours(name: &str, shift: usize) -> Folder {
    let folder = Folder::new(name);
    let mut algorithms = ALGORITHMS;
    algorithms.rotate_left(shift);
    for (algorithm, name) in algorithms.iter().zip(["root", "middle", "server"]) {
        folder.ok(&format!("keygen {algorithm} --out {name}.key"));
    }
    folder.ok("cert self-sign --key root.key --subject CN=Root,O=Ex --ca --days 30 --out root.pem");
    folder.ok("cert request --key middle.key --subject CN=Middle --out middle.csr");
    folder.ok("cert issue middle.csr --issuer root.pem --key root.key --ca --path-length 0 --days 20 --out middle.pem");
    folder
        .ok("cert request --key server.key --subject CN=Server --host a.example --out server.csr");
    folder.ok(
        "cert issue server.csr --issuer middle.pem --key middle.key --days 10 --out server.pem",
    );
    folder
}

pub(crate) fn certificate(folder: &Folder, name: &str) -> X509 {
    X509::from_pem(&folder.read(name)).expect("a certificate")
}

/// Returns the output of OpenSSL for these arguments.
fn theirs_says(
    leaf: &X509,
    middle: Option<X509>,
    root: X509,
    ask: impl FnOnce(&mut X509VerifyParam),
) -> bool {
    let mut parameters = X509VerifyParam::new().expect("parameters");
    ask(&mut parameters);
    let mut store = X509StoreBuilder::new().expect("a store");
    store.add_cert(root).expect("added");
    store.set_param(&parameters).expect("set");
    let store = store.build();
    let mut others = Stack::new().expect("a stack");
    if let Some(middle) = middle {
        others.push(middle).expect("pushed");
    }
    let mut context = X509StoreContext::new().expect("a context");
    let verdict = context.init(&store, leaf, &others, |context| context.verify_cert());
    verdict.unwrap_or(false)
}

/// Verifies with the strictest settings, at a number of days from now, and for this host.
fn strictly(after_days: i64, host: Option<&str>) -> impl FnOnce(&mut X509VerifyParam) {
    move |ask| {
        ask.set_flags(X509VerifyFlags::X509_STRICT).expect("strict");
        let now = std::time::UNIX_EPOCH.elapsed().expect("after 1970");
        let now = i64::try_from(now.as_secs()).expect("a time");
        ask.set_time(now + after_days * 86_400);
        if let Some(host) = host {
            ask.set_host(host).expect("a host");
        }
    }
}

#[test]
fn our_chains_there() {
    for shift in 0..ALGORITHMS.len() {
        let folder = ours(&format!("ours{shift}"), shift);
        let of = |name| certificate(&folder, name);
        let (root, middle, server) = (of("root.pem"), of("middle.pem"), of("server.pem"));
        let says = |middle: Option<&X509>, root: &X509, days, host| {
            theirs_says(&server, middle.cloned(), root.clone(), strictly(days, host))
        };
        assert!(says(Some(&middle), &root, 0, None));
        assert!(says(Some(&middle), &root, 9, Some("a.example")));
        assert!(!says(Some(&middle), &root, 0, Some("b.example")));
        assert!(!says(Some(&middle), &root, 11, None), "expired");
        assert!(!says(Some(&middle), &root, -1, None), "not yet valid");
        assert!(!says(None, &root, 0, None), "a gap");
        folder.ok("cert self-sign --key server.key --subject CN=Root,O=Ex --ca --out other.pem");
        assert!(
            !says(Some(&middle), &of("other.pem"), 0, None),
            "another root"
        );
        // Checks the signatures with the key of the authority, and the extensions.
        assert!(
            middle
                .verify(&root.public_key().expect("a key"))
                .expect("a verdict")
        );
        assert_eq!((root.pathlen(), middle.pathlen()), (None, Some(0)));
        assert!(middle.authority_key_id().is_some() && server.authority_key_id().is_some());
        for name in ["middle.csr", "server.csr"] {
            let request = X509Req::from_pem(&folder.read(name)).expect("a request");
            let key = request.public_key().expect("a key");
            assert!(request.verify(&key).expect("a verdict"), "{name}");
        }
    }
}

pub(crate) fn their_key(algorithm: &str) -> PKey<Private> {
    let set = match algorithm {
        "ml-dsa-44" => KeyType::ML_DSA_44,
        "ml-dsa-65" => KeyType::ML_DSA_65,
        "ml-dsa-87" => KeyType::ML_DSA_87,
        _ => return PKey::generate_ed25519().expect("a key"),
    };
    let mut seed = [0; 32];
    openssl::rand::rand_bytes(&mut seed).expect("randomness");
    PKey::private_key_from_seed(None, set, None, &seed).expect("a key")
}

pub(crate) fn name(text: &str) -> X509Name {
    let mut name = X509Name::builder().expect("a name");
    name.append_entry_by_text("CN", text).expect("appended");
    name.build()
}

/// Makes a certificate with OpenSSL for `subject` with `key`, issued by `issuer` with its key.
pub(crate) fn theirs(
    subject: (&str, &PKey<Private>),
    issuer: (&str, &PKey<Private>),
    extend: impl FnOnce(&mut X509Builder),
) -> X509 {
    let mut builder = X509::builder().expect("a builder");
    builder.set_version(2).expect("v3");
    let serial = BigNum::from_u32(7).and_then(|n| Asn1Integer::from_bn(&n));
    builder
        .set_serial_number(&serial.expect("a number"))
        .expect("set");
    builder.set_subject_name(&name(subject.0)).expect("set");
    builder.set_issuer_name(&name(issuer.0)).expect("set");
    builder.set_pubkey(subject.1).expect("set");
    let from = Asn1Time::days_from_now(0).expect("a time");
    let until = Asn1Time::days_from_now(10).expect("a time");
    builder.set_not_before(&from).expect("set");
    builder.set_not_after(&until).expect("set");
    extend(&mut builder);
    builder
        .sign(issuer.1, MessageDigest::null())
        .expect("signs");
    builder.build()
}

pub(crate) fn authority(builder: &mut X509Builder) {
    let key = SubjectKeyIdentifier::new().build(&builder.x509v3_context(None, None));
    let constraints = BasicConstraints::new().critical().ca().build();
    let usage = KeyUsage::new()
        .critical()
        .key_cert_sign()
        .crl_sign()
        .build();
    for extension in [key, constraints, usage] {
        let extension = extension.expect("built");
        builder.append_extension(extension).expect("appended");
    }
}

fn host(builder: &mut X509Builder) {
    let names = SubjectAlternativeName::new()
        .dns("a.example")
        .build(&builder.x509v3_context(None, None));
    builder
        .append_extension(names.expect("built"))
        .expect("appended");
}

pub(crate) fn write(folder: &Folder, name: &str, certificate: &X509) {
    folder.write(name, certificate.to_pem().expect("PEM"));
}

#[test]
fn their_chains_here() {
    for shift in 0..ALGORITHMS.len() {
        let mut algorithms = ALGORITHMS;
        algorithms.rotate_left(shift);
        let [root, middle, server, _] = algorithms.map(their_key);
        let folder = Folder::new(&format!("theirs{shift}"));
        let (at_root, at_middle) = (("Root", &root), ("Middle", &middle));
        write(&folder, "root.pem", &theirs(at_root, at_root, authority));
        write(
            &folder,
            "middle.pem",
            &theirs(at_middle, at_root, authority),
        );
        write(
            &folder,
            "server.pem",
            &theirs(("Server", &server), at_middle, host),
        );
        let verify = "cert verify server.pem --intermediate middle.pem --root root.pem";
        folder.ok(&format!("{verify} --host a.example"));
        assert!(!folder.run(&format!("{verify} --host b.example")).0);
        assert!(!folder.run(&format!("{verify} --at 2020-01-01T00:00:00Z")).0);
        assert!(!folder.run("cert verify server.pem --root root.pem").0);
        folder.ok("inspect root.pem");

        // Each authority issues a certificate for the request of the other side.
        let mut request = X509ReqBuilder::new().expect("a builder");
        request.set_subject_name(&name("Asks")).expect("set");
        request.set_pubkey(&server).expect("set");
        let mut extensions = Stack::new().expect("a stack");
        let names = SubjectAlternativeName::new()
            .dns("a.example")
            .build(&request.x509v3_context(None));
        extensions.push(names.expect("built")).expect("pushed");
        request.add_extensions(&extensions).expect("added");
        request.sign(&server, MessageDigest::null()).expect("signs");
        folder.write("asks.csr", request.build().to_pem().expect("PEM"));
        folder.ok("inspect asks.csr");
        folder.write("root.key", root.private_key_to_pem_pkcs8().expect("PEM"));
        folder.ok("cert issue asks.csr --issuer root.pem --key root.key --out asks.pem");
        folder.ok("cert verify asks.pem --root root.pem --host a.example");
        let (asks, root) = (
            certificate(&folder, "asks.pem"),
            certificate(&folder, "root.pem"),
        );
        assert!(theirs_says(
            &asks,
            None,
            root,
            strictly(0, Some("a.example"))
        ));
    }
}

/// Certificates that one side refuses and the other accepts.
#[test]
fn where_we_differ() {
    let folder = Folder::new("differences");
    let (root, leaf) = (their_key("ml-dsa-65"), their_key("ml-dsa-44"));
    let at_root = ("Root", &root);
    let anchor = theirs(at_root, at_root, authority);
    write(&folder, "root.pem", &anchor);
    let check = |extend: &dyn Fn(&mut X509Builder), there: bool, here: bool| {
        let certificate = theirs(("Leaf", &leaf), at_root, extend);
        write(&folder, "leaf.pem", &certificate);
        let verdict = theirs_says(&certificate, None, anchor.clone(), |_| ());
        let (ours, text) = folder.run("cert verify leaf.pem --root root.pem");
        assert_eq!((verdict, ours), (there, here), "{text}");
    };
    check(&|_| (), true, true);
    let usage = |usage: &mut KeyUsage, builder: &mut X509Builder| {
        builder
            .append_extension(usage.critical().build().expect("built"))
            .expect("appended");
    };
    check(
        &|b| usage(KeyUsage::new().digital_signature(), b),
        true,
        true,
    );
    // RFC 9881, section 5: a key of ML-DSA does not encrypt.
    check(
        &|b| usage(KeyUsage::new().key_encipherment(), b),
        true,
        false,
    );
    check(
        &|b| usage(KeyUsage::new().digital_signature().key_agreement(), b),
        true,
        false,
    );
}

/// OpenSSL 4 does not support the composites.
#[test]
fn composites_are_ours_alone() {
    for algorithm in ["ml-dsa-44-ed25519", "ml-dsa-65-ed25519"] {
        let folder = Folder::new(algorithm);
        folder.ok(&format!("keygen {algorithm} --out key --public-out public"));
        folder.ok("cert self-sign --key key --subject CN=Root --ca --out root.pem");
        folder.ok("cert verify root.pem --root root.pem");
        let root = certificate(&folder, "root.pem");
        root.public_key().expect_err("an unknown algorithm");
        PKey::private_key_from_pem(&folder.read("key")).expect_err("an unknown algorithm");
        PKey::public_key_from_pem(&folder.read("public")).expect_err("an unknown algorithm");
    }
}
