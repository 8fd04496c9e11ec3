//! The reasons for which an image is refused.

use core::fmt;

/// The reason why bytes are not an image of this format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Malformed {
    /// The first four bytes are not those of an image; erased flash, for example.
    NoImage,
    /// The header has fewer than 32 bytes.
    HeaderSize,
    /// The header has flags other than the one of a fixed address.
    Flags(u32),
    /// The header has a load address, but not the flag of a fixed address.
    LoadAddress,
    /// The last four bytes of the header are not zero.
    Reserved,
    /// There is no program.
    Empty,
    /// The protected area does not have 48 bytes, or its two sizes differ.
    ProtectedSize,
    /// An area does not begin with its magic number.
    AreaMagic,
    /// The image is longer than the slot or than 4 GiB.
    TooLong,
    /// The size of the area and the end of its entries differ.
    AreaSize,
    /// An entry of this type is not one of this format, or belongs into the other area.
    Unknown(u16),
    /// The value of an entry of this type has another length.
    EntryLength(u16),
    /// There are two entries of this type, or two signatures.
    Duplicate(u16),
    /// There is no signature.
    NoSignature,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoImage => "there is no image",
            Self::HeaderSize => "the header is too short",
            Self::Flags(flags) => return write!(f, "the flags {flags:#x} are not supported"),
            Self::LoadAddress => "there is a load address without its flag",
            Self::Reserved => "the reserved bytes of the header are not zero",
            Self::Empty => "the program is empty",
            Self::ProtectedSize => "the protected area has a wrong size",
            Self::AreaMagic => "an area has a wrong magic number",
            Self::TooLong => "the image does not fit the slot",
            Self::AreaSize => "the entries do not fill their area",
            Self::Unknown(kind) => return write!(f, "an entry has the type {kind:#06x}"),
            Self::EntryLength(kind) => {
                return write!(f, "the entry of the type {kind:#06x} has a wrong length");
            }
            Self::Duplicate(kind) => {
                return write!(f, "there are two entries of the type {kind:#06x}");
            }
            Self::NoSignature => "there is no signature",
        })
    }
}
impl core::error::Error for Malformed {}

/// The reason why a device does not accept an image that is well-formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// The signature is one of another parameter set.
    ParameterSet,
    /// The image names another public key.
    Vendor,
    /// The rollback counter of the image is too low.
    Counter,
    /// The image is for another address, or for any address where one is required.
    Address,
    /// The signature is not valid.
    Signature,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ParameterSet => "the signature is one of another parameter set",
            Self::Vendor => "the image names another public key",
            Self::Counter => "the rollback counter is too low",
            Self::Address => "the image is for another address",
            Self::Signature => "the signature is not valid",
        })
    }
}
impl core::error::Error for Refused {}

/// The reason why an image is not accepted. `S` is the error of the slot, and `K` that of the public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error<S, K> {
    /// The slot cannot be read.
    Slot(S),
    /// The public key cannot be read; also if a slice does not have the length of a public key.
    Key(K),
    /// The bytes are not an image.
    Malformed(Malformed),
    /// The device does not accept the image.
    Refused(Refused),
}

impl<S, K> fmt::Display for Error<S, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slot(_) => f.write_str("the slot cannot be read"),
            Self::Key(_) => f.write_str("the public key cannot be read"),
            Self::Malformed(reason) => reason.fmt(f),
            Self::Refused(reason) => reason.fmt(f),
        }
    }
}
impl<S: fmt::Debug, K: fmt::Debug> core::error::Error for Error<S, K> {}

impl<S, K> From<Malformed> for Error<S, K> {
    fn from(reason: Malformed) -> Self {
        Self::Malformed(reason)
    }
}

impl<S, K> From<Refused> for Error<S, K> {
    fn from(reason: Refused) -> Self {
        Self::Refused(reason)
    }
}
