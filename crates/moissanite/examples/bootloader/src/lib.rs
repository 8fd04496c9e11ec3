//! What is in a slot of flash: a header, the program, and the vendor's signature of both.
//!
//! | from | what |
//! | --- | --- |
//! | 0 | `MBL1` |
//! | 4 | the address that this was linked for, which has to be that of the slot |
//! | 8 | how many bytes are signed, from 0 on |
//! | 12 | the version |
//! | 1024 | the program, which begins with its vectors: initial stack pointer, reset, ... |
//! | what 8 says | the signature, 2,420 bytes |
//!
//! Numbers have four bytes, the lowest first. `application/memory.x` makes the header.

#![no_std]

pub mod board;

use core::ffi::CStr;
use core::ops::Range;

use moissanite::stream::VerifyingKey;
use moissanite::{MlDsa44, ParameterSet};

const MAGIC: [u8; 4] = *b"MBL1";
const HEADER_LEN: usize = 1024;

/// What the vendor signs with this key for any other purpose is no program.
pub const CONTEXT: &[u8] = b"firmware of the example board";

/// The oldest version that is started. A product keeps it in a counter that only goes up.
pub const OLDEST: u32 = 1;

/// The vendor's public key.
pub type PublicKey = [u8; <MlDsa44 as ParameterSet>::PUBLIC_KEY_LEN];

/// A program that may be started: only [`verify`] makes one.
pub struct Program {
    /// Where its vectors are.
    pub vectors: u32,
    /// What the stack pointer has to be.
    pub stack: u32,
    /// Where it begins; odd, as it is Thumb code.
    pub reset: u32,
}

/// Why there is no program to start.
pub enum Refusal {
    /// Flash is erased, or holds something else.
    NoImage,
    /// An image for another address.
    WrongSlot,
    /// It is too short for a program, or would not fit the slot with its signature.
    Length,
    /// The vendor did not sign this.
    Signature,
    /// The vendor did, long ago.
    Old,
    /// The vendor did, but it would not run here: its stack is not in RAM, or its code not in it.
    Vectors,
}

impl Refusal {
    /// A line of text.
    pub fn text(&self) -> &'static CStr {
        match self {
            Self::NoImage => c"refused: no image\n",
            Self::WrongSlot => c"refused: for another slot\n",
            Self::Length => c"refused: length\n",
            Self::Signature => c"refused: signature\n",
            Self::Old => c"refused: an old version\n",
            Self::Vectors => c"refused: vectors\n",
        }
    }
}

/// The program in the slot that begins at `address`, if `vendor` signed it and it can run in `ram`.
///
/// # Errors
/// Any [`Refusal`].
pub fn verify(
    vendor: &PublicKey,
    slot: &[u8],
    address: u32,
    ram: &Range<u32>,
) -> Result<Program, Refusal> {
    if slot.first_chunk() != Some(&MAGIC) {
        return Err(Refusal::NoImage);
    }
    if word(slot, 4) != Some(address) {
        return Err(Refusal::WrongSlot);
    }
    let (signed, signature) = signed(slot).ok_or(Refusal::Length)?;
    let mut vendor =
        VerifyingKey::<MlDsa44, _>::from_bytes(vendor).map_err(|_| Refusal::Signature)?;
    vendor
        .verify_pieces(CONTEXT, |message| message.update(signed), signature)
        .map_err(|_| Refusal::Signature)?;
    if word(signed, 12).is_none_or(|version| version < OLDEST) {
        return Err(Refusal::Old);
    }
    program(signed, address, ram).ok_or(Refusal::Vectors)
}

/// What is signed and its signature, if both are within the slot.
fn signed(slot: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = usize::try_from(word(slot, 8)?).ok()?;
    let (signed, rest) = slot.split_at_checked(length)?;
    let signature = rest.get(..MlDsa44::SIGNATURE_LEN)?;
    (length > HEADER_LEN).then_some((signed, signature))
}

/// What the vectors say, if it is within RAM and the image.
fn program(image: &[u8], address: u32, ram: &Range<u32>) -> Option<Program> {
    let code = HEADER_LEN..image.len();
    let program = Program {
        vectors: address.checked_add(u32::try_from(code.start).ok()?)?,
        stack: word(image, code.start)?,
        reset: word(image, code.start.checked_add(4)?)?,
    };
    // The stack grows down from where it points.
    let stack = ram.contains(&program.stack.checked_sub(8)?) && program.stack.trailing_zeros() >= 3;
    let entry = usize::try_from(program.reset.checked_sub(address)?).ok()?;
    let entry = code.contains(&entry) && program.reset.trailing_ones() >= 1;
    (stack && entry).then_some(program)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
