//! No output replaces an input under any name, with or without `--force`.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use crate::common::Folder;

const SAYS: &str = "is the same file as the input";

/// A folder with inputs of all commands, and other names for some of them.
fn folder() -> Folder {
    let folder = Folder::signed();
    folder.ok("cert self-sign --key key.pem --subject CN=Root --ca --out root.pem");
    folder.ok("cert request --key key.pem --subject CN=a --out request.pem");
    folder.write(
        "prompt",
        r#"{"vsId":1,"algorithm":"ML-DSA","mode":"keyGen","revision":"FIPS204","testGroups":[]}"#,
    );
    fs::create_dir(folder.path("folder")).unwrap();
    folder
}

#[test]
fn every_input_of_every_subcommand() {
    let folder = folder();
    for (args, input) in [
        ("sign --key @ --in file", "key.pem"),
        ("sign --key key.pem --in @", "file"),
        ("convert @ --public", "key.pem"),
        ("convert @ --form both", "key.pem"),
        ("convert @", "public.pem"),
        ("acvp @", "prompt"),
        ("cert self-sign --subject CN=a --key @", "key.pem"),
        ("cert request --subject CN=a --key @", "key.pem"),
        (
            "cert issue @ --issuer root.pem --key key.pem",
            "request.pem",
        ),
        (
            "cert issue request.pem --issuer @ --key key.pem",
            "root.pem",
        ),
        (
            "cert issue request.pem --issuer root.pem --key @",
            "key.pem",
        ),
    ] {
        let before = folder.read(input);
        symlink(input, folder.path("link")).unwrap();
        symlink("link", folder.path("link2")).unwrap();
        fs::hard_link(folder.path(input), folder.path("hard")).unwrap();
        let dotted = format!("./{input}");
        let around = format!("folder/../{input}");
        let whole = folder.path(input);
        let names = [
            input,
            &dotted,
            &around,
            "link",
            "link2",
            "hard",
            whole.to_str().unwrap(),
        ];
        for name in names {
            for (read, written) in [(input, name), (name, input)] {
                let args = format!("{} --out {written}", args.replace('@', read));
                folder.fails(2, &format!("{args} --force"), SAYS);
                folder.fails(2, &args, SAYS);
                assert_eq!(folder.read(input), before, "{args}");
            }
        }
        for name in ["link", "link2", "hard"] {
            fs::remove_file(folder.path(name)).unwrap();
        }
    }
    // With another output, all of them work.
    folder.ok("cert issue request.pem --issuer root.pem --key key.pem --out new");
    folder.ok("convert key.pem --public --out new --force");
}

#[test]
fn redirected_inputs_and_outputs() {
    let folder = folder();
    let before = folder.read("key.pem");
    let run = |args: &str, input: Stdio, output: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_moissanite"));
        command.args(args.split(' ')).current_dir(folder.path(""));
        let output = command.stdin(input).stdout(output).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args}: {stderr}");
        assert!(stderr.contains(SAYS), "{args}: {stderr}");
    };
    let key = || File::open(folder.path("key.pem")).unwrap().into();
    let append = || {
        let mut options = File::options();
        options.append(true).open(folder.path("key.pem")).unwrap()
    };
    let convert = "convert - --public --out key.pem --force";
    run(convert, key(), Stdio::null());
    run("convert key.pem --public", Stdio::null(), append().into());
    run("convert /dev/stdin --public", key(), append().into());
    run("sign --key - --in file", key(), append().into());
    assert_eq!(folder.read("key.pem"), before);
}

#[test]
fn both_keys_in_one_file() {
    let folder = Folder::new();
    folder.write("old", b"old");
    fs::hard_link(folder.path("old"), folder.path("hard")).unwrap();
    symlink("old", folder.path("link")).unwrap();
    let says = "two outputs cannot both be written to";
    for (out, public) in [
        ("old", "old"),
        ("old", "./old"),
        ("old", "hard"),
        ("link", "old"),
        ("hard", "link"),
        ("new", "./new"),
    ] {
        let args = format!("keygen ml-dsa-44 --out {out} --public-out {public} --force");
        folder.fails(2, &args, says);
        assert_eq!(folder.read("old"), b"old");
        assert!(!folder.exists("new"));
    }
    folder.fails(2, "keygen ml-dsa-44 --public-out /dev/stdout", says);
    // Both outputs can go to `/dev/null`, because no file is replaced.
    folder.ok("keygen ml-dsa-44 --out /dev/null --public-out /dev/null");
}

/// A terminal, a socket or `/dev/null` can be input and output at once.
#[test]
fn a_special_file_can_be_input_and_output() {
    let folder = folder();
    folder.ok("sign --key key.pem --in /dev/null --out /dev/null");
}
