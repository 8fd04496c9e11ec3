//! Images with one changed part, about which the boot loader in C and the crate moissanite-mcuboot must have the same
//! verdict. tests/images.c of the C interface reads them.

use anyhow::Result;

use super::images::Maker;

/// The slot of the test, and a RAM that it does not have.
const SLOT: u32 = 0x2000_0000;
const SLOT_LENGTH: usize = 64 << 10;
const PROGRAM: [u8; 300] = [0x5a; 300];
/// Values of bytes that are tried: zero, one and the largest, and those beside it.
const BYTES: [u8; 6] = [0, 1, 0x1f, 0x7f, 0xfe, 0xff];

/// The content of the file.
pub(super) fn file() -> Result<Vec<u8>> {
    let maker = Maker::new(SLOT, SLOT_LENGTH, (0, 0));
    let mut file = maker.public_key().to_vec();
    file.extend(maker.vendor()?);
    let mut add = |slot: &[u8]| -> Result<()> {
        let verdict = maker.verdict(slot, slot.len()).is_ok();
        file.extend(u32::try_from(slot.len())?.to_le_bytes());
        file.extend(u32::from(verdict).to_le_bytes());
        file.extend(slot);
        Ok(())
    };
    let good = maker.good(&PROGRAM)?;
    let message = maker.message(&PROGRAM)?;
    let header = 0..40;
    // The protected area, the other one with its digest, and the begin of the signature.
    let areas = message.len() - 48..message.len() + 60;
    add(&good)?;
    add(&[&good[..], &[0xff; 100]].concat())?;
    // Slots that end within the image.
    for end in (0..40).chain(500..520).chain(areas.clone()) {
        add(good.get(..end).unwrap_or_default())?;
    }
    for short in 1..20 {
        add(good.get(..good.len() - short).unwrap_or_default())?;
    }
    // Bytes that are changed after the image was signed, and before.
    for at in header.clone().chain(areas) {
        for value in BYTES {
            let mut image = good.clone();
            image.splice(at..=at, [value]);
            add(&image)?;
        }
    }
    for at in header.chain(message.len() - 48..message.len()) {
        for value in BYTES {
            let mut changed = message.clone();
            changed.splice(at..=at, [value]);
            add(&maker.signed(changed)?)?;
        }
    }
    // An image without a program.
    let mut empty = message.clone();
    empty.splice(12..16, [0; 4]);
    empty.drain(512..512 + PROGRAM.len());
    add(&maker.signed(empty)?)?;
    Ok(file)
}
