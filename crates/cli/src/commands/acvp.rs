//! `moissanite acvp`: answers the test vectors of NIST's Automated Cryptographic Validation Protocol for
//! ML-DSA.

pub(super) mod answers;
mod prompt;

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};

use crate::algorithm::scheme::SEED;
use crate::backend::Backend;
use crate::display;
use crate::error::Error;
use crate::hash::Hash;
use crate::identity;
use crate::input::Source;
use crate::output::{self, Output, Target};
use crate::report::Report;

use self::answers::{Answers, Input, PrivateInput, Rnd};
use self::prompt::{Item, PromptError, Result};

/// The largest size of a prompt, in bytes: about four times NIST's largest one.
const MAX_BYTES: usize = 32 << 20;

/// The largest number of JSON values in a prompt. In memory, a value is many times larger than its text.
const MAX_VALUES: usize = 1 << 18;

/// The largest number of tests in a prompt. An answer can be many times larger than its test.
const MAX_TESTS: usize = 4096;

#[derive(Debug, Args)]
#[command(after_help = "\
The command reads the prompt of a vector set in the mode keyGen, sigGen or sigVer (revision FIPS204, for
sigGen also FIPS204-tr1; test type AFT), by itself or in the array with acvVersion, and writes the
response in the same structure. If one test cannot be answered, the command ends with exit status 2. In
sigVer, a test fails if a signature or a key has the wrong length, or if the context has more than 255
bytes. In sigGen, missing randomness means 32 zeros, or fresh randomness if the group is not
deterministic.

Limits of a prompt: 32 MiB, 4096 tests, 262144 JSON values, and 127 levels of nesting.")]
pub(crate) struct Acvp {
    /// The file of the prompt
    #[arg(value_name = "PROMPT.json", default_value = "-")]
    pub(crate) prompt: PathBuf,
    /// The file of the response
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(crate) out: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
}

/// Runs the command.
pub(crate) fn run(
    args: &Acvp,
    backend: Backend,
    report: &mut Report,
) -> std::result::Result<(), Error> {
    let (source, target) = (Source::new(&args.prompt), Target::new(Some(&args.out)));
    identity::refuse_inputs(&[&source], &target)?;
    let text = source.read_at_most(1 + MAX_BYTES as u64)?;
    let response = respond(&text, backend);
    let response = response.map_err(|error| Error::file(source.place(), error))?;
    if !target.is_stdout() {
        report.data("response", target.place());
        report.data("response_length", response.len());
    }
    let output = Output {
        target,
        bytes: response.as_bytes(),
        secret: false,
        text: true,
    };
    output::write(&[output], args.force)
}

/// The response to a prompt, as text.
pub(crate) fn respond(text: &[u8], backend: Backend) -> Result<String> {
    if text.len() > MAX_BYTES {
        return Err(PromptError::TooLarge("bytes", MAX_BYTES));
    }
    // Each value but the first follows one of these bytes. Strings contain them too, so the count is an
    // upper bound.
    let before_values = text
        .iter()
        .filter(|byte| matches!(byte, b'[' | b'{' | b','));
    if before_values.count() >= MAX_VALUES {
        return Err(PromptError::TooLarge("JSON values", MAX_VALUES));
    }
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let prompt: Value = serde_json::from_slice(text).map_err(PromptError::Json)?;
    let response = match &prompt {
        Value::Array(parts) => match parts.as_slice() {
            [version, set] if version.get("acvVersion").is_some() => {
                let answer = VectorSet::read(set, backend)?.answer()?;
                json!([{ "acvVersion": version["acvVersion"] }, answer])
            }
            _ => return Err(PromptError::Array),
        },
        set => VectorSet::read(set, backend)?.answer()?,
    };
    Ok(display::json(&response, true))
}

/// The text of an error about the value of a field.
fn not(value: &str, why: &str) -> String {
    format!("'{}' {why}", display::value(value))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    KeyGen,
    SigGen,
    SigVer,
}

/// A vector set: the whole file.
struct VectorSet<'a> {
    set: Item<'a>,
    mode: Mode,
    backend: Backend,
}

