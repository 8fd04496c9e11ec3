//! Answers to ACVP's test vectors.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;

use crate::common::Folder;
use flate2::read::GzDecoder;
use serde_json::{Map, Value, json};

/// A prompt of one group with one test.
fn prompt(mode: &str, group: Value, test: &Value) -> Value {
    let mut group = group;
    group["tests"] = json!([test]);
    json!({
        "vsId": 42, "algorithm": "ML-DSA", "mode": mode, "revision": "FIPS204",
        "testGroups": [group],
    })
}

fn key_gen() -> Value {
    let group = json!({ "tgId": 7, "testType": "AFT", "parameterSet": "ML-DSA-44" });
    prompt(
        "keyGen",
        group,
        &json!({ "tcId": 8, "seed": "00".repeat(32) }),
    )
}

fn sig_gen(interface: &Value) -> Value {
    let mut group = json!({ "tgId": 7, "testType": "AFT", "parameterSet": "ML-DSA-44" });
    group
        .as_object_mut()
        .unwrap()
        .extend(interface.as_object().unwrap().clone());
    let test = json!({ "tcId": 8, "seed": "00".repeat(32), "message": "ABCD" });
    prompt("sigGen", group, &test)
}

fn pure() -> Value {
    json!({ "signatureInterface": "external", "preHash": "pure", "deterministic": true })
}

fn test_of(prompt: &mut Value) -> &mut Map<String, Value> {
    prompt["testGroups"][0]["tests"][0].as_object_mut().unwrap()
}

fn answer(folder: &Folder, prompt: &Value) -> Value {
    let response = folder.ok_with("acvp", prompt.to_string().as_bytes());
    serde_json::from_slice(&response).unwrap()
}

/// The only answer in a response.
fn only(response: &Value, field: &str) -> Value {
    assert_eq!(response["testGroups"][0]["tgId"], 7);
    assert_eq!(response["testGroups"][0]["tests"][0]["tcId"], 8);
    response["testGroups"][0]["tests"][0][field].clone()
}

/// Tests of the sample, in the groups of NIST.
fn groups<'a>(tests: &'a [Value], fields: &[(&str, &str)]) -> Vec<(Value, Vec<&'a Value>)> {
    let mut groups: BTreeMap<String, (Value, Vec<&Value>)> = BTreeMap::new();
    for test in tests {
        let mut group = json!({ "testType": "AFT" });
        for (theirs, ours) in fields {
            let value = &test[*ours];
            if !value.is_null() && value != "none" {
                group[*theirs] = value.clone();
            }
        }
        let id = format!("{} {group}", test["source"]);
        groups.entry(id).or_insert((group, Vec::new())).1.push(test);
    }
    let numbered = |(index, (_, (mut group, tests))): (usize, (String, (Value, _)))| {
        group["tgId"] = index.into();
        (group, tests)
    };
    groups.into_iter().enumerate().map(numbered).collect()
}

