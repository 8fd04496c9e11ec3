use moissanite::{MlDsa65, MlDsa87, Seed, SigningKey, SysRng};
use moissanite_mcuboot::{Draft, DraftError, ImageSet, Requirements, Version, vendor_hash};
use sha2::{Digest, Sha256};

use crate::*;

fn accepts<P: ImageSet>(key: &SigningKey<P>) {
    let image = draft(7).try_sign(key, &mut SysRng).unwrap();
    let verified = check_with(key, &image, &REQUIREMENTS).unwrap();
    assert_eq!(verified.version(), VERSION);
    assert_eq!(verified.counter(), 7);
    assert_eq!(&image[verified.body()], BODY);
    assert_eq!(verified.len(), image.len());
    assert_eq!(verified.signature_type(), P::SIGNATURE_TYPE);
}

#[test]
fn all_sets() {
    let seed = Seed::from_bytes(&[2; 32]);
    accepts::<MlDsa44>(&SigningKey::from_seed(&seed));
    accepts::<MlDsa65>(&SigningKey::from_seed(&seed));
    accepts::<MlDsa87>(&SigningKey::from_seed(&seed));
}

/// The bytes of the table in the documentation.
#[test]
fn layout() {
    let image = &IMAGE[..];
    let header = "3db8f396 00000000 2800 3000 64000000 00000000 01 02 0403 08070605 00000000";
    assert_eq!(hex::encode(&image[..32]), header.replace(' ', ""));
    assert_eq!(image[32..40], [0; 8]);
    assert_eq!(image[40..PROTECTED], *BODY);
    let protected = &image[PROTECTED..AREA];
    let vendor = vendor_hash::<MlDsa44, _>(KEY.verifying_key().as_ref()).unwrap();
    let expected = "0869 3000 5000 0400 07000000 a04d 2000";
    assert_eq!(hex::encode(&protected[..16]), expected.replace(' ', ""));
    assert_eq!(protected[16..], vendor);
    assert_eq!(hex::encode(&image[AREA..][..4]), "0769a009");
    assert_eq!(hex::encode(&image[AREA + 4..][..4]), "10002000");
    assert_eq!(image[AREA + 8..][..32], *Sha256::digest(&image[..AREA]));
    assert_eq!(hex::encode(&image[AREA + 40..][..4]), "a14d7409");
    assert_eq!(image.len(), SIGNATURE + 2420);
}

/// The vendor's hash is a prefix of tr, which the private key of FIPS 204 contains.
#[test]
fn vendor() {
    let expanded = KEY.to_expanded_bytes();
    let hash = vendor_hash::<MlDsa44, _>(KEY.verifying_key().as_ref()).unwrap();
    assert_eq!(expanded[64..96], hash);
}

/// The entries of an area may be in any order, and the digest may be missing.
#[test]
fn other_orders() {
    let signature = IMAGE[AREA + 40..].to_vec();
    let digest = &IMAGE[AREA + 4..AREA + 40];
    let swapped = [&IMAGE[..AREA + 4], &signature, digest].concat();
    assert!(check(&swapped).is_ok());
    let size = (4 + signature.len() as u16).to_le_bytes();
    let without = [&IMAGE[..AREA], &[0x07, 0x69], &size, &signature].concat();
    assert!(check(&without).is_ok());

    let message =
        draft(7).message(vendor_hash::<MlDsa44, _>(KEY.verifying_key().as_ref()).unwrap());
    let (front, entries) = message.split_at(PROTECTED + 4);
    let reordered = [front, &entries[8..], &entries[..8]].concat();
    let context = moissanite_mcuboot::format::CONTEXT;
    let signature = KEY
        .with_context(context)
        .unwrap()
        .try_sign(&reordered)
        .unwrap();
    let reordered = [&reordered, &IMAGE[AREA..SIGNATURE], signature.as_ref()].concat();
    assert_eq!(check(&reordered).unwrap().counter(), 7);
}

/// What follows the image in the slot is not part of it.
#[test]
fn rest_of_the_slot() {
    let slot = [&IMAGE[..], &[0xff; 1000]].concat();
    assert_eq!(check(&slot).unwrap().len(), IMAGE.len());
}

#[test]
fn versions() {
    assert_eq!(VERSION.to_string(), "1.2.772+84281096");
    assert!(Version::new(1, 0, 0, 9) < Version::new(1, 0, 1, 0));
    assert!(Version::new(1, 255, 0, 0) < Version::new(2, 0, 0, 0));
}

#[test]
fn addresses() {
    let image = sign(&draft(7).with_address(0x8000));
    let at = |address| Requirements {
        address,
        ..REQUIREMENTS
    };
    let verified = check_with(&*KEY, &image, &at(Some(0x8000))).unwrap();
    assert_eq!(verified.header().address(), Some(0x8000));
    for (image, address) in [
        (&image, None),
        (&image, Some(0x8004)),
        (&*IMAGE, Some(0)),
        (&*IMAGE, Some(0x8000)),
    ] {
        let refused = check_with(&*KEY, image, &at(address));
        assert_eq!(
            refused,
            Err(Error::Refused(moissanite_mcuboot::Refused::Address))
        );
    }
}

#[test]
fn drafts() {
    assert_eq!(Draft::new(&[], VERSION, 0).unwrap_err(), DraftError::Body);
    let short = draft(0).with_header_size(31).unwrap_err();
    assert_eq!(short, DraftError::HeaderSize);
    assert!(
        check_with(
            &*KEY,
            &sign(&draft(7).with_header_size(32).unwrap()),
            &REQUIREMENTS
        )
        .is_ok()
    );
    assert!(
        check_with(
            &*KEY,
            &sign(&draft(7).with_header_size(u16::MAX).unwrap()),
            &REQUIREMENTS
        )
        .is_ok()
    );
}
