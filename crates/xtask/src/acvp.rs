//! `cargo xtask acvp` converts the ACVP vectors that NIST publishes for ML-DSA into the file that the tests
//! read.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value, json};

use crate::document::SETS;
use crate::process;

/// The vector sets: the folder's name after `ML-DSA-`, and the mode.
const SOURCES: [(&str, &str); 4] = [
    ("keyGen-FIPS204", "keyGen"),
    ("sigGen-FIPS204", "sigGen"),
    (LATER, "sigGen"),
    ("sigVer-FIPS204", "sigVer"),
];
/// The vector set that older releases of NIST's repository do not contain.
const LATER: &str = "sigGen-FIPS204-tr1";

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder gen-val/json-files of a clone of NIST's repository usnistgov/ACVP-Server
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
    /// The file to write: mldsa-acvp-sample.json.gz in the directory that MOISSANITE_KATS names
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
}

/// Reads the published files, and writes one file with all cases.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let cases = convert(&arguments.from)?;
    if let Some(folder) = arguments.to.parent() {
        fs::create_dir_all(folder)?;
    }
    let place = || arguments.to.display().to_string();
    let file = File::create(&arguments.to).with_context(place)?;
    let mut file = GzEncoder::new(file, Compression::default());
    serde_json::to_writer(&mut file, &cases).with_context(place)?;
    file.finish().with_context(place)?;
    println!("acvp: {} has these cases: {}", place(), cases["counts"]);
    Ok(())
}

/// Returns all cases of the folders in `from`.
fn convert(from: &Path) -> Result<Value> {
    let mut all = Map::new();
    for (source, mode) in SOURCES {
        let folder = from.join(format!("ML-DSA-{source}"));
        if source == LATER && !folder.exists() {
            println!("acvp: {} does not exist and is left out", folder.display());
            continue;
        }
        let set = VectorSet::read(&folder, source, mode)?;
        let cases = set.cases().with_context(|| folder.display().to_string())?;
        let known = all.entry(mode).or_insert_with(|| json!([]));
        if let Value::Array(known) = known {
            known.extend(cases);
        }
    }
    let count = |cases: &Value| cases.as_array().map_or(0, Vec::len);
    let counts: Map<_, _> = all
        .iter()
        .map(|(mode, cases)| (mode.clone(), count(cases).into()))
        .collect();
    all.insert("counts".into(), counts.into());
    all.insert("format".into(), "mldsa-acvp-normalised-v1".into());
    all.insert(
        "source".into(),
        "NIST ACVP-Server, gen-val/json-files".into(),
    );
    Ok(all.into())
}

/// A vector set: the prompts, the expected results and, from NIST's third file, the reasons.
struct VectorSet<'a> {
    source: &'a str,
    mode: &'a str,
    prompt: Value,
    expected: Value,
    projection: Option<Value>,
}

impl<'a> VectorSet<'a> {
    fn read(folder: &Path, source: &'a str, mode: &'a str) -> Result<Self> {
        let json = |name: &str| {
            let path = folder.join(name);
            let text = process::read(&path)?;
            serde_json::from_str(&text).with_context(|| path.display().to_string())
        };
        // Only this file has the reasons of rejections, which no test needs.
        let projection = "internalProjection.json";
        let projection = folder
            .join(projection)
            .exists()
            .then(|| json(projection))
            .transpose()?;
        Ok(Self {
            source,
            mode,
            prompt: json("prompt.json")?,
            expected: json("expectedResults.json")?,
            projection,
        })
    }

