//! The first 32 bytes.

use core::fmt;

use crate::error::Malformed;
use crate::format::{HEADER_LEN, MAGIC, PROTECTED_LEN, ROM_FIXED};

/// The version of an image, which is ordered as its fields are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The first number.
    pub major: u8,
    /// The second number.
    pub minor: u8,
    /// The third number.
    pub revision: u16,
    /// The number of the build.
    pub build: u32,
}

impl Version {
    /// A version of four numbers.
    #[must_use]
    pub const fn new(major: u8, minor: u8, revision: u16, build: u32) -> Self {
        Self {
            major,
            minor,
            revision,
            build,
        }
    }
}

/// `major.minor.revision+build`, as mcuboot's tools write it.
impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            major,
            minor,
            revision,
            build,
        } = self;
        write!(f, "{major}.{minor}.{revision}+{build}")
    }
}

/// A header. Its fields are not secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub(crate) address: Option<u32>,
    pub(crate) size: u16,
    pub(crate) body: u32,
    pub(crate) version: Version,
}

impl Header {
    /// Reads a header.
    ///
    /// # Errors
    /// The [`Malformed`] of the first wrong field.
    pub fn from_bytes(bytes: &[u8; HEADER_LEN]) -> Result<Self, Malformed> {
        let ([magic, address, sizes, body, flags, version, build, reserved], []) =
            bytes.as_chunks::<4>()
        else {
            return Err(Malformed::HeaderSize);
        };
        if u32::from_le_bytes(*magic) != MAGIC {
            return Err(Malformed::NoImage);
        }
        let [s0, s1, p0, p1] = *sizes;
        let size = u16::from_le_bytes([s0, s1]);
        if usize::from(size) < HEADER_LEN {
            return Err(Malformed::HeaderSize);
        }
        if usize::from(u16::from_le_bytes([p0, p1])) != PROTECTED_LEN {
            return Err(Malformed::ProtectedSize);
        }
        let body = u32::from_le_bytes(*body);
        if body == 0 {
            return Err(Malformed::Empty);
        }
        let address = match (u32::from_le_bytes(*flags), u32::from_le_bytes(*address)) {
            (0, 0) => None,
            (0, _) => return Err(Malformed::LoadAddress),
            (ROM_FIXED, address) => Some(address),
            (flags, _) => return Err(Malformed::Flags(flags)),
        };
        if *reserved != [0; 4] {
            return Err(Malformed::Reserved);
        }
        let [major, minor, r0, r1] = *version;
        let revision = u16::from_le_bytes([r0, r1]);
        Ok(Self {
            address,
            size,
            body,
            version: Version::new(major, minor, revision, u32::from_le_bytes(*build)),
        })
    }

    /// The same bytes again.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; HEADER_LEN] {
        const PROTECTED: [u8; 2] = (PROTECTED_LEN as u16).to_le_bytes();
        let [s0, s1] = self.size.to_le_bytes();
        let [r0, r1] = self.version.revision.to_le_bytes();
        let flags = if self.address.is_some() { ROM_FIXED } else { 0 };
        let words = [
            MAGIC.to_le_bytes(),
            self.address.unwrap_or_default().to_le_bytes(),
            [s0, s1, PROTECTED[0], PROTECTED[1]],
            self.body.to_le_bytes(),
            flags.to_le_bytes(),
            [self.version.major, self.version.minor, r0, r1],
            self.version.build.to_le_bytes(),
            [0; 4],
        ];
        let mut bytes = [0; HEADER_LEN];
        bytes.copy_from_slice(words.as_flattened());
        bytes
    }

    /// The number of bytes before the program, 32 or more.
    #[must_use]
    pub fn size(&self) -> u16 {
        self.size
    }

    /// The number of bytes of the program, 1 or more.
    #[must_use]
    pub fn body_len(&self) -> u32 {
        self.body
    }

    /// The version.
    #[must_use]
    pub fn version(&self) -> Version {
        self.version
    }

    /// The address of the slot for which the image was linked, if it says so.
    #[must_use]
    pub fn address(&self) -> Option<u32> {
        self.address
    }
}
