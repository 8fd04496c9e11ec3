//! The seeds of the target that reads firmware images in the format of mcuboot.

use anyhow::Result;
use moissanite::{MlDsa44, MlDsa65, MlDsa87, SigningKey, prelude::*};
use moissanite_mcuboot::{Draft, ImageSet, Version, format, vendor_hash};

/// The header of the images, of which eight bytes are padding.
const HEADER: u16 = 40;
const PROGRAM: &[u8] = b"the program";

/// Each file with its path under fuzz/seeds: images of each set, and malformed ones.
pub(super) fn seeds() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let draft = Draft::new(PROGRAM, Version::new(1, 2, 3, 4), 7)?.with_header_size(HEADER)?;
    let fixed = draft.clone().with_address(0x8000);
    let good = image::<MlDsa44>(&draft)?;
    let area = usize::from(HEADER) + PROGRAM.len() + format::PROTECTED_LEN;
    let (signed, tlvs) = good.split_at(area);
    // An area and its entries.
    let of = |entries: &[&[u8]]| -> Result<Vec<u8>> {
        let entries = entries.concat();
        let size = u16::try_from(format::INFO_LEN + entries.len())?;
        let info = [format::MAGIC_OF_AREA.to_le_bytes(), size.to_le_bytes()].concat();
        Ok([signed, &info, &entries].concat())
    };
    let entries = tlvs.get(format::INFO_LEN..).unwrap_or_default();
    let (digest, signature) = entries.split_at(format::INFO_LEN + format::DIGEST_LEN);
    let with = |at: usize, bytes: &[u8]| {
        let mut image = good.clone();
        image.splice(at..at + bytes.len(), bytes.iter().copied());
        image
    };
    Ok(vec![
        ("mcuboot/ml-dsa-44", good.clone()),
        ("mcuboot/ml-dsa-65", image::<MlDsa65>(&draft)?),
        ("mcuboot/ml-dsa-87", image::<MlDsa87>(&fixed)?),
        ("mcuboot/without-digest", of(&[signature])?),
        ("mcuboot/signature-first", of(&[signature, digest])?),
        ("mcuboot/two-digests", of(&[digest, digest, signature])?),
        ("mcuboot/two-signatures", of(&[signature, signature])?),
        ("mcuboot/no-signature", of(&[digest])?),
        ("mcuboot/longer-slot", [&good[..], &[0xff; 16]].concat()),
        ("mcuboot/cut-off", signed.to_vec()),
        ("mcuboot/huge-program", with(12, &[0xff; 4])),
        ("mcuboot/huge-header", with(8, &[0xff; 2])),
        ("mcuboot/huge-area", with(area + 2, &[0xff; 2])),
        ("mcuboot/other-version", with(20, &[9])),
    ])
}

/// An image with the key of the fuzz target, and a signature without randomness.
fn image<P: ImageSet>(draft: &Draft<'_>) -> Result<Vec<u8>> {
    let key = SigningKey::<P>::from_seed(&[0; 32].into());
    let vendor = vendor_hash::<P, _>(key.verifying_key().as_ref());
    let vendor = vendor.map_err(|_| anyhow::anyhow!("a public key of another length"))?;
    let signature = key.with_context(format::CONTEXT)?;
    let signature = signature.try_sign(&draft.message(vendor))?;
    Ok(draft.with_signature(vendor, &signature))
}
