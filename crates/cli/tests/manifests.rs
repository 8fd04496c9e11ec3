//! Manifests of folders: what `sha512sum` reads, and what somebody who can change the folder tries.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::common::Folder;

const SIGN: &str = "sign --key key.pem --recursive tree";
const VERIFY: &str = "verify --key public.pem --recursive tree";

/// Names with every character that one of the two programs could misread.
const NAMES: [&[u8]; 16] = [
    b"a",
    b"a.b",
    b"folder/a",
    b"folder/SHA512SUMS",
    b"folder/deeper/a",
    b"#comment",
    b" space ",
    b"*star",
    b"-dash",
    b"new\nline",
    b"return\r",
    b"back\\slash",
    b"arrow -> a",
    b"SHA512SUMS (a)",
    b"\xff\xfe",
    "é".as_bytes(),
];

/// A folder with keys, and a folder `tree` with files.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.keygen("ml-dsa-44", "key.pem", "public.pem");
    fs::create_dir_all(folder.path("tree/folder/deeper")).unwrap();
    fs::create_dir(folder.path("tree/empty")).unwrap();
    for name in NAMES {
        let path = folder.path("tree").join(OsStr::from_bytes(name));
        fs::write(path, name).unwrap();
    }
    folder.write("tree/nothing", "");
    symlink("folder/a", folder.path("tree/link")).unwrap();
    symlink("/nowhere -> \\\n>", folder.path("tree/dangling > link")).unwrap();
    folder
}

fn signed() -> Folder {
    let folder = folder();
    folder.ok(SIGN);
    folder
}

/// Verifies the folder, which differs, and returns the lines without those that name the key.
#[track_caller]
fn differences(folder: &Folder, status: i32) -> Vec<String> {
    let ended = folder.run(VERIFY);
    assert_eq!(ended.status, status, "{}", ended.stderr);
    let text = String::from_utf8(ended.stdout).unwrap();
    let lines = text.lines().map(str::to_owned);
    let mut lines: Vec<_> = lines.collect();
    assert!(lines[lines.len() - 3].starts_with("key "), "{lines:?}");
    lines.truncate(lines.len() - 3);
    lines
}

/// Replaces the manifest by another one, which the same key signs.
fn replace_manifest(folder: &Folder, bytes: impl AsRef<[u8]>) {
    folder.write("tree/SHA512SUMS", bytes);
    folder.ok("sign --key key.pem --force tree/SHA512SUMS");
}

#[test]
fn sha512sum_reads_the_manifest() {
    for options in ["", "--armor", "--context backup", "--deterministic"] {
        let folder = folder();
        folder.ok(&format!("{SIGN} {options}"));
        let mut command = Command::new("sha512sum");
        command.args(["--check", "--strict", "SHA512SUMS"]);
        let output = command.current_dir(folder.path("tree")).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
        assert_eq!(stderr, "");
        let count = output.stdout.split(|byte| *byte == b'\n').count();
        assert_eq!(count, NAMES.len() + 2);
        let context = options
            .strip_prefix("--context")
            .map_or(String::new(), |c| format!("--context{c}"));
        folder.ok(&format!("{VERIFY} {context}"));
        let armored = folder
            .read("tree/SHA512SUMS.sig")
            .starts_with(b"Algorithm: ");
        assert_eq!(armored, options == "--armor");
    }
}

/// The lines are those that `sha512sum` itself writes.
#[test]
fn the_lines_are_those_of_sha512sum() {
    let folder = signed();
    let manifest = folder.read("tree/SHA512SUMS");
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> {
        let all = bytes.split_inclusive(|byte| *byte == b'\n');
        all.map(<[u8]>::to_vec).collect()
    };
    let files: Vec<_> = lines(&manifest)
        .into_iter()
        .filter(|line| line[0] != b'#')
        .collect();
    let mut command = Command::new("sha512sum");
    command
        .arg("--")
        .args(NAMES.iter().map(|name| OsStr::from_bytes(name)))
        .arg("nothing");
    let output = command.current_dir(folder.path("tree")).output().unwrap();
    let mut expected = lines(&output.stdout);
    let mut found = files.clone();
    assert_eq!(expected.len(), NAMES.len() + 1);
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
    let links: Vec<_> = lines(&manifest)
        .into_iter()
        .filter(|line| line[0] == b'#')
        .collect();
    let expected: [&[u8]; 2] = [
        b"# link: dangling \\> link -> /nowhere -\\> \\\\\\n\\>\n",
        b"# link: link -> folder/a\n",
    ];
    assert_eq!(links, expected);
    // Another run gives the same bytes.
    folder.ok(&format!("{SIGN} --force"));
    assert_eq!(folder.read("tree/SHA512SUMS"), manifest);
}

