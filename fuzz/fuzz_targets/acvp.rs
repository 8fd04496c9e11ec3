//! ACVP prompts. The input is the text of a prompt.
//!
//! A response is JSON with the groups and tests of the prompt. An error does not show a value that is long
//! enough to be a key.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite_cli::fuzzing::answer_acvp;
use moissanite_fuzz::assert_hidden;
use serde_json::Value;

/// The length of the longest value that a message can show.
const SHOWN: usize = 40;

fuzz_target!(|prompt: &[u8]| {
    match answer_acvp(prompt) {
        Ok(response) => {
            let response: Value = serde_json::from_str(&response).expect("a response is JSON");
            let prompt = prompt.strip_prefix(b"\xef\xbb\xbf").unwrap_or(prompt);
            let prompt: Value = serde_json::from_slice(prompt).expect("it was answered");
            assert_eq!(numbers(&response), numbers(&prompt));
        }
        Err(message) => assert_hidden(&message, prompt, SHOWN + 1),
    }
});

/// The numbers of all groups, each with those of its tests.
fn numbers(text: &Value) -> Vec<(Value, Vec<Value>)> {
    let set = match text {
        Value::Array(parts) => &parts[1],
        set => set,
    };
    let items = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let groups = items(&set["testGroups"]).into_iter();
    let groups = groups.map(|group| {
        let tests = items(&group["tests"]).into_iter();
        let tests = tests.map(|test| test["tcId"].clone()).collect();
        (group["tgId"].clone(), tests)
    });
    groups.collect()
}
