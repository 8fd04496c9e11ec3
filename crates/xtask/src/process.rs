//! The project's folder, its packages, and the programs that jobs start.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output};

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::{Metadata, MetadataCommand, Package};

const QEMU_PLUGIN: &str = "crates/xtask/src/qemu_count.c";
/// The arguments for QEMU's boards, which communicate by semihosting only.
pub(crate) const SEMIHOSTING: [&str; 7] = [
    "-nographic",
    "-monitor",
    "none",
    "-serial",
    "none",
    "-semihosting-config",
    "enable=on,target=native",
];
/// The exit status of the programs of crates/xtask/probe if the CPU that valgrind or QEMU emulates
/// lacks the backend.
pub(crate) const NO_SUCH_BACKEND: i32 = 3;
/// Programs that may be missing, and the packages that contain them.
const PACKAGES: [(&str, &str); 6] = [
    ("node", "nodejs"),
    ("qemu-aarch64", "qemu-user"),
    ("qemu-system-arm", "qemu-system-arm"),
    ("qemu-system-riscv32", "qemu-system-misc"),
    ("qemu-system-riscv64", "qemu-system-misc"),
    ("valgrind", "valgrind"),
];

/// The root folder of the tree.
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

/// The packages that are published.
pub(crate) fn published() -> Result<Vec<Package>> {
    let is_published = |package: &Package| package.publish.as_ref().is_none_or(|to| !to.is_empty());
    let packages = metadata()?.packages.into_iter();
    Ok(packages.filter(is_published).collect())
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

/// Returns a command that runs cargo in the project's folder.
///
/// This is the `cargo` on the path, which is rustup's, and not the one that started this program, so that
/// `+toolchain` and a toolchain in the environment work.
pub(crate) fn cargo<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root()).args(arguments);
    cargo
}

/// Returns a command that runs cargo in a folder with its own configuration and target directory.
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

/// Returns the item that the hash of the commit chooses, so that commits check different samples.
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

/// Runs a program, and fails unless it succeeds.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = status(command)?;
    if !status.success() {
        bail!("{}: {status}", line(command));
    }
    Ok(())
}

/// Runs a program and returns its standard output; fails unless the program succeeds.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = captured(command.current_dir(root()))?;
    if !output.status.success() {
        bail!("{}: {}", line(command), output.status);
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Runs a program and returns its standard error; fails unless the program succeeds.
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

/// Runs a program, and returns its status and its output.
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

/// The compiler that cargo runs.
pub(crate) fn compiler() -> PathBuf {
    std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from)
}

/// Returns the name and the version of a compiler.
pub(crate) fn version(compiler: &Path) -> Result<String> {
    output(Command::new(compiler).arg("--version"))
}

/// Whether a compiler exists and has the library of a target.
pub(crate) fn has_library(compiler: &Path, target: &str) -> bool {
    let mut rustc = Command::new(compiler);
    rustc.args(["--print", "target-libdir", "--target", target]);
    output(&mut rustc).is_ok_and(|library| Path::new(&library).is_dir())
}

/// A compiler with the library of a target: that of rustup, or that of the distribution if rustup lacks the
/// target.
pub(crate) fn compiler_for(target: &str) -> Option<PathBuf> {
    let mut compilers = [compiler(), PathBuf::from("/usr/bin/rustc")].into_iter();
    compilers.find(|compiler| has_library(compiler, target))
}

/// Returns the target directory of cargo.
pub(crate) fn target_directory() -> Result<PathBuf> {
    Ok(metadata()?.target_directory.into())
}

/// Makes a folder, without the content that an earlier run left in it.
pub(crate) fn make_empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    Ok(std::fs::create_dir_all(folder)?)
}

/// Sets where QEMU finds the C library for AArch64 if the system has none in its own folders. Where it has
/// one, another folder would mix the loader of one version with the library of the other.
pub(crate) fn with_aarch64_library(command: &mut Command) -> &mut Command {
    if !Path::new("/lib/ld-linux-aarch64.so.1").exists() {
        command.env("QEMU_LD_PREFIX", "/usr/aarch64-linux-gnu");
    }
    command
}

/// Compiles the plugin for QEMU that counts instructions, `qemu_count.c`, and returns its path.
pub(crate) fn qemu_plugin() -> Result<PathBuf> {
    let plugin = target_directory()?.join("qemu-count.so");
    let mut compiler = Command::new("cc");
    compiler.args([
        "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o",
    ]);
    run(compiler.arg(&plugin).arg(root().join(QEMU_PLUGIN)))?;
    Ok(plugin)
}

/// A command as in a shell, without quotes.
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
