//! Images for the boot loader in C, good and bad ones, which the crate moissanite-mcuboot makes. Both verify the same
//! images.

use anyhow::{Result, anyhow, ensure};
use moissanite::prelude::*;
use moissanite::stream::EndOfSlice;
use moissanite::{MlDsa44, Seed, SigningKey};
use moissanite_mcuboot::format::{
    CONTEXT, DIGEST, INFO_LEN, ImageSet, MAGIC_OF_AREA, PROTECTED_LEN, VENDOR_LEN,
};
use moissanite_mcuboot::{
    Draft, Error, Image, Protected, Requirements, Version, vendor_hash, verify,
};

const HEADER: u16 = 512;
const COUNTER: u32 = 3;
/// The refusal for which only the boot loader in C has a rule: it starts the program.
const VECTORS: &str = "refused: vectors";
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

    /// All images of a program. The crate moissanite-mcuboot must have the same verdict about each of them.
    pub(super) fn cases(&self, program: &[u8]) -> Result<Vec<Case>> {
        let cases = self.all(program)?;
        for (what, image, expected) in &cases {
            let verdict = self.verdict(image, self.slot_length);
            ensure!(
                verdict.is_ok() == ["booted", VECTORS].contains(expected),
                "{what}: \"{expected}\" in C, and {verdict:?} in Rust"
            );
        }
        Ok(cases)
    }

    /// The verdict of the crate about a slot with these bytes, which are followed by erased flash.
    pub(super) fn verdict(
        &self,
        image: &[u8],
        capacity: usize,
    ) -> Result<Image, Error<(), EndOfSlice>> {
        let device = Requirements {
            minimum_counter: COUNTER,
            address: Some(self.slot),
        };
        let slot = |offset: usize, piece: &mut [u8]| {
            for (byte, at) in piece.iter_mut().zip(offset..) {
                *byte = image.get(at).copied().unwrap_or(0xff);
            }
            Ok::<(), ()>(())
        };
        verify::<MlDsa44, _, _>(slot, capacity, self.public_key(), &device)
    }

    /// The hash of the vendor's key.
    pub(super) fn vendor(&self) -> Result<[u8; VENDOR_LEN]> {
        hash(&self.vendor)
    }

    /// The signed bytes of the image of a program.
    pub(super) fn message(&self, program: &[u8]) -> Result<Vec<u8>> {
        Ok(self.draft(program)?.message(self.vendor()?))
    }

    /// The image of a program, as the vendor's half makes it.
    pub(super) fn good(&self, program: &[u8]) -> Result<Vec<u8>> {
        let signature = signature_of(&self.vendor, CONTEXT, &self.message(program)?)?;
        let draft = self.draft(program)?;
        Ok(draft.with_signature::<MlDsa44>(self.vendor()?, &signature))
    }

    /// Bytes with the vendor's signature, also if they are not those of an image.
    pub(super) fn signed(&self, message: Vec<u8>) -> Result<Vec<u8>> {
        sealed(message, CONTEXT, &self.vendor)
    }

    fn all(&self, program: &[u8]) -> Result<Vec<Case>> {
        let vendor = hash(&self.vendor)?;
        let header = usize::from(HEADER);
        let draft = self.draft(program)?;
        let message = draft.message(vendor);
        let signed = message.len();
        let end_of_program = signed - PROTECTED_LEN;
        let good = sealed(message, CONTEXT, &self.vendor)?;
        let flipped = |at: usize| {
            let mut image = good.clone();
            if let Some(byte) = image.get_mut(at) {
                *byte ^= 1;
            }
            image
        };
        let changed = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut message = draft.message(vendor);
            change(&mut message);
            sealed(message, CONTEXT, &self.vendor)
        };
        let word =
            |message: &mut Vec<u8>, at: usize, value: u32| set(message, at, &value.to_le_bytes());
        let vector = |at: usize, value: u32| changed(&|message| word(message, header + at, value));
        let code = self.slot + u32::from(HEADER);
        let end = code + u32::try_from(program.len())?;
        let of_other = Protected::new(COUNTER, hash(&self.other)?);
        let protected = |area: Protected| {
            changed(&move |message| set(message, end_of_program, area.as_bytes()))
        };
        let signature = good.get(signed + INFO_LEN..).unwrap_or_default();
        let mut cases = vec![
            ("of the vendor's half", self.good(program)?, "booted"),
            ("without a digest", good.clone(), "booted"),
            ("empty flash", Vec::new(), "refused: no image"),
            ("padding changed", flipped(header - 1), SIGNATURE),
            ("version changed", flipped(20), SIGNATURE),
            ("code changed", flipped(end_of_program - 1), SIGNATURE),
            ("counter changed", flipped(end_of_program + 8), SIGNATURE),
            ("signature changed", flipped(signed + 8), SIGNATURE),
            (
                "end of signature changed",
                flipped(good.len() - 1),
                SIGNATURE,
            ),
            (
                "another context",
                sealed(draft.message(vendor), b"letters", &self.vendor)?,
                SIGNATURE,
            ),
            (
                "signature cut off",
                good[..signed].to_vec(),
                "refused: TLVs",
            ),
            (
                "no TLVs at all",
                good[..end_of_program].to_vec(),
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
                "with a digest at the end",
                with_tlv(&good, signed, &tlv(DIGEST, &[0; 32])),
                "booted",
            ),
            (
                "with two signatures",
                with_tlv(&good, signed, signature),
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
                changed(&|message| word(message, 4, self.slot + 4096))?,
                "refused: for another slot",
            ),
            (
                "other flags",
                changed(&|message| word(message, 16, 0x20))?,
                "refused: for another slot",
            ),
            (
                "longer than the slot",
                changed(&|message| word(message, 12, u32::MAX))?,
                "refused: length",
            ),
            (
                "shorter than a header",
                changed(&|message| set(message, 8, &31_u16.to_le_bytes()))?,
                "refused: length",
            ),
            (
                "another length of protected TLVs",
                changed(&|message| set(message, 10, &52_u16.to_le_bytes()))?,
                "refused: protected TLVs",
            ),
            (
                "an old counter",
                protected(Protected::new(COUNTER - 1, vendor))?,
                "refused: an old version",
            ),
            (
                "another vendor",
                protected(of_other)?,
                "refused: another vendor",
            ),
            ("stack below RAM", vector(0, self.ram.0)?, VECTORS),
            ("stack above RAM", vector(0, self.ram.1 + 8)?, VECTORS),
            ("stack at zero", vector(0, 0)?, VECTORS),
            (
                "start in the boot loader",
                vector(4, self.slot - 3)?,
                VECTORS,
            ),
            ("start behind the program", vector(4, end | 1)?, VECTORS),
            ("start not in Thumb code", vector(4, code + 32)?, VECTORS),
        ]);
        let mut of_other_key = draft.message(vendor);
        set(&mut of_other_key, end_of_program, of_other.as_bytes());
        cases.push((
            "signed by another key",
            sealed(of_other_key, CONTEXT, &self.other)?,
            SIGNATURE,
        ));
        Ok(cases)
    }

    fn draft<'a>(&self, program: &'a [u8]) -> Result<Draft<'a>> {
        let draft = Draft::new(program, Version::new(1, 2, 3, 4), COUNTER)?;
        Ok(draft.with_header_size(HEADER)?.with_address(self.slot))
    }
}