impl<'a> VectorSet<'a> {
    fn read(set: &'a Value, backend: Backend) -> Result<Self> {
        let set = Item::top(set)?;
        set.integer("vsId")?;
        match set.string("algorithm")? {
            "ML-DSA" => {}
            other => return Err(set.bad("algorithm", not(other, "is not ML-DSA"))),
        }
        let mode = match set.string("mode")? {
            "keyGen" => Mode::KeyGen,
            "sigGen" => Mode::SigGen,
            "sigVer" => Mode::SigVer,
            other => {
                let why = not(other, "is not keyGen, sigGen or sigVer");
                return Err(set.bad("mode", why));
            }
        };
        match (set.string("revision")?, mode) {
            ("FIPS204", _) | ("FIPS204-tr1", Mode::SigGen) => {}
            (other, _) => {
                let why = not(other, "is unknown for this mode; FIPS204 is known");
                return Err(set.bad("revision", why));
            }
        }
        Ok(Self { set, mode, backend })
    }

    fn answer(&self) -> Result<Value> {
        let groups = self.set.items("testGroups", "tgId")?;
        if groups
            .iter()
            .map(|group| group.count("tests"))
            .sum::<usize>()
            > MAX_TESTS
        {
            return Err(PromptError::TooLarge("tests", MAX_TESTS));
        }
        let groups: Result<Vec<_>> = groups.iter().map(|group| self.group(group)).collect();
        let mut response = Map::new();
        for field in ["vsId", "algorithm", "mode", "revision"] {
            response.insert(field.into(), self.set.required(field)?.clone());
        }
        response.insert("testGroups".into(), groups?.into());
        Ok(response.into())
    }

    fn group(&self, group: &Item<'a>) -> Result<Value> {
        match group.string("testType")? {
            "AFT" => {}
            other => return Err(group.bad("testType", not(other, "is not AFT"))),
        }
        let name = group.string("parameterSet")?;
        let Some(answers) = answers::of(name) else {
            return Err(group.bad(
                "parameterSet",
                not(name, "is not a parameter set of ML-DSA"),
            ));
        };
        let framing = match self.mode {
            Mode::KeyGen => None,
            Mode::SigGen | Mode::SigVer => Some(Interface::read(group)?),
        };
        let answer = |test: &Item<'a>| {
            let case = Case {
                test,
                group,
                answers,
                backend: self.backend,
            };
            let mut response = match (self.mode, framing) {
                (Mode::SigGen, Some(interface)) => case.sig_gen(interface)?,
                (Mode::SigVer, Some(interface)) => case.sig_ver(interface)?,
                _ => case.key_gen()?,
            };
            response.insert(0, ("tcId", test.required("tcId")?.clone()));
            Ok(response
                .into_iter()
                .map(|(k, v)| (k.to_owned(), v))
                .collect())
        };
        let tests = group.items("tests", "tcId")?;
        let tests: Result<Vec<Value>> = tests.iter().map(answer).collect();
        Ok(json!({ "tgId": group.required("tgId")?, "tests": tests? }))
    }
}

/// The interface that the tests of a group use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interface {
    /// ML-DSA.Sign.
    Pure,
    /// HashML-DSA.Sign.
    PreHash,
    /// ML-DSA.Sign_internal.
    Internal,
    /// ML-DSA.Sign_internal from line 7 on.
    ExternalMu,
}

impl Interface {
    fn read(group: &Item<'_>) -> Result<Self> {
        let external_mu = group.boolean("externalMu")?.unwrap_or(false);
        match group.string("signatureInterface")? {
            "internal" if external_mu => Ok(Self::ExternalMu),
            "internal" => Ok(Self::Internal),
            "external" if external_mu => {
                Err(group.bad("externalMu", "true is for the internal interface only"))
            }
            "external" => match group.string("preHash")? {
                "pure" => Ok(Self::Pure),
                "preHash" => Ok(Self::PreHash),
                other => Err(group.bad("preHash", not(other, "is neither pure nor preHash"))),
            },
            other => {
                let why = not(other, "is neither internal nor external");
                Err(group.bad("signatureInterface", why))
            }
        }
    }
}

/// One test.
struct Case<'a> {
    test: &'a Item<'a>,
    group: &'a Item<'a>,
    answers: &'a dyn Answers,
    backend: Backend,
}

