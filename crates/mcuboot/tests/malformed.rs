use moissanite_mcuboot::{Malformed, Parser};

use crate::*;

fn refuses(image: &[u8], reason: Malformed) {
    assert_eq!(check(image), Err(Error::Malformed(reason)));
}

#[test]
fn headers() {
    refuses(&[0xff; 4096], Malformed::NoImage);
    for byte in 0..4 {
        refuses(&with(byte, &[0]), Malformed::NoImage);
    }
    refuses(&with(4, &[0, 0x80, 0, 0]), Malformed::LoadAddress);
    refuses(&with(8, &[31, 0]), Malformed::HeaderSize);
    refuses(&with(8, &[0, 0]), Malformed::HeaderSize);
    refuses(&with(10, &[0, 0]), Malformed::ProtectedSize);
    refuses(&with(10, &[49, 0]), Malformed::ProtectedSize);
    refuses(&with(12, &[0; 4]), Malformed::Empty);
    refuses(&with(28, &[1, 0, 0, 0]), Malformed::Reserved);
    refuses(&with(31, &[0x80]), Malformed::Reserved);
    // All flags of mcuboot except that of a fixed address, alone and with it: encrypted, not bootable, loaded to
    // memory, compressed.
    for bit in (0..32).filter(|bit| *bit != 8) {
        for flags in [1_u32 << bit, 1 << bit | 0x100] {
            refuses(&with(16, &flags.to_le_bytes()), Malformed::Flags(flags));
        }
    }
}

/// Sizes that overlap what follows, or that exceed the slot or all addresses.
#[test]
fn sizes() {
    refuses(&with(8, &[33, 0]), Malformed::AreaMagic);
    refuses(&with(8, &[41, 0]), Malformed::AreaMagic);
    refuses(&with(8, &[0xff, 0xff]), Malformed::TooLong);
    refuses(&with(12, &99_u32.to_le_bytes()), Malformed::AreaMagic);
    refuses(&with(12, &101_u32.to_le_bytes()), Malformed::AreaMagic);
    for length in [IMAGE.len() as u32, u32::MAX - 47, u32::MAX - 40, u32::MAX] {
        refuses(&with(12, &length.to_le_bytes()), Malformed::TooLong);
    }
    let end = IMAGE.len() - PROTECTED;
    let longest = u32::try_from(IMAGE.len() - 48 - 40).unwrap();
    assert!(end > 48);
    refuses(&with(12, &longest.to_le_bytes()), Malformed::AreaMagic);
    refuses(&with(12, &(longest + 1).to_le_bytes()), Malformed::TooLong);
}

#[test]
fn protected_areas() {
    refuses(&with(PROTECTED, &[0x07]), Malformed::AreaMagic);
    refuses(&with(PROTECTED + 2, &[47]), Malformed::ProtectedSize);
    refuses(&with(PROTECTED + 2, &[49]), Malformed::ProtectedSize);
    refuses(&with(PROTECTED + 3, &[1]), Malformed::ProtectedSize);
    // A dependency on another image, which cannot be checked here; the entries of the other area.
    for kind in [0x40_u16, 0x10, 0x4da1, 0x51, 0xffff] {
        let image = with(PROTECTED + 4, &kind.to_le_bytes());
        refuses(&image, Malformed::Unknown(kind));
    }
    refuses(&with(PROTECTED + 5, &[1]), Malformed::Unknown(0x150));
    refuses(&with(PROTECTED + 6, &[3]), Malformed::EntryLength(0x50));
    refuses(&with(PROTECTED + 6, &[5]), Malformed::EntryLength(0x50));
    refuses(&with(PROTECTED + 7, &[1]), Malformed::AreaSize);
    refuses(&with(PROTECTED + 14, &[31]), Malformed::EntryLength(0x4da0));
    refuses(&with(PROTECTED + 14, &[33]), Malformed::AreaSize);
    refuses(&with(PROTECTED + 15, &[0xff]), Malformed::AreaSize);
    let counter = [0x50, 0, 4, 0, 7, 0, 0, 0];
    refuses(&with(PROTECTED + 12, &counter), Malformed::Duplicate(0x50));
    // One entry fills the area.
    refuses(
        &with(PROTECTED + 4, &[0x50, 0, 40, 0]),
        Malformed::EntryLength(0x50),
    );
}

