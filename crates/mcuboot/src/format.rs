//! The numbers of the format.

use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87, ParameterSet};

/// The first four bytes of an image, `IMAGE_MAGIC` of mcuboot.
pub const MAGIC: u32 = 0x96f3_b83d;
/// The number of bytes of a header without padding.
pub const HEADER_LEN: usize = 32;
/// The flag of an image for a fixed address, `IMAGE_F_ROM_FIXED` of mcuboot.
pub const ROM_FIXED: u32 = 0x100;

/// The first two bytes of the protected area, `IMAGE_TLV_PROT_INFO_MAGIC` of mcuboot.
pub const PROTECTED_MAGIC: u16 = 0x6908;
/// The first two bytes of the area that is not signed, `IMAGE_TLV_INFO_MAGIC` of mcuboot.
pub const MAGIC_OF_AREA: u16 = 0x6907;
/// The number of bytes before the entries of an area, and before the value of an entry.
pub const INFO_LEN: usize = 4;

/// The type of the rollback counter, `IMAGE_TLV_SEC_CNT` of mcuboot.
pub const COUNTER: u16 = 0x50;
/// The type of a SHA-256 digest, `IMAGE_TLV_SHA256` of mcuboot.
pub const DIGEST: u16 = 0x10;
/// The number of bytes of a digest.
pub const DIGEST_LEN: usize = 32;
/// The type of the vendor's hash, in the range of vendors.
pub const VENDOR: u16 = 0x4da0;
/// The number of bytes of the vendor's hash.
pub const VENDOR_LEN: usize = 32;

/// The number of bytes of the protected area: its own four bytes, the counter and the vendor's hash.
pub const PROTECTED_LEN: usize = 3 * INFO_LEN + size_of::<u32>() + VENDOR_LEN;

/// The context of all signatures of images.
pub const CONTEXT: &[u8] = b"moissanite mcuboot image";

/// A parameter set with a type of signature. FIPS 204's three sets have one.
pub trait ImageSet: Fips204 {
    /// The type of the entry with the signature.
    const SIGNATURE_TYPE: u16;
}

impl ImageSet for MlDsa44 {
    const SIGNATURE_TYPE: u16 = 0x4da1;
}
impl ImageSet for MlDsa65 {
    const SIGNATURE_TYPE: u16 = 0x4da2;
}
impl ImageSet for MlDsa87 {
    const SIGNATURE_TYPE: u16 = 0x4da3;
}

/// The number of bytes of a signature of this type, if the type is one of a signature.
pub(crate) const fn signature_len(kind: u16) -> Option<usize> {
    match kind {
        MlDsa44::SIGNATURE_TYPE => Some(MlDsa44::SIGNATURE_LEN),
        MlDsa65::SIGNATURE_TYPE => Some(MlDsa65::SIGNATURE_LEN),
        MlDsa87::SIGNATURE_TYPE => Some(MlDsa87::SIGNATURE_LEN),
        _ => None,
    }
}
