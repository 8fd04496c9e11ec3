//! Keys of OpenSSH, and the calls of `ssh-keygen -Y`.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

use serde_json::Value;

use crate::common::Folder;

/// A file of `ssh-keygen`, by its path in `openssh.json`.
fn file(path: &str) -> String {
    let files: Value = serde_json::from_str(moissanite_kats::OPENSSH).unwrap();
    files.pointer(path).and_then(Value::as_str).unwrap().into()
}

fn public() -> String {
    file("/public")
}

fn fingerprint() -> String {
    file("/fingerprint")
}

/// A folder with a key of OpenSSH, a list of signers and a signed message.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("id", file("/encrypted/aes256-ctr"));
    folder.write("id.pub", public());
    folder.write("passphrase", file("/passphrase") + "\n");
    let line = format!("alice@example.com,*@build {}", public());
    folder.write("allowed_signers", line);
    folder.write("message", "message\n");
    folder.write("sig", file("/signatures/sha512"));
    folder
}

/// Runs the command with a file as standard input, and expects a status and a part of its output.
#[track_caller]
fn expect(folder: &Folder, input: &str, line: &str, status: i32, text: &str) {
    let input = if input.is_empty() {
        Vec::new()
    } else {
        folder.read(input)
    };
    let ended = folder.run_with(line, &input);
    let both = String::from_utf8(ended.stdout).unwrap() + &ended.stderr;
    assert_eq!(ended.status, status, "{line}: {both}");
    assert!(both.contains(text), "{line}: {both}");
}

#[test]
fn signatures_of_ssh_keygen() {
    let folder = &folder();
    let good = format!(
        "Good \"file\" signature for alice@example.com with MLDSA44-ED25519 key {}\n",
        fingerprint()
    );
    let verify = "-Y verify -n file -f allowed_signers -I alice@example.com -s sig";
    expect(folder, "message", verify, 0, &good);
    expect(folder, "message", &format!("{verify} -q -vvv"), 0, "");
    expect(
        folder,
        "message",
        &format!("{verify} -Overify-time=20261123000000"),
        0,
        &good,
    );
    expect(folder, "sig", verify, 1, "the signature is not valid");
    expect(
        folder,
        "message",
        &verify.replace("alice", "bob"),
        1,
        "nothing permits",
    );
    expect(
        folder,
        "message",
        &verify.replace("alice@example.com", "x@build"),
        0,
        "for x@build with",
    );
    expect(
        folder,
        "message",
        &verify.replace("file", "git"),
        1,
        "of another namespace",
    );
    let check = "-Y check-novalidate -n file -s sig";
    expect(
        folder,
        "message",
        check,
        0,
        "Good \"file\" signature with MLDSA44-ED25519 key SHA256:",
    );
    expect(folder, "id", check, 1, "the signature is not valid");
    let find = "-Y find-principals -f allowed_signers -s sig";
    expect(folder, "", find, 0, "alice@example.com\n*@build\n");
    let matching = "-Y match-principals -f allowed_signers -I x@build";
    expect(folder, "", matching, 0, "alice@example.com,*@build\n");
    expect(
        folder,
        "",
        &matching.replace("x@build", "x@y"),
        1,
        "no allowed signer matches",
    );
}

#[test]
fn times_of_validity() {
    let folder = &folder();
    let line = format!(
        "alice valid-after=\"20260101Z\",valid-before=\"20260201Z\" {}",
        public()
    );
    folder.write("allowed_signers", line);
    let verify = "-Y verify -n file -f allowed_signers -I alice -s sig";
    let at = |time: &str| format!("{verify} -O verify-time={time}");
    expect(folder, "message", &at("20260115Z"), 0, "Good");
    expect(folder, "message", &at("202601151200Z"), 0, "Good");
    expect(
        folder,
        "message",
        &at("20251231235959Z"),
        1,
        "not valid at this time",
    );
    expect(
        folder,
        "message",
        &at("20260201000001Z"),
        1,
        "not valid at this time",
    );
    expect(folder, "message", verify, 1, "not valid at this time");
    expect(folder, "message", &at("2026"), 2, "a date is malformed");
    expect(
        folder,
        "message",
        &format!("{verify} -O x=y"),
        2,
        "-O takes",
    );
    let find = "-Y find-principals -f allowed_signers -s sig -Overify-time=20270101";
    expect(folder, "", find, 1, "no allowed signer has its key");
}

#[test]
fn signing_with_a_passphrase() {
    let folder = &folder();
    let sign = "-Y sign -n git --passphrase-file passphrase";
    expect(folder, "", &format!("{sign} -f id.pub message"), 0, "");
    let check = "-Y check-novalidate -n git -s message.sig";
    expect(folder, "message", check, 0, &fingerprint());
    expect(
        folder,
        "",
        &format!("{sign} -f id message"),
        2,
        "exists already",
    );
    std::fs::remove_file(folder.path("message.sig")).unwrap();
    expect(
        folder,
        "",
        &format!("{sign} -f id -O hashalg=sha256 message passphrase"),
        0,
        "",
    );
    expect(folder, "message", check, 0, &fingerprint());
    assert!(folder.exists("passphrase.sig"));
    for stdin in ["", " -"] {
        let signature = folder.ok_with(&format!("{sign} -f id{stdin}"), b"message\n");
        folder.write("message.sig", signature);
        expect(folder, "message", check, 0, &fingerprint());
    }
    folder.write("passphrase", "wrong\n");
    expect(
        folder,
        "message",
        &format!("{sign} -f id"),
        2,
        "the passphrase is wrong",
    );
    folder.write("passphrase", "\n");
    expect(
        folder,
        "message",
        &format!("{sign} -f id"),
        2,
        "a passphrase is required",
    );
}