/// A prompt of all tests, and the expected response.
fn conversation(sample: &Value, mode: &str, upper_case: bool) -> (Value, Value) {
    let shared: &[(&str, &str)] = match mode {
        "keyGen" => &[("parameterSet", "parameterSet")],
        _ => &[
            ("parameterSet", "parameterSet"),
            ("signatureInterface", "interface"),
            ("preHash", "preHash"),
            ("externalMu", "externalMu"),
            ("deterministic", "deterministic"),
        ],
    };
    let (given, asked): (&[&str], &[&str]) = match mode {
        "keyGen" => (&["seed"], &["pk", "sk"]),
        "sigGen" => (
            &["sk", "seed", "message", "mu", "context", "hashAlg", "rnd"],
            &["signature"],
        ),
        _ => (
            &["pk", "message", "mu", "context", "hashAlg", "signature"],
            &["testPassed"],
        ),
    };
    let spelled = |field: &str, value: &Value| match value.as_str() {
        Some(text) if upper_case && field != "hashAlg" => json!(text.to_uppercase()),
        _ => value.clone(),
    };
    let tests = sample[mode].as_array().unwrap();
    let (mut prompts, mut responses) = (Vec::new(), Vec::new());
    let mut number = 0;
    for (mut group, members) in groups(tests, shared) {
        let (mut questions, mut answers) = (Vec::new(), Vec::new());
        if group["signatureInterface"] == "external" {
            group.as_object_mut().unwrap().remove("externalMu");
        }
        for test in members {
            number += 1;
            let (mut question, mut answer) = (json!({ "tcId": number }), json!({ "tcId": number }));
            for field in given {
                // Where it is deterministic, NIST gives no randomness.
                let absent = *field == "rnd" && test["deterministic"] == true;
                if !test[*field].is_null() && !absent {
                    question[*field] = spelled(field, &test[*field]);
                }
            }
            for field in asked {
                answer[*field] = spelled(field, &test[*field]);
            }
            questions.push(question);
            answers.push(answer);
        }
        responses.push(json!({ "tgId": group["tgId"], "tests": answers }));
        group["tests"] = questions.into();
        prompts.push(group);
    }
    assert_eq!(number, tests.len());
    let set = |groups: Vec<Value>| {
        json!({
            "vsId": 42, "algorithm": "ML-DSA", "mode": mode, "revision": "FIPS204",
            "testGroups": groups,
        })
    };
    (set(prompts), set(responses))
}

#[test]
fn the_whole_sample() {
    let Some(file) = moissanite_kats::file("mldsa-acvp-sample.json.gz") else {
        return;
    };
    let sample: Value = serde_json::from_reader(GzDecoder::new(&*file)).unwrap();
    let folder = Folder::new();
    for mode in ["keyGen", "sigGen", "sigVer"] {
        for upper_case in [false, true] {
            let (prompt, expected) = conversation(&sample, mode, upper_case);
            folder.write("prompt.json", prompt.to_string());
            folder.ok("acvp prompt.json --out response.json --force");
            let response: Value = serde_json::from_slice(&folder.read("response.json")).unwrap();
            assert_eq!(response.as_object().unwrap().len(), 5);
            for (group, expected) in response["testGroups"]
                .as_array()
                .unwrap()
                .iter()
                .zip(expected["testGroups"].as_array().unwrap())
            {
                assert_eq!(group, expected);
            }
            assert_eq!(response, expected);
        }
    }
}

#[test]
fn the_array_with_a_version() {
    let folder = Folder::new();
    let plain = answer(&folder, &key_gen());
    let wrapped = json!([{ "acvVersion": "1.0" }, key_gen()]);
    assert_eq!(
        answer(&folder, &wrapped),
        json!([{ "acvVersion": "1.0" }, plain])
    );
    let marked = format!("\u{feff}{}", key_gen());
    folder.ok_with("acvp -", marked.as_bytes());
    for array in [
        json!([]),
        json!([key_gen()]),
        json!([key_gen(), key_gen()]),
        json!([{ "acvVersion": "1.0" }]),
        json!([{ "acvVersion": "1.0" }, key_gen(), key_gen()]),
    ] {
        folder.fails_with(
            2,
            "acvp",
            array.to_string().as_bytes(),
            "the array has to be",
        );
    }
}

