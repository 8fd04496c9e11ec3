//! Text from files, file names and arguments cannot control a terminal.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::{Ended, Folder};

/// Characters that hide text, reorder it, break lines or control the terminal.
const HIDDEN: [char; 10] = [
    '\u{1b}', '\u{7f}', '\u{9b}', '\u{ad}', '\u{200b}', '\u{202e}', '\u{2028}', '\u{2066}',
    '\u{feff}', '\u{fe0f}',
];

/// Neither output contains such a character.
#[track_caller]
fn assert_visible(what: &str, ended: &Ended) {
    let stdout = String::from_utf8(ended.stdout.clone()).unwrap();
    for c in HIDDEN {
        for text in [&stdout, &ended.stderr] {
            assert!(!text.contains(c), "{what}: {text:?}");
        }
    }
}

#[test]
fn names_of_files() {
    let folder = Folder::signed();
    for c in HIDDEN {
        let name = format!("a{c}b.pem");
        folder.write(&name, folder.read("key.pem"));
        folder.write("bad", b"bad");
        for args in [
            ["inspect", &name].as_slice(),
            &["demo", &name],
            &["acvp", &name],
            &["verify", "--signature", "bad", "--key", &name],
            &["keygen", "ml-dsa-44", "--out", &name],
            &["sign", "--in", "bad", "--key", "key.pem", "--out", &name],
            &["inspect", &format!("{name}.absent")],
            &["keygen", "ml-dsa-44", "--out", &format!("{name}/absent/x")],
            &["cert", "verify", &name, "--root", &name],
            &["cert", "issue", &name, "--issuer", &name, "--key", &name],
        ] {
            let ended = folder.run_args(args, b"");
            assert_visible(&format!("{args:?}"), &ended);
            let all = String::from_utf8(ended.stdout).unwrap() + &ended.stderr;
            let escaped = format!("a{}b.pem", c.escape_unicode());
            assert!(all.contains(&escaped), "{args:?}: {all}");
        }
    }
}

#[test]
fn arguments() {
    let folder = Folder::signed();
    for c in HIDDEN {
        let bad = format!("a{c}b");
        for args in [
            [bad.as_str()].as_slice(),
            &["--backend", &bad, "algorithms"],
            &["keygen", &bad],
            &["keygen", "ml-dsa-44", &bad],
            &["keygen", "ml-dsa-44", &format!("--{bad}")],
            &["keygen", "ml-dsa-44", "--seed", &bad],
            &[
                "sign",
                "--key",
                "key.pem",
                "--in",
                "file",
                "--prehash",
                &bad,
            ],
            &[
                "sign",
                "--key",
                "key.pem",
                "--in",
                "file",
                "--context-hex",
                &bad,
            ],
            &["cert", "self-sign", "--key", "key.pem", "--subject", &bad],
            &["cert", "verify", "file", "--root", "file", "--host", &bad],
        ] {
            let ended = folder.run_args(args, b"");
            assert_eq!(ended.status, 2);
            assert_visible(&format!("{args:?}"), &ended);
        }
    }
}

#[test]
fn subjects_of_certificates() {
    let folder = Folder::signed();
    let hidden: String = HIDDEN.iter().collect();
    let subject = format!("CN=a{hidden}b");
    let args = [
        "cert",
        "self-sign",
        "--key",
        "key.pem",
        "--out",
        "c",
        "--subject",
        &subject,
    ];
    // The command may also refuse it.
    let ended = folder.run_args(&args, b"");
    assert_visible("cert self-sign", &ended);
    if ended.status == 0 {
        for args in ["inspect c", "cert verify c --root c"] {
            let ended = folder.run(args);
            assert_eq!(ended.status, 0, "{}", ended.stderr);
            assert_visible(args, &ended);
        }
    }
}

#[test]
fn labels_and_prompts() {
    let folder = Folder::new();
    for c in HIDDEN {
        let label = format!("A{c}B");
        folder.write(
            "label",
            format!("-----BEGIN {label}-----\nAAAA\n-----END {label}-----\n"),
        );
        assert_visible(&label, &folder.run("inspect label"));
        folder.write(
            "end",
            format!("-----BEGIN A-----\nAAAA\n-----END {label}-----\n"),
        );
        assert_visible(&label, &folder.run("inspect end"));

        let good = r#"[{"acvVersion":"TEXT"},{"vsId":1,"algorithm":"ML-DSA","mode":"keyGen","revision":"FIPS204","testGroups":[]}]"#;
        let version = format!("1{c}0");
        let escaped: String = serde_json::to_string(&version).unwrap();
        let prompt = good.replace("\"TEXT\"", &escaped);
        folder.write("prompt", &prompt);
        let ended = folder.run("acvp prompt");
        assert_eq!(ended.status, 0);
        assert_visible(&prompt, &ended);
        let response: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
        assert_eq!(response[0]["acvVersion"], version);

        for field in ["ML-DSA", "keyGen", "FIPS204"] {
            folder.write("bad", good.replace(field, &escaped[1..escaped.len() - 1]));
            let ended = folder.run("acvp bad");
            assert_eq!(ended.status, 2);
            assert_visible(field, &ended);
        }
    }
}
