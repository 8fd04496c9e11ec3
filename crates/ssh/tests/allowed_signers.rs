use moissanite_ssh::{
    AllowedSigners, Date, Error, Hash, Instant, LineError, MessageHash, SshSignature, limits,
};

use crate::{file, openssh, other};

const MESSAGE: &[u8] = b"message\n";

fn key() -> &'static str {
    file("/public").trim_end()
}

fn now() -> Instant {
    let date = |text: &str| text.parse::<Date>().unwrap();
    // Two hours east of Greenwich.
    Instant::new(date("20261123220000Z"), date("20261124000000"))
}

fn signature() -> (MessageHash, SshSignature) {
    let hash = MessageHash::of(Hash::Sha512, MESSAGE);
    (hash, openssh().try_sign("git", &hash).unwrap())
}

/// Verifies for a principal with a list.
fn verify(list: &str, principal: &str) -> Result<(), Error> {
    let (hash, signature) = signature();
    let list = AllowedSigners::parse(list).unwrap();
    list.verify(principal, "git", &hash, &signature, now())
}

#[test]
fn lines_that_permit_and_lines_that_do_not() {
    use Error::{NotAllowed, NotValidThen};
    let key = key();
    let other = other().to_openssh();
    let alice = "alice@example.com";
    for (list, expected) in [
        (format!("{alice} {key}"), Ok(())),
        (format!("# a comment\n\n  {alice}\t{key}\r\n"), Ok(())),
        (format!("\"{alice}\" {key}"), Ok(())),
        (format!("bob@example.com,{alice} {key}"), Ok(())),
        (format!("*@example.com {key}"), Ok(())),
        (format!("*@example.com,!alice@* {key}"), Err(NotAllowed)),
        (format!("ALICE@example.com {key}"), Err(NotAllowed)),
        (format!("bob@example.com {key}"), Err(NotAllowed)),
        (format!("{alice} {other}"), Err(NotAllowed)),
        (format!("{alice} {other}\n{alice} {key}"), Ok(())),
        (String::new(), Err(NotAllowed)),
        (format!("{alice} namespaces=\"git\" {key}"), Ok(())),
        (format!("{alice} namespaces=\"file,g*\" {key}"), Ok(())),
        (
            format!("{alice} namespaces=\"*,!git\" {key}"),
            Err(NotAllowed),
        ),
        (
            format!("{alice} namespaces=\"file\" {key}"),
            Err(NotAllowed),
        ),
        (
            format!("{alice} NAMESPACES=\"file\" {key}"),
            Err(NotAllowed),
        ),
        (format!("{alice} cert-authority {key}"), Err(NotAllowed)),
        (
            format!("{alice} valid-before=\"20261122\" {key}"),
            Err(NotValidThen),
        ),
        (format!("{alice} valid-before=\"20261124\" {key}"), Ok(())),
        (format!("{alice} valid-after=\"20261124\" {key}"), Ok(())),
        (
            format!("{alice} valid-after=\"20261124Z\" {key}"),
            Err(NotValidThen),
        ),
        (
            format!("{alice} valid-after=\"202611232200Z\" {key}"),
            Ok(()),
        ),
        (
            format!("{alice} valid-after=\"20261123220001Z\" {key}"),
            Err(NotValidThen),
        ),
        (
            format!("{alice} valid-before=\"20261123220000Z\" {key}"),
            Ok(()),
        ),
        (
            format!("{alice} valid-before=\"20261123215959Z\" {key}"),
            Err(NotValidThen),
        ),
        (
            format!(
                "{alice} namespaces=\"git\",valid-after=\"20200101\",valid-before=\"20300101\" {key}"
            ),
            Ok(()),
        ),
        // A second line can permit what the first one does not.
        (
            format!("{alice} valid-before=\"20200101\" {key}\n{alice} {key}"),
            Ok(()),
        ),
        // Keys of other algorithms are skipped, with and without options.
        (
            format!("{alice} ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA x\n{alice} {key}"),
            Ok(()),
        ),
        (
            format!("{alice} namespaces=\"git\" ssh-rsa AAAAB3NzaC1yc2E\n{alice} {key}"),
            Ok(()),
        ),
    ] {
        assert_eq!(
            verify(&list, alice),
            expected,
            "{}",
            list.replace(key, "KEY")
        );
    }
}

