//! Reports and errors in JSON have the fields that `REPORTS.md` lists, `--quiet` leaves errors only, and
//! colours appear where they are wanted.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::process::Output;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::common::Folder;
use crate::der::{BITS, SEQUENCE, algorithm, oid, tlv};

const PAGE: &str = include_str!("../REPORTS.md");

/// The fields that the tables of these sections of `REPORTS.md` list.
fn documented(sections: &[&str]) -> Vec<&'static str> {
    let mut fields = Vec::new();
    for section in sections {
        let lines = PAGE
            .lines()
            .skip_while(|line| line.trim_start_matches('#') != format!(" {section}"));
        let lines: Vec<_> = lines
            .skip(1)
            .take_while(|line| !line.starts_with('#'))
            .collect();
        assert!(!lines.is_empty(), "REPORTS.md has no section {section}");
        let rows = lines.iter().filter_map(|line| line.strip_prefix("| `"));
        fields.extend(rows.map(|row| row.split_once('`').unwrap().0));
    }
    fields
}

fn run(folder: &Folder, args: &str, stdin: &[u8]) -> Output {
    let args = args.split_whitespace();
    let mut command = folder.command();
    command.args(args).write_stdin(stdin).output().unwrap()
}

/// The report of a successful run, which has the documented fields in their order.
#[track_caller]
fn report(folder: &Folder, args: &str, sections: &[&str]) -> Value {
    let output = run(folder, &format!("{args} --json"), b"");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{args}: {stderr}");
    assert_eq!(stderr, "", "{args}");
    assert!(output.stdout.is_ascii(), "{args}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let fields: Vec<_> = report.as_object().unwrap().keys().collect();
    assert_eq!(fields, documented(sections), "{args}");
    for field in fields {
        let snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(field.chars().all(snake), "{field}");
    }
    report
}

/// The error of a run in JSON: the only line on standard error, with nothing on standard output.
#[track_caller]
fn error(folder: &Folder, args: &str, status: i32, kind: &str) -> String {
    let output = run(folder, args, b"");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{args}: {stderr}");
    assert!(output.stdout.is_empty(), "{args}");
    assert_eq!(stderr.lines().count(), 1, "{args}: {stderr}");
    let document: Value = serde_json::from_str(&stderr).unwrap();
    assert_eq!(document["error"]["kind"], kind, "{stderr}");
    document["error"]["message"].as_str().unwrap().into()
}

/// A folder with a key of ML-DSA-44, its certificate as an authority, a request, and an issued certificate.
fn authority() -> Folder {
    let folder = Folder::signed();
    folder.ok("cert self-sign --key key.pem --subject CN=Root --ca --days 3650 --out root.pem");
    folder.keygen("ed25519", "host.key", "host.pub");
    folder.ok("cert request --key host.key --subject CN=Host --host host.example --out host.csr");
    folder.ok("cert issue host.csr --issuer root.pem --key key.pem --out host.pem");
    folder
}

/// The report of a run that fails, which has the documented fields, and its error.
#[track_caller]
fn failed(folder: &Folder, args: &str, status: i32, section: &str) -> (Value, Value) {
    let output = run(folder, &format!("{args} --json"), b"");
    assert_eq!(output.status.code(), Some(status), "{args}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let fields: Vec<_> = report.as_object().unwrap().keys().collect();
    assert_eq!(fields, documented(&[section]), "{args}");
    (report, serde_json::from_slice(&output.stderr).unwrap())
}

#[test]
fn several_files() {
    let folder = Folder::signed();
    folder.write("other", b"another message");
    let made = report(
        &folder,
        "sign --key key.pem file other --force",
        &["sign FILE"],
    );
    assert_eq!(made["files"][1]["file"], "other");
    assert_eq!(made["files"][1]["signature"], "other.sig");
    assert_eq!(made["files"][1]["signature_length"], 2420);
    let why = error(&folder, "sign --key key.pem - --json", 2, "usage");
    assert!(why.contains("--json takes standard output"), "{why}");
    let verify = "verify --key public.pem file other";
    let valid = report(&folder, verify, &["verify FILE"]);
    assert_eq!(valid["valid"], true);
    assert_eq!(valid["files"][0]["key"], "public.pem");
    assert_eq!(valid["files"][0]["fingerprint"], made["fingerprint"]);
    assert_eq!(valid["files"][0]["error"], Value::Null);

    folder.write("other", b"a changed message");
    let (report, error) = failed(&folder, verify, 1, "verify FILE");
    assert_eq!(report["valid"], false);
    assert_eq!(report["files"][0]["valid"], true);
    assert_eq!(report["files"][1]["valid"], false);
    assert!(
        report["files"][1]["error"]
            .as_str()
            .unwrap()
            .contains("other.sig")
    );
    assert_eq!(error["error"]["kind"], "not_valid");
    std::fs::remove_file(folder.path("other")).unwrap();
    let (report, error) = failed(&folder, verify, 2, "verify FILE");
    assert_eq!(report["files"][1]["valid"], false);
    assert_eq!(error["error"]["kind"], "io");
    let quiet = run(&folder, &format!("{verify} --quiet"), b"");
    assert!(quiet.stdout.is_empty());
}

#[test]
fn folders() {
    let folder = Folder::signed();
    std::fs::create_dir_all(folder.path("tree/deeper")).unwrap();
    folder.write("tree/a", b"a");
    folder.write("tree/deeper/b", b"b");
    let made = report(
        &folder,
        "sign --key key.pem --recursive tree",
        &["sign --recursive"],
    );
    assert_eq!([&made["file_count"], &made["link_count"]], [2, 0]);
    assert_eq!(made["manifest"], "tree/SHA512SUMS");
    let verify = "verify --key public.pem --recursive tree";
    let valid = report(&folder, verify, &["verify --recursive"]);
    assert_eq!(valid["valid"], true);
    assert_eq!(valid["differences"], serde_json::json!([]));
    folder.write("tree/a", b"b");
    folder.write("tree/c", b"c");
    std::fs::remove_file(folder.path("tree/deeper/b")).unwrap();
    let (report, found) = failed(&folder, verify, 1, "verify --recursive");
    let expected = serde_json::json!([
        { "name": "a", "difference": "changed", "error": null },
        { "name": "c", "difference": "new", "error": null },
        { "name": "deeper/b", "difference": "missing", "error": null },
    ]);
    assert_eq!(report["differences"], expected);
    assert_eq!(found["error"]["kind"], "not_valid");
    // Nothing is known of the files before the signature is valid.
    folder.write("tree/SHA512SUMS", b"");
    error(&folder, &format!("{verify} --json"), 1, "not_valid");
}

#[test]
fn message_representatives() {
    let folder = Folder::signed();
    let hex = folder.ok_text("mu --key public.pem file");
    let shown = report(&folder, "mu --key public.pem file", &["mu"]);
    assert_eq!(shown["mu"], hex.trim_end());
    assert_eq!(shown["file"], Value::Null);
    let written = report(&folder, "mu --key public.pem file --out mu", &["mu"]);
    assert_eq!(written["file"], "mu");
    assert_eq!(hex::encode(folder.read("mu")), hex.trim_end());
    let quiet = run(&folder, "mu --key public.pem file --quiet", b"");
    assert_eq!(quiet.stdout, hex.as_bytes());
}

#[test]
fn keys_and_signatures() {
    let folder = Folder::new();
    let made = report(
        &folder,
        "keygen ml-dsa-44 --out key.pem --public-out public.pem",
        &["keygen"],
    );
    assert_eq!(made["algorithm"], "ML-DSA-44");
    assert_eq!(made["private_key"], "key.pem");
    assert_eq!(made["encrypted"], false);
    let fingerprint = made["fingerprint"].as_str().unwrap();
    assert_eq!(fingerprint.len(), 7 + 64, "{fingerprint}");
    let alone = report(&folder, "keygen ed25519 --out other.pem", &["keygen"]);
    assert!(alone["public_key"].is_null());

    folder.write("file", b"a message");
    let sign = "sign --key key.pem --in file --out file.sig";
    let signed = report(&folder, sign, &["sign"]);
    assert_eq!(signed["fingerprint"], fingerprint);
    assert_eq!(signed["signature_length"], 2420);
    let verify = "verify --key public.pem --in file --signature file.sig";
    let verified = report(&folder, verify, &["verify"]);
    assert_eq!(verified["valid"], true);
    assert_eq!(verified["key"], "public.pem");
    assert_eq!(verified["fingerprint"], fingerprint);

    let private = report(&folder, "inspect key.pem", &["inspect", "A private key"]);
    assert_eq!(private["fingerprint"], fingerprint);
    assert_eq!(private["form"], "seed");
    let public = report(&folder, "inspect public.pem", &["inspect", "A public key"]);
    assert_eq!(public["public_key_length"], 1312);
    assert_eq!(public["fingerprint"], fingerprint);
    let inspect = "inspect file.sig --algorithm ml-dsa-44";
    let signature = report(&folder, inspect, &["inspect", "A signature"]);
    assert_eq!(signature["what"], "signature");
    let convert = "convert key.pem --public --format der --out public.der";
    let converted = report(&folder, convert, &["convert"]);
    assert_eq!(converted["fingerprint"], fingerprint);
    // By its definition, and of an algorithm without documents.
    let hash = |file| format!("sha256:{}", hex::encode(Sha256::digest(folder.read(file))));
    assert_eq!(fingerprint, hash("public.der"));
    let round_3 = "keygen dilithium2 --out round3.key --public-out round3.pub";
    let round_3 = report(&folder, round_3, &["keygen"]);
    assert_eq!(round_3["fingerprint"], hash("round3.pub"));
    assert_eq!(converted["what"], "public_key");
    assert_eq!(converted["encoding"], "der");
    let ssh = "ssh keygen --no-passphrase --out id";
    let ssh = report(&folder, ssh, &["ssh keygen"]);
    assert!(ssh["fingerprint"].as_str().unwrap().starts_with("SHA256:"));
}

#[test]
fn certificates() {
    let folder = authority();
    let sections = &["cert self-sign, cert request"];
    let args = "cert self-sign --key key.pem --subject CN=Ä --ca --out a.pem";
    let own = report(&folder, args, sections);
    assert_eq!(own["subject"], "CN=Ä");
    let args = "cert request --key host.key --subject CN=Host --out a.csr";
    report(&folder, args, sections);
    let args = "cert issue host.csr --issuer root.pem --key key.pem --out a.host.pem";
    let issued = report(&folder, args, &["cert issue"]);
    assert_eq!(issued["names"][1], "DNS:host.example");
    let args = "cert crl --issuer root.pem --key key.pem --revoke-serial 05 --out root.crl";
    let crl = report(&folder, args, &["cert crl"]);
    assert_eq!(crl["issuer"], "CN=Root");
    assert_eq!((&crl["number"], &crl["revoked"]), (&"1".into(), &1.into()));
    let args = "cert verify host.pem --root root.pem";
    let verified = report(&folder, args, &["cert verify"]);
    assert_eq!(verified["path"][0]["subject"], "CN=Host");
    assert_eq!(verified["path"][1]["file"], "root.pem");
    assert_eq!(verified["path"][0]["revocation_checked"], false);
    let checked = report(&folder, &format!("{args} --crl root.crl"), &["cert verify"]);
    assert_eq!(checked["path"][0]["revocation_checked"], true);
    assert_eq!(checked["path"][1]["revocation_checked"], false);
    let sections = &["inspect", "A certificate"];
    let host = report(&folder, "inspect host.pem", sections);
    assert_eq!(host["self_signed"], false);
    assert_eq!(host["fingerprint"], verified["path"][0]["fingerprint"]);
    let root = report(&folder, "inspect root.pem", sections);
    assert_eq!(root["self_signed"], true);
    let extensions = root["extensions"].as_array().unwrap();
    let usage = extensions.iter().find(|one| one["name"] == "key usage");
    assert_eq!(usage.unwrap()["value"][0], "keyCertSign");
    let request = report(&folder, "inspect host.csr", &["inspect", "A request"]);
    assert_eq!(request["key_fingerprint"], host["key_fingerprint"]);
}

#[test]
fn others() {
    let folder = Folder::signed();
    let all = report(&folder, "algorithms", &["algorithms"]);
    assert_eq!(all["algorithms"][0]["name"], "ML-DSA-44");
    assert_eq!(all["algorithms"][0]["signature_length"], 2420);
    let demo = report(&folder, "demo file", &["demo"]);
    assert_eq!(demo["steps"].as_array().unwrap().len(), 4);
    let args = "bench ml-dsa-44 --n 2 --rounds 1 --backend portable";
    report(&folder, args, &["bench"]);
    let prompt =
        r#"{"vsId":1,"algorithm":"ML-DSA","mode":"keyGen","revision":"FIPS204","testGroups":[]}"#;
    folder.write("prompt", prompt);
    let answered = report(&folder, "acvp prompt --out response", &["acvp"]);
    assert_eq!(answered["response"], "response");
    // On standard output, the response is the only document.
    let response = folder.ok("acvp prompt --json");
    assert_eq!(response, folder.read("response"));
    assert!(folder.ok("man --json").starts_with(b".ie"));
}

#[test]
fn errors() {
    let folder = Folder::signed();
    let args = "verify --key public.pem --in key.pem --signature file.sig --json";
    let message = error(&folder, args, 1, "not_valid");
    assert!(message.starts_with("not valid: file.sig"), "{message}");
    for (args, kind) in [
        ("inspect absent --json", "io"),
        ("inspect file --json", "file"),
        ("--json keygen ml-dsa-44 --out key.pem", "exists"),
        // Arguments that cannot be parsed.
        ("keygen --json ml-dsa-45", "usage"),
        ("--json", "usage"),
        ("--json --frobnicate", "usage"),
        ("--json algorithms --backend none", "usage"),
        // Standard output cannot take a report too.
        ("keygen ml-dsa-44 --json", "usage"),
        ("sign --key key.pem --in file --json", "usage"),
        ("convert key.pem --json", "usage"),
        (
            "cert self-sign --key key.pem --subject CN=a --json",
            "usage",
        ),
    ] {
        let message = error(&folder, args, 2, kind);
        assert!(!message.contains('\n'), "{args}: {message}");
    }
    #[cfg(unix)]
    for name in ["/dev/stdout", "/dev/fd/1"] {
        let args = format!("keygen ml-dsa-44 --json --out {name}");
        error(&folder, &args, 2, "usage");
    }
    // After "--", it is the name of a file.
    let ended = folder.run("inspect -- --json");
    assert!(ended.stderr.starts_with("moissanite: "), "{}", ended.stderr);
}

/// A document on standard error per warning, with escapes.
#[test]
fn warnings() {
    let folder = Folder::signed();
    let seed = "00".repeat(32);
    let args = format!("keygen ml-dsa-44 --seed {seed} --out new.pem");
    let output = run(&folder, &(args.clone() + " --json"), b"");
    let stderr = String::from_utf8(output.stderr).unwrap();
    let warning: Value = serde_json::from_str(&stderr).unwrap();
    let message = warning["warning"]["message"].as_str().unwrap();
    assert!(message.contains("history"), "{stderr}");
    let output = run(&folder, &(args + " --json --quiet --force"), b"");
    assert!(output.stderr.is_empty());
    assert!(output.stdout.starts_with(b"{\n"));
}

#[test]
fn quiet() {
    let folder = authority();
    let seed = "00".repeat(32);
    for args in [
        "verify --key public.pem --in file --signature file.sig",
        "inspect key.pem",
        "algorithms",
        "cert verify host.pem --root root.pem",
        "cert issue host.csr --issuer root.pem --key key.pem --out new.pem",
        "demo file",
        "sign --key key.pem --in file --out new.sig",
        "ssh keygen --no-passphrase --out id",
        &format!("keygen ed25519 --seed {seed} --backend portable --out new.key"),
    ] {
        let ended = folder.run(&format!("--quiet {args}"));
        assert_eq!(ended.status, 0, "{args}: {}", ended.stderr);
        assert_eq!(ended.stderr, "", "{args}");
        assert!(ended.stdout.is_empty(), "{args}");
    }
    // Outputs and errors stay.
    assert_eq!(folder.ok("sign -q --key key.pem --in file").len(), 2420);
    let wrong = "verify -q --key public.pem --in key.pem --signature file.sig";
    folder.fails(1, wrong, "not valid");
    folder.fails(2, "inspect -q absent", "cannot read");
}

/// Notes on standard error name the key.
#[test]
fn notes() {
    let folder = Folder::new();
    let made = folder.run("keygen ml-dsa-44 --out key.pem --public-out public.pem");
    let fingerprint = made.stderr.split_whitespace().last().unwrap();
    assert!(fingerprint.starts_with("sha256:"), "{}", made.stderr);
    let inspected = folder.ok_text("inspect public.pem");
    assert!(inspected.contains(fingerprint), "{inspected}");
    folder.write("file", b"a message");
    let signed = folder.run("sign --key key.pem --in file --out file.sig");
    assert!(signed.stderr.contains(fingerprint), "{}", signed.stderr);
    let verified = folder.ok_text("verify --key public.pem --in file --signature file.sig");
    let expected = format!(
        "valid\nkey          public.pem\nalgorithm    ML-DSA-44\nfingerprint  {fingerprint}\n"
    );
    assert_eq!(verified, expected);
}

#[test]
fn colours() {
    let folder = Folder::signed();
    let escapes = |args: &str, variables: &[(&str, &str)]| {
        let mut command = folder.command();
        command.args(args.split_whitespace());
        command.envs(variables.iter().copied());
        let output = command.output().unwrap();
        [output.stdout, output.stderr].map(|bytes| bytes.contains(&0x1b))
    };
    // The streams of this test are not terminals.
    for args in ["inspect key.pem", "inspect absent", "--help", "--frob"] {
        assert_eq!(escapes(args, &[]), [false; 2], "{args}");
        let never = format!("--color never {args}");
        let force = [("CLICOLOR_FORCE", "1")];
        assert_eq!(escapes(&never, &force), [false; 2], "{args}");
    }
    let on = |stdout, stderr| [stdout, stderr];
    for (args, expected) in [
        ("inspect key.pem --color=always", on(true, false)),
        ("inspect absent --color always", on(false, true)),
        ("--help --color always", on(true, false)),
        ("--color=always --frob", on(false, true)),
    ] {
        assert_eq!(escapes(args, &[]), expected, "{args}");
        // The command line overrides the environment.
        assert_eq!(escapes(args, &[("NO_COLOR", "1")]), expected, "{args}");
    }
    let force = [("CLICOLOR_FORCE", "1")];
    assert_eq!(escapes("inspect key.pem", &force), on(true, false));
    let both = [("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")];
    assert_eq!(escapes("inspect key.pem --json", &both), [false; 2]);
    // Other text is not changed, and JSON has no colours.
    let plain = folder.ok("inspect key.pem --json");
    assert_eq!(folder.ok("inspect key.pem --json --color always"), plain);
    folder.fails(2, "--color sometimes algorithms", "invalid value");
}

#[test]
fn files_of_other_kinds() {
    let folder = Folder::new();
    folder.keygen("ml-dsa-44", "root.key", "root.pub");
    folder.ok("cert self-sign --key root.key --subject CN=Root --ca --out root.pem");
    folder.ok("cert crl --issuer root.pem --key root.key --out list.pem");
    folder.ok("ssh keygen --out id --no-passphrase");
    folder.write("file", b"a message");
    folder.ok("-Y sign -f id -n file file");
    let two = [folder.read("root.pem"), folder.read("root.pub")].concat();
    folder.write("two.pem", two);
    folder.write("key.jwk", br#"{"kty":"AKP"}"#);
    let x25519 = tlv(SEQUENCE, &[&algorithm("x25519"), &tlv(BITS, &[&[0; 33]])]);
    folder.write("x25519.der", x25519);
    let signed = oid("signed-data");
    let data = tlv(SEQUENCE, &[&oid("data")]);
    let set = tlv(0x31, &[]);
    let body = tlv(SEQUENCE, &[&[2, 1, 1], &set, &data, &set]);
    folder.write("cms.der", tlv(SEQUENCE, &[&signed, &tlv(0xa0, &[&body])]));
    for (file, sections) in [
        ("two.pem", &["A file with several documents"][..]),
        ("list.pem", &["A certificate revocation list"]),
        ("cms.der", &["A message of CMS or PKCS#7"]),
        ("id", &["A private key of OpenSSH"]),
        ("id.pub", &["A public key of OpenSSH"]),
        ("file.sig", &["A signature of OpenSSH"]),
        ("key.jwk", &["A file of another program"]),
        ("x25519.der", &["inspect", "A key of another algorithm"]),
    ] {
        report(&folder, &format!("inspect {file}"), sections);
    }
    let found = report(
        &folder,
        "inspect two.pem",
        &["A file with several documents"],
    );
    let fields: Vec<_> = found["documents"][1].as_object().unwrap().keys().collect();
    assert_eq!(fields, documented(&["inspect", "A public key"]));
}
