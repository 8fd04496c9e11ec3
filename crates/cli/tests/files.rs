//! Outputs: complete or not at all, with the right permissions, and never over existing files.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use crate::common::Folder;

#[test]
fn nothing_is_overwritten_without_force() {
    let folder = Folder::signed();
    folder.write("kept", b"precious");
    // The error comes before a message, which may be long, is read.
    let absent = "sign --key key.pem --in absent --out kept";
    folder.fails(2, absent, "kept exists already");
    for args in [
        "keygen ml-dsa-44 --out kept",
        "keygen ml-dsa-44 --out new --public-out kept",
        "keygen ml-dsa-44 --out kept --public-out new",
        "sign --key key.pem --in file --out kept",
        "convert key.pem --out kept",
        "acvp prompt.json --out kept",
    ] {
        folder.write(
            "prompt.json",
            r#"{"vsId":1,"algorithm":"ML-DSA","mode":"keyGen","revision":"FIPS204","testGroups":[]}"#,
        );
        folder.fails(2, args, "kept exists already");
        assert_eq!(folder.read("kept"), b"precious");
        assert!(!folder.exists("new"));
        folder.ok(&format!("{args} --force"));
        assert_ne!(folder.read("kept"), b"precious");
        folder.write("kept", b"precious");
        let _ = fs::remove_file(folder.path("new"));
    }
    let left: Vec<_> = folder
        .names()
        .into_iter()
        .filter(|name| name.starts_with('.'))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn both_keys_or_none() {
    let folder = Folder::new();
    fs::create_dir(folder.path("folder")).unwrap();
    folder.write("old", b"old");
    for args in [
        "--out key --public-out absent/public",
        "--out absent/key --public-out public",
        "--out key --public-out folder",
        "--out folder --public-out public",
        "--out key --public-out key",
        "--out key --public-out ./key",
        "--out key --public-out old",
        "--out folder --public-out old --force",
        "--out old --public-out folder --force",
    ] {
        folder.fails(2, &format!("keygen ml-dsa-44 {args}"), "");
        assert_eq!(folder.names(), ["folder", "old"], "{args}");
        assert_eq!(folder.read("old"), b"old", "{args}");
    }
}

#[test]
fn a_failure_leaves_no_output() {
    let folder = Folder::signed();
    let before = folder.names();
    for args in [
        "sign --key public.pem --in file --out new",
        "sign --key absent --in file --out new",
        "sign --key key.pem --in absent --out new",
        "sign --key key.pem --in . --out new",
        "sign --key key.pem --in file --out absent/new",
        "sign --key key.pem --in file --out .",
        "convert file --out new",
        "convert public.pem --form seed --out new",
        "acvp file --out new",
        "keygen ml-dsa-44 --out file/new",
    ] {
        folder.fails(2, args, "");
        assert_eq!(folder.names(), before, "{args}");
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, File, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::{Command, Stdio};

    use crate::common::Folder;

    fn mode(folder: &Folder, name: &str) -> u32 {
        fs::metadata(folder.path(name))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    }

    #[test]
    fn private_keys_are_the_owner_s() {
        let folder = Folder::signed();
        folder.write("open", b"");
        fs::set_permissions(folder.path("open"), Permissions::from_mode(0o666)).unwrap();
        folder.ok("keygen ml-dsa-44 --out open --force");
        folder.ok("convert key.pem --format der --out key.der");
        folder.ok("convert key.pem --format raw --out key.raw");
        for name in ["key.pem", "open", "key.der", "key.raw"] {
            assert_eq!(mode(&folder, name), 0o600, "{name}");
        }
        // The umask may remove more permissions, but not those of the owner.
        File::create(folder.path("usual")).unwrap();
        folder.ok("convert key.pem --public --out public2.pem");
        for name in ["public.pem", "file.sig", "public2.pem"] {
            assert_eq!(mode(&folder, name), mode(&folder, "usual"), "{name}");
        }
    }

    #[test]
    fn links_stay_links() {
        let folder = Folder::signed();
        folder.write("target", b"old");
        symlink("target", folder.path("link")).unwrap();
        folder.fails(
            2,
            "sign --key key.pem --in file --out link",
            "exists already",
        );
        folder.ok("sign --key key.pem --in file --out link --force");
        assert!(folder.path("link").symlink_metadata().unwrap().is_symlink());
        assert_eq!(folder.read("target").len(), 2420);
        symlink("nowhere", folder.path("dangling")).unwrap();
        folder.fails(
            2,
            "sign --key key.pem --in file --out dangling",
            "exists already",
        );
    }

    #[test]
    fn devices_are_written_to_and_not_replaced() {
        let folder = Folder::signed();
        folder.ok("sign --key key.pem --in file --out /dev/null");
        let kind = fs::metadata("/dev/null").unwrap().file_type();
        assert!(!kind.is_file());
        let bytes = folder.ok("sign --key key.pem --in file --out /dev/stdout");
        assert_eq!(bytes.len(), 2420);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let folder = Folder::signed();
        let says = "No space left";
        folder.fails(2, "sign --key key.pem --in file --out /dev/full", says);
        // Without a line end, so that all of it waits for the last flush.
        folder.write("seed", [7; 32]);
        for args in [
            "algorithms",
            "--help",
            "inspect key.pem",
            "keygen ml-dsa-44",
            "demo file",
            "convert seed --algorithm ml-dsa-44 --form seed --format raw",
        ] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_moissanite"));
            let full = File::options().write(true).open("/dev/full").unwrap();
            command
                .args(args.split(' '))
                .current_dir(folder.path(""))
                .stdout(full);
            let output = command.output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{args}: {stderr}");
            assert!(stderr.contains(says), "{args}: {stderr}");
        }
        // The stream fails, so the file is not written either.
        let mut command = Command::new(env!("CARGO_BIN_EXE_moissanite"));
        let full = File::options().write(true).open("/dev/full").unwrap();
        command
            .args(["keygen", "ml-dsa-44", "--public-out", "new"])
            .stdout(full);
        let status = command
            .current_dir(folder.path(""))
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(2));
        assert!(!folder.exists("new"));
    }

    #[test]
    fn a_closed_pipe_is_an_error() {
        let folder = Folder::signed();
        for args in ["algorithms", "sign --key key.pem --in file", "help"] {
            let moissanite = env!("CARGO_BIN_EXE_moissanite");
            let script = format!("(sleep 0.3; {moissanite} {args}; echo $? > status) | true");
            let mut command = Command::new("sh");
            command.args(["-c", &script]).current_dir(folder.path(""));
            let output = command.output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!(folder.read("status"), b"2\n", "{args}");
            assert!(
                stderr.contains("cannot write standard output: "),
                "{args}: {stderr}"
            );
            assert_eq!(stderr.lines().count(), 1, "{args}: {stderr}");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_written_to_stays_as_it_is() {
        let folder = Folder::new();
        let closed = folder.path("closed");
        fs::create_dir(&closed).unwrap();
        fs::set_permissions(&closed, Permissions::from_mode(0o555)).unwrap();
        // The superuser may write all the same: another reason for a closed folder.
        let writable = fs::write(closed.join("probe"), b"").is_ok();
        let out = if writable { "/proc/key" } else { "closed/key" };
        folder.fails(
            2,
            &format!("keygen ml-dsa-44 --out {out} --public-out public"),
            "cannot write",
        );
        assert_eq!(folder.names(), ["closed"]);
    }
}
