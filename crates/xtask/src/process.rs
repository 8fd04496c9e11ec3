//! The project's folder, its packages, and other programs.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output};

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::{Metadata, MetadataCommand};

const QEMU_PLUGIN: &str = "crates/xtask/src/qemu_count.c";
/// What QEMU's boards speak by: semihosting, and nothing else.
pub(crate) const SEMIHOSTING: [&str; 7] = [
    "-nographic",
    "-monitor",
    "none",
    "-serial",
    "none",
    "-semihosting-config",
    "enable=on,target=native",
];
/// What the programs of crates/xtask/probe exit with where this CPU, as valgrind shows it, has no such
/// backend.
pub(crate) const NO_SUCH_BACKEND: i32 = 3;
/// Programs that may be missing, and the packages that have them.
const PACKAGES: [(&str, &str); 4] = [
    ("node", "nodejs"),
    ("qemu-aarch64", "qemu-user"),
    ("qemu-system-arm", "qemu-system-arm"),
    ("valgrind", "valgrind"),
];

/// The top of the tree.
pub(crate) fn root() -> &'static Path {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .and_then(Path::parent);
    crates.unwrap_or(Path::new("."))
}

/// The workspace's packages, without their dependencies.
pub(crate) fn metadata() -> Result<Metadata> {
    let metadata = MetadataCommand::new()
        .current_dir(root())
        .no_deps()
        .other_options(["--locked".to_owned()])
        .exec();
    metadata.context("cargo metadata")
}

/// The manifests of all workspaces of the tree, that of the root first.
pub(crate) fn workspaces() -> Result<Vec<PathBuf>> {
    let listed = output(Command::new("git").args(["ls-files", "Cargo.toml", "*/Cargo.toml"]))?;
    let mut workspaces = Vec::new();
    for manifest in listed.lines().map(|line| root().join(line)) {
        if read(&manifest)?.lines().any(|line| line == "[workspace]") {
            workspaces.push(manifest);
        }
    }
    Ok(workspaces)
}

/// Cargo, in the project's folder, with these arguments.
///
/// It is the `cargo` on the path, not the one that started this program: rustup's, so that
/// `+toolchain` and a toolchain chosen from outside work.
pub(crate) fn cargo<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root()).args(arguments);
    cargo
}

/// Cargo, in a folder that has a configuration of its own, with a target directory of its own too.
pub(crate) fn cargo_in<'a>(
    folder: &str,
    target: &Path,
    arguments: impl IntoIterator<Item = &'a str>,
) -> Command {
    let mut cargo = cargo(arguments);
    cargo.arg("--target-dir").arg(target);
    // Flags of the environment would replace those of the configuration.
    cargo
        .current_dir(root().join(folder))
        .env_remove("RUSTFLAGS");
    cargo
}

/// The one of these that the hash of the commit chooses: with every commit another sample, and with
/// one commit always the same.
pub(crate) fn chosen_by_commit<T: Copy>(items: &[T]) -> Result<T> {
    let hash = output(Command::new("git").args(["rev-parse", "HEAD"]))?;
    let start = hash.get(..8).context("a commit's hash")?;
    let number = usize::from_str_radix(start, 16).context("a commit's hash")?;
    let index = number
        .checked_rem(items.len())
        .context("nothing to choose from")?;
    items.get(index).copied().context("nothing to choose from")
}

/// Runs a program, showing its command line first.
pub(crate) fn status(command: &mut Command) -> Result<ExitStatus> {
    println!("$ {}", line(command));
    let status = command.status();
    status.with_context(|| not_started(command))
}

/// Runs a program, which has to succeed.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = status(command)?;
    if !status.success() {
        bail!("{}: {status}", line(command));
    }
    Ok(())
}

/// What a program prints, which has to succeed.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = captured(command.current_dir(root()))?;
    if !output.status.success() {
        bail!("{}: {}", line(command), output.status);
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// What a program writes to standard error, which has to succeed.
pub(crate) fn report(command: &mut Command) -> Result<String> {
    let output = captured(command)?;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(
        output.status.success(),
        "{}: {}\n{report}",
        line(command),
        output.status
    );
    Ok(report)
}

/// Runs a program; what became of it, and what it printed.
pub(crate) fn captured(command: &mut Command) -> Result<Output> {
    let output = command.output();
    output.with_context(|| not_started(command))
}

fn not_started(command: &Command) -> String {
    let mut packages = PACKAGES.iter();
    match packages.find(|(program, _)| command.get_program() == *program) {
        Some((program, package)) => {
            format!("{program} is missing; `apt-get install {package}` or the like installs it")
        }
        None => format!("cannot start {}", line(command)),
    }
}

/// The compiler that cargo takes.
pub(crate) fn compiler() -> PathBuf {
    std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from)
}

/// What a compiler says that it is.
pub(crate) fn version(compiler: &Path) -> Result<String> {
    output(Command::new(compiler).arg("--version"))
}

/// Whether a compiler has the library of a target; there may be no such compiler.
pub(crate) fn has_library(compiler: &Path, target: &str) -> bool {
    let mut rustc = Command::new(compiler);
    rustc.args(["--print", "target-libdir", "--target", target]);
    output(&mut rustc).is_ok_and(|library| Path::new(&library).is_dir())
}

/// Where cargo puts what it builds.
pub(crate) fn target_directory() -> Result<PathBuf> {
    Ok(metadata()?.target_directory.into())
}

/// A plugin for QEMU that counts, for the machine this runs on. `qemu_count.c` says what.
pub(crate) fn qemu_plugin() -> Result<PathBuf> {
    let plugin = target_directory()?.join("qemu-count.so");
    let mut compiler = Command::new("cc");
    compiler.args([
        "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o",
    ]);
    run(compiler.arg(&plugin).arg(root().join(QEMU_PLUGIN)))?;
    Ok(plugin)
}

/// A command as one would type it, near enough.
pub(crate) fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

/// The text in a file.
pub(crate) fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// All files under a folder, in order.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(self::files(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
