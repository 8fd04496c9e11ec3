//! Outputs, each of which is written completely or not at all.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempPath};

use crate::diagnostics::warn;
use crate::display;
use crate::error::Error;
use crate::standard;

/// The destination of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Standard output: `-`, or no path.
    Stdout,
    /// A file.
    File(PathBuf),
}

impl Target {
    pub(crate) fn new(path: Option<&Path>) -> Self {
        match path {
            Some(path) if path != Path::new("-") => Self::File(path.into()),
            _ => Self::Stdout,
        }
    }

    /// Whether this is standard output, under whatever name.
    pub(crate) fn is_stdout(&self) -> bool {
        match self {
            Self::Stdout => true,
            Self::File(path) => standard::number(path) == Some(1),
        }
    }

    /// The name in messages.
    pub(crate) fn place(&self) -> String {
        match self {
            Self::Stdout => "standard output".into(),
            Self::File(path) => display::file(path),
        }
    }
}

/// An output.
pub(crate) struct Output<'a> {
    /// The destination.
    pub(crate) target: Target,
    /// The content.
    pub(crate) bytes: &'a [u8],
    /// Whether only the owner may read it.
    pub(crate) secret: bool,
    /// Whether it may be written to a terminal.
    pub(crate) text: bool,
}

/// Writes all outputs or none. Files are first written completely under temporary names; after that,
/// only a rename can fail.
pub(crate) fn write(outputs: &[Output<'_>], force: bool) -> Result<(), Error> {
    let mut staged = Vec::new();
    let mut paths = HashSet::new();
    let mut streams = Vec::new();
    for output in outputs {
        match &output.target {
            Target::File(path) if !is_special(path) => {
                let new = Staged::new(path, output, force)?;
                if !paths.insert(new.path.clone()) {
                    let place = display::file(path);
                    let why = format!("two outputs cannot both be written to {place}");
                    return Err(Error::Usage(why));
                }
                staged.push(new);
            }
            _ => streams.push(output),
        }
    }
    for output in streams {
        match &output.target {
            Target::Stdout => {
                check_open(&output.target)?;
                print_bytes(output.bytes, output.text)?;
                if output.secret {
                    warn_of_readers();
                }
            }
            Target::File(path) => {
                check_open(&output.target)?;
                let file = OpenOptions::new().write(true).open(path);
                file.and_then(|mut file| file.write_all(output.bytes))
                    .map_err(|error| Error::io("write", display::file(path), error))?;
            }
        }
    }
    commit(staged, force)
}

/// Checks before a long computation whether text or binary data can be written to a target.
pub(crate) fn check(target: &Target, force: bool, text: bool) -> Result<(), Error> {
    match target {
        Target::Stdout => check_open(target).and_then(|()| check_terminal(text)),
        Target::File(path) if is_special(path) => check_open(target),
        Target::File(path) => check_file(path, force),
    }
}

/// Refuses a closed stream, which would lose the output. Commands that only report do not call this,
/// because their exit status is the result.
fn check_open(target: &Target) -> Result<(), Error> {
    let number = match target {
        Target::Stdout => Some(1),
        Target::File(path) => standard::number(path),
    };
    match number.and_then(standard::closed) {
        Some(name) => Err(Error::Usage(format!(
            "{name} is closed, or /dev/null opened for reading and writing, so that the output would be lost; name a file with --out"
        ))),
        None => Ok(()),
    }
}

/// Warns if other users can read the file of standard output, which the shell creates by its umask.
fn warn_of_readers() {
    let metadata = standard::metadata(&io::stdout());
    if metadata.is_some_and(|metadata| standard::is_readable_by_others(&metadata)) {
        warn(
            "other users can read the file to which the private key was redirected; restrict it to the owner with `chmod 600`, or name it with --out",
        );
    }
}

fn check_terminal(text: bool) -> Result<(), Error> {
    if !text && io::stdout().is_terminal() {
        return Err(Error::Usage(
            "binary data is not written to a terminal; name a file with --out".into(),
        ));
    }
    Ok(())
}

fn check_file(path: &Path, force: bool) -> Result<(), Error> {
    let name = || display::file(path);
    let write_error = |error| Error::io("write", name(), error);
    if path.is_dir() {
        return Err(write_error(io::ErrorKind::IsADirectory.into()));
    }
    if !force && path.symlink_metadata().is_ok() {
        return Err(Error::Exists(name()));
    }
    folder(path).metadata().map(drop).map_err(write_error)
}

/// Writes text to standard output. Characters without a visible form are escaped.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    print_styled(&display::lines(text))
}

/// Writes text that was escaped already to standard output, with its styles if that has colours.
pub(crate) fn print_styled(text: &str) -> Result<(), Error> {
    let mut stdout = anstream::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(|error| Error::io("write", "standard output", error))
}

