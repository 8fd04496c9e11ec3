//! Builds a program that contains tests, and runs a test of it, with and without a mutant.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::Message;

use super::list::{Build, Mutant};
use super::scratch::Scratch;
use super::verdict::{self, Ended, Verdict};
use crate::process;

/// How long a test may take without a mutant.
const MOST: Duration = Duration::from_secs(600);

/// A copy of the tree with a program that was built of it.
pub(crate) struct Trial<'a> {
    scratch: &'a Scratch,
    build: &'a Build,
    /// Of the tree without a mutant.
    program: PathBuf,
}

impl<'a> Trial<'a> {
    /// Builds the program without a mutant.
    pub(crate) fn new(scratch: &'a Scratch, build: &'a Build) -> Result<Self> {
        let program = compile(scratch, build)?;
        let program = program.map_err(|errors| anyhow::anyhow!("without a mutant:\n{errors}"))?;
        Ok(Self {
            scratch,
            build,
            program,
        })
    }

    /// Runs a test without a mutant, which has to pass, and returns its time.
    pub(crate) fn passes(&self, test: &str) -> Result<Duration> {
        let ended = self.run(&self.program, test, MOST)?;
        let passed = ended.status.is_some_and(|status| status.success());
        ensure!(passed, "{test} fails without a mutant:\n{}", ended.output);
        if self.build.program.is_none() {
            let one = ended
                .output
                .contains("test result: ok. 1 passed; 0 failed; 0 ignored;");
            ensure!(
                one,
                "there is no test {test}, or more than one:\n{}",
                ended.output
            );
        }
        Ok(ended.time)
    }

    /// Tries a mutant.
    pub(crate) fn of(&self, mutant: &Mutant, limit: Duration) -> Result<Verdict> {
        let _patched = self.scratch.patched(mutant)?;
        let program = match compile(self.scratch, self.build)? {
            Ok(program) => program,
            Err(errors) => {
                let first = errors.lines().find(|line| line.starts_with("error"));
                let why = format!(
                    "it does not compile: {}",
                    first.unwrap_or("for an unknown reason")
                );
                return Ok(Verdict::NotCounted(why));
            }
        };
        let ended = self.run(&program, &mutant.test, limit)?;
        verdict::of(&ended, &self.scratch.tree(), self.build.program.as_deref())
    }

    /// Runs a test, for so long at most.
    fn run(&self, program: &PathBuf, test: &str, limit: Duration) -> Result<Ended> {
        let mut command = match &self.build.runner[..] {
            [] => Command::new(program),
            [emulator, arguments @ ..] => {
                let mut command = Command::new(emulator);
                command.args(arguments).arg(program);
                command
            }
        };
        if self.build.program.is_none() {
            command.args(["--exact", test, "--nocapture"]);
        }
        // The vectors of others need not be there.
        process::with_aarch64_library(&mut command)
            .env("RUST_BACKTRACE", "0")
            .env_remove("MOISSANITE_KATS");
        command.current_dir(self.scratch.tree().join(&self.build.workspace));
        let path = self.scratch.output();
        let output = File::create(&path).with_context(|| path.display().to_string())?;
        command.stdin(Stdio::null());
        command.stdout(output.try_clone()?).stderr(output);
        let started = Instant::now();
        let child = command.spawn();
        let mut child =
            child.with_context(|| format!("cannot start {}", process::line(&command)))?;
        let status = wait(&mut child, limit)?;
        let time = started.elapsed();
        let output = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        Ok(Ended {
            status,
            output,
            time,
        })
    }
}

/// Waits for the end of a program, or ends it after this time.
fn wait(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if started.elapsed() >= limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Builds the program, and returns its path, or what the compiler says.
fn compile(scratch: &Scratch, build: &Build) -> Result<Result<PathBuf, String>> {
    let is_test = build.program.is_none();
    let mut cargo = Command::new("cargo");
    cargo.current_dir(scratch.tree().join(&build.workspace));
    cargo.args(if is_test {
        &["test", "--no-run"][..]
    } else {
        &["build"]
    });
    cargo.args(["--locked", "--message-format", "json-render-diagnostics"]);
    cargo
        .args(["--profile", &build.profile])
        .args(&build.arguments);
    cargo.arg("--target-dir").arg(scratch.target());
    if let Some(target) = &build.target {
        cargo.args(["--target", target]);
        let compiler = process::compiler_for(target);
        cargo.env(
            "RUSTC",
            compiler.with_context(|| format!("no library for {target}"))?,
        );
    }
    cargo
        .env("CARGO_INCREMENTAL", "1")
        .env("CARGO_TERM_COLOR", "never");
    cargo.env("CARGO_BUILD_JOBS", scratch.jobs.to_string());
    // Flags of the environment would replace those of a workspace's configuration.
    cargo.env_remove("RUSTFLAGS");
    let output = process::captured(&mut cargo)?;
    if !output.status.success() {
        return Ok(Err(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let mut programs = Vec::new();
    for message in Message::parse_stream(&output.stdout[..]) {
        if let Message::CompilerArtifact(artifact) = message?
            && artifact.profile.test == is_test
            && let Some(program) = artifact.executable
        {
            programs.push(PathBuf::from(program));
        }
    }
    match &programs[..] {
        [program] => Ok(Ok(program.clone())),
        _ => bail!(
            "{} does not build one program: {programs:?}",
            process::line(&cargo)
        ),
    }
}