#[test]
fn the_signature_is_verified() {
    let list = AllowedSigners::parse(&format!("alice {}", key())).unwrap();
    let (hash, signature) = signature();
    let check = |namespace: &str, hash| list.verify("alice", namespace, hash, &signature, now());
    assert_eq!(check("git", &hash), Ok(()));
    let wrong = MessageHash::of(Hash::Sha512, b"massage");
    assert_eq!(check("git", &wrong), Err(Error::InvalidSignature));
    assert_eq!(check("file", &hash), Err(Error::NamespaceMismatch));
}

#[test]
fn principals_of_a_signature() {
    let key = key();
    let list = format!(
        "alice@example.com,*@b {key}\nbob {}\ncarol namespaces=\"file\" {key}\n\"dave\" {key}\n\
         erin valid-before=\"20200101\" {key}",
        other().to_openssh()
    );
    let list = AllowedSigners::parse(&list).unwrap();
    let (_, signature) = signature();
    let found: Vec<_> = list.principals(&signature, now()).collect();
    assert_eq!(found, ["alice@example.com,*@b", "dave"]);
}

#[test]
fn malformed_lines() {
    let key = key();
    let line = |text: &str| match AllowedSigners::parse(&format!("# first\nbob {key}\n{text}")) {
        Ok(_) => panic!("{text} is accepted"),
        Err(LineError { line, error }) => {
            assert_eq!(line, 3);
            error
        }
    };
    for (text, error) in [
        ("alice".to_owned(), Error::Principals),
        (format!("\"alice {key}"), Error::Principals),
        (format!("\"\" {key}"), Error::Principals),
        (format!("alice unknown {key}"), Error::SignerOption),
        (format!("alice unknown=\"x\" {key}"), Error::SignerOption),
        (format!("alice namespaces {key}"), Error::SignerOption),
        (format!("alice namespaces=git {key}"), Error::SignerOption),
        (format!("alice namespaces=\"\" {key}"), Error::SignerOption),
        (
            format!("alice namespaces=\"git\"x {key}"),
            Error::SignerOption,
        ),
        (
            format!("alice namespaces=\"git\", {key}"),
            Error::SignerOption,
        ),
        (
            format!("alice cert-authority=\"x\" {key}"),
            Error::SignerOption,
        ),
        (
            format!("alice cert-authority,cert-authority {key}"),
            Error::SignerOption,
        ),
        (
            format!("alice namespaces=\"a\",namespaces=\"b\" {key}"),
            Error::SignerOption,
        ),
        (format!("alice valid-after=\"2026\" {key}"), Error::Date),
        (
            format!("alice valid-before=\"20261301\" {key}"),
            Error::Date,
        ),
        ("alice namespaces=\"git\"".to_owned(), Error::Line),
        (format!("alice namespaces=\"git {key}"), Error::Line),
        ("alice ssh-mldsa44-ed25519 AAAA*".to_owned(), Error::Line),
        (format!("alice {key}\x07"), Error::Comment),
    ] {
        assert_eq!(line(&text), error, "{}", text.replace(key, "KEY"));
    }
    let long = AllowedSigners::parse(&"#".repeat(limits::ALLOWED_SIGNERS + 1)).unwrap_err();
    assert_eq!(
        long.to_string(),
        "the list of signers is longer than 16777216 bytes"
    );
    let error = LineError {
        line: 2,
        error: Error::Date,
    };
    assert_eq!(error.to_string(), "line 2: a date is malformed");
}

#[test]
fn dates() {
    for text in [
        "20261123",
        "20261123Z",
        "202611231500",
        "20261123150001Z",
        "20240229",
        "20000229",
        "20261231235960",
    ] {
        assert!(text.parse::<Date>().is_ok(), "{text}");
    }
    for text in [
        "",
        "Z",
        "2026112",
        "202611231",
        "2026112315000",
        "20261123 1500",
        "20260229",
        "21000229",
        "20261301",
        "20260001",
        "20260100",
        "20260431",
        "202611232400",
        "202611232360",
        "20261123235961",
        "-2026112",
        "+20261123",
        "20261123z",
        "２０２６１１２３",
    ] {
        assert_eq!(text.parse::<Date>(), Err(Error::Date), "{text}");
    }
}