#[test]
fn new_keys() {
    let folder = &folder();
    let keygen = "ssh keygen --out new --comment carol";
    expect(
        folder,
        "",
        &format!("{keygen} --no-passphrase"),
        0,
        "the fingerprint is SHA256:",
    );
    let public = String::from_utf8(folder.read("new.pub")).unwrap();
    assert!(public.starts_with("ssh-mldsa44-ed25519 AAAA") && public.ends_with(" carol\n"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(folder.path("new"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    expect(folder, "", "-Y sign -n file -f new message", 0, "");
    expect(
        folder,
        "message",
        "-Y check-novalidate -n file -s message.sig",
        0,
        "Good",
    );
    expect(
        folder,
        "",
        &format!("{keygen} --no-passphrase"),
        2,
        "exists already",
    );
    let forced = format!("{keygen} --force --passphrase-file passphrase");
    expect(folder, "", &forced, 0, "the fingerprint is SHA256:");
    expect(folder, "message", "-Y sign -n file -f new", 2, "passphrase");
    let sign = "-Y sign -n file -f new --passphrase-file passphrase";
    expect(folder, "message", sign, 0, "BEGIN SSH SIGNATURE");
    expect(
        folder,
        "",
        "ssh keygen --out - --no-passphrase",
        2,
        "cannot take both keys",
    );
}

#[test]
fn wrong_calls() {
    let folder = &folder();
    folder.write("literal", public());
    for (line, text) in [
        ("-Y", "OPERATION"),
        ("-Y unknown", "OPERATION"),
        ("-Y sign -f id message", "-n is missing"),
        ("-Y sign -n git message", "-f is missing"),
        ("-Y sign -n git -f id -U message", "an agent"),
        ("-Y sign -n git -f message message", "not PEM of OpenSSH"),
        ("-Y sign -n git -f literal message", "an agent"),
        ("-Y sign -n git -f absent message", "cannot read absent"),
        (
            "-Y verify -n git -f allowed_signers -s sig",
            "-I is missing",
        ),
        ("-Y verify -n git -f sig -I a -s sig", "sig: line 1"),
        (
            "-Y verify -n git -f allowed_signers -I a -s id",
            "not PEM of OpenSSH",
        ),
        ("-Y find-principals -f allowed_signers", "-s is missing"),
        ("-Y match-principals -f allowed_signers", "-I is missing"),
    ] {
        expect(folder, "message", line, 2, text);
    }
}

#[test]
fn revoked_keys() {
    let folder = &folder();
    let check = "-Y check-novalidate -n file -s sig -r revoked";
    folder.write("revoked", format!("# lost\n{}", public()));
    expect(folder, "message", check, 1, "revoked");
    let other = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA x\n";
    folder.write("revoked", other);
    expect(folder, "message", check, 0, "Good");
    // The binary form is not read, and must not be ignored.
    folder.write("revoked", b"SSHKRL\n\0\xff");
    expect(folder, "message", check, 2, "revoked");
}

/// No message shows a part of a private key.
#[test]
fn broken_keys_are_not_shown() {
    let folder = &folder();
    let key = file("/private");
    for (from, to) in [
        ("\n", ""),
        ("OPENSSH", "OPEN"),
        ("-----BEGIN", "BEGIN"),
        ("AAAA", "AAAB"),
        ("=", ""),
        ("b3Blb", "*"),
    ] {
        folder.write("broken", key.replace(from, to));
        let ended = folder.run("-Y sign -n git -f broken message");
        let shown = ended.stderr;
        assert_eq!(ended.status, 2, "{from}: {shown}");
        let body: Vec<_> = key.lines().filter(|line| !line.starts_with('-')).collect();
        let body = body.concat();
        for start in 0..body.len() - 12 {
            assert!(!shown.contains(&body[start..start + 12]), "{shown}");
        }
    }
}

/// git signs and verifies commits and tags. Without git, this says so.
#[cfg(unix)]
#[test]
fn git() {
    if Command::new("git").arg("--version").output().is_err() {
        println!("NOT CHECKED: there is no git");
        return;
    }
    let folder = &folder();
    let keygen = "ssh keygen --out id --force --no-passphrase --comment alice@example.com";
    expect(folder, "", keygen, 0, "fingerprint");
    let public = String::from_utf8(folder.read("id.pub")).unwrap();
    let list = format!("alice@example.com namespaces=\"git\" {public}");
    folder.write("allowed_signers", list);
    let git = |line: &str| {
        let settings = [
            "user.name=Alice",
            "user.email=alice@example.com",
            "gpg.format=ssh",
            "user.signingKey=../id.pub",
            "gpg.ssh.allowedSignersFile=../allowed_signers",
            concat!("gpg.ssh.program=", env!("CARGO_BIN_EXE_moissanite")),
        ];
        let mut command = Command::new("git");
        for setting in settings {
            command.args(["-c", setting]);
        }
        let command = command.args(line.split(' ')).current_dir(folder.path("r"));
        command.output().unwrap()
    };
    std::fs::create_dir(folder.path("r")).unwrap();
    let good = "Good \"git\" signature for alice@example.com with MLDSA44-ED25519 key SHA256:";
    for (line, text) in [
        ("init --quiet", ""),
        ("commit --quiet --allow-empty --gpg-sign --message=one", ""),
        ("verify-commit HEAD", good),
        ("log -1 --format=%G?,%GS", "G,alice@example.com"),
        ("tag --sign --message=t v1", ""),
        ("verify-tag v1", good),
    ] {
        let output = git(line);
        let both = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(
            output.status.success() && both.contains(text),
            "{line}: {both}"
        );
    }
    // The key is not allowed any more.
    folder.write("allowed_signers", "");
    assert!(!git("verify-commit HEAD").status.success());
}