#[test]
fn every_difference_is_listed() {
    let folder = signed();
    assert!(folder.ok(VERIFY).starts_with(b"valid\n"));
    // Permissions and empty folders are not recorded.
    fs::remove_dir(folder.path("tree/empty")).unwrap();
    fs::create_dir_all(folder.path("tree/new/empty")).unwrap();
    fs::set_permissions(folder.path("tree/a"), Permissions::from_mode(0o700)).unwrap();
    assert!(folder.ok(VERIFY).starts_with(b"valid\n"));

    folder.write("tree/a", "b");
    fs::remove_file(folder.path("tree/a.b")).unwrap();
    folder.write("tree/folder/new", "");
    fs::remove_file(folder.path("tree/link")).unwrap();
    symlink("folder/deeper/a", folder.path("tree/link")).unwrap();
    symlink("folder", folder.path("tree/new link")).unwrap();
    folder.write("tree/folder/SHA512SUMS", "other");
    folder.write("tree/folder/SHA512SUMS.sig", "new");
    fs::remove_file(folder.path("tree/nothing")).unwrap();
    fs::create_dir(folder.path("tree/nothing")).unwrap();
    fs::remove_file(folder.path("tree/ space ")).unwrap();
    symlink("a", folder.path("tree/ space ")).unwrap();
    fs::write(
        folder
            .path("tree")
            .join(OsStr::from_bytes(b"\xff\n\xe2\x80\xae")),
        "",
    )
    .unwrap();
    let expected = [
        " space : changed",
        "a: changed",
        "a.b: missing",
        "folder/SHA512SUMS: changed",
        "folder/SHA512SUMS.sig: new",
        "folder/new: new",
        "link: changed",
        "new link: new",
        "nothing: missing",
        "\\xff\\n\\u{202e}: new",
    ];
    assert_eq!(differences(&folder, 1), expected);
    let ended = folder.run(VERIFY);
    assert_eq!(
        ended.stderr,
        "moissanite: not valid: tree differs from its manifest: 4 changed, 2 missing, 4 new\n"
    );
}

#[test]
fn the_signature_comes_first() {
    let folder = signed();
    // The differences are not listed: nothing is known before the signature is valid.
    folder.write("tree/a", "b");
    folder.keygen("ml-dsa-44", "other.pem", "other-public.pem");
    let verify = "verify --key other-public.pem --recursive tree";
    folder.fails(
        1,
        verify,
        "tree/SHA512SUMS.sig is not a signature of this message by this key",
    );
    folder.fails(1, &format!("{VERIFY} --context a"), "is not a signature");
    let manifest = folder.read("tree/SHA512SUMS");
    let [first, rest @ ..] = manifest.as_slice() else {
        return;
    };
    for changed in [
        [&[*first], rest, b"\n"].concat(),
        rest.to_vec(),
        Vec::new(),
        [&manifest[..], &manifest[..]].concat(),
    ] {
        folder.write("tree/SHA512SUMS", changed);
        folder.fails(1, VERIFY, "tree/SHA512SUMS.sig is not a signature");
    }
    folder.write("tree/SHA512SUMS", &manifest);
    folder.write("tree/SHA512SUMS.sig", "");
    folder.fails(1, VERIFY, "has 0 bytes");
    for name in ["SHA512SUMS.sig", "SHA512SUMS"] {
        fs::remove_file(folder.path("tree").join(name)).unwrap();
        folder.fails(2, VERIFY, "cannot read tree/SHA512SUMS");
    }
}

/// Manifests that the key signed, but that are not of this form.
#[test]
fn malformed_manifests() {
    let folder = signed();
    let hash = "ab".repeat(64);
    let good = format!("{hash}  a\n");
    for (text, says) in [
        (
            format!("{hash}  ../a\n"),
            "line 1 has a name that is absolute",
        ),
        (
            format!("{hash}  folder/../../a\n"),
            "line 1 has a name that is absolute",
        ),
        (
            format!("{hash}  /etc/passwd\n"),
            "line 1 has a name that is absolute",
        ),
        (
            format!("{hash}  ./a\n"),
            "line 1 has a name that is absolute",
        ),
        (
            format!("{hash}  SHA512SUMS\n"),
            "line 1 has a name that is absolute",
        ),
        (good.repeat(2), "line 2 repeats another one"),
        (format!("{hash}  b\n{good}"), "line 2 repeats another one"),
        (
            format!("# link: link -> /etc\n{hash}  link/passwd\n"),
            "line 2 is below a file or a symbolic link",
        ),
        (good.trim_end().into(), "line 1 is not one that"),
        (format!("{good}# comment\n"), "line 2 is not one that"),
        (format!("SHA512 (a) = {hash}\n"), "line 1 is not one that"),
    ] {
        replace_manifest(&folder, text);
        folder.fails(2, VERIFY, says);
    }
}

