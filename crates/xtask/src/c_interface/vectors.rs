//! The vectors of the tree, in lines that a C program can read: words that are separated by spaces, byte strings in
//! hex, and a minus sign for an empty byte string.

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process;

/// Returns the lines, `sign SET SEED CONTEXT MESSAGE SIGNATURE` and `verify SET KEY CONTEXT MESSAGE SIGNATURE VALID`.
pub(super) fn lines() -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for set in array(&read("rejections.json")?)? {
        let number = number(text(set, "parameterSet")?)?;
        for test in array(&set["tests"])?
            .iter()
            .filter(|test| !test["seed"].is_null())
        {
            let words = ["seed", "context", "message", "signature"];
            lines.push(line("sign", number, test, &words, "")?);
        }
    }
    for set in array(&read("killers.json")?)? {
        let number = number(text(set, "algorithm")?)?;
        for group in array(&set["testGroups"])? {
            for test in array(&group["tests"])? {
                let mut test = test.clone();
                test["publicKey"] = group["publicKey"].clone();
                let words = ["publicKey", "ctx", "msg", "sig"];
                let valid = is_valid(text(&test, "result")? == "valid");
                lines.push(line("verify", number, &test, &words, valid)?);
            }
        }
    }
    let round3 = read("dilithium-round3.json")?;
    for (name, set) in round3["sets"].as_object().context("sets")? {
        let number = number(name)?;
        let deterministic = array(&set["deterministic"])?.iter();
        for test in deterministic.filter(|test| !test["sig"].is_null()) {
            lines.push(line("sign", number, test, &["seed", "", "msg", "sig"], "")?);
        }
        for test in array(&set["verify"])? {
            let valid = is_valid(test["valid"].as_bool().context("valid")?);
            lines.push(line(
                "verify",
                number,
                test,
                &["pk", "", "msg", "sig"],
                valid,
            )?);
        }
    }
    Ok(lines)
}

/// The number of a set in the header: the digits at the end of its name.
fn number(name: &str) -> Result<u32> {
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    digits.parse().with_context(|| name.to_owned())
}

fn is_valid(valid: bool) -> &'static str {
    if valid { " 1" } else { " 0" }
}

fn line(what: &str, number: u32, test: &Value, words: &[&str], end: &str) -> Result<String> {
    let words = words.iter().map(|name| match test.get(name) {
        None => Ok("-"),
        Some(value) if value == "" => Ok("-"),
        Some(value) => value.as_str().with_context(|| (*name).to_owned()),
    });
    let words: Vec<_> = words.collect::<Result<_>>()?;
    Ok(format!("{what} {number} {}{end}", words.join(" ")))
}

fn read(file: &str) -> Result<Value> {
    let text = process::read(&process::root().join("kats").join(file))?;
    serde_json::from_str(&text).with_context(|| file.to_owned())
}

fn array(value: &Value) -> Result<&Vec<Value>> {
    value.as_array().context("an array")
}

fn text<'a>(value: &'a Value, name: &str) -> Result<&'a str> {
    value[name].as_str().with_context(|| name.to_owned())
}