    /// The cases in the order of the prompt.
    fn cases(&self) -> Result<Vec<Value>> {
        for file in [&self.prompt, &self.expected] {
            for (field, value) in [("algorithm", "ML-DSA"), ("mode", self.mode)] {
                let found = &file[field];
                ensure!(found == value, "{field} is {found}, not {value}");
            }
        }
        let (mut cases, mut answers) = (Vec::new(), 0);
        for group in items(&self.prompt, "testGroups")? {
            let tg = number(group, "tgId")?;
            let expected = with_number(&self.expected, "testGroups", "tgId", tg)?;
            let expected =
                expected.with_context(|| format!("expectedResults.json has no tgId {tg}"))?;
            answers += items(expected, "tests")?.len();
            for test in items(group, "tests")? {
                let tc = number(test, "tcId")?;
                let place = || format!("tgId {tg}, tcId {tc}");
                let answer = with_number(expected, "tests", "tcId", tc).with_context(place)?;
                let answer =
                    answer.with_context(|| format!("expectedResults.json has no {}", place()))?;
                let fields = Fields {
                    test,
                    group,
                    answer,
                };
                let mut case = self.case(fields).with_context(place)?;
                case.insert("source".into(), self.source.into());
                case.insert("tgId".into(), tg.into());
                case.insert("tcId".into(), tc.into());
                if self.mode == "sigVer" {
                    case.insert("reason".into(), self.reason(tg, tc)?);
                }
                cases.push(case.into());
            }
        }
        ensure!(
            answers == cases.len(),
            "prompt.json has {} tests, and expectedResults.json has {answers}",
            cases.len()
        );
        Ok(cases)
    }

    fn case(&self, fields: Fields<'_>) -> Result<Map<String, Value>> {
        let mut case = Map::new();
        let set = fields.word("parameterSet")?;
        ensure!(
            SETS.contains(&set),
            "{set} is not a parameter set of ML-DSA"
        );
        case.insert("parameterSet".into(), set.into());
        match self.mode {
            "keyGen" => {
                case.insert("seed".into(), fields.hex("seed")?);
                case.insert("pk".into(), fields.answered_hex("pk")?);
                case.insert("sk".into(), fields.answered_hex("sk")?);
            }
            "sigGen" => {
                fields.input(&mut case)?;
                let deterministic = fields.flag("deterministic")?;
                let rnd = if deterministic {
                    "00".repeat(32).into()
                } else {
                    fields.hex("rnd")?
                };
                case.insert("deterministic".into(), deterministic.into());
                case.insert("rnd".into(), rnd);
                let key = fields.private_key()?;
                case.insert(key.into(), fields.hex(key)?);
                case.insert("signature".into(), fields.answered_hex("signature")?);
            }
            _ => {
                fields.input(&mut case)?;
                case.insert("pk".into(), fields.hex("pk")?);
                case.insert("signature".into(), fields.hex("signature")?);
                let passed = fields.answer["testPassed"].as_bool();
                let passed = passed.context("the answer has no testPassed")?;
                case.insert("testPassed".into(), passed.into());
            }
        }
        Ok(case)
    }

    /// The reason for the expected verdict, or an empty text if NIST does not publish it.
    fn reason(&self, tg: u64, tc: u64) -> Result<Value> {
        let Some(projection) = &self.projection else {
            return Ok("".into());
        };
        let group = with_number(projection, "testGroups", "tgId", tg)?;
        let test = group.map(|group| with_number(group, "tests", "tcId", tc));
        let reason = test.transpose()?.flatten().map(|test| &test["reason"]);
        Ok(reason.and_then(Value::as_str).unwrap_or_default().into())
    }
}

/// The fields of one test. A field that all tests of a group share can be a field of the group.
#[derive(Clone, Copy)]
struct Fields<'a> {
    test: &'a Value,
    group: &'a Value,
    answer: &'a Value,
}

