//! Outputs that are written whole or not at all.

use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::error::Error;

/// Where something is written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Nowhere else, or `-`.
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
}

/// Something to be written.
pub(crate) struct Output<'a> {
    /// Where.
    pub(crate) target: Target,
    /// What.
    pub(crate) bytes: &'a [u8],
    /// For the owner's eyes only.
    pub(crate) secret: bool,
    /// May go to a terminal.
    pub(crate) text: bool,
}

/// Writes all of them or none: files first beside their places and then, when
/// nothing can fail any more but a rename, into them.
pub(crate) fn write(outputs: &[Output<'_>], force: bool) -> Result<(), Error> {
    let mut staged: Vec<Staged> = Vec::new();
    let mut streams = Vec::new();
    for output in outputs {
        match &output.target {
            Target::File(path) if !is_special(path) => {
                let new = Staged::new(path, output, force)?;
                if staged.iter().any(|other| other.path == new.path) {
                    return Err(Error::Usage(format!(
                        "two outputs cannot both go to {}",
                        path.display()
                    )));
                }
                staged.push(new);
            }
            _ => streams.push(output),
        }
    }
    for output in streams {
        match &output.target {
            Target::Stdout => print_bytes(output.bytes, output.text)?,
            Target::File(path) => OpenOptions::new()
                .write(true)
                .open(path)
                .and_then(|mut file| file.write_all(output.bytes))
                .map_err(|error| Error::io("write", path.display().to_string(), error))?,
        }
    }
    commit(staged, force)
}

/// Finds out what can be found out before a long computation: whether text or
/// binary data could be written there.
pub(crate) fn check(target: &Target, force: bool, text: bool) -> Result<(), Error> {
    match target {
        Target::Stdout => check_terminal(text),
        Target::File(path) if is_special(path) => Ok(()),
        Target::File(path) => check_file(path, force),
    }
}

fn check_terminal(text: bool) -> Result<(), Error> {
    if !text && io::stdout().is_terminal() {
        return Err(Error::Usage(
            "binary data does not go to a terminal; name a file with --out".into(),
        ));
    }
    Ok(())
}

fn check_file(path: &Path, force: bool) -> Result<(), Error> {
    let name = || path.display().to_string();
    let write_error = |error| Error::io("write", name(), error);
    if path.is_dir() {
        return Err(write_error(io::ErrorKind::IsADirectory.into()));
    }
    if !force && path.symlink_metadata().is_ok() {
        return Err(Error::Exists(name()));
    }
    folder(path).metadata().map(drop).map_err(write_error)
}

/// Writes text to standard output.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    print_bytes(text.as_bytes(), true)
}

fn print_bytes(bytes: &[u8], text: bool) -> Result<(), Error> {
    check_terminal(text)?;
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(bytes)
        .and_then(|()| stdout.flush())
        .map_err(|error| Error::io("write", "standard output", error))
}

/// A device, a pipe and the like: what is written to, but cannot be replaced.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// A file, complete, beside the place where it belongs.
struct Staged {
    path: PathBuf,
    file: NamedTempFile,
}

impl Staged {
    fn new(path: &Path, output: &Output<'_>, force: bool) -> Result<Self, Error> {
        check_file(path, force)?;
        let name = path.display().to_string();
        let write_error = |error| Error::io("write", name.as_str(), error);
        let path = resolve(path).map_err(write_error)?;
        let mut builder = Builder::new();
        builder.prefix(".moissanite-");
        // Less what the umask takes away; without this, files are the owner's alone.
        #[cfg(unix)]
        if !output.secret {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut file = builder.tempfile_in(folder(&path)).map_err(write_error)?;
        file.write_all(output.bytes)
            .and_then(|()| file.as_file().sync_all())
            .map_err(write_error)?;
        Ok(Self { path, file })
    }

    /// Another name for what is there now, to undo the replacement by.
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
        let name = new.path.display().to_string();
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

/// Best effort: the error that is already there is the one to report.
fn undo(done: Vec<(PathBuf, Option<NamedTempFile<()>>)>) {
    for (path, backup) in done {
        match backup {
            Some(backup) => drop(backup.persist(path)),
            None => drop(fs::remove_file(path)),
        }
    }
}

/// Where the file really is: behind links, and comparable with others.
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

    /// Somebody puts something in the way of the second file after all checks.
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