#[test]
fn absent_fields_have_the_meaning_of_acvp() {
    let folder = Folder::new();
    let signature = |prompt: &Value| only(&answer(&folder, prompt), "signature");
    let deterministic = signature(&sig_gen(&pure()));
    let mut group = pure();
    group.as_object_mut().unwrap().remove("deterministic");
    assert_eq!(signature(&sig_gen(&group)), deterministic);

    let mut given = sig_gen(&group);
    test_of(&mut given).insert("rnd".into(), "01".repeat(32).into());
    let with_rnd = signature(&given);
    assert_ne!(with_rnd, deterministic);
    given["testGroups"][0]["deterministic"] = false.into();
    assert_eq!(signature(&given), with_rnd);
    given["testGroups"][0]["deterministic"] = true.into();
    assert_eq!(signature(&given), deterministic);

    let mut fresh = sig_gen(&group);
    fresh["testGroups"][0]["deterministic"] = false.into();
    assert_ne!(signature(&fresh), signature(&fresh));

    let mut empty = sig_gen(&pure());
    test_of(&mut empty).insert("context".into(), "".into());
    assert_eq!(signature(&empty), deterministic);
    empty["testGroups"][0]["externalMu"] = false.into();
    assert_eq!(signature(&empty), deterministic);
}

#[test]
fn keys_come_as_seed_or_expanded_in_the_test_or_the_group() {
    let folder = Folder::new();
    let keys = answer(&folder, &key_gen());
    let (pk, sk) = (only(&keys, "pk"), only(&keys, "sk"));
    let expected = only(&answer(&folder, &sig_gen(&pure())), "signature");
    let mut expanded = sig_gen(&pure());
    test_of(&mut expanded).remove("seed");
    folder.fails_with(
        2,
        "acvp",
        expanded.to_string().as_bytes(),
        "the field 'sk' is missing",
    );
    test_of(&mut expanded).insert("sk".into(), sk.clone());
    assert_eq!(only(&answer(&folder, &expanded), "signature"), expected);
    expanded["revision"] = "FIPS204-tr1".into();
    expanded["testGroups"][0]["keyFormat"] = "expanded".into();
    assert_eq!(only(&answer(&folder, &expanded), "signature"), expected);
    expanded["testGroups"][0]["keyFormat"] = "seed".into();
    folder.fails_with(
        2,
        "acvp",
        expanded.to_string().as_bytes(),
        "the field 'seed' is missing",
    );

    let mut shared = sig_gen(&pure());
    test_of(&mut shared).remove("seed");
    shared["testGroups"][0]["sk"] = sk.clone();
    assert_eq!(only(&answer(&folder, &shared), "signature"), expected);

    let mut verify = sig_gen(&pure());
    verify["mode"] = "sigVer".into();
    verify["testGroups"][0]
        .as_object_mut()
        .unwrap()
        .remove("deterministic");
    test_of(&mut verify).remove("seed");
    test_of(&mut verify).insert("signature".into(), expected);
    verify["testGroups"][0]["pk"] = pk;
    assert_eq!(only(&answer(&folder, &verify), "testPassed"), true);

    // An inconsistent key signs nothing.
    let mut changed = sk.as_str().unwrap().to_owned();
    let digit = if changed.ends_with('0') { "1" } else { "0" };
    changed.replace_range(changed.len() - 1.., digit);
    for (bad, says) in [
        (changed.as_str(), "t0 of the key"),
        ("00", "the key has 1 bytes"),
    ] {
        let mut prompt = sig_gen(&pure());
        test_of(&mut prompt).remove("seed");
        test_of(&mut prompt).insert("sk".into(), bad.into());
        folder.fails_with(2, "acvp", prompt.to_string().as_bytes(), says);
    }
}

#[test]
fn malformed_inputs_do_not_verify() {
    let folder = Folder::new();
    let pk = only(&answer(&folder, &key_gen()), "pk");
    let signature = only(&answer(&folder, &sig_gen(&pure())), "signature");
    let mut verify = sig_gen(&pure());
    verify["mode"] = "sigVer".into();
    test_of(&mut verify).insert("signature".into(), signature.clone());
    test_of(&mut verify).insert("pk".into(), pk.clone());
    let passed = |field: &str, value: &str| {
        let mut verify = verify.clone();
        test_of(&mut verify).insert(field.into(), value.into());
        only(&answer(&folder, &verify), "testPassed")
            .as_bool()
            .unwrap()
    };
    let (pk, signature) = (pk.as_str().unwrap(), signature.as_str().unwrap());
    assert!(passed("message", "abcd"));
    assert!(passed("signature", &signature.to_lowercase()));
    assert!(!passed("message", "abce"));
    for (field, value) in [("pk", pk), ("signature", signature)] {
        assert!(!passed(field, ""));
        assert!(!passed(field, &value[2..]));
        assert!(!passed(field, &format!("{value}00")));
        assert!(!passed(field, &"00".repeat(value.len() >> 1)));
        assert!(!passed(field, &"FF".repeat(value.len() >> 1)));
    }
    assert!(!passed("context", "00"));
    assert!(!passed("context", &"00".repeat(256)));
}

