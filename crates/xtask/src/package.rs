//! `cargo xtask package` checks what would be published: every package builds from its own files, contains
//! the licences, and passes its tests when it is unpacked outside of the tree.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use cargo_metadata::Package;

use crate::process;

/// The files that every package contains, besides its manifest and its code.
const FILES: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run the tests of these packages only
    #[arg(long, value_name = "PACKAGE")]
    test: Vec<String>,
    /// Run the tests of one package, which the commit chooses
    #[arg(long, conflicts_with = "test")]
    sample: bool,
}

/// Packages everything as `cargo publish` would, then unpacks and tests.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut publish = process::cargo(["publish", "--dry-run", "--workspace", "--locked"]);
    process::run(&mut publish)?;

    let published = process::published()?;
    let names: Vec<&str> = published.iter().map(|one| one.name.as_str()).collect();
    // The dry run has built the packages; this leaves their archives where they are documented to be.
    let mut package = process::cargo(["package", "--no-verify", "--locked"]);
    process::run(package.args(names.iter().flat_map(|name| ["--package", name])))?;
    let tested = match &arguments.test[..] {
        [] if arguments.sample => vec![process::chosen_by_commit(&names)?],
        [] => names.clone(),
        asked => asked.iter().map(String::as_str).collect(),
    };
    let unpacked = std::env::temp_dir().join(format!("moissanite-packages-{}", std::process::id()));
    let result = unpack(&published, &unpacked).and_then(|()| {
        let mut folders = tested
            .iter()
            .map(|name| folder(&published, &unpacked, name));
        folders.try_for_each(|folder| test(&folder?))
    });
    // The folder is removed even after a failure.
    let _ = fs::remove_dir_all(&unpacked);
    result?;
    println!(
        "package: {} packages are complete; the tests of {} pass outside of the tree",
        names.len(),
        tested.join(", ")
    );
    Ok(())
}

/// Unpacks each package beside the others, with a configuration in which they find each other.
fn unpack(published: &[Package], to: &Path) -> Result<()> {
    fs::create_dir_all(to.join(".cargo")).context("a folder for packages")?;
    let packages = process::target_directory()?.join("package");
    // The tests are optimised as in the tree, because they take hours otherwise.
    let mut configuration =
        "[profile.dev]\nopt-level = 1\nlto = \"off\"\n[patch.crates-io]\n".to_owned();
    for package in published {
        let name = format!("{}-{}", package.name, package.version);
        let archive = packages.join(format!("{name}.crate"));
        let mut tar = Command::new("tar");
        process::run(tar.arg("-xzf").arg(archive).arg("-C").arg(to))?;
        for file in FILES {
            let path = to.join(&name).join(file);
            let found = path.is_file() && !path.is_symlink();
            ensure!(found, "the package {} has no file {file}", package.name);
        }
        configuration += &format!(
            "{} = {{ path = \"{}\" }}\n",
            package.name,
            to.join(&name).display()
        );
    }
    fs::write(to.join(".cargo/config.toml"), configuration).context("a configuration")
}

fn folder(published: &[Package], unpacked: &Path, name: &str) -> Result<PathBuf> {
    let mut packages = published.iter();
    let package = packages.find(|package| package.name.as_str() == name);
    let version = &package
        .with_context(|| format!("{name} is not published"))?
        .version;
    Ok(unpacked.join(format!("{name}-{version}")))
}

/// Runs the tests of an unpacked package. Its dependencies are already compiled for the tests of
/// the tree.
fn test(folder: &Path) -> Result<()> {
    let target = process::target_directory()?.join("packages");
    let mut cargo = process::cargo(["test", "--all-features"].map(OsStr::new));
    cargo.current_dir(folder).env("CARGO_TARGET_DIR", target);
    process::run(&mut cargo)
}
