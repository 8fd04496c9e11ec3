//! The content of a slot of flash: a header, the program, and the vendor's signature of both.
//!
//! | offset | content |
//! | --- | --- |
//! | 0 | `MBL1` |
//! | 4 | the address for which the image was linked, which must be that of the slot |
//! | 8 | the number of signed bytes, from offset 0 on |
//! | 12 | the version |
//! | 1024 | the program, which begins with its vectors: initial stack pointer, reset, ... |
//! | the number at 8 | the signature, 2,420 bytes |
//!
//! Numbers have four bytes, in little-endian order. `application/memory.x` makes the header.

#![no_std]

pub mod board;

use core::ffi::CStr;
use core::ops::Range;

use moissanite::stream::VerifyingKey;
use moissanite::{MlDsa44, ParameterSet};

const MAGIC: [u8; 4] = *b"MBL1";
const HEADER_LEN: usize = 1024;

/// The context prevents a signature for another purpose from being accepted for a program.
pub const CONTEXT: &[u8] = b"firmware of the example board";

/// The oldest accepted version. A product keeps it in a monotonic counter.
pub const OLDEST: u32 = 1;

/// The vendor's public key.
pub type PublicKey = [u8; <MlDsa44 as ParameterSet>::PUBLIC_KEY_LEN];

/// A program that may be started. Only [`verify`] returns one.
pub struct Program {
    /// The address of its vectors.
    pub vectors: u32,
    /// The initial stack pointer.
    pub stack: u32,
    /// The address of its first instruction, which is odd because it is Thumb code.
    pub reset: u32,
}

/// The reason why there is no program to start.
pub enum Refusal {
    /// The flash is erased or has another content.
    NoImage,
    /// The image is for another address.
    WrongSlot,
    /// The image is too short for a program, or does not fit in the slot with its signature.
    Length,
    /// The signature is not valid.
    Signature,
    /// The signature is valid, but the version is too old.
    Old,
    /// The signature is valid, but the program cannot run: its stack is not in RAM, or its first
    /// instruction is not in the image.
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

/// Returns the program in the slot at `address`, if `vendor` signed it and it can run in `ram`.
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

/// Returns the signed bytes and their signature, if both are within the slot.
fn signed(slot: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = usize::try_from(word(slot, 8)?).ok()?;
    let (signed, rest) = slot.split_at_checked(length)?;
    let signature = rest.get(..MlDsa44::SIGNATURE_LEN)?;
    (length > HEADER_LEN).then_some((signed, signature))
}

/// Returns the values of the vectors, if they are within RAM and the image.
fn program(image: &[u8], address: u32, ram: &Range<u32>) -> Option<Program> {
    let code = HEADER_LEN..image.len();
    let program = Program {
        vectors: address.checked_add(u32::try_from(code.start).ok()?)?,
        stack: word(image, code.start)?,
        reset: word(image, code.start.checked_add(4)?)?,
    };
    // The stack grows downwards from this address.
    let stack = ram.contains(&program.stack.checked_sub(8)?) && program.stack.trailing_zeros() >= 3;
    let entry = usize::try_from(program.reset.checked_sub(address)?).ok()?;
    let entry = code.contains(&entry) && program.reset.trailing_ones() >= 1;
    (stack && entry).then_some(program)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