/// A prompt that has to be refused, and a part of the message.
fn refused() -> Vec<(Value, &'static str)> {
    let mut all = Vec::new();
    let mut with = |base: &Value, path: &str, value: Value, says: &'static str| {
        let mut prompt = base.clone();
        *prompt.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = value;
        all.push((prompt, says));
    };
    let key_gen = key_gen();
    with(&key_gen, "/vsId", json!("42"), "'vsId'");
    with(
        &key_gen,
        "/algorithm",
        json!("ML-KEM"),
        "'ML-KEM' is not ML-DSA",
    );
    with(
        &key_gen,
        "/algorithm",
        Value::Null,
        "'algorithm' is missing",
    );
    with(
        &key_gen,
        "/mode",
        json!("keyCheck"),
        "'keyCheck' is not keyGen",
    );
    with(
        &key_gen,
        "/revision",
        json!("FIPS205"),
        "'FIPS205' is unknown",
    );
    with(
        &key_gen,
        "/revision",
        json!("FIPS204-tr1"),
        "'FIPS204-tr1' is unknown for this mode",
    );
    with(
        &key_gen,
        "/testGroups",
        json!({}),
        "'testGroups' is wrong: it has to be an array",
    );
    with(
        &key_gen,
        "/testGroups",
        Value::Null,
        "'testGroups' is missing",
    );
    with(
        &key_gen,
        "/testGroups/0",
        json!(1),
        "testGroups[0]: a JSON object is missing",
    );
    with(
        &key_gen,
        "/testGroups/0/tgId",
        Value::Null,
        "testGroups[0]: the field 'tgId' is missing",
    );
    with(
        &key_gen,
        "/testGroups/0/testType",
        json!("GDT"),
        "tgId 7: the field 'testType'",
    );
    with(
        &key_gen,
        "/testGroups/0/testType",
        Value::Null,
        "tgId 7: the field 'testType'",
    );
    with(
        &key_gen,
        "/testGroups/0/parameterSet",
        json!("ML-DSA-45"),
        "'ML-DSA-45' is not a parameter set",
    );
    with(
        &key_gen,
        "/testGroups/0/tests",
        json!("x"),
        "'tests' is wrong",
    );
    with(
        &key_gen,
        "/testGroups/0/tests/0/tcId",
        json!(-1),
        "'tcId' is wrong",
    );
    with(
        &key_gen,
        "/testGroups/0/tests/0/seed",
        json!("0"),
        "tgId 7, tcId 8: the field 'seed'",
    );
    with(
        &key_gen,
        "/testGroups/0/tests/0/seed",
        json!("zz"),
        "not hex",
    );
    with(
        &key_gen,
        "/testGroups/0/tests/0/seed",
        json!("00"),
        "1 bytes instead of 32",
    );
    with(
        &key_gen,
        "/testGroups/0/tests/0/seed",
        json!(0),
        "it has to be a string",
    );
    with(
        &key_gen,
        "/testGroups/0/tests/0/seed",
        Value::Null,
        "'seed' is missing",
    );

    let pure_sig = sig_gen(&pure());
    with(
        &pure_sig,
        "/testGroups/0/preHash",
        json!("half"),
        "'half' is neither",
    );
    with(
        &pure_sig,
        "/testGroups/0/preHash",
        Value::Null,
        "'preHash' is missing",
    );
    with(
        &pure_sig,
        "/testGroups/0/signatureInterface",
        json!("both"),
        "'both' is neither",
    );
    with(
        &pure_sig,
        "/testGroups/0/signatureInterface",
        Value::Null,
        "'signatureInterface' is",
    );
    with(
        &pure_sig,
        "/testGroups/0/deterministic",
        json!("yes"),
        "true or false",
    );
    with(
        &pure_sig,
        "/testGroups/0/tests/0/message",
        Value::Null,
        "'message' is missing",
    );
    let mut long = pure_sig.clone();
    test_of(&mut long).insert("context".into(), "00".repeat(256).into());
    with(
        &long,
        "/vsId",
        json!(1),
        "'context' is wrong: more than 255 bytes",
    );
    let mut rnd = sig_gen(&json!({ "signatureInterface": "internal", "deterministic": false }));
    test_of(&mut rnd).insert("rnd".into(), "00".into());
    with(
        &rnd,
        "/vsId",
        json!(1),
        "'rnd' is wrong: 1 bytes instead of 32",
    );
    let mut external = sig_gen(&pure());
    external["testGroups"][0]["externalMu"] = true.into();
    with(&external, "/vsId", json!(1), "'externalMu' is wrong");

    let mut mu = sig_gen(&json!({ "signatureInterface": "internal", "externalMu": true }));
    with(&mu, "/vsId", json!(1), "'mu' is missing");
    test_of(&mut mu).insert("mu".into(), "00".repeat(63).into());
    with(
        &mu,
        "/vsId",
        json!(1),
        "'mu' is wrong: 63 bytes instead of 64",
    );

    let mut hash = sig_gen(&json!({ "signatureInterface": "external", "preHash": "preHash" }));
    with(&hash, "/vsId", json!(1), "'hashAlg' is missing");
    test_of(&mut hash).insert("hashAlg".into(), "MD5".into());
    with(&hash, "/vsId", json!(1), "'MD5' is unknown");
    hash["mode"] = "sigVer".into();
    test_of(&mut hash).insert("pk".into(), "".into());
    with(&hash, "/vsId", json!(1), "'signature' is missing");
    test_of(&mut hash).insert("signature".into(), "".into());
    with(&hash, "/vsId", json!(1), "'MD5' is unknown");
    all
}

