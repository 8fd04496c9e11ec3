//! Closed standard streams, and private keys that other users can read.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use crate::common::Folder;

/// Runs a line of shell with the command as `$0`; the exit status, and standard error without notes.
fn shell(folder: &Folder, line: &str) -> (i32, String) {
    let mut command = Command::new("sh");
    command.args(["-c", line, env!("CARGO_BIN_EXE_moissanite")]);
    let output = command.current_dir(folder.path("")).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), without_notes(&stderr))
}

fn without_notes(stderr: &str) -> String {
    let lines = stderr.split_inclusive('\n');
    let is_note = |line: &&str| line.starts_with("moissanite: note: ");
    lines.filter(|line| !is_note(line)).collect()
}

#[test]
fn a_closed_output_is_an_error() {
    let folder = Folder::signed();
    folder.write(
        "prompt",
        r#"{"vsId":1,"algorithm":"ML-DSA","mode":"keyGen","revision":"FIPS204","testGroups":[]}"#,
    );
    for args in [
        "keygen ml-dsa-44",
        "keygen ml-dsa-44 --public-out new",
        "keygen ml-dsa-44 --out new --public-out -",
        "keygen ml-dsa-44 --out /dev/stdout",
        "sign --key key.pem --in file",
        "convert key.pem",
        "acvp prompt",
        "cert self-sign --key key.pem --subject CN=a",
    ] {
        let (status, stderr) = shell(&folder, &format!("$0 {args} >&-"));
        assert_eq!(status, 2, "{args}: {stderr}");
        assert!(stderr.contains("standard output is closed"), "{stderr}");
        assert!(!folder.exists("new"), "{args}");
        // This is what the caller asked for.
        let (status, stderr) = shell(&folder, &format!("$0 {args} >/dev/null"));
        assert_eq!((status, stderr.as_str()), (0, ""), "{args}");
        let _ = fs::remove_file(folder.path("new"));
    }
    // For these commands, the exit status is the result.
    for args in [
        "keygen ml-dsa-44 --out new",
        "verify --key public.pem --signature file.sig --in file",
        "inspect key.pem",
        "inspect key.pem --json",
        "algorithms",
        "algorithms --json",
    ] {
        let (status, stderr) = shell(&folder, &format!("$0 {args} >&-"));
        assert_eq!((status, stderr.as_str()), (0, ""), "{args}");
        // Unlike a closed stream, a full one is an error.
        #[cfg(target_os = "linux")]
        if !args.starts_with("keygen") {
            let (status, stderr) = shell(&folder, &format!("$0 {args} >/dev/full"));
            assert_eq!(status, 2, "{args}: {stderr}");
            assert!(stderr.contains("cannot write standard output"), "{stderr}");
        }
    }
}

/// A pipe whose reader ended is an error, unlike a closed stream.
#[test]
fn a_broken_pipe() {
    let folder = Folder::signed();
    for args in [
        "inspect key.pem",
        "inspect key.pem --json",
        "algorithms --json",
        "sign --key key.pem --in file",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_moissanite"));
        command.args(args.split(' ')).stdout(writer);
        let output = command.current_dir(folder.path("")).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{args}: {stderr}");
        let kind = r#""kind":"io""#;
        assert_eq!(stderr.contains(kind), args.ends_with("--json"), "{stderr}");
    }
}

#[test]
fn a_closed_input_is_an_error() {
    let folder = Folder::signed();
    for args in [
        "sign --key key.pem --out new",
        "sign --key key.pem --in /dev/stdin --out new",
        "sign --key key.pem --in /dev/fd/0 --out new",
        "sign --key - --in file --out new",
        "verify --key public.pem --signature file.sig",
        "inspect -",
        "convert - --out new",
        "acvp --out new",
    ] {
        let (status, stderr) = shell(&folder, &format!("$0 {args} <&-"));
        assert_eq!(status, 2, "{args}: {stderr}");
        assert!(stderr.contains("standard input is closed"), "{stderr}");
        assert!(!folder.exists("new"), "{args}");
    }
    // An intentionally empty message, and an input that the command does not read.
    for line in [
        "$0 sign --key key.pem --out empty.sig </dev/null",
        "$0 verify --key public.pem --signature empty.sig </dev/null",
        ": | $0 verify --key public.pem --signature empty.sig",
        "$0 sign --key key.pem --in file --out file2.sig <&-",
        "$0 keygen ml-dsa-44 --out new <&- 2>&-",
    ] {
        assert_eq!(shell(&folder, line), (0, String::new()), "{line}");
    }
}

