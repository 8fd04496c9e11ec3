//! Signing and verifying several files, each with its signature beside it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::{ALGORITHMS, Folder};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.keygen("ml-dsa-44", "key.pem", "public.pem");
    for name in ["a", "b", "c"] {
        folder.write(name, name);
    }
    folder
}

/// The status and the lines of a run.
fn lines(folder: &Folder, args: &str) -> (i32, Vec<String>) {
    let ended = folder.run(args);
    let text = String::from_utf8(ended.stdout).unwrap();
    let lines = text.lines();
    (ended.status, lines.map(str::to_owned).collect())
}

#[test]
fn every_file_gets_a_signature_and_a_line() {
    let folder = folder();
    folder.ok("sign --key key.pem a b c");
    for name in ["a.sig", "b.sig", "c.sig"] {
        assert_eq!(folder.read(name).len(), 2420);
    }
    let verify = "verify --key public.pem a b c";
    let valid = ["a: valid", "b: valid", "c: valid"];
    assert_eq!(lines(&folder, verify), (0, valid.map(str::to_owned).into()));

    folder.write("b", "changed");
    let (status, all) = lines(&folder, verify);
    assert_eq!((status, all.len()), (1, 3));
    assert!(all[1].starts_with("b: not valid: b.sig is not a signature of this message"));
    assert_eq!([&all[0], &all[2]], [valid[0], valid[2]]);
    // A signature that is not valid counts more than a file that cannot be read.
    let (status, all) = lines(&folder, "verify --key public.pem absent b c");
    assert_eq!((status, all.len()), (1, 3));
    assert!(
        all[0].starts_with("absent: cannot read absent.sig"),
        "{all:?}"
    );
    folder.write("b", "b");
    let (status, all) = lines(&folder, "verify --key public.pem a absent c");
    assert_eq!((status, all.len()), (2, 3));
    assert_eq!([&all[0], &all[2]], [valid[0], valid[2]]);
}

/// Each file can be signed by another one of several keys.
#[test]
fn several_keys_and_several_files() {
    let folder = folder();
    folder.keygen("ml-dsa-65", "other.pem", "other-public.pem");
    folder.ok("sign --key key.pem a");
    folder.ok("sign --key other.pem --armor b");
    folder.ok("keygen dilithium2 --out old");
    let keys = "--key public.pem --key other-public.pem";
    let expected = ["a: valid, by public.pem", "b: valid, by other-public.pem"];
    assert_eq!(
        lines(&folder, &format!("verify {keys} a b")),
        (0, expected.map(str::to_owned).into())
    );
    let (status, all) = lines(&folder, "verify --key public.pem a b");
    assert_eq!((status, all[0].as_str()), (1, "a: valid"));
    let says = "b: not valid: b.sig is a signature of ML-DSA-65, and the key is one of ML-DSA-44";
    assert_eq!(all[1], says);
    // The label decides between algorithms whose signatures have the same length.
    folder.ok("sign --key old --algorithm dilithium2 --armor c");
    folder.fails(
        1,
        "verify --key public.pem --signature c.sig --in c",
        "is a signature of Dilithium2, and the key is one of ML-DSA-44",
    );
}

#[test]
fn swapped_signatures() {
    let folder = folder();
    folder.ok("sign --key key.pem a b");
    let (a, b) = (folder.read("a.sig"), folder.read("b.sig"));
    folder.write("a.sig", b);
    folder.write("b.sig", a);
    let (status, all) = lines(&folder, "verify --key public.pem a b");
    assert_eq!(status, 1);
    assert!(all.iter().all(|line| line.contains("not valid")), "{all:?}");
    let ended = folder.run("verify --key public.pem a b");
    assert_eq!(ended.stderr, "moissanite: not valid: 2 of 2 files\n");
    folder.ok("verify --key public.pem --signature b.sig a");
    folder.ok("verify --key public.pem --signature a.sig --in b");
}

#[test]
fn all_signatures_or_none() {
    let folder = folder();
    folder.write("b.sig", "precious");
    let before = folder.names();
    folder.fails(2, "sign --key key.pem a b c", "b.sig exists already");
    for (args, says) in [
        ("a absent", "cannot read absent"),
        ("a .", "cannot read ."),
        ("a a", "two outputs cannot both be written to"),
        ("a ./a", "two outputs cannot both be written to"),
        ("a b b.sig --force", "is the same file as the input"),
        ("a key.pem key.pem.sig", "cannot read key.pem.sig"),
        ("a c --out new", "--out takes one signature"),
        ("a --in c", "cannot be used with"),
        ("--in a --recursive .", "cannot be used with"),
    ] {
        folder.fails(2, &format!("sign --key key.pem {args}"), says);
        assert_eq!(folder.names(), before, "{args}");
        assert_eq!(folder.read("b.sig"), b"precious");
    }
    folder.ok("sign --key key.pem a b c --force");
    folder.ok("verify --key public.pem a b c");
    folder.ok("sign --key key.pem a --out one");
    folder.ok("verify --key public.pem --signature one a");
}

#[test]
fn sources_without_a_name() {
    let folder = folder();
    let signature = folder.ok_with("sign --key key.pem -", b"a");
    folder.write("sig", signature);
    let stdout = folder.ok_with("verify --key public.pem --signature sig -", b"a");
    assert!(stdout.starts_with(b"standard input: valid\n"));
    let says = "the signature of standard input has no default name";
    folder.fails_with(2, "verify --key public.pem -", b"a", says);
    let says = "--signature is the signature of one message";
    folder.fails(2, "verify --key public.pem --signature sig a b", says);
    folder.fails(2, "verify --key public.pem", "--signature");
    folder.fails(2, "verify --key public.pem --in a", "--signature");
}

/// One preparation of the key serves all messages, and the signatures are those of single messages.
#[test]
fn several_messages_have_the_signatures_of_single_ones() {
    for algorithm in ALGORITHMS {
        let folder = Folder::new();
        folder.ok(&format!(
            "keygen {algorithm} --format raw --out key --public-out public"
        ));
        folder.write("a", "a");
        folder.write("b", vec![7; 300_000]);
        let of = format!("--algorithm {algorithm}");
        folder.ok(&format!("sign --key key {of} --deterministic a b"));
        for name in ["a", "b"] {
            let one = format!("sign --key key {of} --deterministic --in {name}");
            let beside = folder.read(&format!("{name}.sig"));
            assert_eq!(folder.ok(&one), beside, "{algorithm}");
            assert_eq!(folder.ok(&format!("{one} --backend portable")), beside);
        }
        folder.ok(&format!("verify --key public {of} a b"));
    }
}

/// Outputs do not stay open, so that more of them than a process can have open are written.
#[cfg(target_os = "linux")]
#[test]
fn more_files_than_can_be_open() {
    use std::process::Command;

    let folder = folder();
    let names: Vec<_> = (0..100).map(|number| format!("file{number}")).collect();
    for name in &names {
        folder.write(name, name);
    }
    let moissanite = env!("CARGO_BIN_EXE_moissanite");
    for args in ["sign --key key.pem --force", "verify --key public.pem"] {
        let script = format!("ulimit -n 32; exec {moissanite} {args} {}", names.join(" "));
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(folder.path(""));
        let output = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args}: {stderr}");
    }
}