#[test]
fn unanswerable_prompts_are_refused() {
    let folder = Folder::new();
    for (prompt, says) in refused() {
        folder.fails_with(2, "acvp", prompt.to_string().as_bytes(), says);
    }
    let text = key_gen().to_string();
    for bad in [
        "",
        "{",
        "1",
        "null",
        "{}",
        &text[..text.len() - 1],
        &format!("{text}x"),
    ] {
        folder.fails_with(2, "acvp", bad.as_bytes(), "standard input: ");
    }
    folder.fails_with(2, "acvp", b"\xff\xfe", "it is not JSON");
    folder.fails_with(2, "acvp", "[".repeat(100_000).as_bytes(), "it is not JSON");
    folder.fails(2, "acvp absent.json", "cannot read absent.json");
    // If one case is invalid, the set is refused and nothing is written.
    let mut two = key_gen();
    let good = two["testGroups"][0]["tests"][0].clone();
    two["testGroups"][0]["tests"] = json!([good, { "tcId": 9 }]);
    folder.write("prompt.json", two.to_string());
    folder.fails(
        2,
        "acvp prompt.json --out response.json",
        "tgId 7, tcId 9: the field 'seed'",
    );
    assert!(!folder.exists("response.json"));
    // A prompt without tests has an empty response.
    let mut none = key_gen();
    none["testGroups"] = json!([]);
    assert_eq!(answer(&folder, &none)["testGroups"], json!([]));
}
