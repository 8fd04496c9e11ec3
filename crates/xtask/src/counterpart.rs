//! Programs in other languages that exchange files with this project.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;

/// The commands of a program in Python, which runs in an environment of its own.
pub(crate) const PYTHON: &[&[&str]] = &[
    &["python3", "-m", "venv", "environment"],
    &[
        "environment/bin/pip",
        "install",
        "--quiet",
        "--requirement",
        "requirements.txt",
    ],
    &["environment/bin/python", "exchange.py"],
];

/// A program and the versions of the packages that it uses, which its package manager installs.
pub(crate) struct Counterpart {
    /// The name of its folder.
    pub(crate) name: &'static str,
    /// The tools without which it is not checked.
    pub(crate) tools: &'static [&'static str],
    /// The commands that install it and run it, in a copy of its folder. The last one gets the arguments.
    pub(crate) commands: &'static [&'static [&'static str]],
}

impl Counterpart {
    /// Whether the tools are there; prints the first one that is not.
    pub(crate) fn is_available(&self) -> bool {
        let mut tools = self.tools.iter();
        let missing = tools.find(|tool| Command::new(tool).arg("--help").output().is_err());
        if let Some(tool) = missing {
            println!("NOT CHECKED: {}, because there is no {tool}", self.name);
        }
        missing.is_none()
    }

    /// Copies the program from its folder in `sources`, a folder of this tree, to the folder `work`, installs it
    /// there and runs it.
    pub(crate) fn run(&self, sources: &str, work: &Path, arguments: &[&Path]) -> Result<()> {
        fs::create_dir_all(work)?;
        let source = process::root().join(sources).join(self.name);
        for file in process::files(&source)? {
            fs::copy(&file, work.join(file.file_name().context("a name")?))?;
        }
        for (number, words) in self.commands.iter().enumerate() {
            let (program, options) = words.split_first().context("a command")?;
            // A program that the tool has installed is in the folder.
            let program = match program.contains('/') {
                true => work.join(program),
                false => PathBuf::from(program),
            };
            let mut command = Command::new(program);
            command.args(options).current_dir(work);
            if number + 1 == self.commands.len() {
                command.args(arguments);
            }
            process::run(&mut command)?;
        }
        Ok(())
    }
}