impl<'a> Fields<'a> {
    fn find(self, field: &str) -> Option<&'a Value> {
        [self.test, self.group]
            .into_iter()
            .find_map(|object| object.get(field))
    }

    fn word(self, field: &str) -> Result<&'a str> {
        let value = self.find(field).and_then(Value::as_str);
        value.with_context(|| format!("there is no {field}"))
    }

    fn flag(self, field: &str) -> Result<bool> {
        let value = self.find(field).and_then(Value::as_bool);
        value.with_context(|| format!("there is no {field}"))
    }

    fn hex(self, field: &str) -> Result<Value> {
        lower_case(field, self.word(field)?)
    }

    fn answered_hex(self, field: &str) -> Result<Value> {
        let text = self.answer[field].as_str();
        let text = text.with_context(|| format!("the answer has no {field}"))?;
        lower_case(field, text)
    }

    /// The field of the private key. If both are present, `keyFormat` decides.
    fn private_key(self) -> Result<&'static str> {
        let format = self.find("keyFormat").and_then(Value::as_str);
        let present = ["sk", "seed"].map(|field| self.find(field).is_some());
        match (format, present) {
            (Some("expanded"), _) | (None, [true, false]) => Ok("sk"),
            (Some("seed"), _) | (None, [false, true]) => Ok("seed"),
            (None, [true, true]) => bail!("there are sk and seed, but no keyFormat"),
            (None, [false, false]) => bail!("there is neither sk nor seed"),
            (Some(other), _) => bail!("keyFormat {other} is unknown"),
        }
    }

    /// Adds what is signed, with the fields of the group that define it.
    fn input(self, case: &mut Map<String, Value>) -> Result<()> {
        let interface = self.word("signatureInterface")?;
        let external_mu = self.find("externalMu").and_then(Value::as_bool);
        let external_mu = external_mu.unwrap_or(false);
        let pre_hash = match interface {
            "external" => self.word("preHash")?,
            _ => "none",
        };
        let (mode, fields): (&str, &[&str]) = match (interface, external_mu, pre_hash) {
            ("external", false, "pure") => ("pure", &["message"]),
            ("external", false, "preHash") => ("preHash", &["message"]),
            ("internal", false, _) => ("internal", &["message"]),
            ("internal", true, _) => ("externalMu", &["mu"]),
            _ => bail!(
                "signatureInterface {interface} with preHash {pre_hash} and externalMu \
                 {external_mu} is unknown"
            ),
        };
        for field in fields {
            case.insert((*field).into(), self.hex(field)?);
        }
        if interface == "external" {
            let context = match self.find("context") {
                None => "".into(),
                Some(_) => self.hex("context")?,
            };
            case.insert("context".into(), context);
        }
        if mode == "preHash" {
            case.insert("hashAlg".into(), self.word("hashAlg")?.into());
        }
        case.insert("mode".into(), mode.into());
        case.insert("interface".into(), interface.into());
        case.insert("preHash".into(), pre_hash.into());
        case.insert("externalMu".into(), external_mu.into());
        Ok(())
    }
}

/// Bytes in lower-case hex, as the tests read them.
fn lower_case(field: &str, text: &str) -> Result<Value> {
    let bytes = hex::decode(text).with_context(|| format!("{field} is not hex"))?;
    Ok(hex::encode(bytes).into())
}

fn items<'a>(object: &'a Value, field: &str) -> Result<&'a [Value]> {
    let items = object[field].as_array();
    items
        .map(Vec::as_slice)
        .with_context(|| format!("there is no array {field}"))
}

fn number(object: &Value, field: &str) -> Result<u64> {
    let number = object[field].as_u64();
    number.with_context(|| format!("there is no number {field}"))
}