fn print_bytes(bytes: &[u8], text: bool) -> Result<(), Error> {
    check_terminal(text)?;
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(bytes)
        .and_then(|()| stdout.flush())
        .map_err(|error| Error::io("write", "standard output", error))
}

/// Whether the path is a device, a pipe or similar: it can be written to, but not replaced.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// A complete file in the folder of its destination, under a temporary name.
struct Staged {
    path: PathBuf,
    /// The file is closed, so that the number of outputs is not limited by that of open files.
    file: TempPath,
}

impl Staged {
    fn new(path: &Path, output: &Output<'_>, force: bool) -> Result<Self, Error> {
        check_file(path, force)?;
        let name = display::file(path);
        let write_error = |error| Error::io("write", name.as_str(), error);
        let path = resolve(path).map_err(write_error)?;
        let mut builder = Builder::new();
        builder.prefix(".moissanite-");
        // The umask restricts this mode further. By default, a temporary file is readable by its owner only.
        #[cfg(unix)]
        if !output.secret {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut file = builder.tempfile_in(folder(&path)).map_err(write_error)?;
        file.write_all(output.bytes)
            .and_then(|()| file.as_file().sync_all())
            .map_err(write_error)?;
        let file = file.into_temp_path();
        Ok(Self { path, file })
    }

    /// A backup of the existing file, as a link or a copy, to undo the replacement.
    fn back_up(&self) -> io::Result<Option<NamedTempFile<()>>> {
        if self.path.symlink_metadata().is_err() {
            return Ok(None);
        }
        let link = |to: &Path| {
            fs::hard_link(&self.path, to).or_else(|_| fs::copy(&self.path, to).map(drop))
        };
        let mut builder = Builder::new();
        builder.prefix(".moissanite-");
        builder.make_in(folder(&self.path), link).map(Some)
    }
}

fn commit(staged: Vec<Staged>, force: bool) -> Result<(), Error> {
    let several = staged.len() > 1;
    let mut done: Vec<(PathBuf, Option<NamedTempFile<()>>)> = Vec::new();
    for new in staged {
        let name = display::file(&new.path);
        let backup = if force && several {
            new.back_up()
        } else {
            Ok(None)
        };
        let replaced = backup.and_then(|backup| {
            let Staged { path, file } = new;
            let persisted = if force {
                file.persist(&path)
            } else {
                file.persist_noclobber(&path)
            };
            persisted.map_err(|error| error.error)?;
            Ok((path, backup))
        });
        match replaced {
            Ok(replaced) => done.push(replaced),
            Err(error) => {
                undo(done);
                return Err(match error.kind() {
                    io::ErrorKind::AlreadyExists => Error::Exists(name),
                    _ => Error::io("write", name, error),
                });
            }
        }
    }
    Ok(())
}

/// Undoes replacements as far as possible. The caller reports the first error only.
fn undo(done: Vec<(PathBuf, Option<NamedTempFile<()>>)>) {
    for (path, backup) in done {
        match backup {
            Some(backup) => drop(backup.persist(path)),
            None => drop(fs::remove_file(path)),
        }
    }
}

/// The path of the file without links, so that paths can be compared.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    if let Ok(path) = path.canonicalize() {
        return Ok(path);
    }
    let name: &OsStr = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    Ok(folder(path).canonicalize()?.join(name))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn staged(folder: &Path, name: &str, force: bool) -> Staged {
        let path = folder.join(name);
        let output = Output {
            target: Target::File(path.clone()),
            bytes: b"new",
            secret: false,
            text: false,
        };
        Staged::new(&path, &output, force).unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<_> = entries.map(|e| name(e).into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Another process creates the second file after all checks.
    #[test]
    fn a_late_failure_undoes_what_was_done() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let both = vec![staged(folder, "a", false), staged(folder, "b", false)];
        fs::write(folder.join("b"), b"old").unwrap();
        assert!(matches!(commit(both, false), Err(Error::Exists(_))));
        assert_eq!(names(folder), ["b"]);
        assert_eq!(fs::read(folder.join("b")).unwrap(), b"old");

        fs::write(folder.join("a"), b"old").unwrap();
        let both = vec![staged(folder, "a", true), staged(folder, "c", true)];
        fs::create_dir(folder.join("c")).unwrap();
        assert!(matches!(commit(both, true), Err(Error::Io { .. })));
        assert_eq!(names(folder), ["a", "b", "c"]);
        assert_eq!(fs::read(folder.join("a")).unwrap(), b"old");

        let both = vec![staged(folder, "a", true), staged(folder, "b", true)];
        commit(both, true).unwrap();
        assert_eq!(names(folder), ["a", "b", "c"]);
        assert_eq!(fs::read(folder.join("a")).unwrap(), b"new");
        assert_eq!(fs::read(folder.join("b")).unwrap(), b"new");
    }
}
