//! The errors of manifests and of the files that they list.

/// Why a manifest or a file of the folder is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ManifestError {
    /// A line has another form.
    #[error("line {0} is not one that `moissanite sign --recursive` writes")]
    Line(usize),
    /// A name leads out of the folder, or is that of the manifest.
    #[error(
        "line {0} has a name that is absolute, leads out of the folder or is that of the manifest"
    )]
    Name(usize),
    /// The lines are not sorted, or two have the same name.
    #[error("the name of line {0} repeats another one, or is not in the order of bytes")]
    Order(usize),
    /// A name is below that of a file or a link.
    #[error("the name of line {0} is below a file or a symbolic link")]
    Below(usize),
    /// The manifest is too large.
    #[error("the manifest has more than 256 MiB")]
    TooLarge,
    /// There is nothing to sign.
    #[error("there are no files in it")]
    Empty,
    /// A file was written to while it was read.
    #[error("it changed while it was read; no other program may write to it")]
    Changed,
    /// A pipe, a socket or a device.
    #[error(
        "it is neither a file, a folder nor a symbolic link, so that a manifest cannot record it"
    )]
    Special,
    /// A name cannot be written in a manifest.
    #[error("its name is not Unicode, or has a character that separates folders")]
    NotUnicode,
}