/// Replaces bytes.
fn set(message: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    message.splice(at..at + bytes.len(), bytes.iter().copied());
}

fn hash(key: &SigningKey<MlDsa44>) -> Result<[u8; VENDOR_LEN]> {
    let hash = vendor_hash::<MlDsa44, _>(key.verifying_key().as_ref());
    hash.map_err(|_| anyhow!("a public key of another length"))
}

/// Adds a TLV to the area after the signed bytes.
fn with_tlv(image: &[u8], signed: usize, one: &[u8]) -> Vec<u8> {
    let (signed, rest) = image.split_at(signed);
    let tlvs = rest.get(INFO_LEN..).unwrap_or_default();
    [signed, &area(&[tlvs, one].concat())].concat()
}

fn signature_of(
    key: &SigningKey<MlDsa44>,
    context: &[u8],
    message: &[u8],
) -> Result<moissanite::Signature<MlDsa44>> {
    let signature = key.with_context(context)?.try_sign(message);
    signature.map_err(|error| anyhow!("{error}"))
}

/// Signs an image, which has no digest, also if its bytes are not those of one.
fn sealed(mut message: Vec<u8>, context: &[u8], key: &SigningKey<MlDsa44>) -> Result<Vec<u8>> {
    let signature = signature_of(key, context, &message)?.to_bytes();
    message.extend(area(&tlv(MlDsa44::SIGNATURE_TYPE, &signature)));
    Ok(message)
}

fn tlv(kind: u16, value: &[u8]) -> Vec<u8> {
    let length = (value.len() as u16).to_le_bytes();
    [&kind.to_le_bytes()[..], &length, value].concat()
}

fn area(tlvs: &[u8]) -> Vec<u8> {
    let length = ((tlvs.len() + INFO_LEN) as u16).to_le_bytes();
    [&MAGIC_OF_AREA.to_le_bytes()[..], &length, tlvs].concat()
}
