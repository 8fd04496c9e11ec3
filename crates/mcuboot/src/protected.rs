//! The protected area, whose 48 bytes are signed.

use crate::error::Malformed;
use crate::format::{COUNTER, INFO_LEN, PROTECTED_LEN, PROTECTED_MAGIC, VENDOR, VENDOR_LEN};

/// The content of the protected area. Its entries are in any order, so its bytes are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Protected {
    bytes: [u8; PROTECTED_LEN],
    counter: u32,
    vendor: [u8; VENDOR_LEN],
}

impl Protected {
    /// Reads the area.
    ///
    /// # Errors
    /// A [`Malformed`] if there are not both entries, each once, and nothing else.
    pub fn from_bytes(bytes: &[u8; PROTECTED_LEN]) -> Result<Self, Malformed> {
        let (info, mut rest) = split_info(bytes)?;
        if info.0 != PROTECTED_MAGIC {
            return Err(Malformed::AreaMagic);
        }
        if usize::from(info.1) != PROTECTED_LEN {
            return Err(Malformed::ProtectedSize);
        }
        let (mut counter, mut vendor) = (None, None);
        while !rest.is_empty() {
            let ((kind, length), values) = split_info(rest)?;
            let (value, next) = values
                .split_at_checked(usize::from(length))
                .ok_or(Malformed::AreaSize)?;
            match kind {
                COUNTER => set(&mut counter, kind, value)?,
                VENDOR => set(&mut vendor, kind, value)?,
                _ => return Err(Malformed::Unknown(kind)),
            }
            rest = next;
        }
        // Both are there: no other entries fill 48 bytes.
        let (Some(counter), Some(vendor)) = (counter, vendor) else {
            return Err(Malformed::AreaSize);
        };
        Ok(Self {
            bytes: *bytes,
            counter: u32::from_le_bytes(counter),
            vendor,
        })
    }

    /// The area with the counter first.
    #[must_use]
    pub fn new(counter: u32, vendor: [u8; VENDOR_LEN]) -> Self {
        const LEN: u16 = PROTECTED_LEN as u16;
        let mut bytes = [0; PROTECTED_LEN];
        let parts: [&[u8]; 5] = [
            &info(PROTECTED_MAGIC, LEN),
            &info(COUNTER, size_of::<u32>() as u16),
            &counter.to_le_bytes(),
            &info(VENDOR, VENDOR_LEN as u16),
            &vendor,
        ];
        for (byte, part) in bytes.iter_mut().zip(parts.into_iter().flatten()) {
            *byte = *part;
        }
        Self {
            bytes,
            counter,
            vendor,
        }
    }

    /// The bytes, as they were read.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; PROTECTED_LEN] {
        &self.bytes
    }

    /// The rollback counter.
    #[must_use]
    pub fn counter(&self) -> u32 {
        self.counter
    }

    /// The vendor's hash: the first 32 bytes of SHAKE256 of the public key.
    #[must_use]
    pub fn vendor(&self) -> &[u8; VENDOR_LEN] {
        &self.vendor
    }
}

/// The four bytes before entries or a value.
pub(crate) fn info(kind: u16, length: u16) -> [u8; INFO_LEN] {
    let ([k0, k1], [l0, l1]) = (kind.to_le_bytes(), length.to_le_bytes());
    [k0, k1, l0, l1]
}

/// The type and the length of an entry, or the magic number and the size of an area.
pub(crate) fn read_info([k0, k1, l0, l1]: [u8; INFO_LEN]) -> (u16, u16) {
    (u16::from_le_bytes([k0, k1]), u16::from_le_bytes([l0, l1]))
}

fn split_info(bytes: &[u8]) -> Result<((u16, u16), &[u8]), Malformed> {
    let (info, rest) = bytes.split_first_chunk().ok_or(Malformed::AreaSize)?;
    Ok((read_info(*info), rest))
}

fn set<const N: usize>(
    entry: &mut Option<[u8; N]>,
    kind: u16,
    value: &[u8],
) -> Result<(), Malformed> {
    if entry.is_some() {
        return Err(Malformed::Duplicate(kind));
    }
    let value = value.try_into().map_err(|_| Malformed::EntryLength(kind))?;
    *entry = Some(value);
    Ok(())
}