/// Every name of a closed stream is one, as an input and as an output.
#[test]
fn other_names_of_closed_streams() {
    let folder = Folder::signed();
    symlink("/dev/stdin", folder.path("in")).unwrap();
    symlink("/dev/stdout", folder.path("out")).unwrap();
    symlink("out", folder.path("out2")).unwrap();
    for (name, close, says) in [
        ("/dev/stdin", "<&-", "standard input is closed"),
        ("/dev/fd/0", "<&-", "standard input is closed"),
        ("in", "<&-", "standard input is closed"),
        ("/proc/thread-self/fd/0", "<&-", "standard input is closed"),
        ("/dev/fd/1", ">&-", "standard output is closed"),
        ("/dev/../dev/stdout", ">&-", "standard output is closed"),
        ("out2", ">&-", "standard output is closed"),
        ("/proc/thread-self/fd/1", ">&-", "standard output is closed"),
        ("/dev/stderr", "2>&-", ""),
        ("/proc/self/fd/2", "2>&-", ""),
    ] {
        for args in [
            format!("keygen ml-dsa-44 --out {name}"),
            format!("keygen ml-dsa-44 --out new --public-out {name}"),
            format!("convert key.pem --public --out {name}"),
            format!("sign --key key.pem --in file --out {name}"),
            format!("sign --key key.pem --in {name} --out new"),
            format!("inspect {name}"),
        ] {
            let (status, stderr) = shell(&folder, &format!("$0 {args} {close}"));
            assert_eq!(status, 2, "{args}: {stderr}");
            assert!(stderr.contains(says), "{args}: {stderr}");
            assert!(!folder.exists("new"), "{args}");
        }
    }
    let (_, stderr) = shell(&folder, "$0 sign --key key.pem --in /dev/fd/1 >&-");
    assert!(stderr.contains("standard output is closed"), "{stderr}");
    // A link to the device itself is what the caller asked for.
    symlink("/dev/null", folder.path("null")).unwrap();
    let line = "$0 sign --key key.pem --in null --out null <&-";
    assert_eq!(shell(&folder, line), (0, String::new()));
    let line = "$0 sign --key key.pem --in /dev/stdin --out /dev/stdout <file >new";
    assert_eq!(shell(&folder, &format!("{line} --force")).0, 0);
}

/// The second one of them would be empty.
#[test]
fn two_inputs_from_one_stream() {
    let folder = Folder::signed();
    for line in [
        "cat key.pem | $0 sign --key /dev/stdin --out new",
        "cat key.pem | $0 sign --key /dev/fd/0 --in /dev/stdin --out new",
        "cat key.pem | $0 sign --key - --in /dev/stdin --out new",
        "$0 sign --key /dev/stdin --out new <key.pem",
        "cat file.sig | $0 verify --key public.pem --signature /dev/stdin",
        "cat key.pem | $0 cert verify - --root /dev/stdin",
    ] {
        let (status, stderr) = shell(&folder, line);
        assert_eq!(status, 2, "{line}: {stderr}");
        let says = "only one input can come from standard input";
        assert!(stderr.contains(says), "{line}: {stderr}");
        assert!(!folder.exists("new"), "{line}");
    }
    for line in [
        "cat key.pem | $0 sign --key /dev/fd/3 --in /proc/self/fd/3 --out new 3<&0",
        "cat key.pem | $0 sign --key /dev/fd/3 --out new 3<&0",
    ] {
        let (status, stderr) = shell(&folder, line);
        let says = "are the same pipe";
        assert!(stderr.contains(says), "{line}: {status} {stderr}");
        assert!(!folder.exists("new"), "{line}");
    }
    // Two pipes, and one file as both.
    let line = "cat file | $0 sign --key key.pem --out new; cat file.sig | \
        $0 verify --key public.pem --signature - --in file";
    assert_eq!(shell(&folder, line), (0, String::new()));
    folder.ok("sign --key key.pem --in key.pem --out both.sig");
}

