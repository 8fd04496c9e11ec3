//! Images for the boot loader in C, good and bad ones. image.h there describes the format.

use anyhow::{Result, anyhow};
use moissanite::prelude::*;
use moissanite::{MlDsa44, Seed, SigningKey};
use moissanite_core::hash;

const CONTEXT: &[u8] = b"moissanite mcuboot image";
const HEADER: usize = 512;
const COUNTER: u32 = 3;
/// What each refusal is called.
const SIGNATURE: &str = "refused: signature";

/// The keys and the board of the images.
pub(super) struct Maker {
    vendor: SigningKey<MlDsa44>,
    other: SigningKey<MlDsa44>,
    pub(super) slot: u32,
    pub(super) slot_length: usize,
    pub(super) ram: (u32, u32),
}

/// An image before it is signed.
struct Parts {
    header: Vec<u8>,
    program: Vec<u8>,
    protected: Vec<u8>,
}

/// A description, the content of the slot, and the expected output.
pub(super) type Case = (&'static str, Vec<u8>, &'static str);

impl Maker {
    pub(super) fn new(slot: u32, slot_length: usize, ram: (u32, u32)) -> Self {
        Self {
            vendor: SigningKey::from_seed(&Seed::from([7; 32])),
            other: SigningKey::from_seed(&Seed::from([8; 32])),
            slot,
            slot_length,
            ram,
        }
    }

    /// The public key in the boot loader.
    pub(super) fn public_key(&self) -> &[u8] {
        self.vendor.verifying_key().as_bytes()
    }

    /// All images of a program.
    pub(super) fn cases(&self, program: &[u8]) -> Result<Vec<Case>> {
        let good = self.signed(self.parts(program), CONTEXT)?;
        let signed = HEADER + program.len() + 48;
        let flipped = |at: usize| {
            let mut image = good.clone();
            if let Some(byte) = image.get_mut(at) {
                *byte ^= 1;
            }
            image
        };
        let changed = |change: &dyn Fn(&mut Parts)| {
            let mut parts = self.parts(program);
            change(&mut parts);
            self.signed(parts, CONTEXT)
        };
        let word = |parts: &mut Parts, at: usize, value: u32| {
            parts.header.splice(at..at + 4, value.to_le_bytes());
        };
        let vector = |at: usize, value: u32| {
            changed(&|parts| {
                parts.program.splice(at..at + 4, value.to_le_bytes());
            })
        };
        let code = self.slot + u32::try_from(HEADER)?;
        let end = code + u32::try_from(program.len())?;
        let of_other = self.protected(&self.hash(&self.other), COUNTER);
        let mut cases = vec![
            ("as signed", good.clone(), "booted"),
            ("empty flash", Vec::new(), "refused: no image"),
            ("padding changed", flipped(HEADER - 1), SIGNATURE),
            ("version changed", flipped(20), SIGNATURE),
            ("code changed", flipped(signed - 49), SIGNATURE),
            (
                "counter changed",
                flipped(HEADER + program.len() + 8),
                SIGNATURE,
            ),
            ("signature changed", flipped(signed + 8), SIGNATURE),
            (
                "end of signature changed",
                flipped(good.len() - 1),
                SIGNATURE,
            ),
            (
                "another context",
                self.signed(self.parts(program), b"letters")?,
                SIGNATURE,
            ),
            (
                "signature cut off",
                good[..signed].to_vec(),
                "refused: TLVs",
            ),
            (
                "no TLVs at all",
                good[..HEADER + program.len()].to_vec(),
                "refused: protected TLVs",
            ),
            (
                "type of signature changed",
                flipped(signed + 4),
                "refused: TLVs",
            ),
            (
                "length of signature changed",
                flipped(signed + 6),
                "refused: TLVs",
            ),
            (
                "type of counter changed",
                flipped(signed - 44),
                "refused: protected TLVs",
            ),
            (
                "with a digest",
                with_tlv(&good, signed, &tlv(0x10, &[0; 32])),
                "booted",
            ),
            (
                "with two signatures",
                with_tlv(&good, signed, &good[signed + 4..]),
                "refused: TLVs",
            ),
            (
                "with an unknown TLV",
                with_tlv(&good, signed, &tlv(0x22, &[0; 3])),
                "refused: TLVs",
            ),
        ];
        cases.extend([
            (
                "another slot",
                changed(&|parts| word(parts, 4, self.slot + 4096))?,
                "refused: for another slot",
            ),
            (
                "other flags",
                changed(&|parts| word(parts, 16, 0x20))?,
                "refused: for another slot",
            ),
            (
                "longer than the slot",
                changed(&|parts| word(parts, 12, u32::MAX))?,
                "refused: length",
            ),
            (
                "shorter than a header",
                changed(&|parts| {
                    parts.header.splice(8..10, 31u16.to_le_bytes());
                })?,
                "refused: length",
            ),
            (
                "another length of protected TLVs",
                changed(&|parts| {
                    parts.header.splice(10..12, 52u16.to_le_bytes());
                })?,
                "refused: protected TLVs",
            ),
            (
                "an old counter",
                changed(&|parts| {
                    parts.protected = self.protected(&self.hash(&self.vendor), COUNTER - 1);
                })?,
                "refused: an old version",
            ),
            (
                "another vendor",
                changed(&|parts| parts.protected.clone_from(&of_other))?,
                "refused: another vendor",
            ),
            (
                "stack below RAM",
                vector(0, self.ram.0)?,
                "refused: vectors",
            ),
            (
                "stack above RAM",
                vector(0, self.ram.1 + 8)?,
                "refused: vectors",
            ),
            ("stack at zero", vector(0, 0)?, "refused: vectors"),
            (
                "start in the boot loader",
                vector(4, self.slot - 3)?,
                "refused: vectors",
            ),
            (
                "start behind the program",
                vector(4, end | 1)?,
                "refused: vectors",
            ),
            (
                "start not in Thumb code",
                vector(4, code + 32)?,
                "refused: vectors",
            ),
        ]);
        let mut of_other_key = self.parts(program);
        of_other_key.protected = of_other;
        cases.push((
            "signed by another key",
            sealed(of_other_key, CONTEXT, &self.other)?,
            SIGNATURE,
        ));
        Ok(cases)
    }