/// The item of an array with this number.
fn with_number<'a>(
    object: &'a Value,
    array: &str,
    field: &str,
    number: u64,
) -> Result<Option<&'a Value>> {
    let mut items = items(object, array)?.iter();
    Ok(items.find(|item| item[field] == number))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::collections::BTreeMap;

    use flate2::read::GzDecoder;

    use super::*;

    /// One case of each kind, in the form of the tests' file.
    fn small() -> Value {
        let zeros = "00".repeat(32);
        let sign = |mode: &str, input: Value, key: &str, deterministic: bool| {
            let internal = matches!(mode, "internal" | "externalMu");
            let mut case = json!({
                "source": "sigGen-FIPS204", "parameterSet": "ML-DSA-65", "mode": mode,
                "interface": if internal { "internal" } else { "external" },
                "preHash": if internal { "none" } else { mode },
                "externalMu": mode == "externalMu", "deterministic": deterministic,
                "rnd": if deterministic { zeros.clone() } else { "01".repeat(32) },
                "signature": "c0de",
            });
            case[key] = "aa".into();
            let fields = input.as_object().unwrap().clone();
            case.as_object_mut().unwrap().extend(fields);
            case
        };
        let mut sample = json!({
            "keyGen": [{
                "source": "keyGen-FIPS204", "parameterSet": "ML-DSA-44", "seed": zeros,
                "pk": "0b", "sk": "0c",
            }],
            "sigGen": [
                sign("pure", json!({ "message": "01", "context": "02" }), "sk", true),
                sign(
                    "preHash",
                    json!({ "message": "01", "context": "", "hashAlg": "SHA2-256" }),
                    "sk",
                    false,
                ),
                sign("internal", json!({ "message": "01" }), "sk", false),
                sign("externalMu", json!({ "mu": "02" }), "seed", true),
            ],
            "sigVer": [{
                "source": "sigVer-FIPS204", "parameterSet": "ML-DSA-87", "mode": "internal",
                "interface": "internal", "preHash": "none", "externalMu": false,
                "message": "01", "pk": "02", "signature": "03", "testPassed": false,
                "reason": "z too large",
            }],
        });
        for mode in ["keyGen", "sigGen", "sigVer"] {
            for (index, case) in sample[mode].as_array_mut().unwrap().iter_mut().enumerate() {
                case["tgId"] = (index + 1).into();
                case["tcId"] = (10 * index + 1).into();
            }
        }
        sample
    }

    /// The three files of one vector set, as NIST publishes them.
    #[derive(Clone)]
    struct Published([Value; 3]);

    const FILES: [&str; 3] = [
        "prompt.json",
        "expectedResults.json",
        "internalProjection.json",
    ];

    /// Splits cases into vector sets by their source.
    fn publish(sample: &Value) -> BTreeMap<String, Published> {
        let mut sets = BTreeMap::new();
        for (source, mode) in SOURCES {
            let head = json!({
                "vsId": 42, "algorithm": "ML-DSA", "mode": mode, "revision": "FIPS204",
                "testGroups": [],
            });
            let mut files = [head.clone(), head.clone(), head];
            let cases = sample[mode].as_array().unwrap().iter();
            for case in cases.filter(|case| case["source"] == source) {
                for (file, parts) in files.iter_mut().zip(split(case, mode)) {
                    add(file, &case["tgId"], parts);
                }
            }
            if !files[0]["testGroups"].as_array().unwrap().is_empty() {
                sets.insert(source.to_owned(), Published(files));
            }
        }
        sets
    }

    /// The fields of the group and of the test, for each file.
    fn split(case: &Value, mode: &str) -> [(Map<String, Value>, Map<String, Value>); 3] {
        let answers: &[&str] = match mode {
            "keyGen" => &["pk", "sk"],
            "sigGen" => &["signature"],
            _ => &["testPassed"],
        };
        let mut files: [(Map<_, _>, Map<_, _>); 3] = Default::default();
        let [prompt, expected, projection] = &mut files;
        prompt.0.insert("testType".into(), "AFT".into());
        for (field, value) in case.as_object().unwrap() {
            // NIST writes hex in upper case.
            let value = match value.as_str() {
                Some(text) if hex::decode(text).is_ok() => text.to_uppercase().into(),
                _ => value.clone(),
            };
            match field.as_str() {
                "source" | "mode" | "tgId" => {}
                "preHash" if value == "none" => {}
                "rnd" if case["deterministic"] == true => {}
                "reason" => _ = projection.1.insert(field.clone(), value),
                "tcId" => {
                    for file in [&mut prompt.1, &mut expected.1, &mut projection.1] {
                        file.insert(field.clone(), value.clone());
                    }
                }
                "interface" => _ = prompt.0.insert("signatureInterface".into(), value),
                "parameterSet" | "preHash" | "externalMu" | "deterministic" => {
                    prompt.0.insert(field.clone(), value);
                }
                _ if answers.contains(&field.as_str()) => {
                    expected.1.insert(field.clone(), value);
                }
                _ => _ = prompt.1.insert(field.clone(), value),
            }
        }
        files
    }

    fn add(
        file: &mut Value,
        tg: &Value,
        (mut group, test): (Map<String, Value>, Map<String, Value>),
    ) {
        let groups = file["testGroups"].as_array_mut().unwrap();
        if groups.last().is_none_or(|last| last["tgId"] != *tg) {
            group.insert("tgId".into(), tg.clone());
            group.insert("tests".into(), json!([]));
            groups.push(group.into());
        }
        let tests = groups.last_mut().unwrap()["tests"].as_array_mut().unwrap();
        tests.push(test.into());
    }

    /// Writes the files, and converts them.
    fn converted(name: &str, sets: &BTreeMap<String, Published>) -> Result<Value> {
        let from =
            std::env::temp_dir().join(format!("moissanite-acvp-{}-{name}", std::process::id()));
        for (source, Published(files)) in sets {
            let folder = from.join(format!("ML-DSA-{source}"));
            fs::create_dir_all(&folder).unwrap();
            for (name, file) in FILES.iter().zip(files).filter(|(_, file)| !file.is_null()) {
                fs::write(folder.join(name), file.to_string()).unwrap();
            }
        }
        let converted = convert(&from);
        fs::remove_dir_all(&from).unwrap();
        converted
    }

    fn assert_same_cases(sample: &Value, converted: &Value) {
        for mode in ["keyGen", "sigGen", "sigVer"] {
            let cases = sample[mode].as_array().unwrap();
            assert_eq!(converted["counts"][mode], cases.len());
            let back = converted[mode].as_array().unwrap();
            for (case, back) in cases.iter().zip(back) {
                assert!(case == back, "{case}\n{back}");
            }
        }
    }

    #[test]
    fn splitting_and_converting_gives_the_same_cases() {
        let sample = small();
        assert_same_cases(&sample, &converted("small", &publish(&sample)).unwrap());
    }

    #[test]
    fn the_whole_sample_converts() {
        let Some(file) = moissanite_kats::file("mldsa-acvp-sample.json.gz") else {
            return;
        };
        let sample: Value = serde_json::from_reader(GzDecoder::new(&*file)).unwrap();
        assert_same_cases(&sample, &converted("sample", &publish(&sample)).unwrap());
    }

    /// Without the third file, only the reasons are missing.
    #[test]
    fn projections_are_optional() {
        let mut sample = small();
        let mut sets = publish(&sample);
        for Published(files) in sets.values_mut() {
            files[2] = Value::Null;
        }
        sample["sigVer"][0]["reason"] = "".into();
        assert_same_cases(&sample, &converted("two-files", &sets).unwrap());
    }

    #[test]
    fn fields_of_groups_and_key_formats() {
        let sample = small();
        let mut sets = publish(&sample);
        // A key of the group, and a test that has both forms of the key.
        let prompt = &mut sets.get_mut("sigGen-FIPS204").unwrap().0[0];
        let groups = prompt["testGroups"].as_array_mut().unwrap();
        let key = groups[0]["tests"][0].as_object_mut().unwrap().remove("sk");
        groups[0]["sk"] = key.unwrap();
        groups[1]["tests"][0]["seed"] = "BB".into();
        groups[1]["keyFormat"] = "expanded".into();
        assert_same_cases(&sample, &converted("fields", &sets).unwrap());
    }

    #[test]
    fn malformed_files_are_errors() {
        let sets = publish(&small());
        let refused: [(&str, &str, usize, &str, Value, &str); 14] = [
            (
                "sigGen-FIPS204",
                "answer",
                1,
                "/testGroups/0/tests/0/signature",
                Value::Null,
                "tgId 1, tcId 1: the answer has no signature",
            ),
            (
                "keyGen-FIPS204",
                "hex",
                1,
                "/testGroups/0/tests/0/pk",
                json!("0"),
                "tgId 1, tcId 1: pk is not hex",
            ),
            (
                "keyGen-FIPS204",
                "id",
                1,
                "/testGroups/0/tests/0/tcId",
                json!(2),
                "expectedResults.json has no tgId 1, tcId 1",
            ),
            (
                "keyGen-FIPS204",
                "group",
                1,
                "/testGroups/0/tgId",
                json!(2),
                "expectedResults.json has no tgId 1",
            ),
            (
                "keyGen-FIPS204",
                "more",
                0,
                "/testGroups/0/tests",
                json!([]),
                "prompt.json has 0 tests, and expectedResults.json has 1",
            ),
            (
                "keyGen-FIPS204",
                "set",
                0,
                "/testGroups/0/parameterSet",
                json!("ML-DSA-45"),
                "ML-DSA-45 is not a parameter set of ML-DSA",
            ),
            (
                "keyGen-FIPS204",
                "algorithm",
                0,
                "/algorithm",
                json!("ML-KEM"),
                "algorithm is \"ML-KEM\", not ML-DSA",
            ),
            (
                "sigVer-FIPS204",
                "mode",
                1,
                "/mode",
                json!("sigGen"),
                "mode is \"sigGen\", not sigVer",
            ),
            (
                "sigVer-FIPS204",
                "groups",
                0,
                "/testGroups",
                json!(1),
                "there is no array testGroups",
            ),
            (
                "sigVer-FIPS204",
                "verdict",
                1,
                "/testGroups/0/tests/0/testPassed",
                json!("no"),
                "the answer has no testPassed",
            ),
            (
                "sigVer-FIPS204",
                "interface",
                0,
                "/testGroups/0/signatureInterface",
                json!("both"),
                "signatureInterface both with",
            ),
            (
                "sigGen-FIPS204",
                "pre-hash",
                0,
                "/testGroups/0/preHash",
                json!("none"),
                "with preHash none",
            ),
            (
                "sigGen-FIPS204",
                "hash",
                0,
                "/testGroups/1/tests/0/hashAlg",
                Value::Null,
                "tgId 2, tcId 11: there is no hashAlg",
            ),
            (
                "sigGen-FIPS204",
                "randomness",
                0,
                "/testGroups/1/tests/0/rnd",
                Value::Null,
                "tgId 2, tcId 11: there is no rnd",
            ),
        ];
        for (source, name, file, path, value, message) in refused {
            let mut sets = sets.clone();
            let field = sets.get_mut(source).unwrap().0[file].pointer_mut(path);
            *field.unwrap() = value;
            let error = format!("{:#}", converted(name, &sets).unwrap_err());
            assert!(error.contains(message), "{name}: {error}");
            assert!(
                error.contains(&format!("ML-DSA-{source}")),
                "{name}: {error}"
            );
        }
        let mut missing = sets.clone();
        missing.remove("sigVer-FIPS204");
        let error = format!("{:#}", converted("folder", &missing).unwrap_err());
        assert!(
            error.contains("ML-DSA-sigVer-FIPS204/prompt.json"),
            "{error}"
        );
        let mut both = sets;
        let prompt = &mut both.get_mut("sigGen-FIPS204").unwrap().0[0];
        prompt["testGroups"][0]["tests"][0]["seed"] = "00".into();
        let error = format!("{:#}", converted("keys", &both).unwrap_err());
        assert!(error.contains("sk and seed, but no keyFormat"), "{error}");
    }
}