#[test]
fn a_private_key_redirected_to_a_readable_file() {
    let folder = Folder::signed();
    let says = "moissanite: warning: other users can read the file to which the private key";
    for (line, warns) in [
        ("umask 022; $0 keygen ml-dsa-44 >key", true),
        ("umask 037; $0 keygen ml-dsa-44 >key", true),
        ("umask 022; $0 convert key.pem >key", true),
        ("umask 077; $0 keygen ml-dsa-44 >key", false),
        ("umask 022; $0 keygen ml-dsa-44 | cat >key", false),
        (
            "umask 022; $0 keygen ml-dsa-44 --out new --public-out - >key",
            false,
        ),
        ("umask 022; $0 convert key.pem --public >key", false),
        ("umask 022; $0 sign --key key.pem --in file >key", false),
    ] {
        let (status, stderr) = shell(&folder, line);
        assert_eq!(status, 0, "{line}: {stderr}");
        assert_eq!(stderr.starts_with(says), warns, "{line}: {stderr}");
        assert_eq!(
            stderr.lines().count(),
            usize::from(warns),
            "{line}: {stderr}"
        );
        fs::remove_file(folder.path("key")).unwrap();
    }
}

#[test]
fn private_keys_readable_by_others() {
    let folder = Folder::signed();
    for args in [
        "sign --key key.pem --in file",
        "convert key.pem",
        "convert key.pem --public",
        "inspect key.pem",
        "cert self-sign --key key.pem --subject CN=a",
    ] {
        for (mode, warns) in [(0o600, false), (0o400, false), (0o640, true), (0o644, true)] {
            let mode = Permissions::from_mode(mode);
            fs::set_permissions(folder.path("key.pem"), mode).unwrap();
            let ended = folder.run(args);
            assert_eq!(ended.status, 0, "{args}: {}", ended.stderr);
            let says = "moissanite: warning: other users can read key.pem, ";
            let stderr = without_notes(&ended.stderr);
            assert_eq!(stderr.starts_with(says), warns, "{args}");
            assert_eq!(stderr.lines().count(), usize::from(warns), "{args}");
        }
    }
    let (status, stderr) = shell(&folder, "$0 sign --key - --in file <key.pem >sig");
    assert_eq!(status, 0);
    assert!(
        stderr.contains("other users can read standard input"),
        "{stderr}"
    );
    // Public keys may be readable by others.
    fs::set_permissions(folder.path("public.pem"), Permissions::from_mode(0o644)).unwrap();
    for args in [
        "verify --key public.pem --signature file.sig --in file",
        "inspect public.pem",
    ] {
        assert_eq!(folder.run(args).stderr, "");
    }
}

#[test]
fn the_demo_takes_a_regular_file() {
    let folder = Folder::signed();
    let says = "has to be a regular file, and";
    for line in [
        "echo x | $0 demo /dev/stdin",
        "$0 demo /dev/null",
        "$0 demo .",
    ] {
        let (status, stderr) = shell(&folder, line);
        assert_eq!(status, 2, "{line}: {stderr}");
        assert!(stderr.contains(says), "{line}: {stderr}");
    }
    // The pipe is not even opened, which would wait for a writer.
    Command::new("mkfifo")
        .arg(folder.path("pipe"))
        .status()
        .unwrap();
    folder.fails(2, "demo pipe", says);
    #[cfg(target_os = "linux")]
    assert_eq!(
        shell(&folder, "$0 demo /dev/stdin <file"),
        (0, String::new())
    );
}
