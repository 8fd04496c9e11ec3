//! The state of standard input and output, and the permissions of files.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

/// The folders in which Unix names the open files of a process by their numbers.
const OPEN_FILES: [&str; 3] = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"];

/// The largest number of links that are followed, which is that of Linux.
const MAX_LINKS: u32 = 40;

/// The number of the open file that a path names, under whatever name: 0 for `/dev/stdin`, for
/// example, and for a link to it.
pub(crate) fn number(path: &Path) -> Option<u32> {
    let folders = OPEN_FILES.map(|folder| fs::canonicalize(folder).ok());
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let name = path.file_name()?;
        let folder = match path.parent()? {
            folder if folder == Path::new("") => Path::new("."),
            folder => folder,
        };
        let folder = folder.canonicalize().ok()?;
        if folders.iter().flatten().any(|open| *open == folder) {
            return name.to_str()?.parse().ok();
        }
        path = folder.join(folder.join(name).read_link().ok()?);
    }
    None
}

/// The name of the standard stream with this number, if the stream was closed before the command started.
pub(crate) fn closed(number: u32) -> Option<&'static str> {
    match number {
        0 if is_closed(&io::stdin()) => Some("standard input"),
        1 if is_closed(&io::stdout()) => Some("standard output"),
        2 if is_closed(&io::stderr()) => Some("standard error"),
        _ => None,
    }
}

/// The metadata of the file or device behind a stream, if the system provides it.
#[cfg(unix)]
pub(crate) fn metadata(stream: &impl std::os::fd::AsFd) -> Option<Metadata> {
    let owned = stream.as_fd().try_clone_to_owned().ok()?;
    fs::File::from(owned).metadata().ok()
}

#[cfg(not(unix))]
pub(crate) fn metadata<T>(_: &T) -> Option<Metadata> {
    None
}

/// Whether the stream was closed before the command started.
///
/// In that case, Rust's standard library opens `/dev/null` for reading and writing in its place. A caller
/// that passes `/dev/null` in this mode intentionally looks the same. A shell opens it in one direction.
#[cfg(unix)]
fn is_closed(stream: &impl std::os::fd::AsFd) -> bool {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};

    use rustix::fs::{OFlags, fcntl_getfl};

    let null = fs::metadata("/dev/null");
    let is_null = metadata(stream).is_some_and(|stream| {
        stream.file_type().is_char_device() && null.is_ok_and(|null| null.rdev() == stream.rdev())
    });
    is_null && fcntl_getfl(stream).is_ok_and(|flags| flags.contains(OFlags::RDWR))
}

#[cfg(not(unix))]
fn is_closed<T>(_: &T) -> bool {
    false
}

/// Whether users other than the owner can read this file. The result is false for anything but a file.
#[cfg(unix)]
pub(crate) fn is_readable_by_others(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;

    metadata.is_file() && metadata.permissions().mode() & 0o044 != 0
}

#[cfg(not(unix))]
pub(crate) fn is_readable_by_others(_: &Metadata) -> bool {
    false
}