#[test]
fn areas() {
    refuses(&with(AREA, &[0x08]), Malformed::AreaMagic);
    refuses(&with(AREA + 1, &[0]), Malformed::AreaMagic);
    let size = u16::from_le_bytes([IMAGE[AREA + 2], IMAGE[AREA + 3]]);
    let sized = |size: u16| with(AREA + 2, &size.to_le_bytes());
    refuses(&sized(size + 1), Malformed::TooLong);
    refuses(&sized(u16::MAX), Malformed::TooLong);
    for short in [0, 3, 5, 7, 8, 39, 41, 43, 44, size - 1] {
        refuses(&sized(short), Malformed::AreaSize);
    }
    refuses(&sized(4), Malformed::NoSignature);
    refuses(&sized(40), Malformed::NoSignature);
    // The hash of a key, an ECDSA signature, the counter, and the end of mcuboot's list.
    for kind in [0x01_u16, 0x22, 0x50, 0x4da0, 0x4da4, 0xffff] {
        let image = with(AREA + 4, &kind.to_le_bytes());
        refuses(&image, Malformed::Unknown(kind));
    }
    refuses(&with(AREA + 6, &[31]), Malformed::EntryLength(0x10));
    refuses(&with(AREA + 6, &[33]), Malformed::EntryLength(0x10));
    refuses(&with(AREA + 42, &[0x73]), Malformed::EntryLength(0x4da1));
    refuses(&with(AREA + 42, &[0x75]), Malformed::EntryLength(0x4da1));
    // The type of another parameter set, with the length of this one.
    refuses(&with(AREA + 40, &[0xa2]), Malformed::EntryLength(0x4da2));
}

/// An area with more bytes or entries than the format has.
#[test]
fn more_entries() {
    let more = |entry: &[u8]| {
        let mut image = [&IMAGE[..], entry].concat();
        let size = u16::try_from(image.len() - AREA).unwrap();
        image[AREA + 2..][..2].copy_from_slice(&size.to_le_bytes());
        image
    };
    let (digest, signature) = (&IMAGE[AREA + 4..AREA + 40], &IMAGE[AREA + 40..]);
    refuses(&more(digest), Malformed::Duplicate(0x10));
    refuses(&more(signature), Malformed::Duplicate(0x4da1));
    refuses(&more(&[0xa3, 0x4d, 0, 0]), Malformed::Duplicate(0x4da3));
    refuses(&more(&[0x60, 0, 0, 0]), Malformed::Unknown(0x60));
    for bytes in 1..4 {
        refuses(&more(&[0; 4][..bytes]), Malformed::AreaSize);
    }
}

/// An image is never read beyond the end of its slot: a slice would report that.
#[test]
fn every_end() {
    for end in 0..IMAGE.len() {
        refuses(&IMAGE[..end], Malformed::TooLong);
    }
}

/// A parser that has failed takes nothing more.
#[test]
fn after_an_error() {
    let mut parser = Parser::new(IMAGE.len());
    assert_eq!(parser.take(&[0; 32]), Err(Malformed::NoImage));
    assert_eq!(parser.wanted(), None);
    assert_eq!(parser.take(&IMAGE[..32]), Err(Malformed::AreaSize));
    assert_eq!(parser.image(), None);
    let mut parser = Parser::new(IMAGE.len());
    assert_eq!(parser.take(&IMAGE[..31]), Err(Malformed::AreaSize));
}

#[test]
fn texts() {
    assert_eq!(
        Malformed::Unknown(0x40).to_string(),
        "an entry has the type 0x0040"
    );
    let error: Error<EndOfSlice, EndOfSlice> = Malformed::Flags(4).into();
    assert_eq!(error.to_string(), "the flags 0x4 are not supported");
}