/// A manifest of another folder is not that of this one, although its signature is valid.
#[test]
fn swapped_manifests() {
    let folder = signed();
    fs::create_dir(folder.path("other")).unwrap();
    folder.write("other/a", "other");
    folder.ok("sign --key key.pem --recursive other");
    for name in ["SHA512SUMS", "SHA512SUMS.sig"] {
        fs::copy(
            folder.path("other").join(name),
            folder.path("tree").join(name),
        )
        .unwrap();
    }
    let all = differences(&folder, 1);
    assert_eq!(all.len(), NAMES.len() + 3);
    assert!(all.contains(&"a: changed".into()), "{all:?}");
}

/// A folder that becomes a symbolic link is not followed, wherever it leads.
#[test]
fn folders_replaced_by_links() {
    let folder = signed();
    fs::rename(folder.path("tree/folder"), folder.path("outside")).unwrap();
    symlink("../outside", folder.path("tree/folder")).unwrap();
    let expected = [
        "folder: new",
        "folder/SHA512SUMS: missing",
        "folder/a: missing",
        "folder/deeper/a: missing",
    ];
    assert_eq!(differences(&folder, 1), expected);
    // Signing again records the link, and nothing outside.
    folder.ok(&format!("{SIGN} --force"));
    let manifest = folder.read("tree/SHA512SUMS");
    let manifest = String::from_utf8_lossy(&manifest);
    assert!(
        manifest.contains("# link: folder -> ../outside\n"),
        "{manifest}"
    );
    assert!(!manifest.contains("folder/deeper"), "{manifest}");
    folder.ok(VERIFY);
    // A manifest and its signature are not read through links either.
    for name in ["SHA512SUMS", "SHA512SUMS.sig"] {
        let path = folder.path("tree").join(name);
        fs::rename(&path, folder.path("moved")).unwrap();
        symlink("../moved", &path).unwrap();
        folder.fails(2, VERIFY, &format!("cannot read tree/{name}"));
        fs::remove_file(&path).unwrap();
        fs::rename(folder.path("moved"), &path).unwrap();
    }
    folder.ok(VERIFY);
}

/// A pipe has no content and would block the command.
#[test]
fn special_files() {
    let folder = signed();
    let pipe = |name: &str| {
        let status = Command::new("mkfifo").arg(folder.path(name)).status();
        assert!(status.unwrap().success());
    };
    pipe("tree/pipe");
    let says = "pipe: it is neither a file, a folder nor a symbolic link";
    let before = folder.read("tree/SHA512SUMS");
    folder.fails(2, &format!("{SIGN} --force"), says);
    assert_eq!(folder.read("tree/SHA512SUMS"), before);
    assert_eq!(differences(&folder, 1), ["pipe: new"]);
    fs::remove_file(folder.path("tree/pipe")).unwrap();
    fs::remove_file(folder.path("tree/a")).unwrap();
    pipe("tree/a");
    assert_eq!(differences(&folder, 1), ["a: changed"]);
    fs::remove_file(folder.path("tree/SHA512SUMS.sig")).unwrap();
    pipe("tree/SHA512SUMS.sig");
    folder.fails(2, VERIFY, "tree/SHA512SUMS.sig: it is neither a file");
}

/// The superuser can read everything, so that this test runs the command as another user.
#[test]
fn unreadable_files_and_folders() {
    let folder = signed();
    let moissanite = folder.path("moissanite");
    fs::copy(env!("CARGO_BIN_EXE_moissanite"), &moissanite).unwrap();
    let run = |args: &str| {
        let is_superuser = fs::metadata("/proc/self").is_ok_and(|own| {
            use std::os::unix::fs::MetadataExt;
            own.uid() == 0
        });
        let mut command = if is_superuser {
            let mut command = Command::new("setpriv");
            command
                .args(["--reuid=65534", "--clear-groups"])
                .arg(&moissanite);
            command
        } else {
            Command::new(&moissanite)
        };
        let output = command
            .args(args.split(' '))
            .current_dir(folder.path(""))
            .output();
        let output = output.unwrap();
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code().unwrap(), stdout, stderr)
    };
    fs::set_permissions(folder.path(""), Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(folder.path("key.pem"), Permissions::from_mode(0o644)).unwrap();
    assert_eq!(run(VERIFY).0, 0, "{:?}", run(VERIFY));
    let closed = |name: &str, mode| {
        fs::set_permissions(folder.path(name), Permissions::from_mode(mode)).unwrap();
    };
    for (name, mode) in [("a", 0o644), ("folder", 0o755)] {
        closed(&format!("tree/{name}"), 0);
        let says = format!("cannot read {name}: Permission denied");
        let (status, stdout, stderr) = run(VERIFY);
        assert_eq!((status, stdout.lines().count()), (2, 4), "{stdout}");
        assert!(stdout.starts_with(&format!("{name}: {says}")), "{stdout}");
        assert!(stderr.contains(&says), "{stderr}");
        let (status, _, stderr) = run(&format!("{SIGN} --force"));
        assert_eq!(status, 2);
        assert!(stderr.contains(&says), "{stderr}");
        // A difference counts more.
        folder.write("tree/new", "");
        let (status, stdout, _) = run(VERIFY);
        assert_eq!((status, stdout.lines().count()), (1, 5), "{stdout}");
        fs::remove_file(folder.path("tree/new")).unwrap();
        closed(&format!("tree/{name}"), mode);
    }
    assert_eq!(run(VERIFY).0, 0);
}

