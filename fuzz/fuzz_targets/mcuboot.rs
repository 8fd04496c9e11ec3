//! Firmware images in the format of mcuboot. The input is the content of a slot.
//!
//! The parser wants only bytes of the slot, in a bounded number of steps. A well-formed image has the fields of its
//! bytes, is the same in a slot of its own length, and is malformed in a shorter one. An image is accepted exactly if
//! the signature verifies with the key of the seeds over the signed bytes, and only by a device whose requirements it
//! fulfils. The vendor's half makes the same bytes of these fields.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite::{MlDsa44, MlDsa65, MlDsa87, Signature, SigningKey, prelude::*};
use moissanite_fuzz::once;
use moissanite_mcuboot::format::{CONTEXT, HEADER_LEN, PROTECTED_LEN};
use moissanite_mcuboot::{
    Draft, Error, Image, ImageSet, Malformed, Parser, Refused, Requirements, vendor_hash, verify,
};

/// The most steps of an image: the header, two areas, two entries, and a third entry, which is refused.
const STEPS: usize = 6;

/// The key of the seeds.
struct Key<P: ImageSet>(SigningKey<P>);

fuzz_target!(|slot: &[u8]| {
    let image = match parse(slot) {
        Ok(image) => image,
        Err(reason) => {
            let refused = accept::<MlDsa44>(
                slot,
                &Requirements {
                    minimum_counter: 0,
                    address: None,
                },
            );
            assert_eq!(refused, Err(Error::Malformed(reason)));
            return;
        }
    };
    check_fields(slot, &image);
    let own = &slot[..image.len()];
    assert_eq!(parse(own), Ok(image.clone()));
    assert_eq!(parse(&own[..own.len() - 1]), Err(Malformed::TooLong));
    check_verdict::<MlDsa44>(slot, &image);
    check_verdict::<MlDsa65>(slot, &image);
    check_verdict::<MlDsa87>(slot, &image);
});

/// Reads an image as a device does.
fn parse(slot: &[u8]) -> Result<Image, Malformed> {
    let mut parser = Parser::new(slot.len());
    let mut steps = 0;
    while let Some(wanted) = parser.wanted() {
        steps += 1;
        assert!(steps <= STEPS, "the parser does not end");
        assert!(
            wanted.end <= slot.len() && wanted.len() <= Parser::LONGEST,
            "{wanted:?}"
        );
        parser.take(&slot[wanted])?;
    }
    Ok(parser.image().ok_or(Malformed::TooLong)?.clone())
}

/// Compares the fields with the bytes, and with the image that the vendor would make of them.
fn check_fields(slot: &[u8], image: &Image) {
    let (body, streamed) = (image.body(), image.streamed());
    let signed = body.end + PROTECTED_LEN;
    assert!(image.len() <= slot.len() && signed < image.len() && !body.is_empty());
    assert_eq!(image.header().to_bytes(), slot[..HEADER_LEN]);
    assert_eq!(streamed, HEADER_LEN..body.end);
    assert_eq!(*image.protected().as_bytes(), slot[body.end..signed]);

    let vendor = *image.protected().vendor();
    let draft = Draft::new(&slot[body.clone()], image.version(), image.counter());
    let size = u16::try_from(body.start).expect("it is a field of 16 bits");
    let draft = draft
        .expect("the program is not empty")
        .with_header_size(size);
    let mut draft = draft.expect("the header is not shorter");
    if let Some(address) = image.header().address() {
        draft = draft.with_address(address);
    }
    let message = draft.message(vendor);
    assert_eq!(message.len(), signed);
    assert_eq!(message[..HEADER_LEN], slot[..HEADER_LEN]);
    assert_eq!(message[body.clone()], slot[body]);
}

/// Compares the verdict with that of the facade.
fn check_verdict<P: ImageSet>(slot: &[u8], image: &Image) {
    let Key(key) = once(|| Key::<P>(SigningKey::from_seed(&[0; 32].into())));
    let same = Requirements {
        minimum_counter: image.counter(),
        address: image.header().address(),
    };
    let verdict = accept::<P>(slot, &same);
    let Some(at) = image.signature_at::<P>() else {
        return assert_eq!(verdict, Err(Refused::ParameterSet.into()));
    };
    let signature = &slot[at..at + P::SIGNATURE_LEN];
    assert!(at >= image.body().end + PROTECTED_LEN && at + P::SIGNATURE_LEN <= image.len());
    let vendor = vendor_hash::<P, _>(key.verifying_key().as_ref()).expect("a slice of this length");
    if *image.protected().vendor() != vendor {
        return assert_eq!(verdict, Err(Refused::Vendor.into()));
    }
    let signed = &slot[..image.body().end + PROTECTED_LEN];
    let signature = Signature::<P>::from_bytes(signature).expect("it has this length");
    let public_key = key
        .verifying_key()
        .with_context(CONTEXT)
        .expect("it is short");
    let expected = match public_key.verify(signed, &signature) {
        Ok(()) => Ok(image.clone()),
        Err(_) => Err(Refused::Signature.into()),
    };
    assert_eq!(verdict, expected);
    if let Some(minimum_counter) = image.counter().checked_add(1) {
        let verdict = accept::<P>(
            slot,
            &Requirements {
                minimum_counter,
                ..same
            },
        );
        assert_eq!(verdict, Err(Refused::Counter.into()));
    }
    let address = Some(same.address.map_or(0, |address| !address));
    let verdict = accept::<P>(slot, &Requirements { address, ..same });
    assert_eq!(verdict, Err(Refused::Address.into()));
}

type Verdict = Result<Image, Error<moissanite::stream::EndOfSlice, moissanite::stream::EndOfSlice>>;

/// The verdict of a device with the key of the seeds.
fn accept<P: ImageSet>(slot: &[u8], requirements: &Requirements) -> Verdict {
    let Key(key) = once(|| Key::<P>(SigningKey::from_seed(&[0; 32].into())));
    let vendor: &[u8] = key.verifying_key().as_ref();
    verify::<P, _, _>(slot, slot.len(), vendor, requirements)
}
