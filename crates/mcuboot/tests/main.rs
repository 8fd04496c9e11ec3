//! Tests with images of this crate, and with malformed ones.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may panic"
)]

mod accepted;
mod malformed;
mod properties;
mod refused;

use std::sync::LazyLock;

use moissanite::stream::EndOfSlice;
use moissanite::{MlDsa44, Seed, SigningKey, SysRng, prelude::*};
use moissanite_mcuboot::{Draft, Error, Image, ImageSet, Requirements, Version, verify};

const HEADER: u16 = 40;
const BODY: &[u8] = &[0x5a; 100];
const VERSION: Version = Version::new(1, 2, 0x0304, 0x0506_0708);
/// The offset of the protected area.
const PROTECTED: usize = HEADER as usize + BODY.len();
/// The offset of the area that is not signed.
const AREA: usize = PROTECTED + 48;
/// The offset of the signature.
const SIGNATURE: usize = AREA + 4 + 36 + 4;

const REQUIREMENTS: Requirements = Requirements {
    minimum_counter: 7,
    address: None,
};

type Verdict = Result<Image, Error<EndOfSlice, EndOfSlice>>;

static KEY: LazyLock<SigningKey<MlDsa44>> =
    LazyLock::new(|| SigningKey::from_seed(&Seed::from_bytes(&[1; 32])));
/// An image with the counter 7.
static IMAGE: LazyLock<Vec<u8>> = LazyLock::new(|| sign(&draft(7)));

fn draft(counter: u32) -> Draft<'static> {
    let draft = Draft::new(BODY, VERSION, counter).unwrap();
    draft.with_header_size(HEADER).unwrap()
}

fn sign(draft: &Draft<'_>) -> Vec<u8> {
    draft.try_sign(&*KEY, &mut SysRng).unwrap()
}

/// Verifies an image that fills its slot, with the key of the tests.
fn check(image: &[u8]) -> Verdict {
    check_with(&KEY, image, &REQUIREMENTS)
}

fn check_with<P: ImageSet>(
    key: &SigningKey<P>,
    image: &[u8],
    requirements: &Requirements,
) -> Verdict {
    let key = key.verifying_key();
    verify::<P, _, _>(image, image.len(), key.as_ref(), requirements)
}

/// Returns the image with other bytes at an offset.
fn with(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut image = IMAGE.clone();
    image[at..][..bytes.len()].copy_from_slice(bytes);
    image
}
