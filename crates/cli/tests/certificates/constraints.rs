//! Name constraints: RFC 5280, section 4.2.1.10.

use x509_cert::der::Encode;
use x509_cert::der::asn1::{Any, Ia5String, OctetString, Utf8StringRef};
use x509_cert::der::oid::{AssociatedOid, ObjectIdentifier};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::constraints::name::GeneralSubtree;
use x509_cert::ext::pkix::name::{GeneralName, OtherName};
use x509_cert::ext::pkix::{NameConstraints, SubjectAltName};

use super::odd::{Odd, UNKNOWN, authority, extension, raw};
use crate::common::Folder;

const NOT_PERMITTED: &str = "does not permit the name";
const EXCLUDED: &str = "excludes the name";
const NOT_COMPARABLE: &str = "which cannot be compared";

/// A name in the notation of its kind, such as `dns:a.example`.
fn name(text: &str) -> GeneralName {
    let (kind, text) = text.split_once(':').unwrap();
    let ia5 = || Ia5String::new(text).unwrap();
    let other = |type_id| {
        let value = Any::from(Utf8StringRef::new(text).unwrap());
        GeneralName::OtherName(OtherName { type_id, value })
    };
    match kind {
        "dns" => GeneralName::DnsName(ia5()),
        "mail" => GeneralName::Rfc822Name(ia5()),
        "uri" => GeneralName::UniformResourceIdentifier(ia5()),
        "name" => GeneralName::DirectoryName(text.parse().unwrap()),
        "ip" => GeneralName::IpAddress(OctetString::new(hex::decode(text).unwrap()).unwrap()),
        "other" => other(UNKNOWN),
        "utf8" => other(ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.8.9")),
        _ => panic!("{kind}"),
    }
}

fn subtrees(bases: &[&str]) -> Option<Vec<GeneralSubtree>> {
    let subtree = |base: &&str| GeneralSubtree {
        base: name(base),
        minimum: 0,
        maximum: None,
    };
    (!bases.is_empty()).then(|| bases.iter().map(subtree).collect())
}

fn limits(permitted: &[&str], excluded: &[&str]) -> Extension {
    let constraints = NameConstraints {
        permitted_subtrees: subtrees(permitted),
        excluded_subtrees: subtrees(excluded),
    };
    raw(NameConstraints::OID, true, &constraints.to_der().unwrap())
}

/// An authority below the root with these constraints, and a certificate below that.
struct Chain {
    folder: Folder,
    /// The names of the leaf.
    subject: &'static str,
}

impl Chain {
    fn new(subject: &'static str) -> Self {
        let folder = Folder::new();
        Odd::new("root", "root", authority()).write(&folder);
        Self { folder, subject }
    }

    #[track_caller]
    fn check(&self, permitted: &[&str], excluded: &[&str], names: &[&str], says: &str) {
        let mut middle = Odd::new("middle", "root", authority());
        middle.extensions.push(limits(permitted, excluded));
        middle.write(&self.folder);
        let names: Vec<_> = names.iter().map(|text| name(text)).collect();
        let names = (!names.is_empty()).then(|| extension(&SubjectAltName(names)));
        let leaf = Odd {
            subject: Some(self.subject.parse().unwrap()),
            ..Odd::new("leaf", "middle", names.into_iter().collect())
        };
        leaf.write(&self.folder);
        let verify = "cert verify leaf.der --root root.der --intermediate middle.der";
        if says.is_empty() {
            self.folder.ok(verify);
        } else {
            self.folder.fails(1, verify, says);
            let says = format!("leaf.der: middle.der {says}");
            let is_first = [NOT_PERMITTED, EXCLUDED]
                .iter()
                .any(|one| says.ends_with(one));
            if is_first {
                self.folder.fails(1, verify, &says);
            }
        }
    }
}

#[test]
fn names_in_the_dns() {
    let chain = Chain::new("CN=leaf");
    let permitted = |base: &str, name: &str, says| chain.check(&[base], &[], &[name], says);
    permitted("dns:a.example", "dns:a.example", "");
    permitted("dns:a.example", "dns:A.Example", "");
    permitted("dns:A.Example", "dns:b.a.example", "");
    permitted("dns:a.example", "dns:*.a.example", "");
    permitted("dns:", "dns:a.example", "");
    permitted("dns:a.example", "dns:example", NOT_PERMITTED);
    permitted("dns:a.example", "dns:ba.example", NOT_PERMITTED);
    permitted("dns:a.example", "dns:*.example", NOT_PERMITTED);
    permitted("dns:b.a.example", "dns:*.a.example", NOT_PERMITTED);
    permitted("dns:a.example", "dns:a.example.b", NOT_PERMITTED);
    // With a dot, only what is below.
    permitted("dns:.a.example", "dns:b.a.example", "");
    permitted("dns:.a.example", "dns:a.example", NOT_PERMITTED);
    // Text that is not the name of a host is not compared.
    permitted("dns:a.example", "dns:b a.example", NOT_COMPARABLE);
    permitted("dns:a.example", "dns:a.example.", NOT_COMPARABLE);

    let excluded = |base: &str, name: &str, says| chain.check(&[], &[base], &[name], says);
    excluded("dns:a.example", "dns:b.example", "");
    excluded("dns:a.example", "dns:ba.example", "");
    excluded("dns:a.example", "dns:a.example", EXCLUDED);
    excluded("dns:a.example", "dns:b.A.example", EXCLUDED);
    excluded("dns:a.example", "dns:*.a.example", EXCLUDED);
    excluded("dns:a.example", "dns:a.example.", NOT_COMPARABLE);
    excluded("dns:", "dns:a.example", EXCLUDED);
    // The star can stand for an excluded name.
    excluded("dns:b.a.example", "dns:*.a.example", EXCLUDED);
    excluded("dns:c.b.a.example", "dns:*.a.example", "");

    // With several bases, excluded subtrees take precedence, and other kinds are not constrained.
    let bases = ["dns:b.example", "dns:a.example"];
    chain.check(&bases, &[], &["dns:a.example", "dns:c.b.example"], "");
    chain.check(
        &bases,
        &[],
        &["dns:a.example", "dns:c.example"],
        NOT_PERMITTED,
    );
    let part = ["dns:secret.a.example"];
    chain.check(&bases, &part, &["dns:a.example"], "");
    chain.check(&bases, &part, &["dns:x.secret.a.example"], EXCLUDED);
    chain.check(
        &bases,
        &[],
        &["mail:root@c.example", "ip:0a000001", "uri:urn:x", "other:x"],
        "",
    );
    chain.check(&bases, &bases, &[], "");
}

#[test]
fn addresses() {
    let chain = Chain::new("CN=leaf");
    let check = |base: &str, name: &str, is_within: bool| {
        let says = |wrong: bool, says| if wrong { says } else { "" };
        chain.check(&[base], &[], &[name], says(!is_within, NOT_PERMITTED));
        chain.check(&[], &[base], &[name], says(is_within, EXCLUDED));
    };
    check("ip:0a000000ff000000", "ip:0a010203", true);
    check("ip:0a000000ff000000", "ip:0b010203", false);
    check("ip:0a000000ffffe000", "ip:0a001f00", true);
    check("ip:0a000000ffffe000", "ip:0a002000", false);
    check("ip:0a000000ffffffff", "ip:0a000000", true);
    check("ip:0000000000000000", "ip:0a002000", true);
    let six = "20010db8000000000000000000000001";
    let base = "ip:20010db8000000000000000000000000ffffffff000000000000000000000000";
    check(base, &format!("ip:{six}"), true);
    check(base, "ip:20010db9000000000000000000000001", false);
    // Addresses of one length are not in networks of the other.
    check("ip:0000000000000000", &format!("ip:{six}"), false);
    check(base, "ip:20010db8", false);
    let text = chain.folder.ok_text("inspect middle.der");
    let says = "constraints  excluded IP:2001:db8::/ffff:ffff::\n";
    assert!(text.contains(says), "{text}");
}

#[test]
fn mailboxes() {
    let chain = Chain::new("CN=leaf");
    let check = |base: &str, name: &str, is_within: bool| {
        let says = |wrong: bool, says| if wrong { says } else { "" };
        chain.check(&[base], &[], &[name], says(!is_within, NOT_PERMITTED));
        chain.check(&[], &[base], &[name], says(is_within, EXCLUDED));
    };
    check("mail:root@a.example", "mail:root@A.example", true);
    check("mail:root@a.example", "mail:Root@a.example", false);
    check("mail:root@a.example", "mail:admin@a.example", false);
    check("mail:a.example", "mail:root@a.example", true);
    check("mail:a.example", "mail:\"x@y\"@a.example", true);
    check("mail:a.example", "mail:root@b.a.example", false);
    check("mail:.a.example", "mail:root@b.a.example", true);
    check("mail:.a.example", "mail:root@a.example", false);
    check("mail:", "mail:root@a.example", true);
    for malformed in [
        "mail:root",
        "mail:@a.example",
        "mail:root@",
        "mail:root@[10.0.0.1]",
        "utf8:x",
    ] {
        chain.check(&["mail:a.example"], &[], &[malformed], NOT_COMPARABLE);
        chain.check(&[], &["mail:b.example"], &[malformed], NOT_COMPARABLE);
    }
    // A mailbox outside ASCII as the base.
    chain.check(&["utf8:x"], &[], &["mail:root@a.example"], NOT_COMPARABLE);
    chain.check(&[], &["utf8:x"], &["mail:root@a.example"], NOT_COMPARABLE);
    // In the subject too.
    let chain = Chain::new("CN=leaf,emailAddress=root@a.example");
    chain.check(&["mail:a.example"], &[], &[], "");
    chain.check(&["mail:b.example"], &[], &[], NOT_PERMITTED);
    chain.check(&[], &["mail:a.example"], &[], EXCLUDED);
}

#[test]
fn directories() {
    // Written backwards: the organization comes first.
    let chain = Chain::new("CN=leaf,OU=Unit,O=Example");
    let permitted = |base: &str, says| chain.check(&[base], &[], &[], says);
    permitted("name:O=Example", "");
    permitted("name:OU=Unit,O=Example", "");
    permitted("name:O=EXAMPLE\\ ", "");
    permitted("name:CN=leaf,OU=Unit,O=Example", "");
    permitted("name:O=Other", NOT_PERMITTED);
    permitted("name:OU=Unit", NOT_PERMITTED);
    permitted("name:CN=leaf", NOT_PERMITTED);
    permitted("name:CN=x,CN=leaf,OU=Unit,O=Example", NOT_PERMITTED);
    let excluded = |base: &str, says| chain.check(&[], &[base], &[], says);
    excluded("name:O=Other", "");
    excluded("name:OU=Unit", "");
    excluded("name:O=example", EXCLUDED);
    // As an alternative name.
    chain.check(&["name:O=Example"], &[], &["name:CN=x,O=Example"], "");
    chain.check(
        &["name:O=Example"],
        &[],
        &["name:CN=x,O=Other"],
        NOT_PERMITTED,
    );
    // In another type of text, it would not be seen that it is excluded.
    let chain = Chain::new("CN=leaf,O=#14074578616d706c65");
    chain.check(&[], &["name:O=Example"], &[], NOT_COMPARABLE);
    chain.check(&["name:O=Example"], &[], &[], NOT_PERMITTED);
}

/// Constraints that cannot be compared have no effect if there are no names of their kind.
#[test]
fn constraints_on_other_kinds() {
    let chain = Chain::new("CN=leaf");
    for (base, name) in [
        ("uri:a.example", "uri:https://a.example/"),
        ("other:x", "other:x"),
    ] {
        chain.check(&[base], &[], &["dns:a.example"], "");
        chain.check(&[], &[base], &["dns:a.example"], "");
        chain.check(&[base], &[], &[name], NOT_COMPARABLE);
        chain.check(&[], &[base], &[name], NOT_COMPARABLE);
    }
}

#[test]
fn malformed_constraints() {
    let chain = Chain::new("CN=leaf");
    let says = "middle.der: its extension 2.5.29.30 is malformed";
    for base in [
        "dns:a b",
        "dns:*.a.example",
        "dns:..a",
        "dns:.",
        "mail:@a.example",
        "mail:root@",
        "ip:0a000001",
        "ip:0a000000ff00ff00",
        "ip:0a0000000000ffff",
        "name:O=#0c02c328",
    ] {
        chain.check(&[base], &[], &[], says);
        chain.check(&[], &[base], &[], says);
    }
    chain.check(&[], &[], &[], says);
    let root = |constraints: NameConstraints| {
        let mut root = Odd::new("root", "root", authority());
        let value = constraints.to_der().unwrap();
        root.extensions
            .push(raw(NameConstraints::OID, false, &value));
        root.write(&chain.folder);
        Odd::new("leaf", "root", vec![]).write(&chain.folder);
        let says = "root.der: its extension 2.5.29.30 is malformed";
        let verify = "cert verify leaf.der --root root.der";
        chain.folder.fails(1, verify, says);
    };
    let one = |minimum, maximum| NameConstraints {
        permitted_subtrees: Some(vec![GeneralSubtree {
            base: name("dns:a.example"),
            minimum,
            maximum,
        }]),
        excluded_subtrees: None,
    };
    root(one(1, None));
    root(one(0, Some(1)));
    root(NameConstraints {
        permitted_subtrees: Some(vec![]),
        ..one(0, None)
    });
}

/// Name constraints apply to all certificates below, except self-issued ones, whether critical or not, and
/// also on a root.
#[test]
fn scope_of_constraints() {
    let folder = Folder::new();
    let verify = "cert verify leaf.der --root root.der --intermediate middle.der";
    let set = |critical, at_root: &[&str], at_middle: &[&str], middle: &str| {
        let constrained = |name, bases: &[&str]| {
            let mut odd = Odd::new(name, "root", authority());
            if !bases.is_empty() {
                let extension = limits(bases, &[]);
                odd.extensions.push(Extension {
                    critical,
                    ..extension
                });
            }
            odd
        };
        constrained("root", at_root).write(&folder);
        let names = vec![name(middle)];
        let mut odd = constrained("middle", at_middle);
        odd.extensions.push(extension(&SubjectAltName(names)));
        odd.write(&folder);
        let names = vec![name("dns:a.example")];
        Odd::new("leaf", "middle", vec![extension(&SubjectAltName(names))]).write(&folder);
    };
    for critical in [true, false] {
        set(
            critical,
            &["dns:example"],
            &["dns:a.example"],
            "dns:m.example",
        );
        folder.ok(verify);
        let text = folder.ok_text("inspect middle.der");
        let says = "constraints  permitted DNS:a.example\n";
        assert!(text.contains(says), "{text}");
        set(
            critical,
            &["dns:b.example"],
            &["dns:a.example"],
            "dns:m.b.example",
        );
        folder.fails(
            1,
            verify,
            "leaf.der: root.der does not permit the name DNS:a.example",
        );
        set(critical, &["dns:a.example"], &[], "dns:m.example");
        folder.fails(
            1,
            verify,
            "middle.der: root.der does not permit the name DNS:m.example",
        );
    }

    // A root's new key, whose certificate has a name that the old one does not permit.
    let mut root = Odd::new("root", "root", authority());
    root.extensions.push(limits(&["dns:a.example"], &[]));
    root.write(&folder);
    let names = |text| extension(&SubjectAltName(vec![name(text)]));
    let mut new = Odd {
        key: [99; 32],
        ..Odd::new("root", "root", authority())
    };
    new.extensions.push(names("dns:b.example"));
    new.write_as(&folder, "middle.der");
    let leaf = |text| Odd {
        issuer: ("root", [99; 32]),
        ..Odd::new("leaf", "root", vec![names(text)])
    };
    leaf("dns:a.example").write(&folder);
    folder.ok(verify);
    leaf("dns:b.example").write(&folder);
    folder.fails(
        1,
        verify,
        "leaf.der: root.der does not permit the name DNS:b.example",
    );
    // At the end of the chain, they also apply to a self-issued certificate.
    let says = "middle.der: root.der does not permit the name DNS:b.example";
    folder.fails(1, "cert verify middle.der --root root.der", says);

    // Only an authority may have name constraints.
    Odd::new("leaf", "root", vec![limits(&["dns:a.example"], &[])]).write(&folder);
    let says = "leaf.der: it has name constraints, and it is not an authority";
    folder.fails(1, "cert verify leaf.der --root leaf.der", says);
}

/// The work for one certificate is limited.
#[test]
fn too_many_names() {
    let chain = Chain::new("CN=leaf");
    let many: Vec<_> = (0..600)
        .map(|number| format!("dns:a{number}.example"))
        .collect();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    chain.check(&[], &many[..400], &many[400..], "");
    let says = "leaf.der: it has too many names for the name constraints of middle.der";
    chain.check(&[], &[many.as_slice(), &many].concat(), &many, says);
}

/// `cert issue` refuses names that the constraints of the issuer exclude.
#[test]
fn refused_issues() {
    let folder = Folder::new();
    let mut root = Odd::new("root", "root", authority());
    root.extensions.push(limits(&["dns:a.example"], &[]));
    root.write(&folder);
    let seed = hex::encode(root.key);
    folder.ok(&format!("keygen ml-dsa-44 --seed {seed} --out root.key"));
    folder.keygen("ed25519", "key", "public");
    let issue = "cert issue request.csr --issuer root.der --key root.key --out leaf.pem --force";
    let request = "cert request --key key --subject CN=leaf --out request.csr --force --host";
    folder.ok(&format!("{request} b.example"));
    let says = "request.csr: root.der does not permit the name DNS:b.example";
    folder.fails(2, issue, says);
    assert!(!folder.exists("leaf.pem"));
    folder.ok(&format!("{request} b.a.example"));
    folder.ok(issue);
    folder.ok("cert verify leaf.pem --root root.der --host b.a.example");
}
