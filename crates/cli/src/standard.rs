//! The state of standard input and output, and the permissions of files.

use std::fs::Metadata;
use std::path::Path;

/// Whether this path is a Unix name of the standard stream with this number.
pub(crate) fn is_name(path: &Path, number: usize) -> bool {
    let alias = ["/dev/stdin", "/dev/stdout"].get(number);
    let numbered =
        ["/dev/fd", "/proc/self/fd"].map(|folder| Path::new(folder).join(number.to_string()));
    alias.is_some_and(|alias| path == Path::new(alias)) || numbered.iter().any(|name| path == name)
}

/// The metadata of the file or device behind a stream, if the system provides it.
#[cfg(unix)]
pub(crate) fn metadata(stream: &impl std::os::fd::AsFd) -> Option<Metadata> {
    let owned = stream.as_fd().try_clone_to_owned().ok()?;
    std::fs::File::from(owned).metadata().ok()
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
pub(crate) fn is_closed(stream: &impl std::os::fd::AsFd) -> bool {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};

    use rustix::fs::{OFlags, fcntl_getfl};

    let null = std::fs::metadata("/dev/null");
    let is_null = metadata(stream).is_some_and(|stream| {
        stream.file_type().is_char_device() && null.is_ok_and(|null| null.rdev() == stream.rdev())
    });
    is_null && fcntl_getfl(stream).is_ok_and(|flags| flags.contains(OFlags::RDWR))
}

#[cfg(not(unix))]
pub(crate) fn is_closed<T>(_: &T) -> bool {
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