/// Another thread writes to a file until the command has ended.
#[test]
fn files_that_change_while_they_are_read() {
    let folder = signed();
    let mut file = File::create(folder.path("tree/growing")).unwrap();
    file.set_len(8 << 20).unwrap();
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                file.write_all(b"more").unwrap();
            }
        });
        let ended = folder.run(&format!("{SIGN} --force"));
        is_done.store(true, Ordering::Relaxed);
        assert_eq!(ended.status, 2);
        assert!(
            ended
                .stderr
                .contains("growing: it changed while it was read"),
            "{}",
            ended.stderr
        );
    });
    folder.ok(&format!("{SIGN} --force"));
    folder.ok(VERIFY);
}

#[test]
fn what_cannot_be_signed() {
    let folder = folder();
    folder.write("file", "");
    fs::create_dir_all(folder.path("empty/folder")).unwrap();
    symlink("nowhere", folder.path("empty/link")).unwrap();
    for (args, says) in [
        (
            "sign --key key.pem --recursive absent",
            "cannot read absent",
        ),
        ("sign --key key.pem --recursive file", "cannot read file"),
        (
            "sign --key key.pem --recursive empty",
            "there are no files in it",
        ),
        (
            "sign --key public.pem --recursive tree",
            "it is a public key",
        ),
        (
            "verify --key public.pem --recursive absent",
            "cannot read absent",
        ),
        (
            "verify --key public.pem --recursive tree",
            "cannot read tree/SHA512SUMS.sig",
        ),
    ] {
        folder.fails(2, args, says);
        assert!(!folder.exists("tree/SHA512SUMS"), "{args}");
    }
    for name in ["SHA512SUMS", "SHA512SUMS.sig"] {
        let path = Path::new("tree").join(name);
        let path = path.to_str().unwrap();
        folder.write(path, "precious");
        folder.fails(2, SIGN, "exists already");
        assert_eq!(folder.read(path), b"precious");
        fs::remove_file(folder.path(path)).unwrap();
    }
    assert!(!folder.exists("tree/SHA512SUMS"));
    // A private key in the folder is published with it.
    fs::copy(folder.path("key.pem"), folder.path("tree/key.pem")).unwrap();
    let ended = folder.run("sign --key tree/key.pem --recursive tree");
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(
        ended
            .stderr
            .contains("warning: the private key tree/key.pem is in the folder"),
        "{}",
        ended.stderr
    );
    // A link to the folder names the folder.
    symlink("tree", folder.path("alias")).unwrap();
    folder.ok("verify --key public.pem --recursive alias");
}

/// Many files, of which the threads take one after the other.
#[test]
fn many_files() {
    let folder = Folder::new();
    folder.keygen("ml-dsa-44", "key.pem", "public.pem");
    for number in 0..500 {
        let name = format!("tree/{}/{}", number & 7, number);
        fs::create_dir_all(folder.path(&name).parent().unwrap()).unwrap();
        folder.write(&name, vec![7; number * 100]);
    }
    folder.ok(SIGN);
    let mut command = Command::new("sha512sum");
    command.args(["--check", "--strict", "--quiet", "SHA512SUMS"]);
    let status = command.current_dir(folder.path("tree")).status().unwrap();
    assert!(status.success());
    folder.ok(VERIFY);
    for number in [1, 250, 499] {
        folder.write(&format!("tree/{}/{number}", number & 7), "changed");
    }
    let expected = ["1/1: changed", "2/250: changed", "3/499: changed"];
    assert_eq!(differences(&folder, 1), expected);
}
