//! `cargo xtask reproducible` builds the command as a release does, twice, and compares the bytes.
//!
//! The two builds have different folders, packages of cargo in different places, different times of the
//! sources, and different environments. What the bytes still depend on are the sources, the lock file, the
//! compiler, and the linker with its C library.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use cargo_metadata::MetadataCommand;
use sha2::{Digest, Sha256};

use crate::process;

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Build once, in this tree and its target directory, as for a release
    #[arg(long)]
    once: bool,
    /// Build for this target, whose linker has to be installed
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
}

const PACKAGE: &str = "moissanite-cli";
const COMMAND: &str = "moissanite";
/// What stands in the command for the root of the tree and for the folder of the packages.
const TREE: &str = "/moissanite";
const PACKAGES: &str = "/packages";
/// The same for cargo's target directory, in which build scripts write code.
const TARGET: &str = "/target";

/// A build of the command.
struct Build<'a> {
    root: &'a Path,
    /// The folder that cargo builds in.
    target: PathBuf,
    /// Cargo's own folder, if it is not the usual one.
    cargo_home: Option<&'a Path>,
    environment: &'a [(&'a str, &'a str)],
}

/// Builds, and prints the hash of the command.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let target = arguments.target.as_deref();
    if arguments.once {
        let build = Build {
            root: process::root(),
            target: process::target_directory()?,
            cargo_home: None,
            environment: &[],
        };
        let path = build.run(target)?;
        println!("{}  {}", hash(&path)?, path.display());
        return Ok(());
    }
    let folder =
        std::env::temp_dir().join(format!("moissanite-reproducible-{}", std::process::id()));
    let result = compare(&folder, target);
    // The folder is removed even after a failure.
    let _ = fs::remove_dir_all(&folder);
    let hash = result?;
    println!("reproducible: both builds of {COMMAND} have the SHA-256 {hash}");
    Ok(())
}

/// Builds twice, and returns the hash that both commands have.
fn compare(folder: &Path, target: Option<&str>) -> Result<String> {
    let home = folder.join("home of cargo");
    link_home(&home)?;
    let (one, other) = (folder.join("one"), folder.join("another/and/deeper"));
    let builds = [
        Build {
            root: &one.join("tree"),
            target: one.join("target"),
            cargo_home: None,
            environment: &[("TZ", "UTC"), ("LC_ALL", "C"), ("CARGO_BUILD_JOBS", "1")],
        },
        Build {
            root: &other.join("tree"),
            target: other.join("target"),
            cargo_home: Some(&home),
            environment: &[
                ("TZ", "Pacific/Auckland"),
                ("LC_ALL", "C.UTF-8"),
                ("CARGO_BUILD_JOBS", "2"),
                ("USER", "somebody"),
                ("HOSTNAME", "elsewhere"),
                ("SOURCE_DATE_EPOCH", "1"),
            ],
        },
    ];
    let mut commands = Vec::new();
    for build in &builds {
        copy(build.root)?;
        commands.push(fs::read(build.run(target)?)?);
    }
    let [first, second] = &commands[..] else {
        anyhow::bail!("there are two builds");
    };
    if first != second {
        let kept = process::target_directory()?.join("reproducible");
        fs::create_dir_all(&kept)?;
        fs::write(kept.join("one"), first)?;
        fs::write(kept.join("another"), second)?;
        let differences = first.iter().zip(second).filter(|(a, b)| a != b).count();
        anyhow::bail!(
            "the two builds differ in {differences} bytes, and in length by {}; both are in {}",
            first.len().abs_diff(second.len()),
            kept.display()
        );
    }
    // A path of this machine in the command would be in both, because both builds ran here.
    for (name, path) in [("the tree", process::root()), ("the copy", folder)] {
        let path = path.to_string_lossy().into_owned();
        let found = first
            .windows(path.len())
            .any(|bytes| bytes == path.as_bytes());
        ensure!(!found, "the command contains the path of {name}, {path}");
    }
    Ok(hex::encode(Sha256::digest(first)))
}

impl Build<'_> {
    /// Builds, and returns the path of the command.
    fn run(&self, target: Option<&str>) -> Result<PathBuf> {
        let mut cargo = Command::new("cargo");
        cargo.args(["build", "--release", "--locked", "--package", PACKAGE]);
        cargo.arg("--target-dir").arg(&self.target);
        cargo.current_dir(self.root);
        cargo.envs(self.environment.iter().copied());
        let mut built = self.target.clone();
        if let Some(target) = target {
            cargo.args(["--target", target]);
            built.push(target);
        }
        if let Some(home) = self.cargo_home {
            cargo.env("CARGO_HOME", home);
        }
        // Flags of the environment would be in the command too.
        for variable in ["RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS", "CARGO_INCREMENTAL"] {
            cargo.env_remove(variable);
        }
        cargo.env("CARGO_ENCODED_RUSTFLAGS", self.flags()?.join("\u{1f}"));
        process::run(&mut cargo)?;
        built.push("release");
        built.push(COMMAND);
        let suffix = std::env::consts::EXE_EXTENSION;
        Ok(built.with_extension(suffix))
    }

    /// The compiler's flags, which replace the folders of the sources by names that all machines share.
    fn flags(&self) -> Result<Vec<String>> {
        let mut metadata = MetadataCommand::new();
        metadata.current_dir(self.root);
        metadata.other_options(["--locked".to_owned()]);
        if let Some(home) = self.cargo_home {
            metadata.env("CARGO_HOME", home);
        }
        let mut folders = BTreeSet::new();
        for package in metadata.exec().context("cargo metadata")?.packages {
            // The package's folder is in one of the registry, whose name depends on the registry's address.
            let folder = package.manifest_path.ancestors().nth(2);
            if package.source.is_some()
                && let Some(folder) = folder
            {
                folders.insert(folder.to_string());
            }
        }
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let folders = folders.into_iter().map(|folder| (folder, PACKAGES));
        // The last that fits applies, and the target directory can be in the tree.
        let flags = folders
            .chain([(text(self.root), TREE), (text(&self.target), TARGET)])
            .map(|(from, to)| format!("--remap-path-prefix={from}={to}"));
        Ok(flags.collect())
    }
}

/// Copies the tree as it is committed or changed.
fn copy(to: &Path) -> Result<()> {
    let files = process::output(Command::new("git").arg("ls-files"))?;
    for file in files.lines() {
        let (from, to) = (process::root().join(file), to.join(file));
        // What is deleted and not committed is still listed.
        if from.is_file() {
            let parent = to.parent().context("a file's folder")?;
            fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
            let bytes = fs::read(&from).with_context(|| from.display().to_string())?;
            fs::write(&to, bytes).with_context(|| to.display().to_string())?;
        }
    }
    Ok(())
}

/// Makes another folder for cargo with links to all that is in the usual one.
fn link_home(to: &Path) -> Result<()> {
    let usual = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let usual = usual.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let usual = usual.context("the folder of cargo; CARGO_HOME names it")?;
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(&usual).with_context(|| usual.display().to_string())? {
        let entry = entry?;
        link(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> Result<()> {
    std::os::unix::fs::symlink(from, to).with_context(|| to.display().to_string())
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> Result<()> {
    anyhow::bail!("two builds are compared on Unix only; `--once` builds on other systems")
}

fn hash(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    Ok(hex::encode(Sha256::digest(bytes)))
}
