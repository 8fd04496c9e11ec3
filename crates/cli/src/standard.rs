//! Standard input and output: what they are connected to, and whether they are at all.

use std::fs::Metadata;
use std::path::Path;

/// Whether this is the name of the stream with this number, by which Unix opens it like a file.
pub(crate) fn is_name(path: &Path, number: usize) -> bool {
    let alias = ["/dev/stdin", "/dev/stdout"].get(number);
    let numbered =
        ["/dev/fd", "/proc/self/fd"].map(|folder| Path::new(folder).join(number.to_string()));
    alias.is_some_and(|alias| path == Path::new(alias)) || numbered.iter().any(|name| path == name)
}

/// What the stream is connected to, if the system tells.
#[cfg(unix)]
pub(crate) fn metadata(stream: &impl std::os::fd::AsFd) -> Option<Metadata> {
    let owned = stream.as_fd().try_clone_to_owned().ok()?;
    std::fs::File::from(owned).metadata().ok()
}

#[cfg(not(unix))]
pub(crate) fn metadata<T>(_: &T) -> Option<Metadata> {
    None
}

/// Whether the caller closed the stream before the command began.
///
/// Rust's standard library then opens `/dev/null` in its place, for reading and writing. A caller who
/// passes `/dev/null` so on purpose cannot be told from that; a shell's redirection opens it one way.
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

/// Whether others than the owner can read this file. Of anything but a file, that means nothing.
#[cfg(unix)]
pub(crate) fn is_readable_by_others(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;

    metadata.is_file() && metadata.permissions().mode() & 0o044 != 0
}

#[cfg(not(unix))]
pub(crate) fn is_readable_by_others(_: &Metadata) -> bool {
    false
}