    fn hash(&self, key: &SigningKey<MlDsa44>) -> Vec<u8> {
        hash::h::<32>(&[key.verifying_key().as_bytes()]).to_vec()
    }

    fn parts(&self, program: &[u8]) -> Parts {
        let protected = self.protected(&self.hash(&self.vendor), COUNTER);
        let mut header = Vec::new();
        header.extend(0x96f3_b83d_u32.to_le_bytes());
        header.extend(self.slot.to_le_bytes());
        header.extend((HEADER as u16).to_le_bytes());
        header.extend((protected.len() as u16).to_le_bytes());
        header.extend((program.len() as u32).to_le_bytes());
        header.extend(0x100_u32.to_le_bytes());
        // Version 1.2.3+4.
        header.extend([1, 2, 3, 0, 4, 0, 0, 0]);
        header.resize(HEADER, 0);
        Parts {
            header,
            program: program.to_vec(),
            protected,
        }
    }

    /// The area of protected TLVs.
    fn protected(&self, key_hash: &[u8], counter: u32) -> Vec<u8> {
        let counter = tlv(0x50, &counter.to_le_bytes());
        area(0x6908, &[counter, tlv(0x4da0, key_hash)].concat())
    }

    fn signed(&self, parts: Parts, context: &[u8]) -> Result<Vec<u8>> {
        sealed(parts, context, &self.vendor)
    }
}

/// Adds a TLV to the area after the signed bytes.
fn with_tlv(image: &[u8], signed: usize, one: &[u8]) -> Vec<u8> {
    let (signed, rest) = image.split_at(signed);
    let tlvs = rest.get(4..).unwrap_or_default();
    [signed, &area(0x6907, &[tlvs, one].concat())].concat()
}

/// Signs an image.
fn sealed(parts: Parts, context: &[u8], key: &SigningKey<MlDsa44>) -> Result<Vec<u8>> {
    let mut image = [parts.header, parts.program, parts.protected].concat();
    let signature = key.with_context(context)?.try_sign(&image);
    let signature = signature.map_err(|error| anyhow!("{error}"))?.to_bytes();
    image.extend(area(0x6907, &tlv(0x4da1, &signature)));
    Ok(image)
}

fn tlv(kind: u16, value: &[u8]) -> Vec<u8> {
    let length = (value.len() as u16).to_le_bytes();
    [&kind.to_le_bytes()[..], &length, value].concat()
}

fn area(magic: u16, tlvs: &[u8]) -> Vec<u8> {
    let length = (tlvs.len() as u16 + 4).to_le_bytes();
    [&magic.to_le_bytes()[..], &length, tlvs].concat()
}