type Response = Vec<(&'static str, Value)>;

impl Case<'_> {
    /// A field of the test, or of the group if the test does not have it.
    fn hex(&self, field: &'static str) -> Result<Option<Vec<u8>>> {
        match self.test.hex(field)? {
            Some(bytes) => Ok(Some(bytes)),
            None => self.group.hex(field),
        }
    }

    fn required_hex(&self, field: &'static str) -> Result<Vec<u8>> {
        self.hex(field)?.ok_or_else(|| self.test.missing(field))
    }

    fn array<const N: usize>(&self, field: &'static str, bytes: &[u8]) -> Result<[u8; N]> {
        bytes.try_into().map_err(|_| {
            let why = format!("{} bytes instead of {N}", bytes.len());
            self.test.bad(field, why)
        })
    }

    /// Hex in upper case, as NIST writes it, or in lower case if the prompt uses that.
    fn encode(&self, bytes: &[u8]) -> Value {
        if self.test.has_lower_case_hex() {
            hex::encode(bytes).into()
        } else {
            hex::encode_upper(bytes).into()
        }
    }

    fn failed(&self, error: &Error) -> PromptError {
        self.test.failed(error.to_string())
    }

    fn key_gen(&self) -> Result<Response> {
        let seed = self.array::<SEED>("seed", &self.required_hex("seed")?)?;
        let keys = self.answers.key_gen(self.backend, &seed);
        let (pk, sk) = keys.map_err(|error| self.failed(&error))?;
        Ok(vec![("pk", self.encode(&pk)), ("sk", self.encode(&sk))])
    }

    fn sig_gen(&self, interface: Interface) -> Result<Response> {
        let key = self.private_key()?;
        let rnd = self.rnd()?;
        let Some(input) = self.input(interface)? else {
            return Err(self.test.bad("context", "more than 255 bytes"));
        };
        let signature = self.answers.sig_gen(self.backend, &key, &input, rnd);
        let signature = signature.map_err(|error| self.failed(&error))?;
        Ok(vec![("signature", self.encode(&signature))])
    }

    fn sig_ver(&self, interface: Interface) -> Result<Response> {
        let pk = self.required_hex("pk")?;
        let signature = self.required_hex("signature")?;
        let passed = match self.input(interface)? {
            Some(input) => self
                .answers
                .sig_ver(self.backend, &pk, &input, &signature)
                .map_err(|error| self.failed(&error))?,
            None => false,
        };
        Ok(vec![("testPassed", passed.into())])
    }

    /// `sk` or `seed`. If both are present, `keyFormat` decides.
    fn private_key(&self) -> Result<PrivateInput> {
        let format = match self.group.optional_string("keyFormat")? {
            None => None,
            Some("seed") => Some("seed"),
            Some("expanded") => Some("sk"),
            Some(other) => {
                let why = not(other, "is neither seed nor expanded");
                return Err(self.group.bad("keyFormat", why));
            }
        };
        match (format, self.hex("sk")?, self.hex("seed")?) {
            (None | Some("sk"), Some(sk), None) | (Some("sk"), Some(sk), Some(_)) => {
                Ok(PrivateInput::Expanded(sk))
            }
            (None | Some("seed"), None, Some(seed)) | (Some("seed"), Some(_), Some(seed)) => {
                Ok(PrivateInput::Seed(self.array("seed", &seed)?))
            }
            (_, Some(_), Some(_)) => Err(self.test.bad(
                "seed",
                "the field sk is present too, and keyFormat does not choose one",
            )),
            (field, _, _) => Err(self.test.missing(field.unwrap_or("sk"))),
        }
    }

    fn rnd(&self) -> Result<Rnd> {
        let deterministic = self.group.boolean("deterministic")?;
        match (deterministic, self.hex("rnd")?) {
            (Some(true), _) | (None, None) => Ok(Rnd::Given([0; 32])),
            (_, Some(rnd)) => Ok(Rnd::Given(self.array("rnd", &rnd)?)),
            (Some(false), None) => Ok(Rnd::Fresh),
        }
    }

    /// The signed input; `None` if the context is too long.
    fn input(&self, interface: Interface) -> Result<Option<Input>> {
        if interface == Interface::ExternalMu {
            let mu = self.array("mu", &self.required_hex("mu")?)?;
            return Ok(Some(Input::Mu(mu)));
        }
        let message = self.required_hex("message")?;
        if interface == Interface::Internal {
            return Ok(Some(Input::Internal(message)));
        }
        let context = self.hex("context")?.unwrap_or_default();
        let hash = match interface {
            Interface::PreHash => Some(self.hash()?),
            _ => None,
        };
        Ok((context.len() <= 255).then_some(Input::Framed {
            message,
            context,
            hash,
        }))
    }

    fn hash(&self) -> Result<Hash> {
        let name = match self.test.optional_string("hashAlg")? {
            Some(name) => name,
            None => self
                .group
                .optional_string("hashAlg")?
                .ok_or_else(|| self.test.missing("hashAlg"))?,
        };
        Hash::by_name(name).ok_or_else(|| self.test.bad("hashAlg", not(name, "is unknown")))
    }
}
