//! Inputs of excessive size or depth end in an error, with little memory.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

use crate::common::Folder;

/// Runs the command in 256 MiB of address space, and returns its message.
#[track_caller]
fn refused(folder: &Folder, args: &str, status: i32, says: &str) {
    let mut command = Command::new("sh");
    let line = format!("ulimit -v 262144; exec $0 {args}");
    command.args(["-c", &line, env!("CARGO_BIN_EXE_moissanite")]);
    let output = command.current_dir(folder.path("")).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{args}: {stderr}");
    assert!(stderr.contains(says), "{args}: {stderr}");
}

#[test]
fn endless_inputs() {
    let folder = Folder::signed();
    for command in [
        "inspect /dev/zero",
        "inspect - </dev/zero",
        "convert /dev/zero",
        "sign --key /dev/zero --in file",
        "verify --key /dev/zero --signature file.sig --in file",
        "cert self-sign --key /dev/zero --subject CN=a",
        "cert issue /dev/zero --issuer /dev/zero --key key.pem",
        "cert verify /dev/zero --root /dev/zero",
    ] {
        refused(&folder, command, 2, "the file is too large");
    }
    let verify = "verify --key public.pem --signature /dev/zero --in file";
    refused(&folder, verify, 1, "has 65536 bytes or more");
    refused(&folder, "acvp /dev/zero", 2, "more than 33554432 bytes");
    refused(&folder, "acvp </dev/zero", 2, "more than 33554432 bytes");
    // Ed25519 keeps a message from a pipe in memory, up to a limit.
    folder.ok("keygen ed25519 --out ed.pem");
    refused(
        &folder,
        "sign --key ed.pem </dev/zero",
        2,
        "the limit of 64 MiB",
    );
}

#[test]
fn many_values_and_deep_ones() {
    let folder = Folder::new();
    for (text, says) in [
        ("[],".repeat(10 << 20), "more than 262144 JSON values"),
        (
            format!("[{}0]", "0,".repeat(1 << 18)),
            "more than 262144 JSON values",
        ),
        ("[".repeat(200_000), "recursion limit"),
        (r#"{"a":"#.repeat(100_000), "recursion limit"),
        ("[".repeat(30 << 20), "more than 262144 JSON values"),
    ] {
        folder.write("prompt", text);
        refused(&folder, "acvp prompt", 2, says);
    }
    let test = |id: usize| format!(r#"{{"tcId":{id},"seed":"{}"}}"#, "00".repeat(32));
    let prompt = |tests: usize| {
        let tests: Vec<_> = (0..tests).map(test).collect();
        let tests = tests.join(",");
        format!(
            r#"{{"vsId":1,"algorithm":"ML-DSA","mode":"keyGen","revision":"FIPS204","testGroups":[{{"tgId":1,"testType":"AFT","parameterSet":"ML-DSA-44","tests":[{tests}]}}]}}"#
        )
    };
    folder.write("prompt", prompt(4097));
    refused(&folder, "acvp prompt", 2, "more than 4096 tests");
    folder.write("prompt", prompt(4096));
    folder.ok("acvp prompt --out response");
}

#[test]
fn deep_documents() {
    let folder = Folder::new();
    // SEQUENCE in SEQUENCE, without end and with one.
    let mut nested = Vec::new();
    while nested.len() < 200_000 {
        let length = u32::try_from(nested.len()).unwrap().to_be_bytes();
        nested = [&[0x30, 0x83], &length[1..], &nested].concat();
        nested.truncate(200_000);
    }
    folder.write("nested", &nested);
    folder.write("open", [0x30, 0x80].repeat(100_000));
    folder.write("pem", "-----BEGIN CERTIFICATE-----".repeat(30_000));
    for name in ["nested", "open", "pem"] {
        for args in [
            format!("inspect {name}"),
            format!("cert verify {name} --root {name}"),
        ] {
            refused(&folder, &args, 2, name);
        }
    }
}
